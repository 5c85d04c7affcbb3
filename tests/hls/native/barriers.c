// SPDX-License-Identifier: Apache-2.0
// Barriers that keep C compilers from knowing values, in every form that programs have them.
#include <stdint.h>
#include <string.h>

struct pair {
  int32_t a[3];
};

static inline uint32_t plain(uint32_t x) {
  __asm__("" : "+r"(x));
  return x;
}
static inline uint32_t clobbering(uint32_t x) {
  __asm__ volatile("" : "+r"(x) : : "memory", "cc");
  return x;
}
static inline uint32_t tied(uint32_t x) {
  uint32_t y;
  __asm__("" : "=r"(y) : "0"(x));
  return y;
}
static inline uint32_t tied_wider(uint8_t x) {
  uint32_t y;
  __asm__("" : "=r"(y) : "0"((uint32_t)x));
  return y;
}
static inline uint64_t two(uint64_t a, uint64_t b) {
  __asm__("" : "+r"(a), "+r"(b));
  return a ^ (b << 1);
}
static inline uint64_t crossed(uint64_t a, uint64_t b) {
  uint64_t x, y;
  __asm__("" : "=r"(x), "=r"(y) : "1"(a), "0"(b));
  return x * 3 + y;
}
static inline uint32_t in_memory(uint32_t x) {
  __asm__("" : "+m"(x));
  return x;
}
static inline uint32_t either(uint32_t x) {
  __asm__("" : "+rm"(x));
  __asm__("" : "+g"(x));
  return x;
}
static inline uint32_t commented(uint32_t x) {
  __asm__("# only a \"comment\"\n\t/* and ; another */ // one" : "+r"(x));
  return x;
}
static inline const int32_t *pointer(const int32_t *p) {
  __asm__("" : "+r"(p));
  return p;
}
static inline struct pair structure(struct pair p) {
  __asm__ volatile("" : "+m"(p));
  return p;
}
static inline void fence(void) { __asm__ __volatile__("" ::: "memory"); }
static inline void used(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static inline uint8_t byte(uint8_t x) {
  __asm__("" : "+q"(x));
  return x;
}

int f(int n, int out[8]) {
  uint32_t x = (uint32_t)n * 2654435761u;
  struct pair p = {{n, n + 1, n + 2}};
  fence();
  for (int i = 0; i < 8; i++) {
    out[i] = (int)(plain(x) ^ clobbering(x >> 3) ^ tied(x << 7));
    used(out);
    x = x * 5 + (uint32_t)pointer(out)[i];
  }
  p = structure(p);
  out[0] = (int)(two(x, (uint64_t)n << 33) >> 20);
  out[1] = (int)crossed(x, (uint64_t)n);
  out[2] ^= (int)(in_memory(x) + either(x) * 3 + commented(x) * 5);
  out[3] += byte((uint8_t)x) + (int)tied_wider((uint8_t)n) + p.a[1];
  __asm__ goto("" : : : : far);
  out[4] ^= (int)plain((uint32_t)p.a[2] - 0x80000000u);
far:
  return (int)x;
}
