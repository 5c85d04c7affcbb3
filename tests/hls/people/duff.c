// SPDX-License-Identifier: Apache-2.0
// top: send
// Duff's device, and a protothread: a switch whose cases lie inside of a loop.
#include <stdint.h>

uint32_t send(uint8_t to[32], const uint8_t from[32], int count) {
  uint32_t sum = 0;
  int n = (count + 7) / 8;
  if (count <= 0 || count > 32) return 0;
  switch (count % 8) {
  case 0: do { sum += *to++ = *from++;
  case 7:      sum += *to++ = *from++;
  case 6:      sum += *to++ = *from++;
  case 5:      sum += *to++ = *from++;
  case 4:      sum += *to++ = *from++;
  case 3:      sum += *to++ = *from++;
  case 2:      sum += *to++ = *from++;
  case 1:      sum += *to++ = *from++;
          } while (--n > 0);
  }
#define BEGIN static int line = 0; switch (line) { case 0:
#define YIELD(x) do { line = __LINE__; return sum * 256 + (x); case __LINE__:; } while (0)
#define END line = 0; }
  BEGIN
    static int i;
    for (i = 0; i < 3; i++) {
      YIELD(i);
      if (i == 1) YIELD(77);
    }
  END
  return sum * 256 + 255;
}

int main(void) {
  uint8_t a[32], b[32];
  static const uint32_t yields[] = {0, 1, 77, 2, 255, 0};
  for (int i = 0; i < 32; i++) a[i] = (uint8_t)(i * 5 + 1);
  static const int counts[] = {1, 8, 9, 31, 32, 17};
  for (int k = 0; k < 6; k++) {
    uint32_t sum = 0;
    for (int i = 0; i < 32; i++) b[i] = 0xee;
    for (int i = 0; i < counts[k]; i++) sum += a[i];
    if (send(b, a, counts[k]) != sum * 256 + yields[k]) return k + 1;
    for (int i = 0; i < 32; i++) if (b[i] != (i < counts[k] ? a[i] : 0xee)) return 10 + k;
  }
  return send(b, a, 0) || send(b, a, 33);
}
