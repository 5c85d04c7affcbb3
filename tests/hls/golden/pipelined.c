// SPDX-License-Identifier: Apache-2.0
// top=pipelined clock_ns=6
// Two pipelined loops: one over a memory, with a break, one on registers.
#include <stdint.h>
static uint32_t state[2];
uint32_t pipelined(uint32_t a[32], uint8_t key, uint32_t x) {
  uint32_t i;
  for (i = 0; i < 16; i++) {
#pragma HLS pipeline
    uint32_t v = a[i] ^ a[i + 16];
    if ((v & 15) == (key & 15)) break;
    if (v & 64) a[i] = v + x;
  }
  for (int k = 0; k < 9; k++) {
#pragma HLS pipeline II=1
    state[1] = state[0] ^ x;
    state[0] = state[1] + 5;
  }
  return state[0] + i;
}
