// SPDX-License-Identifier: Apache-2.0
//
// Vectors of four polynomials: products, sampling (FIPS 204, 7.3), high and low bits (7.4), strings
// (7.1). A state that is passed is scratch of the sponge.

#ifndef LYDITE_CORES_DILITHIUM_C_POLY_H_
#define LYDITE_CORES_DILITHIUM_C_POLY_H_

#include "ntt.h"
#include "params.h"
#include "shake.h"

// ---- Products of transformed vectors (7.6): of a in (-9q, 9q) and b in (-9q, 9q), or, in sums, of
// a in (-q, q); results in (-q, q). ----

// The products of polynomials of the same number, over 2^32.
static void vector_multiply(int32_t out[N][L], int32_t a[N][L], int32_t b[N][L]) {
#pragma HLS inline off
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
    for (unsigned k = 0; k < L; k++) out[i][k] = product(a[i][k], b[i][k]);
  }
}

// The sum of these products, over 256 for the transform back: a polynomial of a vector.
static void vector_dot(int32_t out[N][L], unsigned row, int32_t a[N][L], int32_t b[N][L]) {
#pragma HLS inline off
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
    int64_t sum = 0;
    for (unsigned k = 0; k < L; k++) sum += (int64_t)a[i][k] * b[i][k];
    out[i][row] = product(SCALE, montgomery_reduce(sum));
  }
}

// ---- Sampling of one polynomial of a vector, that of a column, from blocks of output, whose
// next one is made beside the coefficients of the last. ----

// Coefficients in [0, q) from a block behind so many that are there; gives how many are now.
static unsigned reject_uniform(int32_t a[N][L], unsigned column, unsigned count,
                             const uint64_t block[SHAKE128_RATE]) {
#pragma HLS inline off
  uint64_t low = 0, mid = 0, high = 0;
  for (unsigned step = 0; step < 28; step++) {
#pragma HLS pipeline
#pragma HLS dependence variable=a type=inter false
    // Three words are eight candidates, two of which are taken at once.
    if (step % 4 == 0) {
      low = block[step / 4 * 3];
      mid = block[step / 4 * 3 + 1];
      high = block[step / 4 * 3 + 2];
    }
    for (unsigned n = 0; n < 2; n++) {
      // CoeffFromThreeBytes (algorithm 14)
      const int32_t candidate = (int32_t)(low >> 24 * n & 0x7fffff);
      if (candidate < Q && count < N) a[count++][column] = candidate;
    }
    low = low >> 48 | mid << 16;
    mid = mid >> 48 | high << 16;
    high >>= 48;
  }
  return count;
}

// RejNTTPoly (algorithm 30) of an entry of the matrix (ExpandA, algorithm 32): coefficients in
// [0, q). How long it takes depends on rho, which is public.
static void poly_uniform(int32_t a[N][L], unsigned column, uint64_t state[LANES],
                         const uint64_t rho[4], unsigned row) {
#pragma HLS inline off
  uint64_t block[SHAKE128_RATE];
#pragma HLS array_partition variable=block complete
  unsigned count = 0;
  shake_seeded(state, SHAKE128_RATE, rho, 4, column | row << 8);
  keccak_f1600(state);
  do {
    shake_block(block, SHAKE128_RATE, state);
    keccak_f1600(state);
    count = reject_uniform(a, column, count, block);
  } while (count < N);
}

// Coefficients from -2 to 2 from a block behind so many that are there; gives how many are now.
static unsigned reject_eta(int32_t a[N][L], unsigned column, unsigned count,
                         const uint64_t block[SHAKE256_RATE]) {
#pragma HLS inline off
  uint64_t word = 0;
  for (unsigned step = 0; step < 8 * SHAKE256_RATE && count < N; step++) {
#pragma HLS pipeline
#pragma HLS dependence variable=a type=inter false
    if (step % 8 == 0) word = block[step / 8];
    for (unsigned n = 0; n < 2; n++) {
      // CoeffFromHalfByte (algorithm 15)
      const unsigned half = (unsigned)(word >> 4 * n & 15);
      const unsigned fives = (half * 13) >> 6;  // half / 5
      if (half < 15 && count < N) a[count++][column] = ETA - (int32_t)(half - 5 * fives);
    }
    word >>= 8;
  }
  return count;
}

// RejBoundedPoly (algorithm 31): coefficients from -2 to 2. How long it takes tells how many halves
// of bytes were 15, and nothing of the others.
static void poly_uniform_eta(int32_t a[N][L], unsigned column, uint64_t state[LANES],
                             const uint64_t seed[8], unsigned number) {
#pragma HLS inline off
  uint64_t block[SHAKE256_RATE];
#pragma HLS array_partition variable=block complete
  unsigned count = 0;
  shake_seeded(state, SHAKE256_RATE, seed, 8, number);
  keccak_f1600(state);
  do {
    shake_block(block, SHAKE256_RATE, state);
    keccak_f1600(state);
    count = reject_eta(a, column, count, block);
  } while (count < N);
}

// The string of which a polynomial of ExpandMask (algorithm 34) is unpacked.
static void expand_mask(uint64_t out[POLY_WORDS(Z_BITS)], uint64_t state[LANES],
                        const uint64_t seed[8], unsigned number) {
#pragma HLS inline off
  shake_seeded(state, SHAKE256_RATE, seed, 8, number);
  for (unsigned done = 0; done < POLY_WORDS(Z_BITS); done += SHAKE256_RATE) {
    keccak_f1600(state);
    shake_squeeze(out + done, least(POLY_WORDS(Z_BITS) - done, SHAKE256_RATE), state);
  }
}

// SampleInBall (algorithm 29), times a number, as each polynomial of a vector. Of the challenge
// everything becomes public, but in an attempt that is rejected: there indices and time depend on
// it, as on nothing else.
static void vector_challenge(int32_t c[N][L], uint64_t state[LANES],
                             const uint64_t seed[WORDS(C_BYTES)], int32_t one) {
#pragma HLS inline off
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
    for (unsigned k = 0; k < L; k++) c[i][k] = 0;
  }
  shake_begin(state);
  shake_end(state, shake_absorb(state, 0, seed, WORDS(C_BYTES)));
  uint64_t signs = state[0], word = state[1];
  uint8_t at = 8;
  for (unsigned i = N - TAU; i < N; i++) {
    unsigned j;
    do {
      if (at == 8 * SHAKE256_RATE) {
        keccak_f1600(state);
        at = 0;
      }
      if (at % 8 == 0) word = state[at / 8];
      j = (unsigned)(word & 255);
      word >>= 8;
      at++;
    } while (j > i);
    for (unsigned k = 0; k < L; k++) {
      c[i][k] = c[j][k];  // leaks: j
      c[j][k] = signs & 1 ? -one : one;
    }
    signs >>= 1;
  }
}

// ---- High and low bits. ----

// Power2Round (algorithm 35) of r in [0, q).
static inline int32_t power2round(int32_t *low, int32_t r) {
  const int32_t high = (r + (1 << (D - 1)) - 1) >> D;
  *low = r - (high << D);
  return high;
}

// Decompose (algorithm 36) of r in [0, q); 2 gamma2 is 93 * 2^11.
static inline int32_t decompose(int32_t *low, int32_t r) {
  const int32_t high = (int32_t)(((uint32_t)(r + GAMMA2 - 1) >> 11 & 0x1fff) / 93);
  const int32_t wraps = -(int32_t)(high == (Q - 1) / (2 * GAMMA2));
  *low = r - high * (2 * GAMMA2) + wraps;
  return high & ~wraps;
}

// UseHint (algorithm 40) of r in [0, q).
static inline int32_t use_hint(unsigned hint, int32_t r) {
  int32_t low;
  const int32_t high = decompose(&low, r);
  if (hint == 0) return high;
  if (low > 0) return high == 43 ? 0 : high + 1;
  return high == 0 ? 43 : high - 1;
}

// ---- Strings of words: polynomials one behind the other. ----

// Puts bits, at most 36, behind those that a word has; one that is full goes into the string. Gives
// the rest.
static inline uint64_t append(uint64_t *out, uint64_t word, unsigned have, uint64_t value,
                              unsigned bits) {
  const uint64_t more = word | value << have;
  if (have + bits < 64) return more;
  *out = more;
  return have == 0 ? 0 : value >> (64 - have);
}

// SimpleBitPack (algorithm 16), or, with a top that is not 0, BitPack (17): top - a of each
// coefficient, which must have so many bits, at most 18. Two polynomials are packed at once.
static void bit_pack(uint64_t *out, int32_t a[N][L], unsigned bits, int32_t top) {
#pragma HLS inline off
  for (unsigned pair = 0; pair < L / 2; pair++) {
    uint64_t rest[2] = {0};
    unsigned have = 0, next = POLY_WORDS(bits) * 2 * pair;
    for (unsigned i = 0; i < N; i += 2) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
      for (unsigned k = 0; k < 2; k++) {
        const int32_t first = a[i][2 * pair + k], second = a[i + 1][2 * pair + k];
        const uint32_t low = (uint32_t)(top == 0 ? first : top - first);
        const uint32_t high = (uint32_t)(top == 0 ? second : top - second);
        const uint64_t both = low | (uint64_t)high << bits;
        rest[k] = append(out + POLY_WORDS(bits) * k + next, rest[k], have, both, 2 * bits);
      }
      next += (have + 2 * bits) / 64;
      have = (have + 2 * bits) % 64;
    }
  }
}

// w1Encode (algorithm 28) of the high bits of r in [0, q).
static void pack_high(uint64_t *out, int32_t r[N][L]) {
#pragma HLS inline off
  for (unsigned pair = 0; pair < L / 2; pair++) {
    uint64_t rest[2] = {0};
    unsigned have = 0, next = POLY_WORDS(W1_BITS) * 2 * pair;
    for (unsigned i = 0; i < N; i += 2) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
      for (unsigned k = 0; k < 2; k++) {
        int32_t low;
        const uint32_t first = (uint32_t)decompose(&low, r[i][2 * pair + k]);
        const uint32_t second = (uint32_t)decompose(&low, r[i + 1][2 * pair + k]);
        const uint32_t both = first | second << W1_BITS;
        rest[k] = append(out + POLY_WORDS(W1_BITS) * k + next, rest[k], have, both, 2 * W1_BITS);
      }
      next += (have + 2 * W1_BITS) / 64;
      have = (have + 2 * W1_BITS) % 64;
    }
  }
}

// SimpleBitUnpack (algorithm 18) and BitUnpack (19).
static void bit_unpack(int32_t a[N][L], const uint64_t *in, unsigned bits, int32_t top) {
#pragma HLS inline off
  const uint32_t mask = (1u << bits) - 1;
  for (unsigned pair = 0; pair < L / 2; pair++) {
    uint64_t rest[2] = {0};
    unsigned have = 0, next = POLY_WORDS(bits) * 2 * pair;
    for (unsigned i = 0; i < N; i += 2) {
#pragma HLS pipeline
      const bool fetch = have < 2 * bits;
      for (unsigned k = 0; k < 2; k++) {
        const uint64_t word = fetch ? in[POLY_WORDS(bits) * k + next] : 0;
        const uint64_t both = rest[k] | word << have;
        const int32_t first = (int32_t)(both & mask), second = (int32_t)(both >> bits & mask);
        rest[k] = fetch ? word >> (2 * bits - have) : rest[k] >> 2 * bits;
        a[i][2 * pair + k] = top == 0 ? first : top - first;
        a[i + 1][2 * pair + k] = top == 0 ? second : top - second;
      }
      next += fetch;
      have = fetch ? have + 64 - 2 * bits : have - 2 * bits;
    }
  }
}

#endif  // LYDITE_CORES_DILITHIUM_C_POLY_H_
