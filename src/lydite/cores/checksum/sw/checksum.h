// SPDX-License-Identifier: Apache-2.0
//
// What variants of a checksum share: batches of messages, and CRC-32 by tables.

#ifndef LYDITE_CORES_CHECKSUM_SW_CHECKSUM_H_
#define LYDITE_CORES_CHECKSUM_SW_CHECKSUM_H_

#include <stddef.h>
#include <stdint.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"

#define CHECKSUM_BYTES 4
// ISO/IEC 13239, 4.2.5.3: bit 31 - i for x**i, x**32 apart.
#define CRC32_POLYNOMIAL 0xedb88320U
// RFC 1950, 8.2.
#define ADLER32_MODULUS 65521U

typedef uint32_t checksum_of(const uint8_t *message, size_t bytes);

// The bytes of a CRC are in the order of RFC 1952, 2.3.1.
static inline void crc32_batch(const struct lydite_batch *batch, checksum_of *checksum) {
  for (size_t call = 0; call < batch->count; call++) {
    const uint32_t found = checksum(batch->in[0] + batch->in_bytes[0] * call, batch->in_bytes[0]);
    store32_le(batch->out[0] + CHECKSUM_BYTES * call, found);
  }
}

// Those of an Adler-32 in the order of RFC 1950, 2.2.
static inline void adler32_batch(const struct lydite_batch *batch, checksum_of *checksum) {
  for (size_t call = 0; call < batch->count; call++) {
    const uint32_t found = checksum(batch->in[0] + batch->in_bytes[0] * call, batch->in_bytes[0]);
    store32_le(batch->out[0] + CHECKSUM_BYTES * call, __builtin_bswap32(found));
  }
}

// The rest of an Adler-32, a byte after the other: as many bytes as can be added before the second
// sum overflows, and then the remainders.
static inline uint32_t adler32_bytes(uint32_t s1, uint32_t s2, const uint8_t *in, size_t bytes) {
  while (bytes != 0) {
    size_t count = bytes < 5552 ? bytes : 5552;
    bytes -= count;
    for (; count != 0; count--) {
      s1 += *in++;
      s2 += s1;
    }
    s1 %= ADLER32_MODULUS;
    s2 %= ADLER32_MODULUS;
  }
  return s2 << 16 | s1;
}

#define CRC32_TABLES 16

// Remainders of a byte and n bytes of zeros behind it; made when the library is loaded.
static uint32_t crc32_table[CRC32_TABLES][256];

__attribute__((constructor, unused)) static void crc32_make_tables(void) {
  for (uint32_t byte = 0; byte < 256; byte++) {
    uint32_t crc = byte;
    for (int bit = 0; bit < 8; bit++) crc = crc >> 1 ^ (CRC32_POLYNOMIAL & (0U - (crc & 1U)));
    crc32_table[0][byte] = crc;
  }
  for (int n = 1; n < CRC32_TABLES; n++) {
    for (uint32_t byte = 0; byte < 256; byte++) {
      const uint32_t before = crc32_table[n - 1][byte];
      crc32_table[n][byte] = before >> 8 ^ crc32_table[0][before & 255];
    }
  }
}

// 16 bytes at a time: slicing, Kounavis and Berry, 2005.
__attribute__((unused)) static uint32_t crc32_bytes(uint32_t crc, const uint8_t *in, size_t bytes) {
  for (; bytes >= 16; bytes -= 16, in += 16) {
    const uint32_t words[4] = {crc ^ load32_le(in), load32_le(in + 4), load32_le(in + 8),
                               load32_le(in + 12)};
    crc = 0;
    for (int i = 0; i < 4; i++) {
      const int n = 12 - 4 * i;
      crc ^= crc32_table[n + 3][words[i] & 255] ^ crc32_table[n + 2][words[i] >> 8 & 255] ^
             crc32_table[n + 1][words[i] >> 16 & 255] ^ crc32_table[n][words[i] >> 24];
    }
  }
  for (; bytes != 0; bytes--) crc = crc >> 8 ^ crc32_table[0][(crc ^ *in++) & 255];
  return crc;
}

size_t lydite_lanes(void) { return 1; }

int lydite_available(void) { return 1; }

#endif  // LYDITE_CORES_CHECKSUM_SW_CHECKSUM_H_
