// SPDX-License-Identifier: Apache-2.0
//
// A step of Luffa's permutations ("Hash Function Luffa: Specification", version 2.0.1, 3.4) on
// vectors of 32-bit words. Included by a variant that defines before: VECTOR, XOR(a, b), AND(a, b),
// ANDNOT(a, b) (not a, and b), OR(a, b), NOT(a), ROL(a, n).

#ifndef LYDITE_CORES_LUFFA_SW_STEP_H_
#define LYDITE_CORES_LUFFA_SW_STEP_H_

// SubCrumb (3.4.1) by formulas of its table.
static inline void sub_crumb(VECTOR *w0, VECTOR *w1, VECTOR *w2, VECTOR *w3) {
  const VECTOR a = *w0, b = *w1, c = *w2, d = *w3;
  const VECTOR w = NOT(ANDNOT(a, b)), ab = XOR(a, b);
  const VECTOR x = XOR(XOR(NOT(ab), AND(b, c)), AND(d, XOR(ab, AND(a, XOR(b, c)))));
  const VECTOR z = XOR(XOR(NOT(b), AND(c, OR(a, b))), AND(d, XOR(w, c)));
  *w0 = x;
  *w1 = XOR(XOR(x, w), d);
  *w2 = z;
  *w3 = XOR(XOR(z, c), ANDNOT(a, d));
}

static inline void step(VECTOR a[8], VECTOR constant0, VECTOR constant4) {
  sub_crumb(&a[0], &a[1], &a[2], &a[3]);
  sub_crumb(&a[5], &a[6], &a[7], &a[4]);
  for (size_t k = 0; k < 4; k++) {  // MixWord (3.4.2)
    VECTOR left = a[k], right = XOR(a[k + 4], a[k]);
    left = XOR(ROL(left, 2), right);
    right = XOR(ROL(right, 14), left);
    a[k] = XOR(ROL(left, 10), right);
    a[k + 4] = ROL(right, 1);
  }
  a[0] = XOR(a[0], constant0);
  a[4] = XOR(a[4], constant4);
}

// x times a block in the ring, modulo x^8 + x^4 + x^3 + x + 1 (3.3).
static inline void times_x(VECTOR block[8]) {
  const VECTOR top = block[7];
  for (size_t k = 7; k > 0; k--) {
    block[k] = k == 1 || k == 3 || k == 4 ? XOR(block[k - 1], top) : block[k - 1];
  }
  block[0] = top;
}

#endif  // LYDITE_CORES_LUFFA_SW_STEP_H_
