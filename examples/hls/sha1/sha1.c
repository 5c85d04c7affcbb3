// SPDX-License-Identifier: Apache-2.0
// SHA-1's compression of one block, FIPS 180-4, section 6.1.3 (the method with a circular queue of
// 16 words); top function: sha1_compress. main pads messages and checks digests.

#include <stddef.h>
#include <stdint.h>

// FIPS 180-4, 5.3.1
static const uint32_t initial[5] = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};

static inline uint32_t rotl32(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

// Adds one block (words big-endian) to the chaining value; the two may not overlap.
void sha1_compress(uint32_t state[5], const uint32_t block[16]) {
  uint32_t W[16];
  for (int t = 0; t < 16; t++) W[t] = block[t];
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
  for (int t = 0; t < 80; t++) {
    int s = t & 15;
    if (t >= 16) W[s] = rotl32(W[(s + 13) & 15] ^ W[(s + 8) & 15] ^ W[(s + 2) & 15] ^ W[s], 1);
    uint32_t f, k;  // 4.1.1, 4.2.1
    if (t < 20) {
      f = (b & c) ^ (~b & d);
      k = 0x5a827999;
    } else if (t < 40) {
      f = b ^ c ^ d;
      k = 0x6ed9eba1;
    } else if (t < 60) {
      f = (b & c) ^ (b & d) ^ (c & d);
      k = 0x8f1bbcdc;
    } else {
      f = b ^ c ^ d;
      k = 0xca62c1d6;
    }
    uint32_t T = rotl32(a, 5) + f + e + k + W[s];
    e = d;
    d = c;
    c = rotl32(b, 30);
    b = a;
    a = T;
  }
  state[0] += a;
  state[1] += b;
  state[2] += c;
  state[3] += d;
  state[4] += e;
}

static void sha1(uint32_t digest[5], const uint8_t *message, uint32_t length) {
  for (int i = 0; i < 5; i++) digest[i] = initial[i];
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
    sha1_compress(digest, block);
  }
}

struct known_answer {
  uint32_t length;
  uint32_t digest[5];
};

// Digests of the first bytes of 00 01 02 ...: computed with Python's hashlib.
static const struct known_answer answers[] = {
    {0, {0xda39a3ee, 0x5e6b4b0d, 0x3255bfef, 0x95601890, 0xafd80709}},
    {55, {0x8ae2d467, 0x29cfe68f, 0xf927af5e, 0xec9c7d1b, 0x66d65ac2}},
    {56, {0x636e2ec6, 0x98dac903, 0x498e648b, 0xd2f3af64, 0x1d3c88cb}},
    {64, {0xc6138d51, 0x4ffa2135, 0xbfce0ed0, 0xb8fac656, 0x69917ec7}},
    {119, {0x41c89d06, 0x001bab4a, 0xb78736b4, 0x4efe7ce1, 0x8ce6ae08}},
    {200, {0x54d11e99, 0x127d1597, 0x99dbce10, 0xf51a75e6, 0x97780478}},
};

int main(void) {
  // FIPS 180-4 example: the three bytes "abc".
  static const uint8_t abc[3] = {'a', 'b', 'c'};
  static const uint32_t abc_digest[5] = {0xa9993e36, 0x4706816a, 0xba3e2571, 0x7850c26c,
                                         0x9cd0d89d};
  uint32_t digest[5];
  sha1(digest, abc, 3);
  for (int i = 0; i < 5; i++)
    if (digest[i] != abc_digest[i]) return 1;

  uint8_t message[200];
  for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)i;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    sha1(digest, message, answers[k].length);
    for (int i = 0; i < 5; i++)
      if (digest[i] != answers[k].digest[i]) return 1;
  }
  return 0;
}
