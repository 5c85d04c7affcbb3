// SPDX-License-Identifier: Apache-2.0
//
// One compression of BLAKE3 (2.2) at a time, in plain words: chunks that are alone or short, and
// the root's output.

#ifndef LYDITE_CORES_BLAKE3_SW_ONE_H_
#define LYDITE_CORES_BLAKE3_SW_ONE_H_

#include "blake3.h"
#include "rounds.h"

// What the compression that ends a node takes.
struct node {
  uint32_t chaining[8];
  uint8_t block[BLAKE3_BLOCK_BYTES];
  uint64_t counter;
  uint32_t block_bytes;
  uint32_t flags;
};

#define ONE_ADD(a, b) ((a) + (b))
#define ONE_XOR(a, b) ((a) ^ (b))
#define ONE_ROR(x, n) ((x) >> (n) | (x) << (32 - (n)))

static void one_compress(uint32_t out[16], const uint32_t chaining[8], const uint8_t *block,
                         uint64_t counter, uint32_t block_bytes, uint32_t flags) {
  uint32_t m[16];
  uint32_t v[16] = {
      chaining[0],       chaining[1],               chaining[2],  chaining[3],
      chaining[4],       chaining[5],               chaining[6],  chaining[7],
      blake3_iv[0],      blake3_iv[1],              blake3_iv[2], blake3_iv[3],
      (uint32_t)counter, (uint32_t)(counter >> 32), block_bytes,  flags,
  };
  for (size_t i = 0; i < 16; i++) m[i] = load32_le(block + 4 * i);
  BLAKE3_ALL_ROUNDS(ONE, v, m);
  for (size_t i = 0; i < 8; i++) {
    out[i + 8] = v[i + 8] ^ chaining[i];
    out[i] = v[i] ^ v[i + 8];
  }
}

// 2.4
static struct node one_chunk(const uint8_t *in, size_t bytes, uint64_t index,
                             const uint32_t key[8], uint32_t mode) {
  struct node node = {.counter = index};
  uint32_t flags = mode | BLAKE3_CHUNK_START;
  memcpy(node.chaining, key, sizeof node.chaining);
  for (; bytes > BLAKE3_BLOCK_BYTES; in += BLAKE3_BLOCK_BYTES, bytes -= BLAKE3_BLOCK_BYTES) {
    uint32_t all[16];
    one_compress(all, node.chaining, in, index, BLAKE3_BLOCK_BYTES, flags);
    memcpy(node.chaining, all, sizeof node.chaining);
    flags = mode;
  }
  if (bytes != 0) memcpy(node.block, in, bytes);
  node.block_bytes = (uint32_t)bytes;
  node.flags = flags | BLAKE3_CHUNK_END;
  return node;
}

static inline void one_chaining_value(uint8_t out[BLAKE3_KEY_BYTES], const struct node *node) {
  uint32_t all[16];
  one_compress(all, node->chaining, node->block, node->counter, node->block_bytes, node->flags);
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, all[i]);
}

// 2.6
static void one_output(uint8_t *out, size_t out_bytes, const struct node *root) {
  uint32_t words[16];
  uint8_t block[BLAKE3_BLOCK_BYTES];
  for (size_t at = 0; at < out_bytes; at += BLAKE3_BLOCK_BYTES) {
    const size_t left = out_bytes - at;
    one_compress(words, root->chaining, root->block, at / BLAKE3_BLOCK_BYTES, root->block_bytes,
                 root->flags | BLAKE3_ROOT);
    for (size_t i = 0; i < 16; i++) store32_le(block + 4 * i, words[i]);
    memcpy(out + at, block, left < BLAKE3_BLOCK_BYTES ? left : BLAKE3_BLOCK_BYTES);
  }
}

#endif  // LYDITE_CORES_BLAKE3_SW_ONE_H_
