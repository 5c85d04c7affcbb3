// SPDX-License-Identifier: Apache-2.0
// Beats go to one of two streams by a table, until a beat says stop: what comes behind it stays.
#include <lydite_stream.h>

uint32_t route(lydite_stream8 *in, lydite_stream8 *odd, lydite_stream8 *even,
               const uint8_t table[64]) {
  uint32_t count = 0;
  for (;;) {
#pragma HLS pipeline II=1
    const lydite_stream8_beat beat = lydite_stream8_read(in);
    if (beat.last) break;
    const uint8_t value = table[beat.data & 63];
    const lydite_stream8_beat given = {.data = value, .keep = 1, .last = 0};
    if (value & 1) {
      lydite_stream8_write(odd, given);
    } else {
      lydite_stream8_write(even, given);
    }
    count += value;
  }
  return count;
}

int main(void) {
  lydite_stream8 in = {0}, odd = {0}, even = {0};
  uint8_t table[64];
  uint32_t sum = 0;
  for (uint32_t i = 0; i < 64; i++) table[i] = (uint8_t)(i * 37U + 11U);
  for (uint32_t length = 0; length < 60; length += 19) {
    for (uint32_t i = 0; i <= length; i++) {
      const lydite_stream8_beat beat = {
          .data = (uint8_t)(i * 101U), .keep = 1, .last = i == length};
      lydite_stream8_write(&in, beat);
    }
    sum = sum * 31 + route(&in, &odd, &even, table);
    while (lydite_stream8_count(&odd)) sum = sum * 31 + lydite_stream8_read(&odd).data;
    while (lydite_stream8_count(&even)) sum = sum * 31 + lydite_stream8_read(&even).data;
  }
  const int left = lydite_stream8_count(&in) != 0;
  lydite_stream8_free(&in);
  lydite_stream8_free(&odd);
  lydite_stream8_free(&even);
  return left || sum == 0;
}
