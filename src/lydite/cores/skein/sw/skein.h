// SPDX-License-Identifier: Apache-2.0
//
// Constants and padding of Skein-512-256 ("The Skein Hash Function Family"). Macro of the build:
// MINOR (2: version 1.2, of round 2; 3: version 1.3, of round 3).

#ifndef LYDITE_CORES_SKEIN_SW_SKEIN_H_
#define LYDITE_CORES_SKEIN_SW_SKEIN_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"

#ifndef MINOR
#define MINOR 2
#endif

#define SKEIN_BLOCK_BYTES 64
#define SKEIN_DIGEST_BYTES 32
#define SKEIN_ROUNDS 72

// 3.5.1: the second word of a block's tweak.
#define SKEIN_FIRST (UINT64_C(1) << 62)
#define SKEIN_FINAL (UINT64_C(1) << 63)
#define SKEIN_CONFIGURATION (UINT64_C(4) << 56)
#define SKEIN_MESSAGE (UINT64_C(48) << 56)
#define SKEIN_OUTPUT (UINT64_C(63) << 56)

// The constant of the key schedule (3.3.2), and the chain value behind the configuration of
// Skein-512-256, which ref.c computes.
#if MINOR == 2
#define SKEIN_PARITY UINT64_C(0x5555555555555555)
static const uint64_t skein_iv[8] = {
    0x85a195b18b2264ec, 0x7a6dac64c047c2b0, 0xe1a21465ee3fe124, 0x1d2117356504425a,
    0xc962dc0fc0046f2c, 0x8d5a3e904b1be9c8, 0xafb7174bbd8feee9, 0x7fe63d9bf94edeb8,
};
#else
#define SKEIN_PARITY UINT64_C(0x1bd11bdaa9fc1a22)
static const uint64_t skein_iv[8] = {
    0xccd044a12fdb3e13, 0xe83590301a79a9eb, 0x55aea0614f816e6f, 0x2a2767a4ae9b94db,
    0xec06025e74dd7683, 0xe7a436cdc4746251, 0xc36fbaf9393ad185, 0x3eedba1833edfc13,
};
#endif

// The last block of a message is one of 1 to 64 bytes, or of none if there are none, and zeros.
// Returns where it begins.
static inline size_t skein_last_block(uint8_t block[SKEIN_BLOCK_BYTES], const uint8_t *in,
                                      size_t in_bytes) {
  const size_t begin = in_bytes == 0 ? 0 : (in_bytes - 1) / SKEIN_BLOCK_BYTES * SKEIN_BLOCK_BYTES;
  memset(block, 0, SKEIN_BLOCK_BYTES);
  if (in_bytes != 0) memcpy(block, in + begin, in_bytes - begin);
  return begin;
}

#endif  // LYDITE_CORES_SKEIN_SW_SKEIN_H_
