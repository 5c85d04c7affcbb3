// SPDX-License-Identifier: Apache-2.0
// Two walks through a table in block RAM that take turns, one step a cycle: the memory's register
// is one of the loop's two. A step may take in a word, which may be late, and may give one, which
// may have to wait.
#include <lydite_stream.h>

// An odd factor makes a permutation of 256 values.
#define ENTRY(x) (uint8_t)(77 * (x) + 13)
#define ENTRIES4(x) ENTRY(x), ENTRY(x + 1), ENTRY(x + 2), ENTRY(x + 3)
#define ENTRIES16(x) ENTRIES4(x), ENTRIES4(x + 4), ENTRIES4(x + 8), ENTRIES4(x + 12)
#define ENTRIES64(x) ENTRIES16(x), ENTRIES16(x + 16), ENTRIES16(x + 32), ENTRIES16(x + 48)
static const uint8_t table[256] = {ENTRIES64(0), ENTRIES64(64), ENTRIES64(128), ENTRIES64(192)};

void turns(lydite_stream64 *in, lydite_stream64 *out) {
#pragma HLS bind_storage variable=table type=rom_1p impl=bram
  uint8_t now = 1, then = 2, step = 0;
  bool last = false, done;
  do {
#pragma HLS pipeline II=1
    done = last && step % 8 == 7;
    if (step % 4 == 0 && !last) {
      const lydite_stream64_beat beat = lydite_stream64_read(in);
      now ^= (uint8_t)(beat.data >> step);
      last = beat.last;
    }
    const uint8_t next = table[(uint8_t)(now ^ step)];
    if (step % 2 == 1) {
      const lydite_stream64_beat beat = {
          .data = (uint64_t)now << 32 | then, .keep = 0xff, .last = done};
      lydite_stream64_write(out, beat);
    }
    now = then;
    then = next;
    step++;
  } while (!done);
}

int main(void) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (int length = 1; length <= 13; length += 4) {
    uint8_t walks[2] = {1, 2}, step = 0;
    for (int i = 1; i <= length; i++) {
      const lydite_stream64_beat beat = {
          .data = UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)i, .keep = 0xff, .last = i == length};
      lydite_stream64_write(&in, beat);
    }
    turns(&in, &out);
    for (bool done = false; !done; step++) {
      uint8_t *walk = &walks[step % 2];
      const int read = step / 4 + 1;
      if (step % 4 == 0 && read <= length) {
        *walk ^= (uint8_t)(UINT64_C(0x9e3779b97f4a7c15) * (uint64_t)read >> step);
      }
      done = read >= length && step % 8 == 7;
      if (step % 2 == 1) {
        const lydite_stream64_beat beat = lydite_stream64_read(&out);
        wrong |= beat.data ^ ((uint64_t)*walk << 32 | walks[0]);
        wrong |= (uint64_t)(beat.last != done);
      }
      *walk = ENTRY(*walk ^ step);
    }
  }
  wrong |= lydite_stream64_count(&in) | lydite_stream64_count(&out);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
