// SPDX-License-Identifier: Apache-2.0
//
// CHAINS chains of SLICES engines (sponge_runs.h) side by side, for `lydite hls`, each with a head,
// a sum and a control of its own, which reach no further than the chain.

#ifndef LYDITE_CORES_KECCAK_HLS_SPONGE_CHAINS_H_
#define LYDITE_CORES_KECCAK_HLS_SPONGE_CHAINS_H_

#include "sponge_runs.h"

// The checksum of a test, as sponge_sum has it, of all its runs.
static uint64_t sponge_checksum(bool right, uint32_t first, uint32_t runs, uint32_t nb_elmts,
                                uint32_t freq, uint32_t permutations) {
#if CHAINS > 1
#pragma HLS inline off
#pragma HLS dataflow
#endif
  uint64_t checksum = 0;
  for (int n = 0; n < CHAINS; n++) {
#pragma HLS unroll
    checksum ^= sponge_sum(right, first, runs, nb_elmts, freq, permutations, n);
  }
  return checksum;
}

#endif  // LYDITE_CORES_KECCAK_HLS_SPONGE_CHAINS_H_
