// SPDX-License-Identifier: Apache-2.0
// top=mixed clock_ns=8
// Every kind of memory: ROM, RAM with byte lanes, registers, state, an output array, a function.
#include <stdint.h>
static const uint8_t table[256] = {[0] = 7, [3] = 1, [200] = 9, [255] = 77};
static uint32_t ring[128];
static union {
  uint32_t word[4];
  uint8_t byte[16];
} both;
static uint32_t calls;

__attribute__((noinline)) static uint32_t mix(uint32_t x, uint32_t y) {
  ring[x & 127] += y;
  return ring[(x + y) & 127] ^ x / 7;
}

uint32_t mixed(uint32_t x, int16_t k, uint16_t out[8]) {
  calls++;
  for (int i = 0; i < 16; i++) both.byte[(i * 5) & 15] = table[(x + i) & 255] + i;
  uint32_t y = mix(x, both.word[k & 3]) + mix(x >> 3, calls);
  if (k > 5)
    out[k & 7] = y;
  else
    out[0] = y >> 16;
  switch (x & 7) {
    case 0: return y % (k | 1);
    case 3: return y * k;
    case 5: return (int32_t)y >> (k & 31);
    default: return y;
  }
}
