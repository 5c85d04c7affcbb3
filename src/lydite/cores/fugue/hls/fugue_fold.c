// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 ("The Hash Function Fugue", 2009) from stream to stream, padding included, a column of
// SMIX a cycle and the state in LUT RAM: a core for `lydite bench`. Top function: fugue_fold.
//
// No column is moved: the state turns by where it begins. What a cycle works on is one column in an
// even place and one in an odd place; these have a memory each. A subround takes five cycles: four
// columns, a cycle apart, and one until the last of them is mixed.

#include "../../common/hls/aes.h"
#include "../../common/hls/message32.h"

#define COLUMNS 30
#define HALF (COLUMNS / 2)
#define PLACES 16       // of a memory, one more than columns
#define STEPS 5         // of a subround
#define FINAL_COUNT 10  // of the final stage: subrounds
#define LATE_COUNT 26   // and half rounds behind them

enum { FIRST, SECOND, FINAL, LATE, GIVE };  // subround of a word, and stages behind the words

// The first state, columns in even places and in odd ones, row 0 lowest.
static const uint32_t initial_even[PLACES] = {
    [11] = 0xdebd52e9, [12] = 0x68f6d4e0, [13] = 0x1d626cf9, [14] = 0x99e84991};
static const uint32_t initial_odd[PLACES] = {
    [11] = 0x5f137166, [12] = 0x94b5b0d2, [13] = 0xde29f9fb, [14] = 0x48c2f834};

// A place, further on in the ring.
static uint8_t further(uint8_t place, uint8_t by) {
  const uint8_t sum = place + by;
  return sum >= COLUMNS ? sum - COLUMNS : sum;
}

// Row i of a column of M U: 1, 4, 7, 1.
static uint8_t product(const uint8_t u[4], int i) {
  const uint8_t next = u[(i + 1) % 4], after = u[(i + 2) % 4];
  return u[i] ^ after ^ u[(i + 3) % 4] ^ aes_twice(aes_twice(next ^ after) ^ after);
}

// A sum of D, in the column of this number: 1, 1, 7, 4 times.
static uint8_t times(uint8_t number, uint8_t d) {
  const uint8_t odd = number & 1 ? 0 : d;
  return number & 2 ? aes_twice(aes_twice(d) ^ odd) ^ odd : d;
}

void fugue_fold(lydite_stream32 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
#pragma HLS expression_balance off
  uint32_t even[PLACES], odd[PLACES];
#pragma HLS bind_storage variable=even type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=odd type=ram_s2p impl=lutram
#pragma HLS array_partition variable=initial_even complete
#pragma HLS array_partition variable=initial_odd complete
  for (int i = 0; i < HALF; i++) {
#pragma HLS pipeline II=1
    even[i] = initial_even[i];
    odd[i] = initial_odd[i];
  }
  // M U, a row each: of the columns that come out, and of those that go in.
  uint8_t products[4][8];
#pragma HLS array_partition variable=products complete dim=1
#pragma HLS bind_storage variable=products type=ram_s2p impl=lutram
  uint8_t sums[4] = {0}, diagonal[4] = {0};      // D of those that go in, of those that come out
  bool turn = false;                             // which half of the products is read
  uint32_t entered = 0;                          // what is in front of the S-boxes
  uint32_t addend = initial_even[12], word = 0;  // what a word adds: column 24, then the word
  message32_place place = {.more = true};
  uint8_t phase = FIRST, step = 0, count = 0, at = COLUMNS - 3;
  bool last = false;  // the word is the last one
  bool live = false;  // columns have been mixed
  bool done;
  do {
    // A column a cycle.
#pragma HLS pipeline II=1
    const bool first = phase == FIRST, late = phase == LATE, gives = phase == GIVE;
    const bool second = count & 1;  // of two halves, or of two parts of the digest
    const bool half = late || (gives && second), ends = step == (gives ? 3 : 4);
    // The column behind Super-Mix: subrounds have use for the first one last.
    const uint8_t number = step == 4 ? 0 : (step + !half) % 4;
    const bool shows = live && !(first && step == 3);
    uint32_t column = 0;
    for (int i = 0; i < 4; i++) {
      const uint8_t byte = products[i][turn * 4 + (number + i) % 4] ^ times(number, diagonal[i]);
      column |= (uint32_t)(shows ? byte : 0) << 8 * i;
    }
    column ^= addend;
    // The columns that it is added to.
    const bool swap = at & 1, cmix = !late && !gives && step < 3;
    const uint8_t other_at = further(at, HALF), write_at = further(at, late ? 14 : 4);
    const uint32_t of_even = even[(swap ? other_at : at) / 2];
    const uint32_t of_odd = odd[(swap ? at : other_at) / 2];
    const uint32_t main = swap ? of_odd : of_even, other = swap ? of_even : of_odd;
    const uint32_t sum = (late && !ends ? 0 : other) ^ column;
    const bool writes_column = cmix | (late & second & !ends);
    const bool writes_sum = cmix | first | (late & (!second | ends));
    if ((swap & writes_sum) | (!swap & writes_column)) {
      even[(swap ? other_at : write_at) / 2] = swap ? sum : column;
    }
    if ((swap & writes_column) | (!swap & writes_sum)) {
      odd[(swap ? write_at : other_at) / 2] = swap ? column : sum;
    }
    // The column before goes through the S-boxes and is mixed, and this one follows.
    uint8_t u[4];
    for (int i = 0; i < 4; i++) u[i] = aes_sbox((uint8_t)(entered >> 8 * i));
    for (int i = 0; i < 4; i++) {
      products[i][!turn * 4 + (step + 3) % 4] = product(u, i);
      sums[i] = step == 0 ? 0 : sums[i] ^ (step == i + 1 ? 0 : u[i]);
      if (step == 4) diagonal[i] = sums[i];
    }
    if (step == 4) turn = !turn;
    const bool reads = half || (gives ? ends : cmix);
    entered = (reads ? main : 0) ^ (half && step != 0 ? 0 : column);
    if (gives) {
      const lydite_stream32_beat beat = {.data = entered, .keep = 0xf, .last = second && ends};
      lydite_stream32_write(m_axis, beat);
    }
    // What is added in the next cycle, and where it is.
    const bool loads = first && step == 2;
    addend = loads ? word : phase == SECOND && ends && !last ? other : 0;
    if (first && step == 1) last = message32_word(&word, s_axis, &place, 0);
    uint8_t by = 1;
    if (gives) {
      by = !second && step == 2 ? 17 : ends ? 11 : 1;
    } else if (late) {
      by = ends ? 12 : second && step == 3 ? 0 : 1;
    } else if (phase == SECOND) {
      by = ends ? 18 : step == 3 ? 6 : 1;
    } else {
      const bool over = phase == FINAL && count == FINAL_COUNT - 1;
      by = step == 2 ? 24 : step == 3 ? 2 : !ends ? 1 : over ? 17 : 29;
    }
    at = further(at, by);
    // The next stage.
    const uint8_t most = phase == FINAL ? FINAL_COUNT : phase == LATE ? LATE_COUNT : 1;
    const bool over = ends & !gives & (count == most - 1);
    const bool again = (phase == SECOND) & !last;
    done = gives & second & ends;
    live = live | ends;
    count = over ? 0 : count + ends;
    phase = over ? (again ? FIRST : phase + 1) : phase;
    step = ends ? 0 : step + 1;
  } while (!done);
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

int main(void) { return message32_check(fugue_fold, answers, sizeof answers / sizeof *answers); }
