// SPDX-License-Identifier: Apache-2.0
//
// The rounds of Hamsi-256 ("The Hash Function Hamsi", 2009) on sixteen words, or on words of
// several messages. The including file defines before:
//   hamsi_word                   a word's type, on which the operators of C work
//   LEFT(a, count)               turns it
//   substitute(&a, &b, &c, &d)   the S-box on the bits in one place of four words

#ifndef LYDITE_CORES_HAMSI_SW_ROUNDS_H_
#define LYDITE_CORES_HAMSI_SW_ROUNDS_H_

#include "hamsi.h"

// L, that of Serpent.
static inline void diffuse(hamsi_word *w0, hamsi_word *w1, hamsi_word *w2, hamsi_word *w3) {
  const hamsi_word a = LEFT(*w0, 13), c = LEFT(*w2, 3);
  const hamsi_word b = LEFT(*w1 ^ a ^ c, 1), d = LEFT(*w3 ^ c ^ a << 3, 7);
  *w0 = LEFT(a ^ b ^ d, 5);
  *w1 = b;
  *w2 = LEFT(c ^ d ^ b << 7, 22);
  *w3 = d;
}

// The state is variables s0 to s15, of which compilers make better code than of an array.
#define HAMSI_ROUND                   \
  do {                                \
    substitute(&s0, &s4, &s8, &s12);  \
    substitute(&s1, &s5, &s9, &s13);  \
    substitute(&s2, &s6, &s10, &s14); \
    substitute(&s3, &s7, &s11, &s15); \
    diffuse(&s0, &s5, &s10, &s15);    \
    diffuse(&s1, &s6, &s11, &s12);    \
    diffuse(&s2, &s7, &s8, &s13);     \
    diffuse(&s3, &s4, &s9, &s14);     \
  } while (0)

// The constants of a round, before it, and its number.
#define HAMSI_CONSTANTS(alpha, number)                   \
  do {                                                   \
    s0 ^= (alpha)[0][0], s1 ^= (alpha)[0][1] ^ (number); \
    s2 ^= (alpha)[0][2], s3 ^= (alpha)[0][3];            \
    s4 ^= (alpha)[1][0], s5 ^= (alpha)[1][1];            \
    s6 ^= (alpha)[1][2], s7 ^= (alpha)[1][3];            \
    s8 ^= (alpha)[2][0], s9 ^= (alpha)[2][1];            \
    s10 ^= (alpha)[2][2], s11 ^= (alpha)[2][3];          \
    s12 ^= (alpha)[3][0], s13 ^= (alpha)[3][1];          \
    s14 ^= (alpha)[3][2], s15 ^= (alpha)[3][3];          \
  } while (0)

#endif  // LYDITE_CORES_HAMSI_SW_ROUNDS_H_
