// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of round 2 ("The Hash Function JH") from stream to stream, padding included, a round a
// cycle: a core for `lydite bench`. Top function: jh256. ROUNDS is a macro of the build, by default
// 35, which `main` checks; 42 is JH-256 of round 3.

#include "../../common/hls/message.h"

#ifndef ROUNDS
#define ROUNDS 35
#endif

#define BLOCK_WORDS 8  // of 64 bits
#define ELEMENTS 256
// Behind 35 rounds a layer of S-boxes follows, behind 42 none.
#define LAYER (ROUNDS == 35)
// The step that ends a block. Word i of a block is read in step FIRST + i, the last one in the step
// that ends the one before.
#define LAST (LAYER ? ROUNDS : ROUNDS - 1)
#define FIRST (LAST + 1 - BLOCK_WORDS)

typedef uint8_t element;  // of 4 bits, its first bit highest

static const element sboxes[2][16] = {
    {9, 0, 4, 11, 13, 12, 3, 15, 1, 10, 2, 6, 7, 5, 8, 14},
    {3, 12, 6, 13, 5, 7, 1, 9, 15, 2, 0, 4, 11, 10, 14, 8},
};

// The constant of round 0, the fraction of the square root of 2.
static const element first_constant[ELEMENTS / 4] = {
    6, 10, 0, 9, 14, 6, 6, 7, 15, 3, 11, 12, 12, 9, 0, 8, 11, 2, 15, 11, 1, 3, 6, 6,
    14, 10, 9, 5, 7, 13, 3, 14, 3, 10, 13, 14, 12, 1, 7, 5, 1, 2, 7, 7, 5, 0, 9, 9,
    13, 10, 2, 15, 5, 9, 0, 11, 0, 6, 6, 7, 3, 2, 2, 10,
};

// The constant of round FIRST; and what the rounds from FIRST on make the initial value of JH-256
// of: they run while the first block comes in, which is added like all others.
#if ROUNDS == 35
static const element later_constant[ELEMENTS / 4] = {
    10, 11, 13, 0, 6, 12, 5, 2, 14, 13, 5, 8, 15, 15, 0, 9, 1, 2, 0, 5, 13, 0, 15, 6,
    2, 7, 5, 7, 4, 12, 8, 12, 11, 12, 1, 15, 14, 7, 12, 15, 7, 9, 2, 1, 0, 15, 5, 10,
    2, 2, 8, 6, 15, 6, 14, 2, 3, 10, 2, 7, 14, 15, 10, 0,
};
static const element before_initial[ELEMENTS] = {
    3, 7, 9, 0, 7, 13, 7, 6, 8, 13, 12, 14, 12, 4, 14, 4, 3, 6, 6, 13, 12, 8, 5, 8,
    7, 2, 12, 7, 10, 12, 3, 2, 13, 13, 10, 9, 0, 14, 5, 7, 10, 7, 12, 9, 3, 7, 8, 4,
    0, 7, 0, 3, 2, 12, 7, 15, 2, 2, 14, 13, 12, 3, 8, 7, 11, 13, 1, 3, 2, 7, 15, 8,
    1, 7, 15, 11, 5, 14, 7, 8, 15, 1, 0, 13, 5, 6, 15, 12, 4, 1, 13, 10, 11, 4, 15, 8,
    8, 9, 7, 8, 2, 0, 13, 9, 0, 10, 13, 9, 8, 0, 13, 9, 13, 8, 3, 1, 4, 12, 10, 15,
    2, 1, 7, 1, 9, 0, 9, 10, 2, 5, 0, 14, 8, 4, 1, 8, 8, 7, 13, 5, 13, 10, 8, 12,
    14, 3, 9, 5, 12, 8, 9, 6, 8, 10, 6, 6, 8, 4, 6, 7, 0, 5, 11, 10, 5, 11, 1, 6,
    7, 1, 11, 2, 0, 5, 4, 8, 8, 4, 4, 3, 15, 7, 5, 5, 10, 5, 10, 12, 5, 1, 11, 7,
    11, 9, 8, 8, 8, 0, 12, 8, 11, 14, 12, 13, 3, 13, 11, 11, 4, 6, 9, 11, 4, 11, 12, 4,
    8, 8, 7, 15, 7, 4, 4, 4, 4, 10, 2, 6, 14, 5, 11, 7, 8, 5, 14, 14, 5, 1, 15, 14,
    2, 6, 10, 10, 9, 6, 15, 2, 1, 12, 7, 7, 0, 1, 11, 8,
};
#else
static const element later_constant[ELEMENTS / 4] = {
    8, 14, 4, 14, 3, 7, 10, 3, 11, 9, 7, 0, 15, 0, 7, 9, 10, 14, 9, 13, 2, 2, 10, 4,
    9, 9, 10, 7, 1, 4, 12, 8, 7, 5, 7, 6, 0, 2, 7, 3, 15, 7, 4, 10, 9, 3, 9, 8,
    9, 9, 5, 13, 3, 2, 12, 0, 5, 0, 2, 7, 13, 8, 1, 0,
};
static const element before_initial[ELEMENTS] = {
    15, 12, 10, 15, 7, 4, 14, 1, 10, 11, 9, 10, 7, 13, 1, 4, 9, 9, 12, 1, 3, 13, 5, 15,
    13, 1, 5, 9, 15, 1, 5, 6, 7, 0, 6, 15, 13, 14, 3, 2, 3, 5, 8, 7, 10, 11, 2, 1,
    0, 10, 0, 1, 15, 14, 14, 9, 1, 0, 14, 2, 11, 14, 7, 9, 9, 10, 14, 3, 15, 0, 3, 7,
    3, 11, 14, 11, 6, 0, 11, 12, 7, 5, 13, 6, 5, 1, 6, 6, 6, 14, 15, 2, 14, 2, 6, 0,
    14, 11, 7, 15, 10, 14, 5, 13, 8, 13, 10, 14, 4, 2, 3, 4, 8, 3, 8, 4, 4, 8, 5, 3,
    15, 15, 13, 7, 6, 0, 14, 5, 9, 12, 14, 11, 7, 12, 4, 8, 15, 7, 8, 5, 6, 1, 10, 4,
    14, 8, 11, 2, 9, 2, 15, 7, 3, 3, 13, 12, 2, 15, 1, 3, 1, 14, 15, 4, 13, 9, 2, 4,
    13, 14, 7, 6, 13, 11, 10, 14, 12, 10, 3, 14, 13, 14, 4, 0, 13, 13, 14, 15, 3, 4, 1, 7,
    15, 15, 6, 1, 14, 11, 12, 12, 2, 12, 14, 0, 1, 9, 15, 12, 14, 15, 9, 10, 1, 2, 3, 8,
    14, 6, 0, 11, 7, 2, 10, 5, 12, 2, 13, 15, 1, 3, 2, 4, 6, 5, 14, 1, 8, 14, 2, 11,
    12, 14, 10, 6, 2, 12, 5, 11, 13, 14, 6, 9, 9, 11, 13, 15,
};
#endif

static element substitute(element a, bool constant) {
  return constant ? sboxes[1][a] : sboxes[0][a];
}

// Multiplication by 2 in GF(2^4), polynomial x^4 + x + 1.
static element twice(element a) { return (element)((a << 1 ^ (a >> 3) * 0x13) & 15); }

// L and P_d behind the S-boxes; P_d: place i of the first half gets element 4 (i / 2) + 3 (i % 2),
// place i of the second one element 4 (i / 2) + 2 - i % 2.
static void mix(element *out, const element *in, int elements) {
  for (int i = 0; i < elements; i += 2) {
#pragma HLS unroll
    const element d = in[i + 1] ^ twice(in[i]), c = in[i] ^ twice(d);
    const int pair = i / 4 * 2, odd = i / 2 % 2;
    out[pair + odd] = odd ? d : c;
    out[elements / 2 + pair + 1 - odd] = odd ? c : d;
  }
}

// Bit i of a block, which begins with the highest bit of its first byte.
static element bit(const uint64_t block[BLOCK_WORDS], int i) {
  return block[i / 64] >> (i % 64 / 8 * 8 + 7 - i % 8) & 1;
}

static uint64_t big_endian(uint64_t word) {
  uint64_t turned = 0;
  for (int byte = 0; byte < 8; byte++) turned |= (word >> 8 * byte & 0xff) << (56 - 8 * byte);
  return turned;
}

void jh256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Logic and registers, not memories.
#pragma HLS array_partition variable=sboxes complete dim=0
  element state[ELEMENTS], constant[ELEMENTS / 4], after[ELEMENTS];
#pragma HLS array_partition variable=state complete
#pragma HLS array_partition variable=constant complete
#pragma HLS array_partition variable=after complete
  for (int i = 0; i < ELEMENTS; i++) {
#pragma HLS unroll
    state[i] = before_initial[i];
  }
  for (int i = 0; i < ELEMENTS / 4; i++) {
#pragma HLS unroll
    constant[i] = later_constant[i];
  }
  uint64_t block[BLOCK_WORDS] = {0}, m[BLOCK_WORDS] = {0};  // that comes, that is compressed
  message_place place = {.more = true, .mark = false};
  bool load = true;     // words of a block come
  bool marked = false;  // the message has ended
  bool closes = false;  // the block that comes is the last one
  bool last = false;    // the one that is compressed is
  bool done;
  unsigned step = FIRST;
  do {
    // A round, and at the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == LAST, was_last = last, was_closing = closes;
    if (load) {
      uint64_t word;
      const bool mark = message_word(&word, s_axis, &place);
      // Padding has at least 64 bytes: the last block begins with the mark or comes behind it.
      if (step == FIRST) closes = marked || (mark && place.bytes % 8 == 0);
      marked = marked || mark;
      if (ends && was_closing) word = big_endian(8 * place.bytes);
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = word;
    }
    element next[ELEMENTS], next_constant[ELEMENTS / 4];
#pragma HLS array_partition variable=next complete
#pragma HLS array_partition variable=next_constant complete
    for (int i = 0; i < ELEMENTS; i++) {
#pragma HLS unroll
      next[i] = substitute(state[i], constant[i / 4] >> (3 - i % 4) & 1);
    }
    mix(state, next, ELEMENTS);
    for (int i = 0; i < ELEMENTS; i++) {
#pragma HLS unroll
      // Element 2 k has bits k, k + 256, k + 512, k + 768, the next one those 128 behind them. In
      // the first half of the state the new block is added, in the second half the old one.
      const int k = i / 2 + i % 2 * 128;
      const element ended = LAYER ? next[i] : state[i];
      after[i] = ended ^ (element)(bit(block, k) << 3 | bit(block, k + 256) << 2 |
                                   bit(m, k) << 1 | bit(m, k + 256));
      if (ends) state[i] = after[i];
    }
    for (int i = 0; i < ELEMENTS / 4; i++) {
#pragma HLS unroll
      next_constant[i] = substitute(constant[i], false);
    }
    mix(constant, next_constant, ELEMENTS / 4);
    done = ends && last;
    if (ends) {
      for (int i = 0; i < ELEMENTS / 4; i++) {
#pragma HLS unroll
        constant[i] = first_constant[i];
      }
      for (int i = 0; i < BLOCK_WORDS; i++) m[i] = block[i];
      load = false;
      last = was_closing;
    }
    step = ends ? 0 : (step + 1) % 64;
    if (step == FIRST) load = !was_last;
  } while (!done);
  for (int word = 0; word < 4; word++) {
#pragma HLS unroll
    uint64_t data = 0;
    for (int i = 0; i < 64; i++) {
#pragma HLS unroll
      // Bits from 768 on: the last one of all even elements, then that of all odd ones.
      const int at = 64 * word + i, element_of = at % 128 * 2 + at / 128;
      data |= (uint64_t)(after[element_of] & 1) << (i / 8 * 8 + 7 - i % 8);
    }
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = word == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xaddc1f9561dd0c02, 0xb2326317964054cc, 0x82fa2dc44a60b413, 0x0ba9a050d77c6b02}},
    {1, {0x9d147c66d3611e00, 0xe2b29e6d46f9691e, 0xd0309e2d38eb6c36, 0x01f268b4cb2ac583}},
    {7, {0xe0ef1644334d010a, 0x1da117dab05c3b58, 0xcc0e25b057ae6372, 0x99a705449d399cc0}},
    {8, {0xc2b044e95e06457b, 0xadafe15c8cf99710, 0x5eb922df24c17bdf, 0xa954e0561302b5e6}},
    {9, {0x054d43d4b71cc859, 0x0a8bb7f8f1260403, 0x90796dc7d5fec585, 0x3418050d79fe8986}},
    {55, {0x3f53dd7c6c643358, 0xfc35f42e58ce6ce4, 0x95ca816df227ad10, 0xfff22f32ea2d5e3f}},
    {56, {0x31dfdd48a0334d5c, 0x6155920c32d867a6, 0x2f04a4a799cb57cc, 0x4771a9836e77dea0}},
    {63, {0x85fb357090adc166, 0x47b811ee67db7e63, 0x70df18cd934930aa, 0xc3fb440d173dbebe}},
    {64, {0x81fa711dff7bc9b9, 0x7c6937b02816713e, 0xda20247ec50a1b0e, 0x13c96354a28a8710}},
    {65, {0x609e77e2ae2c7e19, 0x02359a6b95dd4c42, 0xbd059b2fd37253a6, 0xebd7c08e4502686c}},
    {72, {0xb4e89b94ae95fd6f, 0xd270efb85c9c86c0, 0x808299f97ed80dab, 0x0b477d59a2fa5025}},
    {127, {0xd05413ec18802377, 0xea727f4555a389bd, 0x66dd6c8e02fce480, 0x037bd19087286fec}},
    {128, {0x4a9dd3ffbc2bce27, 0xde79bef699dbb82d, 0x4ba9b7d43297a74c, 0x336cf24cc803c82a}},
    {129, {0x588255e7e1656566, 0x3f83cfeccf89e653, 0xd3009c655f203a3a, 0xda6edeb9770ba003}},
    {200, {0x6af6498b7b0d1c67, 0x1d288006f43a156a, 0x97ad2bc8a54928f8, 0x4078bba54daadd5e}},
};

int main(void) { return message_check(jh256, answers, sizeof answers / sizeof *answers); }
