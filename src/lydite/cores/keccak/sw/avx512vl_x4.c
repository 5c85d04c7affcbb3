// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), four messages at once with the rotations and three-input operations
// of AVX-512VL on 256-bit registers, of which there are 32.

#include <immintrin.h>

#include "keccak.h"
#include "lanes_x4.h"

#define XOR(a, b) _mm256_xor_si256(a, b)
#define XOR3(a, b, c) _mm256_ternarylogic_epi64(a, b, c, 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR(a, b), XOR(c, d), e)
#define CHI(a, b, c) _mm256_ternarylogic_epi64(a, b, c, 0xd2)
#define ROL(a, n) _mm256_rol_epi64(a, n)
#define RC(round) _mm256_set1_epi64x((long long)keccak_rc[round])

#define KECCAK_IMPL "avx512vl-x4"
#define KECCAK_CPU_FLAGS "avx2 avx512f avx512vl"

#include "sponge_multi.h"
