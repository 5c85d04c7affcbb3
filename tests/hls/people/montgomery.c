// SPDX-License-Identifier: Apache-2.0
// top: modexp
// Powers modulo an odd number of 64 bits, by Montgomery's multiplication (R = 2^64).
#include <inttypes.h>
#include <stdio.h>

typedef unsigned __int128 u128;

struct field { uint64_t n, minus_inverse, r2; };

static uint64_t redc(u128 t, const struct field *f) {
  const uint64_t m = (uint64_t)t * f->minus_inverse;
  const u128 low = (u128)(uint64_t)t + (uint64_t)((u128)m * f->n);
  u128 high = (t >> 64) + ((u128)m * f->n >> 64) + (low >> 64);
  return (uint64_t)(high >= f->n ? high - f->n : high);
}

static struct field prepared(uint64_t n) {
  struct field f = {.n = n};
  uint64_t inverse = n;  // right to 3 bits, each step doubles that
  for (int i = 0; i < 5; i++) inverse *= 2 - n * inverse;
  f.minus_inverse = -inverse;
  u128 r = ((u128)1 << 64) % n;
  for (int i = 0; i < 64; i++) r = (r << 1) % n;
  f.r2 = (uint64_t)r;
  return f;
}

uint64_t modexp(uint64_t base, uint64_t exponent, uint64_t n) {
  const struct field f = prepared(n | 1);
  uint64_t x = redc((u128)(base % f.n) * f.r2, &f), y = redc(f.r2, &f);
  while (exponent) {
    if (exponent & 1) y = redc((u128)y * x, &f);
    x = redc((u128)x * x, &f);
    exponent >>= 1;
  }
  return redc(y, &f);
}

int main(void) {
  static const uint64_t known[][4] = {
      {4, 13, 497, 445},
      {2, 0, 97, 1},
      {3, 1000000006, 1000000007, 1},
      {123456789, 987654321, 0xffffffffffffffc5, 13340410239862665191u},
          // the largest prime below 2^64
      {0xfffffffffffffffe, 2, 0xffffffffffffffff, 1},
      {7, 560, 561, 1},
  };
  int failed = 0;
  for (unsigned i = 0; i < sizeof known / sizeof *known; i++) {
    uint64_t got = modexp(known[i][0], known[i][1], known[i][2]);
    if (got != known[i][3]) failed++, printf("%u: %" PRIu64 "\n", i, got);
  }
  return failed;
}
