// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) of one block as a function: `des_in_c` in C, and `des`, which is the same, or,
// with des_macro.toml, a module in Verilog, as the SRC-6E's programs call it.

#pragma once

#include "des.h"

// Encrypts (decrypt = 0) or decrypts (1) a block. All in one expression of the arguments: a call
// shares nothing with another one.
static inline uint64_t des_in_c(uint64_t block, uint64_t key, uint8_t decrypt) {
  const uint64_t cd = permute(key, 64, des_pc1, 56);
  uint32_t c = (uint32_t)(cd >> 28), d = (uint32_t)cd & 0x0fffffff;
  const uint64_t lr = permute(block, 64, des_ip, 64);
  uint32_t left = (uint32_t)(lr >> 32), right = (uint32_t)lr;
  for (int round = 0; round < DES_ROUNDS; round++) {
#pragma HLS unroll
    // Turns are 28 in all: backwards the first round has none.
    const unsigned up = des_shifts[round];
    const unsigned down = round == 0 ? 0 : des_shifts[DES_ROUNDS - round];
    c = decrypt ? rotr28(c, down) : rotl28(c, up);
    d = decrypt ? rotr28(d, down) : rotl28(d, up);
    const uint64_t round_key = permute((uint64_t)c << 28 | d, 56, des_pc2, 48);
    const uint32_t next = left ^ feistel(right, round_key);
    left = right;
    right = next;
  }
  return permute((uint64_t)right << 32 | left, 64, des_fp, 64);
}

static uint64_t des(uint64_t block, uint64_t key, uint8_t decrypt) {
  return des_in_c(block, key, decrypt);
}
