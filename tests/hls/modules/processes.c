// SPDX-License-Identifier: Apache-2.0
// Two processes that call one pipelined function: each has modules of its own.
#include <lydite_stream.h>
#include <stdint.h>

static uint32_t mix(uint32_t a, uint32_t b) {
#pragma HLS pipeline
#pragma HLS inline off
  return (a * b + 3) * (a ^ b);
}

static void first(const uint32_t a[32], lydite_stream32 *s) {
#pragma HLS allocation instances=mix limit=1 function
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    lydite_stream32_beat b = {.data = mix(a[i], i) + mix(i, 5)};
    lydite_stream32_write(s, b);
  }
}

static uint32_t second(lydite_stream32 *s, uint32_t out[32]) {
  uint32_t all = mix(1, 2);
  for (int i = 0; i < 32; i++) {
#pragma HLS pipeline
    uint32_t x = lydite_stream32_read(s).data;
    out[i] = mix(x, i);
    all ^= mix(i, x + 1);
  }
  return mix(all, 4);
}

uint32_t f(const uint32_t a[32], uint32_t out[32]) {
#pragma HLS dataflow
  lydite_stream32 s = {0};
#pragma HLS stream variable=s depth=4
  first(a, &s);
  return second(&s, out);
}

int main(void) {
  uint32_t a[32], out[32], seed = 1;
  for (int n = 0; n < 3; n++) {
    for (int i = 0; i < 32; i++) a[i] = seed = seed * 1664525u + 1013904223u;
    seed ^= f(a, out);
    for (uint32_t i = 0; i < 32; i++) seed ^= out[i] * (i + 1);
  }
  return seed == 0;
}
