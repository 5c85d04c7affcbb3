// SPDX-License-Identifier: Apache-2.0
// A loop over streams that calls pipelined functions, one with state and one of functions.
#include <lydite_stream.h>
#include <stdint.h>

static uint32_t mix(uint32_t a, uint32_t b) {
#pragma HLS pipeline
#pragma HLS inline off
  return (a * b + 3) * (a ^ b);
}
static uint32_t tally(uint32_t x) {
#pragma HLS pipeline
#pragma HLS inline off
  static uint32_t sum;
  return sum += x;
}
static uint32_t both(uint32_t x) {
#pragma HLS pipeline
#pragma HLS inline off
  return mix(x, 5) ^ mix(x + 1, x);
}

uint32_t f(lydite_stream32 *in, lydite_stream32 *out) {
#if SHARED
#pragma HLS allocation instances=mix limit=1 function
#endif
  uint32_t all = 0;
  lydite_stream32_beat beat;
  do {
#pragma HLS pipeline
    beat = lydite_stream32_read(in);
    uint32_t x = mix(beat.data, 7);
    if (x & 4) all += tally(x);
    lydite_stream32_beat give = {
        .data = mix(x, all) + both(beat.data), .keep = beat.keep, .last = beat.last};
    if ((x & 3) != 1 || beat.last) lydite_stream32_write(out, give);
  } while (!beat.last);
  return all;
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t seed = 1, sum = 0;
  for (int n = 0; n < 4; n++) {
    for (int i = 0; i < 40; i++) {
      seed = seed * 1664525u + 1013904223u;
      lydite_stream32_beat beat = {.data = seed >> 3, .keep = 15, .last = i == 39};
      lydite_stream32_write(&in, beat);
    }
    sum ^= f(&in, &out);
    while (lydite_stream32_count(&out)) sum = sum * 3 + lydite_stream32_read(&out).data;
  }
  return sum == 0;
}
