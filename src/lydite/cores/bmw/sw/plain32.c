// SPDX-License-Identifier: Apache-2.0
//
// BMW-256, one message, portable 32-bit C: what neighbouring rounds of f1 add alike is kept, and
// not added up again.

#include "bmw.h"

typedef uint32_t bmw_word;

#include "../compress.h"

// What round j adds of the block and the pipe.
static inline uint32_t element(const uint32_t m[BMW_WORDS], const uint32_t h[BMW_WORDS],
                               unsigned j) {
  const uint32_t turned[3] = {bmw_rotate(m[j % 16], (int)(j % 16 + 1)),
                              bmw_rotate(m[(j + 3) % 16], (int)((j + 3) % 16 + 1)),
                              bmw_rotate(m[(j + 10) % 16], (int)((j + 10) % 16 + 1))};
  const uint32_t sum = turned[0] + turned[1] - turned[2] + 0x05555555U * (j + 16);
  return sum ^ h[(j + 7) % 16];
}

static inline void f1(uint32_t q[2 * BMW_WORDS], const uint32_t m[BMW_WORDS],
                      const uint32_t h[BMW_WORDS]) {
  for (unsigned j = 0; j < 2; j++) {
    uint32_t sum = element(m, h, j);
    for (unsigned i = 0; i < 16; i++) sum += bmw_s((int)((i + 1) % 4), q[j + i]);
    q[16 + j] = sum;
  }
  // Of words that are two apart, the seven that come unchanged.
  uint32_t plain[2] = {0, 0};
  for (unsigned i = 2; i < 16; i++) plain[i % 2] += q[i];
#pragma GCC unroll 14
  for (unsigned j = 2; j < 16; j++) {
    const uint32_t *w = q + j;
    const uint32_t turned = bmw_rotate(w[1], 3) + bmw_rotate(w[3], 7) + bmw_rotate(w[5], 13) +
                            bmw_rotate(w[7], 16) + bmw_rotate(w[9], 19) + bmw_rotate(w[11], 23) +
                            bmw_rotate(w[13], 27);
    q[16 + j] = element(m, h, j) + plain[j % 2] + turned + bmw_s(4, w[14]) + bmw_s(5, w[15]);
    plain[j % 2] += w[14] - w[0];
  }
}

// out may be h, of which nothing is read where out is written.
static inline void compress(uint32_t out[BMW_WORDS], const uint32_t m[BMW_WORDS],
                            const uint32_t h[BMW_WORDS]) {
  uint32_t q[2 * BMW_WORDS];
  bmw_f0(q, m, h);
  f1(q, m, h);
  bmw_f2(out, m, q);
}

static inline void add_block(uint32_t h[BMW_WORDS], const uint8_t *block) {
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
#define HASH_IMPL "plain32"
#define HASH_CPU_FLAGS ""

#include "../../common/sw/hash_single.h"
