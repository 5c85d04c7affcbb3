// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// The memory is all zeros, so that both counts are known, 31: either one settled the low bits of
// the disjunction in place of the other, and none was left.
#include <stdint.h>

uint8_t top(uint16_t index, uint8_t value) {
  int64_t zeros[5] = {0};
  const int64_t x = zeros[index % 5u];
  value |= (uint8_t)__builtin_clz((uint32_t)(x >> 16) | 1);
  value |= (uint8_t)__builtin_clz((uint32_t)(x * 3 >> 16) | 1);
  return value;
}

int main(void) {
  return top(7, 0xb2) != 0xbf;
}
