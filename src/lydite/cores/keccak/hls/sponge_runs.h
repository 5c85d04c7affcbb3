// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) on
// SLICES engines, a round of Keccak-f[1600] (FIPS 202, 3.3) a cycle each, for `lydite hls`.
//
// What engines do and give goes along a chain of them: no net is longer than from one to the next.
// A state stands between pi and chi, so that a new one comes in where iota does, and is read by the
// parities that theta has anyway.

#ifndef LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
#define LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_

#include <stdbool.h>
#include <stdint.h>

// Engines of a chain: 1 to 64.
#ifndef SLICES
#define SLICES 1
#endif
#if SLICES < 1 || SLICES > 64
#error "SLICES is 1 to 64"
#endif

// Chains that take turns at the runs that count, each with a sum of its own: 1 to 8.
#ifndef CHAINS
#define CHAINS 1
#endif
#if CHAINS < 1 || CHAINS > 8
#error "CHAINS is 1 to 8"
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

// What goes along the chain, an engine a turn.
typedef struct {
  // A lane for the first engine that has no state; a round for each that has one; a word from the
  // first that has one, which has none any more when the last word is read.
  bool loads, steps, reads, ends;
  uint32_t lane;
  // What the round adds, behind chi.
  uint64_t constant;
  // Of a word, one hot: its column, and with the last column the plane that is then cleared.
  uint8_t column, plane;
  // What the words are, for the end of the chain: the first five of a state are no lanes.
  bool adds, totals, closes;
  // What engines gave.
  uint64_t word;
} sponge_order;

// An engine. What all registers of its state wait for is known a turn before.
typedef struct {
  uint64_t state[LANES], first, constant, parities[5];
  uint32_t addend[LANES], lane;
  uint8_t clears, column, chosen;
  bool full, loads, begins, moves;
} sponge_engine;

// A turn of an engine: it does what it chose the turn before, and makes of an order that comes the
// one that goes on.
static void sponge_turn(sponge_engine *engine, sponge_order *order) {
  // A column's parity is chosen a turn later, and goes on the next.
  uint64_t word = order->word;
  for (int x = 0; x < 5; x++) word |= engine->chosen >> x & 1 ? engine->parities[x] : 0;
  order->word = word;
  engine->chosen = engine->column;

  // Chi, the parities and theta are three levels of look-up tables: mapped as one they would grow
  // into each other.
  uint64_t after[LANES], next[LANES], parities[5];
#pragma HLS keep variable=after
#pragma HLS keep variable=parities
  chi(after, engine->state, engine->first, engine->addend);
  for (int x = 0; x < 5; x++) {
    parities[x] = after[x] ^ after[x + 5] ^ after[x + 10] ^ after[x + 15] ^ after[x + 20];
    engine->parities[x] = parities[x];
  }
  mix(next, after, parities);
  for (int i = 0; i < LANES; i++) {
    if (engine->moves) engine->state[i] = next[i];
    if (engine->clears >> (i / 5) & 1) engine->state[i] = 0;
  }
  // What is added is a new state, or iota of the round before, which stays until it is read.
  if (engine->moves) {
    engine->first = engine->constant;
  } else if (engine->loads) {
    engine->first = engine->addend[1];
  } else if (engine->clears & 1) {
    engine->first = 0;
  }
  for (int i = 1; i < LANES - 1; i++) engine->addend[i] = engine->loads ? engine->addend[i + 1] : 0;
  engine->addend[LANES - 1] = engine->loads ? engine->lane : 0;

  // A new state's first turn, theta, rho and pi alone, is the one behind its last lane.
  const bool full = engine->full, loads = order->loads && !full, reads = order->reads && full;
  engine->moves = (order->steps && full) || engine->begins;
  engine->begins = loads && order->ends;
  engine->loads = loads;
  engine->lane = order->lane;
  engine->constant = order->constant;
  engine->clears = reads ? order->plane : 0;
  engine->column = reads ? order->column : 0;
  engine->full = order->ends ? loads || (full && !reads) : full;
  order->loads = order->loads && full;
  order->reads = order->reads && !full;
}

// The sum modulo 2, over the runs from `first` on that count, of the sums of the lanes of the state
// whose lane i is i + run, after so many permutations; 0 if the test is not right. Of `freq` runs
// in a row the last ones do not count; of those that do this sum has every CHAINS-th, from number
// `share` on.
static uint64_t sponge_sum(bool right, uint32_t first, uint32_t runs, uint32_t nb_elmts,
                           uint32_t freq, uint32_t permutations, int share) {
#pragma HLS inline off
  const uint32_t period = low(freq), counting = low(nb_elmts);
  // The run behind another counts, too, if that is further than this from a multiple of freq.
  const uint32_t idle_after = low((counting < period ? period - counting : 0) + 1);
  // The remainder of the first by freq: long division, a bit a turn.
  uint32_t rest = 0, dividend = low(first);
  for (int bit = 17; bit > 0; bit--) {
    // Both are below 65536 in size, so that bit 16 is the sign.
    const uint32_t tried = rest << 1 | dividend >> 16, less = low(tried - period);
    dividend = low(dividend << 1);
    rest = less >> 16 ? tried : less;
  }
  // How far it is to a multiple of freq; a run at one counts.
  uint32_t gap = low(period - rest), run = low(first), behind = low(runs), number = 0;
  bool counts = rest < counting, ends_period = gap == 1, live = right, found = false;
  // A bit for each of the next runs that count: whether this sum has it.
  uint8_t turns = 1 << share;

  sponge_engine engines[SLICES] = {0};
  sponge_order chain[SLICES + 1] = {0};
  // The head: it chooses, loads a state, steps all, reads them; the lane, round, column and plane
  // it is at, and a bit for each engine that has a state, from the lowest on: that none, one or all
  // have is told by a bit, and one more or less is a shift.
  bool chooses = true, loads = false, steps = false, reads = false, closes = false;
  bool last = false, wraps = false, single = false, one_below = false, none_above = false;
  uint32_t lane = 0, left = 0;
  uint8_t lanes = 0, round = 0, column = 1, plane = 1;
  uint64_t having = 0;
  // The end: the words before, and what those of the turns before were.
  uint64_t before[5] = {0}, difference = 0, sum = 0, checksum = 0;
  uint8_t adds = 0, totals = 0, ends = 0;
  bool ended;
  do {
#pragma HLS pipeline II=1
    // The words of an order are two turns behind it. Two of a column differ by a lane.
    const sponge_order *end = &chain[SLICES];
    if (totals >> 3 & 1) {
      checksum ^= sum;
      sum = 0;
    } else if (adds >> 2 & 1) {
      sum += difference;
    }
    ended = ends >> 1 & 1;
    difference = end->word ^ before[0];
    for (int i = 0; i < 4; i++) before[i] = before[i + 1];
    before[4] = end->word;
    adds = (adds << 1 | end->adds) & 7;
    totals = (totals << 1 | end->totals) & 15;
    ends = (ends << 1 | end->closes) & 3;

    for (int i = SLICES; i > 0; i--) {
      chain[i] = chain[i - 1];
      sponge_turn(&engines[i - 1], &chain[i]);
    }
    chain[0] = (sponge_order){
        .loads = loads,
        .steps = steps,
        .reads = reads,
        .ends = last,
        .lane = lane,
        .constant = round_constants[round],
        .column = column,
        .plane = column >> 4 ? plane : 0,
        .adds = reads && !(plane & 1),
        .totals = reads && last,
        .closes = closes,
    };

    // A run that is found waits for an engine; when all have one, or no more comes, all step.
    const bool all = having >> (SLICES - 1) & 1, some = having & 1;
    const bool one = SLICES == 1 || !(having >> 1 & 1);
    const bool comes = !all && (live || found), fills = chooses && !all && found;
    const bool starts = chooses && !comes && some, seeks = live && !found;
    const bool stepped = wraps && single, empties = reads && last, emptied = empties && one;
    closes = chooses && !comes && !some;
    chooses = (chooses && comes && !found) || (loads && last) || emptied;
    // Whether this is the last permutation: of the count of a turn before, since there is time.
    single = one_below && none_above;
    one_below = (left & 0xffff) == 1;
    none_above = left >> 16 == 0;
    // The first round's theta, rho and pi are done when a state is loaded.
    if (starts) {
      left = permutations;
    } else if (wraps) {
      left--;
    }
    const bool ends_permutation = steps && round == ROUNDS - 2;
    round = starts ? 1 : !steps || wraps ? 0 : round + 1;
    wraps = ends_permutation;
    const bool ends_load = loads && lanes == LANES - 2;
    const bool ends_read = reads && (column >> 3 & plane >> 5 & 1);
    lane = low(fills ? number : lane + 1);
    lanes = loads ? lanes + 1 : 0;
    if (!reads) {
      plane = 1;
    } else if (column >> 4) {
      plane = plane >> 5 ? 1 : plane << 1;
    }
    column = !reads || column >> 4 ? 1 : column << 1;
    loads = fills || (loads && !last);
    steps = starts || (steps && !stepped);
    reads = stepped || (reads && !emptied);
    last = ends_load || ends_read;
    if (fills) {
      having = (having << 1 | 1) & (~UINT64_C(0) >> (64 - SLICES));
    } else if (empties) {
      having >>= 1;
    }

    // A turn finds the next run that counts, or goes over those that do not.
    if (seeks) {
      const uint32_t step = counts ? 1 : gap;
      number = run;
      found = counts && (CHAINS == 1 || (turns & 1));
      if (CHAINS > 1 && counts) turns = turns >> 1 | (turns & 1) << (CHAINS - 1);
      live = counts ? behind != 1 : behind > gap;
      behind = low(behind - step);
      run = low(run + step);
      const bool begins = !counts || ends_period;
      counts = begins || gap > idle_after;
      ends_period = begins ? period == 1 : gap == 2;
      gap = begins ? period : low(gap - 1);
    } else if (fills) {
      found = false;
    }
  } while (!ended);
  return checksum;
}

#endif  // LYDITE_CORES_KECCAK_HLS_SPONGE_RUNS_H_
