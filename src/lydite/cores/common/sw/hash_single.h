// SPDX-License-Identifier: Apache-2.0
//
// The interface of lydite_sw.h for variants that hash one message at a time.
//
// Included once, at the end of a variant that defines before:
//   HASH_IMPL, HASH_CPU_FLAGS                    the answers of lydite_impl, lydite_cpu_flags
//   void hash(uint8_t *out, const uint8_t *in, size_t in_bytes)

#ifndef LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_
#define LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_

#include "lydite_sw.h"

const char *lydite_impl(void) { return HASH_IMPL; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return HASH_CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  const size_t in_bytes = batch->in_bytes[0], out_bytes = batch->out_bytes[0];
  for (size_t i = 0; i < batch->count; i++) {
    hash(batch->out[0] + i * out_bytes, batch->in[0] + i * in_bytes, in_bytes);
  }
}

#endif  // LYDITE_CORES_COMMON_SW_HASH_SINGLE_H_
