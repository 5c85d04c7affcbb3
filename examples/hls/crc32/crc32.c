// SPDX-License-Identifier: Apache-2.0
// CRC-32 of IEEE 802.3 (section 3.2.9), ISO-HDLC in the catalogue of CRCs, least significant bit
// first; top function: crc32. A message longer than the buffer is given in pieces.

#include <stdint.h>

#define CRC32_MAX_LENGTH 256
#define CRC32_POLYNOMIAL 0xedb88320U  // 0x04c11db7 with its bits reversed

// Continues the CRC of the bytes before (0 at the start) with data[0..length), length up to 256.
uint32_t crc32(uint32_t crc, const uint8_t data[CRC32_MAX_LENGTH], uint32_t length) {
  crc = ~crc;
  for (uint32_t i = 0; i < length; i++) {
    crc ^= data[i];
    for (int bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ (crc & 1 ? CRC32_POLYNOMIAL : 0);
  }
  return ~crc;
}

static uint8_t data[CRC32_MAX_LENGTH];

static void fill(const char *text, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) data[i] = (uint8_t)text[i];
}

int main(void) {
  // The check value of the catalogue, whole and in two pieces.
  fill("123456789", 9);
  if (crc32(0, data, 9) != 0xcbf43926) return 1;
  uint32_t crc = crc32(0, data, 5);
  fill("6789", 4);
  if (crc32(crc, data, 4) != 0xcbf43926) return 1;

  fill("message digest", 14);
  if (crc32(0, data, 14) != 0x20159d7f) return 1;
  if (crc32(0, data, 0) != 0) return 1;
  for (int i = 0; i < CRC32_MAX_LENGTH; i++) data[i] = 0xff;
  if (crc32(0, data, 32) != 0xff6cab0b) return 1;
  for (int i = 0; i < CRC32_MAX_LENGTH; i++) data[i] = (uint8_t)i;
  if (crc32(0, data, 256) != 0x29058c73) return 1;
  return 0;
}
