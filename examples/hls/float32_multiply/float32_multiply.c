// SPDX-License-Identifier: Apache-2.0
// Product of two binary32 numbers, IEEE 754-2019, sections 3.4, 5.4.1, 6: integers only, rounding
// to nearest, ties to even, subnormal numbers included; top function: float32_multiply. No
// exception flags; every NaN that comes out is 7fc00000.

#include <stddef.h>
#include <stdint.h>

#define FLOAT32_NAN 0x7fc00000U
#define FLOAT32_INFINITY 0x7f800000U

// Shifts a subnormal number's fraction up to bit 23 and gives the exponent that goes with it.
static int32_t normalize(uint32_t *fraction) {
  int32_t exponent = 1;
  while (!(*fraction >> 23)) {
    *fraction <<= 1;
    exponent--;
  }
  return exponent;
}

// Gives the encoding of a * b for the encodings of a and b.
uint32_t float32_multiply(uint32_t a, uint32_t b) {
  uint32_t sign = (a ^ b) & 0x80000000;
  int32_t exponent_a = (int32_t)(a >> 23 & 0xff), exponent_b = (int32_t)(b >> 23 & 0xff);
  uint32_t fraction_a = a & 0x7fffff, fraction_b = b & 0x7fffff;
  int zero_a = !(a & 0x7fffffff), zero_b = !(b & 0x7fffffff);
  if ((exponent_a == 0xff && fraction_a) || (exponent_b == 0xff && fraction_b)) return FLOAT32_NAN;
  if (exponent_a == 0xff) return zero_b ? FLOAT32_NAN : sign | FLOAT32_INFINITY;
  if (exponent_b == 0xff) return zero_a ? FLOAT32_NAN : sign | FLOAT32_INFINITY;
  if (zero_a || zero_b) return sign;
  if (exponent_a)
    fraction_a |= 0x800000;
  else
    exponent_a = normalize(&fraction_a);
  if (exponent_b)
    fraction_b |= 0x800000;
  else
    exponent_b = normalize(&fraction_b);

  // The product has its leading one at bit 46 or 47; bring it to 47.
  int32_t exponent = exponent_a + exponent_b - 126;
  uint64_t product = (uint64_t)fraction_a * fraction_b;
  if (!(product >> 47)) {
    product <<= 1;
    exponent--;
  }
  int32_t shift = 24;
  if (exponent < 1) {  // subnormal result
    shift += 1 - exponent;
    exponent = 1;
    if (shift > 50) shift = 50;
  }
  uint64_t kept = product >> shift, lost = product & ((1ULL << shift) - 1),
           half = 1ULL << (shift - 1);
  if (lost > half || (lost == half && (kept & 1))) kept++;
  if (exponent >= 0xff) return sign | FLOAT32_INFINITY;
  // The leading one adds 1 to the exponent field, and so does a carry out of rounding.
  return sign | (((uint32_t)(exponent - 1) << 23) + (uint32_t)kept);
}

struct known_answer {
  uint32_t a, b, product;
};

// Computed by this machine's own floating point, through Python's struct.
static const struct known_answer answers[] = {
    {0x00000000, 0x3f800000, 0x00000000}, {0x80000000, 0x00000001, 0x80000000},
    {0x00000001, 0x7f7fffff, 0x34ffffff}, {0x80000001, 0x34000000, 0x80000000},
    {0x007fffff, 0x3f7fffff, 0x007fffff}, {0x00800000, 0xff7fffff, 0xc07fffff},
    {0x80800000, 0x7f800001, 0x7fc00000}, {0x3f800000, 0x7f7fffff, 0x7f7fffff},
    {0xbf800000, 0x00000001, 0x80000001}, {0x7f7fffff, 0x80000001, 0xb4ffffff},
    {0xff7fffff, 0x34000000, 0xf3ffffff}, {0x7f800000, 0x7fc00000, 0x7fc00000},
    {0xff800000, 0x00800000, 0xff800000}, {0x7fc00000, 0xff7fffff, 0x7fc00000},
    {0x7f800001, 0x007fffff, 0x7fc00000}, {0x3f7fffff, 0x3f7fffff, 0x3f7ffffe},
    {0x34000000, 0x7fc00000, 0x7fc00000}, {0x33800000, 0x80000000, 0x80000000},
    {0x3f800000, 0x42280000, 0x42280000}, {0x00800000, 0x3f000000, 0x00400000},
    {0x00800001, 0x3f000000, 0x00400000}, {0x00800003, 0x3f000000, 0x00400002},
    {0x7f7fffff, 0x3f800001, 0x7f800000}, {0x7f800000, 0x00000000, 0x7fc00000},
    {0x00000001, 0x3f000000, 0x00000000}, {0x00000001, 0x3f000001, 0x00000001},
    {0x80000001, 0x7f000000, 0xb4800000}, {0x5f7fffff, 0x5f800000, 0x7f7fffff},
    {0x007fffff, 0x40000000, 0x00fffffe}, {0x1a000000, 0x257fffff, 0x00400000},
    {0xf646e1f4, 0x93c76f06, 0x4a9aefe5}, {0x92b1d3f2, 0x5058ff70, 0xa396bc44},
    {0x59a54a7b, 0xff66008e, 0xff800000}, {0x74c9df6a, 0x918bfaf4, 0xc6dcc466},
    {0xf1d69ed6, 0x455938ac, 0xf7b61c26}, {0xaa05e11a, 0x10dd96a1, 0x80001cf9},
    {0xb394fb36, 0xcf49fa24, 0x436b159f}, {0xfe3b890b, 0x725bba75, 0xff800000},
    {0x62c33a4f, 0x58f8672c, 0x7c3d6f2b}, {0x7631a992, 0x5ace329c, 0x7f800000},
    {0x1df9fd78, 0x7e1bee3b, 0x5c98451b}, {0xc4aaeac1, 0x49de82b0, 0xcf148ed4},
    {0x3f63af83, 0x65f55a3b, 0x65da3739}, {0xdf1582b0, 0x7f154b7d, 0xff800000},
    {0x72fdf202, 0xe6a3903b, 0xff800000}, {0xe2257159, 0xa3371b55, 0x45ecab61},
};

int main(void) {
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++)
    if (float32_multiply(answers[k].a, answers[k].b) != answers[k].product) return 1;
  return 0;
}
