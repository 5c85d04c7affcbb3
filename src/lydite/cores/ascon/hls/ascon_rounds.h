// SPDX-License-Identifier: Apache-2.0
//
// The layers of the permutation of Ascon (NIST SP 800-232, 3) for C that becomes hardware. The
// state is kept between substitution and diffusion, so that what is added to it between two
// permutations goes into the diffusion, which has three inputs for each bit.

#ifndef LYDITE_CORES_ASCON_HLS_ASCON_ROUNDS_H_
#define LYDITE_CORES_ASCON_HLS_ASCON_ROUNDS_H_

#include <stdint.h>

static inline uint64_t rotate_right(uint64_t word, unsigned count) {
  return word >> count | word << (64 - count);
}

// 3.4, and a sum.
static inline void diffuse(uint64_t out[5], const uint64_t in[5], const uint64_t addend[5]) {
  out[0] = in[0] ^ rotate_right(in[0], 19) ^ rotate_right(in[0], 28) ^ addend[0];
  out[1] = in[1] ^ rotate_right(in[1], 61) ^ rotate_right(in[1], 39) ^ addend[1];
  out[2] = in[2] ^ rotate_right(in[2], 1) ^ rotate_right(in[2], 6) ^ addend[2];
  out[3] = in[3] ^ rotate_right(in[3], 10) ^ rotate_right(in[3], 17) ^ addend[3];
  out[4] = in[4] ^ rotate_right(in[4], 7) ^ rotate_right(in[4], 41) ^ addend[4];
}

// 3.2 and 3.3. The constants go down from f0 by 0f.
static inline void substitute(uint64_t s[5], unsigned round) {
  const uint64_t a0 = s[0] ^ s[4], a4 = s[4] ^ s[3];
  const uint64_t a2 = s[2] ^ s[1] ^ ((15 - round) << 4 | round);
  const uint64_t b0 = a0 ^ (~s[1] & a2), b1 = s[1] ^ (~a2 & s[3]), b2 = a2 ^ (~s[3] & a4);
  const uint64_t b3 = s[3] ^ (~a4 & a0), b4 = a4 ^ (~a0 & s[1]);
  s[0] = b0 ^ b4;
  s[1] = b1 ^ b0;
  s[2] = ~b2;
  s[3] = b3 ^ b2;
  s[4] = b4;
}

// ROUNDS rounds of Ascon-p[12] from ROUNDS * step on.
static inline void permute(uint64_t s[5], unsigned step) {
  static const uint64_t nothing[5] = {0};
  for (unsigned i = 0; i < ROUNDS; i++) {
    if (i != 0) {
      uint64_t moved[5];
      diffuse(moved, s, nothing);
      for (int word = 0; word < 5; word++) s[word] = moved[word];
    }
    substitute(s, ROUNDS * step + i);
  }
}

// Of eight bytes, those that are kept, and a one behind the last of them; `first`: the byte before
// these is kept, or they are the first.
static inline uint64_t padded(uint64_t data, unsigned keep, unsigned first) {
  uint64_t word = 0;
  for (unsigned byte = 0; byte < 8; byte++) {
    const unsigned kept = keep >> byte & 1, before = byte == 0 ? first : keep >> (byte - 1) & 1;
    word |= (kept ? data >> 8 * byte & 0xff : (uint64_t)before) << 8 * byte;
  }
  return word;
}

// All bits of the bytes that are kept.
static inline uint64_t bytes_of(unsigned keep) {
  uint64_t mask = 0;
  for (unsigned byte = 0; byte < 8; byte++) {
    mask |= (keep >> byte & 1 ? UINT64_C(0xff) : 0) << 8 * byte;
  }
  return mask;
}

#endif  // LYDITE_CORES_ASCON_HLS_ASCON_ROUNDS_H_
