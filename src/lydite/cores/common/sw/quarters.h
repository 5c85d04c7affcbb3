// SPDX-License-Identifier: Apache-2.0
//
// Four times 16 bytes in a register of AVX-512.

#ifndef LYDITE_CORES_COMMON_SW_QUARTERS_H_
#define LYDITE_CORES_COMMON_SW_QUARTERS_H_

#include <immintrin.h>
#include <stdint.h>

static inline __m512i load_quarters(const uint8_t *a, const uint8_t *b, const uint8_t *c,
                                    const uint8_t *d) {
  __m512i quarters = _mm512_castsi128_si512(_mm_loadu_si128((const void *)a));
  quarters = _mm512_inserti32x4(quarters, _mm_loadu_si128((const void *)b), 1);
  quarters = _mm512_inserti32x4(quarters, _mm_loadu_si128((const void *)c), 2);
  return _mm512_inserti32x4(quarters, _mm_loadu_si128((const void *)d), 3);
}

#endif  // LYDITE_CORES_COMMON_SW_QUARTERS_H_
