// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) of messages, BYTES bytes a cycle, message behind message: a core
// for `lydite bench`; top function: crc32_stream. Four bytes come out, the lowest first (RFC 1952,
// 2.3.1).
//
// Only the remainder so far times x**(8 BYTES) is computed from cycle to cycle. A last beat of
// fewer bytes counts as a whole one, zeros behind it; these are taken back by powers of 1/x.

#include "checksum.h"

// Bit 31 - i for x**i.
#define POLYNOMIAL UINT32_C(0xedb88320)
#define ONE UINT32_C(0x80000000)

// Times x, and divided by x; what is shifted out upwards is told by bit 31, which only the
// polynomial has.
static inline uint32_t times_x(uint32_t value) {
  return value >> 1 ^ (value & 1 ? POLYNOMIAL : 0);
}
static inline uint32_t by_x(uint32_t value) {
  return value >> 31 ? (value ^ POLYNOMIAL) << 1 | 1 : value << 1;
}

// x to such a power.
static inline uint32_t power(int exponent) {
  uint32_t value = ONE;
  for (int i = 0; i < exponent; i++) {
#pragma HLS unroll
    value = times_x(value);
  }
  for (int i = 0; i < -exponent; i++) {
#pragma HLS unroll
    value = by_x(value);
  }
  return value;
}

// The remainder of a word of 32 bits times x to such a power.
static inline uint32_t advanced(uint32_t word, int exponent) {
  uint32_t sum = 0, row = power(exponent);
  for (int bit = 31; bit >= 0; bit--) {
#pragma HLS unroll
    sum ^= word >> bit & 1 ? row : 0;
    row = times_x(row);
  }
  return sum;
}

void crc32_stream(message_stream *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t crc = UINT32_MAX;
  bool last;
  do {
#pragma HLS pipeline II=1 rewind
    const message_beat beat = MESSAGE(_read)(s_axis);
    uint64_t words[BYTES / 8];
    const unsigned missing = whole_beat(words, beat);
    uint32_t fresh = 0;
    for (int i = 0; i < BYTES / 4; i++) {
#pragma HLS unroll
      fresh ^= advanced((uint32_t)(words[i / 2] >> 32 * (i % 2)), 8 * BYTES - 32 * i);
    }
    crc = advanced(crc, 8 * BYTES) ^ fresh;
    uint32_t whole = crc;
    for (int half = 1; half <= BYTES; half *= 2) {
#pragma HLS unroll
      if (missing & (unsigned)half) whole = advanced(whole, -8 * half);
    }
    last = beat.last;
    if (last) {
      const lydite_stream32_beat checksum = {.data = ~whole, .keep = 15, .last = true};
      lydite_stream32_write(m_axis, checksum);
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
