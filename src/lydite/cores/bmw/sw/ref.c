// SPDX-License-Identifier: Apache-2.0
//
// BMW-256 as "Blue Midnight Wish", 2009, writes it: the readable reference.

#include "bmw.h"

typedef uint32_t bmw_word;

#include "../compress.h"

static void compress(uint32_t h[BMW_WORDS], const uint32_t m[BMW_WORDS],
                     const uint32_t pipe[BMW_WORDS]) {
  uint32_t q[2 * BMW_WORDS];
  bmw_f0(q, m, pipe);
  bmw_f1(q, m, pipe);
  bmw_f2(h, m, q);
}

static void add_block(uint32_t h[BMW_WORDS], const uint8_t *block) {
  uint32_t m[BMW_WORDS];
  for (size_t i = 0; i < BMW_WORDS; i++) m[i] = load32_le(block + 4 * i);
  compress(h, m, h);
}

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint32_t h[BMW_WORDS], digest[BMW_WORDS];
  memcpy(h, bmw_initial, sizeof h);
  for (size_t i = 0; i < in_bytes / BMW_BLOCK_BYTES; i++) add_block(h, in + i * BMW_BLOCK_BYTES);
  uint8_t last[2 * BMW_BLOCK_BYTES];
  const size_t count = bmw_last_blocks(last, in, in_bytes);
  for (size_t i = 0; i < count; i++) add_block(h, last + i * BMW_BLOCK_BYTES);
  compress(digest, h, bmw_final);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, digest[8 + i]);
}

#define HASH_DIGEST_BYTES BMW_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
