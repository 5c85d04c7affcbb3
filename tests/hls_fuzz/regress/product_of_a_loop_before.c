// SPDX-License-Identifier: Apache-2.0
// Products of what a pipelined loop has carried into its last iteration, in states behind the loop:
// whether they may share a multiplier was asked of a value that no state makes.
#include <stdint.h>

uint32_t top(const uint32_t a[16], uint32_t b[16], uint32_t k) {
  uint32_t before = 0, now = k;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    before = now;
    now = now * 3 + a[i];
  }
  b[0] = before * b[1];
  b[1] = b[2] * before;
  return b[7] * now;
}

int main(void) {
  uint32_t a[16], b[16], sum = 0;
  for (uint32_t n = 0; n < 5; n++) {
    for (uint32_t i = 0; i < 16; i++) {
      a[i] = i * 77 + n;
      b[i] = i + n * 3 + 1;
    }
    sum = sum * 31 + top(a, b, 77 * n + 5) + b[0] + b[1];
  }
  return sum == 0;
}
