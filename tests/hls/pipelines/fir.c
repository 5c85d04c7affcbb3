// SPDX-License-Identifier: Apache-2.0
// A filter of four taps over a message, a beat a cycle: products and sums in several stages.
#include <lydite_stream.h>

void fir(lydite_stream32 *in, lydite_stream32 *out) {
  uint32_t x1 = 0, x2 = 0, x3 = 0;
  lydite_stream32_beat beat;
  do {
#pragma HLS pipeline II=1
    beat = lydite_stream32_read(in);
    const uint32_t y = beat.data * 0x12345U + x1 * 77U + x2 * x3 + (x3 >> 3);
    x3 = x2;
    x2 = x1;
    x1 = beat.data;
    const lydite_stream32_beat given = {.data = y, .keep = beat.keep, .last = beat.last};
    lydite_stream32_write(out, given);
  } while (!beat.last);
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t sum = 0;
  for (uint32_t length = 1; length <= 40; length += 13) {
    for (uint32_t i = 1; i <= length; i++) {
      const lydite_stream32_beat beat = {
          .data = i * 0x9e3779b9U, .keep = LYDITE_KEEP(4), .last = i == length};
      lydite_stream32_write(&in, beat);
    }
    fir(&in, &out);
    for (uint32_t i = 1; i <= length; i++) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream32_count(&in) || lydite_stream32_count(&out);
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
