// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) of messages, BYTES bytes a cycle, message behind message: a core
// for `lydite bench`; top function: crc32_stream. Four bytes come out, the lowest first (RFC 1952,
// 2.3.1).

#include "../../common/hls/crc32.h"

void crc32_stream(message_stream *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t remainder = CRC32_START;
  bool last;
  do {
#pragma HLS pipeline II=1 rewind
    const message_beat beat = MESSAGE(_read)(s_axis);
    const uint32_t checksum = crc32_beat(&remainder, beat);
    last = beat.last;
    if (last) {
      const lydite_stream32_beat out = {.data = checksum, .keep = 15, .last = true};
      lydite_stream32_write(m_axis, out);
    }
  } while (!last);
}

static const message_answer answers[] = {
    {0, 0x00000000},   {1, 0x4c667a2e},  {2, 0xfd21f570},  {7, 0x83cb2f02},
    {8, 0x5089d063},   {9, 0xfd3d1ada},  {15, 0x89c46e0d}, {16, 0x735ab89d},
    {17, 0x09ca7ce3},  {31, 0x76a6b53c}, {32, 0x9fc62860}, {33, 0x4cf9bc06},
    {64, 0x6a633fa4},  {100, 0x2a28dacf}, {255, 0x68ac9e4d}, {300, 0x8b7aa844},
};

int main(void) { return message_check(crc32_stream, answers, sizeof answers / sizeof *answers); }
