// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate") from stream to stream, padding
// included, half a round of P or of Q a cycle: a core for `lydite bench`. Top function: groestl256.

#include "../../common/hls/message.h"

#define BLOCK_BYTES 64
#define BLOCK_WORDS 8  // of 64 bits
#define HALVES 20      // of ten rounds of P and Q, by turns; a step more ends a block
// Word i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (HALVES + 1 - BLOCK_WORDS)

// The S-box of AES (FIPS 197, table 4).
static const uint8_t sbox[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16,
};

// Multiplication by 2 in GF(2^8) of AES.
static uint8_t twice(uint8_t a) { return (uint8_t)(a << 1 ^ (a >> 7) * 0x1b); }

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
      out[8 * j + i] = ones ^ twice(twos ^ twice(fours));
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
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
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
      substituted[i] = sbox[state[i] ^ constant];
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
