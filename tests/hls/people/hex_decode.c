// SPDX-License-Identifier: Apache-2.0
// top: unhex
// "de ad:BE-ef" to bytes; separators may stand between pairs. Gives the count, or what is wrong.
#include <assert.h>
#include <ctype.h>
#include <stdint.h>
#include <string.h>

static int nibble(char c) {
  static const char digits[] = "0123456789abcdef";
  const char *at = strchr(digits, c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c);
  return at && *at ? (int)(at - digits) : -1;
}

int unhex(const char text[40], uint8_t out[20]) {
  int count = 0;
  for (int i = 0; text[i] != '\0' && i < 39; i++) {
    const char c = text[i];
    if (isspace((unsigned char)c) || c == ':' || c == '-') continue;
    const int high = nibble(c);
    if (high < 0) return -1 - i;
    const int low = nibble(text[i + 1]);
    if (low < 0) return -2 - i;
    out[count++] = (uint8_t)(high << 4 | low);
    i++;
  }
  return count;
}

int main(void) {
  char text[40] = "de ad:BE-ef";
  uint8_t out[20] = {0};
  assert(unhex(text, out) == 4);
  assert(memcmp(out, "\xde\xad\xbe\xef", 4) == 0);
  strcpy(text, "00 01 7f80ff");
  assert(unhex(text, out) == 5 && memcmp(out, "\0\x01\x7f\x80\xff", 5) == 0);
  strcpy(text, "0g");
  assert(unhex(text, out) == -2);
  strcpy(text, "12 3");
  assert(unhex(text, out) == -5);
  strcpy(text, "x");
  assert(unhex(text, out) == -1);
  strcpy(text, "");
  assert(unhex(text, out) == 0);
  return 0;
}
