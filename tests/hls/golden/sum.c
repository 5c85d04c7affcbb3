// SPDX-License-Identifier: Apache-2.0
// top=sum clock_ns=6
// A reduction over an argument array, with a variable bound.
#include <stdint.h>
uint32_t sum(const uint32_t a[16], uint8_t n) {
  uint32_t s = 0;
  for (int i = 0; i < n; i++) s += a[i & 15] * 3;
  return s;
}
