// SPDX-License-Identifier: Apache-2.0
//
// Tables of the expansion of Hamsi-256 ("The Hash Function Hamsi", 2009): what a byte in each place
// of a word makes of the eight words. leaks: by their addresses; messages of a hash are no secret
// here.

#ifndef LYDITE_CORES_HAMSI_SW_TABLE_H_
#define LYDITE_CORES_HAMSI_SW_TABLE_H_

#include "hamsi.h"

static _Alignas(16) uint32_t hamsi_table[4][256][8];

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_table(void) {
  for (size_t bit = 0; bit < 32; bit++) {
    uint32_t one[8];
    hamsi_expand_bit(one, bit);
    for (size_t byte = 0; byte < 256; byte++) {
      if (!(byte >> bit % 8 & 1)) continue;
      for (size_t i = 0; i < 8; i++) hamsi_table[bit / 8][byte][i] ^= one[i];
    }
  }
}

#endif  // LYDITE_CORES_HAMSI_SW_TABLE_H_
