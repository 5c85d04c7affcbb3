// SPDX-License-Identifier: Apache-2.0
//
// Arithmetic modulo q, and the number theoretic transform (FIPS 204, 7.5, appendices A and B) of
// vectors: four polynomials, whose coefficients of one place lie side by side, for they go through
// the same. Coefficients are signed representatives; each function says of which range.

#ifndef LYDITE_CORES_DILITHIUM_C_NTT_H_
#define LYDITE_CORES_DILITHIUM_C_NTT_H_

#include "params.h"

#define Q_INVERSE 58728449  // modulo 2^32
// The transform back is times 256, and a Montgomery product is over 2^32.
#define SCALE 41978          // 2^64 / 256 modulo q: what two products need
#define CHALLENGE 16382      // 2^32 / 256 modulo q: what one product needs
#define CHALLENGE_T1 -114672  // that times -2^13 modulo q

// Appendix B: zetas[k] = 2^32 * 1753^brv8(k) modulo q, centred; index 0 is not used.
static const int32_t zetas[N] = {
    0,        25847,    -2608894, -518909,  237124,   -777960,  -876248,  466468,   1826347,
    2353451,  -359251,  -2091905, 3119733,  -2884855, 3111497,  2680103,  2725464,  1024112,
    -1079900, 3585928,  -549488,  -1119584, 2619752,  -2108549, -2118186, -3859737, -1399561,
    -3277672, 1757237,  -19422,   4010497,  280005,   2706023,  95776,    3077325,  3530437,
    -1661693, -3592148, -2537516, 3915439,  -3861115, -3043716, 3574422,  -2867647, 3539968,
    -300467,  2348700,  -539299,  -1699267, -1643818, 3505694,  -3821735, 3507263,  -2140649,
    -1600420, 3699596,  811944,   531354,   954230,   3881043,  3900724,  -2556880, 2071892,
    -2797779, -3930395, -1528703, -3677745, -3041255, -1452451, 3475950,  2176455,  -1585221,
    -1257611, 1939314,  -4083598, -1000202, -3190144, -3157330, -3632928, 126922,   3412210,
    -983419,  2147896,  2715295,  -2967645, -3693493, -411027,  -2477047, -671102,  -1228525,
    -22981,   -1308169, -381987,  1349076,  1852771,  -1430430, -3343383, 264944,   508951,
    3097992,  44288,    -1100098, 904516,   3958618,  -3724342, -8578,    1653064,  -3249728,
    2389356,  -210977,  759969,   -1316856, 189548,   -3553272, 3159746,  -1851402, -2409325,
    -177440,  1315589,  1341330,  1285669,  -1584928, -812732,  -1439742, -3019102, -3881060,
    -3628969, 3839961,  2091667,  3407706,  2316500,  3817976,  -3342478, 2244091,  -2446433,
    -3562462, 266997,   2434439,  -1235728, 3513181,  -3520352, -3759364, -1197226, -3193378,
    900702,   1859098,  909542,   819034,   495491,   -1613174, -43260,   -522500,  -655327,
    -3122442, 2031748,  3207046,  -3556995, -525098,  -768622,  -3595838, 342297,   286988,
    -2437823, 4108315,  3437287,  -3342277, 1735879,  203044,   2842341,  2691481,  -2590150,
    1265009,  4055324,  1247620,  2486353,  1595974,  -3767016, 1250494,  2635921,  -3548272,
    -2994039, 1869119,  1903435,  -1050970, -1333058, 1237275,  -3318210, -1430225, -451100,
    1312455,  3306115,  -1962642, -1279661, 1917081,  -2546312, -1374803, 1500165,  777191,
    2235880,  3406031,  -542412,  -2831860, -1671176, -1846953, -2584293, -3724270, 594136,
    -3776993, -2013608, 2432395,  2454455,  -164721,  1957272,  3369112,  185531,   -1207385,
    -3183426, 162844,   1616392,  3014001,  810149,   1652634,  -3694233, -1799107, -3038916,
    3523897,  3866901,  269760,   2213111,  -975884,  1717735,  472078,   -426683,  1723600,
    -1803090, 1910376,  -1667432, -1104333, -260646,  -3833893, -2939036, -2235985, -420899,
    -2286327, 183443,   -976891,  1612842,  -3545687, -554416,  3919660,  -48306,   -1362209,
    3937738,  1400424,  -846154,  1976782};

// a / 2^32 modulo q in (-q, q), for |a| < 2^31 q: algorithm 49.
static inline int32_t montgomery_reduce(int64_t a) {
  const int32_t t = (int32_t)((uint32_t)a * (uint32_t)Q_INVERSE);
  return (int32_t)((a - (int64_t)t * Q) >> 32);
}

// A representative of at most 6,283,009 in size, for |a| < 2^31 - 2^22.
static inline int32_t reduce(int32_t a) {
  const int32_t t = (a + (1 << 22)) >> 23;
  return a - t * Q;
}

// The representative in [0, q), for a in (-q, q).
static inline int32_t freeze(int32_t a) {
#pragma HLS inline off
#pragma HLS pipeline II=1
  return a + (a >> 31 & Q);
}

// The representative in [-(q - 1) / 2, (q - 1) / 2], for a in (-q, q).
static inline int32_t centre(int32_t a) {
  const int32_t b = freeze(a);
  return b - (((Q - 1) / 2 - b) >> 31 & Q);
}

// a b / 2^32 modulo q in (-q, q), for |a b| < 2^31 q.
static inline int32_t product(int32_t a, int32_t b) { return montgomery_reduce((int64_t)a * b); }

// The product of a root and a coefficient, of which there are many in a pass and few in a cycle.
static int32_t turned(int32_t zeta, int32_t a) {
#pragma HLS inline off
#pragma HLS pipeline
  return product(zeta, a);
}

// Two layers of algorithm 41, of each polynomial: a butterfly of four coefficients at a time.
static inline void ntt_layers(int32_t out[N][L], int32_t in[N][L], unsigned layer) {
#pragma HLS inline
  for (unsigned i = 0; i < N / 4; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
    const unsigned block = i >> (6 - layer), step = (N / 4) >> layer;
    const unsigned at = i + 3 * (i & -step);  // i & -step is step * block
    const unsigned root = (1u << layer) + block;
    const int32_t zeta = zetas[root], low = zetas[2 * root], high = zetas[2 * root + 1];
    for (unsigned k = 0; k < L; k++) {
      int32_t v[4], t[2];
      for (unsigned n = 0; n < 4; n++) v[n] = in[at + n * step][k];
      for (unsigned n = 0; n < 2; n++) {
        t[n] = turned(zeta, v[n + 2]);
        v[n + 2] = v[n] - t[n];
        v[n] += t[n];
      }
      for (unsigned n = 0; n < 4; n += 2) {
        t[0] = turned(n == 0 ? low : high, v[n + 1]);
        v[n + 1] = v[n] - t[0];
        v[n] += t[0];
      }
      for (unsigned n = 0; n < 4; n++) out[at + n * step][k] = v[n];
    }
  }
}

// Algorithm 41 of each polynomial. Inputs in (-q, q), outputs in (-9q, 9q).
static void ntt(int32_t a[N][L]) {
#pragma HLS inline off
#pragma HLS allocation function instances=turned limit=8
  int32_t other[N][L];
#pragma HLS array_partition variable=other dim=2 complete
  for (unsigned layer = 0; layer < 8; layer += 4) {
    ntt_layers(other, a, layer);
    ntt_layers(a, other, layer + 2);
  }
}

// Two layers of algorithm 42, of each polynomial, from the last one on. Coefficients grow to four
// times their size or, in the end, are in [0, q).
static inline void inverse_ntt_layers(int32_t out[N][L], int32_t in[N][L], unsigned layer,
                                      bool reduced) {
#pragma HLS inline
  for (unsigned i = 0; i < N / 4; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=out type=inter false
    const unsigned block = i >> layer, step = 1u << layer;
    const unsigned at = i + 3 * (i & -step);
    const unsigned root = ((unsigned)N / 2 >> layer) - 1 - block;
    const int32_t zeta = zetas[root], low = zetas[2 * root], high = zetas[2 * root + 1];
    for (unsigned k = 0; k < L; k++) {
      int32_t v[4], sum[2], turn[2];
      for (unsigned n = 0; n < 4; n++) v[n] = in[at + n * step][k];
      for (unsigned n = 0; n < 2; n++) {
        sum[n] = v[2 * n] + v[2 * n + 1];
        turn[n] = turned(n == 0 ? high : low, v[2 * n + 1] - v[2 * n]);
      }
      v[0] = sum[0] + sum[1];
      v[1] = turn[0] + turn[1];
      v[2] = turned(zeta, sum[1] - sum[0]);
      v[3] = turned(zeta, turn[1] - turn[0]);
      for (unsigned n = 0; n < 4; n++) {
        out[at + n * step][k] = !reduced ? v[n] : freeze(n < 2 ? reduce(v[n]) : v[n]);
      }
    }
  }
}

// Algorithm 42 of each polynomial, times 256: the transform back. Inputs in (-q, q), outputs in
// [0, q).
static void inverse_ntt(int32_t a[N][L]) {
#pragma HLS inline off
#pragma HLS allocation function instances=turned limit=8
  int32_t other[N][L];
#pragma HLS array_partition variable=other dim=2 complete
  for (unsigned layer = 0; layer < 8; layer += 4) {
    inverse_ntt_layers(other, a, layer, false);
    inverse_ntt_layers(a, other, layer + 2, true);
  }
}

#endif  // LYDITE_CORES_DILITHIUM_C_NTT_H_
