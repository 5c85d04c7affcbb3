// SPDX-License-Identifier: Apache-2.0
// Division of 64-bit numbers, one bit of the quotient a step (Knuth, The Art of Computer
// Programming, 4.3.1, in base 2); top function: divide64. A zero divisor gives quotient 2^64 - 1
// and remainder n, as RISC-V has it.

#include <stddef.h>
#include <stdint.h>

// Gives n / d and writes n mod d.
uint64_t divide64(uint64_t *remainder, uint64_t n, uint64_t d) {
  uint64_t quotient = 0, rest = 0;
  for (int i = 0; i < 64; i++) {
    uint64_t carry = rest >> 63;
    rest = rest << 1 | n >> 63;
    n <<= 1;
    quotient <<= 1;
    if (carry || rest >= d) {
      rest -= d;
      quotient |= 1;
    }
  }
  *remainder = rest;
  return quotient;
}

struct known_answer {
  uint64_t n, d, quotient, remainder;
};

static const struct known_answer answers[] = {
    {0, 1, 0, 0},
    {100, 7, 14, 2},
    {5, 9, 0, 5},
    {0xffffffffffffffff, 1, 0xffffffffffffffff, 0},
    {0xffffffffffffffff, 0xffffffffffffffff, 1, 0},
    {0xffffffffffffffff, 0x8000000000000001, 1, 0x7ffffffffffffffe},
    {0x123456789abcdef0, 0, 0xffffffffffffffff, 0x123456789abcdef0},
    {0xfedcba9876543210, 0x0000000100000000, 0xfedcba98, 0x76543210},
};

int main(void) {
  uint64_t remainder;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    uint64_t quotient = divide64(&remainder, answers[k].n, answers[k].d);
    if (quotient != answers[k].quotient || remainder != answers[k].remainder) return 1;
  }
  // Numbers of all lengths against the language's own operators.
  uint64_t x = 0x9e3779b97f4a7c15;
  for (unsigned i = 0; i < 64; i++) {
    uint64_t n = x, d;
    x = x * 6364136223846793005ULL + 1442695040888963407ULL;
    d = (x >> i) | 1;
    uint64_t quotient = divide64(&remainder, n, d);
    if (quotient != n / d || remainder != n % d) return 1;
  }
  return 0;
}
