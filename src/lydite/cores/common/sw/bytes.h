// SPDX-License-Identifier: Apache-2.0
//
// Words from bytes and back, in either order of bytes, at any address and on any machine.
//
// Every access goes through memcpy, which compilers turn into one load or store; a cast of the
// pointer would be undefined for addresses that are not aligned.

#ifndef LYDITE_CORES_COMMON_SW_BYTES_H_
#define LYDITE_CORES_COMMON_SW_BYTES_H_

#include <stdint.h>
#include <string.h>

#if !defined(__BYTE_ORDER__) || \
    (__BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__ && __BYTE_ORDER__ != __ORDER_BIG_ENDIAN__)
#error "bytes.h: the byte order of this machine is not known"
#endif

#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define LYDITE_LE32(word) (word)
#define LYDITE_LE64(word) (word)
#define LYDITE_BE32(word) __builtin_bswap32(word)
#define LYDITE_BE64(word) __builtin_bswap64(word)
#else
#define LYDITE_LE32(word) __builtin_bswap32(word)
#define LYDITE_LE64(word) __builtin_bswap64(word)
#define LYDITE_BE32(word) (word)
#define LYDITE_BE64(word) (word)
#endif

static inline uint32_t load32_le(const uint8_t in[4]) {
  uint32_t word;
  memcpy(&word, in, sizeof word);
  return LYDITE_LE32(word);
}

static inline uint64_t load64_le(const uint8_t in[8]) {
  uint64_t word;
  memcpy(&word, in, sizeof word);
  return LYDITE_LE64(word);
}

static inline void store32_le(uint8_t out[4], uint32_t word) {
  const uint32_t bytes = LYDITE_LE32(word);
  memcpy(out, &bytes, sizeof bytes);
}

static inline void store64_le(uint8_t out[8], uint64_t word) {
  const uint64_t bytes = LYDITE_LE64(word);
  memcpy(out, &bytes, sizeof bytes);
}

static inline uint32_t load32_be(const uint8_t in[4]) {
  uint32_t word;
  memcpy(&word, in, sizeof word);
  return LYDITE_BE32(word);
}

static inline uint64_t load64_be(const uint8_t in[8]) {
  uint64_t word;
  memcpy(&word, in, sizeof word);
  return LYDITE_BE64(word);
}

static inline void store32_be(uint8_t out[4], uint32_t word) {
  const uint32_t bytes = LYDITE_BE32(word);
  memcpy(out, &bytes, sizeof bytes);
}

static inline void store64_be(uint8_t out[8], uint64_t word) {
  const uint64_t bytes = LYDITE_BE64(word);
  memcpy(out, &bytes, sizeof bytes);
}

#endif  // LYDITE_CORES_COMMON_SW_BYTES_H_
