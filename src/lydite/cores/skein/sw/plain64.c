// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256, one message, portable 64-bit C: the rounds in straight line.

#include "skein.h"

#define WORD uint64_t
#define ADD(a, b) ((a) + (b))
#define XOR(a, b) ((a) ^ (b))
#define ROL(a, n) ((a) << (n) | (a) >> (64 - (n)))
#define NUMBER(n) UINT64_C(n)
#include "threefish.h"

static void block(uint64_t chain[8], const uint8_t in[SKEIN_BLOCK_BYTES], uint64_t position,
                  uint64_t flags) {
  const uint64_t k0 = chain[0], k1 = chain[1], k2 = chain[2], k3 = chain[3];
  const uint64_t k4 = chain[4], k5 = chain[5], k6 = chain[6], k7 = chain[7];
  const uint64_t k8 = SKEIN_PARITY ^ k0 ^ k1 ^ k2 ^ k3 ^ k4 ^ k5 ^ k6 ^ k7;
  const uint64_t t0 = position, t1 = flags, t2 = position ^ flags;
  uint64_t v0 = load64_le(in), v1 = load64_le(in + 8), v2 = load64_le(in + 16);
  uint64_t v3 = load64_le(in + 24), v4 = load64_le(in + 32), v5 = load64_le(in + 40);
  uint64_t v6 = load64_le(in + 48), v7 = load64_le(in + 56);
  THREEFISH
  chain[0] = v0 ^ load64_le(in);
  chain[1] = v1 ^ load64_le(in + 8);
  chain[2] = v2 ^ load64_le(in + 16);
  chain[3] = v3 ^ load64_le(in + 24);
  chain[4] = v4 ^ load64_le(in + 32);
  chain[5] = v5 ^ load64_le(in + 40);
  chain[6] = v6 ^ load64_le(in + 48);
  chain[7] = v7 ^ load64_le(in + 56);
}

static void initial(uint64_t chain[8]) { memcpy(chain, skein_iv, sizeof skein_iv); }

#define HASH_IMPL "plain64"
#define HASH_CPU_FLAGS ""
#include "single.h"
