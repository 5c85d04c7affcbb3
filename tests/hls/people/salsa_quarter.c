// SPDX-License-Identifier: Apache-2.0
// top: salsa
// Quarter round, row round and column round of Salsa20; examples of Bernstein's specification.
#include <stdint.h>
#include <string.h>

#define R(a, b) (((a) << (b)) | ((a) >> (32 - (b))))
#define QR(a, b, c, d) ( \
    b ^= R(a + d, 7), c ^= R(b + a, 9), d ^= R(c + b, 13), a ^= R(d + c, 18))

enum { QUARTER, ROW, COLUMN, DOUBLE };

static void rowround(uint32_t x[16]) {
  QR(x[0], x[1], x[2], x[3]);
  QR(x[5], x[6], x[7], x[4]);
  QR(x[10], x[11], x[8], x[9]);
  QR(x[15], x[12], x[13], x[14]);
}

static void columnround(uint32_t x[16]) {
  QR(x[0], x[4], x[8], x[12]);
  QR(x[5], x[9], x[13], x[1]);
  QR(x[10], x[14], x[2], x[6]);
  QR(x[15], x[3], x[7], x[11]);
}

void salsa(int what, uint32_t x[16]) {
  switch (what) {
    case QUARTER: QR(x[0], x[1], x[2], x[3]); break;
    case DOUBLE: columnround(x);  // then the rows
    case ROW: rowround(x); break;
    case COLUMN: columnround(x); break;
  }
}

int main(void) {
  uint32_t q[16] = {1}, r[16] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, d[16] = {1};
  salsa(QUARTER, q);
  if (memcmp(q, (uint32_t[]){0x08008145, 0x80, 0x10200, 0x20500000}, 16)) return 1;
  q[0] = 0xd3917c5b, q[1] = 0x55f1c407, q[2] = 0x52a58a7a, q[3] = 0x8f887a3b;
  salsa(QUARTER, q);
  if (memcmp(q, (uint32_t[]){0x3e2f308c, 0xd90a8f36, 0x6ab2a923, 0x2883524c}, 16)) return 2;
  salsa(ROW, r);
  if (memcmp(r, (uint32_t[]){0x08008145, 0x80, 0x10200, 0x20500000, 0x20100001, 0x48044, 0x80,
      0x10000,
                             1, 0x2000, 0x80040000, 0, 1, 0x200, 0x402000, 0x88000100},
                                 64)) return 3;
  memcpy(r, (uint32_t[16]){1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1}, 64);
  salsa(COLUMN, r);
  if (memcmp(r, (uint32_t[]){0x10090288, 0, 0, 0, 0x101, 0, 0, 0, 0x20401, 0, 0, 0, 0x40a04001},
      52)) return 4;
  salsa(DOUBLE, d);
  if (d[0] != 0x8186a22d || d[1] != 0x0040a284 || d[7] != 0x00800000 ||
      d[15] != 0x612a8020) return 5;
  return 0;
}
