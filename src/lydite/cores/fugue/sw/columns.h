// SPDX-License-Identifier: Apache-2.0
//
// Fugue-256 over a state in memory whose columns never move: turning it changes where it begins.
//
// The including file defines before: column, the type of one, row 0 lowest, uint32_t or a vector of
// them; and smix(x0, x1, x2, x3), which works on four by their addresses.

#ifndef LYDITE_CORES_FUGUE_SW_COLUMNS_H_
#define LYDITE_CORES_FUGUE_SW_COLUMNS_H_

#include "fugue.h"

// Column i of a state that was turned to the right by 30 - base.
#define S(base, i) s[((base) + (i)) % FUGUE_COLUMNS]

static inline void subround(column s[FUGUE_COLUMNS], size_t base) {
  const column x = S(base, 4), y = S(base, 5), z = S(base, 6);
  S(base, 0) ^= x;
  S(base, 1) ^= y;
  S(base, 2) ^= z;
  S(base, 15) ^= x;
  S(base, 16) ^= y;
  S(base, 17) ^= z;
  smix(&S(base, 0), &S(base, 1), &S(base, 2), &S(base, 3));
}

static inline void absorb(column s[FUGUE_COLUMNS], size_t base, column word) {
  S(base, 10) ^= S(base, 0);
  S(base, 0) = word;
  S(base, 8) ^= word;
  S(base, 1) ^= S(base, 24);
  subround(s, base + 27);
  subround(s, base + 24);
}

// The eight columns of the digest.
static inline void finish(column digest[8], column s[FUGUE_COLUMNS], size_t base) {
  for (size_t i = 0; i < 2 * FUGUE_FIRST_ROUNDS; i++) subround(s, base += 27);
  for (size_t i = 0; i < FUGUE_LAST_ROUNDS; i++) {
    for (size_t half = 0; half < 2; half++) {
      S(base, 4) ^= S(base, 0);
      S(base, 15 + half) ^= S(base, 0);
      base += 15 + half;
      smix(&S(base, 0), &S(base, 1), &S(base, 2), &S(base, 3));
    }
  }
  S(base, 4) ^= S(base, 0);
  S(base, 15) ^= S(base, 0);
  for (size_t i = 0; i < 4; i++) {
    digest[i] = S(base, 1 + i);
    digest[4 + i] = S(base, 15 + i);
  }
}

#endif  // LYDITE_CORES_FUGUE_SW_COLUMNS_H_
