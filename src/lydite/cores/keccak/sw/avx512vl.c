// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), one message, one lane to a 128-bit register of AVX-512VL.
//
// Half of every register is idle, and it pays all the same: the state stays in the 32 registers
// nearly whole, and an operation may have three inputs.

#include <immintrin.h>

#include "keccak.h"

#define LANE __m128i
#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR(a, b), XOR(c, d), e)
#define CHI(a, b, c) _mm_ternarylogic_epi64(a, b, c, 0xd2)
#define ROL(a, n) _mm_rol_epi64(a, n)
#define RC(round) _mm_loadl_epi64((const void *)&keccak_rc[round])
#define LANE_LOAD(in) _mm_loadl_epi64((const void *)(in))
#define LANE_STORE(out, a) _mm_storel_epi64((void *)(out), a)

#define KECCAK_IMPL "avx512vl"
#define KECCAK_CPU_FLAGS "avx512f avx512vl"

#include "lanes_single.h"
#include "sponge_single.h"
