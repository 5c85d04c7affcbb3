// SPDX-License-Identifier: Apache-2.0
//
// JH-256 of round 2 ("The Hash Function JH") from stream to stream, padding included, a round a
// cycle: a core for `lydite bench`. Top function: jh256. ROUNDS is a macro of the build, by default
// 35, which `main` checks; 42 is JH-256 of round 3.

#include "../../common/hls/message.h"
#include "halves.h"

// Behind 35 rounds a layer of S-boxes follows, behind 42 none. The step that ends a block.
#define LAYER (JH_LAYERS != ROUNDS)
#define LAST (JH_LAYERS - 1)
// Word i of a block is read in step FIRST + i: all are in registers when the block before ends.
#define FIRST (LAST - WORDS)

// The constant of round FIRST; and what the rounds from FIRST on make the initial value of JH-256
// of: they run while the first block comes in, which is added like all others.
#if ROUNDS == 35
static const half_state later_constant[2] = {
    {.even = {0xdf7a, 0x4fe6, 0x4bc9, 0x64c0}, .odd = {0x9555, 0xa220, 0xfcee, 0xa63c}},
    {.even = {0xd987, 0xa4d6, 0x5722, 0xe6b4}, .odd = {0xd36d, 0xe65b, 0xc96f, 0x40dd}},
};
static const half_state before_initial[2] = {
    {.even = {0x18fd599995b6b1e9, 0xc40ea710febf89e9, 0xb7a1169342ace7ca, 0xc1b4676a569dbbe9},
     .odd = {0x3456639f93d5802c, 0x493cbe82be36b24d, 0x99afe03b3c7c64ba, 0x6bbea09755c07b3e}},
    {.even = {0xf9e377e4ddffff0a, 0x90c127c34d051a9a, 0x54a154202c033e80, 0xaaee6c5365ad3987},
     .odd = {0x841c2bbb11a67542, 0xd5a65e00b7460f41, 0xc8eb01c92f9984b9, 0x705f829394667494}},
};
#else
static const half_state later_constant[2] = {
    {.even = {0xfdc1, 0x7ec1, 0xf453, 0x06e0}, .odd = {0xa77d, 0x7e90, 0x0658, 0x2863}},
    {.even = {0x4e0d, 0x1416, 0xc969, 0xfa16}, .odd = {0x5ac4, 0xaf3d, 0x5826, 0x9d3f}},
};
static const half_state before_initial[2] = {
    {.even = {0xe5c5a768f665a790, 0x1258ea21a2cd93a2, 0x919164a0b12f56e2, 0xc9d0c99cacaf4957},
     .odd = {0x608892166fed0c8e, 0x4b5a200325e67b95, 0xe2007599913dfb83, 0x28550f0bdcaa4e8f}},
    {.even = {0x4fefe2e9a4e35e11, 0x6ee8bfa22c34c037, 0xc6b34d1007ba3216, 0x7b31e3abbb0fc0f4},
     .odd = {0xa4358f9aeda836f5, 0xebda850bbb0e2f8b, 0x4391e806390478b2, 0x6a9f7279d0768412}},
};
#endif

// A round behind its S-boxes: of both halves is made what goes to both.
static void mix_halves(half_state state[2], half_state made[2], int pairs) {
  for (int half = 0; half < 2; half++) {
    mix(&made[half], pairs);
    move_half(state, &made[half], half == 1, pairs);
  }
}

void jh256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
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
  // What follows from the step, known before the cycle begins: a word of a block comes, the first
  // one, or the one that is the length; and the block that is compressed ends.
  bool load = true, begins = true, length = false, ends = false;
  do {
    // A round, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    half_state made[2] = {state[0], state[1]}, made_constant[2] = {constant[0], constant[1]};
    for (int half = 0; half < 2; half++) {
      jh_substitute(made[half].even, selected(&constant[half], 0));
      jh_substitute(made[half].odd, selected(&constant[half], 1));
      jh_substitute(made_constant[half].even, 0);
      jh_substitute(made_constant[half].odd, 0);
    }
    half_state after[2] = {made[0], made[1]};
    mix_halves(state, made, PAIRS);
    mix_halves(constant, made_constant, CONSTANTS);
    for (int half = 0; half < 2; half++) {
      for (int k = 0; k < 4; k++) {
        // Words at + 0 and at + 2: of the block that came for the first two bits of an element, of
        // the one that was compressed for the others.
        const uint64_t *added = k < 2 ? block : m;
        const int at = k % 2 * 4 + half;
        const half_state *ended = LAYER ? &after[half] : &state[half];
        const uint64_t even = ended->even[k] ^ added[at], odd = ended->odd[k] ^ added[at + 2];
        state[half].even[k] = ends ? even : state[half].even[k];
        state[half].odd[k] = ends ? odd : state[half].odd[k];
        if (ends) constant[half].even[k] = first_constant[half].even[k];
        if (ends) constant[half].odd[k] = first_constant[half].odd[k];
      }
    }
    if (ends) {
      for (int i = 0; i < WORDS; i++) m[i] = block[i];
    }
    if (load) {
      uint64_t word;
      // The message has ended long before its length is added.
      const uint64_t bits = 8 * place.bytes;
      const bool mark = message_word(&word, s_axis, &place);
      // Padding has at least 64 bytes: the last block begins with the mark or comes behind it.
      if (begins) closes = marked || (mark && place.bytes % 8 == 0);
      marked = marked || mark;
      for (int i = 0; i < WORDS - 1; i++) block[i] = block[i + 1];
      block[WORDS - 1] = length ? bits : LYDITE_BE64(word);
    }
    done = ends && last;
    if (ends) last = closes;
    step = (uint8_t)(ends ? 0 : step + 1);
    begins = step == FIRST;
    length = closes && step == LAST - 1;
    ends = step == LAST;
    load = !last && (begins || (load && !ends));
  } while (!done);
  for (int i = 0; i < 4; i++) {
    // Unrolled, each beat would be kept once more.
#pragma HLS pipeline II=1
    const uint64_t even = i % 2 ? state[1].even[3] : state[0].even[3];
    const uint64_t odd = i % 2 ? state[1].odd[3] : state[0].odd[3];
    const lydite_stream64_beat beat = {
        .data = LYDITE_BE64(i / 2 ? odd : even), .keep = 0xff, .last = i == 3};
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
