// SPDX-License-Identifier: Apache-2.0
//
// A function's body as a region: streams of three depths, one function as two processes, a helper
// of several, a result and a scalar by pointer on their way to a later process.

#include <lydite_stream.h>

#define BEATS 12

static uint32_t mix(uint32_t value, uint32_t salt) {
#pragma HLS inline off
  for (uint32_t i = 0; i < 3; i++) value = value * 5u + (salt >> i);
  return value;
}

static uint32_t take(lydite_stream32 *in, lydite_stream16 *low, uint32_t *sum) {
  uint32_t total = 0, most = 0;
  for (int i = 0; i < BEATS; i++) {
#pragma HLS pipeline II=1
    const lydite_stream32_beat beat = lydite_stream32_read(in);
    const lydite_stream16_beat give = {.data = (uint16_t)beat.data, .keep = 3, .last = beat.last};
    lydite_stream16_write(low, give);
    total += beat.data;
    if (beat.data > most) most = beat.data;
  }
  *sum = total;
  return most;
}

static void scramble(lydite_stream16 *from, lydite_stream16 *to, uint32_t salt) {
  for (int i = 0; i < BEATS; i++) {
    lydite_stream16_beat beat = lydite_stream16_read(from);
    beat.data = (uint16_t)mix(beat.data, salt);
    lydite_stream16_write(to, beat);
  }
}

static uint32_t give(lydite_stream16 *from, lydite_stream32 *out, uint32_t scale, uint32_t most) {
  uint32_t kept = mix(most, scale);
  bool last;
  do {
    const lydite_stream16_beat beat = lydite_stream16_read(from);
    last = beat.last;
    kept ^= beat.data;
    const lydite_stream32_beat scaled = {.data = beat.data * scale, .keep = 15, .last = last};
    lydite_stream32_write(out, scaled);
  } while (!last);
  return kept;
}

uint32_t chain(lydite_stream32 *in, lydite_stream32 *out, uint32_t salt) {
#pragma HLS dataflow
  lydite_stream16 low = {0}, once = {0}, twice = {0};
#pragma HLS stream variable=low depth=20
#pragma HLS stream variable=twice depth=1
  uint32_t sum;
  const uint32_t most = take(in, &low, &sum);
  scramble(&low, &once, salt);
  scramble(&once, &twice, salt + 7);
  const uint32_t kept = give(&twice, out, sum | 1, most + salt);
  lydite_stream16_free(&low);
  lydite_stream16_free(&once);
  lydite_stream16_free(&twice);
  return kept + 1;
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t sum = 0;
  for (uint32_t call = 0; call < 4; call++) {
    for (uint32_t i = 0; i < BEATS; i++) {
      const lydite_stream32_beat beat = {
          .data = (i + 1) * 77777u * (call + 3), .keep = 15, .last = i == BEATS - 1};
      lydite_stream32_write(&in, beat);
    }
    sum += chain(&in, &out, call * 1000u);
    for (int i = 0; i < BEATS; i++) sum ^= lydite_stream32_read(&out).data;
  }
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return sum == 0;
}
