// SPDX-License-Identifier: Apache-2.0
// top: convolve
// Directives by _Pragma, from macros, as projects write them that also build for other tools.
#include <stdint.h>

#ifdef __SYNTHESIS_OFF__
#define HLS(x)
#else
#define DO_PRAGMA(x) _Pragma(#x)
#define HLS(x) DO_PRAGMA(HLS x)
#endif
#define PIPE(n) HLS(pipeline II = n)
#define UNROLLED _Pragma("HLS unroll")

#define TAPS 5
#define LENGTH 24

static const int16_t taps[TAPS] = {-3, 12, 17, 12, -3};

int32_t convolve(const int16_t in[LENGTH], int16_t out[LENGTH]) {
  int16_t window[TAPS] = {0};
  HLS(array_partition variable = window complete)
  int32_t energy = 0;
  for (int n = 0; n < LENGTH + 2; ++n) {
    PIPE(2)
    for (int k = 0; k < TAPS - 1; ++k) {
      UNROLLED
      window[k] = window[k + 1];
    }
    window[TAPS - 1] = n < LENGTH ? in[n] : 0;
    int32_t sum = 0;
    for (int k = 0; k < TAPS; ++k) {
      UNROLLED
      sum += taps[k] * window[k];
    }
    if (n >= 2) {
      out[n - 2] = (int16_t)(sum / 35);
      energy += out[n - 2] * out[n - 2];
    }
  }
  return energy;
}

int main(void) {
  int16_t in[LENGTH], out[LENGTH];
  // Savitzky and Golay's five points leave every parabola as it is, but at the ends.
  for (int c = 1; c < 5; c++) {
    int32_t energy = 0;
    for (int i = 0; i < LENGTH; i++) in[i] = (int16_t)(c * i * i - 7 * i + c), out[i] = 0;
    int32_t got = convolve(in, out);
    for (int i = 2; i < LENGTH - 2; i++) if (out[i] != in[i]) return c;
    for (int i = 0; i < LENGTH; i++) energy += out[i] * out[i];
    if (energy != got) return 10 + c;
  }
  return 0;
}
