// SPDX-License-Identifier: Apache-2.0
//
// What variants of Hamsi-256 share: padding, and tables of the expansion, which are computed when
// the library is loaded ("The Hash Function Hamsi", 2009).

#ifndef LYDITE_CORES_HAMSI_SW_HAMSI_H_
#define LYDITE_CORES_HAMSI_SW_HAMSI_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../code.h"

#define HAMSI_DIGEST_BYTES 32

// What bit i of a word makes of the eight words, its lowest byte the first: element (a, b) of the
// code is a + b w, and w times it is b + (a + b) w.
static inline void hamsi_expand_bit(uint32_t m[8], size_t bit) {
  const uint32_t *const one = hamsi_code[bit / 2];
  for (size_t i = 0; i < 4; i++) {
    m[i] = bit % 2 == 0 ? one[i] : one[4 + i];
    m[4 + i] = bit % 2 == 0 ? one[4 + i] : one[i] ^ one[4 + i];
  }
}

// What follows the whole words of a message: its rest with a one, and its bits: three words.
static inline void hamsi_last_words(uint8_t out[12], const uint8_t *in, size_t in_bytes) {
  const size_t rest = in_bytes % 4;
  memset(out, 0, 12);
  if (rest != 0) memcpy(out, in + in_bytes - rest, rest);
  out[rest] = 0x80;
  store64_be(out + 4, 8 * (uint64_t)in_bytes);
}

#endif  // LYDITE_CORES_HAMSI_SW_HAMSI_H_
