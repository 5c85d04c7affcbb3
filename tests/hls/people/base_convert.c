// SPDX-License-Identifier: Apache-2.0
// top: to_base
/* itoa for bases 2 to 36, and strtoul's way back, as every embedded project has once written it. */
#include <assert.h>
#include <string.h>

static void strreverse(char *begin, char *end)
{
  char aux;
  while (end > begin)
    aux = *end, *end-- = *begin, *begin++ = aux;
}

unsigned to_base(int value, char str[34], unsigned base)
{
  static const char num[] = "0123456789abcdefghijklmnopqrstuvwxyz";
  char *wstr = str;
  unsigned sign = value < 0, rest = sign ? 0u - (unsigned)value : (unsigned)value, back = 0;

  if (base < 2 || base > 35 + 1) {
    *wstr = '\0';
    return 0;
  }
  do
    *wstr++ = num[rest % base];
  while (rest /= base);
  if (sign) *wstr++ = '-';
  *wstr = '\0';
  strreverse(str, wstr - 1);

  for (const char *c = str + sign; *c; c++)
    back = back * base + (unsigned)(*c <= '9' ? *c - '0' : *c - 'a' + 10);
  return sign ? -back : back;
}

int main(void)
{
  static const struct { int v; unsigned base; const char *text; } t[] = {
    {0, 10, "0"}, {-1, 2, "-1"}, {255, 16, "ff"}, {1295, 36, "zz"}, {-2147483647 - 1, 10,
        "-2147483648"},
    {2147483647, 2, "1111111111111111111111111111111"}, {511, 8, "777"}, {19, 3, "201"},
  };
  char s[34];
  for (unsigned i = 0; i < sizeof(t) / sizeof(*t); i++) {
    memset(s, '?', sizeof s);
    assert(to_base(t[i].v, s, t[i].base) == (unsigned)t[i].v);
    assert(!strcmp(s, t[i].text));
  }
  assert(to_base(5, s, 37) == 0 && !*s);
  return 0;
}
