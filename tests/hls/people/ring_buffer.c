// SPDX-License-Identifier: Apache-2.0
// top: fifo
// A queue of eight words in a static structure; what callers do is an enum.
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum request { FIFO_PUSH, FIFO_POP, FIFO_PEEK, FIFO_COUNT, FIFO_CLEAR };
enum { CAPACITY = 8 };

static struct queue {
  uint32_t slot[CAPACITY];
  size_t head, tail;
  bool full;
} q;

static inline size_t following(size_t i) { return (i + 1) % CAPACITY; }
static inline bool empty(const struct queue *self) { return self->head == self->tail &&
    !self->full; }

static bool push(struct queue *self, uint32_t v) {
  if (self->full) return false;
  self->slot[self->tail] = v;
  self->tail = following(self->tail);
  self->full = self->tail == self->head;
  return true;
}

static bool pop(struct queue *self, uint32_t *v) {
  if (empty(self)) return false;
  *v = self->slot[self->head];
  self->head = following(self->head);
  self->full = false;
  return true;
}

int fifo(enum request what, uint32_t *value) {
  switch (what) {
    case FIFO_PUSH: return push(&q, *value) ? 0 : -1;
    case FIFO_POP: return pop(&q, value) ? 0 : -1;
    case FIFO_PEEK:
      if (empty(&q)) return -1;
      *value = q.slot[q.head];
      return 0;
    case FIFO_COUNT:
      return (int)(q.full ? CAPACITY : (q.tail + CAPACITY - q.head) % CAPACITY);
    case FIFO_CLEAR: q = (struct queue){.head = q.tail, .tail = q.tail}; return 0;
  }
  return -2;
}

int main(void) {
  uint32_t v = 7;
  assert(fifo(FIFO_POP, &v) == -1 && v == 7);
  for (uint32_t i = 0; i < 8; i++) {
    v = i * i + 1;
    assert(fifo(FIFO_PUSH, &v) == 0);
  }
  assert(fifo(FIFO_PUSH, &v) == -1 && fifo(FIFO_COUNT, &v) == 8);
  assert(fifo(FIFO_PEEK, &v) == 0 && v == 1);
  for (uint32_t i = 0; i < 5; i++) assert(fifo(FIFO_POP, &v) == 0 && v == i * i + 1);
  for (uint32_t i = 0; i < 3; i++) {
    v = 100 + i;
    assert(fifo(FIFO_PUSH, &v) == 0);
  }
  assert(fifo(FIFO_COUNT, &v) == 6);
  for (uint32_t i = 5; i < 8; i++) assert(fifo(FIFO_POP, &v) == 0 && v == i * i + 1);
  assert(fifo(FIFO_POP, &v) == 0 && v == 100);
  assert(fifo(FIFO_CLEAR, &v) == 0 && fifo(FIFO_COUNT, &v) == 0 && fifo(FIFO_PEEK, &v) == -1);
  assert(fifo((enum request)9, &v) == -2);
  return 0;
}
