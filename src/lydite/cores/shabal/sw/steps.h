// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 over 44 variables, for any type of word: the permutation P in straight line.
//
// The including file defines before: WORD, ADD(a, b), SUB(a, b), XOR(a, b), ROL(a, n), TIMES3(a),
// TIMES5(a), CHOOSE(a, b, c, d, e): a ^ b ^ (c & ~d) ^ e, and NOT_XOR(a, b): a ^ ~b.

#ifndef LYDITE_CORES_SHABAL_SW_STEPS_H_
#define LYDITE_CORES_SHABAL_SW_STEPS_H_

#include "shabal.h"

typedef struct {
  WORD a[12], b[16], c[16];
} shabal_state;

// A step: words of A (its own, the one before), of B (its own, 13, 9 and 6 on), of C and of M.
#define STEP(x, y, i, i13, i9, i6, k)                                                     \
  do {                                                                                    \
    const WORD u = TIMES3(XOR(XOR(a[x], TIMES5(ROL(a[y], 15))), c[k]));                   \
    a[x] = CHOOSE(u, b[i13], b[i9], b[i6], m[i]);                                         \
    b[i] = NOT_XOR(ROL(b[i], 1), a[x]);                                                   \
  } while (0)

#define STEP_OF(s)                                                                        \
  STEP((s) % 12, ((s) + 11) % 12, (s) % 16, ((s) + 13) % 16, ((s) + 9) % 16,              \
       ((s) + 6) % 16, (8 + 48 - (s)) % 16);
#define FOUR_STEPS(s) STEP_OF(s) STEP_OF((s) + 1) STEP_OF((s) + 2) STEP_OF((s) + 3)
#define SIXTEEN_STEPS(s) FOUR_STEPS(s) FOUR_STEPS((s) + 4) FOUR_STEPS((s) + 8) FOUR_STEPS((s) + 12)

// The counter of 64 bits is added to A, P applied.
static inline __attribute__((always_inline)) void shabal_round(WORD a[12], WORD b[16],
                                                               const WORD c[16], const WORD m[16],
                                                               WORD low, WORD high) {
  a[0] = XOR(a[0], low);
  a[1] = XOR(a[1], high);
  for (size_t i = 0; i < 16; i++) b[i] = ROL(b[i], 17);
  SIXTEEN_STEPS(0)
  SIXTEEN_STEPS(16)
  SIXTEEN_STEPS(32)
  for (size_t j = 0; j < 12; j++) {
    a[j] = ADD(ADD(a[j], c[(j + 3) % 16]), ADD(c[(j + 15) % 16], c[(j + 11) % 16]));
  }
}

#endif  // LYDITE_CORES_SHABAL_SW_STEPS_H_
