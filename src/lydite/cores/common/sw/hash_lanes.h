// SPDX-License-Identifier: Apache-2.0
//
// The interface of lydite_sw.h for variants of hash functions that hash several messages at once,
// all of one length. Lanes beyond the end of a batch have its last message again. The including
// file defines before:
//   LANES                       messages at once
//   hash(out, in, bytes)        LANES messages: out and in are a pointer of each
//   HASH_DIGEST_BYTES           bytes of a digest
//   HASH_IMPL, HASH_CPU_FLAGS   the answers of lydite_impl, lydite_cpu_flags

#ifndef LYDITE_CORES_COMMON_SW_HASH_LANES_H_
#define LYDITE_CORES_COMMON_SW_HASH_LANES_H_

#include "lydite_sw.h"

const char *lydite_impl(void) { return HASH_IMPL; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return HASH_CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  for (size_t first = 0; first < batch->count; first += LANES) {
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    for (size_t lane = 0; lane < LANES; lane++) {
      const size_t i = first + lane < batch->count ? first + lane : batch->count - 1;
      in[lane] = batch->in[0] + i * batch->in_bytes[0];
      out[lane] = batch->out[0] + i * HASH_DIGEST_BYTES;
    }
    hash(out, in, batch->in_bytes[0]);
  }
}

#endif  // LYDITE_CORES_COMMON_SW_HASH_LANES_H_
