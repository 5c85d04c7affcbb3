// SPDX-License-Identifier: Apache-2.0
// SHA-256's compression of one block, FIPS 180-4, section 6.2.2; top function: sha256_compress.
// main pads messages (section 5.1.1) and checks digests.

#include <stddef.h>
#include <stdint.h>

// FIPS 180-4, 4.2.2
static const uint32_t K[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

// FIPS 180-4, 5.3.3
static const uint32_t initial[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};

static inline uint32_t rotr32(uint32_t x, unsigned n) { return (x >> n) | (x << (32 - n)); }

// Adds one block (words big-endian) to the chaining value; the two may not overlap.
void sha256_compress(uint32_t state[8], const uint32_t block[16]) {
  uint32_t W[16];
  for (int t = 0; t < 16; t++) W[t] = block[t];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
  for (int t = 0; t < 64; t++) {
    uint32_t w = W[0];
    uint32_t S1 = rotr32(e, 6) ^ rotr32(e, 11) ^ rotr32(e, 25);
    uint32_t T1 = h + S1 + ((e & f) ^ (~e & g)) + K[t] + w;
    uint32_t S0 = rotr32(a, 2) ^ rotr32(a, 13) ^ rotr32(a, 22);
    uint32_t T2 = S0 + ((a & b) ^ (a & c) ^ (b & c));
    h = g;
    g = f;
    f = e;
    e = d + T1;
    d = c;
    c = b;
    b = a;
    a = T1 + T2;
    // Message schedule, 6.2.2 step 1, in a window of the last 16 words.
    uint32_t s0 = rotr32(W[1], 7) ^ rotr32(W[1], 18) ^ (W[1] >> 3);
    uint32_t s1 = rotr32(W[14], 17) ^ rotr32(W[14], 19) ^ (W[14] >> 10);
    uint32_t next = s1 + W[9] + s0 + w;
    for (int i = 0; i < 15; i++) W[i] = W[i + 1];
    W[15] = next;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
  state[5] += f;
  state[6] += g;
  state[7] += h;
}

static void sha256(uint32_t digest[8], const uint8_t *message, uint32_t length) {
  for (int i = 0; i < 8; i++) digest[i] = initial[i];
  uint32_t blocks = (length + 8) / 64 + 1;
  for (uint32_t n = 0; n < blocks; n++) {
    uint32_t block[16];
    for (int i = 0; i < 16; i++) block[i] = 0;
    for (uint32_t i = 0; i < 64; i++) {
      uint32_t at = 64 * n + i;
      uint32_t byte = at < length ? message[at] : at == length ? 0x80 : 0;
      block[i / 4] |= byte << (24 - 8 * (i % 4));
    }
    if (n == blocks - 1) block[15] = 8 * length;
    sha256_compress(digest, block);
  }
}

struct known_answer {
  uint32_t length;
  uint32_t digest[8];
};

// Digests of the first bytes of 00 01 02 ...: computed with Python's hashlib.
static const struct known_answer answers[] = {
    {0,
     {0xe3b0c442, 0x98fc1c14, 0x9afbf4c8, 0x996fb924, 0x27ae41e4, 0x649b934c, 0xa495991b,
      0x7852b855}},
    {55,
     {0x463eb28e, 0x72f82e0a, 0x96c0a4cc, 0x53690c57, 0x1281131f, 0x672aa229, 0xe0d45ae5,
      0x9b598b59}},
    {56,
     {0xda2ae4d6, 0xb36748f2, 0xa318f23e, 0x7ab1dfdf, 0x45acdc9d, 0x049bd80e, 0x59de82a6,
      0x0895f562}},
    {64,
     {0xfdeab9ac, 0xf3710362, 0xbd2658cd, 0xc9a29e8f, 0x9c757fcf, 0x9811603a, 0x8c447cd1,
      0xd9151108}},
    {119,
     {0xda18797e, 0xd7c3a777, 0xf0847f42, 0x9724a2d8, 0xcd5138e6, 0xed2895c3, 0xfa1a6d39,
      0xd18f7ec6}},
    {200,
     {0x1901da1c, 0x9f699b48, 0xf6b2636e, 0x65cbf73a, 0xbf99d044, 0x1ef67f5c, 0x540a42f7,
      0x051dec6f}},
};

int main(void) {
  // FIPS 180-4 example: the three bytes "abc".
  static const uint8_t abc[3] = {'a', 'b', 'c'};
  static const uint32_t abc_digest[8] = {0xba7816bf, 0x8f01cfea, 0x414140de, 0x5dae2223,
                                         0xb00361a3, 0x96177a9c, 0xb410ff61, 0xf20015ad};
  uint32_t digest[8];
  sha256(digest, abc, 3);
  for (int i = 0; i < 8; i++)
    if (digest[i] != abc_digest[i]) return 1;

  uint8_t message[200];
  for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)i;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    sha256(digest, message, answers[k].length);
    for (int i = 0; i < 8; i++)
      if (digest[i] != answers[k].digest[i]) return 1;
  }
  return 0;
}
