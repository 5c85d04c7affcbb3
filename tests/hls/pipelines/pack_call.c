// SPDX-License-Identifier: Apache-2.0
// Two beats of a stream and a word of an array become one beat, by a call each: every two cycles.
#include <lydite_stream.h>

uint32_t pack_call(lydite_stream16 *in, lydite_stream32 *out, const uint32_t key[8], uint8_t n) {
#pragma HLS pipeline
  static uint32_t dropped;
  const uint32_t low = lydite_stream16_read(in).data;
  const uint32_t high = lydite_stream16_read(in).data;
  const uint32_t word = (high << 16 | low) ^ key[n & 7];
  if (word % 3 == 0) return ++dropped;
  const lydite_stream32_beat given = {.data = word * 5, .keep = LYDITE_KEEP(4), .last = n & 1};
  lydite_stream32_write(out, given);
  return word;
}

int main(void) {
  lydite_stream16 in = {0};
  lydite_stream32 out = {0};
  uint32_t key[8], sum = 0;
  for (uint32_t n = 0; n < 60; n++) {
    for (uint32_t i = 0; i < 8 && n % 20 == 0; i++) key[i] = (i + n) * 0x01010101U;
    for (uint32_t i = 0; i < 2; i++) {
      const lydite_stream16_beat beat = {
          .data = (uint16_t)((2 * n + i) * 0x9e37U), .keep = LYDITE_KEEP(2), .last = i};
      lydite_stream16_write(&in, beat);
    }
    sum += pack_call(&in, &out, key, (uint8_t)n);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream16_count(&in) != 0;
  lydite_stream16_free(&in);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
