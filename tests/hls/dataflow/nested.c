// SPDX-License-Identifier: Apache-2.0
//
// A process that is a region itself, a large table that several processes read, an array cut into
// banks between two of them, a static that keeps its value.

#include <lydite_stream.h>

#define WORDS 8

// More than logic holds well: a table in block RAM.
static const uint16_t table[600] = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9, 0, 4, 5, 2, 3, 5};

static void spread(const uint32_t words[WORDS], lydite_stream32 *to) {
  static uint32_t runs = 0;
  runs++;
  for (uint32_t i = 0; i < WORDS; i++) {
    const lydite_stream32_beat beat = {.data = words[i] + table[words[i] % 600] + runs};
    lydite_stream32_write(to, beat);
  }
}

static void gather(lydite_stream32 *from, uint32_t words[WORDS]) {
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t value = lydite_stream32_read(from).data;
    words[i] = value + table[value % 18];
  }
}

static void both(const uint32_t from[WORDS], uint32_t to[WORDS]) {
#pragma HLS dataflow
  lydite_stream32 between = {0};
  spread(from, &between);
  gather(&between, to);
  lydite_stream32_free(&between);
}

static void first(const uint32_t in[WORDS], uint32_t words[WORDS], uint32_t salt) {
  for (uint32_t i = 0; i < WORDS; i++) words[i ^ 3] = in[i] + table[(in[i] + salt) % 18];
}

static void last(const uint32_t words[WORDS], uint32_t out[WORDS]) {
  for (uint32_t i = 0; i < WORDS; i += 2) {
    out[i] = words[i] ^ words[i + 1];
    out[i + 1] = words[i + 1];
  }
}

void nested(const uint32_t in[WORDS], uint32_t out[WORDS], uint32_t salt) {
#pragma HLS dataflow
  uint32_t given[WORDS], made[WORDS];
#pragma HLS array_partition variable=made cyclic factor=2
  first(in, given, salt);
  both(given, made);
  last(made, out);
}

int main(void) {
  uint32_t in[WORDS], out[WORDS], sum = 0;
  for (uint32_t call = 0; call < 3; call++) {
    for (uint32_t i = 0; i < WORDS; i++) in[i] = i * 1234567u + call;
    nested(in, out, call);
    for (uint32_t i = 0; i < WORDS; i++) sum = sum * 31u + out[i];
  }
  return sum == 0;
}
