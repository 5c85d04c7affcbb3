// SPDX-License-Identifier: Apache-2.0
//
// A round of AES (FIPS 197, 5.1) without a key by tables, of states that are four columns, row 0 in
// the lowest byte of each. leaks: by the tables' addresses.

#ifndef LYDITE_CORES_COMMON_SW_AES_TABLE_H_
#define LYDITE_CORES_COMMON_SW_AES_TABLE_H_

#include <stdint.h>

#include "aes_sbox.h"

// FIPS 197, 4.2, and what MixColumns (5.1.3) makes of a byte in each row.
#define AES_TWICE(a) ((a) << 1 ^ ((a) >> 7) * UINT32_C(0x11b))
#define AES_COLUMN(row0, row1, row2, row3)                                                   \
  ((uint32_t)(row0) | (uint32_t)(row1) << 8 | (uint32_t)(row2) << 16 | (uint32_t)(row3) << 24)
#define AES_ROW0(a) AES_COLUMN(AES_TWICE(a), a, a, AES_TWICE(a) ^ (a)),
#define AES_ROW1(a) AES_COLUMN(AES_TWICE(a) ^ (a), AES_TWICE(a), a, a),
#define AES_ROW2(a) AES_COLUMN(a, AES_TWICE(a) ^ (a), AES_TWICE(a), a),
#define AES_ROW3(a) AES_COLUMN(a, a, AES_TWICE(a) ^ (a), AES_TWICE(a)),

static const uint32_t aes_table[4][256] = {
    {AES_SBOX(AES_ROW0)}, {AES_SBOX(AES_ROW1)}, {AES_SBOX(AES_ROW2)}, {AES_SBOX(AES_ROW3)}};

static inline uint32_t aes_column(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return aes_table[0][a & 0xff] ^ aes_table[1][b >> 8 & 0xff] ^ aes_table[2][c >> 16 & 0xff] ^
         aes_table[3][d >> 24];
}

static inline void aes_round(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d) {
  const uint32_t new_a = aes_column(*a, *b, *c, *d), new_b = aes_column(*b, *c, *d, *a);
  const uint32_t new_c = aes_column(*c, *d, *a, *b), new_d = aes_column(*d, *a, *b, *c);
  *a = new_a;
  *b = new_b;
  *c = new_c;
  *d = new_d;
}

#endif  // LYDITE_CORES_COMMON_SW_AES_TABLE_H_
