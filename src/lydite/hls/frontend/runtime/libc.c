// SPDX-License-Identifier: Apache-2.0
// The part of the C library that is plain computation, for programs that become hardware.
//
// Every function is weak: a program's own definition goes first. memcpy, memmove and memset are not
// here, since the compiler expands them. Results are those of ISO C; where it leaves a value open
// (the sign of a comparison is all it fixes) they are those of glibc.

#include <stddef.h>
#include <stdint.h>

#define LIB __attribute__((weak))

LIB int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *p = a, *q = b;
  for (size_t i = 0; i < n; i++)
    if (p[i] != q[i]) return p[i] - q[i];
  return 0;
}

LIB int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }

LIB void *memchr(const void *s, int c, size_t n) {
  const unsigned char *p = s;
  for (size_t i = 0; i < n; i++)
    if (p[i] == (unsigned char)c) return (void *)(p + i);
  return 0;
}

LIB size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}

LIB size_t strnlen(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) n++;
  return n;
}

LIB int strcmp(const char *a, const char *b) {
  size_t i = 0;
  while (a[i] && a[i] == b[i]) i++;
  return (unsigned char)a[i] - (unsigned char)b[i];
}

LIB int strncmp(const char *a, const char *b, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (a[i] != b[i]) return (unsigned char)a[i] - (unsigned char)b[i];
    if (!a[i]) return 0;
  }
  return 0;
}

LIB char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do to[i] = from[i];
  while (from[i++]);
  return to;
}

LIB char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}

LIB char *strcat(char *to, const char *from) {
  strcpy(to + strlen(to), from);
  return to;
}

LIB char *strchr(const char *s, int c) {
  for (;; s++) {
    if (*s == (char)c) return (char *)s;
    if (!*s) return 0;
  }
}

LIB char *strrchr(const char *s, int c) {
  const char *last = 0;
  for (;; s++) {
    if (*s == (char)c) last = s;
    if (!*s) return (char *)last;
  }
}

LIB char *strstr(const char *text, const char *word) {
  for (;; text++) {
    size_t i = 0;
    while (word[i] && text[i] == word[i]) i++;
    if (!word[i]) return (char *)text;
    if (!*text) return 0;
  }
}

LIB int abs(int x) { return x < 0 ? -x : x; }
LIB long labs(long x) { return x < 0 ? -x : x; }
LIB long long llabs(long long x) { return x < 0 ? -x : x; }
LIB int ffs(int x) { return __builtin_ffs(x); }

LIB int isdigit(int c) { return c >= '0' && c <= '9'; }
LIB int isupper(int c) { return c >= 'A' && c <= 'Z'; }
LIB int islower(int c) { return c >= 'a' && c <= 'z'; }
LIB int isalpha(int c) { return isupper(c) || islower(c); }
LIB int isalnum(int c) { return isalpha(c) || isdigit(c); }
LIB int isspace(int c) { return c == ' ' || (c >= '\t' && c <= '\r'); }
LIB int isxdigit(int c) { return isdigit(c) || ((c | 32) >= 'a' && (c | 32) <= 'f'); }
LIB int isprint(int c) { return c >= 32 && c < 127; }
LIB int ispunct(int c) { return isprint(c) && c != ' ' && !isalnum(c); }
LIB int iscntrl(int c) { return (c >= 0 && c < 32) || c == 127; }
LIB int toupper(int c) { return islower(c) ? c - 32 : c; }
LIB int tolower(int c) { return isupper(c) ? c + 32 : c; }

LIB int atoi(const char *s) {
  int sign = 0;
  unsigned value = 0;
  while (isspace((unsigned char)*s)) s++;
  if (*s == '-' || *s == '+') sign = *s++ == '-';
  while (isdigit((unsigned char)*s)) value = value * 10 + (unsigned)(*s++ - '0');
  return (int)(sign ? -value : value);
}
