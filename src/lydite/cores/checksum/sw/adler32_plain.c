// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2), remainders as seldom as can be.

#include "checksum.h"

static uint32_t adler32(const uint8_t *message, size_t bytes) {
  return adler32_bytes(1, 0, message, bytes);
}

const char *lydite_impl(void) { return "plain"; }

const char *lydite_cpu_flags(void) { return ""; }

void lydite_checksum(const struct lydite_batch *batch) { adler32_batch(batch, adler32); }
