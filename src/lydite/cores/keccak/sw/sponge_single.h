// SPDX-License-Identifier: Apache-2.0
//
// The sponge and the interface of lydite_sw.h for variants that hash one message at a time.
//
// Included once, at the end of a variant that defines before:
//   keccak_state                                  the state, as the variant likes to hold it
//   keccak_absorb(state, in, blocks)              FIPS 202, 4: xor and permute, `blocks` times
//   keccak_permute_state(state, count)            the permutation, `count` times
//   keccak_load(state, in)                        all 200 bytes
//   keccak_store(out, state, bytes)               the first bytes
//   KECCAK_IMPL, KECCAK_CPU_FLAGS                 the answers of lydite_impl, lydite_cpu_flags

#ifndef LYDITE_CORES_KECCAK_SW_SPONGE_SINGLE_H_
#define LYDITE_CORES_KECCAK_SW_SPONGE_SINGLE_H_

#include "keccak.h"

static void hash(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
  keccak_state state;
  memset(&state, 0, sizeof state);
  const size_t blocks = in_bytes / RATE_BYTES;
  if (blocks != 0) keccak_absorb(&state, in, blocks);
  uint8_t last[KECCAK_LAST_BYTES];
  const size_t last_blocks = keccak_last_blocks(last, in, in_bytes);
  keccak_absorb(&state, last, last_blocks);

  for (;;) {
    const size_t take = out_bytes < RATE_BYTES ? out_bytes : RATE_BYTES;
    if (take == DIGEST_BYTES) {
      keccak_store(out, &state, DIGEST_BYTES);  // the usual case, with a length known in advance
    } else {
      keccak_store(out, &state, take);
    }
    out_bytes -= take;
    if (out_bytes == 0) return;
    out += take;
    keccak_permute_state(&state, 1);
  }
}

const char *lydite_impl(void) { return KECCAK_IMPL; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return KECCAK_CPU_FLAGS; }

int lydite_available(void) { return 1; }

static void hash_all(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                     size_t messages) {
  for (size_t i = 0; i < messages; i++) {
    hash(out + i * out_bytes, out_bytes, in + i * in_bytes, in_bytes);
  }
}

void lydite_hash(const struct lydite_batch *batch) {
  hash_all(batch->out[0], batch->out_bytes[0], batch->in[0], batch->in_bytes[0], batch->count);
}

void lydite_permute(uint8_t *states, size_t messages, size_t count) {
  for (size_t i = 0; i < messages; i++) {
    uint8_t *bytes = states + i * KECCAK_BYTES;
    keccak_state state;
    keccak_load(&state, bytes);
    keccak_permute_state(&state, count);
    keccak_store(bytes, &state, KECCAK_BYTES);
  }
}

#endif  // LYDITE_CORES_KECCAK_SW_SPONGE_SINGLE_H_
