// SPDX-License-Identifier: Apache-2.0
//
// CubeHash16/32-256 ("CubeHash specification (2.B.1)", 2009) from stream to stream, padding
// included, half a round a cycle: a core for `lydite bench`, of C alone. Top function:
// cubehash_fold.
//
// The halves of a round exchange words whose indices differ in bits 3 and 1, or in bits 2 and 0.
// Between them words stand where bits 3 and 2, and 1 and 0, of their index change places: so both
// exchange the same words, and only the rotation is chosen.

#include "../../common/hls/message.h"
#include "../../common/hls/rotate.h"

#define BLOCK_WORDS 4  // of 64 bits
#define ROUNDS 16
#define HALVES (2 * ROUNDS)

// The parameters of the function, 32, 32, 16, 0, ..., after 157 1/2 of the 160 rounds that give the
// initial state: the others run while the first block comes in and is added.
static const uint32_t before_initial[32] = {
    0x24add0d1, 0x2d3c4b2f, 0xbc8adf7c, 0x5a2268af, 0xa348066f, 0x8514702b, 0xd841b23c, 0x4683ae39,
    0xcca7e6a9, 0x208be50d, 0x699dfbc2, 0x0c49373e, 0xa0b4c5b4, 0x694d8397, 0x8b8e308d, 0x1d71e486,
    0xca82d527, 0xae623ceb, 0x9155a586, 0x6e2b882c, 0xf3c04111, 0x31db2193, 0x0aa3cdbb, 0x6637147b,
    0xd2e09381, 0xd71eb7c4, 0xd971f766, 0x84a86c7f, 0x4032c3c3, 0xb06a742c, 0xd6c1b133, 0x5f93d15a,
};

// What comes behind the rounds that run: a block, the 1 that ends the message, the digest.
typedef enum { BLOCK, ONE, DIGEST } next_step;

// Where a word stands in the middle of a round, and from there at its end.
static int turned(int i) { return (i >> 1 & 5) | (i & 5) << 1; }

// Half a round: x0 are words 0 to 15, x1 the others.
static void half_round(uint32_t state[32], bool second) {
  uint32_t made[32];
  for (int i = 0; i < 16; i++) {
    const uint32_t far = state[i ^ 8], sum = state[i] + state[16 + i];
    made[i] = (second ? rotate_left32(far, 11) : rotate_left32(far, 7)) ^ sum;
    made[16 + i] = state[i ^ 2] + state[16 + (i ^ 2)];
  }
  for (int i = 0; i < 16; i++) {
    state[turned(i)] = made[i];
    state[16 + turned(i)] = made[16 + i];
  }
}

void cubehash_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t state[32];
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
  uint16_t left = BLOCK_WORDS;  // halves of rounds behind this one
  // What follows from these two, known before the cycle begins.
  bool reads = true, adds = false, ends = false, done = false;
  do {
    // Half a round, and near the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    half_round(state, left % 2 == 0);
    for (int i = 0; i < BLOCK_WORDS; i++) {
      state[2 * i] ^= adds ? (uint32_t)block[i] : 0;
      state[2 * i + 1] ^= adds ? (uint32_t)(block[i] >> 32) : 0;
    }
    state[31] ^= ends;
    const bool last = left == 0;
    done = last && next == DIGEST;
    left = (uint16_t)(!last ? left - 1 : ends ? 10 * HALVES - 1 : HALVES - 1);
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
    {8, {0x958dea454bffe4e4, 0xc0e635db52e5f73a, 0xc4103188576d75b5, 0x7c5fc3e75abe588d}},
    {31, {0x43a533d6bccb6dbd, 0x91037e805cbebb27, 0x7d2b6ac3c0128a05, 0x1a2152734596b317}},
    {32, {0x80c1d110ff899056, 0xebb154c4f1008960, 0x3722374b18ac2a5a, 0xea4a82880a7539ce}},
    {33, {0xa69a7c47b10abe6b, 0xa8e2e8088ad3facd, 0x631a6beccd642dbe, 0xffc4ffae218e1625}},
    {100, {0xacfe0f2ef771d5c9, 0x6adbd12518a0c53b, 0xc20a0b5312964915, 0x03e1a630de2502c7}},
};

int main(void) {
  return message_check(cubehash_fold, answers, sizeof answers / sizeof *answers);
}
