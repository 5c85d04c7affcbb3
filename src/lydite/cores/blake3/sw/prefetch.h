// SPDX-License-Identifier: Apache-2.0
//
// The same block of the next LANES chunks is asked for while one is loaded: processors follow a few
// streams by themselves, not one in each chunk. Behind the end of a message nothing is read.

#ifndef LYDITE_CORES_BLAKE3_SW_PREFETCH_H_
#define LYDITE_CORES_BLAKE3_SW_PREFETCH_H_

#include "blake3.h"

#define LANE_PREFETCH(at) __builtin_prefetch((const void *)((uintptr_t)(at) + LANES * 1024U))

#endif  // LYDITE_CORES_BLAKE3_SW_PREFETCH_H_
