// SPDX-License-Identifier: Apache-2.0
//
// The state of JH-256 ("The Hash Function JH") in halves, and its rounds, for `lydite hls`.
//
// A half, 64 pairs of elements, is eight words: the bits of the even elements, the first ones
// first, and those of the odd ones. So a layer of S-boxes is the formulas of software on words. P_d
// sends half of what is made of each half to the first half, and half to the second one. Constants
// of the rounds are made in the same way, in halves of 16 pairs.

#ifndef LYDITE_CORES_JH_HLS_HALVES_H_
#define LYDITE_CORES_JH_HLS_HALVES_H_

#define LANE uint64_t
#define AND(a, b) ((a) & (b))
#define OR(a, b) ((a) | (b))
#define XOR(a, b) ((a) ^ (b))
#define NOT_AND(a, b) (~(a) & (b))
#define NOT(a) (~(a))
// For the rounds of that file, which leave elements where they are: here they are moved.
#define SWAP(a, r) ((void)(a))
#define CONSTANT(words) ((words)[0])

#include "../sw/bitslice.h"

#define WORDS 8       // of 64 bits, of a block
#define PAIRS 64      // of elements, in a half of the state
#define CONSTANTS 16  // pairs in a half of a round's constant

// Half of the state, or of a constant: bit k of the even elements, and of the odd ones, that of the
// first pair highest.
typedef struct {
  uint64_t even[4], odd[4];
} half_state;

// The constant of round 0, the fraction of the square root of 2.
static const half_state first_constant[2] = {
    {.even = {0x2ecc, 0xba5a, 0xbcdb, 0x0ce7}, .odd = {0xc74b, 0x3417, 0xb8f9, 0x5a66}},
    {.even = {0x6180, 0x76a4, 0x9447, 0xdfa2}, .odd = {0xc1f1, 0x544c, 0xccdf, 0x3574}},
};

// P_d: the elements of every other pair, from this one, and then those of the others.
static uint64_t parted(uint64_t plane, int from, int pairs) {
  uint64_t out = 0;
  for (int i = 0; i < pairs; i++) {
    const int place = i / 2 + (i % 2 == from ? 0 : pairs / 2);
    out |= (plane >> (pairs - 1 - i) & 1) << (pairs - 1 - place);
  }
  return out;
}

// L and P_d of a half: in the upper half of what it makes is what goes to the first half.
static void mix(half_state *made, int pairs) {
  jh_transform(made->even, made->odd);
  for (int k = 0; k < 4; k++) {
    made->even[k] = parted(made->even[k], 0, pairs);
    made->odd[k] = parted(made->odd[k], 1, pairs);
  }
}

// The state, or a constant, moves on by a half. With the second half of a round two quarters change
// places.
static void move(uint64_t *first, uint64_t *second, uint64_t made, bool crosses, int pairs) {
  const uint64_t low = (UINT64_C(1) << pairs / 2) - 1, next = *second;
  *first = crosses ? (next & ~low) | made >> pairs / 2 : next;
  *second = crosses ? (next & low) << pairs / 2 | (made & low) : made;
}

static void move_half(half_state state[2], const half_state *made, bool crosses, int pairs) {
  for (int k = 0; k < 4; k++) {
    move(&state[0].even[k], &state[1].even[k], made->even[k], crosses, pairs);
    move(&state[0].odd[k], &state[1].odd[k], made->odd[k], crosses, pairs);
  }
}

// The bits of a constant that select S-boxes: of the elements of a half that are even, or odd.
static uint64_t selected(const half_state *constant, int odd) {
  uint64_t bits = 0;
  for (int i = 0; i < PAIRS; i++) {
    // Two pairs of elements an element of the constant.
    const uint64_t *plane = i / 2 % 2 ? constant->odd : constant->even;
    const int at = CONSTANTS - 1 - i / 4;
    bits |= (plane[i % 2 * 2 + odd] >> at & 1) << (PAIRS - 1 - i);
  }
  return bits;
}

#endif  // LYDITE_CORES_JH_HLS_HALVES_H_
