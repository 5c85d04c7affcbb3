// SPDX-License-Identifier: Apache-2.0
// top: reverse_all
// Bit reversal by a table that the preprocessor writes.
#include <stdint.h>

static const unsigned char BitReverseTable256[256] = {
#define R2(n) n, n + 2 * 64, n + 1 * 64, n + 3 * 64
#define R4(n) R2(n), R2(n + 2 * 16), R2(n + 1 * 16), R2(n + 3 * 16)
#define R6(n) R4(n), R4(n + 2 * 4), R4(n + 1 * 4), R4(n + 3 * 4)
    R6(0), R6(2), R6(1), R6(3)};

uint32_t reverse_all(uint32_t v, uint16_t *half, uint8_t *byte) {
  uint32_t c;
  unsigned char *p = (unsigned char *)&v, *q = (unsigned char *)&c;
  q[3] = BitReverseTable256[p[0]];
  q[2] = BitReverseTable256[p[1]];
  q[1] = BitReverseTable256[p[2]];
  q[0] = BitReverseTable256[p[3]];
  *half = (uint16_t)(c >> 16);
  *byte = (uint8_t)(((v & 0xff) * 0x0202020202ULL & 0x010884422010ULL) % 1023);
  return c;
}

int main(void) {
  uint32_t x = 0x12345678;
  uint16_t h;
  uint8_t b;
  if (reverse_all(x, &h, &b) != 0x1e6a2c48 || h != 0x1e6a || b != 0x1e) return 1;
  if (reverse_all(1, &h, &b) != 0x80000000 || b != 0x80) return 2;
  for (int i = 0; i < 8; i++, x = x * 1664525 + 1013904223) {
    uint32_t r = 0;
    for (int k = 0; k < 32; k++) r |= (x >> k & 1) << (31 - k);
    if (reverse_all(x, &h, &b) != r || h != r >> 16 || b != r >> 24) return 3;
  }
  return 0;
}
