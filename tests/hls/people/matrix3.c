// SPDX-License-Identifier: Apache-2.0
// top: mat_pow_vec, depth: base
// 3 x 3 matrices modulo 2^32, by value and by pointer; powers of the tribonacci matrix are known.
#include <stdint.h>

typedef struct mat { uint32_t m[3][3]; } mat;
typedef uint32_t vec[3];

static mat mul(const mat *a, const mat *b) {
  mat r = {{{0}}};
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++)
      for (int k = 0; k < 3; k++) r.m[i][j] += a->m[i][k] * b->m[k][j];
  return r;
}

static mat identity(void) { return (mat){{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}}; }

uint32_t mat_pow_vec(const mat *base, uint16_t n, vec v) {
  mat result = identity(), square = *base;
  for (; n; n >>= 1) {
    if (n & 1) result = mul(&result, &square);
    square = mul(&square, &square);
  }
  const vec old = {v[0], v[1], v[2]};
  uint32_t trace = 0;
  for (int i = 0; i < 3; i++) {
    v[i] = 0;
    for (int j = 0; j < 3; j++) v[i] += result.m[i][j] * old[j];
    trace += result.m[i][i];
  }
  return trace;
}

int main(void) {
  const mat t = {{{1, 1, 1}, {1, 0, 0}, {0, 1, 0}}};
  const struct { uint16_t n; uint32_t value, trace; } known[] = {
      {0, 1, 3}, {1, 2, 1}, {2, 4, 3}, {10, 504, 443}, {24, 2555757, 2246915}, {35, 2082876103,
          1831177831},
  };
  for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
    vec v = {1, 1, 0};
    const uint32_t trace = mat_pow_vec(&t, known[i].n, v);
    if (v[0] != known[i].value || trace != known[i].trace) return (int)i + 1;
  }
  return 0;
}
