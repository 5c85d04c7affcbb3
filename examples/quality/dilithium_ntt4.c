// SPDX-License-Identifier: Apache-2.0
// The number theoretic transform of Dilithium (FIPS 204, algorithm 41), four butterflies a cycle,
// with Montgomery products; top function: dilithium_ntt4. Signed representatives; the inverse is
// not here.
//
// Four neighbours are a row, and two rows a cycle are read and written. At the first six levels the
// butterflies are between two rows, whose numbers differ in one bit, so by the parity of its bits
// one is in one memory and one in the other; at the last two they are within a row.

#include <stdint.h>

#define LEVELS 8
#define N 256
#define LANES 4
#define PAIRS (N / LANES / 2)  // of rows
#define Q 8380417
#define Q_INVERSE 58728449  // modulo 2^32

// FIPS 204, appendix B: zetas[k] = 2^32 * 1753^brv8(k) mod Q, centred; index 0 is not used.
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

// a / 2^32 mod Q in (-Q, Q), for |a| < 2^31 * Q: FIPS 204, algorithm 49.
static inline int32_t montgomery_reduce(int64_t a) {
  int32_t t = (int32_t)((uint32_t)a * (uint32_t)Q_INVERSE);
  return (int32_t)((a - (int64_t)t * Q) >> 32);
}

// Whether a number of 8 bits has an odd number of ones.
static inline int is_odd(unsigned x) {
  x ^= x >> 4;
  x ^= x >> 2;
  x ^= x >> 1;
  return x & 1;
}

// Chooses by the level: between rows, of halves of a row, of neighbours in a row.
static inline int32_t chosen(unsigned level, int32_t rows, int32_t halves, int32_t neighbours) {
  return level == 7 ? neighbours : level == 6 ? halves : rows;
}

// Transforms in place; coefficient i is word i / 8 * 4 + i % 4 of even or odd, by the number of
// ones in i / 4. Inputs in (-Q, Q), outputs in (-9Q, 9Q), not reduced.
void dilithium_ntt4(int32_t even[N / 2], int32_t odd[N / 2]) {
  // A row at once: a port for each lane. So are four neighbours of the table.
#pragma HLS array_partition variable=even cyclic factor=4
#pragma HLS array_partition variable=odd cyclic factor=4
#pragma HLS array_partition variable=zetas cyclic factor=4
  for (unsigned n = 0; n < LEVELS * PAIRS; n++) {
    // All levels in one pipeline: a row is read again when 16 pairs have passed.
#pragma HLS pipeline II=1
    const unsigned level = n / PAIRS, i = n % PAIRS;
    const unsigned between = level < 5 ? level : 5;  // the last levels take neighbours
    const unsigned length = PAIRS >> between;
    const unsigned offset = i & (length - 1), low = 2 * i - offset, high = low + length;
    const int turned = is_odd(low);
    const unsigned at_even = (turned ? high : low) / 2, at_odd = (turned ? low : high) / 2;

    // Zetas are in order of use: one for all four butterflies, one a row, or one each.
    const unsigned first = level == 7   ? 128 + 4 * i
                           : level == 6 ? 64 + 2 * i
                                        : (PAIRS + i) >> (5 - between);
    int32_t z[LANES];
    for (unsigned c = 0; c < LANES; c++) z[c] = zetas[first / LANES * LANES + c];
    const int32_t left = first & 2 ? z[2] : z[0], right = first & 2 ? z[3] : z[1];
    const int32_t any = first & 1 ? right : left;
    const int32_t zeta[LANES] = {
        chosen(level, any, left, z[0]), chosen(level, any, left, z[1]),
        chosen(level, any, right, z[2]), chosen(level, any, right, z[3])};

    int32_t r[2 * LANES];
    for (unsigned c = 0; c < LANES; c++) {
      const int32_t x = even[LANES * at_even + c], y = odd[LANES * at_odd + c];
      r[c] = turned ? y : x;
      r[LANES + c] = turned ? x : y;
    }
    const int32_t a[LANES] = {
        r[0], chosen(level, r[1], r[1], r[2]), chosen(level, r[2], r[4], r[4]),
        chosen(level, r[3], r[5], r[6])};
    const int32_t b[LANES] = {
        chosen(level, r[4], r[2], r[1]), chosen(level, r[5], r[3], r[3]),
        chosen(level, r[6], r[6], r[5]), r[7]};
    int32_t s[LANES], d[LANES];
    for (unsigned c = 0; c < LANES; c++) {
      const int32_t t = montgomery_reduce((int64_t)zeta[c] * b[c]);
      s[c] = a[c] + t;
      d[c] = a[c] - t;
    }
    const int32_t out[2 * LANES] = {
        s[0], chosen(level, s[1], s[1], d[0]), chosen(level, s[2], d[0], s[1]),
        chosen(level, s[3], d[1], d[1]), chosen(level, d[0], s[2], s[2]),
        chosen(level, d[1], s[3], d[2]), chosen(level, d[2], d[2], s[3]), d[3]};
    for (unsigned c = 0; c < LANES; c++) {
      even[LANES * at_even + c] = turned ? out[LANES + c] : out[c];
      odd[LANES * at_odd + c] = turned ? out[c] : out[LANES + c];
    }
  }
}

static int32_t reduced(int32_t x) {
  x %= Q;
  return x < 0 ? x + Q : x;
}

static int32_t a[N];

static void transform(int32_t all[N]) {
  static int32_t even[N / 2], odd[N / 2];
  for (unsigned i = 0; i < N; i++) (is_odd(i / 4) ? odd : even)[i / 8 * 4 + i % 4] = all[i];
  dilithium_ntt4(even, odd);
  for (unsigned i = 0; i < N; i++) all[i] = (is_odd(i / 4) ? odd : even)[i / 8 * 4 + i % 4];
}

int main(void) {
  // The transform of 1 is all ones; that of X starts with 1753 and its negative.
  for (int i = 0; i < N; i++) a[i] = i == 0;
  transform(a);
  for (int i = 0; i < N; i++)
    if (reduced(a[i]) != 1) return 1;
  for (int i = 0; i < N; i++) a[i] = i == 1;
  transform(a);
  if (reduced(a[0]) != 1753 || reduced(a[1]) != Q - 1753) return 1;

  // Values at 1753^(2 brv8(j) + 1), computed by the definition (FIPS 204, 2.5) in Python.
  static const int32_t values[8] = {3450093, 1631393, 3500951, 6608932,
                                    4920416, 2444901, 678685,  499799};
  for (int i = 0; i < N; i++) a[i] = (int32_t)((i * i * 4099 + i * 7919 + 12345) % Q);
  transform(a);
  int64_t sum = 0;
  for (int i = 0; i < N; i++) sum += (int64_t)(i + 1) * reduced(a[i]);
  if (reduced(a[0]) != values[0] || reduced(a[1]) != values[1] || reduced(a[2]) != values[2] ||
      reduced(a[3]) != values[3] || reduced(a[127]) != values[4] || reduced(a[128]) != values[5] ||
      reduced(a[255]) != values[6] || sum % Q != values[7])
    return 1;
  return 0;
}
