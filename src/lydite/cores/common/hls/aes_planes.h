// SPDX-License-Identifier: Apache-2.0
//
// Parts of a round of AES (FIPS 197, 5.1) of 64 bytes at once, for kernels that `lydite hls`
// compiles. Planes: bit b of byte i stands in bit i of word b. What is linear is then some hundred
// operations, not as many for each byte, and what moves bytes is wires.

#ifndef LYDITE_CORES_COMMON_HLS_AES_PLANES_H_
#define LYDITE_CORES_COMMON_HLS_AES_PLANES_H_

#include <stdint.h>

// Bit b of byte i of a word goes to bit i of byte b: its planes, and back.
static inline uint64_t aes_turn(uint64_t word) {
  static const uint64_t moved[3] = {0x00aa00aa00aa00aa, 0x0000cccc0000cccc, 0x00000000f0f0f0f0};
  for (int i = 0; i < 3; i++) {
    const int by = 7 << i;
    const uint64_t low = moved[i], stay = ~(low | low << by);
    word = (word & stay) | (word & low) << by | (word >> by & low);
  }
  return word;
}

// SubBytes (5.1.1) of all bytes, each in a table of its own or a copy of one.
static inline void aes_lookup_planes(uint64_t x[8], const uint8_t table[256]) {
  uint64_t looked_up[8] = {0};
  for (int i = 0; i < 64; i++) {
    uint8_t byte = 0;
    for (int bit = 0; bit < 8; bit++) byte |= (uint8_t)((x[bit] >> i & 1) << bit);
    const uint8_t entry = table[byte];  // leaks: x, as index
    for (int bit = 0; bit < 8; bit++) looked_up[bit] |= (uint64_t)(entry >> bit & 1) << i;
  }
  for (int bit = 0; bit < 8; bit++) x[bit] = looked_up[bit];
}

// FIPS 197, 4.2
static inline void aes_twice_planes(uint64_t y[8], const uint64_t x[8]) {
  for (int bit = 0; bit < 8; bit++) {
    y[bit] = (bit ? x[bit - 1] : 0) ^ (0x1b >> bit & 1 ? x[7] : 0);
  }
}

// Turns each field of so many bits, less than 64, to the right.
static inline uint64_t aes_turn_fields(uint64_t plane, int bits, int by) {
  const uint64_t field = (UINT64_C(1) << bits) - 1, low = UINT64_MAX / field * (field >> by);
  return by == 0 ? plane : (plane >> by & low) | (plane << (bits - by) & ~low);
}

// What MixColumns (5.1.3) makes of four rows, each given turned up by none to three rows.
static inline void aes_mix_planes(uint64_t y[8], const uint64_t rows[4][8]) {
  uint64_t sum[8];
  for (int bit = 0; bit < 8; bit++) sum[bit] = rows[0][bit] ^ rows[1][bit];
  aes_twice_planes(y, sum);
  for (int bit = 0; bit < 8; bit++) y[bit] ^= rows[1][bit] ^ rows[2][bit] ^ rows[3][bit];
}

// ShiftRows (5.1.2) and MixColumns of four states of 16 bytes.
static inline void aes_diffuse_planes(uint64_t x[8]) {
  uint64_t rows[4][8];
  for (int bit = 0; bit < 8; bit++) {
    // ShiftRows, and the rows of each column turned.
    uint64_t shifted = 0;
    for (int r = 0; r < 4; r++) {
      shifted |= aes_turn_fields(x[bit], 16, 4 * r) & UINT64_C(0x1111111111111111) << r;
    }
    for (int r = 0; r < 4; r++) rows[r][bit] = aes_turn_fields(shifted, 4, r);
  }
  aes_mix_planes(x, rows);
}

#endif  // LYDITE_CORES_COMMON_HLS_AES_PLANES_H_
