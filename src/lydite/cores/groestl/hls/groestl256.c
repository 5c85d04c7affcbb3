// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate") from stream to stream, padding
// included, a round of P or of Q a cycle, in turn: a core for `lydite bench`. Top function:
// groestl256.

#include "../../common/sw/aes_sbox.h"
#include "../../common/hls/aes_planes.h"
#include "../../common/hls/message.h"

#define BLOCK_WORDS 8  // of 64 bits
#define STEPS 20       // ten rounds of each
// Word i of a block is read in step FIRST + i of the one before it.
#define FIRST (STEPS - BLOCK_WORDS)
#define ALL UINT64_MAX

#define ENTRY(byte) byte,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// States are planes; byte i is in row i % 8 of column i / 8.
#define COLUMN UINT64_C(0x0101010101010101)  // row 0 of each column

// ShiftBytes (3.4.3): row i moves to the left by i.
static uint64_t shift_bytes(uint64_t plane) {
  uint64_t shifted = plane & COLUMN;
  for (int i = 1; i < 8; i++) {
    shifted |= (plane >> 8 * i | plane << (64 - 8 * i)) & COLUMN << i;
  }
  return shifted;
}

// MixBytes (3.4.4). The matrix is circulant, its first row 2, 2, 3, 4, 5, 3, 5, 7: sums of the rows
// whose factors have a 4, a 2, a 1.
static void mix_bytes(uint64_t out[8], const uint64_t in[8]) {
  uint64_t fours[8], twos[8], ones[8], sum[8];
  for (int bit = 0; bit < 8; bit++) {
    uint64_t r[8];
    for (int k = 0; k < 8; k++) r[k] = aes_turn_fields(in[bit], 8, k);
    fours[bit] = r[3] ^ r[4] ^ r[6] ^ r[7];
    twos[bit] = r[0] ^ r[1] ^ r[2] ^ r[5] ^ r[7];
    ones[bit] = r[2] ^ r[4] ^ r[5] ^ r[6] ^ r[7];
  }
  aes_twice_planes(sum, fours);
  for (int bit = 0; bit < 8; bit++) sum[bit] ^= twos[bit];
  aes_twice_planes(out, sum);
  for (int bit = 0; bit < 8; bit++) out[bit] ^= ones[bit];
}

static uint64_t big_endian(uint64_t word) {
  uint64_t turned = 0;
  for (int byte = 0; byte < 8; byte++) turned |= (word >> 8 * byte & 0xff) << (56 - 8 * byte);
  return turned;
}

void groestl256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Copies of the table in block RAM, two reads each.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  uint64_t now[8] = {0}, then[8] = {0}, block[8] = {0};  // Q and P behind the S-boxes, in turn
  uint64_t chain[8] = {UINT64_C(1) << 62};  // 3.1: the bits of the digest, 256, in the last bytes
  uint64_t count = 1;                       // the number of the block that comes
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended
  bool closes = false;   // the block that comes, or came, is the last one
  bool last = false;     // the one that is compressed is
  bool output = false;   // the output is made
  bool started = false;  // a block is compressed
  bool starts_p = false, done;
  // Masks: what is added to the chain value, and what is there for the next round.
  uint64_t adds = 0, takes_mixed = ALL, takes_chain = 0, takes_block = 0;
  uint8_t step = FIRST;
  do {
    // A round of Q, then one of P, and at the end of a block words of the next one.
#pragma HLS pipeline II=1
    uint64_t mixed[8], next[8];
    for (int bit = 0; bit < 8; bit++) mixed[bit] = shift_bytes(now[bit]);
    mix_bytes(mixed, mixed);
    const bool p = step & 1;
    for (int bit = 0; bit < 8; bit++) {
      // 3.2: Q begins with the block, and P with the chain value, to which what both have become is
      // added, and the block. For the output (3.3) P alone counts, and begins without a block.
      next[bit] = (mixed[bit] & takes_mixed) ^ (chain[bit] & takes_chain);
      next[bit] ^= block[bit] & takes_block;
      chain[bit] ^= mixed[bit] & adds;
      // 3.4.1: of P in the first byte, of Q in the last one of its column.
      const uint64_t constant = step >> (bit + 1) & 1;
      next[bit] ^= p ? constant : (constant ^ 1) << 7;
      now[bit] = then[bit];
    }
    aes_lookup_planes(next, sbox);  // SubBytes (3.4.2)
    for (int bit = 0; bit < 8; bit++) then[bit] = next[bit];
    done = starts_p && output;
    output = starts_p ? last : output;
    last = starts_p ? closes : last;
    started = started || starts_p;
    if (load) {
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      // Behind the mark, at the end of a block: the number of blocks.
      if (step == STEPS - 1) {
        closes = marked;
        if (marked) word = big_endian(count);
        count++;
      }
      marked = marked || mark;
      const uint64_t planes = aes_turn(word);
      for (int bit = 0; bit < 8; bit++) {
        block[bit] = block[bit] >> 8 | (planes >> 8 * bit & 0xff) << 56;
      }
    }
    // What follows for the next round.
    const bool starts_q = step == STEPS - 1;
    starts_p = step == 0;
    step = starts_q ? 0 : step + 1;
    load = step >= FIRST && !last;
    const bool added = started && (starts_p || (starts_q && !output));
    adds = added ? ALL : 0;
    takes_mixed = (added && starts_p) || !(starts_q || starts_p) ? ALL : 0;
    takes_chain = starts_p ? ALL : 0;
    takes_block = starts_q || (starts_p && !last) ? ALL : 0;
  } while (!done);
  for (int word = 4; word < 8; word++) {
#pragma HLS unroll
    uint64_t planes = 0;
    for (int bit = 0; bit < 8; bit++) planes |= (chain[bit] >> 8 * word & 0xff) << 8 * bit;
    const lydite_stream64_beat beat = {.data = aes_turn(planes), .keep = 0xff, .last = word == 7};
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
