// SPDX-License-Identifier: Apache-2.0
// top: mul256, depth: a+b+sum
// Schoolbook product of two numbers of 256 bits, little-endian words of 32, and a sum with carry.
#include <stdint.h>
#include <string.h>

#define WORDS 8

typedef struct { uint32_t w[WORDS]; } u256;

static uint32_t mac(uint32_t *acc, uint32_t a, uint32_t b, uint32_t carry) {
  uint64_t t = (uint64_t)a * b + *acc + carry;
  *acc = (uint32_t)t;
  return (uint32_t)(t >> 32);
}

uint8_t mul256(const u256 *a, const u256 *b, uint32_t product[2 * WORDS], u256 *sum) {
  memset(product, 0, 2 * WORDS * sizeof *product);
  for (unsigned i = 0; i < WORDS; ++i) {
    uint32_t carry = 0;
    for (unsigned j = 0; j < WORDS; ++j) carry = mac(&product[i + j], a->w[i], b->w[j], carry);
    product[i + WORDS] = carry;
  }
  uint8_t carry = 0;
  for (unsigned i = 0; i < WORDS; ++i) {
    uint32_t t;
    uint8_t c = __builtin_add_overflow(a->w[i], b->w[i], &t);
    c |= __builtin_add_overflow(t, carry, &sum->w[i]);
    carry = c;
  }
  return carry;
}

int main(void) {
  u256 ones, two = {{2}}, p = {{0xffffffed, ~0u, ~0u, ~0u, ~0u, ~0u, ~0u, 0x7fffffff}}, s;
  uint32_t r[2 * WORDS];
  memset(&ones, 0xff, sizeof ones);
  // (2^256 - 1)^2 = 2^512 - 2^257 + 1
  if (mul256(&ones, &ones, r, &s) != 1) return 1;
  if (r[0] != 1 || r[7] != 0 || r[8] != 0xfffffffe || r[15] != ~0u ||
      s.w[0] != 0xfffffffe) return 2;
  if (mul256(&ones, &two, r, &s) != 1 || r[0] != 0xfffffffe || r[8] != 1 || r[9] != 0) return 3;
  if (s.w[0] != 1 || s.w[7] != 0) return 4;
  // (2^255 - 19)^2 = 2^510 - 19 * 2^256 + 361
  if (mul256(&p, &p, r, &s) != 0) return 5;
  if (r[0] != 361 || r[1] || r[7] || r[8] != 0xffffffed || r[9] != ~0u ||
      r[15] != 0x3fffffff) return 6;
  if (s.w[0] != 0xffffffda || s.w[7] != ~0u) return 7;
  return 0;
}
