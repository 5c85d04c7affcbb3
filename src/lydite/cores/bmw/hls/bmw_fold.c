// SPDX-License-Identifier: Apache-2.0
//
// BMW-256 ("Blue Midnight Wish", 2009, as tweaked for round 2) from stream to stream, padding
// included, LANES words of the quadruple pipe a cycle, first those of f0, then those of f1: a core
// for `lydite bench`. Top function: bmw_fold.
//
// Block, double pipe and quadruple pipe turn by LANES words a cycle, so that what a word is made of
// always stands in the same places: in f0 W_i has words i + 5, i + 7, i + 10, i + 13 and i + 14 for
// each i (table 1.4), if not with the same signs. What f1 adds up of all words of f0 is added up
// while they come, and of what the next step's words add up what is there in this one.

#include "../../common/hls/message.h"

typedef uint32_t bmw_word;

#include "../compress.h"
#include "answers.h"

// 1 or 2.
#ifndef LANES
#define LANES 2
#endif
#define WORDS BMW_WORDS
#define BEATS 8  // of a block
#define ROOM 56  // bytes of a block before the length
#define F1 (WORDS / LANES)      // the step in which the words of f1 begin
#define F2 (2 * WORDS / LANES)  // the last step
// Beat i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (F2 + 1 - BEATS)

static const uint32_t constant = 0xaaaaaaa0;  // word 0 of that of the last compression (table 1.2)
// Of W_i (bit i) whether the words 5, 7, 10, 13 and 14 behind word i are subtracted.
static const uint8_t behind[5] = {5, 7, 10, 13, 14};
static const uint16_t minus[5] = {0x88c0, 0xcdbb, 0x9e54, 0x55e0, 0x438a};
// Which words of f0 (bit i) have s0, s1, ..., s4: numbers modulo 5.
static const uint16_t modulo5[5] = {0x8421, 0x0842, 0x1084, 0x2108, 0x4210};
// K_j of f1.
static const uint32_t round_constants[WORDS] = {
    0x55555550, 0x5aaaaaa5, 0x5ffffffa, 0x6555554f, 0x6aaaaaa4, 0x6ffffff9, 0x7555554e, 0x7aaaaaa3,
    0x7ffffff8, 0x8555554d, 0x8aaaaaa2, 0x8ffffff7, 0x9555554c, 0x9aaaaaa1, 0x9ffffff6, 0xa555554b,
};
static const uint8_t rotations[7] = {3, 7, 13, 16, 19, 23, 27};

static uint32_t any_rotation(uint32_t word, unsigned count) {
  for (int bit = 0; bit < 4; bit++) {
    if (count >> bit & 1) word = bmw_rotate(word, 1 << bit);
  }
  return word;
}

// What expand1 makes of a word: s of its number modulo 4.
static uint32_t s_of_expand1(unsigned number, uint32_t word) {
  const uint32_t even = number & 2 ? bmw_s(2, word) : bmw_s(0, word);
  const uint32_t odd = number & 2 ? bmw_s(3, word) : bmw_s(1, word);
  return number & 1 ? odd : even;
}

// What expand2 adds up for the word that comes LANES behind q, of words that are in q.
static uint32_t ahead_of(const uint32_t q[WORDS], int lane, uint32_t plain) {
  uint32_t term[8] = {plain};
  for (int i = 0; i < 7; i++) {
    const int at = lane + LANES + 2 * i + 1;
    if (at < WORDS) term[1 + i] = bmw_rotate(q[at], rotations[i]);
  }
  return ((term[0] + term[1]) + (term[2] + term[3])) + ((term[4] + term[5]) + (term[6] + term[7]));
}

// The same in the step of the word, but for the last one before it.
static uint32_t of_expand2(const uint32_t q[WORDS], int lane, uint32_t ahead) {
  uint32_t newest = bmw_s(4, q[lane + 14]);
  if (lane + LANES + 13 >= WORDS) newest += bmw_rotate(q[lane + 13], rotations[6]);
  return ahead + newest;
}

// What the number of a word of f0 decides: which words behind it are subtracted, and how many;
// which s it has.
typedef struct {
  bool minus[5], spreads[5];
  uint8_t ones;
} f0_choice;

static f0_choice choice_of(unsigned number) {
  f0_choice choice = {.ones = 0};
  for (int i = 0; i < 5; i++) {
    choice.minus[i] = minus[i] >> number & 1;
    choice.spreads[i] = modulo5[i] >> number & 1;
    choice.ones += choice.minus[i];
  }
  return choice;
}

// A word of f0, of a block and a double pipe that begin there, and the next word of the latter.
static uint32_t of_f0(const f0_choice *choice, const uint32_t x[WORDS], const uint32_t h[WORDS],
                      uint32_t next) {
  uint32_t term[5];  // what is subtracted: its bits turned, and a one
  for (int i = 0; i < 5; i++) {
    term[i] = x[behind[i]] ^ h[behind[i]] ^ (choice->minus[i] ? 0xffffffff : 0);
  }
  const uint32_t w = ((term[0] + term[1]) + (term[2] + term[3])) + (term[4] + choice->ones);
  uint32_t spread = 0;
  for (int s = 0; s < 5; s++) {
    if (choice->spreads[s]) spread |= bmw_s(s, w);
  }
  return spread + next;
}

static void turn(uint32_t words[WORDS], const uint32_t in[LANES]) {
  for (int i = 0; i < WORDS - LANES; i++) words[i] = words[i + LANES];
  for (int k = 0; k < LANES; k++) words[WORDS - LANES + k] = in[k];
}

void bmw_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t h[WORDS], x[WORDS] = {0};  // the double pipe; the block, and then the words of f0
  uint32_t m[WORDS] = {0};            // the block, word i rotated by i + 1
  uint32_t q[WORDS] = {0};            // the last words of the quadruple pipe, zeros before them
  uint32_t plain[2] = {0};            // words 0, 2, ..., 12 of q added up, and 1, 3, ..., 13
  uint32_t sums[2] = {0};             // what expand1 adds up of them in its two rounds
  uint32_t ahead[LANES] = {0};        // what expand2 adds up for the words of the next step
  uint64_t block[BEATS] = {0};
  for (unsigned i = 0; i < WORDS; i++) {
    // Table 1.1; it turns while the first block comes.
    h[i] = 0x40414243u + 0x04040404u * ((i + FIRST * LANES) % WORDS);
  }
  message_place place = {.more = true, .mark = false, .bytes = 0};
  bool load = true;      // beats of a block come
  bool marked = false;   // the message has ended
  bool spare = false;    // its mark left no room for the length
  bool running = false;  // a block is worked on
  bool last = false;     // it is the last one, or was
  bool final = false;    // it is the last compression: of the double pipe, with a constant one
  bool done;
  uint8_t step = FIRST;
  f0_choice choices[LANES] = {0};  // of the words of the step
  do {
    // LANES words, and of the next block a beat, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == F2, in_f1 = step >= F1;
    done = ends && final;
    if (load) {
      uint64_t word;
      if (message_word(&word, s_axis, &place)) marked = true;
      for (int i = 0; i < BEATS - 1; i++) block[i] = block[i + 1];
      block[BEATS - 1] = word;
    }
    if (ends) {
      uint32_t pipe[2 * WORDS], came[WORDS];
      for (int i = 0; i < WORDS; i++) {
        pipe[i] = x[i];
        pipe[WORDS + i] = q[i];
        came[i] = bmw_rotate(m[i], 31 - i);
        q[i] = 0;
      }
      if (running) bmw_f2(h, came, pipe);
      for (int i = 0; i < 2; i++) plain[i] = sums[i] = 0;
      final = last;
      const bool closes = marked && (spare || place.bytes % 64 < ROOM);
      if (closes) block[7] |= place.bytes << 3;
      for (unsigned i = 0; i < WORDS; i++) {
        const uint32_t word = (uint32_t)(block[i / 2] >> i % 2 * 32);
        x[i] = final ? constant + i : word;
      }
      spare = marked && !closes;
      last = closes;
      running = true;
    } else {
      const unsigned number = step * LANES % WORDS;
      uint32_t added[2 + LANES], of_f1[LANES];
      uint32_t h_in[LANES], x_in[LANES], m_in[LANES], q_in[LANES], ahead_in[LANES];
      for (int i = 0; i < 2; i++) added[i] = plain[i];
      for (int k = 0; k < LANES; k++) added[2 + k] = added[k] + (q[14 + k] - q[k]);
      for (int k = 0; k < LANES; k++) {
        // Word 0 of those that came a cycle before is not in the second round.
        const unsigned back = number + (unsigned)(WORDS + k - LANES);
        sums[0] += s_of_expand1(back + 1, q[WORDS - LANES + k]);
        if (k > 0 || step > 1) sums[1] += s_of_expand1(back, q[WORDS - LANES + k]);
      }
      for (int k = 0; k < LANES; k++) {
        const unsigned own = number + (unsigned)k;
        const uint32_t next = final ? x[k + 1] : h[k + 1];
        // In f0 block and double pipe may change places: of the last compression they do.
        const uint32_t came = final ? h[k] : x[k];
        const uint32_t behind7 = final ? constant + (own + 7) % WORDS : h[k + 7];
        const uint32_t of_expand1 = own & 1 ? sums[1] : sums[0];
        const uint32_t fixed = (m[k] + m[k + 3]) + (round_constants[own] - m[k + 10]);
        const uint32_t element = fixed ^ behind7;
        // The word before this one, which may be of the same step, is added last.
        if (k == 0) {
          const uint32_t settled = of_expand2(q, k, ahead[k]) + bmw_s(5, q[WORDS - 1]);
          of_f1[k] = element + (own < 2 ? of_expand1 : settled);
        } else {
          const uint32_t settled = own < 2 ? of_expand1 : of_expand2(q, k, ahead[k]);
          const uint32_t before = of_f1[k - 1];
          of_f1[k] = (element + settled) + (own < 2 ? bmw_s(0, before) : bmw_s(5, before));
        }
        ahead_in[k] = ahead_of(q, k, added[k + LANES]);
        h_in[k] = h[k];
        x_in[k] = in_f1 ? q[k] : x[k];
        m_in[k] = in_f1 ? m[k] : any_rotation(bmw_rotate(came, 1), own);
        q_in[k] = in_f1 ? of_f1[k] : of_f0(&choices[k], x + k, h + k, next);
      }
      for (int i = 0; i < 2; i++) plain[i] = added[LANES + i];
      for (int k = 0; k < LANES; k++) ahead[k] = ahead_in[k];
      turn(h, h_in);
      turn(x, x_in);
      turn(m, m_in);
      turn(q, q_in);
    }
    step = ends ? 0 : step + 1;
    for (unsigned k = 0; k < LANES; k++) choices[k] = choice_of((step * LANES + k) % WORDS);
    load = step >= FIRST && !last;
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = (uint64_t)h[9 + 2 * i] << 32 | h[8 + 2 * i];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

int main(void) { return message_check(bmw_fold, answers, sizeof answers / sizeof *answers); }
