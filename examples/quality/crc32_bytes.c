// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3, 3.2.9) of messages on a stream of bytes, a byte a cycle; top function:
// crc32_bytes. A beat whose keep is 0 adds nothing, so that a message may be empty.

#include <lydite_stream.h>

#define POLYNOMIAL 0xedb88320u  // 0x04c11db7 with its bits reversed

static uint32_t step(uint32_t crc, uint8_t byte) {
  crc ^= byte;
  for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1)));
  return crc;
}

void crc32_bytes(lydite_stream8 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t crc = ~0u;
  lydite_stream8_beat beat;
  do {
#pragma HLS pipeline II=1
    beat = lydite_stream8_read(s_axis);
    const uint32_t next = step(crc, beat.data);
    crc = beat.keep ? next : crc;
  } while (!beat.last);
  const lydite_stream32_beat result = {.data = ~crc, .keep = LYDITE_KEEP(4), .last = true};
  lydite_stream32_write(m_axis, result);
}

// The check value of the standard, messages of 0 to 40 bytes against a bytewise loop.
int main(void) {
  static const char digits[] = "123456789";
  lydite_stream8 in = {0};
  lydite_stream32 out = {0};
  uint32_t expected[42];
  for (int length = 0; length <= 41; length++) {
    uint32_t crc = ~0u;
    // 41 stands for the nine digits.
    const int count = length == 41 ? 9 : length;
    for (int i = 0; i < count; i++) {
      const uint8_t byte = (uint8_t)(length == 41 ? digits[i] : 31 * i + length);
      const lydite_stream8_beat beat = {.data = byte, .keep = 1, .last = i == count - 1};
      lydite_stream8_write(&in, beat);
      crc = step(crc, byte);
    }
    if (count == 0) {
      const lydite_stream8_beat beat = {.data = 0, .keep = 0, .last = true};
      lydite_stream8_write(&in, beat);
    }
    expected[length] = ~crc;
  }
  int wrong = expected[41] != 0xcbf43926u;
  for (int length = 0; length <= 41; length++) {
    crc32_bytes(&in, &out);
    wrong |= lydite_stream32_read(&out).data != expected[length];
  }
  wrong |= lydite_stream8_count(&in) != 0 || lydite_stream32_count(&out) != 0;
  lydite_stream8_free(&in);
  lydite_stream32_free(&out);
  return wrong;
}
