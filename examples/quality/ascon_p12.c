// SPDX-License-Identifier: Apache-2.0
// Ascon-p[12], NIST SP 800-232, section 3, a round a cycle; top function: ascon_p12. The words
// come with the start, and go to five ports of a word each.

#include <stdint.h>

#define ROUNDS 12

static uint64_t rotr64(uint64_t x, unsigned n) { return x >> n | x << (64 - n); }

// SP 800-232, table 5: the constants from round 4 on.
static const uint8_t constants[ROUNDS] = {0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5,
                                          0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};

// Permutes five words.
void ascon_p12(uint64_t out[5], uint64_t s0, uint64_t s1, uint64_t s2, uint64_t s3, uint64_t s4) {
  // All words at once: a port for each. The constants are logic.
#pragma HLS array_partition variable=out complete
#pragma HLS array_partition variable=constants complete
  for (int i = 0; i < ROUNDS; i++) {
    // A round a cycle: as part of the loop, the words are stored in the cycle of the last round.
#pragma HLS pipeline II=1
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
    if (i == ROUNDS - 1) {
      out[0] = s0;
      out[1] = s1;
      out[2] = s2;
      out[3] = s3;
      out[4] = s4;
    }
  }
}

// LWC_HASH_KAT_128_256 of Ascon-Hash256 (5.1): the empty message, and the byte 00; lanes
// little-endian.
static const struct {
  uint64_t block, digest[4];
} answers[] = {
    {0x0001, {0x986b2f0f85e53b0b, 0x649ba8de8f9ff2ca, 0x838f9b24aa70faa1, 0xb2924d30aa3bd59b}},
    {0x0100, {0xd23eaf3510622807, 0xf900e9fdf63ba0bc, 0x23eeb5e430536f45, 0x80bc9102e7a1f6e7}},
};

int main(void) {
  for (unsigned k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    uint64_t s[5] = {0x0000080100cc0002, 0, 0, 0, 0};
    ascon_p12(s, s[0], s[1], s[2], s[3], s[4]);
    s[0] ^= answers[k].block;
    for (int i = 0; i < 4; i++) {
      ascon_p12(s, s[0], s[1], s[2], s[3], s[4]);
      if (s[0] != answers[k].digest[i]) return 1;
    }
  }
  return 0;
}
