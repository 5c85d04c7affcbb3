// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) of messages, BYTES bytes a cycle, message behind message: a core for
// `lydite bench`; top function: adler32_stream. Four bytes come out, the highest first (2.2).

#include "../../common/hls/adler32.h"

void adler32_stream(message_stream *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  adler32_sums sums = adler32_start;
  bool last;
  do {
#pragma HLS pipeline II=1 rewind
    const message_beat beat = MESSAGE(_read)(s_axis);
    const uint32_t checksum = adler32_beat(&sums, beat);
    last = beat.last;
    if (last) {
      const lydite_stream32_beat out = {.data = checksum, .keep = 15, .last = true};
      lydite_stream32_write(m_axis, out);
    }
  } while (!last);
}

// Adler-32 with the highest byte lowest, as it goes out.
static const message_answer answers[] = {
    {0, 0x01000000}, {1, 0x08000800}, {2, 0x1a002200}, {7, 0x19013303},
    {8, 0x6d01a004}, {9, 0xcc016c06}, {15, 0xed04671b}, {16, 0x99050021},
    {17, 0x50065027}, {31, 0xd50ccfbe}, {32, 0x310d00cc}, {33, 0x980d98d9},
    {64, 0x611d2d86}, {100, 0x6f2fbf0e}, {255, 0x857e1266}, {300, 0x5b94f366},
};

int main(void) { return message_check(adler32_stream, answers, sizeof answers / sizeof *answers); }
