// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256 as tweaked for round 2 ("The SHAvite-3 Hash Function", 2009) from stream to stream,
// padding included, a round of AES a cycle, for the text and for subkeys in turns: a core for
// `lydite bench`. Top function: shavite_fold.

#include "../../common/hls/aes.h"
#include "../../common/hls/message.h"

#define BLOCK_WORDS 8  // of 64 bits
#define KEYS 36        // a round of AES for each; a step more ends a block
#define ROOM 54        // bytes of a block before the lengths
// Word i of a block is read in step FIRST + i, the last one in the step before a block ends. These
// steps make no subkeys by AES: each is a cycle.
#define FIRST (KEYS - BLOCK_WORDS)

static const uint32_t initial[8] = {
    0x49bb3e47, 0x2674860d, 0xa8b392ac, 0x021ac4e6, 0x409283cf, 0x620e5d86, 0x6d929dcb, 0x96cc2a8b,
};

// What the subkey that a step makes has of the counter (3.1, with the tweak).
static void count(uint32_t added[4], uint8_t step, uint64_t bits) {
  const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
  added[0] = step == 0 || step == 27 ? low : 0;
  added[1] = step == 0 ? ~high : step == 10 ? high : 0;
  added[2] = step == 10 ? ~low : step == 17 ? high : 0;
  added[3] = step == 17 ? ~low : step == 27 ? ~high : 0;
}

// Moves on by a subkey, and makes the fifth from here (3.1): by turns four of what AES made and
// four without.
static void next_key(uint32_t keys[16], const uint32_t turned[4], const uint32_t added[4],
                     bool plain) {
  uint32_t made[4];
  for (int i = 0; i < 4; i++) {
    const uint32_t before = i < 3 ? keys[13 + i] : keys[0] ^ keys[13];
    made[i] = plain ? keys[i] ^ before : turned[i] ^ keys[12 + i] ^ added[i];
  }
  for (int i = 0; i < 12; i++) keys[i] = keys[i + 4];
  for (int i = 0; i < 4; i++) keys[12 + i] = made[i];
}

void shavite_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
#pragma HLS expression_balance off
  uint32_t chain[8], left[4] = {0}, right[4] = {0}, keys[16] = {0}, added[4] = {0};
  uint32_t mixed[4] = {0};  // what becomes of the right half, with the subkey of this step
#pragma HLS array_partition variable=keys complete
  for (int i = 0; i < 8; i++) chain[i] = initial[i];
  uint64_t block[BLOCK_WORDS] = {0}, bits = 0;
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended
  bool closes = false;   // the lengths stand in the block that comes
  bool blank = false;    // it has no byte of the message
  bool running = false;  // a block is worked on
  bool last = false;     // it is the last one
  bool done;
  uint8_t step = FIRST, third = 0;
  bool makes = false;   // the step makes a subkey by AES
  bool second = false;  // in this cycle, its second one
  do {
    // A round of AES, and of the next block a word, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == KEYS, moves = second || !makes;
    if (load) {
      const uint64_t before = place.bytes;
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      if (step == FIRST) {
        blank = place.bytes == before;
        closes = marked;
      }
      if (mark) closes = place.bytes % 64 < ROOM;
      marked = marked || mark;
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = word;
    }
    done = ends && last;
    if (ends) {
      // Behind the mark: bits of the message in 8 bytes, of the digest in 2.
      const uint64_t length = 8 * place.bytes;
      if (closes) {
        block[6] |= length << 48;
        block[7] = length >> 16 | UINT64_C(256) << 48;
      }
      for (int i = 0; i < 16; i++) keys[i] = (uint32_t)(block[i / 2] >> i % 2 * 32);
      for (int i = 0; i < 4; i++) {
        if (running) {
          chain[i] ^= left[i];
          chain[4 + i] ^= right[i];
        }
        left[i] = chain[i];
        right[i] = chain[4 + i];
        mixed[i] = chain[4 + i] ^ keys[i];
      }
      bits = blank ? 0 : length;
      running = true;
      last = closes;
    } else {
      uint32_t made[4];
      for (int i = 0; i < 4; i++) made[i] = second ? keys[(i + 1) % 4] : mixed[i];
      aes_round(made);
      for (int i = 0; i < 4; i++) {
        const uint32_t old = right[i], sum = left[i] ^ made[i];
        const bool turns = third == 2 && !second;
        mixed[i] = second ? mixed[i] : (turns ? sum : made[i]) ^ keys[4 + i];
        right[i] = turns ? sum : old;
        left[i] = turns ? old : left[i];
      }
      if (moves) next_key(keys, made, added, !second);
    }
    second = !moves;
    if (moves) {
      third = ends || third == 2 ? 0 : third + 1;
      step = ends ? 0 : step + 1;
    }
    // Subkeys 4 to 35 are made in steps 0 to 31.
    makes = step < KEYS - 4 && step / 4 % 2 == 0;
    load = step >= FIRST && step < KEYS && !last;
    count(added, step, bits);
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = (uint64_t)chain[2 * i + 1] << 32 | chain[2 * i];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x94e5e9f25a82c508, 0xf8d58b20fea88672, 0x478959dae4c8a7c6, 0xd72bcd0fda8effd7}},
    {1, {0x6a026870b0761402, 0x565ae95475a343dd, 0x39c4fe33aab610e3, 0x3bbccd13c910cc51}},
    {8, {0xc671d6a6d6f09250, 0x0403471ddc2dd731, 0x24a29a85a925be47, 0x5f7a7ca6dc738725}},
    {54, {0xd1ac409d370ba1ed, 0xd43025a379e84934, 0x5ece0fd8c7be8234, 0x26cd734ed031780e}},
    {55, {0x0b55f8fdd9199251, 0x4fdc621b0b0cf131, 0xb8c90f760b29f815, 0x22353124036f69f4}},
    {64, {0xef8625d5d4f61da5, 0x090581a3aa65736b, 0xc508a0a3ad30d683, 0x42038dede558acfb}},
    {117, {0x214e8798d0019b5d, 0x49154ccc52d6dd0b, 0xc0b718e5e4252e69, 0x51137cd23151b78b}},
    {128, {0xb4c23cf49f70dd11, 0xe2a90039a85c71ba, 0x08453f75ecbf0cc4, 0x111fbad5179d28ae}},
    {200, {0x9cc6c7f570ab0f87, 0x3472b04133a632d7, 0x51512aa505ef0643, 0x108e9796296dac02}},
};

int main(void) { return message_check(shavite_fold, answers, sizeof answers / sizeof *answers); }
