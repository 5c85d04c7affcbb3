// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 ("Shabal, a Submission to NIST's Cryptographic Hash Algorithm Competition") from
// stream to stream, padding included, a word a cycle: a core for `lydite bench`. Top function:
// shabal256.

#include "../../common/hls/message.h"

#define WORDS 16  // of a block, of B and of C, 32 bits each
#define STEPS 48
#define FINAL_ROUNDS 3
// A word of 64 bits of the next block is read in each of the last steps.
#define FIRST (WORDS + STEPS - WORDS / 2)

// The state before a message; the first four words of A mean nothing.
static const uint32_t initial_a[WORDS] = {
    0x00000000, 0x00000000, 0x00000000, 0x00000000, 0x52f84552, 0xe54b7999, 0x2d8ee3ec, 0xb9645191,
    0xe0078b86, 0xbb7c44c9, 0xd2b5c1ca, 0xb0d2eb8c, 0x14ce5a45, 0x22af50dc, 0xeffdbc6b, 0xeb21b74a,
};
static const uint32_t initial_b[WORDS] = {
    0xb555c6ee, 0x3e710596, 0xa72a652f, 0x9301515f, 0xda28c1fa, 0x696fd868, 0x9cb6bf72, 0x0afe4002,
    0xa6e03615, 0x5138c1d4, 0xbe216306, 0xb38b8890, 0x3ea8b96b, 0x3299ace4, 0x30924dd4, 0x55cb34a5,
};
static const uint32_t initial_c[WORDS] = {
    0xb405f031, 0xc4233eba, 0xb3733979, 0xc0dd9d55, 0xc51c28ae, 0xa327b8e1, 0x56c56167, 0xed614433,
    0x88b59d60, 0x60e2ceba, 0x758b4b8b, 0x83e82a7f, 0xbc968828, 0xe6e00bf7, 0xba839e55, 0x9b491c60,
};

static uint32_t rotate_left(uint32_t word, int count) {
  return word << count | word >> (32 - count);
}

// Gives the first word of a queue away, and takes one in behind.
static void shift(uint32_t queue[WORDS], uint32_t word) {
  for (int i = 0; i < WORDS - 1; i++) queue[i] = queue[i + 1];
  queue[WORDS - 1] = word;
}

void shabal256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // B, and behind four words A, are queues: what a step makes comes in behind. C and M, and the
  // block that comes, are memories of which a cycle reads a word and writes one.
  uint32_t a[WORDS] = {0}, b[WORDS] = {0}, c[WORDS], m[WORDS];
  uint64_t incoming[WORDS / 2];
#pragma HLS array_partition variable=a complete
#pragma HLS array_partition variable=b complete
#pragma HLS bind_storage variable=c type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=m type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=incoming type=ram_s2p impl=lutram
  message_place place = {.more = true, .mark = false};
  bool marked = false;  // the message has ended in what was read
  for (int i = 0; i < WORDS / 2; i++) {
#pragma HLS pipeline II=1
    uint64_t word;
    marked = message_word(&word, s_axis, &place) || marked;
    incoming[i] = word;
  }
  bool first = true;     // the block that is worked on is the first one
  bool last = marked;    // it is the last one
  unsigned behind = 0;   // rounds behind it, this one included
  uint64_t counter = 1;  // W
  // Of C and M, and of W: known a cycle ahead, as all is that the count decides.
  uint32_t key = 0, block = 0, w = 0;
  bool brings = true, done;
  uint8_t count = 0;
  do {
    // A word of a block, or a step, a cycle.
#pragma HLS pipeline II=1
    const uint8_t i = count % WORDS;
    const bool ends = count == WORDS + STEPS - 1;
    // What follows for the next cycle. None of the words is read that is written in this one.
    const uint8_t next = ends ? 0 : count + 1;
    const bool brings_next = next < WORDS;
    const uint8_t back = WORDS / 2 + WORDS - next % WORDS;
    const uint32_t key_next = c[(brings_next ? next : back) % WORDS], block_next = m[next % WORDS];
    uint32_t a_new, b_new;
    if (brings) {
      // The old block is subtracted from C and the new one added, and B and C are exchanged. In the
      // rounds behind the last block the new one is the old one.
      const uint32_t arrived = (uint32_t)(incoming[i / 2] >> i % 2 * 32);
      const uint32_t comes = behind == 0 ? arrived : block;
      b_new = rotate_left((first ? initial_b[i] : key - block) + comes, 17);
      a_new = first ? initial_a[i] : a[0];
      // A[j] gets C[j + 3], C[j + 11] and C[j + 15]: as A goes round it stands in these places.
      if (!first) {
        a[1] += key;
        a[5] += key;
        a[9] += key;
      }
      c[i] = first ? initial_c[i] : b[0];
      m[i] = comes;
    } else {
      // U and V, an addition each: no multiplier of the part is as fast.
      const uint32_t v = 5 * rotate_left(a[15], 15);
      const uint32_t u = 3 * (a[4] ^ w ^ v ^ key);
#pragma HLS bind_op variable=v op=mul impl=fabric
#pragma HLS bind_op variable=u op=mul impl=fabric
      a_new = u ^ b[13] ^ (b[9] & ~b[6]) ^ block;
      b_new = rotate_left(b[0], 1) ^ ~a_new;
    }
    shift(a, a_new);
    shift(b, b_new);
    if (!last && count >= FIRST) {
      uint64_t word;
      marked = message_word(&word, s_axis, &place) || marked;
      incoming[count % (WORDS / 2)] = word;
    }
    done = ends && behind == FINAL_ROUNDS;
    if (count == WORDS - 1) first = false;
    if (ends && last) behind++;
    if (ends && !last) {
      last = marked;
      counter++;
    }
    w = next == WORDS       ? (uint32_t)counter
        : next == WORDS + 1 ? (uint32_t)(counter >> 32)
                            : 0;
    key = key_next;
    block = block_next;
    brings = brings_next;
    count = next;
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = (uint64_t)b[9 + 2 * i] << 32 | b[8 + 2 * i];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xf1e9ee1fd150c7ae, 0xbea9f5ba2f927162, 0x20d7f89e01622f14, 0x14908870009458f8}},
    {1, {0x8114a1a1e0021b72, 0x5ff5b08c52028dbc, 0x7a6a2fff0eae6c64, 0x283ccf8d91e0d090}},
    {7, {0xd0af13b26d389f13, 0xaa722fa7ec58ff76, 0xab54ee4a46947dbb, 0x31420e28154040a7}},
    {8, {0x35b54ec6d56e70fd, 0x6e6f8de1cfeb1090, 0x4b28c598d0c10aef, 0x81f978255052ae19}},
    {9, {0xb4e53b5ec2866f9f, 0x7167097f42d6f9b4, 0x663305328eb7ccb3, 0x6fe110af04481c5c}},
    {55, {0xebd9f1329efcb5a5, 0x8f001fdacb914210, 0x3505775c828f3616, 0x522bdfd79713a146}},
    {56, {0x026b2ddbb247c604, 0xbac3abffd0d7da65, 0xa35a1ff79cee4b49, 0x977f6bf1ee0b88a3}},
    {63, {0x1d8a3cfb956a9c97, 0x424db2773557ba9a, 0x1101a2115a4f0e9f, 0xca170d36c061462c}},
    {64, {0x74ce985128d3bf29, 0x8447f8d911428097, 0xfce1e4fc4705a362, 0xf196ea82563c090f}},
    {65, {0x83e52dc3ad4056d8, 0x81cc70d9c6a413f2, 0x9e3fc910eb0d4bc3, 0xc6cc54194ffe18eb}},
    {72, {0x134db73acaf48363, 0x751be515bf747c55, 0x84e3d539b8f5cae3, 0xf3697e4b3b1e5fe7}},
    {127, {0x986bf73b2ececad0, 0x4b4b90fbe9eb3a3c, 0xe7e5308d65a314b2, 0xb64af7d60c729df4}},
    {128, {0x25d806bcd7494eb1, 0x8cd6155b043b50d4, 0x749196a1dbe717bf, 0x6a3b3bf68393db75}},
    {129, {0x1d39a4c23860b657, 0x92c156980ff98c47, 0x43900863a527371d, 0x6c2ca2acd4fb58e0}},
    {200, {0x395f37b9c9245083, 0x0177b36d7f93eb9b, 0x6818ca4f79a46910, 0x98f1fd04339aff64}},
};

int main(void) { return message_check(shabal256, answers, sizeof answers / sizeof *answers); }
