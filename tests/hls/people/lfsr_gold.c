// SPDX-License-Identifier: Apache-2.0
// top: gps_ca
// Ten chips of a GPS C/A code a call; the registers live on in statics. IS-GPS-200 gives the first
// ten chips of each satellite in octal.
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

static bool feedback(uint16_t g, uint16_t taps) { return __builtin_parity(g & taps); }

uint16_t gps_ca(uint8_t tap1, uint8_t tap2, bool restart) {
  static uint16_t g1 = 0x3ff, g2 = 0x3ff;  // stage 1 in bit 0
  if (restart) g1 = g2 = (1 << 10) - 1;
  uint16_t chips = 0;
  for (int i = 0; i < 10; ++i) {
    const bool delayed = (g2 >> (tap1 - 1) ^ g2 >> (tap2 - 1)) & 1;
    chips = (uint16_t)(chips << 1 | ((g1 >> 9 & 1) ^ delayed));
    g1 = (uint16_t)((g1 << 1 | feedback(g1, 1 << 2 | 1 << 9)) & 0x3ff);
    g2 = (uint16_t)((g2 << 1 | feedback(g2, 1 << 1 | 1 << 2 | 1 << 5 | 7 << 7)) & 0x3ff);
  }
  return chips;
}

int main(void) {
  static const struct { uint8_t a, b; uint16_t octal; } prn[] = {
      {2, 6, 01440}, {3, 7, 01620}, {4, 8, 01710}, {5, 9, 01744}, {1, 9, 01133},
      {2, 10, 01455}, {1, 8, 01131}, {2, 9, 01454}, {3, 10, 01626}, {2, 3, 01504},
  };
  int failed = 0;
  for (unsigned k = 0; k < sizeof prn / sizeof *prn; k++) {
    uint16_t got = gps_ca(prn[k].a, prn[k].b, true);
    if (got != prn[k].octal) failed++, printf("PRN %u: %o\n", k + 1, got);
  }
  // The code has 1023 chips, 512 of them ones: 1030 chips are one period and seven more.
  unsigned ones = 0;
  uint16_t first = gps_ca(2, 6, true), last = 0;
  ones += (unsigned)__builtin_popcount(first);
  for (int k = 1; k < 103; k++) {
    last = gps_ca(2, 6, false);
    ones += (unsigned)__builtin_popcount(k < 102 ? last : last >> 7);
  }
  return failed + (ones != 512) + ((last & 0x7f) != first >> 3);
}
