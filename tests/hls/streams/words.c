// SPDX-License-Identifier: Apache-2.0
// Words behind pointers: written on some ways only, in loops, in parts, by a function called.
#include <stdint.h>

static void twice(uint32_t *word) {
#pragma HLS inline off
  *word = *word * 2 + 1;
}

uint32_t words(uint32_t a, uint32_t b, uint32_t *often, uint32_t *some, uint16_t *last,
               const uint32_t *given, uint32_t called[1], uint32_t *parts) {
#pragma HLS interface mode=ap_none port=often
#pragma HLS interface mode=ap_vld port=some
#pragma HLS interface mode=ap_ack port=last
#pragma HLS interface mode=ap_hs port=given
#pragma HLS interface mode=s_axilite port=called
#pragma HLS interface mode=ap_ovld port=parts
  *last = 0;
  for (uint32_t i = 0; i < (a & 7); i++) {
    *often = *often * 3 + i;
    if ((b >> i & 3) == 3) {
      *some = *often ^ *given;
      *last = (uint16_t)(*last + i);
    }
  }
  *some += *often;
  ((uint8_t *)parts)[1] = (uint8_t)(a ^ *some);
  if (b & 1) ((uint8_t *)parts)[3] ^= 0x55;
  twice(called);
  return *often + *last;
}

int main(void) {
  uint32_t often = 1, some = 2, given = 3, called[1] = {9}, parts = 0x01020304, seed = 7, sum = 0;
  uint16_t last = 0;
  for (int n = 0; n < 12; n++) {
    seed = seed * 1664525 + 1013904223;
    sum += words(seed >> 20, seed >> 3, &often, &some, &last, &given, called, &parts);
    given ^= sum;
  }
  return sum == 0;
}
