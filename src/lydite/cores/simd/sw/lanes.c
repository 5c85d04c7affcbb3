// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256, a message in each lane of AVX-512 with VNNI, or of AVX2.
//
// Point i + 16 m of the transform is the sum over c of 4^(c m) times
//   p_c = the sum over k of x_(c + 8 k) alpha^(i (c + 8 k)),
// for which there are instructions that multiply several inputs in a lane and add the products. A
// transform of eight points follows, whose factors are shifts, and only then all is made less than
// 257. Points are times 86 until then, which is 1/3: so no factor is 128 or -128, and each fits in
// a byte.

#include "../../common/sw/lanes32.h"
#include "rounds.h"

// The lower and the upper half of each lane.
typedef uint16_t halves __attribute__((vector_size(4 * LANES)));

#if LANES == 16
#include "lanes_vnni.h"
#else
#include "lanes_avx2.h"
#endif

#define ALPHA 139              // of order 128
#define THIRD 86               // modulo 257
#define POSITIVE (257U << 22)  // makes any point positive, and is 0 modulo 257
#define INPUTS (4 / sizeof(factor))

// Of each i and c: factors of the inputs in a lane, as a word; and what p_c begins with, before the
// final block and in it: p_0 with POSITIVE, p_5 and p_7 with the ones behind the block.
static uint32_t factors[16][8][GROUPS], beginnings[2][16][8];

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_tables(void) {
  int powers[SIMD_POINTS];
  for (int i = 0, power = THIRD; i < SIMD_POINTS; i++) {
    powers[i] = power > 128 ? power - 257 : power;
    power = power * ALPHA % 257;
  }
  for (size_t i = 0; i < 16; i++) {
    for (size_t j = 0; j < 64; j++) {
      const size_t c = j % 8, k = j / 8;
      const factor one = (factor)powers[i * j % SIMD_POINTS];
      memcpy((uint8_t *)&factors[i][c][k / INPUTS] + k % INPUTS * sizeof one, &one, sizeof one);
    }
    for (size_t final = 0; final < 2; final++) {
      beginnings[final][i][0] = POSITIVE;
      beginnings[final][i][7] = (uint32_t)powers[127 * i % SIMD_POINTS];
    }
    beginnings[1][i][5] = (uint32_t)powers[125 * i % SIMD_POINTS];
  }
}

// Points i + 32 n and i + 32 n + 16, from -128 to 128, packed in y[n].
static inline __attribute__((always_inline)) void points(halves y[4], lanes32 x[8][GROUPS],
                                                         size_t i, int final) {
  lanes32 p[8];
#pragma GCC unroll 8
  for (size_t c = 0; c < 8; c++) {
    p[c] = lanes32_all(c == 0 || c == 5 || c == 7 ? beginnings[final][i][c] : 0);
#pragma GCC unroll 4
    for (size_t g = 0; g < GROUPS; g++) {
      p[c] = add_products(p[c], x[c][g], lanes32_all(factors[i][c][g]));
    }
  }
  const lanes32 a0 = p[0] + p[4], a1 = p[0] - p[4], a2 = p[2] + p[6], a3 = (p[2] - p[6]) << 4;
  const lanes32 b0 = p[1] + p[5], b1 = p[1] - p[5], b2 = p[3] + p[7], b3 = (p[3] - p[7]) << 4;
  const lanes32 even[4] = {a0 + a2, a1 + a3, a0 - a2, a1 - a3};
  const lanes32 odd[4] = {b0 + b2, (b1 + b3) << 2, (b0 - b2) << 4, (b1 - b3) << 6};
  // Modulo 257 the alternating sum of bytes, as 256 is -1; 129 and a multiple of 257 more, which
  // makes it positive.
  const lanes32 added = lanes32_all(129 + 6 * 257);
  lanes32 z[8];
#pragma GCC unroll 4
  for (size_t m = 0; m < 4; m++) {
    z[m] = alternating_sum(added, even[m] + odd[m]);
    z[m + 4] = alternating_sum(added, even[m] - odd[m]);
  }
#pragma GCC unroll 4
  for (size_t n = 0; n < 4; n++) {
    const halves u = pack(z[2 * n], z[2 * n + 1]);
    y[n] = u - high_product(u, 255) * 257 - 129;  // The product is (u - 1) / 257, rounded down.
  }
}

// What the steps take in: of rounds 0 and 1 pairs of neighbours, of rounds 2 and 3 pairs of points
// that are half of all apart, the even ones and the odd ones.
typedef struct {
  lanes32 neighbours[64], even[32], odd[32];
} pairs;

static void expand(pairs *w, const lanes32 m[16], int final) {
  lanes32 x[8][GROUPS];
  to_classes(x, m);
  for (size_t k = 0; k < 8; k++) {
    halves even[4], odd[4];
    points(even, x, 2 * k, final);
    points(odd, x, 2 * k + 1, final);
#pragma GCC unroll 4
    for (size_t n = 0; n < 4; n++) {
      lanes32 *const to = w->neighbours + k + 16 * n;
      unpack(to, to + 8, even[n] * 185, odd[n] * 185);
    }
#pragma GCC unroll 2
    for (size_t n = 0; n < 2; n++) {
      lanes32 *const to_even = w->even + k + 16 * n, *const to_odd = w->odd + k + 16 * n;
      unpack(to_even, to_even + 8, even[n] * 233, even[n + 2] * 233);
      unpack(to_odd, to_odd + 8, odd[n] * 233, odd[n + 2] * 233);
    }
  }
}

// The four words of a step.
static inline const lanes32 *words_of(const pairs *w, size_t round, size_t step) {
  const lanes32 *const words = round < 2 ? w->neighbours : round == 2 ? w->even : w->odd;
  return words + 4 * simd_order[round][step];
}

typedef lanes32 function_of_three(lanes32 a, lanes32 b, lanes32 c);

// As plain.c's.
static inline __attribute__((always_inline)) void step(function_of_three *function, lanes32 a[4],
                                                       const lanes32 b[4], const lanes32 c[4],
                                                       lanes32 d[4], const lanes32 w[4],
                                                       unsigned r, unsigned t, size_t other) {
  lanes32 turned[4];
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) turned[i] = lanes32_rotate(a[i], r);
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) {
    const lanes32 sum = d[i] + w[i] + function(a[i], b[i], c[i]);
    d[i] = lanes32_rotate(sum, t) + turned[i ^ other];
  }
#pragma GCC unroll 4
  for (size_t i = 0; i < 4; i++) a[i] = turned[i];
}

#define STEP step
#define CHOOSE choose
#define MAJORITY majority

// Works on a block of each message, which may be the final one.
static void compress(lanes32 h[16], const uint8_t *const in[LANES], size_t at, int final) {
  lanes32 m[16], a[4], b[4], c[4], d[4];
  pairs expanded;
  const pairs *const w = &expanded;
  for (size_t i = 0; i < 16; i += 4) lanes32_load(m + i, in, at + 4 * i);
  expand(&expanded, m, final);
  for (size_t i = 0; i < 4; i++) {
    a[i] = h[i] ^ m[i];
    b[i] = h[4 + i] ^ m[4 + i];
    c[i] = h[8 + i] ^ m[8 + i];
    d[i] = h[12 + i] ^ m[12 + i];
  }
  ROUNDS(h, h + 4, h + 8, h + 12);
  for (size_t i = 0; i < 4; i++) {
    h[i] = a[i];
    h[4 + i] = b[i];
    h[8 + i] = c[i];
    h[12 + i] = d[i];
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes32 h[16];
  for (size_t i = 0; i < 16; i++) h[i] = lanes32_all(simd_initial[i]);
  for (size_t i = 0; i < in_bytes / SIMD_BLOCK_BYTES; i++) compress(h, in, i * SIMD_BLOCK_BYTES, 0);
  uint8_t last[LANES][2 * SIMD_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t count = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    count = simd_last_blocks(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  if (count == 2) compress(h, blocks, 0, 0);
  compress(h, blocks, (count - 1) * SIMD_BLOCK_BYTES, 1);
  lanes32_store(out, h, SIMD_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES SIMD_DIGEST_BYTES
#include "../../common/sw/hash_lanes.h"
