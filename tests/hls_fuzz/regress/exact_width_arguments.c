// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// clang passes a _BitInt of 33 to 63 bits as a coerced i64: it was taken for a struct by value.
#include <stdint.h>
signed _BitInt(40) top(unsigned _BitInt(63) x, signed _BitInt(40) y, unsigned _BitInt(5) z) {
  return (signed _BitInt(40))(x >> 23) + y * z;
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 5; i++) {
    sum = sum * 31 + (int)top(0x123456789abcdefULL * (unsigned)i, -i * 99999, (unsigned)i);
  }
  return sum & 127;
}
