// SPDX-License-Identifier: Apache-2.0
//
// SHAKE128 and SHAKE256 (FIPS 202, 6.2) over a state that its user keeps. Strings are words of
// eight bytes, the first byte lowest, as the lanes of a state are (B.1). A sponge is begun, it
// absorbs, and is ended; then it has its first block of output, and a permutation gives the next.

#ifndef LYDITE_CORES_DILITHIUM_C_SHAKE_H_
#define LYDITE_CORES_DILITHIUM_C_SHAKE_H_

#include <stddef.h>
#include <stdint.h>

// Words of a block.
#define SHAKE128_RATE 21
#define SHAKE256_RATE 17
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
static inline unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }

// SHAKE256 absorbs words behind so many bytes of a block, a multiple of eight; gives the new place.
static uint8_t shake_absorb(uint64_t state[LANES], uint8_t at, const uint64_t *in,
                            unsigned words) {
#pragma HLS inline off
  uint8_t lane = at / 8;
  for (unsigned done = 0; done < words;) {
    const unsigned end = done + least(words - done, SHAKE256_RATE - lane);
    for (unsigned i = done; i < end; i++) {
#pragma HLS pipeline
      state[lane++] ^= in[i];
    }
    if (lane == SHAKE256_RATE) {
      keccak_f1600(state);
      lane = 0;
    }
    done = end;
  }
  return 8 * lane;
}

// SHAKE256 absorbs up to eight bytes, those of a word; its others are zero. Gives the new place.
static uint8_t shake_bytes(uint64_t state[LANES], uint8_t at, uint64_t word, unsigned bytes) {
#pragma HLS inline off
  while (bytes > 0) {
    const unsigned part = least(bytes, 8 - at % 8);
    state[at / 8] ^= word << 8 * (at % 8);
    word = part == 8 ? 0 : word >> 8 * part;
    bytes -= part;
    at = (uint8_t)(at + part);
    if (at == 8 * SHAKE256_RATE) {
      keccak_f1600(state);
      at = 0;
    }
  }
  return at;
}

// SHAKE256 pads (6.2, 5.1) and has the first block of its output.
static void shake_end(uint64_t state[LANES], uint8_t at) {
  state[SHAKE256_RATE - 1] ^= UINT64_C(1) << 63;
  if (shake_bytes(state, at, 0x1f, 1) != 0) keccak_f1600(state);
}

// Takes the words of a block of output, so that the state is free for the next one.
static inline void shake_block(uint64_t *block, unsigned rate, const uint64_t state[LANES]) {
  for (unsigned i = 0; i < rate; i++) {
#pragma HLS unroll
    block[i] = state[i];
  }
}

// Gives the first words of a block of output.
static void shake_squeeze(uint64_t *out, unsigned words, const uint64_t state[LANES]) {
#pragma HLS inline off
  for (unsigned i = 0; i < words; i++) {
#pragma HLS pipeline
    out[i] = state[i];
  }
}

// A sponge that has absorbed a seed and a number of two bytes, less than a block, and was ended;
// its first block of output is a permutation away.
static inline void shake_seeded(uint64_t state[LANES], unsigned rate, const uint64_t *seed,
                                unsigned words, unsigned number) {
  for (unsigned i = 0; i < LANES; i++) {
#pragma HLS unroll
    state[i] = i < words ? seed[i] : 0;
  }
  state[words] = number | 0x1f << 16;
  state[rate - 1] = UINT64_C(1) << 63;
}

#endif  // LYDITE_CORES_DILITHIUM_C_SHAKE_H_
