// SPDX-License-Identifier: Apache-2.0
//
// A step of Luffa's permutations for processors ("Hash Function Luffa: Specification", version
// 2.0.1, 3.4), where SubCrumb counts by its operations: fifteen, for 23 of the formulas of step.h.
// Hardware is made of those, and would gain nothing by fewer. The including file defines before
// what step.h wants.

#ifndef LYDITE_CORES_LUFFA_SW_ROUNDS_H_
#define LYDITE_CORES_LUFFA_SW_ROUNDS_H_

#include "luffa.h"
#include "step.h"

// SubCrumb in the designers' order of operations (3.4.1): each replaces one of the words, and the
// words change places.
static inline void crumb(VECTOR *w0, VECTOR *w1, VECTOR *w2, VECTOR *w3) {
  VECTOR a = *w0, b = *w1, c = *w2, d = *w3, e = a;
  a = OR(a, b);
  c = XOR(c, d);
  b = NOT(b);
  a = XOR(a, d);
  d = AND(d, e);
  b = XOR(b, d);
  d = XOR(d, c);
  c = AND(c, a);
  a = NOT(a);
  c = XOR(c, b);
  b = OR(b, d);
  e = XOR(e, b);
  d = XOR(d, c);
  c = AND(c, b);
  *w0 = e;
  *w1 = XOR(b, a);
  *w2 = c;
  *w3 = d;
}

// MixWord (3.4.2).
static inline void mix_word(VECTOR *low, VECTOR *high) {
  VECTOR left = *low, right = XOR(*high, left);
  left = XOR(ROL(left, 2), right);
  right = XOR(ROL(right, 14), left);
  *low = XOR(ROL(left, 10), right);
  *high = ROL(right, 1);
}

static inline void quick_step(VECTOR a[8], VECTOR constant0, VECTOR constant4) {
  crumb(&a[0], &a[1], &a[2], &a[3]);
  crumb(&a[5], &a[6], &a[7], &a[4]);
  for (size_t k = 0; k < 4; k++) mix_word(&a[k], &a[k + 4]);
  a[0] = XOR(a[0], constant0);
  a[4] = XOR(a[4], constant4);
}

#endif  // LYDITE_CORES_LUFFA_SW_ROUNDS_H_
