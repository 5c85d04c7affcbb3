// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 ("The Hash Function Hamsi", 2009) from stream to stream, padding included, a round a
// cycle: a core for `lydite bench`. Top function: hamsi256.

#include "../../common/hls/message32.h"
#include "../code.h"

// Eight words of one, whose lowest byte is the first.
static void expand(uint32_t m[8], uint32_t word) {
  for (int i = 0; i < 8; i++) m[i] = 0;
  for (int element = 0; element < 16; element++) {
    // Element (a, b) is a + b w; w times it is b + (a + b) w.
    const uint32_t *const one = hamsi_code[element];
    const bool low = word >> 2 * element & 1, high = word >> (2 * element + 1) & 1;
    for (int i = 0; i < 4; i++) {
      m[i] ^= (low ? one[i] : 0) ^ (high ? one[4 + i] : 0);
      m[4 + i] ^= (low ? one[4 + i] : 0) ^ (high ? one[i] ^ one[4 + i] : 0);
    }
  }
}

static uint32_t left(uint32_t word, int count) { return word << count | word >> (32 - count); }

// The S-box on the bits in one place of four words, as sums of products, and L.
static void substitute(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  const uint32_t a = *w0, b = *w1, c = *w2, d = *w3;
  *w0 = b ^ d ^ (c & ~a);
  *w1 = a ^ b ^ c ^ (b & c & ~a) ^ (d & ((a & ~b) ^ (c & ~a)));
  *w2 = a ^ b ^ d ^ (b & c) ^ (d & ~a & (b ^ c));
  *w3 = ~(a ^ b ^ c ^ (a & b & c) ^ (b & d));
}

static void diffuse(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  const uint32_t a = left(*w0, 13), c = left(*w2, 3);
  *w1 = left(*w1 ^ a ^ c, 1);
  *w3 = left(*w3 ^ c ^ a << 3, 7);
  *w0 = left(a ^ *w1 ^ *w3, 5);
  *w2 = left(c ^ *w3 ^ *w1 << 7, 22);
}

static void round_of(uint32_t s[16], const uint32_t constant[16]) {
  for (int i = 0; i < 16; i++) s[i] ^= constant[i];
  for (int j = 0; j < 4; j++) substitute(&s[j], &s[4 + j], &s[8 + j], &s[12 + j]);
  for (int j = 0; j < 4; j++) {
    diffuse(&s[j], &s[4 + (j + 1) % 4], &s[8 + (j + 2) % 4], &s[12 + (j + 3) % 4]);
  }
}

void hamsi256(lydite_stream32 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Registers, and logic.
  uint32_t chain[8], s[16];
#pragma HLS array_partition variable=s complete
#pragma HLS array_partition variable=hamsi_code complete dim=0
#pragma HLS array_partition variable=hamsi_alpha complete dim=0
  for (int i = 0; i < 8; i++) chain[i] = hamsi_initial[i];
  message32_place place = {.more = true};
  uint32_t word;
  message32_word(&word, s_axis, &place, 0x80);
  for (int i = 0; i < 16; i++) s[i] = 0;
  bool running = false;                    // rounds are of a word
  bool final = false, next_final = false;  // the word, and the one behind it, is the last one
  bool ends = true;                        // the round is the last one of what is worked on
  bool done;
  uint8_t step = HAMSI_ROUNDS - 1;
  do {
    // A round a cycle; the next word is read in the first one, and expanded in the last one.
#pragma HLS pipeline II=1
    uint32_t constant[16];
    for (int i = 0; i < 16; i++) constant[i] = hamsi_alpha[final][i / 4][i % 4];
    constant[1] ^= step;
    round_of(s, constant);
    done = final && ends;
    if (ends) {
      // Rows of four words, of which two are of m and two of the chaining value.
      uint32_t m[8];
      expand(m, word);
      for (int i = 0; i < 8; i++) chain[i] ^= running ? s[i < 4 ? i : 4 + i] : 0;
      for (int i = 0; i < 2; i++) {
        s[i] = m[i];
        s[2 + i] = chain[i];
        s[4 + i] = chain[2 + i];
        s[6 + i] = m[2 + i];
        s[8 + i] = m[4 + i];
        s[10 + i] = chain[4 + i];
        s[12 + i] = chain[6 + i];
        s[14 + i] = m[6 + i];
      }
    }
    if (step == 0 && !final) next_final = message32_word(&word, s_axis, &place, 0x80);
    step = ends ? 0 : step + 1;
    if (ends) {
      running = true;
      final = next_final;
    }
    ends = step == (final ? HAMSI_FINAL_ROUNDS : HAMSI_ROUNDS) - 1;
  } while (!done);
  for (int i = 0; i < 8; i++) {
    const uint32_t data = message32_swap(chain[i]);
    const lydite_stream32_beat beat = {.data = data, .keep = 0xf, .last = i == 7};
    lydite_stream32_write(m_axis, beat);
  }
}

static const message32_answer answers[] = {
    {0,
     {0xc49e0e75, 0x62dbf469, 0x0c7eee6b, 0x1baadd10,
      0x94e11fd0, 0xabfb4eb9, 0x6447d2eb, 0xe9132bdc}},
    {1,
     {0xe54a070c, 0x559a5bda, 0xa3405a72, 0x077130df,
      0x0888c969, 0x7a51f12c, 0x8410d123, 0x99d37cb9}},
    {3,
     {0xefcfa61a, 0xca54fe00, 0x0dc3797d, 0x735a75d1,
      0xdb13bded, 0x784d6f60, 0x4d0e158c, 0xc5430b70}},
    {4,
     {0x0755bab5, 0x0a1b4db2, 0xa65e6746, 0x2932c321,
      0xf6edc4ac, 0x3f71f4f4, 0x7a448ee1, 0x7a9a9c46}},
    {5,
     {0x94e51d10, 0x914b4d35, 0x8da9aa45, 0xb924ba0d,
      0x75a95a20, 0xcf498cba, 0x95269266, 0x0daecf99}},
    {7,
     {0x365b9324, 0xe61e0283, 0x54be794b, 0x0ddbab34,
      0x5c2f90d7, 0x5ab4a6a6, 0xc02a8ce2, 0x07e866ae}},
    {8,
     {0xdabccccc, 0x70e667b0, 0x6eefae03, 0x27d063e9,
      0xe0b5d74e, 0x7c0d549c, 0xf2c46416, 0x2ba0b209}},
    {9,
     {0xeb4302d7, 0xa52b8272, 0x5d320b6c, 0xd3e6e3de,
      0x6d479933, 0x2741b551, 0x3fee9760, 0xa486eb11}},
    {31,
     {0xce9ed660, 0xb9fa0951, 0x8981ae1e, 0xf85f768a,
      0x9ae88fe9, 0x2bc199ef, 0x9dd339cf, 0x4938199a}},
    {32,
     {0x2a9985b1, 0xbf7d8605, 0x72a50670, 0xe7b9b0ee,
      0xf8d8e447, 0xeb194a8b, 0x6233b058, 0x2785864e}},
    {33,
     {0xd2538ffc, 0x7cd6ff05, 0x7df367aa, 0x269606a0,
      0xc1783226, 0x4aab333a, 0xe9b8fe53, 0x88574f56}},
    {64,
     {0x0cd377e1, 0x79ff5374, 0x553110b6, 0x3c61a8cb,
      0x4ce6bbec, 0xd38619be, 0x69e8ee02, 0x3a6097d5}},
    {100,
     {0xb6491ea0, 0x6c00237b, 0xa0ea6768, 0x57b36bd0,
      0xb5274caa, 0xbaa8947a, 0x0ee5f6e7, 0xab85223b}},
    {200,
     {0x08bc689d, 0x3283f427, 0xd13045b6, 0x160d807c,
      0xeb92c39d, 0x76d51ea7, 0x0a78217f, 0x949c71b1}},
};

int main(void) { return message32_check(hamsi256, answers, sizeof answers / sizeof *answers); }
