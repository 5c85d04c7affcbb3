// SPDX-License-Identifier: Apache-2.0
//
// DES and Triple DES as FIPS 46-3 and SP 800-67 write them: the readable reference, bit by bit. Not
// meant to be fast. KEY_BYTES is 8, 16 (K3 = K1) or 24.

#include "des.h"

#define KEYS (KEY_BYTES / 8)
#define PASSES (KEYS == 1 ? 1 : 3)

typedef struct {
  des_keys pass[3];
} all_keys;

static void expand(all_keys *keys, const uint8_t key[KEY_BYTES]) {
  for (size_t i = 0; i < 3; i++) {
    const size_t from = i < KEYS ? i : 0;
    des_expand(&keys->pass[i], des_load(key + DES_BLOCK_BYTES * from));
  }
}

static uint64_t cipher(uint64_t block, const all_keys *keys, int decrypts) {
  for (int pass = 0; pass < PASSES; pass++) {
    // SP 800-67, 3.1: the middle pass goes the other way, and all turn round to decrypt.
    const int key = decrypts ? PASSES - 1 - pass : pass;
    block = des_block(block, &keys->pass[key], decrypts ^ (pass == 1));
  }
  return block;
}

static void run(const struct lydite_batch *batch, int decrypts) {
  const size_t bytes = batch->in_bytes[1];
  for (size_t call = 0; call < batch->count; call++) {
    all_keys keys;
    expand(&keys, batch->in[0] + KEY_BYTES * call);
    for (size_t at = bytes * call; at < bytes * (call + 1); at += DES_BLOCK_BYTES) {
      des_store(batch->out[0] + at, cipher(des_load(batch->in[1] + at), &keys, decrypts));
    }
  }
}

void lydite_ctr(const struct lydite_batch *batch) {
  const size_t bytes = batch->in_bytes[2];
  for (size_t call = 0; call < batch->count; call++) {
    all_keys keys;
    expand(&keys, batch->in[0] + KEY_BYTES * call);
    uint64_t counter = des_load(batch->in[1] + DES_BLOCK_BYTES * call);
    uint8_t stream[DES_BLOCK_BYTES];
    for (size_t i = 0; i < bytes; i++) {
      if (i % DES_BLOCK_BYTES == 0) des_store(stream, cipher(counter++, &keys, 0));
      const uint8_t byte = batch->in[2][bytes * call + i];
      batch->out[0][bytes * call + i] = byte ^ stream[i % DES_BLOCK_BYTES];
    }
  }
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, 0); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, 1); }
