// SPDX-License-Identifier: Apache-2.0
// Two beats of a stream and a word of an array become one beat: an interval of two cycles.
#include <lydite_stream.h>

uint32_t pack(lydite_stream16 *in, lydite_stream32 *out, const uint32_t key[8], uint8_t n) {
  uint32_t dropped = 0;
  for (unsigned i = 0; i < (n & 31); i++) {
#pragma HLS pipeline
    const uint32_t low = lydite_stream16_read(in).data;
    const uint32_t high = lydite_stream16_read(in).data;
    const uint32_t word = (high << 16 | low) ^ key[i & 7];
    if (word % 3 == 0) {
      dropped++;
    } else {
      const lydite_stream32_beat given = {
          .data = word * 5, .keep = LYDITE_KEEP(4), .last = i + 1 == (n & 31U)};
      lydite_stream32_write(out, given);
    }
  }
  return dropped;
}

int main(void) {
  lydite_stream16 in = {0};
  lydite_stream32 out = {0};
  uint32_t key[8], sum = 0;
  for (uint32_t i = 0; i < 8; i++) key[i] = i * 0x01010101U;
  for (uint8_t n = 0; n < 30; n = (uint8_t)(n + 7)) {
    for (uint32_t i = 0; i < 2U * n; i++) {
      const lydite_stream16_beat beat = {
          .data = (uint16_t)(i * 0x9e37U), .keep = LYDITE_KEEP(2), .last = i + 1 == 2U * n};
      lydite_stream16_write(&in, beat);
    }
    sum += pack(&in, &out, key, n);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream16_count(&in) != 0;
  lydite_stream16_free(&in);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
