// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], the permutation of FIPS 202, section 3.3; top function: keccak_f1600.
// main checks it through SHA3-256 (section 6.1) of five messages. No padding in hardware.

#include <stddef.h>
#include <stdint.h>

#define KECCAK_ROUNDS 24
#define SHA3_256_RATE 136

// FIPS 202, 3.2.5: RC[ir], little-endian lanes.
static const uint64_t round_constants[KECCAK_ROUNDS] = {
    0x0000000000000001ULL, 0x0000000000008082ULL, 0x800000000000808aULL, 0x8000000080008000ULL,
    0x000000000000808bULL, 0x0000000080000001ULL, 0x8000000080008081ULL, 0x8000000000008009ULL,
    0x000000000000008aULL, 0x0000000000000088ULL, 0x0000000080008009ULL, 0x000000008000000aULL,
    0x000000008000808bULL, 0x800000000000008bULL, 0x8000000000008089ULL, 0x8000000000008003ULL,
    0x8000000000008002ULL, 0x8000000000000080ULL, 0x000000000000800aULL, 0x800000008000000aULL,
    0x8000000080008081ULL, 0x8000000000008080ULL, 0x0000000080000001ULL, 0x8000000080008008ULL};

static inline uint64_t rotl64(uint64_t x, unsigned n) { return n ? (x << n) | (x >> (64 - n)) : x; }

// Permutes the state in place; lane (x, y) of the standard is state[x + 5 * y].
void keccak_f1600(uint64_t state[25]) {
  // FIPS 202, 3.2.2, table 2, modulo 64; index x + 5 * y.
  static const uint8_t rotations[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                        25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};
  uint64_t a[25];
  for (int i = 0; i < 25; i++) a[i] = state[i];
  for (int round = 0; round < KECCAK_ROUNDS; round++) {
    uint64_t b[25], c[5];
    // theta: 3.2.1
    for (int x = 0; x < 5; x++) c[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (int x = 0; x < 5; x++) {
      uint64_t d = c[(x + 4) % 5] ^ rotl64(c[(x + 1) % 5], 1);
      for (int y = 0; y < 5; y++) a[x + 5 * y] ^= d;
    }
    // rho and pi: 3.2.2, 3.2.3
    for (int x = 0; x < 5; x++)
      for (int y = 0; y < 5; y++)
        b[y + 5 * ((2 * x + 3 * y) % 5)] = rotl64(a[x + 5 * y], rotations[x + 5 * y]);
    // chi: 3.2.4
    for (int y = 0; y < 5; y++)
      for (int x = 0; x < 5; x++)
        a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
    // iota: 3.2.5
    a[0] ^= round_constants[round];
  }
  for (int i = 0; i < 25; i++) state[i] = a[i];
}

static uint64_t state[25];

static void xor_byte(size_t position, uint8_t value) {
  state[position / 8] ^= (uint64_t)value << (8 * (position % 8));
}

static void sha3_256(uint64_t digest[4], const uint8_t *message, size_t length) {
  for (int i = 0; i < 25; i++) state[i] = 0;
  size_t position = 0;
  for (size_t i = 0; i < length; i++) {
    xor_byte(position++, message[i]);
    if (position == SHA3_256_RATE) {
      keccak_f1600(state);
      position = 0;
    }
  }
  xor_byte(position, 0x06);
  xor_byte(SHA3_256_RATE - 1, 0x80);
  keccak_f1600(state);
  for (int i = 0; i < 4; i++) digest[i] = state[i];
}

struct known_answer {
  size_t length;
  uint64_t digest[4];
};

// SHA3-256 of the first bytes of 00 01 02 ...; lanes little-endian. Computed with Python's hashlib.
static const struct known_answer answers[] = {
    {0, {0x66d71ebff8c6ffa7, 0x62d661a05647c151, 0xfa493be44dff80f5, 0x4a43f8804b0ad882}},
    {1, {0xf8f4fe209f46535d, 0x69de4e04882bb5ea, 0x602807a6686a7ac7, 0xd0e731f55fa6c49f}},
    {135, {0x601c55d6d98fedfd, 0xcfe5c56b7c3beb1e, 0xaae9b715d0d1aad8, 0xe2d5315247b9c9a9}},
    {136, {0x91a28024f9cf3ccf, 0xe130c41783d3c260, 0x69108817eebf4947, 0xe530498c3fe7df57}},
    {200, {0x8ce45ebf638f725f, 0xfa980349c053f477, 0x9abe564e4c8d5b64, 0x99a86c4d34eccf41}},
};

int main(void) {
  // XKCP, KeccakF-1600-IntermediateValues: the first lanes of the permuted zero state.
  uint64_t zero[25] = {0};
  keccak_f1600(zero);
  if (zero[0] != 0xf1258f7940e1dde7ULL || zero[1] != 0x84d5ccf933c0478aULL) return 1;

  uint8_t message[200];
  for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)i;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    uint64_t digest[4];
    sha3_256(digest, message, answers[k].length);
    for (int i = 0; i < 4; i++)
      if (digest[i] != answers[k].digest[i]) return 1;
  }
  return 0;
}
