// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate") from stream to stream, padding
// included, half a round of P or of Q a cycle: a core for `lydite bench`. Top function: groestl256.

#include "../../common/hls/aes.h"
#include "../../common/hls/message.h"

#define BLOCK_BYTES 64
#define BLOCK_WORDS 8  // of 64 bits
#define HALVES 20      // of ten rounds of P and Q, by turns; a step more ends a block
// Word i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (HALVES + 1 - BLOCK_WORDS)

// ShiftBytes and MixBytes (3.4.3, 3.4.4); byte i is in row i % 8 of column i / 8. The matrix is
// circulant, its first row 2, 2, 3, 4, 5, 3, 5, 7: sums of the rows whose factors have a 4, a 2, a
// 1.
static void mix(uint8_t out[BLOCK_BYTES], const uint8_t in[BLOCK_BYTES]) {
  for (int j = 0; j < 8; j++) {
#pragma HLS unroll
    for (int i = 0; i < 8; i++) {
#pragma HLS unroll
      uint8_t r[8];
      for (int k = 0; k < 8; k++) {
#pragma HLS unroll
        const int row = (i + k) % 8;
        r[k] = in[8 * ((j + row) % 8) + row];
      }
      const uint8_t fours = r[3] ^ r[4] ^ r[6] ^ r[7];
      const uint8_t twos = r[0] ^ r[1] ^ r[2] ^ r[5] ^ r[7];
      const uint8_t ones = r[2] ^ r[4] ^ r[5] ^ r[6] ^ r[7];
      out[8 * j + i] = ones ^ aes_twice(twos ^ aes_twice(fours));
    }
  }
}

static uint64_t big_endian(uint64_t word) {
  uint64_t turned = 0;
  for (int byte = 0; byte < 8; byte++) turned |= (word >> 8 * byte & 0xff) << (56 - 8 * byte);
  return turned;
}

void groestl256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // P and Q go round: while the S-boxes of one are looked up, the other one is mixed.
  uint8_t state[BLOCK_BYTES], substituted[BLOCK_BYTES], chain[BLOCK_BYTES], digest[BLOCK_BYTES];
#pragma HLS array_partition variable=state complete
#pragma HLS array_partition variable=substituted complete
#pragma HLS array_partition variable=chain complete
#pragma HLS array_partition variable=digest complete
  for (int i = 0; i < BLOCK_BYTES; i++) {
#pragma HLS unroll
    state[i] = substituted[i] = 0;
    chain[i] = i == BLOCK_BYTES - 2;  // 3.1: the bits of the digest, 256
  }
  uint64_t block[BLOCK_WORDS] = {0};
  uint64_t count = 0;  // blocks so far
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended before this word
  bool running = false;  // a block is compressed
  bool last = false;     // it is the last one
  bool output = false;   // the output is made
  bool done;
  unsigned step = FIRST;
  do {
    // Half a round, and at the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == HALVES, was_last = last;
    bool closes = false;
    if (load) {
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      // Behind the mark, at the end of a block: the number of blocks.
      closes = ends && marked;
      marked = marked || mark;
      if (closes) word = big_endian(count + 1);
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = word;
    }
    done = ends && output;
    uint8_t mixed[BLOCK_BYTES];
#pragma HLS array_partition variable=mixed complete
    mix(mixed, substituted);
    const uint8_t round = (uint8_t)(step / 2);
    for (int i = 0; i < BLOCK_BYTES; i++) {
#pragma HLS unroll
      uint8_t constant = 0;  // of P in the first byte, of Q in the last one of the first column
      if (i == 0 && step % 2 == 0) constant = round;
      if (i == 7 && step % 2 != 0) constant = ~round;
      substituted[i] = aes_sbox(state[i] ^ constant);
      const uint8_t byte = (uint8_t)(block[i / 8] >> i % 8 * 8);
      digest[i] = state[i] ^ chain[i];
      if (ends) {
        // 3.2: what P and Q have become is added to the chain value; the next P begins with it and
        // the next block, or, for the output (3.3), with it alone.
        if (running) chain[i] ^= state[i] ^ mixed[i];
        state[i] = chain[i] ^ (was_last ? 0 : byte);
      } else {
        state[i] = step == 0 ? byte : mixed[i];  // Q begins with the block
      }
    }
    if (ends) {
      count++;
      load = false;
      running = true;
      output = was_last;
      last = closes;
    }
    step = ends ? 0 : (step + 1) % 32;
    if (step == FIRST) load = !was_last;
  } while (!done);
  for (int word = 0; word < 4; word++) {
#pragma HLS unroll
    uint64_t data = 0;
    for (int byte = 0; byte < 8; byte++) {
#pragma HLS unroll
      data |= (uint64_t)digest[32 + 8 * word + byte] << 8 * byte;
    }
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = word == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xdb191c86c62d466c, 0xcc4ba83d8f81fac6, 0x78a910db03b7eaf6, 0x7b8b9eea3366ec1e}},
    {1, {0xd9f2f30916c35e6a, 0xd3a55f6c777ea9b4, 0x18c7941cf5f66033, 0x29ba1f3bb4685202}},
    {7, {0x0cabf0fb6999e3ce, 0xd53729fc559933d4, 0xe37935f0f2ad75f7, 0x329f752aecd458e2}},
    {8, {0x3bf220d1dc3a9e70, 0xf04085fe941506dd, 0x5656ae0799cd0090, 0xb07dd74ee83658c1}},
    {9, {0x9afd7a7f9ce7944c, 0xc108406ddc2e2ca5, 0x16bcaaddaaffa5bc, 0xa2e291a54be8cfda}},
    {54, {0x5bbc761f7453049d, 0x5bcdb753c9904451, 0x488701135b41aaba, 0xd958a441abbbf7c7}},
    {55, {0x9689be1bdcc35362, 0x7fc9e8dbc7a3caba, 0x9c18364b05aa8814, 0xc69ad870c14b8a55}},
    {56, {0xc873fc1a971e153b, 0x679a27bf1fdcc4f8, 0xbe8dc4651013b8c9, 0x6cc3adfe0e5a8c5c}},
    {63, {0x602795b376e921a1, 0x2f8e9dad6bd45ad3, 0xb2c6a8583f09a46d, 0x737303cdf2195a03}},
    {64, {0x2d7da79c4f25142e, 0x676bfce273bc920c, 0x2f6c41d0f6b0f277, 0xea7615caf692d3a5}},
    {65, {0xd5f86fb1a8d14703, 0x6aac270ad20b6f73, 0x56644f8beb1897df, 0x59d6d644f70dc4d6}},
    {119, {0x96e937713ae0a515, 0x7c6a200c909d9130, 0xf171a07b4555d5f8, 0xcb4707354659c075}},
    {120, {0xf3908357530bf3e4, 0x9707284755797c69, 0xe938201c3e25cc60, 0x2b3dd078ecf0dab2}},
    {128, {0x7b65eacedd4580fe, 0x8f40266622b17e91, 0xfd77d80486cc1202, 0x9863cababf572c5e}},
    {200, {0xe86adcba9aa1a717, 0xd49bb7d093845c8e, 0x5ebb1c2521a8a0ba, 0x7fa086d5f775ed48}},
};

int main(void) { return message_check(groestl256, answers, sizeof answers / sizeof *answers); }
