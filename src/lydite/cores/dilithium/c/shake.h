// SPDX-License-Identifier: Apache-2.0
//
// SHAKE128 and SHAKE256 (FIPS 202, 6.2) over a state that its user keeps, with the place `at` of
// the next byte in the rate. A sponge is begun, absorbs, is ended, and then squeezed.

#ifndef LYDITE_CORES_DILITHIUM_C_SHAKE_H_
#define LYDITE_CORES_DILITHIUM_C_SHAKE_H_

#include <stddef.h>
#include <stdint.h>

#define SHAKE128_RATE 168
#define SHAKE256_RATE 136
#define LANES 25
#define ROUNDS 24

static const uint64_t keccak_round_constants[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

// 3.2.2: how far each lane is rotated.
static const uint8_t keccak_rotations[LANES] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                                25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

static inline uint64_t rotate_left(uint64_t lane, unsigned count) {
  return count == 0 ? lane : lane << count | lane >> (64 - count);
}

// FIPS 202, 3.3; lane (x, y) is state[x + 5 y].
static void keccak_f1600(uint64_t state[LANES]) {
#pragma HLS inline off
  uint64_t a[LANES], b[LANES], parity[5];
  for (int i = 0; i < LANES; i++) {
#pragma HLS unroll
    a[i] = state[i];
  }
  for (int round = 0; round < ROUNDS; round++) {
    // theta (3.2.1), rho and pi (3.2.2, 3.2.3)
    for (int x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        const uint64_t d = parity[(x + 4) % 5] ^ rotate_left(parity[(x + 1) % 5], 1);
        const uint64_t lane = a[x + 5 * y] ^ d;
        b[y + 5 * ((2 * x + 3 * y) % 5)] = rotate_left(lane, keccak_rotations[x + 5 * y]);
      }
    }
    // chi (3.2.4), iota (3.2.5)
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        a[x + 5 * y] = b[x + 5 * y] ^ (~b[(x + 1) % 5 + 5 * y] & b[(x + 2) % 5 + 5 * y]);
      }
    }
    a[0] ^= keccak_round_constants[round];
  }
  for (int i = 0; i < LANES; i++) {
#pragma HLS unroll
    state[i] = a[i];
  }
}

static void shake_begin(uint64_t state[LANES]) {
  for (int i = 0; i < LANES; i++) {
#pragma HLS unroll
    state[i] = 0;
  }
}

// The least of two numbers.
static inline size_t least(size_t a, size_t b) { return a < b ? a : b; }

// Absorbs a byte; gives the new place.
static inline unsigned shake_byte(uint64_t state[LANES], unsigned at, unsigned rate, uint8_t byte) {
  if (at == rate) {
    keccak_f1600(state);
    at = 0;
  }
  state[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
  return at + 1;
}

// Absorbs bytes; gives the new place.
static unsigned shake_absorb(uint64_t state[LANES], unsigned at, unsigned rate, const uint8_t *in,
                             size_t bytes) {
#pragma HLS inline off
  for (size_t done = 0; done < bytes;) {
    if (at == rate) {
      keccak_f1600(state);
      at = 0;
    }
    const size_t end = done + least(bytes - done, rate - at);
    for (size_t i = done; i < end; i++) {
#pragma HLS pipeline
      state[at / 8] ^= (uint64_t)in[i] << 8 * (at % 8);
      at++;
    }
    done = end;
  }
  return at;
}

// Pads (6.2, 5.1); gives a place at which the next byte is squeezed from a new block.
static unsigned shake_end(uint64_t state[LANES], unsigned at, unsigned rate) {
  at = shake_byte(state, at, rate, 0x1f);
  state[rate / 8 - 1] ^= UINT64_C(1) << 63;
  return rate;
}

// The byte at a place of the rate.
static inline uint8_t shake_at(const uint64_t state[LANES], unsigned at) {
  return (uint8_t)(state[at / 8] >> 8 * (at % 8));
}

// Squeezes bytes; gives the new place.
static unsigned shake_squeeze(uint8_t *out, size_t bytes, uint64_t state[LANES], unsigned at,
                              unsigned rate) {
#pragma HLS inline off
  for (size_t done = 0; done < bytes;) {
    if (at == rate) {
      keccak_f1600(state);
      at = 0;
    }
    const size_t end = done + least(bytes - done, rate - at);
    for (size_t i = done; i < end; i++) {
#pragma HLS pipeline
      out[i] = shake_at(state, at++);
    }
    done = end;
  }
  return at;
}

#endif  // LYDITE_CORES_DILITHIUM_C_SHAKE_H_
