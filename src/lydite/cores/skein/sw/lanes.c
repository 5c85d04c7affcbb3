// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256, a message in each lane of AVX-512 or AVX2.

#include "../../common/sw/lanes64.h"
#include "skein.h"

#define WORD lanes64
#define ADD(a, b) ((a) + (b))
#define XOR(a, b) ((a) ^ (b))
#define ROL(a, n) lanes64_rotate(a, n)
#define NUMBER(n) lanes64_all(n)
#include "threefish.h"

// UBI of a block of each message, whose words are m.
static inline void block(lanes64 chain[8], const lanes64 m[8], uint64_t position, uint64_t flags) {
  const lanes64 k0 = chain[0], k1 = chain[1], k2 = chain[2], k3 = chain[3];
  const lanes64 k4 = chain[4], k5 = chain[5], k6 = chain[6], k7 = chain[7];
  const lanes64 k8 = SKEIN_PARITY ^ k0 ^ k1 ^ k2 ^ k3 ^ k4 ^ k5 ^ k6 ^ k7;
  const lanes64 t0 = lanes64_all(position), t1 = lanes64_all(flags), t2 = t0 ^ t1;
  lanes64 v0 = m[0], v1 = m[1], v2 = m[2], v3 = m[3], v4 = m[4], v5 = m[5], v6 = m[6], v7 = m[7];
  THREEFISH
  chain[0] = v0 ^ m[0];
  chain[1] = v1 ^ m[1];
  chain[2] = v2 ^ m[2];
  chain[3] = v3 ^ m[3];
  chain[4] = v4 ^ m[4];
  chain[5] = v5 ^ m[5];
  chain[6] = v6 ^ m[6];
  chain[7] = v7 ^ m[7];
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  lanes64 chain[8], m[8];
  for (size_t i = 0; i < 8; i++) chain[i] = lanes64_all(skein_iv[i]);
  uint8_t last[LANES][SKEIN_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t before = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    before = skein_last_block(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  uint64_t flags = SKEIN_MESSAGE | SKEIN_FIRST;
  for (size_t at = 0; at != before; at += SKEIN_BLOCK_BYTES, flags = SKEIN_MESSAGE) {
    lanes64_load(m, in, at);
    lanes64_load(m + 4, in, at + 32);
    block(chain, m, at + SKEIN_BLOCK_BYTES, flags);
  }
  lanes64_load(m, blocks, 0);
  lanes64_load(m + 4, blocks, 32);
  block(chain, m, in_bytes, flags | SKEIN_FINAL);
  for (size_t i = 0; i < 8; i++) m[i] = lanes64_all(0);
  block(chain, m, 8, SKEIN_OUTPUT | SKEIN_FIRST | SKEIN_FINAL);
  lanes64_store(out, chain, SKEIN_DIGEST_BYTES / 8);
}

#define HASH_DIGEST_BYTES SKEIN_DIGEST_BYTES
#define HASH_IMPL LANES64_IMPL
#define HASH_CPU_FLAGS LANES64_CPU_FLAGS
#include "../../common/sw/hash_lanes.h"
