// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), four messages at once with AVX2.

#include "../../common/sw/keccak_avx2.h"
#include "keccak.h"
#include "lanes_x4.h"

#define RC(round) _mm256_set1_epi64x((long long)keccak_rc[round])

#define KECCAK_IMPL "avx2-x4"
#define KECCAK_CPU_FLAGS "avx2"

#include "sponge_multi.h"
