// SPDX-License-Identifier: Apache-2.0
// Greatest common divisor, bit by bit: Stein's algorithm (Knuth, The Art of Computer Programming,
// 4.5.2, algorithm B); top function: gcd. The running time depends on the values.

#include <stddef.h>
#include <stdint.h>

// Gives the greatest common divisor; gcd(0, b) is b, gcd(0, 0) is 0.
uint32_t gcd(uint32_t a, uint32_t b) {
  if (a == 0) return b;
  if (b == 0) return a;
  uint32_t twos = 0;
  while (!((a | b) & 1)) {
    a >>= 1;
    b >>= 1;
    twos++;
  }
  while (!(a & 1)) a >>= 1;
  do {
    while (!(b & 1)) b >>= 1;
    if (a > b) {
      uint32_t t = a;
      a = b;
      b = t;
    }
    b -= a;
  } while (b != 0);
  return a << twos;
}

struct known_answer {
  uint32_t a, b, divisor;
};

static const struct known_answer answers[] = {
    {40902, 24140, 34},  // Knuth's example
    {0, 0, 0},
    {0, 7, 7},
    {12, 0, 12},
    {1, 0xffffffff, 1},
    {0x80000000, 0x80000000, 0x80000000},
    {0x80000000, 0x00010000, 0x00010000},
    {2971215073, 1836311903, 1},  // neighbours in Fibonacci's sequence
    {3000000000, 1250000000, 250000000},
    {0xffffffff, 0xfffffffe, 1},
};

int main(void) {
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    if (gcd(answers[k].a, answers[k].b) != answers[k].divisor) return 1;
  return 0;
}
