// SPDX-License-Identifier: Apache-2.0
//
// The bytes of a beat that count, for functions without a mark behind the message that `lydite hls`
// compiles. Byte 0 is the lowest.

#ifndef LYDITE_CORES_COMMON_HLS_BEAT_BYTES_H_
#define LYDITE_CORES_COMMON_HLS_BEAT_BYTES_H_

#include <lydite_stream.h>

// Zeros stand behind the bytes, `count` of them.
static inline uint64_t beat_bytes(lydite_stream64_beat beat, uint8_t *count) {
  uint64_t word = 0;
  *count = 0;
  for (int byte = 0; byte < 8; byte++) {
    if (beat.keep >> byte & 1) {
      word |= beat.data & UINT64_C(0xff) << 8 * byte;
      *count = (uint8_t)(byte + 1);
    }
  }
  return word;
}

#endif  // LYDITE_CORES_COMMON_HLS_BEAT_BYTES_H_
