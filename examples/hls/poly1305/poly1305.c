// SPDX-License-Identifier: Apache-2.0
// Poly1305, RFC 8439, section 2.5: the tag of a message of up to 256 bytes; top function: poly1305.
// Numbers modulo 2^130 - 5 are five limbs of 26 bits; products are 64 bits wide.

#include <stddef.h>
#include <stdint.h>

#define POLY1305_MAX_LENGTH 256
#define MASK26 0x3ffffffU

static uint32_t load32_le(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store32_le(uint8_t *p, uint32_t x) {
  for (int i = 0; i < 4; i++) p[i] = (uint8_t)(x >> (8 * i));
}

// Splits 16 bytes and a 17th of value `high` into limbs.
static void to_limbs(uint32_t limbs[5], const uint8_t bytes[16], uint32_t high) {
  uint64_t lo = load32_le(bytes) | (uint64_t)load32_le(bytes + 4) << 32;
  uint64_t hi = load32_le(bytes + 8) | (uint64_t)load32_le(bytes + 12) << 32;
  limbs[0] = (uint32_t)lo & MASK26;
  limbs[1] = (uint32_t)(lo >> 26) & MASK26;
  limbs[2] = (uint32_t)(lo >> 52 | hi << 12) & MASK26;
  limbs[3] = (uint32_t)(hi >> 14) & MASK26;
  limbs[4] = (uint32_t)(hi >> 40) | high << 24;
}

// h = h * r mod 2^130 - 5, partly reduced: limbs of h stay below 2^27.
static void multiply(uint32_t h[5], const uint32_t r[5]) {
  uint64_t d[5];
  for (int i = 0; i < 5; i++) {
    d[i] = 0;
    for (int j = 0; j < 5; j++) {
      uint32_t factor = i >= j ? r[i - j] : 5 * r[5 + i - j];
      d[i] += (uint64_t)h[j] * factor;
    }
  }
  uint64_t carry = 0;
  for (int i = 0; i < 5; i++) {
    d[i] += carry;
    h[i] = (uint32_t)d[i] & MASK26;
    carry = d[i] >> 26;
  }
  carry = h[0] + 5 * carry;
  h[0] = (uint32_t)carry & MASK26;
  h[1] += (uint32_t)(carry >> 26);
}

// Gives h mod 2^130 - 5 as four words of its low 128 bits.
static void reduce(uint32_t words[4], uint32_t h[5]) {
  for (int pass = 0; pass < 2; pass++) {
    uint32_t carry = 0;
    for (int i = 0; i < 5; i++) {
      h[i] += carry;
      carry = h[i] >> 26;
      h[i] &= MASK26;
    }
    h[0] += 5 * carry;
  }
  // h - p is h + 5 without bit 130; it is taken if that bit is set.
  uint32_t g[5], carry = 5;
  for (int i = 0; i < 5; i++) {
    g[i] = h[i] + carry;
    carry = g[i] >> 26;
    g[i] &= MASK26;
  }
  uint32_t mask = 0 - carry;
  for (int i = 0; i < 5; i++) h[i] = (h[i] & ~mask) | (g[i] & mask);
  words[0] = h[0] | h[1] << 26;
  words[1] = h[1] >> 6 | h[2] << 20;
  words[2] = h[2] >> 12 | h[3] << 14;
  words[3] = h[3] >> 18 | h[4] << 8;
}

// Writes the tag of message[0..length), length at most 256; arguments may not overlap.
void poly1305(uint8_t tag[16], const uint8_t key[32], const uint8_t message[POLY1305_MAX_LENGTH],
              uint32_t length) {
  uint8_t clamped[16];
  for (int i = 0; i < 16; i++) {
    uint8_t mask = 0xff;  // 2.5: r &= 0x0ffffffc0ffffffc0ffffffc0fffffff
    if (i % 4 == 3) mask = 0x0f;
    if (i % 4 == 0 && i > 0) mask = 0xfc;
    clamped[i] = key[i] & mask;
  }
  uint32_t r[5], h[5] = {0, 0, 0, 0, 0};
  to_limbs(r, clamped, 0);
  for (uint32_t start = 0; start < length; start += 16) {
    uint8_t block[16];
    for (uint32_t i = 0; i < 16; i++) {
      uint32_t at = start + i;
      block[i] = at < length ? message[at] : at == length ? 1 : 0;
    }
    uint32_t m[5];
    to_limbs(m, block, length - start >= 16);
    for (int i = 0; i < 5; i++) h[i] += m[i];
    multiply(h, r);
  }
  uint32_t words[4];
  reduce(words, h);
  uint64_t sum = 0;
  for (int i = 0; i < 4; i++) {
    sum += (uint64_t)words[i] + load32_le(key + 16 + 4 * i);
    store32_le(tag + 4 * i, (uint32_t)sum);
    sum >>= 32;
  }
}

static int differs(const uint8_t a[16], const uint8_t b[16]) {
  uint8_t difference = 0;
  for (int i = 0; i < 16; i++) difference |= a[i] ^ b[i];
  return difference != 0;
}

int main(void) {
  uint8_t tag[16], message[POLY1305_MAX_LENGTH], key[32];
  // RFC 8439, 2.5.2
  static const uint8_t key1[32] = {0x85, 0xd6, 0xbe, 0x78, 0x57, 0x55, 0x6d, 0x33, 0x7f, 0x44, 0x52,
                                   0xfe, 0x42, 0xd5, 0x06, 0xa8, 0x01, 0x03, 0x80, 0x8a, 0xfb, 0x0d,
                                   0xb2, 0xfd, 0x4a, 0xbf, 0xf6, 0xaf, 0x41, 0x49, 0xf5, 0x1b};
  static const char text1[] = "Cryptographic Forum Research Group";
  static const uint8_t tag1[16] = {0xa8, 0x06, 0x1d, 0xc1, 0x30, 0x51, 0x36, 0xc6,
                                   0xc2, 0x2b, 0x8b, 0xaf, 0x0c, 0x01, 0x27, 0xa9};
  for (size_t i = 0; i < sizeof message; i++) message[i] = 0;
  for (size_t i = 0; i < sizeof text1 - 1; i++) message[i] = (uint8_t)text1[i];
  poly1305(tag, key1, message, sizeof text1 - 1);
  if (differs(tag, tag1)) return 1;

  // RFC 8439, A.3, vectors 7 to 9: r = 1 or 2, s = 0, sums that just wrap.
  static const uint8_t tag7[16] = {5}, tag9[16] = {0xfa, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff,
                                                   0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff};
  for (size_t i = 0; i < sizeof key; i++) key[i] = i == 0;
  for (size_t i = 0; i < 48; i++) message[i] = i < 16 ? 0xff : i < 32 ? (i == 16 ? 0xf0 : 0xff) : 0;
  message[32] = 0x11;
  poly1305(tag, key, message, 48);
  if (differs(tag, tag7)) return 1;

  static const uint8_t tag8[16] = {0};
  for (size_t i = 0; i < 48; i++) message[i] = i < 16 ? 0xff : i < 32 ? 0xfe : 0x01;
  message[16] = 0xfb;
  poly1305(tag, key, message, 48);
  if (differs(tag, tag8)) return 1;

  key[0] = 2;
  for (size_t i = 0; i < 16; i++) message[i] = 0xff;
  message[0] = 0xfd;
  poly1305(tag, key, message, 16);
  if (differs(tag, tag9)) return 1;

  // No message: the tag is s.
  poly1305(tag, key1, message, 0);
  return differs(tag, key1 + 16);
}
