// SPDX-License-Identifier: Apache-2.0
//
// UBI (3.4) and the output (3.5.4) of Skein-512-256 for one message. The including file defines
// before: block(chain, in, position, flags), UBI of one block of 64 bytes; initial(chain), the
// chain value behind the configuration; HASH_IMPL, HASH_CPU_FLAGS.

#ifndef LYDITE_CORES_SKEIN_SW_SINGLE_H_
#define LYDITE_CORES_SKEIN_SW_SINGLE_H_

#include "skein.h"

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  uint64_t chain[8];
  initial(chain);
  uint64_t flags = SKEIN_MESSAGE | SKEIN_FIRST;
  size_t position = 0;
  // The last block of a message is one of 1 to 64 bytes, or of none if there are none.
  for (; bytes - position > SKEIN_BLOCK_BYTES; flags = SKEIN_MESSAGE) {
    position += SKEIN_BLOCK_BYTES;
    block(chain, in + position - SKEIN_BLOCK_BYTES, position, flags);
  }
  uint8_t last[SKEIN_BLOCK_BYTES] = {0};
  if (bytes != 0) memcpy(last, in + position, bytes - position);
  block(chain, last, bytes, flags | SKEIN_FINAL);
  memset(last, 0, sizeof last);
  block(chain, last, 8, SKEIN_OUTPUT | SKEIN_FIRST | SKEIN_FINAL);
  for (size_t i = 0; i < 4; i++) store64_le(out + 8 * i, chain[i]);
}

#define HASH_DIGEST_BYTES SKEIN_DIGEST_BYTES
#include "../../common/sw/hash_single.h"

#endif  // LYDITE_CORES_SKEIN_SW_SINGLE_H_
