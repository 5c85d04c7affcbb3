// SPDX-License-Identifier: Apache-2.0
//
// What all variants of SHA-3 and SHAKE (FIPS 202) share: parameters and round constants.
//
// Macros of the build: RATE_BYTES (72, 104, 136, 144, 168), SUFFIX (the domain bits and the first
// bit of the padding: 0x06 SHA-3, 0x1f SHAKE, 0x01 round 3 of the SHA-3 contest), DIGEST_BYTES (for
// SHAKE a usual length only: the length that lydite_hash is given decides). ROUND2: the padding is
// that of round 2 of the contest instead.

#ifndef LYDITE_CORES_KECCAK_SW_KECCAK_H_
#define LYDITE_CORES_KECCAK_SW_KECCAK_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"

#ifndef RATE_BYTES
#define RATE_BYTES 136
#endif
#ifndef SUFFIX
#define SUFFIX 0x06
#endif
#ifndef DIGEST_BYTES
#define DIGEST_BYTES 32
#endif

#define KECCAK_ROUNDS 24
#define KECCAK_LANES 25
#define KECCAK_BYTES (8 * KECCAK_LANES)
#define RATE_LANES (RATE_BYTES / 8)

_Static_assert(RATE_BYTES % 8 == 0 && RATE_LANES >= 8 && RATE_BYTES < KECCAK_BYTES,
               "the rate is a whole number of lanes, at least 8, and leaves a capacity");

// FIPS 202, 3.2.5: RC[round]; the generator is in ref.c and the test compares.
static const uint64_t keccak_rc[KECCAK_ROUNDS] = {
    0x0000000000000001U, 0x0000000000008082U, 0x800000000000808aU, 0x8000000080008000U,
    0x000000000000808bU, 0x0000000080000001U, 0x8000000080008081U, 0x8000000000008009U,
    0x000000000000008aU, 0x0000000000000088U, 0x0000000080008009U, 0x000000008000000aU,
    0x000000008000808bU, 0x800000000000008bU, 0x8000000000008089U, 0x8000000000008003U,
    0x8000000000008002U, 0x8000000000000080U, 0x000000000000800aU, 0x800000008000000aU,
    0x8000000080008081U, 0x8000000000008080U, 0x0000000080000001U, 0x8000000080008008U,
};

#ifdef ROUND2
// "Keccak sponge function family main document" 2.1, 3.1: ones that begin and end, the bytes of
// output and of a block; zeros follow.
static const uint8_t keccak_marks[4] = {0x01, DIGEST_BYTES, RATE_BYTES, 0x01};
#define KECCAK_LAST_BIT 0x00
#else
// The domain bits and pad10*1 (FIPS 202, 5.1, 6).
static const uint8_t keccak_marks[1] = {SUFFIX};
#define KECCAK_LAST_BIT 0x80
#endif

// What marks the end may need a block of its own.
#define KECCAK_LAST_BYTES (sizeof keccak_marks == 1 ? RATE_BYTES : 2 * RATE_BYTES)

// The end of a message, its marks, and zeros. Returns how many blocks that are.
static inline size_t keccak_last_blocks(uint8_t blocks[KECCAK_LAST_BYTES], const uint8_t *in,
                                        size_t in_bytes) {
  const size_t rest = in_bytes % RATE_BYTES;
  const size_t count = rest + sizeof keccak_marks <= RATE_BYTES ? 1 : 2;
  memset(blocks, 0, KECCAK_LAST_BYTES);
  if (rest != 0) memcpy(blocks, in + in_bytes - rest, rest);
  memcpy(blocks + rest, keccak_marks, sizeof keccak_marks);
  blocks[count * RATE_BYTES - 1] |= KECCAK_LAST_BIT;
  return count;
}

#endif  // LYDITE_CORES_KECCAK_SW_KECCAK_H_
