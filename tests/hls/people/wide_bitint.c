// SPDX-License-Identifier: Apache-2.0
// top: mulmod, std: c23
// Arithmetic of the curve secp256k1 with integers as wide as it takes: a product modulo the prime.
#include <stdint.h>

typedef unsigned _BitInt(256) u256;
typedef unsigned _BitInt(512) u512;
typedef unsigned _BitInt(33) fold_t;

static const u256 P = ~(u256)0 - 0x1000003d0ull;

u256 mulmod(u256 a, u256 b) {
  u512 t = (u512)a * b;
  for (int i = 0; i < 3; i++) t = (t >> 256) * (fold_t)0x1000003d1 + (u256)t;
  u256 r = (u256)t;
  return r >= P ? r - P : r;
}

static u256 of(uint64_t a, uint64_t b, uint64_t c, uint64_t d) {
  return (u256)a << 192 | (u256)b << 128 | (u256)c << 64 | d;
}

int main() {
  const u256 gx = of(0x79be667ef9dcbbac, 0x55a06295ce870b07, 0x029bfcdb2dce28d9,
      0x59f2815b16f81798);
  const u256 gy = of(0x483ada7726a3c465, 0x5da4fbfc0e1108a8, 0xfd17b448a6855419,
      0x9c47d08ffb10d4b8);
  // The generator lies on the curve: y^2 = x^3 + 7.
  u256 x3 = mulmod(mulmod(gx, gx), gx), y2 = mulmod(gy, gy);
  if (y2 != (x3 + 7) % P) return 1;
  if (mulmod(P - 1, P - 1) != 1) return 2;
  if (mulmod(0, gx) != 0 || mulmod(1, gx) != gx) return 3;
  // Fermat, by squaring and multiplying with few calls: 2^256 = 2^32 + 977.
  u256 x = 2;
  for (int i = 0; i < 8; i++) x = mulmod(x, x);
  return x != 0x1000003d1;
}
