// SPDX-License-Identifier: Apache-2.0
// Hints to compilers, which compute nothing, and builtins, which do.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)

struct padded {
  char a;
  int b;
};

static int chosen(int n) {
  switch (n & 3) {
    case 0:
      return 11;
    case 1:
      return 22;
    case 2:
      return 44;
    case 3:
      return 88;
    default:
      __builtin_unreachable();
  }
}

int f(int n, int out[8]) {
  int *p = __builtin_assume_aligned(out, sizeof(int));
  uint32_t x = (uint32_t)n * 2654435761u + 7, r = 0;
  long long wide = 0;
  __builtin_assume(n >= 0);
  for (int i = 0; i < 8; i++) {
    __builtin_prefetch(&p[i], 1, 3);
    if (likely(x & 1)) x += (uint32_t)i;
    if (__builtin_expect_with_probability(x & 2, 2, 0.9)) x ^= 5;
    if (__builtin_unpredictable(x & 4)) x += 9;
    p[i] = (int)(x = x * 1664525u + 1013904223u);
  }
  p[0] ^= __builtin_popcount(x) + 100 * __builtin_clz(x | 1) + 10000 * __builtin_ctz(x | 1);
  p[1] ^= __builtin_ffs(n) + 100 * __builtin_parity(x) + 10000 * __builtin_clrsb((int)x);
  p[2] ^= (int)(__builtin_bswap32(x) ^ __builtin_bitreverse32(x + 1));
  p[3] ^= (int)(__builtin_rotateleft32(x, n & 31) + __builtin_rotateright32(x, 5));
  p[4] += __builtin_add_overflow(x, x, &r) + (int)r;
  p[4] ^= __builtin_smulll_overflow((long long)x << 20, x, &wide) + (int)(wide >> 32);
  p[5] += __builtin_abs((int)x) + __builtin_constant_p(n) + (int)offsetof(struct padded, b);
  __builtin_memcpy(&p[6], &p[2], 4);
  __builtin_memset(&p[7], n, 2);
  return chosen(n) + __builtin_choose_expr(1, (int)(x >> 8), 3.0) +
         (int)__builtin_strlen("twelve bytes") + __builtin_types_compatible_p(int, int);
}
