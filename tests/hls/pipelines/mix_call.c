// SPDX-License-Identifier: Apache-2.0
// Two beats become one, by a call each: every two cycles, six products in three multipliers.
#include <lydite_stream.h>

uint32_t mix_call(lydite_stream32 *in, lydite_stream32 *out, uint32_t key) {
#pragma HLS pipeline II=2
#pragma HLS allocation operation instances=xor limit=1
  const uint32_t first = lydite_stream32_read(in).data, second = lydite_stream32_read(in).data;
  const uint32_t a = (first & 0xffff) * (key & 0xffff), b = (first >> 16) * (second & 0xffff);
  const uint32_t c = (second >> 16) * (key >> 16), d = (a & 0xffff) * (c >> 16);
  const uint32_t e = (b & 0xffff) * (a >> 16) + (d & 0xffff) * (c & 0xffff);
  const lydite_stream32_beat given = {.data = d ^ e, .keep = LYDITE_KEEP(4), .last = key & 1};
  lydite_stream32_write(out, given);
  return e ^ b;
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t sum = 0;
  for (uint32_t n = 1; n < 40; n++) {
    for (uint32_t i = 0; i < 2; i++) {
      const lydite_stream32_beat beat = {
          .data = (2 * n + i) * 0x9e3779b9U, .keep = LYDITE_KEEP(4), .last = i};
      lydite_stream32_write(&in, beat);
    }
    sum += mix_call(&in, &out, n * 0x85ebca6bU);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream32_count(&in) != 0;
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
