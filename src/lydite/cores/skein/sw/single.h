// SPDX-License-Identifier: Apache-2.0
//
// UBI (3.4) and the output (3.5.4) of Skein-512-256 for one message. The including file defines
// before: block(chain, in, position, flags), UBI of one block of 64 bytes; initial(chain), the
// chain value behind the configuration; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_SKEIN_SW_SINGLE_H_
#define LYDITE_CORES_SKEIN_SW_SINGLE_H_

#include "skein.h"

static void hash(uint8_t *out, const uint8_t *in, size_t in_bytes) {
  uint64_t chain[8];
  initial(chain);
  uint8_t last[SKEIN_BLOCK_BYTES];
  const size_t before = skein_last_block(last, in, in_bytes);
  uint64_t flags = SKEIN_MESSAGE | SKEIN_FIRST;
  for (size_t at = 0; at != before; at += SKEIN_BLOCK_BYTES, flags = SKEIN_MESSAGE) {
    block(chain, in + at, at + SKEIN_BLOCK_BYTES, flags);
  }
  block(chain, last, in_bytes, flags | SKEIN_FINAL);
  memset(last, 0, sizeof last);
  block(chain, last, 8, SKEIN_OUTPUT | SKEIN_FIRST | SKEIN_FINAL);
  for (size_t i = 0; i < 4; i++) store64_le(out + 8 * i, chain[i]);
}

#define HASH_DIGEST_BYTES SKEIN_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_SKEIN_SW_SINGLE_H_
