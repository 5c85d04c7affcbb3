// SPDX-License-Identifier: Apache-2.0
//
// JH-256, one message, portable 64-bit C: a variable is two words.

#include "jh.h"

typedef struct {
  uint64_t low, high;
} lane;

static inline lane lane_of(uint64_t low, uint64_t high) { return (lane){low, high}; }

#define LANE lane
#define AND(a, b) lane_of((a).low & (b).low, (a).high & (b).high)
#define OR(a, b) lane_of((a).low | (b).low, (a).high | (b).high)
#define XOR(a, b) lane_xor(a, b)
#define NOT_AND(a, b) lane_of(~(a).low & (b).low, ~(a).high & (b).high)
#define NOT(a) lane_of(~(a).low, ~(a).high)
#define SWAP(a, r) (a) = swap(a, r)
#define CONSTANT(words) lane_of((words)[0], (words)[1])

// Evaluates its arguments once.
static inline lane lane_xor(lane a, lane b) { return lane_of(a.low ^ b.low, a.high ^ b.high); }

// Ones in the places whose number has not bit r.
static const uint64_t masks[6] = {
    0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f,
    0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
};

static inline uint64_t swap_word(uint64_t a, unsigned r) {
  return (a >> (1U << r) & masks[r]) | (a & masks[r]) << (1U << r);
}

static inline lane swap(lane a, unsigned r) {
  return r == 6 ? lane_of(a.high, a.low) : lane_of(swap_word(a.low, r), swap_word(a.high, r));
}

#include "bitslice.h"

static void compress(uint64_t h[16], const uint8_t *in, size_t blocks) {
  lane even[4], odd[4];
  for (size_t i = 0; i < 4; i++) {
    even[i] = lane_of(h[4 * i], h[4 * i + 1]);
    odd[i] = lane_of(h[4 * i + 2], h[4 * i + 3]);
  }
  for (; blocks != 0; blocks--, in += JH_BLOCK_BYTES) {
    lane m[4];
    for (size_t i = 0; i < 4; i++) {
      m[i] = lane_of(load64_le(in + 16 * i), load64_le(in + 16 * i + 8));
    }
    for (size_t i = 0; i < 2; i++) {
      even[i] = XOR(even[i], m[2 * i]);
      odd[i] = XOR(odd[i], m[2 * i + 1]);
    }
    jh_bijection(even, odd);
    for (size_t i = 0; i < 2; i++) {
      even[2 + i] = XOR(even[2 + i], m[2 * i]);
      odd[2 + i] = XOR(odd[2 + i], m[2 * i + 1]);
    }
  }
  for (size_t i = 0; i < 4; i++) {
    h[4 * i] = even[i].low;
    h[4 * i + 1] = even[i].high;
    h[4 * i + 2] = odd[i].low;
    h[4 * i + 3] = odd[i].high;
  }
}

#define HASH_IMPL "plain64"
#define HASH_CPU_FLAGS ""
#include "single.h"
