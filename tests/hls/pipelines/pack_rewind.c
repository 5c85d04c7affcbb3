// SPDX-License-Identifier: Apache-2.0
// Messages of a length that an argument gives, none included: words are dropped or given, with what
// stands before the loop in the first iteration and behind it in the last.
#include <lydite_stream.h>

uint32_t pack_rewind(lydite_stream16 *in, lydite_stream32 *out, lydite_stream16 *sums,
                     const uint32_t key[8], uint8_t n) {
  uint32_t dropped = 0, sum = n * 5U;
  for (unsigned i = 0; i < (n & 31U); i++) {
#pragma HLS pipeline II=1 rewind
    const uint32_t word = lydite_stream16_read(in).data ^ key[i & 7];
    sum += word;
    if (word % 3 == 0) {
      dropped++;
    } else {
      const lydite_stream32_beat given = {
          .data = word * 5, .keep = LYDITE_KEEP(4), .last = i + 1 == (n & 31U)};
      lydite_stream32_write(out, given);
    }
  }
  if (sum & 1) {
    const lydite_stream16_beat given = {.data = (uint16_t)sum, .keep = LYDITE_KEEP(2)};
    lydite_stream16_write(sums, given);
  }
  return dropped;
}

int main(void) {
  lydite_stream16 in = {0}, sums = {0};
  lydite_stream32 out = {0};
  uint32_t key[8], sum = 0;
  for (uint32_t i = 0; i < 8; i++) key[i] = i * 0x01010101U;
  for (unsigned call = 0; call < 40; call++) {
    const uint8_t n = (uint8_t)(call * 37 % (call % 3 ? 23 : 4));
    for (uint32_t i = 0; i < n; i++) {
      const lydite_stream16_beat beat = {
          .data = (uint16_t)(i * 0x9e37U + call), .keep = LYDITE_KEEP(2), .last = i + 1 == n};
      lydite_stream16_write(&in, beat);
    }
    sum += pack_rewind(&in, &out, &sums, key, n);
    while (lydite_stream32_count(&out)) sum = sum * 31 + lydite_stream32_read(&out).data;
    while (lydite_stream16_count(&sums)) sum = sum * 31 + lydite_stream16_read(&sums).data;
  }
  const int left = lydite_stream16_count(&in) != 0;
  lydite_stream16_free(&in);
  lydite_stream16_free(&sums);
  lydite_stream32_free(&out);
  return left || sum == 0;
}
