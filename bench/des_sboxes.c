// SPDX-License-Identifier: Apache-2.0
//
// Looks for small circuits of the S-boxes of DES (FIPS 46-3, Appendix 1), of functions of three
// inputs (ternary logic of AVX-512) or of the two-input gates that all vector units have. Prints C
// for cores/des/sw, the smallest one that it came by last:
//
//     cc -O3 -march=native bench/des_sboxes.c -o search
//     ./search ternary|gates SBOX SECONDS SEED
//
// The way is that of Kwan, "Reducing the Gate Count of Bitslice DES" (2000): a function that is
// wanted where `mask` is set is one that stands there, or one or more gates of those, or is parted
// by an input into halves that are wanted on half of the places each; what one half has made serves
// the other one and all later outputs. Ties and the order of the outputs are drawn at random. A
// circuit of LUT(LUT(a, b, c), d, e) is found by colouring: inner values that must differ in a cell
// of d, e have different colours.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../src/lydite/cores/des/sw/tables.h"

#define INPUTS 6
#define OUTPUTS 4
#define MOST 96
#define STALE 200  // tries without a smaller circuit after which all is made anew

typedef uint64_t table;  // a function of the six inputs: bit x for the input x

enum kind { INPUT, LUT, AND, OR, XOR, ANDN, NOT };

typedef struct {
  table value;
  enum kind kind;
  uint8_t function;  // of LUT: bit 4 * a + 2 * b + c
  uint8_t from[3];
} gate;

typedef struct {
  int count;
  gate gates[MOST];
} circuit;


static int ternary;
static uint64_t state;

static unsigned draw(unsigned below) {
  state ^= state << 13, state ^= state >> 7, state ^= state << 17;
  return (unsigned)((state >> 11) % below);
}

static int add(circuit *c, enum kind kind, table value, int a, int b, int d, unsigned function) {
  c->gates[c->count] = (gate){.value = value, .kind = kind, .function = (uint8_t)function,
                              .from = {(uint8_t)a, (uint8_t)b, (uint8_t)d}};
  return c->count++;
}

static table lut_value(unsigned function, table a, table b, table d) {
  table value = 0;
  for (unsigned x = 0; x < 8; x++) {
    if (function >> x & 1) value |= (x & 4 ? a : ~a) & (x & 2 ? b : ~b) & (x & 1 ? d : ~d);
  }
  return value;
}

static int add_lut(circuit *c, unsigned function, int a, int b, int d) {
  const gate *g = c->gates;
  return add(c, LUT, lut_value(function, g[a].value, g[b].value, g[d].value), a, b, d, function);
}

// ---- what can be had with one or two gates ----

// The function of three tables that is `want` in `mask`, or -1.
static int fit3(const table in[3], table want, table mask) {
  const table one = want & mask, zero = ~want & mask;
  unsigned function = 0;
  for (unsigned x = 0; x < 8; x++) {
    const table cell = (x & 4 ? in[0] : ~in[0]) & (x & 2 ? in[1] : ~in[1]) &
                       (x & 1 ? in[2] : ~in[2]);
    if ((cell & one) && (cell & zero)) return -1;
    if (cell & one) function |= 1U << x;
  }
  return (int)function;
}

static int one_lut(circuit *c, table want, table mask) {
  const int n = c->count;
  const int shift = (int)draw((unsigned)n);
  for (int ii = 0; ii < n; ii++) {
    const int i = (ii + shift) % n;
    for (int j = 0; j < n; j++) {
      if (j == i) continue;
      for (int k = j + 1; k < n; k++) {
        if (i > j) break;
        if (k == i) continue;
        const table in[3] = {c->gates[i].value, c->gates[j].value, c->gates[k].value};
        const int function = fit3(in, want, mask);
        if (function >= 0) return add_lut(c, (unsigned)function, i, j, k);
      }
    }
  }
  return -1;
}

// Two colours for the eight inner cells, so that LUT(inner, d, e) exists; -1 if there are none.
static int colour(const table inner[8], const table outer[4], table one, table zero) {
  uint8_t differs[8] = {0};
  for (int o = 0; o < 4; o++) {
    unsigned ones = 0, zeros = 0;
    for (unsigned x = 0; x < 8; x++) {
      const table cell = inner[x] & outer[o];
      ones |= (cell & one ? 1U : 0U) << x;
      zeros |= (cell & zero ? 1U : 0U) << x;
    }
    for (unsigned x = 0; x < 8; x++) {
      if (ones >> x & 1) differs[x] |= (uint8_t)zeros;
      if (zeros >> x & 1) differs[x] |= (uint8_t)ones;
    }
  }
  unsigned set = 0, done = 0;
  for (unsigned start = 0; start < 8; start++) {
    if (done >> start & 1) continue;
    unsigned front = 1U << start;
    const unsigned flip = draw(2);
    if (flip) set |= front;
    done |= front;
    while (front) {
      const unsigned x = (unsigned)__builtin_ctz(front);
      front &= front - 1;
      const unsigned mine = set >> x & 1;
      for (unsigned y = 0; y < 8; y++) {
        if (!(differs[x] >> y & 1)) continue;
        if (done >> y & 1) {
          if ((set >> y & 1) == mine) return -1;
        } else {
          done |= 1U << y, front |= 1U << y;
          if (!mine) set |= 1U << y;
        }
      }
    }
  }
  return (int)set;
}

static int two_luts_of(circuit *c, const int five[5], table want, table mask) {
  for (int d = 0; d < 5; d++) {
    for (int e = d + 1; e < 5; e++) {
      int in[3], n = 0;
      for (int i = 0; i < 5; i++) {
        if (i != d && i != e) in[n++] = five[i];
      }
      table inner[8], outer[4];
      for (unsigned x = 0; x < 8; x++) inner[x] = lut_value(1U << x, c->gates[in[0]].value,
                                                            c->gates[in[1]].value,
                                                            c->gates[in[2]].value);
      const table vd = c->gates[five[d]].value, ve = c->gates[five[e]].value;
      for (unsigned x = 0; x < 4; x++) outer[x] = (x & 2 ? vd : ~vd) & (x & 1 ? ve : ~ve);
      const int set = colour(inner, outer, want & mask, ~want & mask);
      if (set < 0) continue;
      const int g = add_lut(c, (unsigned)set, in[0], in[1], in[2]);
      const table tables[3] = {c->gates[g].value, vd, ve};
      return add_lut(c, (unsigned)fit3(tables, want, mask), g, five[d], five[e]);
    }
  }
  return -1;
}

// Parts cells by a table; gives how many still have both values of what is wanted.
static int part_cells(table *to, const table *from, int count, table by, table one, table zero) {
  int left = 0;
  for (int x = 0; x < count; x++) {
    const table u = from[x] & ~by, v = from[x] & by;
    if ((u & one) && (u & zero)) to[left++] = u;
    if ((v & one) && (v & zero)) to[left++] = v;
  }
  return left;
}

// Whether a table parts all cells.
static int parts_all(const table *cells, int count, table by, table one, table zero) {
  for (int x = 0; x < count; x++) {
    const table u = cells[x] & ~by, v = cells[x] & by;
    if (((u & one) && (u & zero)) || ((v & one) && (v & zero))) return 0;
  }
  return 1;
}

static void shuffle(int *order, int n) {
  for (int i = 0; i < n; i++) order[i] = i;
  for (int i = n - 1; i > 0; i--) {
    const int j = (int)draw((unsigned)i + 1), t = order[i];
    order[i] = order[j], order[j] = t;
  }
}

// Five tables that together decide what is wanted, and two LUTs of them.
static int two_luts(circuit *c, table want, table mask) {
  const table one = want & mask, zero = ~want & mask;
  const int n = c->count;
  int o[MOST];
  shuffle(o, n);
  table cells[5][32];
  int left[5] = {1};
  cells[0][0] = mask;
  for (int i = 0; i < n; i++) {
    left[1] = part_cells(cells[1], cells[0], left[0], c->gates[o[i]].value, one, zero);
    for (int j = i + 1; j < n; j++) {
      left[2] = part_cells(cells[2], cells[1], left[1], c->gates[o[j]].value, one, zero);
      for (int k = j + 1; k < n; k++) {
        left[3] = part_cells(cells[3], cells[2], left[2], c->gates[o[k]].value, one, zero);
        for (int l = k + 1; l < n; l++) {
          left[4] = part_cells(cells[4], cells[3], left[3], c->gates[o[l]].value, one, zero);
          for (int m = l + 1; m < n; m++) {
            if (!parts_all(cells[4], left[4], c->gates[o[m]].value, one, zero)) continue;
            const int five[5] = {o[i], o[j], o[k], o[l], o[m]};
            const int found = two_luts_of(c, five, want, mask);
            if (found >= 0) return found;
          }
        }
      }
    }
  }
  return -1;
}

static table value_of(enum kind kind, table a, table b) {
  if (kind == AND) return a & b;
  if (kind == OR) return a | b;
  if (kind == XOR) return a ^ b;
  return kind == ANDN ? a & ~b : ~a;
}

static const enum kind pairs[4] = {AND, OR, XOR, ANDN};

static int one_gate(circuit *c, table want, table mask) {
  for (int i = 0; i < c->count; i++) {
    if (!((~c->gates[i].value ^ want) & mask)) return add(c, NOT, ~c->gates[i].value, i, i, i, 0);
  }
  const int shift = (int)draw((unsigned)c->count);
  for (int ii = 0; ii < c->count; ii++) {
    const int i = (ii + shift) % c->count;
    for (int j = 0; j < c->count; j++) {
      for (int k = 0; k < 4; k++) {
        const table value = value_of(pairs[k], c->gates[i].value, c->gates[j].value);
        if (!((value ^ want) & mask)) return add(c, pairs[k], value, i, j, j, 0);
      }
    }
  }
  return -1;
}

static int two_gates(circuit *c, table want, table mask) {
  const int n = c->count;
  const int shift = (int)draw((unsigned)n);
  for (int ii = 0; ii < n; ii++) {
    const int i = (ii + shift) % n;
    for (int j = 0; j < n; j++) {
      if (i == j) continue;
      for (int k = 0; k < 5; k++) {
        if (k < 3 && j < i) continue;
        const enum kind kind = k == 4 ? NOT : pairs[k];
        const table inner = value_of(kind, c->gates[i].value, c->gates[j].value);
        for (int m = 0; m < n; m++) {
          const table v = c->gates[m].value;
          enum kind outer = INPUT;
          int swapped = 0;
          if (!(((inner & v) ^ want) & mask)) outer = AND;
          else if (!(((inner | v) ^ want) & mask)) outer = OR;
          else if (!(((inner ^ v) ^ want) & mask)) outer = XOR;
          else if (!(((inner & ~v) ^ want) & mask)) outer = ANDN;
          else if (!(((v & ~inner) ^ want) & mask)) outer = ANDN, swapped = 1;
          if (outer == INPUT) continue;
          const int g = add(c, kind, inner, i, kind == NOT ? i : j, j, 0);
          const int a = swapped ? m : g, b = swapped ? g : m;
          return add(c, outer, value_of(outer, c->gates[a].value, c->gates[b].value), a, b, b, 0);
        }
      }
    }
  }
  return -1;
}

// ---- the search ----

static int make(circuit *c, table want, table mask, unsigned used, int limit);

// want = bit ? high : low; with gates: low ^ (bit & change), or high ^ (change &~ bit).
static int part(circuit *c, table want, table mask, int bit, unsigned used, int limit) {
  const table on = c->gates[bit].value;
  const unsigned now = used | 1U << bit;
  const int first = (int)draw(2);  // which half is made first
  const table half = first ? on : ~on;
  const int own = ternary ? 1 : 2;
  const int f = make(c, want, mask & half, now, limit - own);
  if (f < 0) return -1;
  if (!((c->gates[f].value ^ want) & mask)) return f;
  if (ternary) {
    const int g = make(c, want, mask & ~half, now, limit - 1);
    if (g < 0 || c->count >= limit) return -1;
    return first ? add_lut(c, 0xca, bit, f, g) : add_lut(c, 0xca, bit, g, f);
  }
  const int g = make(c, want ^ c->gates[f].value, mask & ~half, now, limit - 2);
  if (g < 0 || c->count + 2 > limit) return -1;
  const enum kind gating = first ? ANDN : AND;
  const int a = add(c, gating, value_of(gating, c->gates[g].value, on), g, bit, bit, 0);
  return add(c, XOR, c->gates[f].value ^ c->gates[a].value, f, a, a, 0);
}

static int make(circuit *c, table want, table mask, unsigned used, int limit) {
  for (int i = c->count - 1; i >= 0; i--) {
    if (!((c->gates[i].value ^ want) & mask)) return i;
  }
  if (c->count >= limit) return -1;
  int found = ternary ? one_lut(c, want, mask) : one_gate(c, want, mask);
  if (found >= 0) return found;
  if (c->count + 2 > limit) return -1;
  found = ternary ? two_luts(c, want, mask) : two_gates(c, want, mask);
  if (found >= 0) return found;
  if (c->count + 3 > limit) return -1;
  circuit best;
  best.count = 0;
  int best_found = -1;
  const unsigned free_bits = INPUTS - (unsigned)__builtin_popcount(used);
  // All inputs are tried where that is cheap, else some.
  for (int bit = 0, tried = 0; bit < INPUTS; bit++) {
    if (used >> bit & 1) continue;
    if (free_bits > 4 && draw(free_bits) > 2 && (tried || bit < 4)) continue;
    tried++;
    circuit one = *c;
    const int got = part(&one, want, mask, bit, used, limit);
    if (got < 0) continue;
    if (best_found < 0 || one.count < best.count || (one.count == best.count && draw(2))) {
      best = one, best_found = got;
      limit = one.count < limit ? one.count : limit;
    }
  }
  if (best_found >= 0) *c = best;
  return best_found;
}

// ---- what is printed ----

static void print(const circuit *c, const int outputs[OUTPUTS], int sbox) {
  printf("// S%d: %d gates.\nSBOX(s%d) {\n", sbox + 1, c->count - INPUTS, sbox + 1);
  for (int i = INPUTS; i < c->count; i++) {
    const gate *g = &c->gates[i];
    static const char *const names[] = {"", "LUT", "AND", "OR", "XOR", "ANDN", "NOT"};
    printf("  const vec g%d = %s(g%d", i, names[g->kind], g->from[0]);
    if (g->kind != NOT) printf(", g%d", g->from[1]);
    if (g->kind == LUT) printf(", g%d, 0x%02x", g->from[2], g->function);
    printf(");\n");
  }
  printf("  SBOX_GIVE(g%d, g%d, g%d, g%d);\n}\n\n", outputs[0], outputs[1], outputs[2], outputs[3]);
  fflush(stdout);
}

// Copies what some outputs need.
static void keep(circuit *to, const circuit *from, const int outputs[OUTPUTS], unsigned kept,
                 int made[OUTPUTS]) {
  uint8_t needed[MOST] = {0}, place[MOST];
  for (int o = 0; o < OUTPUTS; o++) {
    if (kept >> o & 1) needed[outputs[o]] = 1;
  }
  for (int i = from->count - 1; i >= INPUTS; i--) {
    for (int k = 0; needed[i] && k < 3; k++) needed[from->gates[i].from[k]] = 1;
  }
  for (int i = 0; i < from->count; i++) {
    const gate *g = &from->gates[i];
    place[i] = (uint8_t)i;
    if (i >= INPUTS && needed[i]) {
      place[i] = (uint8_t)add(to, g->kind, g->value, place[g->from[0]], place[g->from[1]],
                              place[g->from[2]], g->function);
    }
  }
  for (int o = 0; o < OUTPUTS; o++) {
    if (kept >> o & 1) made[o] = place[outputs[o]];
  }
}

static int make_rest(circuit *c, const table wants[OUTPUTS], unsigned kept, int made[OUTPUTS],
                     int limit) {
  int order[OUTPUTS];
  shuffle(order, OUTPUTS);
  for (int i = 0; i < OUTPUTS; i++) {
    const int o = order[i];
    if (kept >> o & 1) continue;
    made[o] = make(c, wants[o], ~(table)0, 0, limit);
    if (made[o] < 0) return 0;
  }
  return 1;
}

int main(int argc, char **argv) {
  if (argc != 5) return 2;
  ternary = strcmp(argv[1], "ternary") == 0;
  const int sbox = atoi(argv[2]) - 1;
  const time_t end = time(NULL) + atoi(argv[3]);
  state = 0x9e3779b97f4a7c15 * (uint64_t)(atoll(argv[4]) + 1) + (uint64_t)sbox;
  table wants[OUTPUTS] = {0};
  circuit start = {.count = 0};
  // Input 0 is the first bit of the block of six, output 0 the first one of the four.
  for (int bit = 0; bit < INPUTS; bit++) {
    table value = 0;
    for (int x = 0; x < 64; x++) value |= (table)(x >> (5 - bit) & 1) << x;
    add(&start, INPUT, value, 0, 0, 0, 0);
  }
  for (int x = 0; x < 64; x++) {
    const int row = (x >> 4 & 2) | (x & 1), column = x >> 1 & 15;
    for (int o = 0; o < OUTPUTS; o++) {
      wants[o] |= (table)(des_sboxes[sbox][16 * row + column] >> (3 - o) & 1) << x;
    }
  }
  int best = MOST - 1, stale = 0;
  long tries = 0;
  circuit now = start;
  int outputs[OUTPUTS];
  for (; time(NULL) < end; tries++) {
    // Some outputs of the last circuit are kept, and the others made anew beside them.
    const unsigned kept = stale < STALE && now.count > INPUTS ? 1 + draw((1U << OUTPUTS) - 2) : 0;
    const int most = best + 1 < MOST - 1 ? best + 1 : MOST - 1;
    const int limit = kept ? now.count : most;
    int made[OUTPUTS];
    circuit c = start;
    if (kept) keep(&c, &now, outputs, kept, made);
    const int ok = make_rest(&c, wants, kept, made, limit);
    if (kept) stale++;
    if (!ok) continue;
    if (c.count < now.count || !kept) stale = 0;
    now = c;
    memcpy(outputs, made, sizeof made);
    if (c.count < best) {
      best = c.count;
      print(&c, outputs, sbox);
      fprintf(stderr, "S%d: %d after %ld tries\n", sbox + 1, c.count - INPUTS, tries);
    }
  }
  fprintf(stderr, "S%d: %d of %ld tries\n", sbox + 1, best - INPUTS, tries);
  return 0;
}
