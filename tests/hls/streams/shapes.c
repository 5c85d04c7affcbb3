// SPDX-License-Identifier: Apache-2.0
// Beats of 3 and of 64 bytes, tuser, a function of its own that uses the same streams, accesses
// that depend on data, a division and a memory beside them.
#include <lydite_stream.h>

typedef struct colour {
  uint8_t part[3];
} colour;
LYDITE_STREAM_USER(pixels, colour, 5)

static __attribute__((noinline)) void pack(pixels *in, lydite_stream512 *out, int count) {
  lydite_stream512_beat packed = {.keep = LYDITE_KEEP(64)};
  for (int i = 0; i < count; i++) {
    const pixels_beat pixel = pixels_read(in);
    const uint64_t word = pixel.data.part[0] | (uint64_t)pixel.data.part[1] << 8 |
                          (uint64_t)pixel.data.part[2] << 16;
    for (unsigned w = 0; w < 8; w++) {
      packed.data.word[w] = packed.data.word[w] << 24 ^ word ^ pixel.user * w;
    }
    packed.last = pixel.last;
    if (pixel.user & 1) lydite_stream512_write(out, packed);
  }
}

int shapes(pixels *in, lydite_stream512 *out, lydite_stream8 *extra, int count, uint8_t log[16]) {
  int sum = 0;
  pack(in, out, count);
  pack(in, out, count / 2);
  for (int i = 0; i < count; i++) {
    if (i % 3 == 1) {
      const lydite_stream8_beat beat = lydite_stream8_read(extra);
      sum += beat.data / (i + 1);
      log[i & 15] = beat.data;
      if (beat.last) break;
    }
    if (i & 1) sum ^= 5;
  }
  const lydite_stream512_beat end = {.data.word = {(uint64_t)sum}, .keep = 1, .last = true};
  lydite_stream512_write(out, end);
  return sum;
}

int main(void) {
  pixels in = {0};
  lydite_stream512 out = {0};
  lydite_stream8 extra = {0};
  uint8_t log[16] = {0};
  uint32_t seed = 1;
  for (int count = 0; count < 12; count += 2) {
    for (int i = 0; i < count + count / 2; i++) {
      pixels_beat beat = {.keep = 7, .user = seed, .last = i % 3 == 0};
      for (int j = 0; j < 3; j++) {
        seed = seed * 1664525 + 1013904223;
        beat.data.part[j] = (uint8_t)(seed >> 24);
      }
      pixels_write(&in, beat);
    }
    for (int i = 1; i < count; i += 3) {
      const lydite_stream8_beat beat = {.data = (uint8_t)(seed >> i), .keep = 1, .last = i == 7};
      lydite_stream8_write(&extra, beat);
      if (beat.last) break;
    }
    shapes(&in, &out, &extra, count, log);
  }
  const int left = (int)(pixels_count(&in) + lydite_stream8_count(&extra));
  pixels_free(&in);
  lydite_stream512_free(&out);
  lydite_stream8_free(&extra);
  return left;
}
