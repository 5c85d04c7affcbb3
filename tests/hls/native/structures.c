// SPDX-License-Identifier: Apache-2.0
//
// Structures that are taken apart, and some that must not be.

#include <stdint.h>
#include <string.h>

struct sponge {
  uint64_t lanes[8];
  unsigned at;
};

struct pair {
  int16_t c[16], d[16];
  struct sponge inner;
  uint8_t flag;
};

struct entry {
  uint32_t key[3];
  uint16_t value;
};

static void absorb(struct sponge *sponge, const uint8_t *in, unsigned n) {
  for (unsigned i = 0; i < n; i++) {
    sponge->lanes[sponge->at / 8] ^= (uint64_t)in[i] << 8 * (sponge->at % 8);
    if (++sponge->at == 48) sponge->at = 0;
  }
}

static void mix(struct pair *p, int by) {
  for (int i = 0; i < 16; i++) p->c[i] = (int16_t)(p->c[i] * by + p->d[15 - i] + (int)p->inner.at);
  p->flag = (uint8_t)(p->flag + by);
}

// By value: a result that the caller has room for.
static struct pair swapped(const struct pair *p) {
  struct pair made = *p;
  for (int i = 0; i < 16; i++) made.c[i] = p->d[i];
  memcpy(made.d, p->c, sizeof made.d);
  return made;
}

// By value, too: an argument that is the callee's own.
static unsigned spoilt(struct pair p, unsigned n) {
  p.c[n % 16] = 77;
  return (uint16_t)p.c[(n + 1) % 16] + (uint16_t)p.c[n % 16];
}

// Seen as bytes.
static unsigned sum(const void *from, unsigned n) {
  const uint8_t *bytes = from;
  unsigned s = 0;
  for (unsigned i = 0; i < n; i++) s = s * 3 + bytes[i];
  return s;
}

static const struct pair first = {.c = {1, 2, 3}, .d = {[15] = -4}, .inner = {{5}, 6}, .flag = 7};

uint32_t f(uint32_t n, int32_t out[8]) {
  uint8_t in[32];
  for (unsigned i = 0; i < 32; i++) in[i] = (uint8_t)(i * 37 + n * 11);
  struct pair p = first, q;
  struct entry table[8];
  struct entry other[8];
  struct sponge seen;
  memset(&q, 0, sizeof q);
  memset(&seen, 0, sizeof seen);
  memset(table, 0, sizeof table);
  for (unsigned i = 0; i < 16; i++) {
    q.c[i] = in[i];
    q.d[(i + n) % 16] = (int16_t)(in[16 + i] << 3);
  }
  absorb(&q.inner, in, n & 31);
  absorb(&p.inner, in, 7);
  mix(&q, 3);
  p = swapped(&q);
  for (unsigned i = 0; i < 8; i++) {
    table[i].value = (uint16_t)p.c[i];
    table[in[i] % 8].key[i % 3] += in[8 + i];
  }
  memcpy(other, table, sizeof other);
  other[n % 8].key[n % 3] ^= 0x5a5a;
  seen.lanes[n % 8] = n;
  uint64_t x = spoilt(p, n) + sum(&seen, sizeof seen.lanes);
  // One of two, by a decision.
  struct pair *which = n & 1 ? &p : &q;
  x = x * 31 + (uint16_t)which->d[n % 16];
  for (unsigned i = 0; i < 8; i++) {
    x = x * 31 + table[i].key[i % 3] + other[(i + n) % 8].key[n % 3] + other[i].value;
  }
  for (unsigned i = 0; i < 16; i++) x = x * 7 + (uint16_t)(p.c[i] ^ q.d[i]) + q.flag + p.flag;
  for (unsigned i = 0; i < 6; i++) x = x * 5 + q.inner.lanes[i] + p.inner.lanes[(i + n) % 6];
  for (unsigned i = 0; i < 8; i++) out[i] = (int32_t)(other[i].key[1] + table[i].value);
  return (uint32_t)(x ^ x >> 32) + q.inner.at + p.inner.at;
}
