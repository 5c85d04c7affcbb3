// SPDX-License-Identifier: Apache-2.0
// A stream chosen at run time, references, a read and a write in one loop.
#include <lydite_stream.h>

static uint32_t table[4] = {1, 2, 3, 4};

uint32_t choice(lydite_stream32 &first, lydite_stream32 &second, lydite_stream32 &out, int count) {
  uint32_t sum = 0;
  for (int i = 0; i < count; i++) {
    lydite_stream32 &from = (i * count) % 3 == 0 ? first : second;
    const lydite_stream32_beat beat = lydite_stream32_read(&from);
    sum += beat.data * table[beat.data & 3];
    table[i & 3] = beat.data;
    if (beat.last) lydite_stream32_write(&out, beat);
  }
  return sum;
}

int main() {
  lydite_stream32 first = {}, second = {}, out = {};
  for (int count = 0; count < 9; count++) {
    for (int i = 0; i < count; i++) {
      const uint32_t data = static_cast<uint32_t>(count * 1234567 + i * 891011);
      const lydite_stream32_beat beat = {data, 15, (i & 1) != 0};
      lydite_stream32_write((i * count) % 3 == 0 ? &first : &second, beat);
    }
    choice(first, second, out, count);
  }
  const bool left = lydite_stream32_count(&first) != 0 || lydite_stream32_count(&second) != 0;
  lydite_stream32_free(&first);
  lydite_stream32_free(&second);
  lydite_stream32_free(&out);
  return left ? 1 : 0;
}
