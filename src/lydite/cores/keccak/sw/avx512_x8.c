// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE (FIPS 202), eight messages at once with AVX-512.

#define LANES 8
#include "../../common/sw/lanes64.h"
#include "keccak.h"

#define LANE __m512i
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define XOR5(a, b, c, d, e) XOR3(XOR(a, b), XOR(c, d), e)
#define CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define ROL(a, n) _mm512_rol_epi64(a, n)
#define RC(round) _mm512_set1_epi64((long long)keccak_rc[round])
#define VECTOR_LOAD(p) _mm512_load_si512(p)
#define VECTOR_STORE(p, v) _mm512_store_si512(p, v)

#define KECCAK_IMPL "avx512-x8"
#define KECCAK_CPU_FLAGS "avx512f"

#include "sponge_multi.h"
