// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of round 2 ("The Hash Function JH") from stream to stream, padding included, half a round
// a cycle: a core for `lydite bench`. Top function: jh256_fold.
//
// The state moves on by a half a cycle, and only in the second cycle of a round do two quarters
// change places. The constants of the rounds are made in the same way.

#include "../../common/hls/message.h"
#include "halves.h"

#define STEPS (2 * 36)  // of a block; in the last two a layer of S-boxes
// Word i of a block is read in step FIRST + i; it is there before the last two steps.
#define FIRST (STEPS - 2 - WORDS)

// What the steps from FIRST on make the initial value of JH-256 of: they run while the first block
// comes in, which is added like all others.
static const half_state before_initial[2] = {
    {.even = {0x4902030321786c38, 0x5fbac43aecbdbe96, 0xec7b95bbeff07a67, 0x9e93abee3bed0813},
     .odd = {0x306bcf8b6a590e51, 0x8a22c87f0f9cd163, 0xf4107de81a8fd195, 0xa99c5f905748dcd3}},
    {.even = {0x6bf5eb2a43602514, 0x31f3ef52565fa61e, 0xb3ed0c4b1a30fb85, 0x2a2284b8c38134d6},
     .odd = {0x5d47b38fdf97d3be, 0xa55a2956c44cfb63, 0x6145611d36aac689, 0xf35d68e1cee6b02d}},
};

// The constant of step FIRST.
static const half_state later_constant[2] = {
    {.even = {0xf0c9, 0x0e44, 0x475e, 0xebb8}, .odd = {0x44bb, 0x1dea, 0xa183, 0xb791}},
    {.even = {0x4c6f, 0x9a60, 0xb85b, 0x9570}, .odd = {0xfb86, 0xab31, 0x6990, 0x671c}},
};

void jh256_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  half_state state[2], constant[2];
  // Registers, and logic.
#pragma HLS array_partition variable=state complete dim=0
#pragma HLS array_partition variable=constant complete dim=0
#pragma HLS array_partition variable=before_initial complete dim=0
#pragma HLS array_partition variable=first_constant complete dim=0
#pragma HLS array_partition variable=later_constant complete dim=0
  for (int half = 0; half < 2; half++) {
#pragma HLS unroll
    state[half] = before_initial[half];
    constant[half] = later_constant[half];
  }
  uint64_t block[WORDS] = {0}, m[WORDS] = {0};  // that comes, that is compressed
  message_place place = {.more = true, .mark = false};
  bool marked = false;  // the message has ended
  bool closes = false;  // the block that comes is the last one
  bool last = false;    // the one that is compressed is
  bool done;
  uint8_t step = FIRST;
  // What follows from the step, known before the cycle begins.
  bool load = true, begins = true, layer = false, ends = false;
  do {
    // Half a round, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    half_state made = state[0], after, made_constant = constant[0];
    jh_substitute(made.even, selected(&constant[0], 0));
    jh_substitute(made.odd, selected(&constant[0], 1));
    const uint64_t added[4] = {block[0], block[2], block[4], block[6]};
    for (int k = 0; k < 4; k++) {
      // Every other word: of the block that comes for the first two bits of an element, of the one
      // that is compressed for the others.
      const uint64_t *from = k < 2 ? added : m;
      after.even[k] = made.even[k] ^ from[k % 2 * 2];
      after.odd[k] = made.odd[k] ^ from[k % 2 * 2 + 1];
    }
    mix(&made, PAIRS);
    for (int k = 0; k < 4; k++) {
      made.even[k] = layer ? after.even[k] : made.even[k];
      made.odd[k] = layer ? after.odd[k] : made.odd[k];
    }
    const bool crosses = step % 2 == 1 && !layer;
    move_half(state, &made, crosses, PAIRS);

    jh_substitute(made_constant.even, 0);
    jh_substitute(made_constant.odd, 0);
    mix(&made_constant, CONSTANTS);
    move_half(constant, &made_constant, crosses, CONSTANTS);
    for (int half = 0; half < 2; half++) {
      for (int k = 0; k < 4; k++) {
        if (ends) constant[half].even[k] = first_constant[half].even[k];
        if (ends) constant[half].odd[k] = first_constant[half].odd[k];
      }
    }

    if (layer) {
      for (int i = 0; i < 4; i++) {
        m[i] = m[4 + i];
        m[4 + i] = added[i];
      }
    }
    uint64_t word = 0;
    if (load) {
      const bool mark = message_word(&word, s_axis, &place);
      // Padding has at least 64 bytes: the last block begins with the mark or comes behind it.
      if (begins) closes = marked || (mark && place.bytes % 8 == 0);
      marked = marked || mark;
    }
    if (load || layer) {
      const bool length = closes && step == FIRST + WORDS - 1;
      for (int i = 0; i < WORDS - 1; i++) block[i] = block[i + 1];
      block[WORDS - 1] = length ? 8 * place.bytes : LYDITE_BE64(word);
    }
    done = ends && last;
    if (ends) last = closes;
    step = (uint8_t)(ends ? 0 : step + 1);
    begins = step == FIRST;
    load = !last && step >= FIRST && step < FIRST + WORDS;
    layer = step >= FIRST + WORDS;
    ends = step == STEPS - 1;
  } while (!done);
  for (int i = 0; i < 4; i++) {
#pragma HLS unroll
    const uint64_t bits = i / 2 ? state[i % 2].odd[3] : state[i % 2].even[3];
    const lydite_stream64_beat beat = {.data = LYDITE_BE64(bits), .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xaddc1f9561dd0c02, 0xb2326317964054cc, 0x82fa2dc44a60b413, 0x0ba9a050d77c6b02}},
    {1, {0x9d147c66d3611e00, 0xe2b29e6d46f9691e, 0xd0309e2d38eb6c36, 0x01f268b4cb2ac583}},
    {8, {0xc2b044e95e06457b, 0xadafe15c8cf99710, 0x5eb922df24c17bdf, 0xa954e0561302b5e6}},
    {55, {0x3f53dd7c6c643358, 0xfc35f42e58ce6ce4, 0x95ca816df227ad10, 0xfff22f32ea2d5e3f}},
    {63, {0x85fb357090adc166, 0x47b811ee67db7e63, 0x70df18cd934930aa, 0xc3fb440d173dbebe}},
    {64, {0x81fa711dff7bc9b9, 0x7c6937b02816713e, 0xda20247ec50a1b0e, 0x13c96354a28a8710}},
    {65, {0x609e77e2ae2c7e19, 0x02359a6b95dd4c42, 0xbd059b2fd37253a6, 0xebd7c08e4502686c}},
    {128, {0x4a9dd3ffbc2bce27, 0xde79bef699dbb82d, 0x4ba9b7d43297a74c, 0x336cf24cc803c82a}},
    {200, {0x6af6498b7b0d1c67, 0x1d288006f43a156a, 0x97ad2bc8a54928f8, 0x4078bba54daadd5e}},
};

int main(void) { return message_check(jh256_fold, answers, sizeof answers / sizeof *answers); }
