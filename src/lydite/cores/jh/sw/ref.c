// SPDX-License-Identifier: Apache-2.0
//
// JH-256 as its designer writes it ("The Hash Function JH"), an element of four bits at a time: the
// readable reference, not meant to be fast. The constants are made round by round.

#include "jh.h"

#define ELEMENTS 256

static const uint8_t sboxes[2][16] = {
    {9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14},
    {3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8},
};

// The constant of round 0: the fraction of the square root of 2.
static const uint8_t first_constant[ELEMENTS / 8] = {
    0x6a, 0x09, 0xe6, 0x67, 0xf3, 0xbc, 0xc9, 0x08, 0xb2, 0xfb, 0x13, 0x66, 0xea, 0x95, 0x7d, 0x3e,
    0x3a, 0xde, 0xc1, 0x75, 0x12, 0x77, 0x50, 0x99, 0xda, 0x2f, 0x59, 0x0b, 0x06, 0x67, 0x32, 0x2a,
};

// Bit i of a string; the first one is the highest of the first byte.
static unsigned bit(const uint8_t *bytes, size_t i) { return bytes[i / 8] >> (7 - i % 8) & 1; }

// Multiplication by 2 in GF(2^4); the polynomial is x^4 + x + 1.
static uint8_t twice(uint8_t a) { return (uint8_t)((a << 1 ^ (a >> 3) * 0x13) & 15); }

// Behind the S-boxes: the linear transformation L, and the permutation P_d.
static void mix(uint8_t q[], size_t elements) {
  uint8_t w[ELEMENTS];
  for (size_t i = 0; i < elements; i += 2) {
    const uint8_t d = q[i + 1] ^ twice(q[i]);
    w[i] = q[i] ^ twice(d);
    w[i + 1] = d;
  }
  for (size_t i = 0; i < elements; i += 4) {  // pi
    const uint8_t kept = w[i + 2];
    w[i + 2] = w[i + 3];
    w[i + 3] = kept;
  }
  for (size_t i = 0; i < elements / 2; i++) {  // P', and phi in the second half
    q[i] = w[2 * i];
    q[elements / 2 + (i ^ 1)] = w[2 * i + 1];
  }
}

static void group(uint8_t q[ELEMENTS], const uint8_t a[JH_STATE_BYTES]) {
  for (size_t i = 0; i < ELEMENTS; i++) {
    const size_t first = i / 2 + i % 2 * 128;
    q[i] = 0;
    for (size_t k = 0; k < 4; k++) q[i] = (uint8_t)((unsigned)q[i] << 1 | bit(a, first + 256 * k));
  }
}

static void ungroup(uint8_t a[JH_STATE_BYTES], const uint8_t q[ELEMENTS]) {
  memset(a, 0, JH_STATE_BYTES);
  for (size_t i = 0; i < ELEMENTS; i++) {
    for (size_t k = 0; k < 4; k++) {
      const size_t at = i / 2 + i % 2 * 128 + 256 * k;
      a[at / 8] |= (uint8_t)((q[i] >> (3 - k) & 1) << (7 - at % 8));
    }
  }
}

// E_8: 35 rounds, and a layer of S-boxes; or 42 rounds.
static void bijection(uint8_t a[JH_STATE_BYTES]) {
  uint8_t q[ELEMENTS], constant[ELEMENTS / 4];
  group(q, a);
  for (size_t i = 0; i < ELEMENTS / 4; i++) {
    constant[i] = first_constant[i / 2] >> (4 - i % 2 * 4) & 15;
  }
  for (size_t round = 0; round < JH_LAYERS; round++) {
    for (size_t i = 0; i < ELEMENTS; i++) {
      // leaks: an S-box is a table.
      q[i] = sboxes[constant[i / 4] >> (3 - i % 4) & 1][q[i]];
    }
    if (round != ROUNDS) mix(q, ELEMENTS);
    for (size_t i = 0; i < ELEMENTS / 4; i++) constant[i] = sboxes[0][constant[i]];
    mix(constant, ELEMENTS / 4);
  }
  ungroup(a, q);
}

// F_8
static void compress(uint64_t h[16], const uint8_t *in, size_t blocks) {
  uint8_t a[JH_STATE_BYTES];
  for (size_t i = 0; i < 16; i++) store64_le(a + 8 * i, h[i]);
  for (; blocks != 0; blocks--, in += JH_BLOCK_BYTES) {
    for (size_t i = 0; i < JH_BLOCK_BYTES; i++) a[i] ^= in[i];
    bijection(a);
    for (size_t i = 0; i < JH_BLOCK_BYTES; i++) a[JH_BLOCK_BYTES + i] ^= in[i];
  }
  for (size_t i = 0; i < 16; i++) h[i] = load64_le(a + 8 * i);
}

#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "single.h"
