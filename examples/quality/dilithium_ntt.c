// SPDX-License-Identifier: Apache-2.0
// The number theoretic transform of Dilithium (FIPS 204, algorithm 41), a butterfly a cycle, with
// Montgomery products; top function: dilithium_ntt. Signed representatives; the inverse is not
// here.
//
// The two coefficients of a butterfly differ in one bit of their number, so by the parity of its
// bits one is in one memory and one in the other, at every level: each of the two memories is read
// once and written once a cycle.

#include "dilithium.h"

// Whether a number of 8 bits has an odd number of ones.
static inline int is_odd(unsigned x) {
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return x & 1;
}

// Transforms in place; coefficient i is word i / 2 of even or odd, by the number of ones in i.
// Inputs in (-Q, Q), outputs in (-9Q, 9Q), not reduced.
void dilithium_ntt(int32_t even[N / 2], int32_t odd[N / 2]) {
  for (unsigned n = 0; n < LEVELS * N / 2; n++) {
    // All levels in one pipeline: a word is read again when 64 butterflies have passed.
#pragma HLS pipeline II=1
    const unsigned level = n / (N / 2), i = n % (N / 2), length = (N / 2) >> level;
    const unsigned offset = i & (length - 1), low = 2 * i - offset, high = low + length;
    const int32_t zeta = zetas[(N / 2 + i) >> (LEVELS - 1 - level)];
    const int turned = is_odd(low);
    const unsigned at_even = (turned ? high : low) / 2, at_odd = (turned ? low : high) / 2;
    const int32_t x = even[at_even], y = odd[at_odd];
    const int32_t a = turned ? y : x;
    const int32_t t = montgomery_reduce((int64_t)zeta * (turned ? x : y));
    even[at_even] = turned ? a - t : a + t;
    odd[at_odd] = turned ? a + t : a - t;
  }
}

static int32_t reduced(int32_t x) {
  x %= Q;
  return x < 0 ? x + Q : x;
}

static int32_t a[N];

static void transform(int32_t all[N]) {
  static int32_t even[N / 2], odd[N / 2];
  for (unsigned i = 0; i < N; i++) (is_odd(i) ? odd : even)[i / 2] = all[i];
  dilithium_ntt(even, odd);
  for (unsigned i = 0; i < N; i++) all[i] = (is_odd(i) ? odd : even)[i / 2];
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
