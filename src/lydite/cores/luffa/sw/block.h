// SPDX-License-Identifier: Apache-2.0
//
// A block of Luffa-256 ("Hash Function Luffa: Specification", version 2.0.1, 3) on words, or
// vectors of words, on which the operators of C work. The including file defines before: VECTOR,
// ROL(a, n).

#ifndef LYDITE_CORES_LUFFA_SW_BLOCK_H_
#define LYDITE_CORES_LUFFA_SW_BLOCK_H_

#define XOR(a, b) ((a) ^ (b))
#define AND(a, b) ((a) & (b))
#define ANDNOT(a, b) (~(a) & (b))
#define OR(a, b) ((a) | (b))
#define NOT(a) (~(a))
#include "rounds.h"

static inline void add_block(VECTOR state[3][8], const VECTOR block[8]) {
  const VECTOR none = {0};
  VECTOR total[8], message[8];
  for (size_t k = 0; k < 8; k++) {
    total[k] = state[0][k] ^ state[1][k] ^ state[2][k];
    message[k] = block[k];
  }
  times_x(total);
#pragma GCC unroll 3
  for (size_t j = 0; j < 3; j++) {
    for (size_t k = 0; k < 8; k++) {
      const VECTOR word = state[j][k] ^ total[k] ^ message[k];
      // The tweak (3.4).
      state[j][k] = k >= 4 && j > 0 ? ROL(word, (unsigned)j) : word;
    }
    times_x(message);
  }
  // Step by step, since in a permutation each operation waits for the one before it.
#pragma GCC unroll 8
  for (size_t i = 0; i < LUFFA_STEPS; i++) {
#pragma GCC unroll 3
    for (size_t j = 0; j < 3; j++) {
      quick_step(state[j], none + luffa_constants0[j][i], none + luffa_constants4[j][i]);
    }
  }
}

#endif  // LYDITE_CORES_LUFFA_SW_BLOCK_H_
