// SPDX-License-Identifier: Apache-2.0
//
// What all variants of DES (FIPS 46-3) and Triple DES (SP 800-67) share: sizes, the operations, and
// the rounds on one block by the standard's tables.

#ifndef LYDITE_CORES_DES_SW_DES_H_
#define LYDITE_CORES_DES_SW_DES_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"
#include "tables.h"

#define DES_BLOCK_BYTES 8
#define DES_HALF_BITS 28  // of C and of D

// Inputs key, plaintext; output ciphertext, of whole blocks (SP 800-38A, 6.1).
LYDITE_API void lydite_encrypt(const struct lydite_batch *batch);
// Inputs key, ciphertext; output plaintext.
LYDITE_API void lydite_decrypt(const struct lydite_batch *batch);
// Inputs key, counter block, message of any length; output ciphertext (SP 800-38A, 6.5; B.1 with
// m = 64). Decrypts, too.
LYDITE_API void lydite_ctr(const struct lydite_batch *batch);

// A block or key as the standard writes it: bit 1 is the most significant.
static inline uint64_t des_load(const uint8_t in[DES_BLOCK_BYTES]) {
  return __builtin_bswap64(load64_le(in));
}

static inline void des_store(uint8_t out[DES_BLOCK_BYTES], uint64_t block) {
  store64_le(out, __builtin_bswap64(block));
}

// Bit i of the result, from the top, is bit table[i] of the input, which has `width` bits.
static inline uint64_t des_permute(uint64_t in, unsigned width, const uint8_t *table,
                                   unsigned count) {
  uint64_t out = 0;
  for (unsigned i = 0; i < count; i++) out = out << 1 | (in >> (width - table[i]) & 1);
  return out;
}

// The place in C, D (0 to 55) that bit `i` of round key `round` (from 0) comes from.
static inline unsigned des_key_place(unsigned round, unsigned i) {
  unsigned turned = 0;
  for (unsigned n = 0; n <= round; n++) turned += des_shifts[n];
  const unsigned place = des_pc2[i] - 1U;
  const unsigned half = place < DES_HALF_BITS ? 0 : DES_HALF_BITS;
  return half + (place - half + turned) % DES_HALF_BITS;
}

// Round keys of 48 bits.
typedef struct {
  uint64_t round[DES_ROUNDS];
} des_keys;

// FIPS 46-3, KS. Parity is not looked at.
static inline void des_expand(des_keys *keys, uint64_t key) {
  const uint64_t cd = des_permute(key, 64, des_pc1, 56);
  for (unsigned round = 0; round < DES_ROUNDS; round++) {
    keys->round[round] = 0;
    for (unsigned i = 0; i < 48; i++) {
      keys->round[round] = keys->round[round] << 1 | (cd >> (55 - des_key_place(round, i)) & 1);
    }
  }
}

// FIPS 46-3, The Cipher Function f.
static inline uint32_t des_f(uint32_t right, uint64_t key) {
  const uint64_t wide = des_permute(right, 32, des_e, 48) ^ key;
  uint32_t out = 0;
  for (unsigned i = 0; i < 8; i++) {
    const unsigned six = (unsigned)(wide >> (42 - 6 * i)) & 63;
    const unsigned row = (six >> 4 & 2) | (six & 1), column = six >> 1 & 15;
    out = out << 4 | des_sboxes[i][16 * row + column];  // leaks: key and text, as index
  }
  return (uint32_t)des_permute(out, 32, des_p, 32);
}

// Encrypts, or, backwards, decrypts a block.
static inline uint64_t des_block(uint64_t block, const des_keys *keys, int backwards) {
  const uint64_t permuted = des_permute(block, 64, des_ip, 64);
  uint32_t left = (uint32_t)(permuted >> 32), right = (uint32_t)permuted;
  for (unsigned n = 0; n < DES_ROUNDS; n++) {
    const uint32_t next = left ^ des_f(right, keys->round[backwards ? DES_ROUNDS - 1 - n : n]);
    left = right;
    right = next;
  }
  return des_permute((uint64_t)right << 32 | left, 64, des_fp, 64);
}

#endif  // LYDITE_CORES_DES_SW_DES_H_
