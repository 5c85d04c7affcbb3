// SPDX-License-Identifier: Apache-2.0
//
// A round of AES (FIPS 197, 5.1) without a key, for kernels that `lydite hls` compiles: its S-box
// is logic, not a table. A state is four columns, row 0 in the lowest byte of each.

#ifndef LYDITE_CORES_COMMON_HLS_AES_H_
#define LYDITE_CORES_COMMON_HLS_AES_H_

#include <stdint.h>

// GF(2^4) = GF(2)[z] / (z^4 + z^3 + 1)
static inline uint8_t aes_times(uint8_t x, uint8_t y) {
  uint8_t product = 0;
  for (int bit = 0; bit < 4; bit++) {
    if (y >> bit & 1) product ^= (uint8_t)(x << bit);
  }
  for (int bit = 6; bit > 3; bit--) {
    if (product >> bit & 1) product ^= (uint8_t)(0x19 << (bit - 4));
  }
  return product;
}

// The inverse, of 0 it is 0: a sum of products of the bits for each bit.
static inline uint8_t aes_inverse(uint8_t x) {
  const uint8_t p = x & 1, q = x >> 1 & 1, r = x >> 2 & 1, s = x >> 3 & 1;
  const uint8_t pq = p & q, qr = q & r, ps = p & s, rs = r & s, pqr = pq & r, prs = p & rs;
  const uint8_t bit0 = p ^ pq ^ s ^ ps ^ rs ^ prs ^ (q & rs);
  const uint8_t bit1 = r ^ qr ^ pqr ^ s ^ ps ^ (pq & s) ^ rs ^ (q & rs);
  const uint8_t bit2 = q ^ pq ^ r ^ qr ^ pqr ^ ps ^ (q & s) ^ rs ^ prs;
  const uint8_t bit3 = q ^ (p & r) ^ qr ^ ps ^ (pq & s) ^ prs;
  return (uint8_t)(bit0 | bit1 << 1 | bit2 << 2 | bit3 << 3);
}

// Sum of the columns of a matrix over GF(2) for which the value has a one.
static inline uint8_t aes_linear(const uint8_t columns[8], uint8_t value) {
  uint8_t sum = 0;
  for (int bit = 0; bit < 8; bit++) {
    if (value >> bit & 1) sum ^= columns[bit];
  }
  return sum;
}

// FIPS 197, 5.1.1, in GF(2^8) = GF(2^4)[Y] / (Y^2 + Y + z^3): there (a Y + b) (a Y + a + b) is
// z^3 a^2 + a b + b^2.
static inline uint8_t aes_sbox(uint8_t byte) {
  static const uint8_t enter[8] = {0x01, 0xc3, 0x67, 0x68, 0xd0, 0x46, 0xd3, 0x93};
  static const uint8_t leave[8] = {0x1f, 0x29, 0x82, 0x30, 0xf9, 0x80, 0x48, 0x40};
  const uint8_t value = aes_linear(enter, byte), a = value >> 4, b = value & 15;
  const uint8_t norm = aes_times(8, aes_times(a, a)) ^ aes_times(a, b) ^ aes_times(b, b);
  const uint8_t inverse = aes_inverse(norm);
  const uint8_t upper = aes_times(a, inverse), lower = aes_times(a ^ b, inverse);
  return aes_linear(leave, (uint8_t)(upper << 4 | lower)) ^ 0x63;
}

// FIPS 197, 4.2
static inline uint8_t aes_twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b); }

// MixColumns (5.1.3) of a column of bytes.
static inline uint32_t aes_mix(const uint8_t column[4]) {
  uint32_t mixed = 0;
  for (int row = 0; row < 4; row++) {
    const uint8_t next = column[(row + 1) % 4], after = column[(row + 2) % 4];
    const uint8_t byte = aes_twice(column[row] ^ next) ^ next ^ after ^ column[(row + 3) % 4];
    mixed |= (uint32_t)byte << 8 * row;
  }
  return mixed;
}

static inline void aes_round(uint32_t state[4]) {
  uint32_t mixed[4];
  for (int i = 0; i < 4; i++) {
    uint8_t column[4];
    for (int row = 0; row < 4; row++) {
      column[row] = aes_sbox((uint8_t)(state[(i + row) % 4] >> 8 * row));
    }
    mixed[i] = aes_mix(column);
  }
  for (int i = 0; i < 4; i++) state[i] = mixed[i];
}

#endif  // LYDITE_CORES_COMMON_HLS_AES_H_
