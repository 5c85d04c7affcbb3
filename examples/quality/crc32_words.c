// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3, 3.2.9) of messages on a stream of 64 bits, eight bytes a cycle; top function:
// crc32_words. Only a message's last beat may be partial, and it may be empty.

#include <lydite_stream.h>

#define POLYNOMIAL 0xedb88320u  // 0x04c11db7 with its bits reversed

// Divides the polynomial of `bytes` bytes, the first lowest, by that of the CRC.
static uint32_t remainder_of(uint64_t data, int bytes) {
  uint32_t crc = 0;
  for (int i = 0; i < 8 * bytes; i++) {
    crc ^= (uint32_t)(data >> i & 1);
    crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1)));
  }
  return crc;
}

void crc32_words(lydite_stream64 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t crc = ~0u;
  lydite_stream64_beat beat;
  uint32_t before;
  do {
    // A beat a cycle: what a message adds up to is a remainder of sums.
#pragma HLS pipeline II=1
    beat = lydite_stream64_read(s_axis);
    before = crc;
    crc = remainder_of(beat.data ^ crc, 8);
  } while (!beat.last);
  // The last beat has n bytes. They are those of a whole beat that begins with 8 - n zeros, which
  // leave a remainder of 0; of the sum before, what no byte has met stays.
  int kept = 0;
  for (int byte = 0; byte < 8; byte++) kept += (int)(beat.keep >> byte & 1);
  const uint64_t whole = kept == 0 ? 0 : (beat.data ^ before) << 8 * (8 - kept);
  const uint32_t left = kept >= 4 ? 0 : before >> 8 * kept;
  const lydite_stream32_beat result = {
      .data = ~(remainder_of(whole, 8) ^ left), .keep = LYDITE_KEEP(4), .last = true};
  lydite_stream32_write(m_axis, result);
}

// Messages of 0 to 40 bytes against a bytewise loop, and the check value of the catalogue of CRCs.
int main(void) {
  static const char digits[] = "123456789";
  lydite_stream64 in = {0};
  lydite_stream32 out = {0};
  uint32_t expected[42];
  for (int length = 0; length <= 41; length++) {
    uint32_t crc = ~0u;
    // 41 stands for the nine digits.
    const int count = length == 41 ? 9 : length;
    int at = 0;
    do {
      const int bytes = count - at < 8 ? count - at : 8;
      lydite_stream64_beat beat = {.keep = LYDITE_KEEP(bytes), .last = at + bytes == count};
      // What is not kept may be anything.
      beat.data = bytes == 8 ? 0 : ~UINT64_C(0) << 8 * bytes;
      for (int i = 0; i < bytes; i++, at++) {
        const uint8_t byte = (uint8_t)(length == 41 ? digits[at] : 31 * at + length);
        beat.data |= (uint64_t)byte << 8 * i;
        crc ^= byte;
        for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (POLYNOMIAL & (0u - (crc & 1)));
      }
      lydite_stream64_write(&in, beat);
    } while (at < count);
    expected[length] = ~crc;
  }
  int wrong = expected[41] != 0xcbf43926u;
  for (int length = 0; length <= 41; length++) {
    crc32_words(&in, &out);
    wrong |= lydite_stream32_read(&out).data != expected[length];
  }
  wrong |= lydite_stream64_count(&in) != 0 || lydite_stream32_count(&out) != 0;
  lydite_stream64_free(&in);
  lydite_stream32_free(&out);
  return wrong;
}
