// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256, a message in each lane of AVX-512 or AVX2. A choice, an and with a complement and two
// sums modulo 2 in one, becomes two three-way operations of AVX-512.

#include "../../common/sw/lanes32.h"

#define WORD lanes32
#define ADD(a, b) ((a) + (b))
#define SUB(a, b) ((a) - (b))
#define XOR(a, b) ((a) ^ (b))
#define ROL(a, n) lanes32_rotate(a, n)
#define TIMES3(a) ((a) + (a) + (a))
#define TIMES5(a) (((a) << 2) + (a))
#define CHOOSE(a, b, c, d, e) ((a) ^ (b) ^ ((c) & ~(d)) ^ (e))
#define NOT_XOR(a, b) ((a) ^ ~(b))
#include "steps.h"

static inline void permute(lanes32 a[12], lanes32 b[16], const lanes32 c[16], const lanes32 m[16],
                           uint64_t w) {
  shabal_round(a, b, c, m, lanes32_all((uint32_t)w), lanes32_all((uint32_t)(w >> 32)));
}

// Adds a block of each message to b.
static inline void add_blocks(lanes32 m[16], lanes32 b[16], const uint8_t *const in[LANES],
                              size_t at) {
  for (size_t i = 0; i < 16; i += 4) lanes32_load(m + i, in, at + 4 * i);
  for (size_t i = 0; i < 16; i++) b[i] += m[i];
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes32 a[12], buffers[2][16], m[16];
  lanes32 *b = buffers[0], *c = buffers[1];
  for (size_t i = 0; i < 12; i++) a[i] = lanes32_all(shabal_iv_a[i]);
  for (size_t i = 0; i < 16; i++) b[i] = lanes32_all(shabal_iv_b[i]);
  for (size_t i = 0; i < 16; i++) c[i] = lanes32_all(shabal_iv_c[i]);
  uint64_t w = 1;
  for (size_t at = 0; at + SHABAL_BLOCK_BYTES <= in_bytes; at += SHABAL_BLOCK_BYTES, w++) {
    add_blocks(m, b, in, at);
    permute(a, b, c, m, w);
    for (size_t i = 0; i < 16; i++) c[i] -= m[i];
    lanes32 *const exchanged = b;
    b = c;
    c = exchanged;
  }
  uint8_t last[LANES][SHABAL_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    shabal_last_block(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  add_blocks(m, b, blocks, 0);
  permute(a, b, c, m, w);
  // The block that would be subtracted from C is added again where it has become B.
  permute(a, c, b, m, w);
  permute(a, b, c, m, w);
  permute(a, c, b, m, w);
  lanes32_store(out, c + 8, SHABAL_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES SHABAL_DIGEST_BYTES
#define HASH_IMPL LANES32_IMPL
#define HASH_CPU_FLAGS LANES32_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
