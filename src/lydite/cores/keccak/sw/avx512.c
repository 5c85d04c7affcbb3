// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), one message, the state in five AVX-512 registers of five lanes.
//
// Pi is never carried out as a move between registers. Let layout k (k, x, y in GF(5)) be: register
// i holds, in position p, lane A[x, i + k * x], x = a * p for a scale a that is the same for all
// registers. Theta wants all lanes of a column in one position, which every layout grants. Pi sends
// A[x, y] to B[y, 2x + 3y]; for k != 0, the five lanes of a register have five different y, so they
// become the five different x of one register again: what was layout k is layout 2 / k + 3, the
// scale becomes k * a, register i becomes register -2i / k, and its positions are rotated by
// i / (k * a). Layouts run 3 -> 2 -> 4 -> 1 -> 0; layout 0 is the rows of the standard, whose pi
// would leave this scheme, so every fourth round starts with a change from layout 0 to 3, for which
// lanes keep their position (15 blends, off the critical path: theta's parities do not mind).
// Chi takes its operands x + 1 and x + 2 from two other registers, one and two steps on. With
// pi's rotation that makes three copies of each register, rotated differently; for three of the
// five registers, one of the copies is not rotated at all: 12 permutations a round, one deep.

#include <immintrin.h>

#include "keccak.h"

#define INLINE static inline __attribute__((always_inline))

typedef struct {
  __m512i row[5];
} keccak_state;

#define ROW_MASK 0x1f
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)

// Residues modulo 5 of non-negative numbers.
#define MOD5(n) ((n) % 5)
#define INVERSE(n) MOD5((n) * (n) * (n))

// FIPS 202, table 2, modulo 64: rho_offset[y][x].
static const unsigned char rho_offset[5][5] = {{0, 1, 62, 28, 27},
                                               {36, 44, 6, 55, 20},
                                               {3, 10, 43, 25, 39},
                                               {41, 45, 15, 21, 8},
                                               {18, 2, 61, 56, 14}};

// Position p takes what stands in position p + n.
INLINE __m512i rotate_positions(__m512i row, unsigned n) {
  if (n == 0) return row;
  const __m512i from =
      _mm512_set_epi64(7, 6, 5, MOD5(n + 4), MOD5(n + 3), MOD5(n + 2), MOD5(n + 1), MOD5(n));
  return _mm512_permutexvar_epi64(from, row);
}

// Rho for register i in layout k, scale a.
INLINE __m512i rho(__m512i row, unsigned i, unsigned k, unsigned a) {
#define OFFSET(p) rho_offset[MOD5(i + k * a * (p))][MOD5(a * (p))]
  const __m512i offsets =
      _mm512_set_epi64(0, 0, 0, OFFSET(4), OFFSET(3), OFFSET(2), OFFSET(1), OFFSET(0));
  return _mm512_rolv_epi64(row, offsets);
#undef OFFSET
}

// Layout 0 to layout 3: position p of register m takes from register m + 3 * a * p, in steps of 1,
// 2 and 4 registers.
INLINE void to_layout_3(__m512i r[5], unsigned a) {
  for (unsigned bit = 1; bit <= 4; bit *= 2) {
    unsigned mask = 0;
    for (unsigned p = 0; p < 5; p++) {
      if (MOD5(3 * a * p) & bit) mask |= 1U << p;
    }
    const __m512i old[5] = {r[0], r[1], r[2], r[3], r[4]};
    r[0] = _mm512_mask_mov_epi64(old[0], (__mmask8)mask, old[MOD5(bit)]);
    r[1] = _mm512_mask_mov_epi64(old[1], (__mmask8)mask, old[MOD5(1 + bit)]);
    r[2] = _mm512_mask_mov_epi64(old[2], (__mmask8)mask, old[MOD5(2 + bit)]);
    r[3] = _mm512_mask_mov_epi64(old[3], (__mmask8)mask, old[MOD5(3 + bit)]);
    r[4] = _mm512_mask_mov_epi64(old[4], (__mmask8)mask, old[MOD5(4 + bit)]);
  }
}

// One round that starts in layout k, scale a; the registers come in layout k, or in layout 0 for
// k = 3. They leave in layout 2 / k + 3, scale k * a.
INLINE void keccak_round(__m512i r[5], unsigned k, unsigned a, size_t round) {
  const __m512i parity = XOR3(XOR3(r[0], r[1], r[2]), r[3], r[4]);
  const __m512i left = rotate_positions(parity, MOD5(4 * INVERSE(a)));
  const __m512i right = rotate_positions(_mm512_rol_epi64(parity, 1), INVERSE(a));
  if (k == 3) to_layout_3(r, a);

  // Register i goes to register -2i / k; its copies for chi's operands x, x + 1 and x + 2.
  const unsigned step = INVERSE(MOD5(k * a));
  const unsigned next_k = MOD5(2 * INVERSE(k) + 3);
  const __m512i rc = _mm512_zextsi128_si512(_mm_loadl_epi64((const void *)&keccak_rc[round]));
  __m512i b0[5], b1[5], b2[5];
#define THETA_RHO_PI(i)                                        \
  do {                                                         \
    const __m512i row = rho(XOR3(r[i], left, right), i, k, a); \
    const unsigned to = MOD5(3 * (i) * INVERSE(k));            \
    b0[to] = rotate_positions(row, MOD5((5 - (i)) * step));    \
    b1[to] = rotate_positions(row, MOD5((6 - (i)) * step));    \
    b2[to] = rotate_positions(row, MOD5((7 - (i)) * step));    \
  } while (0)
  THETA_RHO_PI(0);
  THETA_RHO_PI(1);
  THETA_RHO_PI(2);
  THETA_RHO_PI(3);
  THETA_RHO_PI(4);
  b0[0] = _mm512_xor_si512(b0[0], rc);  // iota, early: it passes chi's first operand unchanged
#define ROW_CHI(i) r[i] = CHI(b0[i], b1[MOD5((i) + 4 * next_k)], b2[MOD5((i) + 3 * next_k)])
  ROW_CHI(0);
  ROW_CHI(1);
  ROW_CHI(2);
  ROW_CHI(3);
  ROW_CHI(4);
}

// Four rounds, from rows in scale a to rows in scale -a.
INLINE void keccak_4_rounds(__m512i r[5], unsigned a, size_t round) {
  keccak_round(r, 3, a, round);
  keccak_round(r, 2, MOD5(3 * a), round + 1);
  keccak_round(r, 4, a, round + 2);
  keccak_round(r, 1, MOD5(4 * a), round + 3);
}

INLINE void keccak_f1600(__m512i r[5]) {
  for (size_t round = 0; round < KECCAK_ROUNDS; round += 8) {
    keccak_4_rounds(r, 1, round);
    keccak_4_rounds(r, 4, round + 4);
  }
}

// The lanes of row y that are among the first `count` of the state; no byte beyond is touched.
INLINE __m512i load_row(const uint8_t *in, size_t y, size_t count) {
  if (count <= 5 * y) return _mm512_setzero_si512();
  const size_t lanes = count - 5 * y < 5 ? count - 5 * y : 5;
  return _mm512_maskz_loadu_epi64((__mmask8)((1U << lanes) - 1), in + 40 * y);
}

static void keccak_absorb(keccak_state *state, const uint8_t *in, size_t blocks) {
  __m512i r[5] = {state->row[0], state->row[1], state->row[2], state->row[3], state->row[4]};
  for (; blocks != 0; blocks--) {
    r[0] = _mm512_xor_si512(r[0], load_row(in, 0, RATE_LANES));
    r[1] = _mm512_xor_si512(r[1], load_row(in, 1, RATE_LANES));
    r[2] = _mm512_xor_si512(r[2], load_row(in, 2, RATE_LANES));
    r[3] = _mm512_xor_si512(r[3], load_row(in, 3, RATE_LANES));
    r[4] = _mm512_xor_si512(r[4], load_row(in, 4, RATE_LANES));
    in += RATE_BYTES;
    keccak_f1600(r);
  }
  for (size_t y = 0; y < 5; y++) state->row[y] = r[y];
}

static void keccak_permute_state(keccak_state *state, size_t count) {
  __m512i r[5] = {state->row[0], state->row[1], state->row[2], state->row[3], state->row[4]};
  for (; count != 0; count--) keccak_f1600(r);
  for (size_t y = 0; y < 5; y++) state->row[y] = r[y];
}

static void keccak_load(keccak_state *state, const uint8_t in[KECCAK_BYTES]) {
  for (size_t y = 0; y < 5; y++) state->row[y] = load_row(in, y, KECCAK_LANES);
}

static inline void keccak_store(uint8_t *out, const keccak_state *state, size_t bytes) {
  uint8_t all[KECCAK_BYTES];
  for (size_t y = 0; y < 5; y++) _mm512_mask_storeu_epi64(all + 40 * y, ROW_MASK, state->row[y]);
  memcpy(out, all, bytes);
}

#define KECCAK_IMPL "avx512"
#define KECCAK_CPU_FLAGS "avx512f"

#include "sponge_single.h"
