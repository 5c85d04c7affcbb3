// SPDX-License-Identifier: Apache-2.0
//
// Keccak-f[1600] (FIPS 202, 3.3) over 25 variables, for any type of lane.
//
// The including file defines the lane's type and operations:
//   LANE                  uint64_t, or a vector with one lane of each of several messages
//   XOR(a, b)             a ^ b
//   XOR3(a, b, c)         a ^ b ^ c, only for THETA_IN_PLACE
//   XOR5(a, b, c, d, e)   a ^ b ^ c ^ d ^ e
//   CHI(a, b, c)          a ^ (~b & c)
//   ROL(a, n)             every lane rotated left by n, 0 < n < 64
//   RC(round)             the round constant as a LANE
// Variable syx of a set s is the standard's A[x, y]. A round reads one set and writes another.
// Macros of the build, both for the speed only:
//   ROUNDS_UNROLLED       rounds in straight line: 2, 4, 6, 8, 12, 24
//   THETA_IN_PLACE        defined: the second way to do theta, see there

#ifndef LYDITE_CORES_COMMON_SW_KECCAK_ROUNDS_H_
#define LYDITE_CORES_COMMON_SW_KECCAK_ROUNDS_H_

#ifndef ROUNDS_UNROLLED
#define ROUNDS_UNROLLED 2
#endif

#define KECCAK_DECLARE(s)                                                                         \
  LANE s##00, s##01, s##02, s##03, s##04, s##10, s##11, s##12, s##13, s##14, s##20, s##21, s##22, \
      s##23, s##24, s##30, s##31, s##32, s##33, s##34, s##40, s##41, s##42, s##43, s##44

// OP(variable, index) for the lanes of the set s, in the order of the standard's string.
// clang-format off
#define KECCAK_FOR_ALL(OP, s)                                           \
  OP(s##00, 0) OP(s##01, 1) OP(s##02, 2) OP(s##03, 3) OP(s##04, 4)      \
  OP(s##10, 5) OP(s##11, 6) OP(s##12, 7) OP(s##13, 8) OP(s##14, 9)      \
  OP(s##20, 10) OP(s##21, 11) OP(s##22, 12) OP(s##23, 13) OP(s##24, 14) \
  OP(s##30, 15) OP(s##31, 16) OP(s##32, 17) OP(s##33, 18) OP(s##34, 19) \
  OP(s##40, 20) OP(s##41, 21) OP(s##42, 22) OP(s##43, 23) OP(s##44, 24)
// clang-format on

// FIPS 202, 3.2.1. The parities of the columns:
#define KECCAK_PARITIES(a)                                 \
  const LANE c0 = XOR5(a##00, a##10, a##20, a##30, a##40); \
  const LANE c1 = XOR5(a##01, a##11, a##21, a##31, a##41); \
  const LANE c2 = XOR5(a##02, a##12, a##22, a##32, a##42); \
  const LANE c3 = XOR5(a##03, a##13, a##23, a##33, a##43); \
  const LANE c4 = XOR5(a##04, a##14, a##24, a##34, a##44);

#ifdef THETA_IN_PLACE
// D[x] stays two terms, for which a three-way xor has room: 5 operations less. Column after column
// in place, so that only one rotated parity is alive at a time: 31 registers suffice.
#define KECCAK_COLUMN(a, x, left, right)    \
  do {                                      \
    const LANE rotated = ROL(right, 1);     \
    a##0##x = XOR3(a##0##x, left, rotated); \
    a##1##x = XOR3(a##1##x, left, rotated); \
    a##2##x = XOR3(a##2##x, left, rotated); \
    a##3##x = XOR3(a##3##x, left, rotated); \
    a##4##x = XOR3(a##4##x, left, rotated); \
  } while (0);
#define KECCAK_THETA(a)       \
  KECCAK_PARITIES(a)          \
  KECCAK_COLUMN(a, 0, c4, c1) \
  KECCAK_COLUMN(a, 1, c0, c2) \
  KECCAK_COLUMN(a, 2, c1, c3) \
  KECCAK_COLUMN(a, 3, c2, c4) \
  KECCAK_COLUMN(a, 4, c3, c0)
#define THETA(lane, x) (lane)
#else
// D[x] is formed, and added where rho picks a lane up.
#define KECCAK_THETA(a)                \
  KECCAK_PARITIES(a)                   \
  const LANE d0 = XOR(c4, ROL(c1, 1)); \
  const LANE d1 = XOR(c0, ROL(c2, 1)); \
  const LANE d2 = XOR(c1, ROL(c3, 1)); \
  const LANE d3 = XOR(c2, ROL(c4, 1)); \
  const LANE d4 = XOR(c3, ROL(c0, 1));
#define THETA(lane, x) XOR(lane, d##x)
#endif

// FIPS 202, 3.2.4, for row y.
#define KECCAK_CHI_ROW(e, y, lane0, lane1, lane2, lane3, lane4) \
  do {                                                          \
    const LANE b0 = lane0;                                      \
    const LANE b1 = lane1;                                      \
    const LANE b2 = lane2;                                      \
    const LANE b3 = lane3;                                      \
    const LANE b4 = lane4;                                      \
    e##y##0 = CHI(b0, b1, b2);                                  \
    e##y##1 = CHI(b1, b2, b3);                                  \
    e##y##2 = CHI(b2, b3, b4);                                  \
    e##y##3 = CHI(b3, b4, b0);                                  \
    e##y##4 = CHI(b4, b0, b1);                                  \
  } while (0)

// FIPS 202, 3.2.2 and 3.2.3: row y of the result takes A[x + 3y, x], rotated, as its lane x.
#define KECCAK_ROUND(a, e, round)                                                                 \
  do {                                                                                            \
    KECCAK_THETA(a)                                                                               \
    KECCAK_CHI_ROW(e, 0, THETA(a##00, 0), ROL(THETA(a##11, 1), 44), ROL(THETA(a##22, 2), 43),     \
                   ROL(THETA(a##33, 3), 21), ROL(THETA(a##44, 4), 14));                           \
    e##00 = XOR(e##00, RC(round));                                                                \
    KECCAK_CHI_ROW(e, 1, ROL(THETA(a##03, 3), 28), ROL(THETA(a##14, 4), 20),                      \
                   ROL(THETA(a##20, 0), 3), ROL(THETA(a##31, 1), 45), ROL(THETA(a##42, 2), 61));  \
    KECCAK_CHI_ROW(e, 2, ROL(THETA(a##01, 1), 1), ROL(THETA(a##12, 2), 6),                        \
                   ROL(THETA(a##23, 3), 25), ROL(THETA(a##34, 4), 8), ROL(THETA(a##40, 0), 18));  \
    KECCAK_CHI_ROW(e, 3, ROL(THETA(a##04, 4), 27), ROL(THETA(a##10, 0), 36),                      \
                   ROL(THETA(a##21, 1), 10), ROL(THETA(a##32, 2), 15), ROL(THETA(a##43, 3), 56)); \
    KECCAK_CHI_ROW(e, 4, ROL(THETA(a##02, 2), 62), ROL(THETA(a##13, 3), 55),                      \
                   ROL(THETA(a##24, 4), 39), ROL(THETA(a##30, 0), 41), ROL(THETA(a##41, 1), 2));  \
  } while (0)

#define KECCAK_ROUNDS_2(a, e, r) \
  KECCAK_ROUND(a, e, (r));       \
  KECCAK_ROUND(e, a, (r) + 1)
#define KECCAK_ROUNDS_4(a, e, r) \
  KECCAK_ROUNDS_2(a, e, r);      \
  KECCAK_ROUNDS_2(a, e, (r) + 2)
#define KECCAK_ROUNDS_6(a, e, r) \
  KECCAK_ROUNDS_4(a, e, r);      \
  KECCAK_ROUNDS_2(a, e, (r) + 4)
#define KECCAK_ROUNDS_8(a, e, r) \
  KECCAK_ROUNDS_4(a, e, r);      \
  KECCAK_ROUNDS_4(a, e, (r) + 4)
#define KECCAK_ROUNDS_12(a, e, r) \
  KECCAK_ROUNDS_6(a, e, r);       \
  KECCAK_ROUNDS_6(a, e, (r) + 6)
#define KECCAK_ROUNDS_24(a, e, r) \
  KECCAK_ROUNDS_12(a, e, r);      \
  KECCAK_ROUNDS_12(a, e, (r) + 12)

// The permutation of the set a; the set e is scratch. The two levels let ROUNDS_UNROLLED expand.
#define KECCAK_F1600(a, e) KECCAK_F1600_BY(ROUNDS_UNROLLED, a, e)
#define KECCAK_F1600_BY(n, a, e) KECCAK_F1600_BY_(n, a, e)
#define KECCAK_F1600_BY_(n, a, e)                               \
  do {                                                          \
    for (size_t round = 0; round < KECCAK_ROUNDS; round += n) { \
      KECCAK_ROUNDS_##n(a, e, round);                           \
    }                                                           \
  } while (0)

#endif  // LYDITE_CORES_COMMON_SW_KECCAK_ROUNDS_H_
