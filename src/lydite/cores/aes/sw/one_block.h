// SPDX-License-Identifier: Apache-2.0
//
// The interface of lydite_sw.h for variants that work on one block after the other.
//
// Included once, at the end of a variant that defines before:
//   aes_keys                                    round keys of one direction
//   expand_encrypt(keys, key), expand_decrypt(keys, key)
//   encrypt_block(out, in, keys), decrypt_block(out, in, keys)     out may be in
//   AES_IMPL                                    the answer of lydite_impl

#ifndef LYDITE_CORES_AES_SW_ONE_BLOCK_H_
#define LYDITE_CORES_AES_SW_ONE_BLOCK_H_

#include "aes.h"

const char *lydite_impl(void) { return AES_IMPL; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    const aes_message message = aes_blocks(batch, call);
    aes_keys keys;
    expand_encrypt(&keys, message.key);
    for (size_t at = 0; at < message.bytes; at += AES_BLOCK_BYTES) {
      encrypt_block(message.out + at, message.in + at, &keys);
    }
  }
}

void lydite_decrypt(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    const aes_message message = aes_blocks(batch, call);
    aes_keys keys;
    expand_decrypt(&keys, message.key);
    for (size_t at = 0; at < message.bytes; at += AES_BLOCK_BYTES) {
      decrypt_block(message.out + at, message.in + at, &keys);
    }
  }
}

void lydite_ctr(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    const aes_message message = aes_stream(batch, call);
    aes_counter counter = aes_counter_of(message.counter);
    aes_keys keys;
    expand_encrypt(&keys, message.key);
    for (size_t at = 0; at < message.bytes; at += AES_BLOCK_BYTES) {
      const size_t left = message.bytes - at;
      const size_t take = left < AES_BLOCK_BYTES ? left : AES_BLOCK_BYTES;
      uint8_t stream[AES_BLOCK_BYTES];
      aes_counter_store(stream, counter);
      aes_counter_add(&counter, 1);
      encrypt_block(stream, stream, &keys);
      for (size_t i = 0; i < take; i++) message.out[at + i] = message.in[at + i] ^ stream[i];
    }
  }
}

#endif  // LYDITE_CORES_AES_SW_ONE_BLOCK_H_
