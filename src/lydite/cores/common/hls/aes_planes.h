// SPDX-License-Identifier: Apache-2.0
//
// Rounds of AES (FIPS 197, 5.1) without a key of 64 bytes at once, for kernels that `lydite hls`
// compiles. Planes: bit b of byte i stands in bit i of word b. An S-box of all bytes is then some
// hundred operations, not as many for each, and what moves bytes is wires.

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

// GF(2^4) = GF(2)[z] / (z^4 + z^3 + 1)
static inline void aes_times_planes(uint64_t r[4], const uint64_t x[4], const uint64_t y[4]) {
  uint64_t sum[7] = {0};
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) sum[i + j] ^= x[i] & y[j];
  }
  const uint64_t high = sum[5] ^ sum[6];  // z^4, z^5, z^6 are z^3 + 1, z^3 + z + 1, and all four
  r[0] = sum[0] ^ sum[4] ^ high;
  r[1] = sum[1] ^ high;
  r[2] = sum[2] ^ sum[6];
  r[3] = sum[3] ^ sum[4] ^ high;
}

// The inverse, of 0 it is 0: a sum of products of the bits for each bit.
static inline void aes_inverse_planes(uint64_t y[4], const uint64_t x[4]) {
  const uint64_t p = x[0], q = x[1], r = x[2], s = x[3];
  const uint64_t pq = p & q, qr = q & r, ps = p & s, rs = r & s, pqr = pq & r, prs = p & rs;
  y[0] = p ^ pq ^ s ^ ps ^ rs ^ prs ^ (q & rs);
  y[1] = r ^ qr ^ pqr ^ s ^ ps ^ (pq & s) ^ rs ^ (q & rs);
  y[2] = q ^ pq ^ r ^ qr ^ pqr ^ ps ^ (q & s) ^ rs ^ prs;
  y[3] = q ^ (p & r) ^ qr ^ ps ^ (pq & s) ^ prs;
}

// Product with a matrix over GF(2), given by its columns.
static inline void aes_linear_planes(uint64_t y[8], const uint8_t columns[8], const uint64_t x[8]) {
  for (int row = 0; row < 8; row++) {
    y[row] = 0;
    for (int bit = 0; bit < 8; bit++) y[row] ^= columns[bit] >> row & 1 ? x[bit] : 0;
  }
}

// FIPS 197, 5.1.1, in GF(2^8) = GF(2^4)[Y] / (Y^2 + Y + z^3): there (a Y + b) (a Y + a + b) is
// z^3 a^2 + a b + b^2.
static inline void aes_sbox_planes(uint64_t x[8]) {
  static const uint8_t enter[8] = {0x01, 0xc3, 0x67, 0x68, 0xd0, 0x46, 0xd3, 0x93};
  static const uint8_t leave[8] = {0x1f, 0x29, 0x82, 0x30, 0xf9, 0x80, 0x48, 0x40};
  uint64_t in[8], both[4], product[4], norm[4], inverse[4], out[8];
  aes_linear_planes(in, enter, x);
  const uint64_t *const b = in, *const a = in + 4;
  aes_times_planes(product, a, b);
  norm[0] = product[0] ^ a[1] ^ a[2] ^ a[3] ^ b[0] ^ b[2] ^ b[3];
  norm[1] = product[1] ^ a[1] ^ a[2] ^ b[3];
  norm[2] = product[2] ^ a[2] ^ a[3] ^ b[1] ^ b[3];
  norm[3] = product[3] ^ a[0] ^ a[1] ^ b[2] ^ b[3];
  aes_inverse_planes(inverse, norm);
  for (int i = 0; i < 4; i++) both[i] = a[i] ^ b[i];
  aes_times_planes(out + 4, a, inverse);
  aes_times_planes(out, both, inverse);
  aes_linear_planes(x, leave, out);
  for (int bit = 0; bit < 8; bit++) x[bit] ^= 0x63 >> bit & 1 ? UINT64_MAX : 0;
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

// A round of four states of 16 bytes.
static inline void aes_round_planes(uint64_t x[8]) {
  uint64_t rows[4][8];
  aes_sbox_planes(x);
  for (int bit = 0; bit < 8; bit++) {
    // ShiftRows (5.1.2), and the rows of each column turned.
    uint64_t shifted = 0;
    for (int r = 0; r < 4; r++) {
      shifted |= aes_turn_fields(x[bit], 16, 4 * r) & UINT64_C(0x1111111111111111) << r;
    }
    for (int r = 0; r < 4; r++) rows[r][bit] = aes_turn_fields(shifted, 4, r);
  }
  aes_mix_planes(x, rows);
}

#endif  // LYDITE_CORES_COMMON_HLS_AES_PLANES_H_
