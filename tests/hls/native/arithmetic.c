// SPDX-License-Identifier: Apache-2.0
// Every operation, on widths from 8 to 128 bits; test_against_native.py compares.
#include <stdint.h>
#include <stdlib.h>
typedef unsigned __int128 u128;

static int32_t reduce(int64_t a) {
  int32_t t = (int32_t)((int64_t)(int32_t)a * 58728449);
  return (int32_t)((a - (int64_t)t * 8380417) >> 32);
}

uint64_t f(uint64_t a, uint64_t b, int32_t c, int32_t d, uint8_t sh, uint64_t out[16], int8_t e,
           _BitInt(13) q) {
  u128 p = (u128)a * b;
  int fits = d && d != -1;
  out[0] = p >> 64;
  out[1] = (uint64_t)p;
  out[2] = (int64_t)c * d;
  out[3] = fits ? c / d : 7;
  out[4] = fits ? c % d : 9;
  out[5] = b ? a / b : 1;
  out[6] = b ? a % b : 2;
  out[7] = a / 10;
  out[8] = (uint32_t)a % 1000;
  out[9] = c / 7;
  out[10] = (int64_t)c >> (sh & 31);
  out[11] = a << (sh & 63);
  out[12] = reduce((int64_t)a);
  out[13] = __builtin_popcountll(a) + (b ? __builtin_clzll(b) * 256 : 0) +
            (a ? __builtin_ctzll(a) * 65536 : 0);
  out[14] = abs(c) + e * q;
  out[15] = (uint16_t)(a % 17) + (c % 3);
  return (a >> (sh & 63)) | (a << (-sh & 63)) ^ __builtin_bswap64(b) ^ (uint64_t)(q * 3);
}
