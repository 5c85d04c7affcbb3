// SPDX-License-Identifier: Apache-2.0
//
// Search for a key of DES (FIPS 46-3) in a range, ENGINES keys a cycle: the SRC-6E's DES breaker
// (Fidanci et al., 2003) as a core for `lydite bench`; top function: des_search. A call is a
// search: packets of 8 bytes, each ended by `last`, and perhaps by a beat without bytes: the first
// key, the last one, plaintext, ciphertext, second plaintext, second ciphertext. Keys are in the
// order of their bits without parity, which is not looked at. Out come a byte, 1 if there is such a
// key, else 0, and the lowest one, with odd parity, or nothing. `des` is a module in Verilog with
// des_macro.toml.

#include "des_call.h"

#ifndef ENGINES
#define ENGINES 1
#endif

// The word of a packet; behind it may be a beat without bytes.
static uint64_t word_of(lydite_stream64 *s_axis) {
  const lydite_stream64_beat beat = lydite_stream64_read(s_axis);
  if (!beat.last) lydite_stream64_read(s_axis);
  return turned(beat.data);
}

// A key without parity as a number; byte 1 on top.
static uint64_t number_of(uint64_t key) {
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS unroll
    number = number << 7 | (key >> (57 - 8 * i) & 127);
  }
  return number;
}

// The key of a number, with odd parity.
static inline uint64_t key_of(uint64_t number) {
  uint64_t key = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS unroll
    const uint64_t seven = number >> (49 - 7 * i) & 127;
    const uint64_t folded = seven ^ seven >> 4;
    const uint64_t odd = (folded ^ folded >> 1 ^ folded >> 2 ^ folded >> 3) & 1;
    key = key << 8 | seven << 1 | (odd ^ 1);
  }
  return key;
}

void des_search(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t next = number_of(word_of(s_axis));
  const uint64_t last = number_of(word_of(s_axis));
  const uint64_t plaintext = word_of(s_axis), ciphertext = word_of(s_axis);
  const uint64_t plaintext2 = word_of(s_axis), ciphertext2 = word_of(s_axis);
  uint64_t found = 0;
  bool right = false;
  while (!right && next <= last) {
    // The next key that is right for the first pair: one of 2^64 by chance.
    bool hit = false;
    do {
#pragma HLS pipeline II=1
      for (int i = ENGINES - 1; i >= 0; i--) {
#pragma HLS unroll
        const uint64_t number = next + (uint64_t)i;
        if (des(plaintext, key_of(number), 0) == ciphertext && number <= last) {
          hit = true;
          found = number;
        }
      }
      next += ENGINES;
    } while (!hit && next <= last);
    if (hit) {
      right = des(plaintext2, key_of(found), 0) == ciphertext2;
      next = found + 1;
    }
  }
  const lydite_stream64_beat verdict = {.data = right, .keep = 1, .last = true};
  lydite_stream64_write(m_axis, verdict);
  const lydite_stream64_beat key = {
      .data = turned(key_of(found)), .keep = right ? 0xff : 0, .last = true};
  lydite_stream64_write(m_axis, key);
}

// CAVP TECBMMT1, ENCRYPT 2: its first two blocks.
static const uint64_t answer_key = 0xf175d52a388ff4ba;
static const uint64_t answer_pairs[4] = {0xff2dd14dcedeaa43, 0x56535e4661ff6bf8,
                                         0xb12a26ee8f2d82ea, 0x92ad5f3593179a0f};

// A search from so many keys before to so many behind; 0 if it answers as it should.
static int check(int64_t before, int64_t behind, unsigned flip) {
  lydite_stream64 in = {0}, out = {0};
  const int64_t number = (int64_t)number_of(answer_key);
  const bool there = before >= 0 && behind >= 0 && flip == 0;
  const uint64_t words[6] = {key_of((uint64_t)(number - before)),
                             key_of((uint64_t)(number + behind)),
                             answer_pairs[0], answer_pairs[1], answer_pairs[2],
                             answer_pairs[3] ^ flip};
  for (int i = 0; i < 6; i++) {
    const lydite_stream64_beat beat = {.data = turned(words[i]), .keep = 0xff, .last = true};
    lydite_stream64_write(&in, beat);
  }
  des_search(&in, &out);
  const lydite_stream64_beat verdict = lydite_stream64_read(&out), key = lydite_stream64_read(&out);
  const int wrong = (verdict.data & 0xff) != there || (key.keep != 0) != there ||
                    (there && turned(key.data) != answer_key);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong;
}

int main(void) {
  return check(0, 0, 0) | check(0, 9, 0) | check(9, 0, 0) | check(30, 30, 0) | check(30, 30, 1) |
         check(9, -1, 0) | check(-1, 9, 0) | check(-3, -3, 0);
}
