// SPDX-License-Identifier: Apache-2.0
// A beat every three cycles: five products in two multipliers, exclusive ors in one unit.
#include <lydite_stream.h>

void mix(lydite_stream32 *in, lydite_stream32 *out, uint32_t key) {
#pragma HLS allocation operation instances=xor limit=1
  uint32_t state = key;
  lydite_stream32_beat beat;
  do {
#pragma HLS pipeline II=3
    beat = lydite_stream32_read(in);
    const uint32_t low = beat.data & 0xffff, high = beat.data >> 16;
    const uint32_t p = low * (key & 0xffff) + high * (key >> 16), q = low * high;
    const uint32_t r = (p & 0xffff) * (q >> 16) ^ (p >> 16) * (q & 0xffff);
    state = (state << 5 | state >> 27) ^ r;
    const lydite_stream32_beat given = {.data = state ^ q, .keep = beat.keep, .last = beat.last};
    lydite_stream32_write(out, given);
  } while (!beat.last);
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  uint32_t sum = 0;
  for (uint32_t length = 1; length <= 30; length += 13) {
    for (uint32_t i = 1; i <= length; i++) {
      const lydite_stream32_beat beat = {
          .data = i * 0x9e3779b9U, .keep = LYDITE_KEEP(4), .last = i == length};
      lydite_stream32_write(&in, beat);
    }
    mix(&in, &out, length * 0x85ebca6bU);
    for (uint32_t i = 1; i <= length; i++) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream32_count(&in) || lydite_stream32_count(&out);
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
