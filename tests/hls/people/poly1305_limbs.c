// SPDX-License-Identifier: Apache-2.0
// top: poly1305
// Poly1305 in five limbs of 26 bits, one message of up to 48 bytes; RFC 8439, 2.5.2.
#include <stdint.h>
#include <string.h>

typedef struct { uint32_t r[5], h[5], pad[4]; } poly1305_t;

static uint32_t le32(const uint8_t *p) {
  return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void block(poly1305_t *st, const uint8_t m[16], uint32_t hibit) {
  const uint32_t r0 = st->r[0], r1 = st->r[1], r2 = st->r[2], r3 = st->r[3], r4 = st->r[4];
  const uint32_t s1 = r1 * 5, s2 = r2 * 5, s3 = r3 * 5, s4 = r4 * 5;
  uint64_t h0 = st->h[0] + (le32(m) & 0x3ffffff);
  uint64_t h1 = st->h[1] + (le32(m + 3) >> 2 & 0x3ffffff);
  uint64_t h2 = st->h[2] + (le32(m + 6) >> 4 & 0x3ffffff);
  uint64_t h3 = st->h[3] + (le32(m + 9) >> 6 & 0x3ffffff);
  uint64_t h4 = st->h[4] + (le32(m + 12) >> 8 | hibit << 24);
  uint64_t d0 = h0 * r0 + h1 * s4 + h2 * s3 + h3 * s2 + h4 * s1;
  uint64_t d1 = h0 * r1 + h1 * r0 + h2 * s4 + h3 * s3 + h4 * s2;
  uint64_t d2 = h0 * r2 + h1 * r1 + h2 * r0 + h3 * s4 + h4 * s3;
  uint64_t d3 = h0 * r3 + h1 * r2 + h2 * r1 + h3 * r0 + h4 * s4;
  uint64_t d4 = h0 * r4 + h1 * r3 + h2 * r2 + h3 * r1 + h4 * r0;
  uint64_t *const d[5] = {&d0, &d1, &d2, &d3, &d4};
  uint64_t c = 0;
  for (int i = 0; i < 5; i++) {
    *d[i] += c;
    c = *d[i] >> 26;
    st->h[i] = (uint32_t)*d[i] & 0x3ffffff;
  }
  st->h[0] += (uint32_t)(c * 5);
  st->h[1] += st->h[0] >> 26;
  st->h[0] &= 0x3ffffff;
}

void poly1305(uint8_t tag[16], const uint8_t msg[48], uint32_t len, const uint8_t key[32]) {
  poly1305_t st = {{le32(key) & 0x3ffffff, le32(key + 3) >> 2 & 0x3ffff03,
      le32(key + 6) >> 4 & 0x3ffc0ff,
                    le32(key + 9) >> 6 & 0x3f03fff, le32(key + 12) >> 8 & 0x00fffff}, {0},
                   {le32(key + 16), le32(key + 20), le32(key + 24), le32(key + 28)}};
  while (len >= 16) {
    block(&st, msg, 1);
    msg += 16;
    len -= 16;
  }
  if (len) {
    uint8_t last[16] = {0};
    for (uint32_t i = 0; i < len; i++) last[i] = msg[i];
    last[len] = 1;
    block(&st, last, 0);
  }
  for (int i = 1; i <= 5; i++) {
    uint32_t c = st.h[i % 5 ? i - 1 : 4] >> 26;
    st.h[i - 1] &= 0x3ffffff;
    st.h[i % 5] += i == 5 ? c * 5 : c;
  }
  uint32_t g[5], c = 5;
  for (int i = 0; i < 5; i++) {
    g[i] = st.h[i] + c;
    c = g[i] >> 26;
    g[i] &= 0x3ffffff;
  }
  if (c) memcpy(st.h, g, sizeof g);
  const uint32_t w[4] = {st.h[0] | st.h[1] << 26, st.h[1] >> 6 | st.h[2] << 20,
                         st.h[2] >> 12 | st.h[3] << 14, st.h[3] >> 18 | st.h[4] << 8};
  uint64_t f = 0;
  for (int i = 0; i < 4; i++) {
    f = (uint64_t)w[i] + st.pad[i] + (f >> 32);
    tag[4 * i] = (uint8_t)f;
    tag[4 * i + 1] = (uint8_t)(f >> 8);
    tag[4 * i + 2] = (uint8_t)(f >> 16);
    tag[4 * i + 3] = (uint8_t)(f >> 24);
  }
}

int main(void) {
  static const uint8_t key[32] =
      "\x85\xd6\xbe\x78\x57\x55\x6d\x33\x7f\x44\x52\xfe\x42\xd5\x06\xa8"
      "\x01\x03\x80\x8a\xfb\x0d\xb2\xfd\x4a\xbf\xf6\xaf\x41\x49\xf5\x1b";
  uint8_t msg[48] = "Cryptographic Forum Research Group", tag[16];
  poly1305(tag, msg, 34, key);
  if (memcmp(tag, "\xa8\x06\x1d\xc1\x30\x51\x36\xc6\xc2\x2b\x8b\xaf\x0c\x01\x27\xa9", 16)) return 1;
  // RFC 8439, A.3, vectors 7 and 8: the sum passes 2^130 - 5.
  uint8_t two[32] = {1}, pad[48];
  memset(pad, 0xff, 16);
  memcpy(pad + 16, "\xf0\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 16);
  memset(pad + 32, 0, 16);
  pad[32] = 0x11;
  poly1305(tag, pad, 48, two);
  if (memcmp(tag, "\5\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0", 16)) return 2;
  memcpy(pad + 16, "\xfb\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe\xfe", 16);
  memset(pad + 32, 1, 16);
  poly1305(tag, pad, 48, two);
  for (int i = 0; i < 16; i++) if (tag[i]) return 3;
  return 0;
}
