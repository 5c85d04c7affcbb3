// SPDX-License-Identifier: Apache-2.0
// Sums with saturation: what is carried from one iteration to the next is compared and chosen.
#include <stdint.h>

void clip(const int32_t a[64], int32_t c[64], int32_t low, int32_t high) {
  int32_t s = 0;
  for (int i = 0; i < 64; i++) {
#pragma HLS pipeline II=1
    int32_t t = s - (s >> 3) + a[i];
    if (t > high) t = high;
    if (t < low) t = low;
    s = t;
    c[i] = s;
  }
}

int main(void) {
  static int32_t a[64], c[64];
  for (int i = 0; i < 64; i++) a[i] = (i * 7919) % 1000 - 400;
  clip(a, c, -900, 1200);
  int32_t s = 0, bad = 0;
  for (int i = 0; i < 64; i++) {
    s = s - (s >> 3) + a[i];
    s = s > 1200 ? 1200 : s < -900 ? -900 : s;
    bad |= s != c[i];
  }
  return bad;
}
