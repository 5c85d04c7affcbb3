// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3), bit by bit: the readable reference. Not meant to be fast.

#include "checksum.h"

static uint32_t crc32(const uint8_t *message, size_t bytes) {
  uint32_t remainder = 0xffffffffU;
  for (size_t i = 0; i < bytes; i++) {
    remainder ^= message[i];
    for (int bit = 0; bit < 8; bit++) {
      remainder = remainder >> 1 ^ ((remainder & 1) != 0 ? CRC32_POLYNOMIAL : 0);
    }
  }
  return ~remainder;
}

const char *lydite_impl(void) { return "ref"; }

const char *lydite_cpu_flags(void) { return ""; }

void lydite_checksum(const struct lydite_batch *batch) { crc32_batch(batch, crc32); }
