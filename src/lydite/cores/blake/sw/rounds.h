// SPDX-License-Identifier: Apache-2.0
//
// The compression function of BLAKE ("SHA-3 proposal BLAKE", 2.1) in straight line, so that
// words of the message and constants are named when it is compiled. The including file defines
// before: WORD, uint32_t or a vector of them, and RIGHT(word, count), which turns one to the right.

#ifndef LYDITE_CORES_BLAKE_SW_ROUNDS_H_
#define LYDITE_CORES_BLAKE_SW_ROUNDS_H_

#include "blake.h"

// Digits of blake_sigma, which a preprocessor cannot read.
#define SIGMA0(G) G(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15)
#define SIGMA1(G) G(14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3)
#define SIGMA2(G) G(11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4)
#define SIGMA3(G) G(7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8)
#define SIGMA4(G) G(9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13)
#define SIGMA5(G) G(2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9)
#define SIGMA6(G) G(12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11)
#define SIGMA7(G) G(13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10)
#define SIGMA8(G) G(6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5)
#define SIGMA9(G) G(10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0)

// 2.1.2: G on words a, b, c, d of the state, with digits i and j of the permutation.
#define MIX(a, b, c, d, i, j)                          \
  do {                                                 \
    v##a += v##b + (m[i] ^ blake_constants[j]);        \
    v##d = RIGHT(v##d ^ v##a, 16);                     \
    v##c += v##d;                                      \
    v##b = RIGHT(v##b ^ v##c, 12);                     \
    v##a += v##b + (m[j] ^ blake_constants[i]);        \
    v##d = RIGHT(v##d ^ v##a, 8);                      \
    v##c += v##d;                                      \
    v##b = RIGHT(v##b ^ v##c, 7);                      \
  } while (0)

#define ROUND(s0, s1, s2, s3, s4, s5, s6, s7, s8, s9, sa, sb, sc, sd, se, sf) \
  MIX(0, 4, 8, c, s0, s1);                                                    \
  MIX(1, 5, 9, d, s2, s3);                                                    \
  MIX(2, 6, a, e, s4, s5);                                                    \
  MIX(3, 7, b, f, s6, s7);                                                    \
  MIX(0, 5, a, f, s8, s9);                                                    \
  MIX(1, 6, b, c, sa, sb);                                                    \
  MIX(2, 7, 8, d, sc, sd);                                                    \
  MIX(3, 4, 9, e, se, sf);

// The words m of a block, and how many bits of the message were hashed up to its end.
static inline __attribute__((always_inline)) void blake_compress(WORD h[8], const WORD m[16],
                                                                 uint64_t counter) {
  const WORD none = {0};
  WORD v0 = h[0], v1 = h[1], v2 = h[2], v3 = h[3], v4 = h[4], v5 = h[5], v6 = h[6], v7 = h[7];
  WORD v8 = none + blake_constants[0], v9 = none + blake_constants[1];
  WORD va = none + blake_constants[2], vb = none + blake_constants[3];
  WORD vc = none + (blake_constants[4] ^ (uint32_t)counter);
  WORD vd = none + (blake_constants[5] ^ (uint32_t)counter);
  WORD ve = none + (blake_constants[6] ^ (uint32_t)(counter >> 32));
  WORD vf = none + (blake_constants[7] ^ (uint32_t)(counter >> 32));
  SIGMA0(ROUND)
  SIGMA1(ROUND)
  SIGMA2(ROUND)
  SIGMA3(ROUND)
  SIGMA4(ROUND)
  SIGMA5(ROUND)
  SIGMA6(ROUND)
  SIGMA7(ROUND)
  SIGMA8(ROUND)
  SIGMA9(ROUND)
#if ROUNDS == 14
  SIGMA0(ROUND)
  SIGMA1(ROUND)
  SIGMA2(ROUND)
  SIGMA3(ROUND)
#endif
  h[0] ^= v0 ^ v8;
  h[1] ^= v1 ^ v9;
  h[2] ^= v2 ^ va;
  h[3] ^= v3 ^ vb;
  h[4] ^= v4 ^ vc;
  h[5] ^= v5 ^ vd;
  h[6] ^= v6 ^ ve;
  h[7] ^= v7 ^ vf;
}

#endif  // LYDITE_CORES_BLAKE_SW_ROUNDS_H_
