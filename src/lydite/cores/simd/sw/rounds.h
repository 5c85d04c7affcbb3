// SPDX-License-Identifier: Apache-2.0
//
// The steps of SIMD-256 ("SIMD Is a Message Digest", tweaked version, 2009, 1.2) by a variant's
// STEP, CHOOSE and MAJORITY: STEP(function, a, b, c, d, words, turn, turn of the sum, other) works
// on rows, of which it makes d the first one; word n takes word n ^ other of row a. The variant's
// words_of(w, round, step) are the words of a step.

#ifndef LYDITE_CORES_SIMD_SW_ROUNDS_H_
#define LYDITE_CORES_SIMD_SW_ROUNDS_H_

#include "simd.h"

// Four steps turn the rows once round; p to s are the rotations.
#define FOUR(function, first, w0, w1, w2, w3, p, q, r, s)         \
  do {                                                            \
    STEP(function, a, b, c, d, w0, p, q, (first) % 3 + 1);        \
    STEP(function, d, a, b, c, w1, q, r, ((first) + 1) % 3 + 1);  \
    STEP(function, c, d, a, b, w2, r, s, ((first) + 2) % 3 + 1);  \
    STEP(function, b, c, d, a, w3, s, p, ((first) + 3) % 3 + 1);  \
  } while (0)

#define W(round, step) words_of(w, round, step)
#define ROUND(n, p, q, r, s)                                                             \
  do {                                                                                   \
    FOUR(CHOOSE, 8 * (n), W(n, 0), W(n, 1), W(n, 2), W(n, 3), p, q, r, s);                \
    FOUR(MAJORITY, 8 * (n) + 4, W(n, 4), W(n, 5), W(n, 6), W(n, 7), p, q, r, s);          \
  } while (0)

// All steps on rows a to d: with words w, and behind the rounds h0 to h3, the chaining value.
#define ROUNDS(h0, h1, h2, h3)                       \
  do {                                               \
    ROUND(0, 3, 23, 17, 27);                         \
    ROUND(1, 28, 19, 22, 7);                         \
    ROUND(2, 29, 9, 15, 5);                          \
    ROUND(3, 4, 13, 10, 25);                         \
    FOUR(CHOOSE, 32, h0, h1, h2, h3, 4, 13, 10, 25); \
  } while (0)

#endif  // LYDITE_CORES_SIMD_SW_ROUNDS_H_
