// SPDX-License-Identifier: Apache-2.0
// A pointer into a packed structure is less aligned than its type says: once, that was believed.
#include <stdint.h>
#pragma pack(push)
#pragma pack(1)
struct packed {
  uint8_t a;
  int8_t b;
  int32_t c;
  int64_t d;
  uint16_t e;
};
#pragma pack(pop)
static struct packed g[3] = {{9, -55, 1, -7569584470895194360, 7}, {1, 2, 3, 4, 5}};

__attribute__((noinline)) static int64_t use(int64_t *p, int32_t *q) {
  *p += 0x0102030405060708;
  *q ^= (int32_t)*p;
  return *p >> 3;
}

int f(int n, int out[8]) {
  int64_t r = use(&g[n % 3].d, &g[(n + 1) % 3].c);
  out[0] = g[0].a + g[1].b;
  out[1] = g[2].c;
  out[2] = g[n % 3].e;
  return (int)(r ^ r >> 32);
}
