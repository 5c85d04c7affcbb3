// SPDX-License-Identifier: Apache-2.0
// The number theoretic transform of Dilithium (FIPS 204, algorithm 41), four butterflies a cycle,
// with Montgomery products; top function: dilithium_ntt4. Signed representatives; the inverse is
// not here.
//
// Four neighbours are a row, and two rows a cycle are read and written. At the first six levels the
// butterflies are between two rows, whose numbers differ in one bit, so by the parity of its bits
// one is in one memory and one in the other; at the last two they are within a row.

#include "dilithium.h"

#define LANES 4
#define PAIRS (N / LANES / 2)  // of rows

// Whether a number of 8 bits has an odd number of ones.
static inline int is_odd(unsigned x) {
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return x & 1;
}

// Chooses by the level: between rows, of halves of a row, of neighbours in a row.
static inline int32_t chosen(unsigned level, int32_t rows, int32_t halves, int32_t neighbours) {
  return level == 7 ? neighbours : level == 6 ? halves : rows;
}

// Transforms in place; coefficient i is word i / 8 * 4 + i % 4 of even or odd, by the number of
// ones in i / 4. Inputs in (-Q, Q), outputs in (-9Q, 9Q), not reduced.
void dilithium_ntt4(int32_t even[N / 2], int32_t odd[N / 2]) {
  // A row at once: a port for each lane. So are four neighbours of the table.
#pragma HLS array_partition variable=even cyclic factor=4
#pragma HLS array_partition variable=odd cyclic factor=4
#pragma HLS array_partition variable=zetas cyclic factor=4
  for (unsigned n = 0; n < LEVELS * PAIRS; n++) {
    // All levels in one pipeline: a row is read again when 16 pairs have passed.
#pragma HLS pipeline II=1
    const unsigned level = n / PAIRS, i = n % PAIRS;
    const unsigned between = level < 5 ? level : 5;  // the last levels take neighbours
    const unsigned length = PAIRS >> between;
    const unsigned offset = i & (length - 1), low = 2 * i - offset, high = low + length;
    const int turned = is_odd(low);
    const unsigned at_even = (turned ? high : low) / 2, at_odd = (turned ? low : high) / 2;

    // Zetas are in order of use: one for all four butterflies, one a row, or one each.
    const unsigned first = level == 7   ? 128 + 4 * i
                           : level == 6 ? 64 + 2 * i
                                        : (PAIRS + i) >> (5 - between);
    int32_t z[LANES];
    for (unsigned c = 0; c < LANES; c++) z[c] = zetas[first / LANES * LANES + c];
    const int32_t left = first & 2 ? z[2] : z[0], right = first & 2 ? z[3] : z[1];
    const int32_t any = first & 1 ? right : left;
    const int32_t zeta[LANES] = {
        chosen(level, any, left, z[0]), chosen(level, any, left, z[1]),
        chosen(level, any, right, z[2]), chosen(level, any, right, z[3])};

    int32_t r[2 * LANES];
    for (unsigned c = 0; c < LANES; c++) {
      const int32_t x = even[LANES * at_even + c], y = odd[LANES * at_odd + c];
      r[c] = turned ? y : x;
      r[LANES + c] = turned ? x : y;
    }
    const int32_t a[LANES] = {
        r[0], chosen(level, r[1], r[1], r[2]), chosen(level, r[2], r[4], r[4]),
        chosen(level, r[3], r[5], r[6])};
    const int32_t b[LANES] = {
        chosen(level, r[4], r[2], r[1]), chosen(level, r[5], r[3], r[3]),
        chosen(level, r[6], r[6], r[5]), r[7]};
    int32_t s[LANES], d[LANES];
    for (unsigned c = 0; c < LANES; c++) {
      const int32_t t = montgomery_reduce((int64_t)zeta[c] * b[c]);
      s[c] = a[c] + t;
      d[c] = a[c] - t;
    }
    const int32_t out[2 * LANES] = {
        s[0], chosen(level, s[1], s[1], d[0]), chosen(level, s[2], d[0], s[1]),
        chosen(level, s[3], d[1], d[1]), chosen(level, d[0], s[2], s[2]),
        chosen(level, d[1], s[3], d[2]), chosen(level, d[2], d[2], s[3]), d[3]};
    for (unsigned c = 0; c < LANES; c++) {
      even[LANES * at_even + c] = turned ? out[LANES + c] : out[c];
      odd[LANES * at_odd + c] = turned ? out[c] : out[LANES + c];
    }
  }
}

static int32_t reduced(int32_t x) {
  x %= Q;
  return x < 0 ? x + Q : x;
}

static int32_t a[N];

static void transform(int32_t all[N]) {
  static int32_t even[N / 2], odd[N / 2];
  for (unsigned i = 0; i < N; i++) (is_odd(i / 4) ? odd : even)[i / 8 * 4 + i % 4] = all[i];
  dilithium_ntt4(even, odd);
  for (unsigned i = 0; i < N; i++) all[i] = (is_odd(i / 4) ? odd : even)[i / 8 * 4 + i % 4];
}

int main(void) {
  // The transform of 1 is all ones; that of X starts with 1753 and its negative.
  for (int i = 0; i < N; i++) a[i] = i == 0;
  transform(a);
  for (int i = 0; i < N; i++)
    if (reduced(a[i]) != 1) return 1;
  for (int i = 0; i < N; i++) a[i] = i == 1;
  transform(a);
  if (reduced(a[0]) != 1753 || reduced(a[1]) != Q - 1753) return 1;

  // Values at 1753^(2 brv8(j) + 1), computed by the definition (FIPS 204, 2.5) in Python.
  static const int32_t values[8] = {3450093, 1631393, 3500951, 6608932,
                                    4920416, 2444901, 678685,  499799};
  for (int i = 0; i < N; i++) a[i] = (int32_t)((i * i * 4099 + i * 7919 + 12345) % Q);
  transform(a);
  int64_t sum = 0;
  for (int i = 0; i < N; i++) sum += (int64_t)(i + 1) * reduced(a[i]);
  if (reduced(a[0]) != values[0] || reduced(a[1]) != values[1] || reduced(a[2]) != values[2] ||
      reduced(a[3]) != values[3] || reduced(a[127]) != values[4] || reduced(a[128]) != values[5] ||
      reduced(a[255]) != values[6] || sum % Q != values[7])
    return 1;
  return 0;
}
