// SPDX-License-Identifier: Apache-2.0
// Points of a transform turned, two an iteration: modules that the calls share, or their own.
#include <stdint.h>

static uint32_t turned(uint32_t x, uint32_t w) {
#pragma HLS pipeline
#pragma HLS inline off
  const int32_t a = (int16_t)x, b = (int16_t)(x >> 16), c = (int16_t)w, d = (int16_t)(w >> 16);
  const int32_t re = (a * c - b * d + 0x4000) >> 15, im = (a * d + b * c + 0x4000) >> 15;
  return (uint32_t)im << 16 | (uint16_t)re;
}

void f(const uint32_t x[256], const uint32_t w[256], uint32_t y[256]) {
#pragma HLS allocation instances=turned limit=1 function
  for (int i = 0; i < 128; i++) {
#pragma HLS pipeline II=2
    const uint32_t p = turned(x[2 * i], w[2 * i]), q = turned(x[2 * i + 1], w[2 * i + 1]);
    y[2 * i] = p;
    y[2 * i + 1] = q;
  }
}
