// SPDX-License-Identifier: Apache-2.0
// One polynomial of Dilithium's matrix A: SHAKE128 (FIPS 202, 6.2) of a seed and two indices, and
// rejection of 23-bit candidates not below q (FIPS 204, algorithms 14, 30, 32); top function:
// dilithium_reject. How long it runs depends on the seed, which is public.

#include <stdint.h>

#define N 256
#define Q 8380417
#define SHAKE128_RATE 168

static const uint64_t round_constants[24] = {
    0x0000000000000001ULL, 0x0000000000008082ULL, 0x800000000000808aULL, 0x8000000080008000ULL,
    0x000000000000808bULL, 0x0000000080000001ULL, 0x8000000080008081ULL, 0x8000000000008009ULL,
    0x000000000000008aULL, 0x0000000000000088ULL, 0x0000000080008009ULL, 0x000000008000000aULL,
    0x000000008000808bULL, 0x800000000000008bULL, 0x8000000000008089ULL, 0x8000000000008003ULL,
    0x8000000000008002ULL, 0x8000000000000080ULL, 0x000000000000800aULL, 0x800000008000000aULL,
    0x8000000080008081ULL, 0x8000000000008080ULL, 0x0000000080000001ULL, 0x8000000080008008ULL};

static inline uint64_t rotl64(uint64_t x, unsigned n) { return (x << n) | (x >> (64 - n)); }

// FIPS 202, 3.3, lanes in place along the one cycle of pi (section 3.2.3).
static void keccak_f1600(uint64_t a[25]) {
  static const uint8_t rotations[24] = {1,  3,  6,  10, 15, 21, 28, 36, 45, 55, 2,  14,
                                        27, 41, 56, 8,  25, 43, 62, 18, 39, 61, 20, 44};
  static const uint8_t lanes[24] = {10, 7,  11, 17, 18, 3, 5,  16, 8,  21, 24, 4,
                                    15, 23, 19, 13, 12, 2, 20, 14, 22, 9,  6,  1};
  for (int round = 0; round < 24; round++) {
    uint64_t c[5];
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (int x = 0; x < 5; x++) {
      uint64_t d = c[(x + 4) % 5] ^ rotl64(c[(x + 1) % 5], 1);
      for (int y = 0; y < 25; y += 5) a[x + y] ^= d;
    }
    uint64_t moved = a[1];
    for (int i = 0; i < 24; i++) {
      uint64_t next = a[lanes[i]];
      a[lanes[i]] = rotl64(moved, rotations[i]);
      moved = next;
    }
    for (int y = 0; y < 25; y += 5) {
      for (int x = 0; x < 5; x++) c[x] = a[y + x];
      for (int x = 0; x < 5; x++) a[y + x] = c[x] ^ (~c[(x + 1) % 5] & c[(x + 2) % 5]);
    }
    a[0] ^= round_constants[round];
  }
}

// Writes 256 coefficients below q and gives the number of candidates that were looked at.
uint32_t dilithium_reject(int32_t out[N], const uint8_t rho[32], uint8_t column, uint8_t row) {
  uint64_t state[25];
  for (int i = 0; i < 25; i++) state[i] = 0;
  for (int i = 0; i < 32; i++) state[i / 8] ^= (uint64_t)rho[i] << (8 * (i % 8));
  state[4] = (uint64_t)column | (uint64_t)row << 8 | 0x1f0000;
  state[SHAKE128_RATE / 8 - 1] ^= 0x8000000000000000ULL;
  uint32_t candidates = 0;
  int accepted = 0, position = SHAKE128_RATE;
  while (accepted < N) {
    if (position == SHAKE128_RATE) {
      keccak_f1600(state);
      position = 0;
    }
    uint32_t candidate = 0;
    for (int i = 0; i < 3; i++) {
      candidate |= (uint32_t)(uint8_t)(state[position / 8] >> (8 * (position % 8))) << (8 * i);
      position++;
    }
    candidate &= 0x7fffff;
    candidates++;
    if (candidate < Q) out[accepted++] = (int32_t)candidate;
  }
  return candidates;
}

struct known_answer {
  uint8_t column, row;
  uint32_t candidates;
  int32_t first[4], last[4];
  uint32_t sum;
};

// For the seed 00 01 02 ...: computed with Python's hashlib. sum: of (i + 1) * out[i], modulo q.
static const struct known_answer answers[] = {
    {0,
     0,
     256,
     {7905761, 7863978, 1275290, 4366663},
     {2469409, 6266376, 6362081, 6955102},
     6535445},
    {1, 0, 256, {4068125, 7504033, 2293766, 6859089}, {5768033, 6359213, 6970975, 781338}, 4200205},
    {3, 2, 256, {4244217, 2285516, 4274615, 1515528}, {286592, 279305, 5436044, 6686576}, 1559717},
};

int main(void) {
  static int32_t out[N];
  uint8_t rho[32];
  for (int i = 0; i < 32; i++) rho[i] = (uint8_t)i;
  for (unsigned k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    const struct known_answer *answer = &answers[k];
    if (dilithium_reject(out, rho, answer->column, answer->row) != answer->candidates) return 1;
    uint64_t sum = 0;
    for (unsigned i = 0; i < N; i++) sum += (i + 1) * (uint64_t)out[i];
    if (sum % Q != answer->sum) return 1;
    for (int i = 0; i < 4; i++)
      if (out[i] != answer->first[i] || out[N - 4 + i] != answer->last[i]) return 1;
  }
  return 0;
}
