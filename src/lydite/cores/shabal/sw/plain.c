// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256, one message, portable C. Two blocks at a time, so that B and C are exchanged by name.

#include <stdbool.h>
#include <stdint.h>

#define WORD uint32_t
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define XOR(a, b) ((a) ^ (b))
#define ROL(a, n) ((a) << (n) | (a) >> (32 - (n)))
#define TIMES3(a) (3 * (a))
#define TIMES5(a) (5 * (a))
#define CHOOSE(a, b, c, d, e) ((a) ^ (b) ^ ((c) & ~(d)) ^ (e))
#define NOT_XOR(a, b) ((a) ^ ~(b))
#include "steps.h"

static inline void load(uint32_t m[16], const uint8_t *in) {
  for (size_t i = 0; i < 16; i++) m[i] = load32_le(in + 4 * i);
}

// A block that is not the last one; then b is what C was, less the block, and c what B was.
static inline __attribute__((always_inline)) void take(uint32_t a[12], uint32_t b[16],
                                                       uint32_t c[16], const uint8_t *in,
                                                       uint64_t w) {
  uint32_t m[16];
  load(m, in);
  for (size_t i = 0; i < 16; i++) b[i] += m[i];
  shabal_round(a, b, c, m, (uint32_t)w, (uint32_t)(w >> 32));
  for (size_t i = 0; i < 16; i++) c[i] -= m[i];
}

// Exchanges B and C for itself where the number of blocks is odd.
static inline uint64_t take_all(shabal_state *s, const uint8_t *in, size_t blocks) {
  uint32_t a[12], b[16], c[16];
  memcpy(a, s->a, sizeof a);
  memcpy(b, s->b, sizeof b);
  memcpy(c, s->c, sizeof c);
  uint64_t w = 1;
  for (; blocks >= 2; blocks -= 2, w += 2, in += 2 * SHABAL_BLOCK_BYTES) {
    take(a, b, c, in, w);
    take(a, c, b, in + SHABAL_BLOCK_BYTES, w + 1);
  }
  const bool odd = blocks != 0;
  if (odd) take(a, b, c, in, w);
  memcpy(s->a, a, sizeof a);
  memcpy(s->b, odd ? c : b, sizeof b);
  memcpy(s->c, odd ? b : c, sizeof c);
  return w + odd;
}

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  shabal_state s;
  memcpy(s.a, shabal_iv_a, sizeof s.a);
  memcpy(s.b, shabal_iv_b, sizeof s.b);
  memcpy(s.c, shabal_iv_c, sizeof s.c);
  const uint64_t w = take_all(&s, in, bytes / SHABAL_BLOCK_BYTES);
  uint8_t last[SHABAL_BLOCK_BYTES];
  shabal_last_block(last, in, bytes);
  uint32_t m[16];
  load(m, last);
  const uint32_t low = (uint32_t)w, high = (uint32_t)(w >> 32);
  for (size_t i = 0; i < 16; i++) s.b[i] += m[i];
  shabal_round(s.a, s.b, s.c, m, low, high);
  // The block that would be subtracted from C is added again where it has become B.
  shabal_round(s.a, s.c, s.b, m, low, high);
  shabal_round(s.a, s.b, s.c, m, low, high);
  shabal_round(s.a, s.c, s.b, m, low, high);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, s.c[8 + i]);
}

#define HASH_DIGEST_BYTES SHABAL_DIGEST_BYTES
#define HASH_IMPL "plain"
#define HASH_CPU_FLAGS ""
#include "../../common/sw/hash_single.h"
