// SPDX-License-Identifier: Apache-2.0
// The ADPCM encoder of the Interactive Multimedia Association (Recommended Practices for Enhancing
// Digital Audio Compatibility, revision 3.00, 1992, section 6): 16-bit samples become 4 bits. The
// predictor and the step index persist from call to call; top function: adpcm_encode.

#include <stddef.h>
#include <stdint.h>

#define ADPCM_MAX_SAMPLES 64

static const int16_t steps[89] = {
    7,     8,     9,     10,    11,    12,    13,    14,    16,    17,    19,   21,    23,
    25,    28,    31,    34,    37,    41,    45,    50,    55,    60,    66,   73,    80,
    88,    97,    107,   118,   130,   143,   157,   173,   190,   209,   230,  253,   279,
    307,   337,   371,   408,   449,   494,   544,   598,   658,   724,   796,  876,   963,
    1060,  1166,  1282,  1411,  1552,  1707,  1878,  2066,  2272,  2499,  2749, 3024,  3327,
    3660,  4026,  4428,  4871,  5358,  5894,  6484,  7132,  7845,  8630,  9493, 10442, 11487,
    12635, 13899, 15289, 16818, 18500, 20350, 22385, 24623, 27086, 29794, 32767};
static const int8_t index_changes[8] = {-1, -1, -1, -1, 2, 4, 6, 8};

static int32_t predicted, step_index;

// Encodes an even number of samples, at most 64: two in a byte, the first in the high half. A call
// with restart not 0 forgets the samples before. Gives the prediction of the last sample.
int16_t adpcm_encode(uint8_t codes[ADPCM_MAX_SAMPLES / 2], const int16_t samples[ADPCM_MAX_SAMPLES],
                     uint32_t count, uint32_t restart) {
  if (restart) {
    predicted = 0;
    step_index = 0;
  }
  uint32_t byte = 0;
  for (uint32_t i = 0; i < count; i++) {
    int32_t step = steps[step_index], difference = samples[i] - predicted;
    uint32_t code = 0;
    if (difference < 0) {
      code = 8;
      difference = -difference;
    }
    // Quantises as the decoder adds: step / 8 + step * bit 2 + step / 2 * bit 1 + step / 4 * bit 0.
    int32_t change = step >> 3;
    for (uint32_t bit = 4; bit > 0; bit >>= 1) {
      if (difference >= step) {
        code |= bit;
        difference -= step;
        change += step;
      }
      step >>= 1;
    }
    predicted += code & 8 ? -change : change;
    if (predicted > 32767) predicted = 32767;
    if (predicted < -32768) predicted = -32768;
    step_index += index_changes[code & 7];
    if (step_index < 0) step_index = 0;
    if (step_index > 88) step_index = 88;
    byte = (byte << 4 | code) & 0xff;
    if (i & 1) codes[i / 2] = (uint8_t)byte;
  }
  return (int16_t)predicted;
}

static int16_t samples[ADPCM_MAX_SAMPLES];
static uint8_t codes[ADPCM_MAX_SAMPLES / 2];

// A rising saw tooth with noise, full scale at the end.
static int16_t sample(int32_t n) {
  uint32_t noise = (uint32_t)n * 2654435761U >> 22;
  return (int16_t)(((n * 331) % 4001 - 2000) * (n / 16 + 1) / 2 + (int32_t)noise - 512);
}

// Codes of samples 0 to 255, and the last prediction: computed with Python's audioop.lin2adpcm.
static const uint8_t answers[128] = {
    0xff, 0xfa, 0xff, 0x78, 0x59, 0x84, 0x9f, 0x08, 0x00, 0x83, 0x84, 0x08, 0x4f, 0xb1, 0x82, 0x80,
    0x30, 0x04, 0x0f, 0xc8, 0x28, 0x20, 0x02, 0x00, 0x6f, 0xa0, 0x01, 0x01, 0x00, 0x20, 0x0f, 0xc1,
    0x80, 0x20, 0x02, 0x12, 0x1f, 0xe0, 0x18, 0x01, 0x01, 0x11, 0x2f, 0xd0, 0x00, 0x10, 0x10, 0x02,
    0x1f, 0xc0, 0x10, 0x01, 0x01, 0x10, 0x2f, 0xc0, 0x01, 0x00, 0x11, 0x11, 0x1f, 0xd0, 0x00, 0x10,
    0x11, 0x02, 0x1f, 0xc0, 0x00, 0x11, 0x00, 0x20, 0x31, 0xfe, 0x00, 0x00, 0x10, 0x11, 0x01, 0xfb,
    0x00, 0x11, 0x01, 0x11, 0x21, 0xfe, 0x00, 0x00, 0x10, 0x11, 0x11, 0xfc, 0x00, 0x10, 0x01, 0x10,
    0x21, 0xfc, 0x00, 0x01, 0x01, 0x11, 0x02, 0xfc, 0x00, 0x01, 0x01, 0x11, 0x11, 0xfd, 0x00, 0x01,
    0x01, 0x10, 0x11, 0xfc, 0x00, 0x10, 0x10, 0x11, 0x11, 0xfd, 0x10, 0x00, 0x01, 0x01, 0x10, 0xfb};

int main(void) {
  int16_t last = 0;
  for (int32_t part = 0; part < 4; part++) {
    for (int32_t i = 0; i < ADPCM_MAX_SAMPLES; i++) samples[i] = sample(64 * part + i);
    last = adpcm_encode(codes, samples, ADPCM_MAX_SAMPLES, part == 0);
    for (int32_t i = 0; i < 32; i++)
      if (codes[i] != answers[32 * part + i]) return 1;
  }
  if (last != -13604) return 1;
  // Steps of full scale saturate the predictor and the step.
  for (int32_t i = 0; i < 16; i++) samples[i] = i & 4 ? 32767 : -32768;
  adpcm_encode(codes, samples, 16, 1);
  static const uint8_t saturated[8] = {0xff, 0xff, 0x77, 0x77, 0xff, 0xc8, 0x74, 0x00};
  for (int32_t i = 0; i < 8; i++)
    if (codes[i] != saturated[i]) return 1;
  return 0;
}
