// SPDX-License-Identifier: Apache-2.0
//
// Polynomials: products, sampling (FIPS 204, 7.3), high and low bits (7.4), strings of bytes (7.1).
// A state that is passed is scratch of the sponge.

#ifndef LYDITE_CORES_DILITHIUM_C_POLY_H_
#define LYDITE_CORES_DILITHIUM_C_POLY_H_

#include "ntt.h"
#include "params.h"
#include "shake.h"

// ---- Products of transformed polynomials (7.6), divided by 256 for the transform back, which
// multiplies by it: of a in (-9q, 9q) and b in (-9q, 9q), or, of vectors, in (-q, q); results in
// (-q, q). ----

static void poly_multiply(int32_t out[N], const int32_t a[N], const int32_t b[N]) {
#pragma HLS inline off
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
#pragma HLS dependence variable=out type=inter false
    out[i] = product(SCALE, product(a[i], b[i]));
  }
}

// The sum of the products of two vectors' polynomials.
static void poly_dot(int32_t out[N], int32_t a[L][N], int32_t b[L][N]) {
#pragma HLS inline off
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
    int64_t sum = 0;
    for (unsigned k = 0; k < L; k++) sum += (int64_t)a[k][i] * b[k][i];
    out[i] = product(SCALE, montgomery_reduce(sum));
  }
}

static void poly_clear(int32_t a[N]) {
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
    a[i] = 0;
  }
}

// ---- Sampling. ----

// A sponge that has absorbed a seed and a number of two bytes.
static void shake_numbered(uint64_t state[LANES], unsigned rate, const uint8_t *seed,
                           unsigned bytes, unsigned number) {
#pragma HLS inline off
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, rate, seed, bytes);
  at = shake_byte(state, at, rate, (uint8_t)number);
  at = shake_byte(state, at, rate, (uint8_t)(number >> 8));
  shake_end(state, at, rate);
}

// RejNTTPoly (algorithm 30) of the matrix' entry in a row and a column (ExpandA, algorithm 32):
// coefficients in [0, q). How long it takes depends on rho, which is public.
static void poly_uniform(int32_t a[N], uint64_t state[LANES], const uint8_t rho[32], unsigned row,
                         unsigned column) {
#pragma HLS inline off
  unsigned count = 0;
  shake_numbered(state, SHAKE128_RATE, rho, 32, column | row << 8);
  do {
    keccak_f1600(state);
    for (unsigned at = 0; at < SHAKE128_RATE; at += 3) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
#pragma HLS dependence variable=a type=inter false
      // CoeffFromThreeBytes (algorithm 14); the bytes may be of two lanes.
      const unsigned lane = at / 8, shift = 8 * (at % 8);
      const uint64_t low = state[lane] >> shift;
      const uint64_t high = shift > 40 ? state[lane + 1] << (64 - shift) : 0;
      const int32_t candidate = (int32_t)((low | high) & 0x7fffff);
      if (candidate < Q && count < N) a[count++] = candidate;
    }
  } while (count < N);
}

// RejBoundedPoly (algorithm 31): coefficients from -2 to 2. How long it takes tells which halves of
// bytes were 15, and nothing of the others.
static void poly_uniform_eta(int32_t a[N], uint64_t state[LANES], const uint8_t seed[64],
                             unsigned number) {
#pragma HLS inline off
  unsigned count = 0;
  shake_numbered(state, SHAKE256_RATE, seed, 64, number);
  do {
    keccak_f1600(state);
    for (unsigned at = 0; at < 2 * SHAKE256_RATE; at++) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
#pragma HLS dependence variable=a type=inter false
      // CoeffFromHalfByte (algorithm 15).
      const unsigned half = shake_at(state, at / 2) >> 4 * (at % 2) & 15;
      const unsigned fives = (half * 13) >> 6;  // half / 5
      if (half < 15 && count < N) a[count++] = ETA - (int32_t)(half - 5 * fives);
    }
  } while (count < N);
}

// A polynomial of ExpandMask (algorithm 34), and a copy of it: coefficients in (-gamma1, gamma1].
static void poly_uniform_gamma1(int32_t a[N], int32_t copy[N], uint64_t state[LANES],
                                const uint8_t seed[64], unsigned number) {
#pragma HLS inline off
  unsigned bits = 0, count = 0;
  uint64_t buffer = 0;
  shake_numbered(state, SHAKE256_RATE, seed, 64, number);
  do {
    keccak_f1600(state);
    for (unsigned at = 0; at < SHAKE256_RATE; at += 2) {
#pragma HLS pipeline
      // Two bytes, which are of one lane: a coefficient at most.
      buffer |= (state[at / 8] >> 8 * (at % 8) & 0xffff) << bits;
      bits += 16;
      if (bits >= Z_BITS) {
        if (count < N) {
          a[count] = copy[count] = GAMMA1 - (int32_t)(buffer & ((1u << Z_BITS) - 1));
          count++;
        }
        buffer >>= Z_BITS;
        bits -= Z_BITS;
      }
    }
  } while (count < N);
}

// SampleInBall (algorithm 29). Of the challenge everything becomes public, but in an attempt that
// is rejected: there indices and time depend on it, as on nothing else.
static void poly_challenge(int32_t c[N], uint64_t state[LANES], const uint8_t seed[C_BYTES]) {
#pragma HLS inline off
  shake_begin(state);
  shake_end(state, shake_absorb(state, 0, SHAKE256_RATE, seed, C_BYTES), SHAKE256_RATE);
  keccak_f1600(state);
  uint64_t signs = state[0];
  unsigned at = 8;
  poly_clear(c);
  for (unsigned i = N - TAU; i < N; i++) {
    unsigned j;
    do {
      if (at == SHAKE256_RATE) {
        keccak_f1600(state);
        at = 0;
      }
      j = shake_at(state, at++);
    } while (j > i);
    c[i] = c[j];  // leaks: j
    c[j] = 1 - 2 * (int32_t)(signs & 1);
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

// Decompose (algorithm 36) of r in [0, q).
static inline int32_t decompose(int32_t *low, int32_t r) {
  const int32_t high = (r + GAMMA2 - 1) / (2 * GAMMA2);
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

// ---- Strings of bytes. ----

// SimpleBitPack (algorithm 16), or, with a top that is not 0, BitPack (17): top - a of each
// coefficient, which must have so many bits.
static void bit_pack(uint8_t *out, const int32_t a[N], unsigned bits, int32_t top) {
#pragma HLS inline off
  uint32_t buffer = 0;
  unsigned have = 0, next = 0, bytes = 0;
  for (unsigned step = 0; step < N / 8 * (bits > 8 ? bits : 8); step++) {
#pragma HLS pipeline
    if (have < 8) {
      buffer |= (uint32_t)(top == 0 ? a[next] : top - a[next]) << have;
      have += bits;
      next++;
    }
    if (have >= 8) {
      out[bytes++] = (uint8_t)buffer;
      buffer >>= 8;
      have -= 8;
    }
  }
}

// w1Encode (algorithm 28) of one polynomial: the high bits of r in [0, q), four in three bytes.
static void pack_high(uint8_t *out, const int32_t r[N]) {
#pragma HLS inline off
  for (unsigned i = 0; i < N / 4; i++) {
#pragma HLS pipeline
    uint32_t word = 0;
    for (unsigned k = 0; k < 4; k++) {
      int32_t low;
      word |= (uint32_t)decompose(&low, r[4 * i + k]) << W1_BITS * k;
    }
    for (unsigned k = 0; k < 3; k++) out[3 * i + k] = (uint8_t)(word >> 8 * k);
  }
}

// SimpleBitUnpack (algorithm 18) and BitUnpack (19).
static void bit_unpack(int32_t a[N], const uint8_t *in, unsigned bits, int32_t top) {
#pragma HLS inline off
  uint32_t buffer = 0;
  unsigned have = 0, next = 0, bytes = 0;
  for (unsigned step = 0; step < N / 8 * (bits > 8 ? bits : 8); step++) {
#pragma HLS pipeline
    if (have < bits) {
      buffer |= (uint32_t)in[bytes++] << have;
      have += 8;
    }
    if (have >= bits) {
      const int32_t value = (int32_t)(buffer & ((1u << bits) - 1));
      a[next++] = top == 0 ? value : top - value;
      buffer >>= bits;
      have -= bits;
    }
  }
}

#endif  // LYDITE_CORES_DILITHIUM_C_POLY_H_
