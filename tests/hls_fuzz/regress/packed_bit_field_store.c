// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// The store of an i48, for 43 bits of bit-fields, wrote the two bytes behind it, too.
#include <stdint.h>
#pragma pack(1)
struct inner { signed f0 : 26; signed f5 : 17; int8_t f6; };
struct outer { int32_t f0; struct inner f3; };
static struct outer g = {0x5DEA311C, {0x3D2, 0x2A, 5}};
int32_t top(int32_t x, uint8_t k) {
  g.f3.f0 |= x;
  switch (k) {
    case 0: return g.f0;
    case 1: return g.f3.f6;
    case 2: return g.f3.f0;
    default: return g.f3.f5;
  }
}
int main(void) {
  int sum = 0;
  for (int i = 0; i < 8; i++) sum = sum * 31 + top((int32_t)(0x96885830u >> i), i & 3);
  return sum & 127;
}
