// SPDX-License-Identifier: Apache-2.0
//
// The sponge of SHA-3 and SHAKE (FIPS 202, 4) over Keccak-f[1600] (3.2, 3.3), for `lydite hls`: one
// function with the state kept between calls. Padding and streams are outside
// (rtl/keccak_hls_stream.v). RATE_BYTES and OUT_LANES are macros of the build; byte 0 of a block is
// in the low byte of its first word.

#include <stdint.h>

#ifndef RATE_BYTES
#define RATE_BYTES 136
#endif
#ifndef OUT_LANES
#define OUT_LANES 4
#endif

#define ROUNDS 24
#define LANES 25
#define RATE_LANES (RATE_BYTES / 8)

// Commands.
#define COMMAND_FIRST 0    // a new message: clear the state, add the block, permute
#define COMMAND_NEXT 1     // add the block, permute
#define COMMAND_PERMUTE 2  // permute

static uint64_t state[LANES];

static const uint64_t round_constants[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static const uint8_t rotations[LANES] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                         25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

static uint64_t rotate(uint64_t lane, unsigned count) {
  return count == 0 ? lane : (lane << count) | (lane >> (64 - count));
}

static void permute(void) {
  for (int round = 0; round < ROUNDS; round++) {
    uint64_t moved[LANES];
    uint64_t parity[5];
    for (int x = 0; x < 5; x++) {
      parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    }
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
        moved[y + 5 * ((2 * x + 3 * y) % 5)] =
            rotate(state[x + 5 * y] ^ theta, rotations[x + 5 * y]);
      }
    }
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        state[x + 5 * y] =
            moved[x + 5 * y] ^ (~moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y]);
      }
    }
    state[0] ^= round_constants[round];
  }
}

// Does what the command says; gives the first OUT_LANES lanes of the state after it.
void keccak_sponge(uint64_t out[OUT_LANES], const uint64_t block[RATE_LANES], uint8_t command) {
  if (command == COMMAND_FIRST) {
    for (int i = 0; i < LANES; i++) state[i] = 0;
  }
  if (command != COMMAND_PERMUTE) {
    for (int i = 0; i < RATE_LANES; i++) state[i] ^= block[i];
  }
  permute();
  for (int i = 0; i < OUT_LANES; i++) out[i] = state[i];
}
