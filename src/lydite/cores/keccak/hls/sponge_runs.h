// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) on
// SLICES engines, a round of Keccak-f[1600] (FIPS 202, 3.3) a cycle each, for `lydite hls`.
//
// SLICES runs go together. A state stands between pi and chi, so that a new one comes in where iota
// does. Behind the last round it goes through rho and pi once more, and its lanes are added where
// they stand then: no second copy of it is kept.

#ifndef LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
#define LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_

#include <stdbool.h>
#include <stdint.h>

#ifndef SLICES
#define SLICES 1
#endif

#define LANES 25
#define ROUNDS 24
#define MAX_RUNS 65536

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
  return count == 0 ? lane : lane << count | lane >> (64 - count);
}

// All that numbers of runs take.
static uint32_t low(uint32_t value) { return value & 0x1ffff; }

// A test: of `runs` runs from `first` on those for which nb_elmts > run % freq.
typedef struct {
  uint32_t first, runs, nb_elmts, freq, rounds;
} sponge_test;

// Whether its values are in their ranges.
static bool sponge_is_right(sponge_test test) {
  return test.first < MAX_RUNS && test.runs != 0 && test.runs <= MAX_RUNS &&
         low(test.first) + low(test.runs) <= MAX_RUNS && test.nb_elmts != 0 &&
         test.nb_elmts <= MAX_RUNS && test.freq != 0 && test.freq <= MAX_RUNS && test.rounds != 0;
}

// chi (3.2.4), and what is added.
static void chi(uint64_t out[LANES], const uint64_t in[LANES], const uint32_t addend[LANES],
                uint64_t iota) {
  for (int y = 0; y < LANES; y += 5) {
    for (int x = 0; x < 5; x++) {
      out[x + y] = in[x + y] ^ (~in[(x + 1) % 5 + y] & in[(x + 2) % 5 + y]) ^ addend[x + y];
    }
  }
  out[0] ^= iota;
}

// Where pi (3.2.3) has a lane.
static int place(int x, int y) { return y + 5 * ((2 * x + 3 * y) % 5); }

// theta, rho and pi (3.2.1 to 3.2.3); or rho and pi alone.
static void mix(uint64_t out[LANES], const uint64_t in[LANES], bool with_theta) {
  uint64_t parity[5];
  for (int x = 0; x < 5; x++) {
    parity[x] = in[x] ^ in[x + 5] ^ in[x + 10] ^ in[x + 15] ^ in[x + 20];
  }
  for (int y = 0; y < 5; y++) {
    for (int x = 0; x < 5; x++) {
      const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
      out[place(x, y)] = rotate(in[x + 5 * y] ^ (with_theta ? theta : 0), rotations[x + 5 * y]);
    }
  }
}

// Its checksum; 0 if it is not right.
static uint64_t sponge_checksum(sponge_test test, bool right) {
  // Logic, not a memory.
#pragma HLS array_partition variable=round_constants complete
  // The run, and its remainder by freq.
  uint32_t run = low(test.first), rest = 0;
  const uint32_t end = low(low(test.first) + low(test.runs));
  const uint32_t period = low(test.freq), elements = low(test.nb_elmts);
  for (int bit = 16; bit >= 0; bit--) {
    rest = rest << 1 | (run >> bit & 1);
    if (rest >= period) rest = low(rest - period);
  }
  uint64_t checksum = 0;
  while (right && run != end) {
    // The next runs that count.
    uint32_t numbers[SLICES];
    bool full[SLICES];
    for (int t = 0; t < SLICES; t++) {
#pragma HLS unroll
      while (run != end && rest >= elements) {
        const uint32_t gap = low(period - rest);
        run = low(end - run) <= gap ? end : low(run + gap);
        rest = 0;
      }
      numbers[t] = run;
      full[t] = run != end;
      if (full[t]) {
        run = low(run + 1);
        rest = low(rest + 1) == period ? 0 : low(rest + 1);
      }
    }
    if (!full[0]) break;
    uint32_t addend[SLICES][LANES];
    // Down, so that the last one is known without a sum.
    for (int i = LANES; i > 0; i--) {
#pragma HLS pipeline II=1
      for (int t = 0; t < SLICES; t++) {
        for (int k = 0; k < LANES - 1; k++) addend[t][k] = addend[t][k + 1];
        addend[t][LANES - 1] = numbers[t];
        numbers[t] = low(numbers[t] + 1);
      }
    }
    uint64_t state[SLICES][LANES] = {0}, sums[SLICES] = {0}, iota = 0;
    uint32_t left = test.rounds;
    uint8_t round = 0, lane = 0;
    bool last = false, done = false;
    do {
      // A round of all engines a cycle; the first is theta, rho and pi alone, the last has no
      // theta. Then a lane of each is added a cycle. That a round is the last one is known before
      // it, since all registers wait for that.
#pragma HLS pipeline II=1
      for (int t = 0; t < SLICES; t++) {
        uint64_t after[LANES], next[LANES], lanes[LANES];
#pragma HLS array_partition variable=lanes complete
        chi(after, state[t], addend[t], iota);
        mix(next, after, !last);
        for (int y = 0; y < 5; y++) {
          for (int x = 0; x < 5; x++) {
            lanes[x + 5 * y] = rotate(state[t][place(x, y)], (64 - rotations[x + 5 * y]) % 64);
          }
        }
        if (done) sums[t] += lanes[lane];
        for (int i = 0; i < LANES; i++) {
          if (!done) state[t][i] = next[i];
          addend[t][i] = 0;
        }
      }
      if (done) lane = (lane + 1) & 31;
      done = done || last;
      last = round == ROUNDS - 1 && left == 1;
      iota = round_constants[round];
      if (round == ROUNDS - 1) left--;
      round = round == ROUNDS - 1 ? 0 : (round + 1) & 31;
    } while (lane != LANES);
    for (int t = 0; t < SLICES; t++) checksum ^= full[t] ? sums[t] : 0;
  }
  return checksum;
}

#endif  // LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
