// SPDX-License-Identifier: Apache-2.0
//
// Luffa-256 v2 ("Hash Function Luffa: Specification", version 2.0.1, 2009) from stream to stream,
// padding included, message injection in a cycle and then a step a cycle: a core for `lydite
// bench`, of C alone. Top function: luffa.

#include "../../common/hls/message.h"

#define BLOCK_WORDS 4  // of 64 bits
#define STEPS 8

static const uint32_t initial[3][8] = {
    {0x6d251e69, 0x44b051e0, 0x4eaa6fb4, 0xdbf78465,
     0x6e292011, 0x90152df4, 0xee058139, 0xdef610bb},
    {0xc3b44b95, 0xd9d2f256, 0x70eee9a0, 0xde099fa3,
     0x5d9b0557, 0x8fc944b3, 0xcf1ccf0e, 0x746cd581},
    {0xf7efc89d, 0x5dba5781, 0x04016ce5, 0xad659c05,
     0x0306194f, 0x666d1836, 0x24aa230a, 0x8b264ae7},
};

// What a step adds to the words 0 and 4 of each permutation.
static const uint32_t constants[6][STEPS] = {
    {0x303994a6, 0xc0e65299, 0x6cc33a12, 0xdc56983e,
     0x1e00108f, 0x7800423d, 0x8f5b7882, 0x96e1db12},
    {0xe0337818, 0x441ba90d, 0x7f34d442, 0x9389217f,
     0xe5a8bce6, 0x5274baf4, 0x26889ba7, 0x9a226e9d},
    {0xb6de10ed, 0x70f47aae, 0x0707a3d4, 0x1c1e8f51,
     0x707a3d45, 0xaeb28562, 0xbaca1589, 0x40a46f3e},
    {0x01685f3d, 0x05a17cf4, 0xbd09caca, 0xf4272b28,
     0x144ae5cc, 0xfaa7ae2b, 0x2e48f1c1, 0xb923c704},
    {0xfc20d9d2, 0x34552e25, 0x7ad8818f, 0x8438764a,
     0xbb6de032, 0xedb780c8, 0xd9847356, 0xa2c78434},
    {0xe25e72c1, 0xe623bb72, 0x5c58a4a4, 0x1e38e2e7,
     0x78e38b9d, 0x27586719, 0x36eda57f, 0x703aace7},
};

static uint32_t rotate(uint32_t word, int count) {
  return count == 0 ? word : word << count | word >> (32 - count);
}

// x times a block in the ring, modulo x^8 + x^4 + x^3 + x + 1 (3.3).
static void doubled(uint32_t out[8], const uint32_t in[8]) {
  for (int k = 0; k < 8; k++) {
    out[k] = in[(k + 7) % 8] ^ (k == 1 || k == 3 || k == 4 ? in[7] : 0);
  }
}

// Adds a block of the message (3.3), with the tweak of the permutations that follow (3.4).
static void inject(uint32_t state[3][8], const uint32_t message[8]) {
  uint32_t power[3][8], total[8], added[8];
  for (int k = 0; k < 8; k++) {
    power[0][k] = message[k];
    total[k] = state[0][k] ^ state[1][k] ^ state[2][k];
  }
  doubled(power[1], power[0]);
  doubled(power[2], power[1]);
  doubled(added, total);
  for (int j = 0; j < 3; j++) {
    for (int k = 0; k < 8; k++) {
      state[j][k] = rotate(state[j][k] ^ added[k] ^ power[j][k], k < 4 ? 0 : j);
    }
  }
}

// SubCrumb (3.4.1) by formulas of its table.
static void sub_crumb(uint32_t *w0, uint32_t *w1, uint32_t *w2, uint32_t *w3) {
  const uint32_t a = *w0, b = *w1, c = *w2, d = *w3, w = ~(b & ~a);
  *w0 = ~(a ^ b) ^ (b & c) ^ (d & (a ^ b ^ (a & (b ^ c))));
  *w1 = *w0 ^ w ^ d;
  *w2 = ~b ^ (c & (a | b)) ^ (d & (w ^ c));
  *w3 = *w2 ^ c ^ (d & ~a);
}

// MixWord (3.4.2).
static void mix_word(uint32_t *left, uint32_t *right) {
  *right ^= *left;
  *left = rotate(*left, 2) ^ *right;
  *right = rotate(*right, 14) ^ *left;
  *left = rotate(*left, 10) ^ *right;
  *right = rotate(*right, 1);
}

static void step(uint32_t a[8], const uint32_t constant[2]) {
  sub_crumb(&a[0], &a[1], &a[2], &a[3]);
  sub_crumb(&a[5], &a[6], &a[7], &a[4]);
  for (int k = 0; k < 4; k++) mix_word(&a[k], &a[k + 4]);
  a[0] ^= constant[0];
  a[4] ^= constant[1];
}

// Words of the function have their highest byte first.
static uint32_t swap_bytes(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

void luffa(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t state[3][8];
  // Registers, and logic.
#pragma HLS array_partition variable=state complete dim=0
#pragma HLS array_partition variable=initial complete dim=0
#pragma HLS array_partition variable=constants complete dim=0
  for (int j = 0; j < 3; j++) {
#pragma HLS unroll
    for (int k = 0; k < 8; k++) state[j][k] = initial[j][k];
  }
  uint64_t block[BLOCK_WORDS] = {0};
  message_place place = {.more = true, .mark = false};
  bool final = false;  // the block that comes, or came, is the last one
  bool taken = false;  // it is in the state
  bool zeros = false;  // so is the block of zeros behind it
  // The cycle: 0 is the injection, STEPS the last step. Four words come in before the first one.
  uint8_t cycle = STEPS - BLOCK_WORDS;
  // What follows from these, known before the cycle begins.
  bool reads = true, injects = false, steps = false, done = false;
  uint32_t constant[3][2] = {0};
  do {
    // An injection or a step, and a word of the next block, a cycle.
#pragma HLS pipeline II=1
    if (injects) {
      uint32_t message[8];
      for (int k = 0; k < 8; k++) {
        const uint64_t word = zeros ? 0 : block[k / 2];
        message[k] = swap_bytes((uint32_t)(word >> (k % 2 ? 32 : 0)));
      }
      inject(state, message);
    } else if (steps) {
      for (int j = 0; j < 3; j++) step(state[j], constant[j]);
    }
    for (int i = 0; i < 6; i++) constant[i / 2][i % 2] = constants[i][cycle % STEPS];
    done = cycle == STEPS && zeros;
    injects = cycle == STEPS;
    if (injects) {
      zeros = taken;
      taken = final;
    }
    steps = cycle < STEPS && (steps || cycle == 0);
    if (reads) {
      for (int i = 1; i < BLOCK_WORDS; i++) block[i - 1] = block[i];
      if (message_word(&block[BLOCK_WORDS - 1], s_axis, &place)) final = true;
    }
    cycle = (uint8_t)(injects ? 0 : cycle + 1);
    reads = !taken && cycle >= STEPS - BLOCK_WORDS && cycle < STEPS;
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const uint32_t low = state[0][2 * i] ^ state[1][2 * i] ^ state[2][2 * i];
    const uint32_t high = state[0][2 * i + 1] ^ state[1][2 * i + 1] ^ state[2][2 * i + 1];
    const uint64_t data = (uint64_t)swap_bytes(high) << 32 | swap_bytes(low);
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x4d15f4715866b8db, 0x7c41bafbae96433e, 0xba32c383d67d83b7, 0x6f2d71a2027ee86b}},
    {1, {0xda0140eb0e06bfd5, 0xe59b198a22747d41, 0x128b2dff7d697bcb, 0x50ef35cb3676fb73}},
    {7, {0x58f9cc4e5944a021, 0xb361815a31f5b2ef, 0x61fb29626f0d56f7, 0x53c7d6211fe07de6}},
    {8, {0x8e3f86de177f27f8, 0x3c00c46ea484f7b8, 0x03dd2bdcc289c0d8, 0x1af3b5973300f4b0}},
    {9, {0x527f63c162bf394a, 0x0da7217759cb05c8, 0x6fed2f89efa48187, 0x8dae1f2241ef83a6}},
    {31, {0xd7510d3a90c98eaa, 0xaaf8a447509ea8cb, 0x3474ee30c49a501a, 0x6dcbebe5a1d3612d}},
    {32, {0xb7735c4eb5c7259f, 0x23762a75d607c3cb, 0x8c07f323863789c4, 0x659b37b2c50480e2}},
    {33, {0x1e273deed80bb8cc, 0x85d40465945eb245, 0xc3b4b22f0263d88a, 0xc286a3028114a152}},
    {64, {0x10fe518f1e705b51, 0xb6b9a90f7a429458, 0xfac6fbc1e6a755f3, 0xdacf9ba9ef31b19c}},
    {95, {0x9cfb4d0666fbd505, 0x90c5c2450d02c6db, 0x69d7340a87fdf707, 0x6b51d13aa3ce5897}},
    {96, {0xc254b9d0feea9181, 0xc82c9336ec464b2e, 0xc1f5700d592173df, 0x6e599e95191d7f9d}},
    {100, {0xb2337edb593f4630, 0xab5171d0e0bb73a4, 0x8f949202ecf9d4fa, 0x4e92d8486c335489}},
};

int main(void) { return message_check(luffa, answers, sizeof answers / sizeof *answers); }
