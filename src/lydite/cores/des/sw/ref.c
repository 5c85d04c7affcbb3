// SPDX-License-Identifier: Apache-2.0
//
// DES and Triple DES as FIPS 46-3 and SP 800-67 write them: the readable reference, bit by bit. Not
// meant to be fast. KEY_BYTES is 8, 16 (K3 = K1) or 24.

#include "des.h"

#define KEYS (KEY_BYTES / 8)
#define PASSES (KEYS == 1 ? 1 : 3)

static void run(const struct lydite_batch *batch, int decrypts) {
  const size_t bytes = batch->in_bytes[1];
  for (size_t call = 0; call < batch->count; call++) {
    des_keys keys[3];
    for (size_t i = 0; i < 3; i++) {
      const size_t from = i < KEYS ? i : 0;
      des_expand(&keys[i], des_load(batch->in[0] + KEY_BYTES * call + 8 * from));
    }
    for (size_t at = bytes * call; at < bytes * (call + 1); at += DES_BLOCK_BYTES) {
      uint64_t block = des_load(batch->in[1] + at);
      for (int pass = 0; pass < PASSES; pass++) {
        // SP 800-67, 3.1: the middle pass goes the other way, and all turn round to decrypt.
        const int key = decrypts ? PASSES - 1 - pass : pass;
        block = des_block(block, &keys[key], decrypts ^ (pass == 1));
      }
      des_store(batch->out[0] + at, block);
    }
  }
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, 0); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, 1); }
