// SPDX-License-Identifier: Apache-2.0
//
// What the kernels of DES (FIPS 46-3) share: permutations, the cipher function and blocks of
// streams. Bit 1 of the standard is the most significant, and byte 0 of a block the top one.

#pragma once

#include <lydite_stream.h>

#include "../sw/tables.h"

#ifndef KEYS
#define KEYS 1
#endif
#define PASSES (KEYS == 1 ? 1 : 3)

LYDITE_STREAM_USER(des_job_stream, uint64_t, 1)

// Bit i of the result, from the top, is bit table[i] of the input, which has `width` bits: wiring.
static inline uint64_t permute(uint64_t in, int width, const uint8_t *table, int count) {
  uint64_t out = 0;
  for (int i = 0; i < count; i++) {
#pragma HLS unroll
    out = out << 1 | (in >> (width - table[i]) & 1);
  }
  return out;
}

static inline uint32_t rotl28(uint32_t x, unsigned n) {
  return (x << n | x >> (28 - n)) & 0x0fffffff;
}

static inline uint32_t rotr28(uint32_t x, unsigned n) {
  return (x >> n | x << (28 - n)) & 0x0fffffff;
}

// FIPS 46-3, The Cipher Function f.
static inline uint32_t feistel(uint32_t right, uint64_t round_key) {
  const uint64_t mixed = permute(right, 32, des_e, 48) ^ round_key;
  uint32_t out = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS unroll
    const uint32_t six = (uint32_t)(mixed >> (42 - 6 * i)) & 63;
    const uint32_t index = (six & 32) | (six & 1) << 4 | (six >> 1 & 15);
    out = out << 4 | des_sboxes[i][index];  // leaks: key and text, as index
  }
  return (uint32_t)permute(out, 32, des_p, 32);
}

// Bytes of a word of a stream, the first one on top, or back.
static inline uint64_t turned(uint64_t word) {
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS unroll
    number = number << 8 | (word >> (8 * i) & 0xff);
  }
  return number;
}
