// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) on
// SLICES engines, a round of Keccak-f[1600] (FIPS 202, 3.3) a cycle each, for `lydite hls`.
//
// Engines are a chain of processes, and what they do and give goes along it: no net is longer than
// from one to the next. A state stands between pi and chi, so that a new one comes in where iota
// does, and is read by the parities that theta has anyway.

#ifndef LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
#define LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_

#include <lydite_stream.h>
#include <stdbool.h>
#include <stdint.h>

// Engines: 1 to 64.
#ifndef SLICES
#define SLICES 1
#endif
#if SLICES < 1 || SLICES > 64
#error "SLICES is 1 to 64"
#endif

#define LANES 25
#define ROUNDS 24
#define MAX_RUNS 65536

// Behind those of the rounds none.
static const uint64_t round_constants[32] = {
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

// Whether a value is one of 1 to 65536, told without a carry.
static bool is_count(uint32_t value) {
  return (value >> 17 == 0) & ((value >> 16 & 1) != ((value & 0xffff) != 0));
}

// Whether the values of a test are in their ranges; each is looked at as it comes in.
static bool sponge_is_right(uint32_t first, uint32_t runs, uint32_t nb_elmts, uint32_t freq,
                            uint32_t rounds) {
  return (first < MAX_RUNS) & is_count(runs) & is_count(low(first) + low(runs)) &
         is_count(nb_elmts) & is_count(freq) & (rounds != 0);
}

// chi (3.2.4), and what is added: to lane 0, and small numbers to the others.
static void chi(uint64_t out[LANES], const uint64_t in[LANES], uint64_t first,
                const uint32_t addend[LANES]) {
  for (int y = 0; y < LANES; y += 5) {
    for (int x = 0; x < 5; x++) {
      out[x + y] = in[x + y] ^ (~in[(x + 1) % 5 + y] & in[(x + 2) % 5 + y]) ^
                   (x + y == 0 ? first : addend[x + y]);
    }
  }
}

// theta, rho and pi (3.2.1 to 3.2.3), with the parities of the columns.
static void mix(uint64_t out[LANES], const uint64_t in[LANES], const uint64_t parity[5]) {
  for (int y = 0; y < 5; y++) {
    for (int x = 0; x < 5; x++) {
      const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
      out[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(in[x + 5 * y] ^ theta, rotations[x + 5 * y]);
    }
  }
}

// A run: the sum of the lanes of the state whose lane i is i + number, after so many permutations.
static uint64_t sponge_run(uint32_t number, uint32_t permutations) {
#pragma HLS inline off
  uint64_t state[LANES] = {0}, parities[5] = {0}, before[5] = {0}, first = 0, word = 0, lane = 0;
  uint64_t sum = 0, total;
  uint32_t addend[LANES] = {0}, left = permutations;
  uint8_t loaded = 0, round = 0, column = 1, plane = 1, drops = 0, chosen = 0;
  bool loads = true, begins = false, moves = false, last = false, reads = false;
  bool counts = false, chooses = false, counted = false, adds = false;
  bool ends = false, closes = false, ended;
  do {
    // A lane comes in a cycle; then a round a cycle, of which the first is theta, rho and pi alone;
    // then a column's parity a cycle, over the planes that are left: two of them differ by a lane.
    // chi of a plane of zeros is zero. What all registers wait for is known a cycle before.
#pragma HLS pipeline II=1
    // A column is chosen a cycle after its parity, what it differs by from the one five before is
    // known a cycle later, and added the next; in the last cycles nothing is added, so that the sum
    // of before is the total.
    total = sum;
    if (adds) sum += lane;
    adds = counted;
    lane = word ^ before[0];
    for (int x = 0; x < 4; x++) before[x] = before[x + 1];
    before[4] = word;
    counted = chooses;
    word = 0;
    for (int x = 0; x < 5; x++) word |= chosen >> x & 1 ? parities[x] : 0;
    chooses = counts;
    chosen = column;

    // Chi, the parities and theta are three levels of look-up tables: mapped as one they would grow
    // into each other.
    uint64_t after[LANES], next[LANES];
#pragma HLS keep variable=after
#pragma HLS keep variable=parities
    chi(after, state, first, addend);
    for (int x = 0; x < 5; x++) {
      parities[x] = after[x] ^ after[x + 5] ^ after[x + 10] ^ after[x + 15] ^ after[x + 20];
    }
    mix(next, after, parities);
    for (int i = 0; i < LANES; i++) {
      if (moves) state[i] = next[i];
      if (drops >> (i / 5) & 1) state[i] = 0;
    }
    // What is added is a new state, or iota of the round before.
    first = loads ? addend[1] : round_constants[round];
    drops = reads && column >> 3 & 1 ? plane : 0;
    for (int i = 1; i < LANES - 1; i++) addend[i] = loads ? addend[i + 1] : 0;
    addend[LANES - 1] = loads ? number : 0;
    number = low(number + 1);
    // There is nothing more to add when zeros come out.
    ended = closes;
    closes = ends;
    ends = plane >> 6 & column >> 1 & 1;
    if (reads) {
      counts = counts || column >> 4;
      plane = column >> 4 ? plane << 1 : plane;
      column = column >> 4 ? 1 : column << 1;
    }
    reads = reads || last;
    const bool stays = moves && !last;
    last = moves && round == ROUNDS - 2 && left == 1;
    if (moves) {
      if (round == ROUNDS - 1) left--;
      // The last one is read with plane 0, and with no other.
      if (round != ROUNDS - 1)
        round = (round + 1) & 31;
      else if (stays)
        round = 0;
    }
    if (drops & 1) round = ROUNDS;
    moves = stays || begins;
    loads = loads && !begins;
    begins = loads && loaded == LANES - 2;
    loaded = (loaded + 1) & 31;
  } while (!ended);
  return total;
}

// What goes from engine to engine: the number of permutations, and above it whether the test is
// right; runs; with the end, their sum so far.
LYDITE_STREAM(sponge_chain, uint64_t)

static void sponge_put(sponge_chain *out, uint64_t data, bool last) {
  const sponge_chain_beat beat = {.data = data, .keep = 0xff, .last = last};
  sponge_chain_write(out, beat);
}

// A test, on its way to the dispatcher; of `freq` runs in a row the last ones do not count.
static void sponge_ask(uint32_t first, uint32_t runs, uint32_t nb_elmts, uint32_t freq,
                       uint32_t rounds, sponge_chain *out) {
  const bool right = sponge_is_right(first, runs, nb_elmts, freq, rounds);
  sponge_put(out, (uint64_t)low(runs) << 32 | low(first), false);
  const uint32_t idle = low(nb_elmts) < low(freq) ? low(low(freq) - low(nb_elmts)) : 0;
  sponge_put(out, (uint64_t)idle << 32 | low(freq), false);
  sponge_put(out, (uint64_t)right << 32 | rounds, false);
}

// The runs that count, in order.
static void sponge_dispatch(sponge_chain *in, sponge_chain *out) {
  const uint64_t runs = sponge_chain_read(in).data, choice = sponge_chain_read(in).data;
  const uint64_t head = sponge_chain_read(in).data;
  uint32_t run = low((uint32_t)runs), left = runs >> 32, rest = 0, dividend = run, number = 0;
  const uint32_t period = low((uint32_t)choice), idle = choice >> 32, idle_after = low(idle + 1);
  // The remainder of the first by freq: long division, a bit a turn.
  for (int bit = 17; bit > 0; bit--) {
    // Both are below 65536 in size, so that bit 16 is the sign.
    const uint32_t tried = rest << 1 | dividend >> 16, less = low(tried - period);
    dividend = low(dividend << 1);
    rest = less >> 16 ? tried : less;
  }
  // How far it is to a multiple of freq: while that is more than `idle` runs count, and the one at
  // a multiple always does.
  uint32_t gap = low(period - rest);
  sponge_put(out, head, false);
  bool live = head >> 32 & 1, counts = gap > idle, closes = gap == 1, puts = false, ended;
  do {
#pragma HLS pipeline II=1
    // A turn puts what the one before chose: what waits for the stream, and for the end, waits for
    // a register.
    if (puts) sponge_put(out, number, false);
    ended = !live;
    puts = live && counts;
    number = run;
    live = live && (counts ? left != 1 : left > gap);
    const uint32_t step = counts ? 1 : gap;
    left = low(left - step);
    run = low(run + step);
    const bool begins = !counts || closes;
    counts = begins || gap > idle_after;
    closes = begins ? period == 1 : gap == 2;
    gap = begins ? period : low(gap - 1);
  } while (!ended);
  sponge_put(out, 0, true);
}

// An engine with so many behind it: of each group of runs theirs go on, the last one is its own.
static void sponge_engine(sponge_chain *in, sponge_chain *out, uint8_t behind) {
  const uint64_t head = sponge_chain_read(in).data;
  const uint32_t permutations = (uint32_t)head;
  sponge_put(out, head, false);
  uint64_t sum = 0;
  uint8_t waiting = behind;
  bool last;
  do {
    const sponge_chain_beat beat = sponge_chain_read(in);
    last = beat.last;
    if (last || waiting != 0) {
      sponge_put(out, last ? beat.data ^ sum : beat.data, last);
      waiting--;
    } else {
      sum ^= sponge_run(low((uint32_t)beat.data), permutations);
      waiting = behind;
    }
  } while (!last);
}

// A chain of so many engines, made of two halves. It brings a beat in hundreds of cycles: a FIFO of
// one beat has no multiplexer.
#define SPONGE_PRAGMA(TEXT) _Pragma(#TEXT)
#define SPONGE_CHAIN(NAME, HALF, ENGINES)                                 \
  static void NAME(sponge_chain *in, sponge_chain *out, uint8_t behind) { \
    SPONGE_PRAGMA(HLS dataflow)                                           \
    sponge_chain middle = {0};                                            \
    SPONGE_PRAGMA(HLS stream variable = middle depth = 1)                 \
    HALF(in, &middle, (uint8_t)(behind + (ENGINES) / 2));                 \
    HALF(&middle, out, behind);                                           \
  }

#define sponge_engines_1 sponge_engine
SPONGE_CHAIN(sponge_engines_2, sponge_engines_1, 2)
SPONGE_CHAIN(sponge_engines_4, sponge_engines_2, 4)
SPONGE_CHAIN(sponge_engines_8, sponge_engines_4, 8)
SPONGE_CHAIN(sponge_engines_16, sponge_engines_8, 16)
SPONGE_CHAIN(sponge_engines_32, sponge_engines_16, 32)
SPONGE_CHAIN(sponge_engines_64, sponge_engines_32, 64)

// That part of the chain, if SLICES has it.
#define SPONGE_PART(ENGINES)                                                   \
  sponge_chain after_##ENGINES = {0};                                          \
  SPONGE_PRAGMA(HLS stream variable = after_##ENGINES depth = 1)               \
  if (SLICES & ENGINES) {                                                      \
    sponge_engines_##ENGINES(end, &after_##ENGINES, SLICES & ((ENGINES) - 1)); \
    end = &after_##ENGINES;                                                    \
  }

// All engines, behind a stream `end`, which then is the one behind them.
#define SPONGE_ENGINES \
  SPONGE_PART(64)      \
  SPONGE_PART(32)      \
  SPONGE_PART(16)      \
  SPONGE_PART(8)       \
  SPONGE_PART(4)       \
  SPONGE_PART(2)       \
  SPONGE_PART(1)

// The packets out: a byte, 1 or 0 where a value is out of its range, and the checksum, or nothing.
static void sponge_answer(sponge_chain *in, lydite_stream64 *m_axis) {
  const bool right = sponge_chain_read(in).data >> 32 & 1;
  const lydite_stream64_beat verdict = {.data = right, .keep = 1, .last = true};
  lydite_stream64_write(m_axis, verdict);
  const uint64_t checksum = sponge_chain_read(in).data;
  const lydite_stream64_beat result = {.data = checksum, .keep = right ? 0xff : 0, .last = true};
  lydite_stream64_write(m_axis, result);
}

#endif  // LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
