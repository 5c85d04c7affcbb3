// SPDX-License-Identifier: Apache-2.0
//
// Groestl-256 of one message. The including file defines before: a type `chain`, and
// start(c), which sets the initial value; compress(c, in, blocks); finish(out, c), the output
// transformation; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_GROESTL_SW_SINGLE_H_
#define LYDITE_CORES_GROESTL_SW_SINGLE_H_

#include "groestl.h"

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  chain c;
  start(&c);
  const size_t blocks = bytes / GROESTL_BLOCK_BYTES;
  if (blocks != 0) compress(&c, in, blocks);
  uint8_t last[2 * GROESTL_BLOCK_BYTES];
  const uint8_t *rest = in + blocks * GROESTL_BLOCK_BYTES;
  const size_t padded = groestl_last_blocks(last, rest, bytes % GROESTL_BLOCK_BYTES, blocks);
  compress(&c, last, padded / GROESTL_BLOCK_BYTES);
  finish(out, &c);
}

#define HASH_DIGEST_BYTES GROESTL_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_GROESTL_SW_SINGLE_H_
