// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// The result stays in the register of `first` where the first branch is taken, in the very cycle
// that brings `second`, which is the result on the other way: all three shared one register.
#include <stdint.h>

static uint8_t from[16];
static uint8_t to[16];

uint8_t top(uint16_t key, uint16_t mask) {
  from[mask & 15] = (uint8_t)(key + mask);
  const uint8_t first = from[key & 15], second = from[(key + 5) & 15];
  uint8_t result = first;
  if (first > key) {
    to[key & 15] = second;
    result = second;
    if (second > mask) {
      to[mask & 15] = (uint8_t)key;
      to[(mask ^ 3) & 15] = second;
    }
  }
  return result ^ to[key >> 4 & 15];
}

int main(void) {
  if (top(0x001, 0x21) != 0) return 1;
  if (top(0x101, 2) != 0x22) return 2;  // stays: first is 0x22, second 0
  if (top(0x105, 6) != 0) return 3;
  return top(0x001, 2) != 0x0b;
}
