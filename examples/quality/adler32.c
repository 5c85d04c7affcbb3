// SPDX-License-Identifier: Apache-2.0
// Adler-32 (RFC 1950, 8.2) of messages on a stream of bytes, a byte a cycle; top function: adler32.
// A beat whose keep is 0 adds nothing, so that a message may be empty.

#include <lydite_stream.h>

#define MODULUS 65521u

// Adds two numbers below the modulus.
static uint32_t add(uint32_t x, uint32_t y) {
  const uint32_t sum = x + y;
  return sum >= MODULUS ? sum - MODULUS : sum;
}

void adler32(lydite_stream8 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint16_t a = 1, b = 0;
  bool last;
  do {
#pragma HLS pipeline II=1
    const lydite_stream8_beat beat = lydite_stream8_read(s_axis);
    if (beat.keep) {
      a = (uint16_t)add(a, beat.data);
      b = (uint16_t)add(b, a);
    }
    last = beat.last;
  } while (!last);
  const lydite_stream32_beat result = {
      .data = (uint32_t)b << 16 | a, .keep = LYDITE_KEEP(4), .last = true};
  lydite_stream32_write(m_axis, result);
}

// Computed with Python's zlib: messages whose byte i is 255 - i * step mod 256.
static const struct {
  int length, step;
  uint32_t sum;
} answers[] = {
    {0, 0, 0x00000001},
    {1, 0, 0x01000100},
    {2, 7, 0x02f801f8},
    {9, 1, 0x2c6408d4},
    {300, 3, 0x32a4a03f},
    {600, 0, 0xb71f55c7},
};

int main(void) {
  lydite_stream8 in = {0};
  lydite_stream32 out = {0};
  int wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    for (int i = 0; i < length || i == 0; i++) {
      const lydite_stream8_beat beat = {.data = (uint8_t)(255 - i * answers[n].step),
                                        .keep = length > 0,
                                        .last = i >= length - 1};
      lydite_stream8_write(&in, beat);
    }
    adler32(&in, &out);
    const lydite_stream32_beat beat = lydite_stream32_read(&out);
    wrong |= beat.data != answers[n].sum || beat.keep != 15 || !beat.last;
  }
  wrong |= lydite_stream8_count(&in) != 0 || lydite_stream32_count(&out) != 0;
  lydite_stream8_free(&in);
  lydite_stream32_free(&out);
  return wrong;
}
