// SPDX-License-Identifier: Apache-2.0
// A filter with eight taps whose coefficients come at run time: eight products a sample. With a
// sample every four cycles, two multipliers do them. For bench/hls_sharing.py.

#include <stdint.h>

#define TAPS 8
#define SAMPLES 64

// Filters SAMPLES samples; starts with zeros. `out` and `in` must not overlap.
void fir(int32_t out[SAMPLES], const int16_t in[SAMPLES], const int16_t coefficients[TAPS]) {
  int16_t c[TAPS];
#pragma HLS array_partition variable=c complete
  int16_t line[TAPS] = {0};
#pragma HLS array_partition variable=line complete
  for (int k = 0; k < TAPS; k++) {
    c[k] = coefficients[k];
  }
  for (int i = 0; i < SAMPLES; i++) {
    // A sample comes every four cycles.
#pragma HLS pipeline II=4
    for (int k = TAPS - 1; k > 0; k--) {
      line[k] = line[k - 1];
    }
    line[0] = in[i];
    int32_t sum = 0;
    for (int k = 0; k < TAPS; k++) {
      sum += (int32_t)line[k] * c[k];
    }
    out[i] = sum;
  }
}
