// SPDX-License-Identifier: Apache-2.0
//
// Rounds of CubeHash over 32 variables (2.4), for any type of word. The including file defines
// before: WORD, uint32_t or a vector of them, and ROL(word, count).

#ifndef LYDITE_CORES_CUBEHASH_SW_ROUNDS_H_
#define LYDITE_CORES_CUBEHASH_SW_ROUNDS_H_

#include "cubehash.h"

static inline __attribute__((always_inline)) void half_round(WORD x[32], unsigned rotation,
                                                             size_t swap0, size_t swap1) {
  WORD sum[16], old[16];
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; i++) {
    sum[i] = x[i] + x[16 + i];
    old[i] = ROL(x[i], rotation);
  }
#pragma GCC unroll 16
  for (size_t i = 0; i < 16; i++) {
    x[i] = old[i ^ swap0] ^ sum[i];
    x[16 + i] = sum[i ^ swap1];
  }
}

static inline void rounds(WORD x[32], size_t count) {
  for (size_t i = 0; i < count; i++) {
    half_round(x, 7, 8, 2);
    half_round(x, 11, 4, 1);
  }
}

#endif  // LYDITE_CORES_CUBEHASH_SW_ROUNDS_H_
