// SPDX-License-Identifier: Apache-2.0
// A loop over streams with macros (streamed.toml): two that need nothing but their inputs, one of
// which can stand still, and one with state, called under a condition and outside of the loop, too.
#include <lydite_stream.h>

static uint32_t product(uint32_t a, uint32_t b) { return a * b; }

static uint32_t scaled(uint32_t x) { return 3 * x + 5; }

static uint32_t tally(uint32_t x, bool anew) {
  static uint32_t sum;
  sum = (anew ? 0 : sum) + x + 3;
  return sum;
}

uint32_t streamed(lydite_stream32 *in, lydite_stream16 *more, lydite_stream32 *out, uint8_t n) {
  uint32_t all = tally(n, true);
  for (unsigned i = 0; i < n; i++) {
#pragma HLS pipeline
    const uint32_t x = lydite_stream32_read(in).data;
    const uint32_t y = scaled(x ^ i);
    uint32_t p = product(x, x + 7);
    if (p & 2) p ^= lydite_stream16_read(more).data;
    if (p & 4) all ^= tally(p, false);
    const lydite_stream32_beat given = {
        .data = y ^ p, .keep = LYDITE_KEEP(4), .last = i + 1U == n};
    lydite_stream32_write(out, given);
  }
  return product(all, tally(1, false));
}

int main(void) {
  lydite_stream32 in = {0}, out = {0};
  lydite_stream16 more = {0};
  uint32_t sum = 0;
  for (uint8_t n = 0; n < 40; n = (uint8_t)(n + 13)) {
    for (uint32_t i = 0; i < n; i++) {
      const uint32_t x = (i + n) * 0x9e3779b9U;
      lydite_stream32_write(&in, (lydite_stream32_beat){.data = x, .keep = LYDITE_KEEP(4)});
      const lydite_stream16_beat beat = {.data = (uint16_t)(x >> 7), .keep = LYDITE_KEEP(2)};
      if (x * (x + 7) & 2) lydite_stream16_write(&more, beat);
    }
    sum += streamed(&in, &more, &out, n);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
  }
  const int left = lydite_stream32_count(&in) != 0 || lydite_stream16_count(&more) != 0;
  lydite_stream32_free(&in);
  lydite_stream16_free(&more);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
