// SPDX-License-Identifier: Apache-2.0
//
// Sampling of four polynomials at once (FIPS 204, 7.3), and strings of bytes (7.1), with AVX2 and
// BMI2.

#ifndef LYDITE_CORES_DILITHIUM_SW_AVX2_POLY_H_
#define LYDITE_CORES_DILITHIUM_SW_AVX2_POLY_H_

#include <immintrin.h>

#include "../c/params.h"
#include "avx2_ntt.h"
#include "avx2_shake.h"

// ---- Sampling. ----

#define BYTES_OF_ONE UINT64_C(0x0101010101010101)

// Eight candidates (algorithm 14) out of each 24 bytes of a block of SHAKE128, those below q behind
// each other; gives how many there are then. Up to eight more are written.
static unsigned take_uniform(int32_t *out, unsigned count, const uint8_t block[SHAKE128_BYTES]) {
  const __m256i places =
      _mm256_setr_epi8(0, 1, 2, -1, 3, 4, 5, -1, 6, 7, 8, -1, 9, 10, 11, -1,  //
                       4, 5, 6, -1, 7, 8, 9, -1, 10, 11, 12, -1, 13, 14, 15, -1);
  for (unsigned at = 0; at < SHAKE128_BYTES; at += 24) {
    const __m256i bytes = _mm256_loadu_si256((const void *)(block + at));
    const __m256i words = _mm256_shuffle_epi8(_mm256_permute4x64_epi64(bytes, 0x94), places);
    __m256i found = _mm256_and_si256(words, _mm256_set1_epi32(0x7fffff));
    const __m256i below = _mm256_cmpgt_epi32(_mm256_set1_epi32(Q), found);
    const unsigned right = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(below));
    if (right != 0xff) {  // one in 128
      const uint64_t kept = _pdep_u64(right, BYTES_OF_ONE) * 0xff;
      const uint64_t lanes = _pext_u64(UINT64_C(0x0706050403020100), kept);
      const __m128i order = _mm_cvtsi64_si128((long long)lanes);
      found = _mm256_permutevar8x32_epi32(found, _mm256_cvtepu8_epi32(order));
    }
    _mm256_storeu_si256((void *)(out + count), found);
    count += (unsigned)_mm_popcnt_u32(right);
  }
  return count;
}

// A row of the matrix (ExpandA, algorithm 32; algorithm 30), in the order of avx2_ntt.h.
static void expand_row_x4(int32_t a[L][N], const uint8_t rho[32], unsigned row) {
  enum { SPACE = BLOCK_SPACE(SHAKE128_BYTES) };
  const unsigned number[4] = {row << 8, row << 8 | 1, row << 8 | 2, row << 8 | 3};
  _Alignas(32) int32_t found[4][N + SHAKE128_BYTES / 3 + 8];
  uint8_t block[4][SPACE];
  unsigned count[4] = {0}, done;
  shake_x4 state;
  shake_begin_x4(&state, SHAKE128_BYTES, rho, 32, number);
  do {
    shake_block_x4(block[0], SPACE, &state, SHAKE128_BYTES);
    done = 0;
    for (unsigned k = 0; k < 4; k++) {
      if (count[k] < N) count[k] = take_uniform(found[k], count[k], block[k]);
      done += count[k] >= N;
    }
  } while (done < 4);
  for (unsigned k = 0; k < 4; k++) order_x8(a[k], found[k]);
}

// Halves of the bytes of a block of SHAKE256 that are not 15, a byte each, behind each other; gives
// how many there are then. Up to eight more are written.
static unsigned take_halves(uint8_t *out, unsigned count, const uint8_t block[SHAKE256_BYTES]) {
  for (unsigned at = 0; at < SHAKE256_BYTES; at += 4) {
    const uint64_t halves = _pdep_u64(load32_le(block + at), 15 * BYTES_OF_ONE);
    const uint64_t wrong = (halves + BYTES_OF_ONE) >> 4 & BYTES_OF_ONE;
    store64_le(out + count, _pext_u64(halves, (BYTES_OF_ONE - wrong) * 0xff));
    count += 8 - (unsigned)_mm_popcnt_u64(wrong);
  }
  return count;
}

// Four polynomials of algorithm 31, of numbers that follow each other: coefficients from -2 to 2.
// How long it takes tells which halves of bytes were 15, and nothing of the others.
static void uniform_eta_x4(int32_t a[4][N], const uint8_t seed[64], unsigned first) {
  enum { SPACE = BLOCK_SPACE(SHAKE256_BYTES) };
  const unsigned number[4] = {first, first + 1, first + 2, first + 3};
  // 2 - half mod 5 (algorithm 15)
  const __m128i values = _mm_setr_epi8(2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 2, 1, 0, -1, -2, 0);
  uint8_t halves[4][N + 2 * SHAKE256_BYTES + 8], block[4][SPACE];
  unsigned count[4] = {0}, done;
  shake_x4 state;
  shake_begin_x4(&state, SHAKE256_BYTES, seed, 64, number);
  do {
    shake_block_x4(block[0], SPACE, &state, SHAKE256_BYTES);
    done = 0;
    for (unsigned k = 0; k < 4; k++) {
      if (count[k] < N) count[k] = take_halves(halves[k], count[k], block[k]);
      done += count[k] >= N;
    }
  } while (done < 4);
  for (unsigned k = 0; k < 4; k++) {
    for (unsigned i = 0; i < N; i += 8) {
      const __m128i eight = _mm_loadl_epi64((const void *)(halves[k] + i));
      store_x8(a[k] + i, _mm256_cvtepi8_epi32(_mm_shuffle_epi8(values, eight)));
    }
  }
}

// ---- Strings of bytes. `bits` is a constant where these are inlined. ----

// SimpleBitUnpack (algorithm 18) and, with a top that is not 0, BitUnpack (19). Up to 16 bytes
// behind the polynomial's are read.
ALWAYS_INLINE void unpack_x8(int32_t a[N], const uint8_t *in, const int bits, int32_t top) {
  // Coefficient i of eight begins in byte bits i / 8; those from the fifth on are in a half of
  // their own.
#define PLACE(i) ((bits * (i) / 8 - bits * ((i) & 4) / 8) * 0x01010101 + 0x03020100)
#define SHIFT(i) (bits * (i) % 8)
  const __m256i places = _mm256_setr_epi32(PLACE(0), PLACE(1), PLACE(2), PLACE(3), PLACE(4),
                                           PLACE(5), PLACE(6), PLACE(7));
  const __m256i shifts = _mm256_setr_epi32(SHIFT(0), SHIFT(1), SHIFT(2), SHIFT(3), SHIFT(4),
                                           SHIFT(5), SHIFT(6), SHIFT(7));
#undef PLACE
#undef SHIFT
  const __m256i mask = _mm256_set1_epi32((1 << bits) - 1), tops = _mm256_set1_epi32(top);
  for (unsigned i = 0; i < N; i += 8) {
    const __m128i low = _mm_loadu_si128((const void *)in);
    const __m128i high = _mm_loadu_si128((const void *)(in + bits / 2));
    const __m256i both = _mm256_inserti128_si256(_mm256_castsi128_si256(low), high, 1);
    const __m256i words = _mm256_srlv_epi32(_mm256_shuffle_epi8(both, places), shifts);
    const __m256i value = _mm256_and_si256(words, mask);
    store_x8(a + i, top == 0 ? value : _mm256_sub_epi32(tops, value));
    in += bits;
  }
}

// SimpleBitPack (algorithm 16) and, with a top that is not 0, BitPack (17): 64 coefficients are
// `bits` words.
ALWAYS_INLINE void pack_words(uint8_t *out, const int32_t a[N], const unsigned bits, int32_t top) {
  for (unsigned block = 0; block < N; block += 64) {
    uint64_t word = 0;
    unsigned have = 0;
#pragma GCC unroll 64
    for (unsigned i = 0; i < 64; i++) {
      const uint64_t value = (uint64_t)(top == 0 ? a[block + i] : top - a[block + i]);
      word |= value << have;
      have += bits;
      if (have >= 64) {
        store64_le(out, word);
        out += 8;
        have -= 64;
        word = have == 0 ? 0 : value >> (bits - have);
      }
    }
  }
}

// Four polynomials of ExpandMask (algorithm 34): coefficients in (-gamma1, gamma1].
static void uniform_gamma1_x4(int32_t a[L][N], const uint8_t seed[64], unsigned first) {
  enum { SPACE = 4 * SHAKE256_BYTES + BLOCK_SPACE(SHAKE256_BYTES) };
  const unsigned number[4] = {first, first + 1, first + 2, first + 3};
  uint8_t bytes[4][SPACE];
  shake_x4 state;
  shake_begin_x4(&state, SHAKE256_BYTES, seed, 64, number);
  for (unsigned i = 0; i < 5; i++) {
    shake_block_x4(bytes[0] + i * SHAKE256_BYTES, SPACE, &state, SHAKE256_BYTES);
  }
  for (unsigned k = 0; k < 4; k++) unpack_x8(a[k], bytes[k], Z_BITS, GAMMA1);
}

#endif  // LYDITE_CORES_DILITHIUM_SW_AVX2_POLY_H_
