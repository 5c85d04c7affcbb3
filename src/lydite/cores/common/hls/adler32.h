// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) of messages, BYTES bytes a beat, for cores that `lydite hls` compiles.
// From beat to beat each of the two sums takes one number below the modulus, known before. A last
// beat of fewer bytes counts as a whole one, zeros behind it: for each of them the first sum was
// added to the second once too often.

#ifndef LYDITE_CORES_COMMON_HLS_ADLER32_H_
#define LYDITE_CORES_COMMON_HLS_ADLER32_H_

#include "checksum.h"

#define MODULUS UINT32_C(65521)

// Remainder of the sum of a number below the modulus and one that may be it.
static inline uint32_t add(uint32_t a, uint32_t b) {
  const uint32_t sum = (a + b) & 0x1ffff, less = (a + b - MODULUS) & 0x3ffff;
  return less >> 17 ? sum : less & 0xffff;
}

// The remainder of a number below 2**22: 2**16 is 15 there.
static inline uint32_t reduced(uint32_t value) {
  const uint32_t low = value & 0xffff, high = value >> 16 & 0x3f;
  const uint32_t sum = low + (high << 4) - high;
  return sum >= MODULUS ? sum - MODULUS : sum;
}

typedef struct {
  uint32_t first, second;
} adler32_sums;

// Of a message of which nothing has come.
static const adler32_sums adler32_start = {.first = 1, .second = 0};

// Takes a beat; the checksum, if it is the last one, its highest byte lowest (2.2).
static inline uint32_t adler32_beat(adler32_sums *sums, message_beat beat) {
  uint64_t words[BYTES / 8];
  const unsigned missing = whole_beat(words, beat);
  // The bytes' sum, and that with byte i BYTES - i times: the first half of so many bytes has
  // all of the second half behind it once more.
  uint32_t bytes[BYTES], weighted[BYTES];
  for (int i = 0; i < BYTES; i++) {
#pragma HLS unroll
    bytes[i] = weighted[i] = words[i / 8] >> 8 * (i % 8) & 0xff;
  }
  for (int half = 1; half < BYTES; half *= 2) {
#pragma HLS unroll
    for (int i = 0; i < BYTES / 2 / half; i++) {
#pragma HLS unroll
      weighted[i] = weighted[2 * i] + weighted[2 * i + 1] + bytes[2 * i] * (uint32_t)half;
      bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
    }
  }
  sums->second = add(sums->second, reduced(BYTES * sums->first + weighted[0]));
  sums->first = add(sums->first, bytes[0]);
  uint32_t extra = 0;
  for (int half = 1; half <= BYTES; half *= 2) {
#pragma HLS unroll
    if (missing & (unsigned)half) extra += sums->first * (uint32_t)half;
  }
  const uint32_t first = sums->first, second = add(sums->second, MODULUS - reduced(extra));
  const uint32_t bytes_first = first << 8 | first >> 8, bytes_second = second << 8 | second >> 8;
  return (bytes_first & 0xffff) << 16 | (bytes_second & 0xffff);
}

#endif  // LYDITE_CORES_COMMON_HLS_ADLER32_H_
