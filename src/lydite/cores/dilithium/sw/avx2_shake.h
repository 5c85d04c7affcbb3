// SPDX-License-Identifier: Apache-2.0
//
// H (FIPS 204, 3.7) of one string in parts, and SHAKE128 and SHAKE256 of four strings at once, each
// a seed and a number of two bytes.

#ifndef LYDITE_CORES_DILITHIUM_SW_AVX2_SHAKE_H_
#define LYDITE_CORES_DILITHIUM_SW_AVX2_SHAKE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/keccak_avx2.h"
#include "../c/shake.h"

// Bytes of a block.
#define SHAKE128_BYTES (8 * SHAKE128_RATE)
#define SHAKE256_BYTES (8 * SHAKE256_RATE)

#define KECCAK_ROUNDS ROUNDS
#define RC(round) _mm256_set1_epi64x((long long)keccak_round_constants[round])
#define LOAD(variable, i) variable = _mm256_load_si256((const void *)state->lane[i]);
#define STORE(variable, i) _mm256_store_si256((void *)state->lane[i], variable);

// Lane i of four states.
typedef struct {
  _Alignas(32) uint64_t lane[LANES][4];
} shake_x4;

static __attribute__((noinline)) void keccak_f1600_x4(shake_x4 *state) {
  KECCAK_DECLARE(a);
  KECCAK_DECLARE(e);
  KECCAK_FOR_ALL(LOAD, a)
  KECCAK_F1600(a, e);
  KECCAK_FOR_ALL(STORE, a)
}

// Four sponges that have absorbed a seed of whole lanes, and a number each.
static void shake_begin_x4(shake_x4 *state, unsigned rate, const uint8_t *seed, unsigned bytes,
                           const unsigned number[4]) {
  memset(state, 0, sizeof *state);
  for (unsigned i = 0; i < bytes / 8; i++) {
    for (unsigned k = 0; k < 4; k++) state->lane[i][k] = load64_le(seed + 8 * i);
  }
  for (unsigned k = 0; k < 4; k++) {
    state->lane[bytes / 8][k] = number[k] | (uint64_t)0x1f << 16;
    state->lane[rate / 8 - 1][k] ^= UINT64_C(1) << 63;
  }
}

// Bytes that a block of each string takes in memory, of which `rate` count.
#define BLOCK_SPACE(rate) (((rate) + 31) / 32 * 32)

// Squeezes a block of each string; they are `apart` bytes apart.
static void shake_block_x4(uint8_t *out, size_t apart, shake_x4 *state, unsigned rate) {
  keccak_f1600_x4(state);
  for (unsigned i = 0; i < BLOCK_SPACE(rate) / 8; i += 4) {
    __m256i v[4], pair[4];
    for (unsigned k = 0; k < 4; k++) v[k] = _mm256_load_si256((const void *)state->lane[i + k]);
    for (unsigned k = 0; k < 4; k += 2) {
      pair[k] = _mm256_unpacklo_epi64(v[k], v[k + 1]);
      pair[k + 1] = _mm256_unpackhi_epi64(v[k], v[k + 1]);
    }
    for (unsigned k = 0; k < 2; k++) {
      const __m256i low = _mm256_permute2x128_si256(pair[k], pair[k + 2], 0x20);
      const __m256i high = _mm256_permute2x128_si256(pair[k], pair[k + 2], 0x31);
      _mm256_storeu_si256((void *)(out + k * apart + 8 * i), low);
      _mm256_storeu_si256((void *)(out + (k + 2) * apart + 8 * i), high);
    }
  }
}

// ---- One string: the same rounds over plain lanes. ----

#undef LANE
#undef XOR
#undef XOR3
#undef XOR5
#undef CHI
#undef ROL
#undef RC
#undef LOAD
#undef STORE
#define LANE uint64_t
#define XOR(a, b) ((a) ^ (b))
#define XOR5(a, b, c, d, e) ((a) ^ (b) ^ (c) ^ (d) ^ (e))
#define CHI(a, b, c) ((a) ^ (~(b) & (c)))
#define ROL(a, n) rotate_left(a, n)
#define RC(round) keccak_round_constants[round]
#define LOAD(variable, i) variable = state[i];
#define STORE(variable, i) state[i] = variable;

static __attribute__((noinline)) void keccak_f1600_x1(uint64_t state[LANES]) {
  KECCAK_DECLARE(a);
  KECCAK_DECLARE(e);
  KECCAK_FOR_ALL(LOAD, a)
  KECCAK_F1600(a, e);
  KECCAK_FOR_ALL(STORE, a)
}

typedef struct {
  const uint8_t *bytes;
  size_t count;
} part;

// Absorbs a whole block and permutes.
static void shake256_block(uint64_t state[LANES], const uint8_t block[SHAKE256_BYTES]) {
  for (unsigned i = 0; i < SHAKE256_RATE; i++) state[i] ^= load64_le(block + 8 * i);
  keccak_f1600_x1(state);
}

// H of parts, one behind the other: at most SHAKE256_BYTES bytes. out may be one of the parts.
static void hash_parts(uint8_t *out, size_t bytes, const part *parts, size_t count) {
  uint64_t state[LANES] = {0};
  uint8_t block[SHAKE256_BYTES];
  size_t at = 0;
  for (const part *one = parts; one < parts + count; one++) {
    for (size_t done = 0; done < one->count;) {
      if (at == 0 && one->count - done >= SHAKE256_BYTES) {
        shake256_block(state, one->bytes + done);
        done += SHAKE256_BYTES;
        continue;
      }
      const size_t left = one->count - done, room = SHAKE256_BYTES - at;
      const size_t take = left < room ? left : room;
      memcpy(block + at, one->bytes + done, take);
      done += take;
      at += take;
      if (at == SHAKE256_BYTES) {
        shake256_block(state, block);
        at = 0;
      }
    }
  }
  memset(block + at, 0, SHAKE256_BYTES - at);
  block[at] = 0x1f;
  block[SHAKE256_BYTES - 1] |= 0x80;
  shake256_block(state, block);
  memcpy(out, state, bytes);
}

#endif  // LYDITE_CORES_DILITHIUM_SW_AVX2_SHAKE_H_
