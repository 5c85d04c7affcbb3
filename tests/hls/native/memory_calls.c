// SPDX-License-Identifier: Apache-2.0
// memcpy, memmove and memset of known and unknown length; pointers to pointers.
#include <stdint.h>
#include <string.h>
static uint8_t a[64], b[64];
static uint32_t w[16];
struct node {
  int value;
  struct node *next;
};
static struct node nodes[8];

int f(int n, int out[8]) {
  for (int i = 0; i < 64; i++) a[i] = (uint8_t)(i * 7 + n);
  memcpy(w, a, 64);
  memmove(a + 3, a, n & 31);
  memmove(a + 20, a + 25, n % 13);
  memset(b + n % 8, n, 17);
  memcpy(b + (n & 7), a + (n & 3), n & 15);
  memset(w + (n & 7), 0xA5, 8);
  uint32_t x;
  memcpy(&x, a + (n & 15), 4);
  struct node *head = 0;
  for (int i = 0; i < 8; i++) {
    nodes[i].value = (int)w[i] ^ i;
    nodes[i].next = i & n ? nodes[i].next : head;
    head = &nodes[i];
  }
  int s = 0;
  struct node **walk = &head;
  for (int i = 0; i < 10 && *walk; i++) {
    s += (*walk)->value;
    walk = &(*walk)->next;
  }
  memcpy(out, b + 2, 24);
  out[6] = memcmp(a, b, 20) < 0 ? -1 : memcmp(a, b, 20) > 0;
  return (int)x ^ s;
}
