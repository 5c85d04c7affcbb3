// SPDX-License-Identifier: Apache-2.0
// Arguments behind an AXI4-Lite port, beside a stream and an array.
#include <lydite_stream.h>

int64_t registers(int8_t small, uint64_t wide, bool bit, const uint32_t *source, int16_t *result,
                  int32_t *both, lydite_stream8 *stream, const uint8_t table[16]) {
#pragma HLS interface mode=s_axilite port=return
#pragma HLS interface mode=s_axilite port=small
#pragma HLS interface mode=s_axilite port=wide
#pragma HLS interface mode=s_axilite port=bit
#pragma HLS interface mode=s_axilite port=source
#pragma HLS interface mode=s_axilite port=result
#pragma HLS interface mode=s_axilite port=both
  int64_t sum = bit ? (int64_t)(wide >> 3) : -small;
  for (int i = 0; i < 16; i++) sum += table[i] * (int64_t)(*source >> i);
  const lydite_stream8_beat beat = {.data = (uint8_t)sum, .keep = 1, .last = true};
  lydite_stream8_write(stream, beat);
  *result = (int16_t)(sum >> 2);
  *both += *result;
  return sum / 3;
}

int main(void) {
  lydite_stream8 stream = {0};
  uint8_t table[16];
  int32_t both = 100000;
  int16_t result = 0;
  uint32_t seed = 3;
  for (int n = 0; n < 7; n++) {
    for (int i = 0; i < 16; i++) {
      seed = seed * 1664525 + 1013904223;
      table[i] = (uint8_t)(seed >> 24);
    }
    registers((int8_t)(seed >> 9), (uint64_t)seed << 31 | seed, n & 1, &seed, &result, &both,
              &stream, table);
  }
  const bool right = lydite_stream8_count(&stream) == 7 && both != 100000;
  lydite_stream8_free(&stream);
  return right ? 0 : 1;
}
