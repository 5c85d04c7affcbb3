// SPDX-License-Identifier: Apache-2.0
// top: run
// A stack machine by X macros: opcodes, their names and their effects stand in one list.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#define OPCODES(OP)                                           \
  OP(HALT, "halt", 0, return top(m))                          \
  OP(PUSH, "push", 1, push(m, arg))                           \
  OP(ADD, "add", 0, { int32_t b = pop(m); push(m, pop(m) + b); })   \
  OP(SUB, "sub", 0, { int32_t b = pop(m); push(m, pop(m) - b); })   \
  OP(MUL, "mul", 0, { int32_t b = pop(m); push(m, pop(m) * b); })   \
  OP(DUP, "dup", 0, push(m, top(m)))                          \
  OP(SWAP, "swap", 0, { int32_t b = pop(m); int32_t a = pop(m); push(m, b); push(m, a); }) \
  OP(JNZ, "jnz", 1, if (pop(m)) m->pc = (uint8_t)arg)         \
  OP(STORE, "store", 1, m->var[arg & 3] = pop(m))             \
  OP(LOAD, "load", 1, push(m, m->var[arg & 3]))

typedef enum {
#define OP(name, text, operands, effect) OP_##name,
  OPCODES(OP)
#undef OP
  OP_COUNT
} opcode;

static const uint8_t operands_of[] = {
#define OP(name, text, operands, effect) [OP_##name] = operands,
    OPCODES(OP)
#undef OP
};

typedef struct { int32_t stack[8], var[4]; uint8_t sp, pc; } machine;

static inline void push(machine *m, int32_t v) { m->stack[m->sp++ & 7] = v; }
static inline int32_t pop(machine *m) { return m->stack[--m->sp & 7]; }
static inline int32_t top(const machine *m) { return m->stack[(m->sp - 1) & 7]; }

int32_t run(const int8_t code[32], int32_t x, uint16_t *steps) {
  machine state = {.var = {x}}, *const m = &state;
  for (*steps = 0; *steps < 300; ++*steps) {
    const uint8_t op = (uint8_t)code[m->pc++ & 31];
    if (op >= OP_COUNT) return -1;
    const int8_t arg = operands_of[op] ? code[m->pc++ & 31] : 0;
    switch ((opcode)op) {
#define OP(name, text, operands, effect) case OP_##name: effect; break;
      OPCODES(OP)
#undef OP
      case OP_COUNT: break;
    }
  }
  return -2;
}

int main(void) {
  static const int8_t factorial[32] = {OP_PUSH, 1, OP_STORE, 1, /* 4: */ OP_LOAD, 0, OP_LOAD, 1,
      OP_MUL, OP_STORE, 1,
                                       OP_LOAD, 0, OP_PUSH, 1, OP_SUB, OP_DUP, OP_STORE, 0,
                                           OP_JNZ, 4, OP_LOAD, 1, OP_HALT};
  static const int8_t difference[32] = {OP_PUSH, -5, OP_LOAD, 0, OP_SWAP, OP_SUB, OP_HALT};
  static const int8_t endless[32] = {OP_PUSH, 1, OP_JNZ, 0};
  static const int8_t broken[32] = {OP_DUP, 99};
  uint16_t steps = 0;
  assert(run(factorial, 1, &steps) == 1 && steps == 13);
  assert(run(factorial, 5, &steps) == 120);
  assert(run(factorial, 12, &steps) == 479001600 && steps == 2 + 12 * 10 + 1 - 0);
  assert(run(difference, 37, &steps) == 42);
  assert(run(endless, 0, &steps) == -2 && steps == 300);
  assert(run(broken, 0, &steps) == -1);
  static const char *const names[] = {
#define OP(name, text, operands, effect) text,
      OPCODES(OP)
#undef OP
  };
  assert(strcmp(names[OP_JNZ], "jnz") == 0);
  return 0;
}
