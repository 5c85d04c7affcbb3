// SPDX-License-Identifier: Apache-2.0
//
// ECHO-256 of one message. The including file defines before: compress(chain, block, bits), which
// works on a block, up to whose end are `bits` of the message; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_ECHO_SW_SINGLE_H_
#define LYDITE_CORES_ECHO_SW_SINGLE_H_

#include "echo.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint8_t chain[ECHO_CHAIN_BYTES] = {0}, last[2 * ECHO_BLOCK_BYTES];
  for (size_t i = 0; i < 4; i++) chain[16 * i + 1] = 1;  // 256, the bits of the digest
  const size_t whole = in_bytes / ECHO_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in + i * ECHO_BLOCK_BYTES, echo_bits(i, in_bytes));
  }
  const size_t count = echo_last_blocks(last, in, in_bytes);
  for (size_t i = 0; i < count; i++) {
    compress(chain, last + i * ECHO_BLOCK_BYTES, echo_bits(whole + i, in_bytes));
  }
  memcpy(out, chain, ECHO_DIGEST_BYTES);
}

#define HASH_DIGEST_BYTES ECHO_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_ECHO_SW_SINGLE_H_
