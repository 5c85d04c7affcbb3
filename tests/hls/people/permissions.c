// SPDX-License-Identifier: Apache-2.0
// top: describe
// "rwxr-sr-t" from a mode and back, as ls and chmod have it: flags of an enum, octal constants.
#include <stdint.h>
#include <string.h>

enum mode {
  S_XOTH = 01, S_WOTH = 02, S_ROTH = 04,
  S_XGRP = S_XOTH << 3, S_WGRP = S_WOTH << 3, S_RGRP = S_ROTH << 3,
  S_XUSR = S_XGRP << 3, S_WUSR = S_WGRP << 3, S_RUSR = S_RGRP << 3,
  S_STICKY = 01000, S_SETGID = 02000, S_SETUID = 04000,
  S_ALL = 07777
};

static char last(enum mode m, enum mode x, enum mode special, char letter) {
  if (m & special) return m & x ? letter : (char)(letter - 'a' + 'A');
  return "-x"[!!(m & x)];
}

uint16_t describe(uint16_t bits, char text[10]) {
  const enum mode m = (enum mode)(bits & S_ALL);
  static const char rwx[9] = "rwxrwxrwx";
  for (int i = 0; i < 9; i++) text[i] = m & (0400 >> i) ? rwx[i] : '-';
  text[2] = last(m, S_XUSR, S_SETUID, 's');
  text[5] = last(m, S_XGRP, S_SETGID, 's');
  text[8] = last(m, S_XOTH, S_STICKY, 't');
  text[9] = '\0';
  uint16_t back = 0, special = 0;
  for (int i = 0; i < 9; i++) {
    back = (uint16_t)(back << 1);
    switch (text[i]) {
    case 's': case 't':
      back |= 1;
      /* fall through */
    case 'S': case 'T':
      special |= (uint16_t)(04000 >> i / 3);
      break;
    case '-': break;
    default: back |= 1;
    }
  }
  return back | special;
}

int main(void) {
  static const struct { uint16_t mode; const char *text; } t[] = {
      {0644, "rw-r--r--"}, {0755, "rwxr-xr-x"}, {04755, "rwsr-xr-x"}, {01777, "rwxrwxrwt"},
      {02711, "rwx--s--x"}, {06000, "--S--S---"}, {01000, "--------T"}, {0, "---------"}, {07777,
          "rwsrwsrwt"},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    char text[10] = "?????????";
    uint16_t got = describe(t[i].mode, text);
    if (strcmp(text, t[i].text)) return (int)i + 1;
    if (got != t[i].mode) return 20 + (int)i;
  }
  return 0;
}
