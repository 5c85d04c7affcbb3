// SPDX-License-Identifier: Apache-2.0
//
// BLAKE-32 of round 2 ("SHA-3 proposal BLAKE", 2.1) from stream to stream, padding included, half a
// round a cycle: a core for `lydite bench`. Top function: blake32. ROUNDS is a macro of the build,
// by default 10, which `main` checks; 14 is BLAKE-256 of round 3.

#include "../../common/hls/message.h"

#ifndef ROUNDS
#define ROUNDS 10
#endif

#define BLOCK_WORDS 8        // of 64 bits
#define HALVES (2 * ROUNDS)  // a step more ends a block
// Word i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (HALVES + 1 - BLOCK_WORDS)

static const uint32_t iv[8] = {
    0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19,
};

static const uint32_t constants[16] = {
    0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89,
    0x452821e6, 0x38d01377, 0xbe5466cf, 0x34e90c6c, 0xc0ac29b7, 0xc97c50dd, 0x3f84d5b5, 0xb5470917,
};

// The permutations of rounds 0 to 3, which are those of rounds 10 to 13 as well.
#define FIRST_PERMUTATIONS                                    \
    {0, 1, 2, 3, 4, 5, 6, 7}, {8, 9, 10, 11, 12, 13, 14, 15}, \
    {14, 10, 4, 8, 9, 15, 13, 6}, {1, 12, 0, 2, 11, 7, 5, 3}, \
    {11, 8, 12, 0, 5, 2, 15, 13}, {10, 14, 3, 6, 7, 1, 9, 4}, \
    {7, 9, 3, 1, 13, 12, 11, 14}, {2, 6, 5, 10, 4, 0, 15, 8}

// The permutation of each round, in halves.
static const uint8_t sigma[HALVES][8] = {
    FIRST_PERMUTATIONS,
    {9, 0, 5, 7, 2, 4, 10, 15}, {14, 1, 11, 12, 6, 8, 3, 13},
    {2, 12, 6, 10, 0, 11, 8, 3}, {4, 13, 7, 5, 15, 14, 1, 9},
    {12, 5, 1, 15, 14, 13, 4, 10}, {0, 7, 6, 3, 9, 2, 8, 11},
    {13, 11, 7, 14, 12, 1, 3, 9}, {5, 0, 15, 4, 8, 6, 2, 10},
    {6, 15, 14, 9, 11, 3, 0, 8}, {12, 2, 13, 7, 1, 4, 10, 5},
    {10, 2, 8, 4, 7, 6, 1, 5}, {15, 11, 9, 14, 3, 12, 13, 0},
#if ROUNDS == 14
    FIRST_PERMUTATIONS,
#endif
};

static uint32_t rotate_right(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

// Words of 32 bits are big-endian.
static uint32_t big_endian(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

// What G_i to G_(i+3) add: words of the message with constants, two for each.
static void choose(uint32_t operand[8], const uint32_t m[16], unsigned half) {
  for (int i = 0; i < 8; i++) {
    operand[i] = m[sigma[half][i]] ^ constants[sigma[half][i ^ 1]];
  }
}

// Half a round: four G on columns. For diagonals rows 1 to 3 stand turned, to which they are turned
// behind a half for columns, and back behind one for diagonals.
static void half_round(uint32_t v[16], const uint32_t operand[8], bool diagonals) {
  uint32_t turned[16];
  for (int i = 0; i < 4; i++) {
    uint32_t a = v[i], b = v[4 + i], c = v[8 + i], d = v[12 + i];
    a += b + operand[2 * i];
    d = rotate_right(d ^ a, 16);
    c += d;
    b = rotate_right(b ^ c, 12);
    a += b + operand[2 * i + 1];
    d = rotate_right(d ^ a, 8);
    c += d;
    b = rotate_right(b ^ c, 7);
    turned[i] = a;
    turned[4 + i] = b;
    turned[8 + i] = c;
    turned[12 + i] = d;
  }
  for (int i = 0; i < 4; i++) {
    const uint32_t *b = turned + 4, *c = turned + 8, *d = turned + 12;
    const uint32_t b_left = b[(i + 1) % 4], b_right = b[(i + 3) % 4];
    const uint32_t d_left = d[(i + 1) % 4], d_right = d[(i + 3) % 4];
    v[i] = turned[i];
    v[4 + i] = diagonals ? b_right : b_left;
    v[8 + i] = c[(i + 2) % 4];
    v[12 + i] = diagonals ? d_left : d_right;
  }
}

void blake32(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Logic, not memories.
#pragma HLS array_partition variable=constants complete
#pragma HLS array_partition variable=sigma complete dim=0
  uint32_t h[8], v[16] = {0}, m[16] = {0}, operand[8] = {0};
#pragma HLS array_partition variable=m complete
  for (int i = 0; i < 8; i++) h[i] = iv[i];
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
    // Half a round, and at the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == HALVES;
    bool closes = false;
    if (load) {
      const uint64_t before = place.bytes;
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      if (step == FIRST) blank = place.bytes == before;
      // Behind the mark, at the end of a block: a one, and the bits of the message.
      closes = ends && marked;
      marked = marked || mark;
      const uint64_t bits = 8 * place.bytes;
      if (closes) {
        word = (uint64_t)big_endian((uint32_t)bits) << 32 | big_endian((uint32_t)(bits >> 32));
      }
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = word;
      if (closes) block[BLOCK_WORDS - 2] |= UINT64_C(1) << 56;
    }
    done = ends && last;
    if (ends) {
      for (int i = 0; i < 8; i++) {
        if (running) h[i] ^= v[i] ^ v[8 + i];
        v[i] = h[i];
        v[8 + i] = constants[i];
      }
      const uint64_t counter = blank ? 0 : 8 * place.bytes;
      v[12] ^= (uint32_t)counter;
      v[13] ^= (uint32_t)counter;
      v[14] ^= (uint32_t)(counter >> 32);
      v[15] ^= (uint32_t)(counter >> 32);
      for (int i = 0; i < 16; i++) m[i] = big_endian((uint32_t)(block[i / 2] >> i % 2 * 32));
      load = false;
      running = true;
      last = closes;
    } else {
      half_round(v, operand, step % 2 != 0);
    }
    step = ends ? 0 : (step + 1) % 32;
    if (step == FIRST) load = !last;
    choose(operand, m, step);
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = (uint64_t)big_endian(h[2 * i + 1]) << 32 | big_endian(h[2 * i]);
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x2f0a7d0a1e7ebe73, 0x2e41d462aeed3500, 0x46505b1408033cc4, 0x4ba4cd6b75539a84}},
    {1, {0x6be69675efd02058, 0x1e241de94eb7d52e, 0x0e29097c54b2f14f, 0xeabb1a84d9a85c80}},
    {7, {0xf533fe539a02e53f, 0xd5755ee2964fceaa, 0x3891584d2c2bc4b5, 0x12abfa30ec8d7f68}},
    {8, {0x973adb26f31669bf, 0xdd79f794ec1bd535, 0x1fcfe7d33cf610ed, 0x7fc86cb79639f353}},
    {9, {0x7c88b507f5e2d3b9, 0x19e05983840f7ab4, 0x2a9a2473cbdae030, 0x4d10031304128f1f}},
    {54, {0xafe0fc93eb48ac8d, 0x54c78e2a9ff4965e, 0xde1899478854a10e, 0x84964d18136dd085}},
    {55, {0x609a932819570bbb, 0xf6480ba838cceb98, 0x19f937241d79b527, 0xa9696c31e456d428}},
    {56, {0x07a87f6d6b66d9bc, 0xf4c5c9f48771fc58, 0xc01277f75da96c15, 0xf440dbd809eb8b23}},
    {57, {0x44b9a52e5672e9a0, 0x439a72822332c228, 0x4439c4c9a26c3349, 0x4f03adf4df81bd42}},
    {63, {0x57e6d0e24a911151, 0x4fe3fe7027371370, 0xeaf237632f5977db, 0x60cbc66f08fea282}},
    {64, {0x1519bd8ac8096fcf, 0x783f9203d4835cca, 0xc69b72f486fa52a3, 0x6dbf1b41ee74d7c2}},
    {65, {0xe542e2359b4bdee5, 0xdc60e2fac740fb54, 0x9996a2b3485e5cb6, 0x9ab9ea8d76368ce3}},
    {119, {0x50cb180164341ef4, 0x1a266eb8fbd74238, 0x0d507ee18de58d25, 0xb90200ff8b98d9cb}},
    {120, {0xe57244788ef91e83, 0xec88dfe6abb5b954, 0x115f84500a3b692c, 0xc213d8d798f86f4f}},
    {128, {0x1e65506e693e8d8e, 0x41abdbdfd619d98d, 0xf3a60ac6f4117524, 0x756ff10c44331237}},
    {200, {0xf2073a2c2e3e0a0a, 0x16990010728843fb, 0x7fa3b7924ddabd62, 0x8aed740f68e299c4}},
};

int main(void) { return message_check(blake32, answers, sizeof answers / sizeof *answers); }
