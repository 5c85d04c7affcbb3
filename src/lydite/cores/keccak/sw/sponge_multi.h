// SPDX-License-Identifier: Apache-2.0
//
// The sponge, the rounds and the interface of lydite_sw.h for variants that hash LANES messages of
// equal length at once, one in each 64-bit lane of the vectors.
//
// Included once, at the end of a variant that defines before:
//   LANES                          messages at once, and includes lanes64.h
//   what keccak_rounds.h wants, VECTOR_LOAD(p), VECTOR_STORE(p, v)
//   KECCAK_IMPL, KECCAK_CPU_FLAGS  the answers of lydite_impl, lydite_cpu_flags

#ifndef LYDITE_CORES_KECCAK_SW_SPONGE_MULTI_H_
#define LYDITE_CORES_KECCAK_SW_SPONGE_MULTI_H_

#include "keccak.h"
#include "../../common/sw/keccak_rounds.h"

typedef struct {
  _Alignas(8 * LANES) uint64_t lane[KECCAK_LANES][LANES];
} keccak_state;

// The words of a block of every message, four at a time. The last ones reach back where they are no
// multiple of four, so that no byte beyond the block is read; word i is w[WORD(i)].
#define WHOLE_LANES (RATE_LANES / 4 * 4)
#define WORD(i) ((i) < WHOLE_LANES ? (i) : WHOLE_LANES + 4 + (i) - RATE_LANES)

static inline __attribute__((always_inline)) void load_block(LANE *w,
                                                             const uint8_t *const in[LANES]) {
#pragma GCC unroll 7
  for (size_t i = 0; i < RATE_LANES; i += 4) {
    lanes64 words[4];
    lanes64_load(words, in, i == WHOLE_LANES ? 8 * (RATE_LANES - 4) : 8 * i);
    for (size_t j = 0; j < 4; j++) w[i + j] = (LANE)words[j];
  }
}

#define LOAD(variable, i) variable = VECTOR_LOAD(state->lane[i]);
#define STORE(variable, i) VECTOR_STORE(state->lane[i], variable);
#define ABSORB(variable, i) \
  if ((i) < RATE_LANES) variable = XOR(variable, w[WORD((i) % RATE_LANES)]);

static void keccak_absorb(keccak_state *state, const uint8_t *const start[LANES], size_t blocks) {
  const uint8_t *in[LANES];
  for (size_t m = 0; m < LANES; m++) in[m] = start[m];
  KECCAK_DECLARE(a);
  KECCAK_DECLARE(e);
  KECCAK_FOR_ALL(LOAD, a)
  for (; blocks != 0; blocks--) {
    LANE w[WHOLE_LANES + 4];
    load_block(w, in);
    KECCAK_FOR_ALL(ABSORB, a)
    for (size_t m = 0; m < LANES; m++) in[m] += RATE_BYTES;
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

// The first `bytes` bytes of message m's state.
static void extract(uint8_t *out, const keccak_state *state, size_t m, size_t bytes) {
  const size_t words = bytes / 8;
  for (size_t i = 0; i < words; i++) store64_le(out + 8 * i, state->lane[i][m]);
  if (bytes % 8 != 0) {
    uint8_t word[8];
    store64_le(word, state->lane[words][m]);
    memcpy(out + 8 * words, word, bytes % 8);
  }
}

// Hashes LANES messages and keeps the digests of the first `wanted`.
static void hash(uint8_t *out, size_t out_bytes, const uint8_t *const in[LANES], size_t in_bytes,
                 size_t wanted) {
  keccak_state state;
  memset(&state, 0, sizeof state);
  const size_t blocks = in_bytes / RATE_BYTES;
  if (blocks != 0) keccak_absorb(&state, in, blocks);
  uint8_t last[LANES][KECCAK_LAST_BYTES];
  const uint8_t *ends[LANES];
  size_t last_blocks = 0;
  for (size_t m = 0; m < LANES; m++) {
    last_blocks = keccak_last_blocks(last[m], in[m], in_bytes);
    ends[m] = last[m];
  }
  keccak_absorb(&state, ends, last_blocks);

  for (size_t done = 0;;) {
    const size_t left = out_bytes - done;
    const size_t take = left < RATE_BYTES ? left : RATE_BYTES;
    for (size_t m = 0; m < wanted; m++) extract(out + m * out_bytes + done, &state, m, take);
    done += take;
    if (done == out_bytes) return;
    keccak_permute_state(&state, 1);
  }
}

const char *lydite_impl(void) { return KECCAK_IMPL; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return KECCAK_CPU_FLAGS; }

int lydite_available(void) { return 1; }

static void hash_all(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                     size_t messages) {
  for (size_t first = 0; first < messages; first += LANES) {
    const size_t wanted = messages - first < LANES ? messages - first : LANES;
    const uint8_t *group[LANES];
    // An incomplete group is filled up with its first message, whose digest is then not kept.
    for (size_t m = 0; m < LANES; m++) group[m] = in + (first + (m < wanted ? m : 0)) * in_bytes;
    hash(out + first * out_bytes, out_bytes, group, in_bytes, wanted);
  }
}

void lydite_hash(const struct lydite_batch *batch) {
  hash_all(batch->out[0], batch->out_bytes[0], batch->in[0], batch->in_bytes[0], batch->count);
}

void lydite_permute(uint8_t *states, size_t messages, size_t count) {
  for (size_t first = 0; first + LANES <= messages; first += LANES) {
    uint8_t *bytes = states + first * KECCAK_BYTES;
    keccak_state state;
    for (size_t m = 0; m < LANES; m++) {
      for (size_t i = 0; i < KECCAK_LANES; i++) {
        state.lane[i][m] = load64_le(bytes + m * KECCAK_BYTES + 8 * i);
      }
    }
    keccak_permute_state(&state, count);
    for (size_t m = 0; m < LANES; m++) extract(bytes + m * KECCAK_BYTES, &state, m, KECCAK_BYTES);
  }
}

#endif  // LYDITE_CORES_KECCAK_SW_SPONGE_MULTI_H_
