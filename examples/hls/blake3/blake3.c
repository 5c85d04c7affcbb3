// SPDX-License-Identifier: Apache-2.0
// BLAKE3's compression function, "BLAKE3: one function, fast everywhere", section 2.2; top
// function: blake3_compress. main hashes one and two chunks with it (sections 2.4 to 2.6, no key).

#include <stddef.h>
#include <stdint.h>

enum { CHUNK_START = 1, CHUNK_END = 2, PARENT = 4, ROOT = 8 };

static const uint32_t IV[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                               0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static inline uint32_t rotr32(uint32_t x, unsigned n) { return (x >> n) | (x << (32 - n)); }

static inline void mix(uint32_t v[16], int a, int b, int c, int d, uint32_t x, uint32_t y) {
  v[a] += v[b] + x;
  v[d] = rotr32(v[d] ^ v[a], 16);
  v[c] += v[d];
  v[b] = rotr32(v[b] ^ v[c], 12);
  v[a] += v[b] + y;
  v[d] = rotr32(v[d] ^ v[a], 8);
  v[c] += v[d];
  v[b] = rotr32(v[b] ^ v[c], 7);
}

// Compresses one block of block_length (0..64) bytes, words little-endian, zero-filled. out has all
// 16 words; its first 8 are the next chaining value. Arguments may not overlap.
void blake3_compress(uint32_t out[16], const uint32_t chaining[8], const uint32_t block[16],
                     uint64_t counter, uint32_t block_length, uint32_t flags) {
  // Table 2: the permutation between rounds.
  static const uint8_t order[16] = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};
  uint32_t h[8], m[16], v[16];
  for (int i = 0; i < 8; i++) v[i] = h[i] = chaining[i];
  for (int i = 0; i < 4; i++) v[8 + i] = IV[i];
  v[12] = (uint32_t)counter;
  v[13] = (uint32_t)(counter >> 32);
  v[14] = block_length;
  v[15] = flags;
  for (int i = 0; i < 16; i++) m[i] = block[i];
  for (int round = 0; round < 7; round++) {
    mix(v, 0, 4, 8, 12, m[0], m[1]);
    mix(v, 1, 5, 9, 13, m[2], m[3]);
    mix(v, 2, 6, 10, 14, m[4], m[5]);
    mix(v, 3, 7, 11, 15, m[6], m[7]);
    mix(v, 0, 5, 10, 15, m[8], m[9]);
    mix(v, 1, 6, 11, 12, m[10], m[11]);
    mix(v, 2, 7, 8, 13, m[12], m[13]);
    mix(v, 3, 4, 9, 14, m[14], m[15]);
    uint32_t next[16];
    for (int i = 0; i < 16; i++) next[i] = m[order[i]];
    for (int i = 0; i < 16; i++) m[i] = next[i];
  }
  for (int i = 0; i < 8; i++) {
    out[i] = v[i] ^ v[i + 8];
    out[i + 8] = v[i + 8] ^ h[i];
  }
}

// Byte i of the message is i mod 251, as in the official vectors.
static uint32_t message_word(uint32_t at, uint32_t length) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (at + i < length) word |= ((at + i) % 251) << (8 * i);
  return word;
}

static void hash_chunk(uint32_t out[16], uint32_t start, uint32_t end, uint32_t last_flags) {
  uint32_t chaining[8];
  for (int i = 0; i < 8; i++) chaining[i] = IV[i];
  uint32_t at = start;
  do {
    uint32_t left = end - at, block[16];
    for (uint32_t i = 0; i < 16; i++) block[i] = message_word(at + 4 * i, end);
    uint32_t flags = at == start ? CHUNK_START : 0;
    if (left <= 64) flags |= CHUNK_END | last_flags;
    blake3_compress(out, chaining, block, start / 1024, left < 64 ? left : 64, flags);
    for (int i = 0; i < 8; i++) chaining[i] = out[i];
    at += 64;
  } while (at < end);
}

// Lengths up to 2048.
static void hash(uint32_t digest[8], uint32_t length) {
  uint32_t out[16];
  if (length <= 1024) {
    hash_chunk(out, 0, length, ROOT);
  } else {
    uint32_t block[16];
    hash_chunk(out, 0, 1024, 0);
    for (int i = 0; i < 8; i++) block[i] = out[i];
    hash_chunk(out, 1024, length, 0);
    for (int i = 0; i < 8; i++) block[i + 8] = out[i];
    blake3_compress(out, IV, block, 0, 64, PARENT | ROOT);
  }
  for (int i = 0; i < 8; i++) digest[i] = out[i];
}

struct known_answer {
  uint32_t length;
  uint32_t digest[8];
};

// BLAKE3's test_vectors.json; words little-endian.
static const struct known_answer answers[] = {
    {0,
     {0xb94913af, 0xa6a1f9f5, 0xea4d40a0, 0x49c9dc36, 0xc925cb9b, 0xb712c1ad, 0xca939acc,
      0x62321fe4}},
    {1,
     {0xdfde3a2d, 0xf1611bf1, 0x356e884c, 0x7336a0af, 0xa787cd6d, 0xc1b5274d, 0xd0250251,
      0x13e292f5}},
    {64,
     {0x4171ed4e, 0xd45c4aea, 0x6b6088b7, 0xe2463fd2, 0xac9caf12, 0x7ddcaceb, 0xc76d4c1f,
      0x981b51f2}},
    {65,
     {0xa05f1ede, 0x6ddf70be, 0xfdffe82b, 0xaace990e, 0xc9e8b68e, 0xd8f2633a, 0xcb0ec3d1,
      0xee3d266b}},
    {1023,
     {0x70891010, 0xb93edaee, 0x14acba32, 0x16a2c728, 0x4c920e3b, 0xb3259e9a, 0xb272ba5b,
      0x11bd708f}},
    {1024,
     {0x39472142, 0x06a495f0, 0xde83fcf3, 0x4a7489b8, 0x31f80dc0, 0x55aa0dc1, 0x125d9b18,
      0xf75a851c}},
    {1025,
     {0xae7802d0, 0xb327eb47, 0x67cfae4f, 0x3f26feb4, 0x2941d582, 0xd9ffc116, 0xfbb78c7c,
      0x44844b81}},
    {2048,
     {0x02b676e7, 0x2ad27c8c, 0x82a10b4d, 0x2062bfa8, 0x76f52e5d, 0x8e837e46, 0x9b52f2d6,
      0x4aa2fb85}},
};

int main(void) {
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    uint32_t digest[8];
    hash(digest, answers[k].length);
    for (int i = 0; i < 8; i++)
      if (digest[i] != answers[k].digest[i]) return 1;
  }
  return 0;
}
