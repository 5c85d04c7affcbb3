// SPDX-License-Identifier: Apache-2.0
//
// BLAKE-32 of round 2 ("SHA-3 proposal BLAKE", 2.1) from stream to stream, padding included, a
// quarter of a round a cycle: a core for `lydite bench`. Top function: blake32_fold. ROUNDS is a
// macro of the build, by default 10, which `main` checks; 14 is BLAKE-256 of round 3.
//
// Two G work on words 0 and 2 of each row. The first step of a half brings words 1 and 3 to their
// places, and the second one turns rows 1 to 3 to where the next half wants them.

#include "../../common/hls/message.h"
#include "../../common/hls/rotate.h"
#include "../sw/blake.h"

#define BLOCK_WORDS 8       // of 64 bits
#define STEPS (4 * ROUNDS)  // a step more ends a block
// Word i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (STEPS + 1 - BLOCK_WORDS)

// What both G of a step add: words of the message with constants, two for each.
static void choose(uint32_t operand[4], const uint32_t m[16], unsigned step) {
  const unsigned round = step / 4 % 16;
  const unsigned row = round < BLAKE_SIGMAS ? round : round - BLAKE_SIGMAS;
  const unsigned first = step / 2 % 2 * 8 + step % 2 * 2;  // of its half and of its step
  for (unsigned g = 0; g < 2; g++) {
    const uint8_t i = blake_sigma[row][first + 4 * g], j = blake_sigma[row][first + 4 * g + 1];
    operand[2 * g] = m[i] ^ blake_constants[j];
    operand[2 * g + 1] = m[j] ^ blake_constants[i];
  }
}

static void quarter_round(uint32_t v[16], const uint32_t operand[4], bool second, bool diagonals) {
  for (int g = 0; g < 2; g++) {
    uint32_t a = v[2 * g], b = v[4 + 2 * g], c = v[8 + 2 * g], d = v[12 + 2 * g];
    a += b + operand[2 * g];
    d = rotate_right32(d ^ a, 16);
    c += d;
    b = rotate_right32(b ^ c, 12);
    a += b + operand[2 * g + 1];
    d = rotate_right32(d ^ a, 8);
    c += d;
    b = rotate_right32(b ^ c, 7);
    v[2 * g] = a;
    v[4 + 2 * g] = b;
    v[8 + 2 * g] = c;
    v[12 + 2 * g] = d;
  }
  uint32_t made[16];
  for (int i = 0; i < 16; i++) made[i] = v[i];
  for (int i = 0; i < 4; i++) {
    const uint32_t *b = made + 4, *c = made + 8, *d = made + 12;
    const int next = (i + 1) % 4, far = (i + 2) % 4;
    v[i] = made[i ^ 1];
    v[4 + i] = !second ? b[next] : diagonals ? b[far] : b[i];
    v[8 + i] = c[next];
    v[12 + i] = !second ? d[next] : diagonals ? d[i] : d[far];
  }
}

void blake32_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Logic, not memories.
#pragma HLS array_partition variable=blake_constants complete
#pragma HLS array_partition variable=blake_sigma complete dim=0
  uint32_t h[8], v[16] = {0}, m[16] = {0}, operand[4] = {0};
#pragma HLS array_partition variable=m complete
  for (int i = 0; i < 8; i++) h[i] = blake_iv[i];
  uint64_t block[BLOCK_WORDS] = {0};
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended before this word
  bool blank = false;    // the block that comes has no byte of it
  bool running = false;  // a block is compressed
  bool last = false;     // it is the last one
  bool done;
  unsigned step = FIRST;
  do {
    // A quarter of a round, and at the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == STEPS;
    bool closes = false;
    if (load) {
      const uint64_t before = place.bytes;
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      if (step == FIRST) blank = place.bytes == before;
      // Behind the mark, at the end of a block: a one, and the bits of the message.
      closes = ends && marked;
      marked = marked || mark;
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = closes ? 8 * place.bytes : LYDITE_BE64(word);
      block[BLOCK_WORDS - 2] |= closes;
    }
    done = ends && last;
    if (ends) {
      for (int i = 0; i < 8; i++) {
        if (running) h[i] ^= v[i] ^ v[8 + i];
        v[i] = h[i];
        v[8 + i] = blake_constants[i];
      }
      const uint64_t counter = blank ? 0 : 8 * place.bytes;
      for (int i = 0; i < 2; i++) {
        v[12 + i] ^= (uint32_t)counter;
        v[14 + i] ^= (uint32_t)(counter >> 32);
      }
      for (int i = 0; i < 16; i++) m[i] = (uint32_t)(block[i / 2] >> (i % 2 ? 0 : 32));
      load = false;
      running = true;
      last = closes;
    } else {
      quarter_round(v, operand, step % 2 != 0, step / 2 % 2 != 0);
    }
    step = ends ? 0 : (step + 1) % 64;
    if (step == FIRST) load = !last;
    choose(operand, m, step);
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = LYDITE_BE64((uint64_t)h[2 * i] << 32 | h[2 * i + 1]);
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x2f0a7d0a1e7ebe73, 0x2e41d462aeed3500, 0x46505b1408033cc4, 0x4ba4cd6b75539a84}},
    {1, {0x6be69675efd02058, 0x1e241de94eb7d52e, 0x0e29097c54b2f14f, 0xeabb1a84d9a85c80}},
    {8, {0x973adb26f31669bf, 0xdd79f794ec1bd535, 0x1fcfe7d33cf610ed, 0x7fc86cb79639f353}},
    {54, {0xafe0fc93eb48ac8d, 0x54c78e2a9ff4965e, 0xde1899478854a10e, 0x84964d18136dd085}},
    {55, {0x609a932819570bbb, 0xf6480ba838cceb98, 0x19f937241d79b527, 0xa9696c31e456d428}},
    {56, {0x07a87f6d6b66d9bc, 0xf4c5c9f48771fc58, 0xc01277f75da96c15, 0xf440dbd809eb8b23}},
    {64, {0x1519bd8ac8096fcf, 0x783f9203d4835cca, 0xc69b72f486fa52a3, 0x6dbf1b41ee74d7c2}},
    {120, {0xe57244788ef91e83, 0xec88dfe6abb5b954, 0x115f84500a3b692c, 0xc213d8d798f86f4f}},
    {200, {0xf2073a2c2e3e0a0a, 0x16990010728843fb, 0x7fa3b7924ddabd62, 0x8aed740f68e299c4}},
};

int main(void) {
  return message_check(blake32_fold, answers, sizeof answers / sizeof *answers);
}
