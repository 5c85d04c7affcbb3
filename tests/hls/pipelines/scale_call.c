// SPDX-License-Identifier: Apache-2.0
// A beat a call, a call a cycle, between streams; what else is seen at other ports comes with a
// valid, or without one.
#include <lydite_stream.h>

void scale_call(lydite_stream16 *in, lydite_stream32 *out, uint32_t *sum, uint8_t *odd) {
#pragma HLS pipeline
#pragma HLS interface mode=ap_vld port=sum
#pragma HLS interface mode=ap_none port=odd
  static uint32_t all;
  const lydite_stream16_beat beat = lydite_stream16_read(in);
  all += beat.data;
  const uint32_t word = (uint32_t)beat.data * beat.data * 3U + all;
  lydite_stream32_write(
      out, (lydite_stream32_beat){.data = word, .keep = LYDITE_KEEP(4), .last = beat.last});
  *sum = all ^ word;
  *odd = word & 1;
}

int main(void) {
  lydite_stream16 in = {0};
  lydite_stream32 out = {0};
  uint32_t sum = 0, total = 0;
  uint8_t odd = 0;
  for (uint32_t n = 0; n < 50; n++) {
    const lydite_stream16_beat beat = {
        .data = (uint16_t)(n * 0x9e37U), .keep = LYDITE_KEEP(2), .last = n % 10 == 9};
    lydite_stream16_write(&in, beat);
    scale_call(&in, &out, &sum, &odd);
    total = total * 31 + lydite_stream32_read(&out).data + sum + odd;
  }
  lydite_stream16_free(&in);
  lydite_stream32_free(&out);
  return total == 0;
}
