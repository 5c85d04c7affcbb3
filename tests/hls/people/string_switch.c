// SPDX-License-Identifier: Apache-2.0
// top: keyword
// switch on strings by a hash that the preprocessor works out, with the string compared behind it.
#include <stdint.h>
#include <string.h>

#define H1(s, i, x) ((x) * 33u + (uint8_t)(s)[(i) < sizeof(s) - 1 ? (i) : sizeof(s) - 1])
#define H4(s, i, x) H1(s, i, H1(s, i + 1, H1(s, i + 2, H1(s, i + 3, x))))
#define HASH(s) H4(s, 0, H4(s, 4, 5381u))

static uint32_t hash(const char s[9]) {
  uint32_t h = 5381, n = 0;
  while (n < 8 && s[n]) n++;
  for (int i = 7; i >= 0; i--) h = h * 33 + (uint8_t)((unsigned)i < n ? s[i] : 0);
  return h;
}

enum { NOT_A_WORD, CONTROL, TYPE, STORAGE };

uint8_t keyword(const char s[9], uint32_t *h) {
#define WORD(text, kind) if (strcmp(s, text) == 0) return kind
  switch (*h = hash(s) % 61) {
    default: break;
    case 0 ... 19: WORD("if", CONTROL); WORD("char", TYPE); WORD("auto", STORAGE); WORD("do",
        CONTROL);
    // Each word stands in all three, as a perfect hash is not worth the trouble here.
    case 20 ... 39: WORD("else", CONTROL); WORD("long", TYPE); WORD("int", TYPE); WORD("goto",
        CONTROL);
    case 40 ... 60: WORD("static", STORAGE); WORD("while", CONTROL); WORD("register", STORAGE);
      WORD("if", CONTROL); WORD("char", TYPE); WORD("auto", STORAGE); WORD("do", CONTROL);
      WORD("else", CONTROL); WORD("long", TYPE); WORD("int", TYPE); WORD("goto", CONTROL);
  }
  return NOT_A_WORD;
}

int main(void) {
  static const struct { char s[9]; uint8_t kind; } t[] = {
      {"if", CONTROL}, {"char", TYPE}, {"register", STORAGE}, {"registre", 0}, {"", 0},
          {"integer", 0},
      {"int", TYPE}, {"static", STORAGE}, {"do", CONTROL}, {"double", 0}, {"goto", CONTROL},
          {"else", CONTROL},
  };
  static const uint32_t known[] = {HASH("if") % 61, HASH("char") % 61, HASH("register") % 61};
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    uint32_t h = 99;
    if (keyword(t[i].s, &h) != t[i].kind || h > 60) return (int)i + 1;
    if (i < 3 && h != known[i]) return 50 + (int)i;
  }
  return 0;
}
