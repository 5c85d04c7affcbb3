// SPDX-License-Identifier: Apache-2.0
//
// The seven rounds (BLAKE3, 2.2) on 16 words, whatever a word is: one of 32 bits, or a vector with
// one of each lane. X stands for X_ADD, X_XOR and X_ROR. The permutation of the block is in the
// numbers of its words: nothing moves.

#ifndef LYDITE_CORES_BLAKE3_SW_ROUNDS_H_
#define LYDITE_CORES_BLAKE3_SW_ROUNDS_H_

// Half of G on four columns or diagonals at once, so that four chains of additions run beside each
// other. R and S: the rotations.
#define BLAKE3_HALF(X, v, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3, m0, m1, m2, m3, R, S) \
  v[0] = X##_ADD(v[0], m0), v[1] = X##_ADD(v[1], m1);                                           \
  v[2] = X##_ADD(v[2], m2), v[3] = X##_ADD(v[3], m3);                                           \
  v[0] = X##_ADD(v[0], v[b0]), v[1] = X##_ADD(v[1], v[b1]);                                     \
  v[2] = X##_ADD(v[2], v[b2]), v[3] = X##_ADD(v[3], v[b3]);                                     \
  v[d0] = X##_XOR(v[d0], v[0]), v[d1] = X##_XOR(v[d1], v[1]);                                   \
  v[d2] = X##_XOR(v[d2], v[2]), v[d3] = X##_XOR(v[d3], v[3]);                                   \
  v[d0] = X##_ROR(v[d0], R), v[d1] = X##_ROR(v[d1], R);                                         \
  v[d2] = X##_ROR(v[d2], R), v[d3] = X##_ROR(v[d3], R);                                         \
  v[c0] = X##_ADD(v[c0], v[d0]), v[c1] = X##_ADD(v[c1], v[d1]);                                 \
  v[c2] = X##_ADD(v[c2], v[d2]), v[c3] = X##_ADD(v[c3], v[d3]);                                 \
  v[b0] = X##_XOR(v[b0], v[c0]), v[b1] = X##_XOR(v[b1], v[c1]);                                 \
  v[b2] = X##_XOR(v[b2], v[c2]), v[b3] = X##_XOR(v[b3], v[c3]);                                 \
  v[b0] = X##_ROR(v[b0], S), v[b1] = X##_ROR(v[b1], S);                                         \
  v[b2] = X##_ROR(v[b2], S), v[b3] = X##_ROR(v[b3], S)

#define BLAKE3_COLUMNS(X, v, m0, m1, m2, m3, R, S) \
  BLAKE3_HALF(X, v, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, m0, m1, m2, m3, R, S)
#define BLAKE3_DIAGONALS(X, v, m0, m1, m2, m3, R, S) \
  BLAKE3_HALF(X, v, 5, 6, 7, 4, 10, 11, 8, 9, 15, 12, 13, 14, m0, m1, m2, m3, R, S)

#define BLAKE3_ROUND(X, v, m, i0, i1, i2, i3, i4, i5, i6, i7, i8, i9, ia, ib, ic, id, ie, ig) \
  BLAKE3_COLUMNS(X, v, m[i0], m[i2], m[i4], m[i6], 16, 12);                                   \
  BLAKE3_COLUMNS(X, v, m[i1], m[i3], m[i5], m[i7], 8, 7);                                     \
  BLAKE3_DIAGONALS(X, v, m[i8], m[ia], m[ic], m[ie], 16, 12);                                 \
  BLAKE3_DIAGONALS(X, v, m[i9], m[ib], m[id], m[ig], 8, 7)

#define BLAKE3_ALL_ROUNDS(X, v, m)                                             \
  BLAKE3_ROUND(X, v, m, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15); \
  BLAKE3_ROUND(X, v, m, 2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8); \
  BLAKE3_ROUND(X, v, m, 3, 4, 10, 12, 13, 2, 7, 14, 6, 5, 9, 0, 11, 15, 8, 1); \
  BLAKE3_ROUND(X, v, m, 10, 7, 12, 9, 14, 3, 13, 15, 4, 0, 11, 2, 5, 8, 1, 6); \
  BLAKE3_ROUND(X, v, m, 12, 13, 9, 11, 15, 10, 14, 8, 7, 2, 5, 3, 0, 1, 6, 4); \
  BLAKE3_ROUND(X, v, m, 9, 14, 11, 5, 8, 12, 15, 1, 13, 3, 0, 10, 2, 6, 4, 7); \
  BLAKE3_ROUND(X, v, m, 11, 15, 5, 0, 1, 9, 8, 6, 14, 10, 2, 12, 3, 4, 7, 13)

#endif  // LYDITE_CORES_BLAKE3_SW_ROUNDS_H_
