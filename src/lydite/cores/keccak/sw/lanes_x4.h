// SPDX-License-Identifier: Apache-2.0
//
// Vectors of the variants that hash four messages at once (AVX2 is enough).

#ifndef LYDITE_CORES_KECCAK_SW_LANES_X4_H_
#define LYDITE_CORES_KECCAK_SW_LANES_X4_H_

#define LANES 4
#include "../../common/sw/lanes64.h"

#define LANE __m256i
#define VECTOR_LOAD(p) _mm256_load_si256((const void *)(p))
#define VECTOR_STORE(p, v) _mm256_store_si256((void *)(p), v)

#endif  // LYDITE_CORES_KECCAK_SW_LANES_X4_H_
