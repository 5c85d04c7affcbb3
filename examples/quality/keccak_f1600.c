// SPDX-License-Identifier: Apache-2.0
// Keccak-f[1600], the permutation of FIPS 202, section 3.3, a round a cycle; top function:
// keccak_f1600. The state is 25 ports of a word each.

#include <stdint.h>

#define KECCAK_ROUNDS 24

// FIPS 202, 3.2.5: RC[ir], little-endian lanes.
static const uint64_t round_constants[KECCAK_ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

// FIPS 202, 3.2.2, table 2, modulo 64; index x + 5 * y.
static const uint8_t rotations[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                      25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

static uint64_t rotate(uint64_t lane, unsigned count) {
  return count == 0 ? lane : lane << count | lane >> (64 - count);
}

// FIPS 202, 3.2, without iota; lane (x, y) of the standard is a[x + 5 * y].
static void round_of_lanes(uint64_t a[25]) {
  uint64_t moved[25], parity[5];
  for (int x = 0; x < 5; x++) parity[x] = a[x] ^ a[x + 5] ^ a[x + 10] ^ a[x + 15] ^ a[x + 20];
  for (int y = 0; y < 5; y++) {
    for (int x = 0; x < 5; x++) {
      const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
      moved[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(a[x + 5 * y] ^ theta, rotations[x + 5 * y]);
    }
  }
  for (int y = 0; y < 5; y++) {
    for (int x = 0; x < 5; x++) {
      a[x + 5 * y] = moved[x + 5 * y] ^ (~moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y]);
    }
  }
}

// Permutes the state in place.
void keccak_f1600(uint64_t state[25]) {
  // All lanes at once: a port for each. The constants are logic.
#pragma HLS array_partition variable=state complete
#pragma HLS array_partition variable=round_constants complete
  uint64_t a[25];
  for (int i = 0; i < 25; i++) a[i] = state[i];
  for (int round = 0; round < KECCAK_ROUNDS; round++) {
    // A round a cycle: as part of the loop, the lanes are stored in the cycle of the last round.
#pragma HLS pipeline II=1
    round_of_lanes(a);
    a[0] ^= round_constants[round];
    if (round == KECCAK_ROUNDS - 1) {
      for (int i = 0; i < 25; i++) state[i] = a[i];
    }
  }
}

// XKCP, KeccakF-1600-IntermediateValues: the zero state, permuted once and twice; lanes 0 and 24.
int main(void) {
  uint64_t state[25] = {0};
  keccak_f1600(state);
  if (state[0] != 0xf1258f7940e1dde7 || state[24] != 0xeaf1ff7b5ceca249) return 1;
  keccak_f1600(state);
  return state[0] != 0x2d5c954df96ecb3c || state[24] != 0x20d06cd26a8fbf5c;
}
