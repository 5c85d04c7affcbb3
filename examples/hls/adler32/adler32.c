// SPDX-License-Identifier: Apache-2.0
// Adler-32, RFC 1950, section 8.2 and 9; top function: adler32. Sums are reduced at each byte by
// one subtraction, so that no division is needed.

#include <stdint.h>

#define ADLER32_MAX_LENGTH 256
#define ADLER32_MODULUS 65521U

// Continues the sum of the bytes before (1 at the start) with data[0..length), length up to 256.
uint32_t adler32(uint32_t adler, const uint8_t data[ADLER32_MAX_LENGTH], uint32_t length) {
  uint32_t a = adler & 0xffff, b = adler >> 16;
  for (uint32_t i = 0; i < length; i++) {
    a += data[i];
    if (a >= ADLER32_MODULUS) a -= ADLER32_MODULUS;
    b += a;
    if (b >= ADLER32_MODULUS) b -= ADLER32_MODULUS;
  }
  return b << 16 | a;
}

static uint8_t data[ADLER32_MAX_LENGTH];

static void fill(const char *text, uint32_t length) {
  for (uint32_t i = 0; i < length; i++) data[i] = (uint8_t)text[i];
}

int main(void) {
  fill("Wikipedia", 9);
  if (adler32(1, data, 9) != 0x11e60398) return 1;
  fill("message digest", 14);
  if (adler32(1, data, 14) != 0x29750586) return 1;
  if (adler32(1, data, 0) != 1) return 1;
  for (int i = 0; i < ADLER32_MAX_LENGTH; i++) data[i] = (uint8_t)i;
  if (adler32(1, data, 256) != 0xadf67f81) return 1;
  // 5553 times ff: one more than the classic bound of deferred reduction.
  for (int i = 0; i < ADLER32_MAX_LENGTH; i++) data[i] = 0xff;
  uint32_t adler = 1;
  for (uint32_t left = 5553; left > 0;) {
    uint32_t piece = left < ADLER32_MAX_LENGTH ? left : ADLER32_MAX_LENGTH;
    adler = adler32(adler, data, piece);
    left -= piece;
  }
  return adler != 0x8e299c8b;
}
