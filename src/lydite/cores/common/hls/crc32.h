// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) of messages, BYTES bytes a beat, for cores that `lydite hls`
// compiles. Only the remainder so far times x**(8 BYTES) is computed from beat to beat. A last beat
// of fewer bytes counts as a whole one, zeros behind it; these are taken back by powers of 1/x.

#ifndef LYDITE_CORES_COMMON_HLS_CRC32_H_
#define LYDITE_CORES_COMMON_HLS_CRC32_H_

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

// Of a message of which nothing has come.
#define CRC32_START UINT32_MAX

// Takes a beat; the checksum, if it is the last one.
static inline uint32_t crc32_beat(uint32_t *remainder, message_beat beat) {
  uint64_t words[BYTES / 8];
  const unsigned missing = whole_beat(words, beat);
  uint32_t fresh = 0;
  for (int i = 0; i < BYTES / 4; i++) {
#pragma HLS unroll
    fresh ^= advanced((uint32_t)(words[i / 2] >> 32 * (i % 2)), 8 * BYTES - 32 * i);
  }
  *remainder = advanced(*remainder, 8 * BYTES) ^ fresh;
  uint32_t whole = *remainder;
  for (int half = 1; half <= BYTES; half *= 2) {
#pragma HLS unroll
    if (missing & (unsigned)half) whole = advanced(whole, -8 * half);
  }
  return ~whole;
}

#endif  // LYDITE_CORES_COMMON_HLS_CRC32_H_
