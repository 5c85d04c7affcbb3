// SPDX-License-Identifier: Apache-2.0
// top: next_rune
// One code point of UTF-8, with all that RFC 3629 forbids refused; cases fall through on purpose.
#include <stdint.h>

struct rune { int32_t code; uint32_t used; };

void next_rune(const uint8_t s[4], struct rune *r) {
  uint32_t c = s[0], n, least;
  if (c < 0x80) { r->code = (int32_t)c; r->used = 1; return; }
  if ((c & 0xe0) == 0xc0) { n = 1; least = 0x80; c &= 0x1f; }
  else if ((c & 0xf0) == 0xe0) { n = 2; least = 0x800; c &= 0x0f; }
  else if ((c & 0xf8) == 0xf0) { n = 3; least = 0x10000; c &= 0x07; }
  else goto bad;
  uint32_t i = 1;
  switch (n) {
  case 3:
    if ((s[i] & 0xc0) != 0x80) goto bad;
    c = c << 6 | (s[i++] & 0x3f);
    /* fall through */
  case 2:
    if ((s[i] & 0xc0) != 0x80) goto bad;
    c = c << 6 | (s[i++] & 0x3f);
    /* fall through */
  case 1:
    if ((s[i] & 0xc0) != 0x80) goto bad;
    c = c << 6 | (s[i++] & 0x3f);
  }
  if (c < least || c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) goto bad;
  r->code = (int32_t)c;
  r->used = i;
  return;
bad:
  r->code = -1;
  r->used = 1;
}

#define N(a) (sizeof(a) / sizeof *(a))

int main(void) {
  static const struct { uint8_t s[5]; int32_t code; uint32_t used; } t[] = {
      {"A", 'A', 1}, {"\xc3\xa9", 0xe9, 2}, {"\xe2\x82\xac", 0x20ac, 3},
      {"\xf0\x9f\x98\x80", 0x1f600, 4}, {"\xc0\x80", -1, 1}, {"\xed\xa0\x80", -1, 1},
      {"\xf4\x90\x80\x80", -1, 1}, {"\xe2\x28\xa1", -1, 1}, {"\x80", -1, 1}, {"", 0, 1},
      {"\xef\xbf\xbd", 0xfffd, 3}, {"\xf4\x8f\xbf\xbf", 0x10ffff, 4},
  };
  for (unsigned k = 0; k < N(t); k++) {
    struct rune r = {0, 0};
    next_rune(t[k].s, &r);
    if (r.code != t[k].code || r.used != t[k].used) return (int)k + 1;
  }
  return 0;
}
