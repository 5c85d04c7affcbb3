// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256, one message, SSE2: words 4 i to 4 i + 3 in register i. Words are exchanged
// between registers by name, and within them by a shuffle. With AVX-512VL a rotation is one
// instruction, which compilers make of the two shifts.

#include <emmintrin.h>

#include "cubehash.h"

typedef struct {
  __m128i x0[4], x1[4];
} cubehash_state;

static inline __m128i rotate_left(__m128i words, int count) {
  return _mm_or_si128(_mm_slli_epi32(words, count), _mm_srli_epi32(words, 32 - count));
}

static inline void rounds(cubehash_state *state, size_t count) {
  __m128i a[4], b[4], sum[4];
  memcpy(a, state->x0, sizeof a);
  memcpy(b, state->x1, sizeof b);
  for (size_t n = 0; n < count; n++) {
    for (size_t i = 0; i < 4; i++) sum[i] = _mm_add_epi32(a[i], b[i]);
    const __m128i c[4] = {rotate_left(a[2], 7), rotate_left(a[3], 7), rotate_left(a[0], 7),
                          rotate_left(a[1], 7)};
    for (size_t i = 0; i < 4; i++) a[i] = _mm_xor_si128(c[i], sum[i]);
    for (size_t i = 0; i < 4; i++) b[i] = _mm_shuffle_epi32(sum[i], _MM_SHUFFLE(1, 0, 3, 2));
    for (size_t i = 0; i < 4; i++) sum[i] = _mm_add_epi32(a[i], b[i]);
    const __m128i d[4] = {rotate_left(a[1], 11), rotate_left(a[0], 11), rotate_left(a[3], 11),
                          rotate_left(a[2], 11)};
    for (size_t i = 0; i < 4; i++) a[i] = _mm_xor_si128(d[i], sum[i]);
    for (size_t i = 0; i < 4; i++) b[i] = _mm_shuffle_epi32(sum[i], _MM_SHUFFLE(2, 3, 0, 1));
  }
  memcpy(state->x0, a, sizeof a);
  memcpy(state->x1, b, sizeof b);
}

static inline void add_block(cubehash_state *state, const uint8_t *block) {
  for (size_t i = 0; i < 2; i++) {
    __m128i words;
    memcpy(&words, block + 16 * i, sizeof words);
    state->x0[i] = _mm_xor_si128(state->x0[i], words);
  }
  rounds(state, CUBEHASH_ROUNDS);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  cubehash_state state;
  memcpy(&state, cubehash_initial, sizeof state);
  for (size_t i = 0; i < in_bytes / CUBEHASH_BLOCK_BYTES; i++) {
    add_block(&state, in + i * CUBEHASH_BLOCK_BYTES);
  }
  uint8_t last[CUBEHASH_BLOCK_BYTES];
  cubehash_last_block(last, in, in_bytes);
  add_block(&state, last);
  state.x1[3] = _mm_xor_si128(state.x1[3], _mm_set_epi32(1, 0, 0, 0));
  rounds(&state, CUBEHASH_FINAL_ROUNDS);
  memcpy(out, state.x0, CUBEHASH_DIGEST_BYTES);
}

#define HASH_DIGEST_BYTES CUBEHASH_DIGEST_BYTES
#define HASH_IMPL "sse2"
#define HASH_CPU_FLAGS "sse2"

#include "../../common/sw/hash_single.h"
