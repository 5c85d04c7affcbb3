// SPDX-License-Identifier: Apache-2.0
// Hashes with a kernel of BLAKE3's compression, whose name is TOP, and checks known answers.

#pragma once

#include "blake3.h"

// Byte i of the message is i mod 251, as in the official vectors.
static uint32_t message_word(uint32_t at, uint32_t length) {
  uint32_t word = 0;
  for (uint32_t i = 0; i < 4; i++)
    if (at + i < length) word |= ((at + i) % 251) << (8 * i);
  return word;
}

static setting_stream settings;
static block_stream blocks, outputs;

static words16 compress(const uint32_t chaining[8], words16 block, uint64_t counter,
                        uint32_t length, uint32_t flags) {
  setting_stream_beat with = {
      .data = {.counter = counter, .length = length, .flags = flags}, .keep = LYDITE_KEEP(48)};
  for (int i = 0; i < 8; i++) with.data.chaining[i] = chaining[i];
  const block_stream_beat beat = {.data = block, .keep = LYDITE_KEEP(64), .last = true};
  setting_stream_write(&settings, with);
  block_stream_write(&blocks, beat);
  TOP(&settings, &blocks, &outputs);
  return block_stream_read(&outputs).data;
}

static words16 hash_chunk(uint32_t start, uint32_t end, uint32_t last_flags) {
  words16 result = {{0}};
  for (int i = 0; i < 8; i++) result.word[i] = IV[i];
  uint32_t at = start;
  do {
    const uint32_t left = end - at;
    words16 block;
    for (uint32_t i = 0; i < 16; i++) block.word[i] = message_word(at + 4 * i, end);
    uint32_t flags = at == start ? CHUNK_START : 0;
    if (left <= 64) flags |= CHUNK_END | last_flags;
    result = compress(result.word, block, start / 1024, left < 64 ? left : 64, flags);
    at += 64;
  } while (at < end);
  return result;
}

// Lengths up to 2048.
static words16 hash(uint32_t length) {
  if (length <= 1024) return hash_chunk(0, length, ROOT);
  const words16 left = hash_chunk(0, 1024, 0), right = hash_chunk(1024, length, 0);
  words16 block;
  for (int i = 0; i < 8; i++) {
    block.word[i] = left.word[i];
    block.word[i + 8] = right.word[i];
  }
  return compress(IV, block, 0, 64, PARENT | ROOT);
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
    {1025,
     {0xae7802d0, 0xb327eb47, 0x67cfae4f, 0x3f26feb4, 0x2941d582, 0xd9ffc116, 0xfbb78c7c,
      0x44844b81}},
};

int main(void) {
  uint32_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const words16 digest = hash(answers[n].length);
    for (int i = 0; i < 8; i++) wrong |= digest.word[i] ^ answers[n].digest[i];
  }
  // Hashes of 0, 1, ... bytes in one call: the root of each is its only block.
  for (uint32_t count = 2; count <= 12; count += 5) {
    for (uint32_t n = 0; n < count; n++) {
      setting_stream_beat with = {.data = {.length = n, .flags = CHUNK_START | CHUNK_END | ROOT},
                                  .keep = LYDITE_KEEP(48)};
      block_stream_beat beat = {.keep = LYDITE_KEEP(64), .last = n == count - 1};
      for (int i = 0; i < 8; i++) with.data.chaining[i] = IV[i];
      for (uint32_t i = 0; i < 16; i++) beat.data.word[i] = message_word(4 * i, n);
      setting_stream_write(&settings, with);
      block_stream_write(&blocks, beat);
    }
    TOP(&settings, &blocks, &outputs);
    for (uint32_t n = 0; n < count; n++) {
      const block_stream_beat got = block_stream_read(&outputs);
      wrong |= (uint32_t)(got.last != (n == count - 1));
      for (int i = 0; i < 8 && n < 2; i++) wrong |= got.data.word[i] ^ answers[n].digest[i];
    }
  }
  wrong |= (uint32_t)(setting_stream_count(&settings) | block_stream_count(&blocks));
  wrong |= (uint32_t)block_stream_count(&outputs);
  setting_stream_free(&settings);
  block_stream_free(&blocks);
  block_stream_free(&outputs);
  return wrong != 0;
}
