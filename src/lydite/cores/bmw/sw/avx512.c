// SPDX-License-Identifier: Apache-2.0
//
// BMW-256, one message, AVX-512 ("Blue Midnight Wish", 2009, as tweaked for round 2): word i of a
// pipe in lane i of a register, but for the half of the quadruple pipe whose words wait for each
// other. What these add that does not wait is summed up in lanes before.

#include <immintrin.h>

#include "bmw.h"

typedef uint32_t bmw_word;

#include "../compress.h"

#define ADD(a, b) _mm512_add_epi32(a, b)
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
// In lane i the word of lane i + count, round the end; or zeros from beyond it.
#define AROUND(x, count) _mm512_alignr_epi32(x, x, count)
#define AHEAD(x, count) _mm512_alignr_epi32(_mm512_setzero_si512(), x, count)
#define NEGATED(x, lanes) _mm512_mask_sub_epi32(x, lanes, _mm512_setzero_si512(), x)
#define LANES(...) _mm512_setr_epi32(__VA_ARGS__)
#define NONE 32  // a shift that leaves nothing

// A shift to the left and one to the right, one of them by NONE or both of nothing.
static inline __m512i shift(__m512i x, __m512i left, __m512i right) {
  return XOR(_mm512_sllv_epi32(x, left), _mm512_srlv_epi32(x, right));
}

// Table 1.3, s0 to s3 and s4, by the counts of each lane; s4 is x >> 1 ^ x ^ x ^ x.
typedef struct {
  __m512i right, left, turn, turn_more;
} counts;

static inline __m512i s(__m512i x, counts by) {
  const __m512i turned =
      XOR(_mm512_rolv_epi32(x, by.turn), _mm512_rolv_epi32(x, by.turn_more));
  return XOR3(turned, _mm512_sllv_epi32(x, by.left), _mm512_srlv_epi32(x, by.right));
}

// Of s0 to s3, from `first` on round the end.
static inline counts in_turn(int first) {
  static const int right[4] = {1, 1, 2, 2}, left[4] = {3, 2, 1, 2};
  static const int turn[4] = {4, 8, 12, 15}, turn_more[4] = {19, 23, 25, 29};
#define IN_TURN(of)                                                                     \
  _mm512_set4_epi32((of)[(first + 3) % 4], (of)[(first + 2) % 4], (of)[(first + 1) % 4], \
                    (of)[first % 4])
  return (counts){IN_TURN(right), IN_TURN(left), IN_TURN(turn), IN_TURN(turn_more)};
}

// The first half of the quadruple pipe (table 1.4): each word is a sum of those 5, 7, 10, 13 and 14
// on, with signs of its own, and goes through s0 to s4 in turn.
static inline __m512i f0(__m512i m, __m512i h) {
  const counts five = {LANES(1, 1, 2, 2, 1, 1, 1, 2, 2, 1, 1, 1, 2, 2, 1, 1),
                       LANES(3, 2, 1, 2, 0, 3, 2, 1, 2, 0, 3, 2, 1, 2, 0, 3),
                       LANES(4, 8, 12, 15, 0, 4, 8, 12, 15, 0, 4, 8, 12, 15, 0, 4),
                       LANES(19, 23, 25, 29, 0, 19, 23, 25, 29, 0, 19, 23, 25, 29, 0, 19)};
  const __m512i x = XOR(m, h);
  const __m512i low = ADD(NEGATED(AROUND(x, 5), 0x88c0), NEGATED(AROUND(x, 7), 0xcdbb));
  const __m512i high = ADD(NEGATED(AROUND(x, 13), 0x55e0), NEGATED(AROUND(x, 14), 0x438a));
  const __m512i sum = ADD(ADD(low, high), NEGATED(AROUND(x, 10), 0x9e54));
  return ADD(s(sum, five), AROUND(h, 1));
}

// What the rounds of f1 add of the block and the pipe (table 1.5).
static inline __m512i elements(__m512i m, __m512i h) {
  const __m512i turned =
      _mm512_rolv_epi32(m, LANES(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16));
  const __m512i rounds =
      LANES(16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31);
  const __m512i constants = _mm512_mullo_epi32(rounds, _mm512_set1_epi32(0x05555555));
  const __m512i sum = ADD(ADD(turned, constants), AROUND(turned, 3));
  return XOR(_mm512_sub_epi32(sum, AROUND(turned, 10)), AROUND(h, 7));
}

// What rounds 2 to 15 add of the first half: words an even number on as they are (of 14 on there
// is none), those an odd number on turned.
static inline __m512i expand2(__m512i q) {
  const __m512i two = ADD(q, AHEAD(q, 2)), four = ADD(two, AHEAD(two, 4));
  const __m512i even = ADD(four, AHEAD(four, 8));
#define TURNED(count, on) AHEAD(_mm512_rol_epi32(q, count), on)
  const __m512i near = ADD(ADD(TURNED(3, 1), TURNED(7, 3)), ADD(TURNED(13, 5), TURNED(16, 7)));
  const __m512i far = ADD(ADD(TURNED(19, 9), TURNED(23, 11)), TURNED(27, 13));
  return ADD(even, ADD(near, far));
}

// The other half, which waits: n gets it, and `sums` is what does not wait. A round adds of the
// words before, of each second one, itself or turned, and s4 and s5 of the last two.
static inline void f1(uint32_t n[BMW_WORDS], const uint32_t sums[BMW_WORDS], uint32_t first,
                      uint32_t second) {
  static const int by[7] = {27, 23, 19, 16, 13, 7, 3};
  uint32_t plain[2] = {0, 0};
  n[0] = first;
  n[1] = second + bmw_s(0, n[0]);
#pragma GCC unroll 14
  for (size_t j = 2; j < BMW_WORDS; j++) {
    if (j >= 4) plain[j % 2] += n[j - 4];
    uint32_t sum = sums[j] + plain[j % 2];
#pragma GCC unroll 7
    for (size_t i = 0; i < 7; i++) {
      if (j >= 2 * i + 3) sum += bmw_rotate(n[j - 2 * i - 3], by[i]);
    }
    n[j] = sum + bmw_s(4, n[j - 2]) + bmw_s(5, n[j - 1]);
  }
}

// The folding (table 1.5).
static inline __m512i f2(__m512i m, __m512i q, const uint32_t n[BMW_WORDS]) {
  uint32_t low = n[0], high = n[8];
  for (size_t i = 1; i < 8; i++) low ^= n[i];
  for (size_t i = 9; i < 16; i++) high ^= n[i];
  const __m512i xl = _mm512_set1_epi32((int)low), xh = _mm512_set1_epi32((int)(low ^ high));
  const __m512i w = _mm512_loadu_si512(n);
  const __m512i of_xh = shift(
      xh,
      LANES(5, NONE, NONE, NONE, NONE, 6, NONE, NONE, 0, 0, 0, 0, 0, 0, 0, 0),
      LANES(NONE, 7, 5, 1, 3, NONE, 4, 11, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE));
  const __m512i of_xl = shift(
      xl,
      LANES(0, 0, 0, 0, 0, 0, 0, 0, 8, NONE, 6, 4, NONE, NONE, NONE, NONE),
      LANES(NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, 6, NONE, NONE, 3, 4, 7, 2));
  const __m512i of_w = shift(
      w,
      LANES(NONE, 8, 5, 5, 0, NONE, 6, 2, 0, 0, 0, 0, 0, 0, 0, 0),
      LANES(5, NONE, NONE, NONE, NONE, 6, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE, NONE,
            NONE));
  const __m512i other = _mm512_permutexvar_epi32(
      LANES(8, 9, 10, 11, 12, 13, 14, 15, 7, 0, 1, 2, 3, 4, 5, 6), w);
  const __m512i sum = ADD(XOR3(of_xh, of_w, m), XOR3(of_xl, other, q));
  const __m512i halves = _mm512_maskz_permutexvar_epi32(
      0xff00, LANES(0, 0, 0, 0, 0, 0, 0, 0, 4, 5, 6, 7, 0, 1, 2, 3), sum);
  return ADD(sum, _mm512_rolv_epi32(
                      halves, LANES(0, 0, 0, 0, 0, 0, 0, 0, 9, 10, 11, 12, 13, 14, 15, 16)));
}

static inline __m512i compress(__m512i m, __m512i h) {
  const __m512i q = f0(m, h), added = elements(m, h);
  uint32_t sums[BMW_WORDS], n[BMW_WORDS];
  _mm512_storeu_si512(sums, ADD(added, expand2(q)));
  // Rounds 0 and 1, expand1: s1, s2, s3 and s0 in turn, then a word on.
  const uint32_t first = (uint32_t)_mm512_reduce_add_epi32(s(q, in_turn(1)));
  const uint32_t second = (uint32_t)_mm512_mask_reduce_add_epi32(0xfffe, s(q, in_turn(0)));
  uint32_t elements01[2];
  _mm_storel_epi64((void *)elements01, _mm512_castsi512_si128(added));
  f1(n, sums, first + elements01[0], second + elements01[1]);
  return f2(m, q, n);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  __m512i h = _mm512_loadu_si512(bmw_initial);
  for (size_t i = 0; i < in_bytes / BMW_BLOCK_BYTES; i++) {
    h = compress(_mm512_loadu_si512(in + i * BMW_BLOCK_BYTES), h);
  }
  uint8_t last[2 * BMW_BLOCK_BYTES];
  const size_t count = bmw_last_blocks(last, in, in_bytes);
  for (size_t i = 0; i < count; i++) {
    h = compress(_mm512_loadu_si512(last + i * BMW_BLOCK_BYTES), h);
  }
  h = compress(h, _mm512_loadu_si512(bmw_final));
  _mm256_storeu_si256((void *)out, _mm512_extracti64x4_epi64(h, 1));
}

#define HASH_DIGEST_BYTES BMW_DIGEST_BYTES
#define HASH_IMPL "avx512"
#define HASH_CPU_FLAGS "avx512f"

#include "../../common/sw/hash_single.h"
