// SPDX-License-Identifier: Apache-2.0
// Ascon-p[rounds], NIST SP 800-232, section 3; top function: ascon_p. main checks it through
// Ascon-Hash256 (section 5.1) of messages of up to 31 bytes.

#include <stddef.h>
#include <stdint.h>

static inline uint64_t rotr64(uint64_t x, unsigned n) { return (x >> n) | (x << (64 - n)); }

// Permutes the state in place by the last `rounds` (1..16) of the 16 rounds.
void ascon_p(uint64_t state[5], uint32_t rounds) {
  // SP 800-232, table 5
  static const uint8_t constants[16] = {0x3c, 0x2d, 0x1e, 0x0f, 0xf0, 0xe1, 0xd2, 0xc3,
                                        0xb4, 0xa5, 0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};
  uint64_t s0 = state[0], s1 = state[1], s2 = state[2], s3 = state[3], s4 = state[4];
  for (uint32_t i = 16 - rounds; i < 16; i++) {
    s2 ^= constants[i];
    // 3.3: the substitution layer, bit-sliced.
    s0 ^= s4;
    s4 ^= s3;
    s2 ^= s1;
    uint64_t t0 = s0 ^ (~s1 & s2), t1 = s1 ^ (~s2 & s3), t2 = s2 ^ (~s3 & s4);
    uint64_t t3 = s3 ^ (~s4 & s0), t4 = s4 ^ (~s0 & s1);
    t1 ^= t0;
    t0 ^= t4;
    t3 ^= t2;
    t2 = ~t2;
    // 3.4: the linear diffusion layer.
    s0 = t0 ^ rotr64(t0, 19) ^ rotr64(t0, 28);
    s1 = t1 ^ rotr64(t1, 61) ^ rotr64(t1, 39);
    s2 = t2 ^ rotr64(t2, 1) ^ rotr64(t2, 6);
    s3 = t3 ^ rotr64(t3, 10) ^ rotr64(t3, 17);
    s4 = t4 ^ rotr64(t4, 7) ^ rotr64(t4, 41);
  }
  state[0] = s0;
  state[1] = s1;
  state[2] = s2;
  state[3] = s3;
  state[4] = s4;
}

static void ascon_hash256(uint64_t digest[4], const uint8_t *message, uint32_t length) {
  uint64_t s[5] = {0x0000080100cc0002ULL, 0, 0, 0, 0};
  ascon_p(s, 12);
  for (uint32_t at = 0; at <= length; at += 8) {
    uint64_t block = 0;  // little-endian, padded with a 1 byte
    for (uint32_t i = 0; i < 8; i++) {
      uint64_t byte = at + i < length ? message[at + i] : at + i == length ? 1 : 0;
      block |= byte << (8 * i);
    }
    s[0] ^= block;
    ascon_p(s, 12);
  }
  for (int i = 0; i < 4; i++) {
    digest[i] = s[0];
    if (i < 3) ascon_p(s, 12);
  }
}

struct known_answer {
  uint32_t length;
  uint64_t digest[4];
};

// LWC_HASH_KAT_128_256 of Ascon-Hash256: messages are 00 01 02 ...; lanes little-endian.
static const struct known_answer answers[] = {
    {0, {0x986b2f0f85e53b0b, 0x649ba8de8f9ff2ca, 0x838f9b24aa70faa1, 0xb2924d30aa3bd59b}},
    {1, {0xd23eaf3510622807, 0xf900e9fdf63ba0bc, 0x23eeb5e430536f45, 0x80bc9102e7a1f6e7}},
    {7, {0x9c3b9ba63b274d3e, 0xcd758be807612153, 0x1902af8fbfbcedbe, 0x7765112bb68a92c3}},
    {8, {0x64fbe6e87a498eb8, 0xfcf2b82e62ef871b, 0xbefe7f3f3895eda0, 0x4f76ba9910cf7a16}},
    {9, {0x1e6e29e0309c2694, 0x3e824118045566c8, 0xc858fd20f52719fa, 0xa6c1787819e6bce9}},
    {16, {0xdbba2f0a94c15831, 0xb959787761b68ad6, 0x115937fc4e9e684a, 0x385c8341d6dd7a46}},
    {31, {0x8b61f1063fcd00b9, 0xdb0672806566c168, 0xf461531340df73e2, 0xbdfa0339577d8449}},
};

int main(void) {
  uint8_t message[32];
  for (size_t i = 0; i < sizeof message; i++) message[i] = (uint8_t)i;
  for (size_t k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    uint64_t digest[4];
    ascon_hash256(digest, message, answers[k].length);
    for (int i = 0; i < 4; i++)
      if (digest[i] != answers[k].digest[i]) return 1;
  }
  return 0;
}
