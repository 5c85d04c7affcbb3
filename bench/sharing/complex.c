// SPDX-License-Identifier: Apache-2.0
// Products of complex numbers of 16 bits a part, with their squared size: six products a pair. With
// a pair every three cycles, two multipliers do five of them; the sixth has factors of 15 bits. For
// bench/hls_sharing.py.

#include <stdint.h>

#define PAIRS 64

// A number is its real part, low, and its imaginary part. `size` has 30 bits and the sign.
void complex(int32_t re[PAIRS], int32_t im[PAIRS], int32_t size[PAIRS], const uint32_t a[PAIRS],
             const uint32_t b[PAIRS]) {
  for (int i = 0; i < PAIRS; i++) {
    // As often as the numbers come.
#pragma HLS pipeline II=3
    const int16_t ar = (int16_t)a[i], ai = (int16_t)(a[i] >> 16);
    const int16_t br = (int16_t)b[i], bi = (int16_t)(b[i] >> 16);
    const int32_t r = ((int32_t)ar * br - (int32_t)ai * bi) >> 1;
    const int32_t m = ((int32_t)ar * bi >> 1) + ((int32_t)ai * br >> 1);
    const int16_t rh = (int16_t)(r >> 16), mh = (int16_t)(m >> 16);
    re[i] = r;
    im[i] = m;
    size[i] = (int32_t)rh * rh + (int32_t)mh * mh;
  }
}
