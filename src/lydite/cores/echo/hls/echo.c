// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 ("SHA-3 Proposal: ECHO", 1.5, 2009), without salt, from stream to stream, padding
// included, a round in three cycles, two of AES on all words at once, and one of BIG.ShiftRows and
// BIG.MixColumns: a core for `lydite bench`. Top function: echo256.

#include "../../common/sw/aes_sbox.h"
#include "../../common/hls/aes_planes.h"
#include "../../common/hls/message.h"

#define STEPS 24      // of a block: three for each of eight rounds
#define LENGTH 22     // the word of a block with the length
#define SIZE_BYTES 6  // of the word before it, in front of the size of the digest

#define ENTRY(byte) byte,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// States are planes of four words of AES, the columns of the function.
static const uint64_t initial = 0x0002000200020002;  // 256 in each word: of plane 0

// BIG.ShiftRows (2.2): row r of a column comes from r columns further on.
static void big_shift(uint64_t shifted[4][8], const uint64_t state[4][8]) {
  for (int column = 0; column < 4; column++) {
    for (int bit = 0; bit < 8; bit++) {
      shifted[column][bit] = 0;
      for (int r = 0; r < 4; r++) {
        shifted[column][bit] |= state[(column + r) % 4][bit] & UINT64_C(0xffff) << 16 * r;
      }
    }
  }
}

// BIG.MixColumns (2.2) of a column.
static void big_mix(uint64_t mixed[8], const uint64_t column[8]) {
  uint64_t rows[4][8];
  for (int r = 0; r < 4; r++) {
    for (int bit = 0; bit < 8; bit++) {
      rows[r][bit] = column[bit] >> 16 * r | column[bit] << (64 - 16 * r) % 64;
    }
  }
  aes_mix_planes(mixed, rows);
}

void echo256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Copies of the table in block RAM, whose registers hold the state.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  // In `state` what is behind the S-boxes, in `second` behind the second round of AES, in `sum` the
  // chaining variable and the block that is worked on, for BIG.Final.
  uint64_t state[4][8] = {{0}}, second[4][8] = {{0}}, block[3][8] = {{0}}, sum[8] = {0};
  uint64_t counter = 0;  // bits by 8
  message_place place = {.more = true, .mark = false};
  bool marked = false;   // the message has ended
  bool closes = false;   // the block that comes, or came, is the last one
  bool blank = false;    // it has no byte of the message
  bool running = false;  // a block is worked on
  bool last = false;     // it is the last one
  bool mixes = false, ends = false, done;  // of a round, of a block
  uint8_t step = 0;
  do {
    // A third of a round, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    const uint64_t before = place.bytes;
    uint64_t word;  // behind the message there are none: nothing of the next one comes in
    const bool mark = message_word(&word, s_axis, &place);
    if (step == 0) {
      blank = place.bytes == before;
      closes = marked;
    }
    // Behind the mark: bits of the digest in 2 bytes, of the message in 16.
    const bool fits = step < LENGTH - 1 || (step == LENGTH - 1 && place.bytes % 8 < SIZE_BYTES);
    closes = closes || (mark && fits);
    marked = marked || mark;
    if (closes && step == LENGTH - 1) word |= UINT64_C(256) << 8 * SIZE_BYTES;
    if (closes && step == LENGTH) word = 8 * place.bytes;
    const uint64_t planes = aes_turn(word);
    for (int bit = 0; bit < 8; bit++) {
      block[0][bit] = block[0][bit] >> 8 | block[1][bit] << 56;
      block[1][bit] = block[1][bit] >> 8 | block[2][bit] << 56;
      block[2][bit] = block[2][bit] >> 8 | (planes >> 8 * bit & 0xff) << 56;
    }
    uint64_t shifted[4][8], folded[8] = {0}, chain[8], carried[8];
    big_shift(shifted, second);
    for (int column = 0; column < 4; column++) {
      for (int bit = 0; bit < 8; bit++) folded[bit] ^= shifted[column][bit];
    }
    // BIG.Final, of what mixing is linear in, and the next block.
    big_mix(folded, folded);
    for (int bit = 0; bit < 8; bit++) {
      chain[bit] = running ? sum[bit] ^ folded[bit] : bit == 0 ? initial : 0;
      carried[bit] = chain[bit] ^ block[0][bit] ^ block[1][bit] ^ block[2][bit];
      sum[bit] = ends ? carried[bit] : sum[bit];
    }
    for (int column = 0; column < 4; column++) {
      // BIG.SubWords: the key of word n in the first of two rounds is the counter and n, the salt
      // is zero.
      uint64_t key[8] = {0}, mixed[8], next[8];
      for (int r = 0; r < 4; r++) {
        const uint64_t low = (uint64_t)(4 * column + r) % 8;
        const uint64_t planes = aes_turn((counter + (uint64_t)column / 2) << 3 | low);
        for (int bit = 0; bit < 8; bit++) key[bit] |= (planes >> 8 * bit & 0xff) << 16 * r;
      }
      big_mix(mixed, shifted[column]);
      aes_diffuse_planes(state[column]);
      for (int bit = 0; bit < 8; bit++) {
        next[bit] = mixes ? mixed[bit] : state[column][bit] ^ key[bit];
        next[bit] = ends ? (column == 0 ? chain[bit] : block[column - 1][bit]) : next[bit];
        second[column][bit] = state[column][bit];
        state[column][bit] = next[bit];
      }
      aes_lookup_planes(state[column], sbox);
    }
    counter = ends ? (blank ? 0 : place.bytes) : counter + (mixes ? 2 : 0);
    // What follows for the next cycle.
    done = ends && last;
    last = ends ? closes : last;
    running = running || ends;
    step = ends ? 0 : step + 1;
    mixes = step % 3 == 2;
    ends = step == STEPS - 1;
  } while (!done);
  for (int word = 0; word < 4; word++) {
    uint64_t planes = 0;
    for (int bit = 0; bit < 8; bit++) {
      // The chaining variable: `block` is what was added to it.
      const uint64_t chain = sum[bit] ^ block[0][bit] ^ block[1][bit] ^ block[2][bit];
      planes |= (chain >> 8 * word & 0xff) << 8 * bit;
    }
    const lydite_stream64_beat beat = {.data = aes_turn(planes), .keep = 0xff, .last = word == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x9a9925d409cd9644, 0xc9d37fee8951a7ef, 0x3298a84c9eaa6273, 0x8897514b0ad20280}},
    {1, {0x1c2ba836a46a14bd, 0x87b69418b01e5310, 0xabc48c8b1828099f, 0xbe9a4a08e3586106}},
    {7, {0x9d3d80133d28234a, 0x4b4ab9f3dc99ff69, 0xaddcf521bafc5baf, 0xedd53c572db44ec9}},
    {8, {0x68f009511a283079, 0xfd6b8948b63615a4, 0x68b52769a5194da2, 0xdaa9193a81e6421e}},
    {167, {0x55e28b024a034c6a, 0xacc61eff48b8d2e9, 0x974b9a37e9d7549f, 0x2e041124a43c4883}},
    {168, {0x7ba99b3530c9e545, 0xbe2ce2630f79bbdb, 0xbef20cf12ce0ede8, 0x8bf765cca809e6bc}},
    {173, {0x21783340e7683387, 0xc4f8734d3cecfaa9, 0xa370d35cdca59033, 0x1407d964ba21851c}},
    {174, {0x89fbd7945ce267dc, 0x261f0c74452cb249, 0xb5f5a9edf25cca61, 0x3c42f3f99f986fb2}},
    {175, {0xae51143664f0ae21, 0x349cb75255b21b2c, 0x556da3f9568c6e45, 0x520ef74d5cd5d255}},
    {191, {0xeaa1de98857c691d, 0x40ab3038b36dd30d, 0xd07002526d6d95de, 0xd876310d9b9cedeb}},
    {192, {0x5b6930ddea223580, 0x447976652bec1cc5, 0xb250790a7dcf4cb6, 0x5c13ae0bc818d9a3}},
    {193, {0xc6c2389fd8a2e5f2, 0xdaa398bc3ba8a05d, 0xe6aa535a6592ed84, 0xaae7324ab7dab009}},
    {366, {0xe9075a7e6c77edd7, 0xad9115d11e35c30d, 0xec2e293dfe1fbdef, 0x873f732187883e65}},
    {384, {0x2df2ff26b778c192, 0xaba0df3a14609409, 0xa2cdc15c120b7ba8, 0xeaa1a4f2d08cf3a6}},
    {600, {0x8490be3f1c5ba144, 0x840c22d4372000b3, 0xbb614065bba9d9ec, 0x174c876e47f89999}},
};

int main(void) { return message_check(echo256, answers, sizeof answers / sizeof *answers); }
