// SPDX-License-Identifier: Apache-2.0
// top: evaluate
// Expressions without recursion: two stacks, precedence climbing by a table. 0 in *error is well.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DEPTH = 16 };
static const char ops[] = "|^&+-*/%";
static const uint8_t priority[] = {1, 2, 3, 4, 4, 5, 5, 5};

static bool apply(int32_t *v, unsigned *n, char op) {
  if (*n < 2) return false;
  const int32_t b = v[--*n], a = v[*n - 1];
  int32_t r;
  switch (op) {
    case '|': r = a | b; break;
    case '^': r = a ^ b; break;
    case '&': r = a & b; break;
    case '+': r = a + b; break;
    case '-': r = a - b; break;
    case '*': r = a * b; break;
    case '/':
    case '%':
      if (b == 0) return false;
      r = op == '/' ? a / b : a % b;
      break;
    default: return false;
  }
  v[*n - 1] = r;
  return true;
}

static uint8_t prio(char op) {
  const char *at = op ? strchr(ops, op) : NULL;
  return at ? priority[at - ops] : 0;
}

int32_t evaluate(const char text[32], uint8_t *error) {
  int32_t values[DEPTH] = {0};
  char pending[DEPTH];
  unsigned n = 0, m = 0;
  *error = 1;
  for (unsigned i = 0; i < 31 && text[i]; ++i) {
    const char c = text[i];
    if (c == ' ') continue;
    if (c >= '0' && c <= '9') {
      int32_t v = c - '0';
      while (text[i + 1] >= '0' && text[i + 1] <= '9') v = v * 10 + (text[++i] - '0');
      if (n == DEPTH) return 0;
      values[n++] = v;
    } else if (c == '(') {
      if (m == DEPTH) return 0;
      pending[m++] = c;
    } else if (c == ')') {
      while (m && pending[m - 1] != '(')
        if (!apply(values, &n, pending[--m])) return 0;
      if (!m) return 0;
      --m;
    } else if (prio(c)) {
      while (m && prio(pending[m - 1]) >= prio(c))
        if (!apply(values, &n, pending[--m])) return 0;
      if (m == DEPTH) return 0;
      pending[m++] = c;
    } else {
      return 0;
    }
  }
  while (m)
    if (!apply(values, &n, pending[--m])) return 0;
  if (n != 1) return 0;
  *error = 0;
  return values[0];
}

int main(void) {
  static const struct { char text[32]; int32_t value; uint8_t error; } t[] = {
      {"1 + 2 * 3", 7, 0}, {"(1+2)*3", 9, 0}, {"100/7%5", 4, 0}, {"2*(3+(4-1))*5", 60, 0},
      {"1|6^3&2", 1 | 6 ^ 3 & 2, 0}, {"", 0, 1}, {"1+", 0, 1}, {"(1", 0, 1}, {"4/0", 0, 1},
      {"7-10-20", -23, 0}, {"1$2", 0, 1}, {"((((42))))", 42, 0},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; ++i) {
    uint8_t error = 9;
    if (evaluate(t[i].text, &error) != t[i].value || error != t[i].error) return (int)i + 1;
  }
  return 0;
}
