// SPDX-License-Identifier: Apache-2.0
//
// CRC-32 (ISO/IEC 13239, 4.2.5.3) by tables, 16 bytes at a time.

#include "checksum.h"

static uint32_t crc32(const uint8_t *message, size_t bytes) {
  return ~crc32_bytes(0xffffffffU, message, bytes);
}

const char *lydite_impl(void) { return "tables"; }

const char *lydite_cpu_flags(void) { return ""; }

void lydite_checksum(const struct lydite_batch *batch) { crc32_batch(batch, crc32); }
