// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256 of rounds 1 and 2 ("Groestl, a SHA-3 candidate") from stream to stream, padding
// included, half of a round of P or of Q a cycle: a core for `lydite bench`. Top function:
// groestl256_fold.
//
// A round is columns 0 to 3, and then columns 4 to 7, for which the halves of all states change
// places: then the same columns are made. Since both cycles need the whole state, what comes from
// the S-boxes is kept up to four cycles.

#include "../../common/sw/aes_sbox.h"
#include "../../common/hls/aes_planes.h"
#include "../../common/hls/message.h"

#define BLOCK_WORDS 8  // of 64 bits
#define CYCLES 40      // of ten rounds of each, two cycles a round
// Word i of a block is read in cycle FIRST + i of the one before it.
#define FIRST (CYCLES - BLOCK_WORDS)
#define PAST 4  // halves of states behind the S-boxes that are kept
#define HALF UINT64_C(0xffffffff)

#define ENTRY(byte) byte,
static const uint8_t sbox[256] = {AES_SBOX(ENTRY)};

// States are planes; byte i is in row i % 8 of column i / 8.
#define COLUMN UINT64_C(0x0101010101010101)  // row 0 of each column

// The first row of the matrix of MixBytes, which is circulant.
static const uint8_t factors[8] = {2, 2, 3, 4, 5, 3, 5, 7};

// What ShiftBytes (3.4.3) and MixBytes (3.4.4) make of a state: its first four columns count.
static void shift_mix(uint64_t out[8], const uint64_t state[8]) {
  uint64_t shifted[8], doubled[8];
  for (int bit = 0; bit < 8; bit++) {
    shifted[bit] = state[bit] & COLUMN;
    for (int i = 1; i < 8; i++) {
      shifted[bit] |= (state[bit] >> 8 * i | state[bit] << (64 - 8 * i)) & COLUMN << i;
    }
    out[bit] = 0;
  }
  for (int power = 2; power >= 0; power--) {
    aes_twice_planes(doubled, out);
    for (int bit = 0; bit < 8; bit++) {
      out[bit] = doubled[bit];
      for (int k = 0; k < 8; k++) {
        if (factors[k] >> power & 1) out[bit] ^= aes_turn_fields(shifted[bit], 8, k);
      }
      out[bit] &= HALF;
    }
  }
}

static uint64_t big_endian(uint64_t word) {
  uint64_t turned = 0;
  for (int byte = 0; byte < 8; byte++) turned |= (word >> 8 * byte & 0xff) << (56 - 8 * byte);
  return turned;
}

void groestl256_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Copies of the table in block RAM, two reads each.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  // Halves behind the S-boxes: of the last cycle, and of those before it, the oldest one first.
  uint64_t now[8] = {0}, past[PAST][8] = {{0}}, block[8] = {0};
#pragma HLS array_partition variable=past complete dim=0
  uint64_t chain[8] = {UINT64_C(1) << 62};  // 3.1: the bits of the digest, 256, in the last bytes
  uint64_t count = 1;                       // the number of the block that comes
  message_place place = {.more = true, .mark = false};
  bool load = true;      // words of a block come
  bool marked = false;   // the message has ended
  bool closes = false;   // the block that comes, or came, is the last one
  bool last = false;     // the one that is compressed is
  bool output = false;   // the output is made
  bool started = false;  // a block is compressed
  bool starts_p = false, ends_p = false, done;
  // Masks: what is added to the chain value, and what is there for the next cycle.
  uint64_t adds = 0, takes_mixed = HALF, takes_chain = 0, takes_low = 0, takes_high = 0;
  uint8_t cycle = FIRST;
  do {
    // Half a round of Q, then of P, and at the end of a block words of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool second = cycle & 1, p = cycle & 2;
    uint64_t state[8], mixed[8], next[8];
    for (int bit = 0; bit < 8; bit++) {
      state[bit] = past[1][bit] | (second ? past[0][bit] : past[2][bit]) << 32;
    }
    shift_mix(mixed, state);
    for (int bit = 0; bit < 8; bit++) {
      // 3.2: Q begins with the block, and P with the chain value, to which what both have become is
      // added, and the block. For the output (3.3) P alone counts, and begins without a block.
      next[bit] = (mixed[bit] & takes_mixed) ^ (chain[bit] & takes_chain);
      next[bit] ^= (block[bit] & takes_low) ^ (block[bit] >> 32 & takes_high);
      chain[bit] = chain[bit] >> 32 | (chain[bit] ^ (mixed[bit] & adds)) << 32;
      // 3.4.1: of P in the first byte, of Q in the last one of its column.
      const uint64_t constant = cycle >> (bit + 2) & 1;
      next[bit] ^= second ? 0 : p ? constant : (constant ^ 1) << 7;
      for (int i = 0; i < PAST - 1; i++) past[i][bit] = past[i + 1][bit];
      past[PAST - 1][bit] = now[bit];
    }
    aes_lookup_planes(next, sbox);  // SubBytes (3.4.2)
    for (int bit = 0; bit < 8; bit++) now[bit] = next[bit] & HALF;
    done = ends_p && output;
    output = ends_p ? last : output;
    last = ends_p ? closes : last;
    started = started || ends_p;
    if (load) {
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      // Behind the mark, at the end of a block: the number of blocks.
      if (cycle == CYCLES - 1) {
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
    // What follows for the next cycle: a first one of a half, or a second one.
    cycle = cycle == CYCLES - 1 ? 0 : cycle + 1;
    const bool starts_q = cycle < 2, later = cycle & 1;
    starts_p = cycle == 2 || cycle == 3;
    ends_p = cycle == 3;
    load = cycle >= FIRST && !last;
    const bool added = started && (starts_p || (starts_q && !output));
    const bool brings = starts_q || (starts_p && !last);
    adds = added ? HALF : 0;
    takes_mixed = (added && starts_p) || !(starts_q || starts_p) ? HALF : 0;
    takes_chain = starts_p ? HALF : 0;
    takes_low = brings && !later ? HALF : 0;
    takes_high = brings && later ? HALF : 0;
  } while (!done);
  for (int word = 4; word < 8; word++) {
#pragma HLS pipeline II=1
    uint64_t planes = 0;
    for (int bit = 0; bit < 8; bit++) planes |= (chain[bit] >> 8 * word & 0xff) << 8 * bit;
    const lydite_stream64_beat beat = {.data = aes_turn(planes), .keep = 0xff, .last = word == 7};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xdb191c86c62d466c, 0xcc4ba83d8f81fac6, 0x78a910db03b7eaf6, 0x7b8b9eea3366ec1e}},
    {1, {0xd9f2f30916c35e6a, 0xd3a55f6c777ea9b4, 0x18c7941cf5f66033, 0x29ba1f3bb4685202}},
    {8, {0x3bf220d1dc3a9e70, 0xf04085fe941506dd, 0x5656ae0799cd0090, 0xb07dd74ee83658c1}},
    {55, {0x9689be1bdcc35362, 0x7fc9e8dbc7a3caba, 0x9c18364b05aa8814, 0xc69ad870c14b8a55}},
    {56, {0xc873fc1a971e153b, 0x679a27bf1fdcc4f8, 0xbe8dc4651013b8c9, 0x6cc3adfe0e5a8c5c}},
    {63, {0x602795b376e921a1, 0x2f8e9dad6bd45ad3, 0xb2c6a8583f09a46d, 0x737303cdf2195a03}},
    {64, {0x2d7da79c4f25142e, 0x676bfce273bc920c, 0x2f6c41d0f6b0f277, 0xea7615caf692d3a5}},
    {119, {0x96e937713ae0a515, 0x7c6a200c909d9130, 0xf171a07b4555d5f8, 0xcb4707354659c075}},
    {120, {0xf3908357530bf3e4, 0x9707284755797c69, 0xe938201c3e25cc60, 0x2b3dd078ecf0dab2}},
    {200, {0xe86adcba9aa1a717, 0xd49bb7d093845c8e, 0x5ebb1c2521a8a0ba, 0x7fa086d5f775ed48}},
};

int main(void) { return message_check(groestl256_fold, answers, sizeof answers / sizeof *answers); }
