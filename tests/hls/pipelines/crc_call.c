// SPDX-License-Identifier: Apache-2.0
// CRC-32 (IEEE 802.3) of messages on a stream, a byte a cycle, whatever their length: a call is a
// message, and the next one's first byte follows the last one's last.
#include <lydite_stream.h>

void crc_call(lydite_stream8 *in, lydite_stream32 *out) {
  uint32_t crc = 0xffffffffU;
  int more = 1;
  while (more) {
#pragma HLS pipeline II=1 rewind
    const lydite_stream8_beat beat = lydite_stream8_read(in);
    crc ^= beat.data;
    for (int i = 0; i < 8; i++) crc = crc >> 1 ^ (0xedb88320U & (0U - (crc & 1U)));
    more = !beat.last;
  }
  const lydite_stream32_beat given = {.data = ~crc, .keep = LYDITE_KEEP(4), .last = 1};
  lydite_stream32_write(out, given);
}

int main(void) {
  lydite_stream8 in = {0};
  lydite_stream32 out = {0};
  const char *check = "123456789";
  uint32_t sum = 0;
  for (unsigned call = 0; call < 40; call++) {
    const unsigned length = call ? 1 + call * 5 % 13 : 9;
    for (unsigned i = 0; i < length; i++) {
      const uint8_t data = call ? (uint8_t)(call * 77 + i * 31) : (uint8_t)check[i];
      lydite_stream8_write(&in, (lydite_stream8_beat){
                                    .data = data, .keep = LYDITE_KEEP(1), .last = i + 1 == length});
    }
    crc_call(&in, &out);
    const uint32_t crc = lydite_stream32_read(&out).data;
    if (call == 0 && crc != 0xcbf43926U) return 1;
    sum = sum * 31 + crc;
  }
  lydite_stream8_free(&in);
  lydite_stream32_free(&out);
  return sum == 0;
}
