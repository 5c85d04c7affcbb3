// SPDX-License-Identifier: Apache-2.0
//
// What variants of Fugue-256 share: its parameters ("The Hash Function Fugue", 2009), and tables of
// the S-box of AES.

#ifndef LYDITE_CORES_FUGUE_SW_FUGUE_H_
#define LYDITE_CORES_FUGUE_SW_FUGUE_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/aes_table.h"
#include "../../common/sw/bytes.h"

#define FUGUE_COLUMNS 30
#define FUGUE_DIGEST_BYTES 32
// Of the final stage: rounds of two subrounds, and those behind them.
#define FUGUE_FIRST_ROUNDS 5
#define FUGUE_LAST_ROUNDS 13

// The last eight columns of the first state, row 0 lowest.
static const uint32_t fugue_initial[8] = {
    0xdebd52e9, 0x5f137166, 0x68f6d4e0, 0x94b5b0d2, 0x1d626cf9, 0xde29f9fb, 0x99e84991, 0x48c2f834,
};

// What follows the whole words of a message: its rest with zeros, if there is one, and its bits.
// Returns the number of words.
static inline size_t fugue_last_words(uint8_t out[12], const uint8_t *in, size_t in_bytes) {
  const size_t rest = in_bytes % 4, words = rest != 0 ? 3 : 2;
  memset(out, 0, 12);
  if (rest != 0) memcpy(out, in + in_bytes - rest, rest);
  store64_be(out + 4 * words - 8, 8 * (uint64_t)in_bytes);
  return words;
}

#endif  // LYDITE_CORES_FUGUE_SW_FUGUE_H_
