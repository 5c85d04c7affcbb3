// SPDX-License-Identifier: Apache-2.0
// Sum of two binary32 numbers, IEEE 754-2019, sections 3.4, 5.4.1, 6: integers only, rounding to
// nearest, ties to even, subnormal numbers included; top function: float32_add. No exception flags;
// every NaN that comes out is 7fc00000.

#include <stddef.h>
#include <stdint.h>

#define FLOAT32_NAN 0x7fc00000U
#define FLOAT32_INFINITY 0x7f800000U

// Gives the encoding of a + b for the encodings of a and b.
uint32_t float32_add(uint32_t a, uint32_t b) {
  if ((a & 0x7fffffff) < (b & 0x7fffffff)) {
    uint32_t t = a;
    a = b;
    b = t;
  }
  // From here on |a| >= |b|.
  uint32_t sign = a & 0x80000000, exponent_a = a >> 23 & 0xff, exponent_b = b >> 23 & 0xff;
  uint32_t fraction_a = a & 0x7fffff, fraction_b = b & 0x7fffff;
  uint32_t subtract = (a ^ b) >> 31;
  if (exponent_a == 0xff) {
    if (fraction_a) return FLOAT32_NAN;
    return exponent_b == 0xff && subtract ? FLOAT32_NAN : a;
  }
  // 24 bits of significand, then guard, round and sticky bits.
  if (exponent_a) fraction_a |= 0x800000;
  if (exponent_b) fraction_b |= 0x800000;
  if (exponent_a == 0) exponent_a = 1;
  if (exponent_b == 0) exponent_b = 1;
  uint32_t x = fraction_a << 3, y = fraction_b << 3, distance = exponent_a - exponent_b;
  if (distance > 26) {
    y = y != 0;
  } else {
    uint32_t lost = y & ((1U << distance) - 1);
    y = y >> distance | (lost != 0);
  }
  uint32_t sum = subtract ? x - y : x + y;
  if (sum == 0) return subtract ? 0 : sign;  // x - x is +0, -0 + -0 is -0
  uint32_t exponent = exponent_a;
  if (sum >> 27) {
    sum = sum >> 1 | (sum & 1);
    exponent++;
  }
  while (!(sum >> 26) && exponent > 1) {
    sum <<= 1;
    exponent--;
  }
  uint32_t significand = sum >> 3, rest = sum & 7;
  if (rest > 4 || (rest == 4 && (significand & 1))) significand++;
  if (!(sum >> 26)) exponent = 0;  // subnormal; a carry into bit 23 makes it normal by itself
  if (exponent >= 0xff) return sign | FLOAT32_INFINITY;
  // The leading one adds 1 to the exponent field, and so does a carry out of rounding.
  return sign | ((exponent ? (exponent - 1) << 23 : 0) + significand);
}

struct known_answer {
  uint32_t a, b, sum;
};

// Computed by this machine's own floating point, through Python's struct.
static const struct known_answer answers[] = {
    {0x00000000, 0xff7fffff, 0xff7fffff}, {0x80000000, 0x007fffff, 0x007fffff},
    {0x00000001, 0xff800000, 0xff800000}, {0x80000001, 0x80000000, 0x80000001},
    {0x007fffff, 0x00000001, 0x00800000}, {0x00800000, 0x33800000, 0x33800000},
    {0x80800000, 0x80000001, 0x80800001}, {0x3f800000, 0x7f800000, 0x7f800000},
    {0xbf800000, 0x80000000, 0xbf800000}, {0x7f7fffff, 0x34000000, 0x7f7fffff},
    {0xff7fffff, 0x80800000, 0xff7fffff}, {0x7f800000, 0x80000000, 0x7f800000},
    {0xff800000, 0x00000001, 0xff800000}, {0x7fc00000, 0x7fc00000, 0x7fc00000},
    {0x7f800001, 0x7fc00000, 0x7fc00000}, {0x3f7fffff, 0x00000001, 0x3f7fffff},
    {0x34000000, 0x3f800000, 0x3f800001}, {0x33800000, 0x00000001, 0x33800000},
    {0x3f800000, 0x33800000, 0x3f800000}, {0x3f800001, 0x33800000, 0x3f800002},
    {0x3f800000, 0xb3800000, 0x3f7fffff}, {0x3f800000, 0xb3000000, 0x3f800000},
    {0x7f800000, 0xff800000, 0x7fc00000}, {0x7f800000, 0x00000000, 0x7f800000},
    {0x80000000, 0x80000000, 0x80000000}, {0x3f800000, 0xbf800000, 0x00000000},
    {0x7f7fffff, 0x73000000, 0x7f800000}, {0x007fffff, 0x00000001, 0x00800000},
    {0x00800000, 0x80000001, 0x007fffff}, {0x8d116ece, 0x0de9d64a, 0x0da11ee3},
    {0x90c192cf, 0x871c9318, 0x90c192e3}, {0xa170b338, 0xa8794e86, 0xa8795249},
    {0x0fd630f1, 0x94b2c66d, 0x94b290e1}, {0x0cb1e29c, 0x06c740cb, 0x0cb1ef10},
    {0xdbc496cb, 0x52b5a659, 0xdbc4969e}, {0x24ede6a4, 0x28c913b3, 0x28ca019a},
    {0x4ef8aa38, 0xd3574bdd, 0xd356cf88}, {0x2e44158b, 0xa4491d39, 0x2e44157e},
    {0xa38fd547, 0x1c8c789a, 0xa38fd315}, {0x8c38fb29, 0x15c83d38, 0x15c83d21},
    {0x0f4205b4, 0x15bf8a82, 0x15bf9092}, {0xae2eb154, 0x32637c3b, 0x3262cd8a},
    {0x506bf2ef, 0xd1f63353, 0xd1d8b4f5}, {0x7403e430, 0x729fcc71, 0x7417ddbe},
    {0xcb5c7427, 0xc3e3d175, 0xcb5c75ef},
};

int main(void) {
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    if (float32_add(answers[k].a, answers[k].b) != answers[k].sum) return 1;
  return 0;
}
