// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256 as "SIMD Is a Message Digest", tweaked version, 2009, writes it: the readable reference,
// with the transform as a sum. Not meant to be fast.

#include "simd.h"

#define MODULUS 257
#define ALPHA 139  // of order 128

// Points of the transform, from -128 to 128. Its inputs are the bytes, and a one in the last place,
// and in the final block in the last but two.
static void transform(int32_t y[SIMD_POINTS], const uint8_t x[SIMD_BLOCK_BYTES], int final) {
  int32_t powers[SIMD_POINTS] = {1};
  for (size_t i = 1; i < SIMD_POINTS; i++) powers[i] = powers[i - 1] * ALPHA % MODULUS;
  for (size_t i = 0; i < SIMD_POINTS; i++) {
    int32_t sum = powers[127 * i % SIMD_POINTS] + (final ? powers[125 * i % SIMD_POINTS] : 0);
    for (size_t j = 0; j < SIMD_BLOCK_BYTES; j++) sum += x[j] * powers[i * j % SIMD_POINTS];
    sum %= MODULUS;
    y[i] = sum <= 128 ? sum : sum - MODULUS;
  }
}

// The words of a step: pairs of points, of rounds 0 and 1 next to each other, of rounds 2 and 3
// half of all apart, times a factor.
static void words_of(uint32_t w[4], const int32_t y[SIMD_POINTS], size_t round, size_t step) {
  const size_t base = 8 * (size_t)simd_order[round][step] + (round == 3);
  const int32_t factor = round < 2 ? 185 : 233;
  for (size_t k = 0; k < 4; k++) {
    const int32_t low = y[base + 2 * k], high = y[base + 2 * k + (round < 2 ? 1 : 64)];
    w[k] = ((uint32_t)(factor * low) & 0xffff) | (uint32_t)(factor * high) << 16;
  }
}

static uint32_t left(uint32_t word, unsigned count) { return word << count | word >> (32 - count); }

// Step number n of all.
static void step(uint32_t s[4][4], const uint32_t w[4], size_t n) {
  const size_t round = n < 32 ? n / 8 : 3;
  const unsigned r = simd_rotations[round][n % 4], t = simd_rotations[round][(n + 1) % 4];
  uint32_t made[4], turned[4];
  for (size_t i = 0; i < 4; i++) turned[i] = left(s[0][i], r);
  for (size_t i = 0; i < 4; i++) {
    const uint32_t a = s[0][i], b = s[1][i], c = s[2][i];
    const uint32_t choice = (a & b) | (~a & c), majority = (a & b) | (a & c) | (b & c);
    const uint32_t sum = s[3][i] + w[i] + (n < 32 && n % 8 >= 4 ? majority : choice);
    made[i] = left(sum, t) + turned[i ^ (n % 3 + 1)];
  }
  memcpy(s[3], s[2], sizeof s[3]);
  memcpy(s[2], s[1], sizeof s[2]);
  memcpy(s[1], turned, sizeof s[1]);
  memcpy(s[0], made, sizeof s[0]);
}

static void compress(uint32_t state[16], const uint8_t block[SIMD_BLOCK_BYTES], int final) {
  int32_t y[SIMD_POINTS];
  uint32_t s[4][4];
  transform(y, block, final);
  for (size_t i = 0; i < 16; i++) s[i / 4][i % 4] = state[i] ^ load32_le(block + 4 * i);
  for (size_t n = 0; n < 4 * SIMD_STEPS; n++) {
    uint32_t w[4];
    words_of(w, y, n / SIMD_STEPS, n % SIMD_STEPS);
    step(s, w, n);
  }
  for (size_t n = 0; n < 4; n++) step(s, state + 4 * n, 4 * SIMD_STEPS + n);
  memcpy(state, s, sizeof s);
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
