// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 ("SHA-3 Proposal: ECHO", 1.5, 2009), without salt, from stream to stream, padding
// included, four words a cycle, a column of the state: a core for `lydite bench`. Top function:
// echo_fold.
//
// A round is four columns behind each other, and two cycles until the last one is back. A column
// goes through BIG.ShiftRows and BIG.MixColumns, of the round before, then through two rounds of
// AES, and back into the state: memories of a row each, so that BIG.ShiftRows is where they are
// read. They hold the state of the round before, too, since its first column is read last.

#include "../../common/sw/aes_sbox.h"
#include "../../common/hls/aes_planes.h"
#include "../../common/hls/message.h"

#define STEPS 6       // of a round; columns go in in the first four
#define FINAL 8       // the round in which columns are added up alone
#define PLACES 16     // of a row: columns of two rounds, and from IDLE on what is of none
#define IDLE 8
#define WORDS 24      // of a block
#define COLUMN 8      // words of a column
#define COLUMNS 4     // of a block three, the first one is the chaining variable
#define LENGTH 22     // the word of a block with the length
#define SIZE_BYTES 6  // of the word before it, in front of the size of the digest
// The words of a block are read from this step of this round on, the last one when a block ends.
#define FIRST_ROUND 4
#define FIRST_STEP 4

#define ENTRY(byte) byte,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// Columns are planes of four words of AES, one a row.
static const uint64_t initial = 0x0002000200020002;  // 256 in each word: of plane 0

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

// The key of the first of two rounds (2.2): the counter and the number of the word; the salt is
// zero. `fours` counts columns.
static void add_key(uint64_t column[8], uint64_t fours) {
  for (unsigned r = 0; r < 4; r++) {
    const uint64_t planes = aes_turn(fours << 2 | r);
    for (int bit = 0; bit < 8; bit++) column[bit] ^= (planes >> 8 * bit & 0xff) << 16 * r;
  }
}

void echo_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Copies of the table in block RAM.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  // Of each row and plane the columns; of a block the words of its columns.
  uint16_t state[4][8][PLACES];
  uint64_t block[COLUMN][COLUMNS];
#pragma HLS array_partition variable=state complete dim=1
#pragma HLS array_partition variable=state complete dim=2
#pragma HLS bind_storage variable=state type=ram_s2p impl=lutram
#pragma HLS array_partition variable=block complete dim=1
#pragma HLS bind_storage variable=block type=ram_s2p impl=lutram
  // Behind the S-boxes of the first and of the second round of AES, and where that column goes.
  uint64_t first[8] = {0}, second[8] = {0};
  uint8_t first_place = IDLE, second_place = IDLE;
  uint64_t chain[8] = {initial};  // and the words of the block that is worked on, for BIG.Final
  uint64_t fours = 0;             // the key of the column behind the first S-boxes, by 4
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended
  bool closes = false;   // the block that comes, or came, is the last one
  bool blank = false;    // it has no byte of the message
  bool running = false;  // a block is worked on
  bool last = false;     // it is the last one
  bool begins = false, feeds = false, folds = false, done;
  uint8_t round = FIRST_ROUND, step = FIRST_STEP, fill = 0;
  do {
    // A column of a round, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    const uint8_t column = step % COLUMNS;
    uint64_t turned[8] = {0}, mixed[8], loaded[8] = {0}, back[8];
    for (int bit = 0; bit < 8; bit++) {
      for (int r = 0; r < 4; r++) {
        const uint8_t from = (uint8_t)((column + r) % 4 | (round % 2 ? 0 : 4));
        turned[bit] |= (uint64_t)state[r][bit][from] << 16 * r;
      }
      for (int i = 0; i < COLUMN; i++) {
        const uint64_t planes = block[i][column];
        loaded[bit] |= (planes >> 8 * bit & 0xff) << 8 * i;
      }
    }
    big_mix(mixed, turned);
    // The second round of AES, and back into the state.
    for (int bit = 0; bit < 8; bit++) back[bit] = second[bit];
    aes_diffuse_planes(back);
    for (int bit = 0; bit < 8; bit++) {
      for (int r = 0; r < 4; r++) state[r][bit][second_place] = (uint16_t)(back[bit] >> 16 * r);
    }
    aes_diffuse_planes(first);
    add_key(first, fours);
    for (int bit = 0; bit < 8; bit++) second[bit] = first[bit];
    aes_lookup_planes(second, sbox);
    // What goes into the first one: behind the last round the chaining variable and the block. Both
    // are added up, and to them what BIG.Final adds.
    for (int bit = 0; bit < 8; bit++) {
      const uint64_t comes = feeds ? loaded[bit] : mixed[bit];
      first[bit] = begins ? chain[bit] : comes;
      chain[bit] ^= folds ? comes : 0;
    }
    aes_lookup_planes(first, sbox);
    second_place = first_place;
    const bool enters = step < 4 && round != FINAL;
    first_place = enters ? (uint8_t)(column | (round % 2 ? 4 : 0)) : IDLE;
    if (begins) {
      fours = blank ? 0 : 2 * place.bytes;
    } else if (enters) {
      fours++;
    }
    const bool ends = round == FINAL && step == 3;
    done = ends && last;
    if (begins) last = closes;
    running = running || begins;
    if (load) {
      const uint64_t before = place.bytes;
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      if (fill == 0) {
        blank = place.bytes == before;
        closes = marked;
      }
      // Behind the mark: bits of the digest in 2 bytes, of the message in 16.
      const bool fits = fill < LENGTH - 1 || (fill == LENGTH - 1 && place.bytes % 8 < SIZE_BYTES);
      closes = closes || (mark && fits);
      marked = marked || mark;
      if (closes && fill == LENGTH - 1) word |= UINT64_C(256) << 8 * SIZE_BYTES;
      if (closes && fill == LENGTH) word = 8 * place.bytes;
      block[fill % COLUMN][fill / COLUMN + 1] = aes_turn(word);
    }
    // What follows for the next cycle.
    fill = load && fill != WORDS - 1 ? fill + 1 : 0;
    const bool over = ends || step == STEPS - 1;
    round = ends ? 0 : over ? round + 1 : round;
    step = over ? 0 : step + 1;
    // Behind the message nothing comes in.
    load = (load && !ends) || (round == FIRST_ROUND && step == FIRST_STEP);
    begins = round == 0 && step == 0;
    feeds = round == 0;
    folds = (feeds && step != 0 && step < 4) || (round == FINAL && running);
  } while (!done);
  for (int word = 0; word < 4; word++) {
#pragma HLS pipeline II=1
    uint64_t planes = 0;
    for (int bit = 0; bit < 8; bit++) planes |= (chain[bit] >> 8 * word & 0xff) << 8 * bit;
    const lydite_stream64_beat beat = {.data = aes_turn(planes), .keep = 0xff, .last = word == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x9a9925d409cd9644, 0xc9d37fee8951a7ef, 0x3298a84c9eaa6273, 0x8897514b0ad20280}},
    {1, {0x1c2ba836a46a14bd, 0x87b69418b01e5310, 0xabc48c8b1828099f, 0xbe9a4a08e3586106}},
    {8, {0x68f009511a283079, 0xfd6b8948b63615a4, 0x68b52769a5194da2, 0xdaa9193a81e6421e}},
    {167, {0x55e28b024a034c6a, 0xacc61eff48b8d2e9, 0x974b9a37e9d7549f, 0x2e041124a43c4883}},
    {168, {0x7ba99b3530c9e545, 0xbe2ce2630f79bbdb, 0xbef20cf12ce0ede8, 0x8bf765cca809e6bc}},
    {173, {0x21783340e7683387, 0xc4f8734d3cecfaa9, 0xa370d35cdca59033, 0x1407d964ba21851c}},
    {174, {0x89fbd7945ce267dc, 0x261f0c74452cb249, 0xb5f5a9edf25cca61, 0x3c42f3f99f986fb2}},
    {175, {0xae51143664f0ae21, 0x349cb75255b21b2c, 0x556da3f9568c6e45, 0x520ef74d5cd5d255}},
    {191, {0xeaa1de98857c691d, 0x40ab3038b36dd30d, 0xd07002526d6d95de, 0xd876310d9b9cedeb}},
    {192, {0x5b6930ddea223580, 0x447976652bec1cc5, 0xb250790a7dcf4cb6, 0x5c13ae0bc818d9a3}},
    {193, {0xc6c2389fd8a2e5f2, 0xdaa398bc3ba8a05d, 0xe6aa535a6592ed84, 0xaae7324ab7dab009}},
    {384, {0x2df2ff26b778c192, 0xaba0df3a14609409, 0xa2cdc15c120b7ba8, 0xeaa1a4f2d08cf3a6}},
    {600, {0x8490be3f1c5ba144, 0x840c22d4372000b3, 0xbb614065bba9d9ec, 0x174c876e47f89999}},
};

int main(void) { return message_check(echo_fold, answers, sizeof answers / sizeof *answers); }
