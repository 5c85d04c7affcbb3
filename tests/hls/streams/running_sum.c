// SPDX-License-Identifier: Apache-2.0
// Running sums of messages: one state a beat, read and write in it.
#include <lydite_stream.h>

void running_sum(lydite_stream64 *in, lydite_stream64 *out) {
  lydite_stream64_beat beat;
  uint64_t sum = 0;
  do {
    beat = lydite_stream64_read(in);
    sum += beat.data;
    const lydite_stream64_beat given = {.data = sum, .keep = beat.keep, .last = beat.last};
    lydite_stream64_write(out, given);
  } while (!beat.last);
}

int main(void) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (int length = 1; length <= 40; length += 13) {
    uint64_t sum = 0;
    for (int i = 1; i <= length; i++) {
      const lydite_stream64_beat beat = {
          .data = (uint64_t)i << length, .keep = LYDITE_KEEP(i % 9), .last = i == length};
      lydite_stream64_write(&in, beat);
    }
    running_sum(&in, &out);
    for (int i = 1; i <= length; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      sum += (uint64_t)i << length;
      wrong |= beat.data ^ sum;
      wrong |= beat.keep ^ LYDITE_KEEP(i % 9);
      wrong |= (uint64_t)(beat.last != (i == length));
    }
  }
  wrong |= lydite_stream64_count(&in) | lydite_stream64_count(&out);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
