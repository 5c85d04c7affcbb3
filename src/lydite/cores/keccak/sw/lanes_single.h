// SPDX-License-Identifier: Apache-2.0
//
// State and absorption for the variants that hash one message with one variable a lane.
//
// The including file defines what keccak_rounds.h wants, and
//   LANE_LOAD(in)         a lane from 8 bytes
//   LANE_STORE(out, a)    and back

#ifndef LYDITE_CORES_KECCAK_SW_LANES_SINGLE_H_
#define LYDITE_CORES_KECCAK_SW_LANES_SINGLE_H_

#include "keccak.h"
#include "../../common/sw/keccak_rounds.h"

typedef struct {
  uint8_t bytes[KECCAK_BYTES];
} keccak_state;

#define LOAD(variable, i) variable = LANE_LOAD(state->bytes + 8 * (i));
#define STORE(variable, i) LANE_STORE(state->bytes + 8 * (i), variable);
#define ABSORB(variable, i) \
  if ((i) < RATE_LANES) variable = XOR(variable, LANE_LOAD(in + 8 * (i)));

static void keccak_absorb(keccak_state *state, const uint8_t *in, size_t blocks) {
  KECCAK_DECLARE(a);
  KECCAK_DECLARE(e);
  KECCAK_FOR_ALL(LOAD, a)
  for (; blocks != 0; blocks--) {
    KECCAK_FOR_ALL(ABSORB, a)
    in += RATE_BYTES;
    KECCAK_F1600(a, e);
  }
  KECCAK_FOR_ALL(STORE, a)
}

static void keccak_permute_state(keccak_state *state, size_t count) {
  KECCAK_DECLARE(a);
  KECCAK_DECLARE(e);
  KECCAK_FOR_ALL(LOAD, a)
  for (; count != 0; count--) KECCAK_F1600(a, e);
  KECCAK_FOR_ALL(STORE, a)
}

static void keccak_load(keccak_state *state, const uint8_t in[KECCAK_BYTES]) {
  memcpy(state->bytes, in, KECCAK_BYTES);
}

static inline void keccak_store(uint8_t *out, const keccak_state *state, size_t bytes) {
  memcpy(out, state->bytes, bytes);
}

#endif  // LYDITE_CORES_KECCAK_SW_LANES_SINGLE_H_
