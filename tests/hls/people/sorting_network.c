// SPDX-License-Identifier: Apache-2.0
// top: sort8
// Batcher's odd-even merge of eight keys, payloads go along.
#include <stdint.h>
#include <string.h>

typedef struct { int16_t key; uint16_t tag; } item_t;

#define CSWAP(i, j)                            \
  do {                                         \
    if (v[j].key < v[i].key) {                 \
      const item_t held = v[i];                \
      v[i] = v[j];                             \
      v[j] = held;                             \
    }                                          \
  } while (0)

void sort8(const item_t *restrict in, item_t *restrict out) {
  item_t v[8];
  memcpy(v, in, sizeof v);
  CSWAP(0, 1); CSWAP(2, 3); CSWAP(4, 5); CSWAP(6, 7);
  CSWAP(0, 2); CSWAP(1, 3); CSWAP(4, 6); CSWAP(5, 7);
  CSWAP(1, 2); CSWAP(5, 6);
  CSWAP(0, 4); CSWAP(1, 5); CSWAP(2, 6); CSWAP(3, 7);
  CSWAP(2, 4); CSWAP(3, 5);
  CSWAP(1, 2); CSWAP(3, 4); CSWAP(5, 6);
  memcpy(out, v, sizeof v);
}

int main(void) {
  uint32_t s = 2463534242u;
  for (int round = 0; round < 12; ++round) {
    item_t in[8], out[8];
    memset(out, 0, sizeof out);
    for (int i = 0; i < 8; ++i) {
      s ^= s << 13; s ^= s >> 17; s ^= s << 5;
      in[i] = (item_t){.key = (int16_t)(round < 2 ? 8 - i : s), .tag = (uint16_t)i};
    }
    sort8(in, out);
    unsigned seen = 0;
    for (int i = 0; i < 8; ++i) {
      if (i && out[i - 1].key > out[i].key) return 1;
      if (out[i].key != in[out[i].tag].key) return 2;
      seen |= 1u << out[i].tag;
    }
    if (seen != 255) return 3;
  }
  return 0;
}
