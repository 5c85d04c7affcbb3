// SPDX-License-Identifier: Apache-2.0
//
// The interface of lydite_sw.h for variants of hash functions that hash one message at a time. The
// including file defines before:
//   hash(out, in, bytes)        a message
//   HASH_DIGEST_BYTES           bytes of its digest
//   HASH_IMPL, HASH_CPU_FLAGS   the answers of lydite_impl, lydite_cpu_flags

#ifndef LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_
#define LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_

#include "lydite_sw.h"

const char *lydite_impl(void) { return HASH_IMPL; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return HASH_CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  const size_t bytes = batch->in_bytes[0];
  for (size_t i = 0; i < batch->count; i++) {
    hash(batch->out[0] + HASH_DIGEST_BYTES * i, batch->in[0] + bytes * i, bytes);
  }
}

#endif  // LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_
