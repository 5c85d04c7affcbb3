// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256 ("CubeHash specification (2.B.1)", 2009) from stream to stream, padding
// included, a round a cycle: a core for `lydite bench`, of C alone. Top function: cubehash.

#include "../../common/hls/message.h"

#define BLOCK_WORDS 4  // of 64 bits
#define ROUNDS 16

// The parameters of the function, 32, 32, 16, 0, ..., after 155 of the 160 rounds that give the
// initial state: the others run while the first block comes in and is added.
static const uint32_t before_initial[32] = {
    0x8186d6d4, 0x6d5aefbe, 0xdb9fb491, 0x167b017a, 0x92a561d2, 0xa3da4206, 0xf2439c36, 0x8ed99309,
    0x3c191691, 0x9bec5c9b, 0x2d130881, 0xe5213d3b, 0x5b64d442, 0xa24c71af, 0xc0eb4dfb, 0xf1632e94,
    0xfd6d2a06, 0x1de6004e, 0xb366bb9b, 0x2526305b, 0xad4e3530, 0x2641ecc0, 0x166838d7, 0xeb1557d3,
    0xb34d96cc, 0x0f4394cf, 0xded4defd, 0x994e63de, 0x28d20410, 0x69220cfc, 0x2d459885, 0x3f1fbbb6,
};

// What comes behind the rounds that run: a block, the 1 that ends the message, the digest.
typedef enum { BLOCK, ONE, DIGEST } next_step;

static uint32_t rotate(uint32_t word, int count) { return word << count | word >> (32 - count); }

// Half a round: x0 are words 0 to 15, x1 the others; words are exchanged whose indices differ in
// one bit.
static void half_round(uint32_t out[32], const uint32_t in[32], int rotation, int swap0,
                       int swap1) {
  for (int i = 0; i < 16; i++) {
    out[i] = rotate(in[i ^ swap0], rotation) ^ (in[i] + in[16 + i]);
    out[16 + i] = in[i ^ swap1] + in[16 + (i ^ swap1)];
  }
}

void cubehash(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t state[32], middle[32];
  // Registers, and what they begin as is not read one after the other.
#pragma HLS array_partition variable=state complete
#pragma HLS array_partition variable=before_initial complete
  for (int i = 0; i < 32; i++) {
#pragma HLS unroll
    state[i] = before_initial[i];
  }
  uint64_t block[BLOCK_WORDS] = {0};
  message_place place = {.more = true, .mark = false};
  bool final = false;  // what is worked on, or waited for, is the last block
  next_step next = BLOCK;
  uint8_t left = BLOCK_WORDS;  // rounds behind this one
  // What follows from these two, known before the cycle begins.
  bool reads = true, adds = false, ends = false, done = false;
  do {
    // A round, and near the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    half_round(middle, state, 7, 8, 2);
    half_round(state, middle, 11, 4, 1);
    for (int i = 0; i < BLOCK_WORDS; i++) {
      state[2 * i] ^= adds ? (uint32_t)block[i] : 0;
      state[2 * i + 1] ^= adds ? (uint32_t)(block[i] >> 32) : 0;
    }
    state[31] ^= ends;
    const bool last = left == 0;
    done = last && next == DIGEST;
    left = (uint8_t)(!last ? left - 1 : ends ? 10 * ROUNDS - 1 : ROUNDS - 1);
    if (last) next = ends ? DIGEST : final ? ONE : BLOCK;
    adds = next == BLOCK && left == 0;
    ends = next == ONE && left == 0;
    if (reads) {
      for (int i = 1; i < BLOCK_WORDS; i++) block[i - 1] = block[i];
      if (message_word(&block[BLOCK_WORDS - 1], s_axis, &place)) final = true;
    }
    reads = next == BLOCK && left <= BLOCK_WORDS && left != 0;
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint64_t data = (uint64_t)state[2 * i + 1] << 32 | state[2 * i];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x393cc7c63adec644, 0x002648b76c90f01b, 0x2a4ac5c716b206ec, 0x7d577626a4a68886}},
    {1, {0x43a0147a83a9d41d, 0x2252e7d80b4eb785, 0x623421a79e25d234, 0xc08441a54d5f46ff}},
    {7, {0xb55bb34f37d0be77, 0xd96786d6028afb7f, 0x98f407d0d795f5c3, 0xf81de5cad0e01840}},
    {8, {0x958dea454bffe4e4, 0xc0e635db52e5f73a, 0xc4103188576d75b5, 0x7c5fc3e75abe588d}},
    {9, {0x26b86edae0fc641f, 0x0d0aa5a4df087a85, 0x99b5f79fd0e4d0c4, 0x51f27ce4fa0e4ed1}},
    {31, {0x43a533d6bccb6dbd, 0x91037e805cbebb27, 0x7d2b6ac3c0128a05, 0x1a2152734596b317}},
    {32, {0x80c1d110ff899056, 0xebb154c4f1008960, 0x3722374b18ac2a5a, 0xea4a82880a7539ce}},
    {33, {0xa69a7c47b10abe6b, 0xa8e2e8088ad3facd, 0x631a6beccd642dbe, 0xffc4ffae218e1625}},
    {64, {0xb766cb2661d1c21c, 0xc12f3667ebef7b3c, 0xb721600b38416287, 0xeedf5641648cf5fe}},
    {95, {0xdb3ac89ff3a291da, 0x199cd1d5a7700f33, 0xe40fd09e4eb488ed, 0x0cfaf80e9cd556cd}},
    {96, {0x4c7dbf863e467838, 0xf660d433e3173863, 0xd5fdd14313f176fa, 0x35263750d4846a8d}},
    {100, {0xacfe0f2ef771d5c9, 0x6adbd12518a0c53b, 0xc20a0b5312964915, 0x03e1a630de2502c7}},
};

int main(void) { return message_check(cubehash, answers, sizeof answers / sizeof *answers); }
