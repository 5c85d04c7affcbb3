// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's), to be read: a compression as
// it is written, and a tree by recursion.

#include "blake3.h"

// What the compression that ends a node takes.
struct node {
  uint32_t chaining[8];
  uint8_t block[BLAKE3_BLOCK_BYTES];
  uint64_t counter;
  uint32_t block_bytes;
  uint32_t flags;
};

static uint32_t rotate(uint32_t word, unsigned bits) { return word >> bits | word << (32 - bits); }

// 2.2
static void g(uint32_t v[16], size_t a, size_t b, size_t c, size_t d, uint32_t x, uint32_t y) {
  v[a] = v[a] + v[b] + x;
  v[d] = rotate(v[d] ^ v[a], 16);
  v[c] = v[c] + v[d];
  v[b] = rotate(v[b] ^ v[c], 12);
  v[a] = v[a] + v[b] + y;
  v[d] = rotate(v[d] ^ v[a], 8);
  v[c] = v[c] + v[d];
  v[b] = rotate(v[b] ^ v[c], 7);
}

// 2.2; the first eight words are a chaining value.
static void compress(uint32_t out[16], const struct node *node, uint64_t counter, uint32_t flags) {
  static const uint8_t permutation[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
  uint32_t v[16], m[16];
  for (size_t i = 0; i < 8; i++) v[i] = node->chaining[i];
  for (size_t i = 0; i < 4; i++) v[8 + i] = blake3_iv[i];
  v[12] = (uint32_t)counter;
  v[13] = (uint32_t)(counter >> 32);
  v[14] = node->block_bytes;
  v[15] = flags;
  for (size_t i = 0; i < 16; i++) m[i] = load32_le(node->block + 4 * i);
  for (size_t round = 0; round < BLAKE3_ROUNDS; round++) {
    uint32_t next[16];
    for (size_t i = 0; i < 4; i++) g(v, i, 4 + i, 8 + i, 12 + i, m[2 * i], m[2 * i + 1]);
    for (size_t i = 0; i < 4; i++) {
      g(v, i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4, m[8 + 2 * i], m[9 + 2 * i]);
    }
    for (size_t i = 0; i < 16; i++) next[i] = m[permutation[i]];
    memcpy(m, next, sizeof m);
  }
  for (size_t i = 0; i < 8; i++) {
    out[i] = v[i] ^ v[i + 8];
    out[i + 8] = v[i + 8] ^ node->chaining[i];
  }
}

static void chaining_value(uint32_t out[8], const struct node *node) {
  uint32_t all[16];
  compress(all, node, node->counter, node->flags);
  memcpy(out, all, 8 * sizeof out[0]);
}

// 2.4: all blocks of a chunk but the last are compressed.
static struct node chunk(const uint8_t *in, size_t bytes, uint64_t index, const uint32_t key[8],
                         uint32_t mode) {
  struct node node = {.counter = index, .block_bytes = BLAKE3_BLOCK_BYTES};
  memcpy(node.chaining, key, sizeof node.chaining);
  node.flags = mode | BLAKE3_CHUNK_START;
  for (; bytes > BLAKE3_BLOCK_BYTES; in += BLAKE3_BLOCK_BYTES, bytes -= BLAKE3_BLOCK_BYTES) {
    memcpy(node.block, in, BLAKE3_BLOCK_BYTES);
    chaining_value(node.chaining, &node);
    node.flags = mode;
  }
  memset(node.block, 0, sizeof node.block);
  if (bytes != 0) memcpy(node.block, in, bytes);
  node.block_bytes = (uint32_t)bytes;
  node.flags |= BLAKE3_CHUNK_END;
  return node;
}

// 2.1 and 2.5: the left subtree has as many chunks as fit, a power of two, and leaves a byte.
static struct node tree(const uint8_t *in, size_t bytes, uint64_t first, const uint32_t key[8],
                        uint32_t mode) {
  if (bytes <= BLAKE3_CHUNK_BYTES) return chunk(in, bytes, first, key, mode);
  size_t left = BLAKE3_CHUNK_BYTES;
  while (left < bytes - left) left *= 2;
  const struct node children[2] = {
      tree(in, left, first, key, mode),
      tree(in + left, bytes - left, first + left / BLAKE3_CHUNK_BYTES, key, mode),
  };
  struct node parent = {.block_bytes = BLAKE3_BLOCK_BYTES, .flags = mode | BLAKE3_PARENT};
  memcpy(parent.chaining, key, sizeof parent.chaining);
  for (size_t child = 0; child < 2; child++) {
    uint32_t value[8];
    chaining_value(value, &children[child]);
    for (size_t i = 0; i < 8; i++) store32_le(parent.block + 32 * child + 4 * i, value[i]);
  }
  return parent;
}

// 2.6
static void blake3_output(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                          const uint32_t key[8], uint32_t mode) {
  const struct node root = tree(in, in_bytes, 0, key, mode);
  for (size_t at = 0; at < out_bytes; at += BLAKE3_BLOCK_BYTES) {
    uint32_t words[16];
    uint8_t block[BLAKE3_BLOCK_BYTES];
    const size_t left = out_bytes - at;
    compress(words, &root, at / BLAKE3_BLOCK_BYTES, root.flags | BLAKE3_ROOT);
    for (size_t i = 0; i < 16; i++) store32_le(block + 4 * i, words[i]);
    memcpy(out + at, block, left < BLAKE3_BLOCK_BYTES ? left : BLAKE3_BLOCK_BYTES);
  }
}

const char *lydite_impl(void) { return "ref"; }

const char *lydite_cpu_flags(void) { return ""; }
