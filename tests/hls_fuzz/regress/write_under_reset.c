// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// From some power-up states the controller wrote to memories in the first cycle of reset, so that
// their contents at the first call were not those that C gives them.
#include <stdint.h>
static uint32_t a[16] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16};
static uint32_t b[16] = {9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 1, 2, 3, 4, 5, 6};
uint32_t top(uint32_t x) {
  uint32_t sum = x;
  for (int i = 0; i < 16; i++) sum = sum * 31 + (a[i] ^ b[i]);
  for (int i = 0; i < 4; i++) {
    a[(x + i) & 15] = sum * 3;
    b[(x ^ i) & 15] += sum;
    a[(sum >> 5) & 15] ^= x * x;
    b[(sum >> 9) & 15] -= x / (i + 3);
    sum ^= a[x & 15];
  }
  return sum;
}
int main(void) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 3; i++) sum = sum * 31 + top(i * 77);
  return sum & 127;
}
