// SPDX-License-Identifier: Apache-2.0
//
// Rotations of words, which are wires where the count is constant. Counts: 1 to one less than the
// word's bits.

#ifndef LYDITE_CORES_COMMON_HLS_ROTATE_H_
#define LYDITE_CORES_COMMON_HLS_ROTATE_H_

#include <stdint.h>

static inline uint32_t rotate_left32(uint32_t word, int count) {
  return word << count | word >> (32 - count);
}

static inline uint32_t rotate_right32(uint32_t word, int count) {
  return word >> count | word << (32 - count);
}

#endif  // LYDITE_CORES_COMMON_HLS_ROTATE_H_
