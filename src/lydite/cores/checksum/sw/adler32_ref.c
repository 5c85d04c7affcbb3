// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) as it is written: the readable reference. Not meant to be fast.

#include "checksum.h"

static uint32_t adler32(const uint8_t *message, size_t bytes) {
  uint32_t s1 = 1, s2 = 0;
  for (size_t i = 0; i < bytes; i++) {
    s1 = (s1 + message[i]) % ADLER32_MODULUS;
    s2 = (s2 + s1) % ADLER32_MODULUS;
  }
  return s2 << 16 | s1;
}

const char *lydite_impl(void) { return "ref"; }

const char *lydite_cpu_flags(void) { return ""; }

void lydite_checksum(const struct lydite_batch *batch) { adler32_batch(batch, adler32); }
