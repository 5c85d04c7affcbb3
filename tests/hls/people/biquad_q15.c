// SPDX-License-Identifier: Apache-2.0
// top: filter
// Two biquads in Q15 with saturation, a sample a call. The answers were computed with Python.
#include <limits.h>
#include <stdint.h>
#include <stdio.h>

typedef int16_t q15;
typedef struct biquad { q15 b0, b1, b2, a1, a2; } biquad;
typedef struct delay { q15 x1, x2, y1, y2; } delay;

static const biquad sections[2] = {
  { .b0 = 3277, .b1 = 6554, .b2 = 3277, .a1 = -18000, .a2 = 6400 },
  { .b0 = 24000, .b1 = 16000, .b2 = 8000, .a1 = -9000, .a2 = 1500 },
};
static delay state[2];

static q15 sat(int32_t x) {
  return (q15)(x > INT16_MAX ? INT16_MAX : x < INT16_MIN ? INT16_MIN : x);
}

static q15 run(const biquad *c, delay *d, q15 x) {
  int32_t acc = 1 << 14;
  acc += (int32_t)c->b0 * x;
  acc += (int32_t)c->b1 * d->x1;
  acc += (int32_t)c->b2 * d->x2;
  acc -= (int32_t)c->a1 * d->y1;
  acc -= (int32_t)c->a2 * d->y2;
  const q15 y = sat(acc >> 15);
  *d = (delay){ x, d->x1, y, d->y1 };
  return y;
}

q15 filter(q15 x) {
  for (int i = 0; i < 2; i++) x = run(&sections[i], &state[i], x);
  return x;
}

int main(void) {
  static const q15 impulse[] = { 2400, 8378, 12363, 10292, 5074, 1046, -426, -453 };
  static const q15 square[] = { -32768, -18830, 6570, 28064, 32767, 18830, -6570, -28064 };
  int bad = 0;
  for (int n = 0; n < 8; n++) {
    q15 got = filter(n ? 0 : INT16_MAX);
    if (got != impulse[n]) { bad++; printf("%d: %d\n", n, got); }
  }
  for (int n = 0; n < 24; n++) {
    q15 got = filter(n & 4 ? INT16_MIN : INT16_MAX);
    if (n >= 16 && got != square[n - 16]) { bad++; printf("%d: %d\n", n, got); }
  }
  return bad;
}
