// SPDX-License-Identifier: Apache-2.0
//
// Threefish-512 (Skein, 3.3) over eight variables, for any type of word.
//
// The including file defines before: WORD, ADD(a, b), XOR(a, b), ROL(a, n), and NUMBER(n), a number
// as a word. Words of the key are k0 to k8, of the tweak t0 to t2, of the state v0 to v7.

#ifndef LYDITE_CORES_SKEIN_SW_THREEFISH_H_
#define LYDITE_CORES_SKEIN_SW_THREEFISH_H_

// 3.3.1: MIX, and four of them; the permutation of the words is in their names.
#define MIX(x, y, n)         \
  do {                       \
    x = ADD(x, y);           \
    y = XOR(ROL(y, n), x);   \
  } while (0)
#define ROUND(a, b, c, d, e, f, g, h, n0, n1, n2, n3) \
  MIX(v##a, v##b, n0);                                \
  MIX(v##c, v##d, n1);                                \
  MIX(v##e, v##f, n2);                                \
  MIX(v##g, v##h, n3);

// 3.3.2: subkey s, whose words of key and tweak are named.
#define SUBKEY(s, a, b, c, d, e, f, g, h, x, y) \
  v0 = ADD(v0, k##a);                           \
  v1 = ADD(v1, k##b);                           \
  v2 = ADD(v2, k##c);                           \
  v3 = ADD(v3, k##d);                           \
  v4 = ADD(v4, k##e);                           \
  v5 = ADD(v5, ADD(k##f, t##x));                \
  v6 = ADD(v6, ADD(k##g, t##y));                \
  v7 = ADD(v7, ADD(k##h, NUMBER(s)));

#define EARLY_ROUNDS                            \
  ROUND(0, 1, 2, 3, 4, 5, 6, 7, 46, 36, 19, 37) \
  ROUND(2, 1, 4, 7, 6, 5, 0, 3, 33, 27, 14, 42) \
  ROUND(4, 1, 6, 3, 0, 5, 2, 7, 17, 49, 36, 39) \
  ROUND(6, 1, 0, 7, 2, 5, 4, 3, 44, 9, 54, 56)
#define LATE_ROUNDS                             \
  ROUND(0, 1, 2, 3, 4, 5, 6, 7, 39, 30, 34, 24) \
  ROUND(2, 1, 4, 7, 6, 5, 0, 3, 13, 50, 10, 17) \
  ROUND(4, 1, 6, 3, 0, 5, 2, 7, 25, 29, 39, 43) \
  ROUND(6, 1, 0, 7, 2, 5, 4, 3, 8, 35, 56, 22)

#define THREEFISH                                 \
  SUBKEY(0, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1)         \
  EARLY_ROUNDS                                    \
  SUBKEY(1, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2)         \
  LATE_ROUNDS                                     \
  SUBKEY(2, 2, 3, 4, 5, 6, 7, 8, 0, 2, 0)         \
  EARLY_ROUNDS                                    \
  SUBKEY(3, 3, 4, 5, 6, 7, 8, 0, 1, 0, 1)         \
  LATE_ROUNDS                                     \
  SUBKEY(4, 4, 5, 6, 7, 8, 0, 1, 2, 1, 2)         \
  EARLY_ROUNDS                                    \
  SUBKEY(5, 5, 6, 7, 8, 0, 1, 2, 3, 2, 0)         \
  LATE_ROUNDS                                     \
  SUBKEY(6, 6, 7, 8, 0, 1, 2, 3, 4, 0, 1)         \
  EARLY_ROUNDS                                    \
  SUBKEY(7, 7, 8, 0, 1, 2, 3, 4, 5, 1, 2)         \
  LATE_ROUNDS                                     \
  SUBKEY(8, 8, 0, 1, 2, 3, 4, 5, 6, 2, 0)         \
  EARLY_ROUNDS                                    \
  SUBKEY(9, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1)         \
  LATE_ROUNDS                                     \
  SUBKEY(10, 1, 2, 3, 4, 5, 6, 7, 8, 1, 2)        \
  EARLY_ROUNDS                                    \
  SUBKEY(11, 2, 3, 4, 5, 6, 7, 8, 0, 2, 0)        \
  LATE_ROUNDS                                     \
  SUBKEY(12, 3, 4, 5, 6, 7, 8, 0, 1, 0, 1)        \
  EARLY_ROUNDS                                    \
  SUBKEY(13, 4, 5, 6, 7, 8, 0, 1, 2, 1, 2)        \
  LATE_ROUNDS                                     \
  SUBKEY(14, 5, 6, 7, 8, 0, 1, 2, 3, 2, 0)        \
  EARLY_ROUNDS                                    \
  SUBKEY(15, 6, 7, 8, 0, 1, 2, 3, 4, 0, 1)        \
  LATE_ROUNDS                                     \
  SUBKEY(16, 7, 8, 0, 1, 2, 3, 4, 5, 1, 2)        \
  EARLY_ROUNDS                                    \
  SUBKEY(17, 8, 0, 1, 2, 3, 4, 5, 6, 2, 0)        \
  LATE_ROUNDS                                     \
  SUBKEY(18, 0, 1, 2, 3, 4, 5, 6, 7, 0, 1)

#endif  // LYDITE_CORES_SKEIN_SW_THREEFISH_H_
