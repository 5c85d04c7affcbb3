// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256, one message or four (LANES), with GFNI: in 128 bits of a register three columns, which
// turning the state moves to the register beside it; what Super-Mix gave has one of its own.

#include <immintrin.h>

#include "fugue.h"
#if LANES == 4
#include "../../common/sw/quarters.h"
#endif

#if LANES == 1

#define VECTOR __m128i
#define V(name) _mm_##name
#define XOR(a, b) _mm_xor_si128(a, b)
#define EVERYWHERE(quarter) (quarter)
#define MASK(lanes) (__mmask8)(lanes)

typedef uint32_t column;

#else

#define VECTOR __m512i
#define V(name) _mm512_##name
#define XOR(a, b) _mm512_xor_si512(a, b)
#define EVERYWHERE(quarter) _mm512_broadcast_i32x4(quarter)
#define MASK(lanes) (__mmask16)(0x1111 * (lanes))

typedef uint32_t column __attribute__((vector_size(4 * LANES)));

#endif

#define XOR3(a, b, c) V(ternarylogic_epi32)(a, b, c, 0x96)
// A lane of four everywhere.
#define LANE(a, i) V(shuffle_epi32)(a, (_MM_PERM_ENUM)(0x55 * (i)))

// The S-box of AES, four and seven times it: inversion, and these matrices of bits.
#define INVERT(a, matrix, sum) \
  V(gf2p8affineinv_epi64_epi8)(a, EVERYWHERE(_mm_set1_epi64x((long long)(matrix))), sum)
#define SBOX(a) INVERT(a, 0xf1e3c78f1f3e7cf8, 0x63)
#define SBOX4(a) INVERT(a, 0x7c84099f43771f3e, 0x97)
#define SBOX7(a) INVERT(a, 0x756e2d2f2b565dba, 0x32)

// A byte for each lane and row of a register.
#define ROWS(byte, lane) byte(lane, 0), byte(lane, 1), byte(lane, 2), byte(lane, 3)
#define BYTES(byte) \
  EVERYWHERE(_mm_setr_epi8(ROWS(byte, 0), ROWS(byte, 1), ROWS(byte, 2), ROWS(byte, 3)))
#define AT(lane, row) (4 * ((lane) % 4) + (row) % 4)

// Super-Mix gives columns 1, 2, 3, 0. Row i of column j is the sum of two: of what the matrix makes
// of rows i, i + 1, ... of column i + j; and of row i but for its diagonal, as often as the matrix
// says for j.
#define TURN0(lane, row) AT((row) + (lane) + 1, row)
#define TURN1(lane, row) AT((row) + (lane) + 1, (row) + 1)
#define TURN2(lane, row) AT((row) + (lane) + 1, (row) + 2)
#define TURN3(lane, row) AT((row) + (lane) + 1, (row) + 3)
#define BESIDE1(lane, row) AT((row) + 1, row)
#define BESIDE2(lane, row) AT((row) + 2, row)
#define BESIDE3(lane, row) AT((row) + 3, row)
#define TIMES(lane, row) ((lane) == 1 ? 7 : (lane) == 2 ? 4 : 1)
#define MOVE(a, byte) V(shuffle_epi8)(a, BYTES(byte))

static inline VECTOR super_mix(VECTOR x) {
  const VECTOR one = SBOX(x), four = SBOX4(x), seven = SBOX7(x);
  const VECTOR beside = XOR3(MOVE(one, BESIDE1), MOVE(one, BESIDE2), MOVE(one, BESIDE3));
  const VECTOR column = XOR(XOR3(MOVE(one, TURN0), MOVE(four, TURN1), MOVE(seven, TURN2)),
                            MOVE(one, TURN3));
  return XOR(column, V(gf2p8mul_epi8)(beside, BYTES(TIMES)));
}

// Four columns of each message from where they stand, and back.
static inline void smix(column *x0, column *x1, column *x2, column *x3) {
  const column x[4] = {*x0, *x1, *x2, *x3};
  uint32_t words[4][LANES], turned[LANES][4];
  memcpy(words, x, sizeof words);
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 4; i++) turned[m][i] = words[i][m];
  }
  VECTOR mixed;
  memcpy(&mixed, turned, sizeof mixed);
  mixed = super_mix(mixed);
  memcpy(turned, &mixed, sizeof mixed);
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 4; i++) words[(i + 1) % 4][m] = turned[m][i];
  }
  memcpy(x0, words[0], sizeof *x0);
  memcpy(x1, words[1], sizeof *x1);
  memcpy(x2, words[2], sizeof *x2);
  memcpy(x3, words[3], sizeof *x3);
}

#include "columns.h"

// Columns 3 i to 3 i + 2 in the three lower lanes of register i, 0 in the highest one; columns 1,
// 2, 3 and 0 in `mixed`, whatever stands in their places.
typedef struct {
  VECTOR s[10], mixed;
} registers;

#define R(i) r->s[(base + (i)) % 10]

// Behind a turn of the state, in which columns 4 to 6 and 3 are `mixed`. x: registers 0 and that,
// added up.
static inline __attribute__((always_inline)) void subround_of(registers *r, size_t base,
                                                              VECTOR mixed, VECTOR x) {
  r->mixed = super_mix(x);
  R(1) = V(maskz_shuffle_epi32)(MASK(7), mixed, (_MM_PERM_ENUM)_MM_SHUFFLE(0, 1, 0, 3));
  R(2) = V(mask_shuffle_epi32)(R(2), MASK(1), mixed, (_MM_PERM_ENUM)_MM_SHUFFLE(2, 2, 2, 2));
  R(5) = V(mask_xor_epi32)(R(5), MASK(7), R(5), mixed);
}

// TIX, and two subrounds; the word stands in every lane. Register 0 is s[base] before.
static inline __attribute__((always_inline)) void absorb_word(registers *r, size_t base,
                                                              VECTOR word) {
  R(3) = V(mask_xor_epi32)(R(3), MASK(2), R(3), LANE(r->mixed, 3));
  R(2) = V(mask_xor_epi32)(R(2), MASK(4), R(2), word);
  // Column 1 is in lane 0, as column 24 is; the word comes instead of column 0. The last operation
  // on what Super-Mix gave is one.
  const VECTOR added = V(maskz_mov_epi32)(MASK(1), R(8));
  const VECTOR mixed = V(mask_mov_epi32)(XOR(r->mixed, added), MASK(8), word);
  const VECTOR x = V(mask_mov_epi32)(XOR(R(9), added), MASK(8), word);
  subround_of(r, base + 9, mixed, V(mask_xor_epi32)(x, MASK(7), x, r->mixed));
  subround_of(r, base + 8, r->mixed, XOR(R(8), r->mixed));
}

// Sixteen bytes of each message.
static inline VECTOR load(const uint8_t *const in[LANES], size_t at) {
#if LANES == 1
  return _mm_loadu_si128((const void *)(in[0] + at));
#else
  return load_quarters(in[0] + at, in[1] + at, in[2] + at, in[3] + at);
#endif
}

static inline void to_registers(registers *r, const column s[FUGUE_COLUMNS]) {
  uint32_t words[FUGUE_COLUMNS][LANES], lanes[11][LANES][4] = {0};
  memcpy(words, s, sizeof words);
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < FUGUE_COLUMNS; i++) lanes[i / 3][m][i % 3] = words[i][m];
    for (size_t i = 0; i < 4; i++) lanes[10][m][i] = words[(i + 1) % 4][m];
  }
  memcpy(r, lanes, sizeof lanes);
}

static inline void from_registers(column s[FUGUE_COLUMNS], const registers *r) {
  uint32_t words[FUGUE_COLUMNS][LANES], lanes[11][LANES][4];
  memcpy(lanes, r, sizeof lanes);
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < FUGUE_COLUMNS; i++) words[i][m] = lanes[i / 3][m][i % 3];
    for (size_t i = 0; i < 4; i++) words[(i + 1) % 4][m] = lanes[10][m][i];
  }
  memcpy(s, words, sizeof words);
}

// Five words turn the state once.
static size_t absorb_all(column s[FUGUE_COLUMNS], const uint8_t *const in[LANES], size_t in_bytes) {
  registers r;
  size_t at = 0;
  to_registers(&r, s);
  for (; at + 20 <= in_bytes; at += 20) {
    const VECTOR words = load(in, at), last = load(in, at + 4);
    absorb_word(&r, 0, LANE(words, 0));
    absorb_word(&r, 8, LANE(words, 1));
    absorb_word(&r, 6, LANE(words, 2));
    absorb_word(&r, 4, LANE(words, 3));
    absorb_word(&r, 2, LANE(last, 3));
  }
  from_registers(s, &r);
  return at;
}

// A word of each message.
static inline column word_of(const uint8_t *const in[LANES], size_t at) {
  uint32_t words[LANES];
  for (size_t m = 0; m < LANES; m++) words[m] = load32_le(in[m] + at);
  column word;
  memcpy(&word, words, sizeof word);
  return word;
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  column s[FUGUE_COLUMNS] = {0}, digest[8];
  for (size_t i = 0; i < 8; i++) s[FUGUE_COLUMNS - 8 + i] += fugue_initial[i];
  size_t at = absorb_all(s, in, in_bytes), base = 0;
  for (; at + 4 <= in_bytes; at += 4, base += 24) absorb(s, base, word_of(in, at));
  uint8_t last[LANES][12];
  const uint8_t *ends[LANES];
  size_t words = 0;
  for (size_t m = 0; m < LANES; m++) {
    words = fugue_last_words(last[m], in[m], in_bytes);
    ends[m] = last[m];
  }
  for (size_t i = 0; i < words; i++, base += 24) absorb(s, base, word_of(ends, 4 * i));
  finish(digest, s, base);
  uint32_t digests[8][LANES];
  memcpy(digests, digest, sizeof digests);
  for (size_t m = 0; m < LANES; m++) {
    for (size_t i = 0; i < 8; i++) store32_le(out[m] + 4 * i, digests[i][m]);
  }
}

#define HASH_DIGEST_BYTES FUGUE_DIGEST_BYTES
#define HASH_IMPL (LANES == 1 ? "gfni" : "gfni-x4")
#define HASH_CPU_FLAGS "avx512bw avx512f avx512vl gfni"
#include "../../common/sw/hash_lanes.h"
