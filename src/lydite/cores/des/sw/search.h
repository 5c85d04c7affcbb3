// SPDX-License-Identifier: Apache-2.0
//
// What the variants of the key search share: the operation, and keys of DES as numbers.

#ifndef LYDITE_CORES_DES_SW_SEARCH_H_
#define LYDITE_CORES_DES_SW_SEARCH_H_

#include "des.h"

#define DES_KEY_BITS 56

// Inputs first, last, plaintext, ciphertext, plaintext2, ciphertext2; output key: the lowest one
// from first to last, both counted, that encrypts both pairs. Keys are in the order of their bits
// without parity, which is not looked at; the key found has odd parity (FIPS 46-3). Rejected, where
// there is none.
LYDITE_API void lydite_search(const struct lydite_batch *batch);

typedef struct {
  uint64_t plaintext, ciphertext, plaintext2, ciphertext2;
} des_pairs;

// A key without parity as a number; byte 1 on top.
static inline uint64_t des_number_of(uint64_t key) {
  uint64_t number = 0;
  for (unsigned i = 0; i < 8; i++) number = number << 7 | (key >> (57 - 8 * i) & 127);
  return number;
}

// The key of a number, with odd parity.
static inline uint64_t des_key_of(uint64_t number) {
  uint64_t key = 0;
  for (unsigned i = 0; i < 8; i++) {
    const uint64_t seven = number >> (49 - 7 * i) & 127;
    key = key << 8 | seven << 1 | (uint64_t)!__builtin_parityll(seven);
  }
  return key;
}

static inline int des_is_key(uint64_t number, const des_pairs *pairs) {
  des_keys keys;
  des_expand(&keys, des_key_of(number));
  return des_block(pairs->plaintext, &keys, 0) == pairs->ciphertext &&
         des_block(pairs->plaintext2, &keys, 0) == pairs->ciphertext2;
}

// The lowest such key from `from` to `to`, 1; 0 if there is none.
typedef int des_search(uint64_t *number, uint64_t from, uint64_t to, const des_pairs *pairs);

static inline void des_search_batch(const struct lydite_batch *batch, des_search *search) {
  for (size_t call = 0; call < batch->count; call++) {
    uint64_t in[6], number = 0;
    for (size_t i = 0; i < 6; i++) in[i] = des_load(batch->in[i] + DES_BLOCK_BYTES * call);
    const des_pairs pairs = {in[2], in[3], in[4], in[5]};
    const int found = search(&number, des_number_of(in[0]), des_number_of(in[1]), &pairs);
    batch->verdict[call] = (uint8_t)found;
    des_store(batch->out[0] + DES_BLOCK_BYTES * call, found ? des_key_of(number) : 0);
  }
}

// Inputs first, plaintext, plaintext2; outputs last, ciphertext, ciphertext2: a search of up to 16
// keys that finds one of them, or, with bit 8 of plaintext2, none.
LYDITE_API void lydite_plant(const struct lydite_batch *batch);

void lydite_plant(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    uint64_t in[3];
    for (size_t i = 0; i < 3; i++) in[i] = des_load(batch->in[i] + DES_BLOCK_BYTES * call);
    const uint64_t most = ((uint64_t)1 << DES_KEY_BITS) - 1, first = des_number_of(in[0]);
    const uint64_t wanted = first + (in[1] & 255) % 16, last = wanted < most ? wanted : most;
    des_keys keys;
    des_expand(&keys, des_key_of(first + (in[2] & 255) % (last - first + 1)));
    const uint64_t second = des_block(in[2], &keys, 0) ^ (in[2] >> 56 & 1) << 56;
    des_store(batch->out[0] + DES_BLOCK_BYTES * call, des_key_of(last));
    des_store(batch->out[1] + DES_BLOCK_BYTES * call, des_block(in[1], &keys, 0));
    des_store(batch->out[2] + DES_BLOCK_BYTES * call, second);
  }
}

#endif  // LYDITE_CORES_DES_SW_SEARCH_H_
