// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 ("The Hash Function Fugue", 2009) from stream to stream, padding included, a subround a
// cycle: a core for `lydite bench`. Top function: fugue256.

#include "../../common/hls/aes.h"
#include "../../common/hls/message32.h"

#define COLUMNS 30
#define FIRST_STEPS 10  // of the final stage: subrounds
#define LAST_STEPS 26   // and half rounds behind them

// The last eight columns of the first state, row 0 lowest.
static const uint32_t initial[8] = {
    0xdebd52e9, 0x5f137166, 0x68f6d4e0, 0x94b5b0d2, 0x1d626cf9, 0xde29f9fb, 0x99e84991, 0x48c2f834,
};

// The matrix of Super-Mix is circulant; its first row.
static const uint8_t matrix[4] = {1, 4, 7, 1};

static uint8_t times(uint8_t factor, uint8_t a) {
  const uint8_t twice = aes_twice(a), four = aes_twice(twice);
  return factor == 1 ? a : factor == 4 ? four : four ^ twice ^ a;
}

// SMIX: the S-box, and M U + D M' with row i turned to the left by i. D has for each row of U the
// sum of its bytes but that of the diagonal.
static void smix(uint32_t s[4]) {
  uint8_t u[4][4], d[4];  // row, column
  for (int i = 0; i < 4; i++) {
    for (int j = 0; j < 4; j++) u[i][j] = aes_sbox((uint8_t)(s[j] >> 8 * i));
  }
  for (int i = 0; i < 4; i++) d[i] = u[i][(i + 1) % 4] ^ u[i][(i + 2) % 4] ^ u[i][(i + 3) % 4];
  for (int j = 0; j < 4; j++) {
    uint32_t column = 0;
    for (int i = 0; i < 4; i++) {
      const int from = (i + j) % 4;
      uint8_t byte = times(matrix[(4 + i - from) % 4], d[i]);
      for (int k = 0; k < 4; k++) byte ^= times(matrix[(4 + k - i) % 4], u[k][from]);
      column |= (uint32_t)byte << 8 * i;
    }
    s[j] = column;
  }
}

void fugue256(lydite_stream32 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
#pragma HLS expression_balance off
  uint32_t s[COLUMNS];
#pragma HLS array_partition variable=s complete
  for (int i = 0; i < COLUMNS; i++) {
#pragma HLS unroll
    s[i] = i < COLUMNS - 8 ? 0 : initial[i - (COLUMNS - 8)];
  }
  message32_place place = {.more = true};
  uint32_t word;
  bool last = message32_word(&word, s_axis, &place, 0);
  bool takes = true;   // a word is taken in, with the first subround of it
  bool ended = false;  // the last word was
  bool late = false;   // the half rounds run
  bool odd = false;    // one of them turns by fourteen columns
  bool done;
  uint8_t step = 0;
  do {
    // A subround a cycle; the next word comes in while the second one of a word runs.
#pragma HLS pipeline II=1
    const uint32_t first = s[0];
    if (takes) {
      s[10] ^= first;
      s[0] = word;
      s[8] ^= word;
      s[1] ^= s[24];
    }
    if (late) {
      s[4] ^= first;
      if (odd) s[16] ^= first;
      if (!odd) s[15] ^= first;
    }
    uint32_t turned[COLUMNS];
#pragma HLS array_partition variable=turned complete
    for (int i = 0; i < COLUMNS; i++) {
#pragma HLS unroll
      uint32_t by_three = s[(i + COLUMNS - 3) % COLUMNS];
      const uint32_t by_half = odd ? s[(i + 16) % COLUMNS] : s[(i + 15) % COLUMNS];
      if (i % 15 < 3) by_three ^= s[1 + i % 15];  // CMIX
      turned[i] = late ? by_half : by_three;
    }
    smix(turned);
    for (int i = 0; i < COLUMNS; i++) {
#pragma HLS unroll
      s[i] = turned[i];
    }
    // How far the final stage is.
    const bool counts = ended && !takes;
    done = late && step == LAST_STEPS - 1;
    odd = late && !odd;
    if (counts) step++;
    if (counts && !late && step == FIRST_STEPS + 1) {
      late = true;
      step = 0;
    }
    if (takes) {
      ended = last;
    } else if (!ended) {
      last = message32_word(&word, s_axis, &place, 0);
    }
    takes = !takes && !ended;
  } while (!done);
  s[4] ^= s[0];
  s[15] ^= s[0];
  for (int i = 0; i < 8; i++) {
    const uint32_t data = s[i < 4 ? 1 + i : 11 + i];
    const lydite_stream32_beat beat = {.data = data, .keep = 0xf, .last = i == 7};
    lydite_stream32_write(m_axis, beat);
  }
}

static const message32_answer answers[] = {
    {0,
     {0x8952ecd6, 0xaa30c180, 0xd2acd1d1, 0xdbd89d8b,
      0x790daede, 0xca1feded, 0x9fafc272, 0x6f24c237}},
    {1,
     {0xc70dee3d, 0xe86398e1, 0xafbfc9ba, 0x3b194f8b,
      0x4c57bdaf, 0xcbdfebbb, 0x9a5899b6, 0x214712a6}},
    {3,
     {0xd60c95b9, 0x7320c096, 0x7da2faf7, 0x61306a21,
      0x18aaa966, 0xdb23572b, 0x6aff3362, 0x3f898583}},
    {4,
     {0x231d0ca3, 0x67ac5788, 0x4a9ea6bc, 0xe7c8e35f,
      0xa60b54f7, 0x8d8ddb81, 0x77e598eb, 0xf5cbf6d3}},
    {5,
     {0xce1e5e12, 0x7293e72e, 0xe048a0c2, 0xd6e1b907,
      0x9beded95, 0x6a0aef4c, 0x78ee0633, 0x429ad8db}},
    {7,
     {0x04ee160f, 0x54004ac2, 0x4848246f, 0x4375bd00,
      0x5253d281, 0xf5bd46ee, 0xb68689a2, 0xdc1ea146}},
    {8,
     {0xc876f708, 0x7e35ae5c, 0xd18ee0eb, 0x1a781fc8,
      0x1c8a23f2, 0x8efd9b27, 0x8b14015d, 0x69d3fea6}},
    {9,
     {0x7fd5af91, 0x1baff25a, 0x0a545834, 0x77d222c8,
      0x11ab8c98, 0x66558268, 0x766515fa, 0x15965ea7}},
    {31,
     {0xd965d27a, 0xf678ea15, 0x7dbe3149, 0x5b9606d9,
      0xdf0e20e9, 0x50b64f79, 0xd6b9abf6, 0x6483fb65}},
    {32,
     {0x27a5791d, 0xd6f57628, 0x541a77a4, 0x761b760c,
      0x6c6bdb5c, 0xb6bffb7b, 0x8ea770b0, 0x808a2a9b}},
    {33,
     {0x70e78a68, 0xd1fac77c, 0x6867148f, 0x023eeb73,
      0xdc5b18a9, 0x2f0cb386, 0x24ce14dd, 0x47eaa39b}},
    {64,
     {0x1057b2ea, 0xfcb43ea2, 0x937070dd, 0xde9ead56,
      0xf76b1d86, 0x518b3430, 0xdd87ba43, 0xd7e2da68}},
    {100,
     {0xa4f3588a, 0x4fa2a2c3, 0x15e351ac, 0x44afe2cc,
      0xacf4a913, 0x70baa0d1, 0x02d3cbdd, 0x26fc1c7b}},
    {200,
     {0xfbbf987a, 0x70200169, 0x2835fcc1, 0x0f6bb5c0,
      0x501c02a6, 0xa97f87fb, 0xa49d4c07, 0x46c2ac0e}},
};

int main(void) { return message32_check(fugue256, answers, sizeof answers / sizeof *answers); }
