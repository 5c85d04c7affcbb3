// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), one message, portable 64-bit C. An and-not instruction (BMI1 on
// x86-64) is worth having: lanes are not complemented.

#include "keccak.h"

#define LANE uint64_t
#define XOR(a, b) ((a) ^ (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define XOR5(a, b, c, d, e) ((a) ^ (b) ^ (c) ^ (d) ^ (e))
#define CHI(a, b, c) ((a) ^ (~(b) & (c)))
#define ROL(a, n) rotate_left(a, n)
#define RC(round) keccak_rc[round]
#define LANE_LOAD(in) load64_le(in)
#define LANE_STORE(out, a) store64_le(out, a)

static inline uint64_t rotate_left(uint64_t lane, unsigned offset) {
  return lane << offset | lane >> (64 - offset);
}

#define KECCAK_IMPL "plain64"
#define KECCAK_CPU_FLAGS ""

#include "lanes_single.h"
#include "sponge_single.h"
