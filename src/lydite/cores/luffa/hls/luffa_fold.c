// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2 ("Hash Function Luffa: Specification", version 2.0.1, 2009) from stream to stream,
// padding included, a step of one of the three permutations a cycle: a core for `lydite bench`.
// Top function: luffa_fold.
//
// The three blocks of the state turn: the one that is injected comes to where steps are taken, the
// others move on by a place. What is added to each is there before: the sum of all blocks, found in
// a cycle of its own, and the block of the message, which each injection leaves times x.

#include "../../common/hls/message.h"
#include "../sw/luffa.h"

#define VECTOR uint32_t
#define XOR(a, b) ((a) ^ (b))
#define AND(a, b) ((a) & (b))
#define ANDNOT(a, b) (~(a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (~(a))
#define ROL(a, n) ((a) << (n) | (a) >> (32 - (n)))

#include "../sw/step.h"

#define WORDS 4                      // of 64 bits, of a block
#define ALL_STEPS (3 * LUFFA_STEPS)  // of the three permutations
// Word i of a block is read in step FIRST + i; the last one is there before the last step of the
// block before.
#define FIRST (ALL_STEPS - 1 - WORDS)

// Words of the function have their highest byte first.
static uint32_t half(uint64_t word, int high) {
  return LYDITE_BE32((uint32_t)(high ? word >> 32 : word));
}

// The tweak (3.4).
static uint32_t turned(uint32_t word, unsigned number) {
  return number == 0 ? word : number == 1 ? ROL(word, 1) : ROL(word, 2);
}

void luffa_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // The block that is worked on, the one that follows, and the third one.
  uint32_t blocks[3][8], total[8] = {0}, power[8] = {0};
  // Registers, and logic.
#pragma HLS array_partition variable=blocks complete dim=0
#pragma HLS array_partition variable=luffa_initial complete dim=0
#pragma HLS array_partition variable=luffa_constants0 complete dim=0
#pragma HLS array_partition variable=luffa_constants4 complete dim=0
  for (int j = 0; j < 3; j++) {
#pragma HLS unroll
    for (int k = 0; k < 8; k++) blocks[j][k] = luffa_initial[(j + 2) % 3][k];
  }
  uint64_t block[WORDS] = {0};
  message_place place = {.more = true, .mark = false};
  bool final = false;  // the block that comes, or came, is the last one
  bool taken = false;  // it is in the state
  bool zeros = false;  // so is the block of zeros behind it
  uint8_t at = FIRST;  // the step that is taken next
  // What follows from these, known before the cycle begins. The first block comes without steps.
  bool reads = true, sums = false, injects = false, steps = false, done = false;
  uint32_t constant[2] = {0};
  do {
    // A sum, an injection or a step, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    if (sums) {
      for (int k = 0; k < 8; k++) {
        total[k] = blocks[0][k] ^ blocks[1][k] ^ blocks[2][k];
        power[k] = zeros ? 0 : half(block[k / 2], k % 2);
      }
      times_x(total);
    } else if (injects) {
      for (int k = 0; k < 8; k++) {
        const uint32_t sum = blocks[1][k] ^ total[k] ^ power[k];
        blocks[1][k] = blocks[2][k];
        blocks[2][k] = blocks[0][k];
        blocks[0][k] = k < 4 ? sum : turned(sum, at / LUFFA_STEPS);
      }
      times_x(power);
    } else if (steps) {
      step(blocks[0], constant[0], constant[1]);
    }
    const bool counts = !sums && !injects;
    const bool ends = counts && at % LUFFA_STEPS == LUFFA_STEPS - 1;  // a permutation
    const bool over = counts && at == ALL_STEPS - 1;                  // all three
    done = over && zeros;
    if (over) {
      zeros = taken;
      taken = final;
    }
    steps = injects || (steps && !ends);
    injects = sums || (ends && !over);
    sums = over;
    if (reads) {
      for (int i = 1; i < WORDS; i++) block[i - 1] = block[i];
      if (message_word(&block[WORDS - 1], s_axis, &place)) final = true;
    }
    if (counts) at = (uint8_t)(over ? 0 : at + 1);
    reads = !taken && at >= FIRST && at < FIRST + WORDS;
    constant[0] = luffa_constants0[at / LUFFA_STEPS][at % LUFFA_STEPS];
    constant[1] = luffa_constants4[at / LUFFA_STEPS][at % LUFFA_STEPS];
  } while (!done);
  for (int i = 0; i < 4; i++) {
    uint32_t sum[2];
    for (int k = 0; k < 2; k++) {
      sum[k] = LYDITE_BE32(blocks[0][2 * i + k] ^ blocks[1][2 * i + k] ^ blocks[2][2 * i + k]);
    }
    const lydite_stream64_beat beat = {
        .data = (uint64_t)sum[1] << 32 | sum[0], .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x4d15f4715866b8db, 0x7c41bafbae96433e, 0xba32c383d67d83b7, 0x6f2d71a2027ee86b}},
    {1, {0xda0140eb0e06bfd5, 0xe59b198a22747d41, 0x128b2dff7d697bcb, 0x50ef35cb3676fb73}},
    {7, {0x58f9cc4e5944a021, 0xb361815a31f5b2ef, 0x61fb29626f0d56f7, 0x53c7d6211fe07de6}},
    {8, {0x8e3f86de177f27f8, 0x3c00c46ea484f7b8, 0x03dd2bdcc289c0d8, 0x1af3b5973300f4b0}},
    {31, {0xd7510d3a90c98eaa, 0xaaf8a447509ea8cb, 0x3474ee30c49a501a, 0x6dcbebe5a1d3612d}},
    {32, {0xb7735c4eb5c7259f, 0x23762a75d607c3cb, 0x8c07f323863789c4, 0x659b37b2c50480e2}},
    {33, {0x1e273deed80bb8cc, 0x85d40465945eb245, 0xc3b4b22f0263d88a, 0xc286a3028114a152}},
    {64, {0x10fe518f1e705b51, 0xb6b9a90f7a429458, 0xfac6fbc1e6a755f3, 0xdacf9ba9ef31b19c}},
    {100, {0xb2337edb593f4630, 0xab5171d0e0bb73a4, 0x8f949202ecf9d4fa, 0x4e92d8486c335489}},
};

int main(void) { return message_check(luffa_fold, answers, sizeof answers / sizeof *answers); }
