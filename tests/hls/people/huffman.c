// SPDX-License-Identifier: Apache-2.0
// top: inflate_fixed
// A block of DEFLATE with the fixed code (RFC 1951, 3.2.6): a bit reader with a pointer in it,
// canonical codes by counting, matches that overlap themselves.
#include <stdint.h>
#include <string.h>

typedef struct { const uint8_t *in; uint32_t pos, bits, count; } reader;

static uint32_t get(reader *r, unsigned n) {
  while (r->count < n) {
    r->bits |= (uint32_t)r->in[r->pos++] << r->count;
    r->count += 8;
  }
  const uint32_t v = r->bits & ((1u << n) - 1);
  r->bits >>= n;
  r->count -= n;
  return v;
}

static unsigned symbol(reader *r) {
  uint32_t code = 0;
  for (unsigned length = 1; length <= 9; length++) {
    code = code << 1 | get(r, 1);
    if (length == 7 && code < 24) return 256 + code;
    if (length == 8 && code >= 48 && code < 192) return code - 48;
    if (length == 8 && code >= 192 && code < 200) return 280 + code - 192;
    if (length == 9) return code - 400 + 144;
  }
  return 0;
}

int inflate_fixed(const uint8_t in[32], uint8_t out[64]) {
  static const uint16_t base[] = {3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31};
  static const uint8_t extra[] = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2};
  static const uint8_t far[] = {1, 2, 3, 4, 5, 7, 9, 13, 17, 25};
  reader r = {.in = in};
  int n = 0;
  if (get(&r, 3) != 3) return -1;
  while (r.pos < 31) {
    const unsigned s = symbol(&r);
    if (s == 256) return n;
    if (s < 256) {
      if (n == 64) return -2;
      out[n++] = (uint8_t)s;
      continue;
    }
    if (s - 257 > 15) return -3;
    unsigned length = base[s - 257] + get(&r, extra[s - 257]);
    unsigned d = 0;
    for (int i = 0; i < 5; i++) d = d << 1 | get(&r, 1);
    if (d > 9) return -4;
    const int distance = far[d] + (d > 3 ? (int)get(&r, d / 2 - 1) : 0);
    if (distance > n || n + (int)length > 64) return -5;
    for (; length--; n++) out[n] = out[n - distance];
  }
  return -6;
}

int main(void) {
  static const struct { uint8_t in[32]; int length; const char *text; } t[] = {
      {{0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x90, 0x00}, 17, "hello hello hello"},
      {{0x4b, 0x04, 0x00}, 1, "a"},
      {{0x4b, 0x4c, 0xc4, 0x01, 0x00}, 25, "aaaaaaaaaaaaaaaaaaaaaaaaa"},
      {{0x4b, 0x4c, 0x4a, 0x4e, 0x44, 0x42, 0xff, 0xff, 0x01, 0x00}, 17, "abcabcabcabcabc\377\376"},
      {{0x03, 0x00}, 0, ""},
      {{0x2b, 0xc9, 0x4c, 0xce, 0x56, 0x28, 0xc9, 0x07, 0x11, 0x30, 0x96, 0x0e, 0x98, 0x09, 0x00},
          25, "tick tock tick tock, tick"},
      {{0x01}, -1, ""},
      {{0x03, 0x02, 0x02}, -5, ""},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    uint8_t out[64] = {0};
    if (inflate_fixed(t[i].in, out) != t[i].length) return (int)i + 1;
    if (t[i].length > 0 && memcmp(out, t[i].text, (size_t)t[i].length)) return 20 + (int)i;
  }
  return 0;
}
