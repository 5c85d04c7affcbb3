// SPDX-License-Identifier: Apache-2.0
// top: dispatch
// Commands by a table of names and functions, handlers with state, and a callback in a structure.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

typedef int32_t handler(int32_t, int32_t);

static int32_t add(int32_t a, int32_t b) { return a + b; }
static int32_t sub(int32_t a, int32_t b) { return a - b; }
static int32_t clamp(int32_t a, int32_t b) { return a > b ? b : a < -b ? -b : a; }
static int32_t accumulate(int32_t a, int32_t b) {
  static int32_t total;
  return total += a * b;
}
static int32_t unknown(int32_t a, int32_t b) { (void)a, (void)b; return INT32_MIN; }

static const struct command {
  char name[8];
  handler *run;
  uint8_t flags;
} commands[] = {
    {"add", add, 0}, {"sub", sub, 1}, {"clamp", &clamp, 2}, {"acc", *accumulate, 0},
};

static struct { handler *last; unsigned count; } session = {unknown, 0};

int32_t dispatch(const char name[8], int32_t a, int32_t b) {
  handler *chosen = unknown;
  uint8_t flags = 0;
  if (name[0] == '!') {
    chosen = session.last;
  } else {
    for (const struct command *c = commands; c < commands + sizeof commands / sizeof *commands; c++)
      if (strncmp(c->name, name, sizeof c->name) == 0) {
        chosen = c->run;
        flags = c->flags;
        break;
      }
  }
  session.last = chosen;
  session.count++;
  const int32_t r = flags & 1 ? chosen(b, a) : chosen(a, b);
  return flags & 2 ? r * 10 : r + (int32_t)(session.count * 1000000);
}

int main(void) {
  static const struct { char name[8]; int32_t a, b, result; } t[] = {
      {"!", 1, 2, INT32_MIN + 1000000}, {"add", 40, 2, 2000042}, {"sub", 40, 2, 2999962},
      {"clamp", 50, 7, 70}, {"clamp", -50, 7, -70}, {"acc", 3, 4, 6000012}, {"!", 5, 5, 7000037},
      {"nothing", 1, 1, INT32_MIN + 8000000}, {"acc", -1, 37, 9000000}, {"", 1, 1,
          INT32_MIN + 10000000},
  };
  for (unsigned i = 0; i < sizeof t / sizeof *t; i++) {
    const int32_t got = dispatch(t[i].name, t[i].a, t[i].b);
    if (got != t[i].result) return printf("%u: %d\n", i, got), 1;
  }
  return 0;
}
