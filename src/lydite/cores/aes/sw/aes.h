// SPDX-License-Identifier: Apache-2.0
//
// What all variants of AES-128 (FIPS 197) share: sizes, the operations, and counters of
// SP 800-38A, B.1.

#ifndef LYDITE_CORES_AES_SW_AES_H_
#define LYDITE_CORES_AES_SW_AES_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"

#define AES_ROUNDS 10
#define AES_BLOCK_BYTES 16
#define AES_KEY_BYTES 16

// Inputs key, plaintext; output ciphertext, of whole blocks (SP 800-38A, 6.1).
LYDITE_API void lydite_encrypt(const struct lydite_batch *batch);
// Inputs key, ciphertext; output plaintext.
LYDITE_API void lydite_decrypt(const struct lydite_batch *batch);
// Inputs key, counter, message; output ciphertext, of bytes (SP 800-38A, 6.5).
LYDITE_API void lydite_ctr(const struct lydite_batch *batch);

// Bytes of one call.
typedef struct {
  const uint8_t *key;
  const uint8_t *counter;  // NULL: whole blocks, each by itself
  const uint8_t *in;
  uint8_t *out;
  size_t bytes;
} aes_message;

static inline aes_message aes_blocks(const struct lydite_batch *batch, size_t call) {
  const size_t bytes = batch->in_bytes[1];
  return (aes_message){.key = batch->in[0] + AES_KEY_BYTES * call,
                       .counter = NULL,
                       .in = batch->in[1] + bytes * call,
                       .out = batch->out[0] + bytes * call,
                       .bytes = bytes};
}

static inline aes_message aes_stream(const struct lydite_batch *batch, size_t call) {
  const size_t bytes = batch->in_bytes[2];
  return (aes_message){.key = batch->in[0] + AES_KEY_BYTES * call,
                       .counter = batch->in[1] + AES_BLOCK_BYTES * call,
                       .in = batch->in[2] + bytes * call,
                       .out = batch->out[0] + bytes * call,
                       .bytes = bytes};
}

// A counter block as a number.
typedef struct {
  uint64_t high, low;
} aes_counter;

static inline aes_counter aes_counter_of(const uint8_t block[AES_BLOCK_BYTES]) {
  return (aes_counter){.high = __builtin_bswap64(load64_le(block)),
                       .low = __builtin_bswap64(load64_le(block + 8))};
}

static inline void aes_counter_add(aes_counter *counter, uint64_t count) {
  counter->low += count;
  counter->high += counter->low < count;
}

static inline void aes_counter_store(uint8_t block[AES_BLOCK_BYTES], aes_counter counter) {
  store64_le(block, __builtin_bswap64(counter.high));
  store64_le(block + 8, __builtin_bswap64(counter.low));
}

#endif  // LYDITE_CORES_AES_SW_AES_H_
