// SPDX-License-Identifier: Apache-2.0
// Knows the objects of the program in the native run of co-simulation. What
// lydite.sim.cosim.objects puts into the program calls these.

#include "cosim_objects.h"

#include <stdlib.h>
#include <unistd.h>

struct lydite_cosim_objects {
  struct lydite_cosim_object *items;
  size_t count, room;
};
static struct lydite_cosim_objects globals, locals;
static int globals_sorted;
// The last blocks that were allocated and not freed, in a ring; older ones are not known.
static struct lydite_cosim_object heap[1024];
static size_t heap_next;

void *lydite_cosim_grown(void *items, size_t count, size_t *room, size_t size) {
  if (count < *room) return items;
  *room = *room ? 2 * *room : 64;
  items = realloc(items, *room * size);
  if (!items) abort();
  return items;
}

static void append(struct lydite_cosim_objects *list, const struct lydite_cosim_object *item) {
  list->items = lydite_cosim_grown(list->items, list->count, &list->room, sizeof *item);
  list->items[list->count++] = *item;
}

// Makes the variables of a file known, before the program starts.
void lydite_cosim_objects(const struct lydite_cosim_object *items, uint64_t count) {
  for (uint64_t i = 0; i < count; i++) {
    append(&globals, &items[i]);
    if (items[i].state && items[i].bytes) lydite_cosim_state(&items[i]);
  }
}

// Makes a local variable known. What was where it is now has gone.
void lydite_cosim_local(void *start, uint64_t bytes, int64_t id) {
  const struct lydite_cosim_object item = {start, bytes, id, 0};
  size_t kept = 0;
  for (size_t i = 0; i < locals.count; i++) {
    const struct lydite_cosim_object *old = &locals.items[i];
    if (old->start >= item.start + bytes || item.start >= old->start + old->bytes)
      locals.items[kept++] = *old;
  }
  locals.count = kept;
  append(&locals, &item);
}

static void *allocated(void *start, uint64_t bytes) {
  if (start) heap[heap_next++ % 1024] = (struct lydite_cosim_object){start, bytes, -1, 0};
  return start;
}

static void forget(void *start) {
  for (size_t i = 0; start && i < 1024; i++) {
    if (heap[i].start == start) heap[i].start = 0;
  }
}

// What stands for the functions of that name in the program.
void *lydite_cosim_malloc(size_t bytes) { return allocated(malloc(bytes), bytes); }
void *lydite_cosim_calloc(size_t count, size_t bytes) {
  return allocated(calloc(count, bytes), count * bytes);
}
void *lydite_cosim_realloc(void *start, size_t bytes) {
  forget(start);
  return allocated(realloc(start, bytes), bytes);
}
void *lydite_cosim_aligned_alloc(size_t alignment, size_t bytes) {
  return allocated(aligned_alloc(alignment, bytes), bytes);
}
void lydite_cosim_free(void *start) {
  forget(start);
  free(start);
}
void *lydite_cosim_new(size_t bytes) {
  void *start = lydite_cosim_malloc(bytes ? bytes : 1);
  if (!start) abort();
  return start;
}
void lydite_cosim_delete_sized(void *start, size_t bytes) {
  (void)bytes;
  lydite_cosim_free(start);
}

static int by_start(const void *a, const void *b) {
  const struct lydite_cosim_object *one = a, *other = b;
  return (one->start > other->start) - (one->start < other->start);
}

static int holds(const struct lydite_cosim_object *item, const unsigned char *place) {
  return item->start && place >= item->start && place < item->start + item->bytes;
}

const struct lydite_cosim_object *lydite_cosim_object_at(const void *at) {
  const unsigned char *place = at;
  for (size_t i = locals.count; i-- > 0;) {
    if (holds(&locals.items[i], place)) return &locals.items[i];
  }
  for (size_t i = 0; i < 1024; i++) {
    if (holds(&heap[i], place)) return &heap[i];
  }
  if (!globals_sorted && globals.count)
    qsort(globals.items, globals.count, sizeof *globals.items, by_start);
  globals_sorted = 1;
  size_t low = 0, high = globals.count;
  while (low < high) {
    const size_t middle = (low + high) / 2;
    if (globals.items[middle].start <= place)
      low = middle + 1;
    else
      high = middle;
  }
  return low && holds(&globals.items[low - 1], place) ? &globals.items[low - 1] : 0;
}

// Tells how many bytes may be read from a place that belongs to no object known here. The kernel
// says so without harm, when it is asked to write a byte of each page.
static uint64_t readable(const unsigned char *place, uint64_t bytes) {
  static int ends[2] = {-1, -1};
  const uint64_t page = 4096;
  char byte;
  if (ends[0] < 0 && pipe(ends)) return bytes;
  for (uint64_t at = 0; at < bytes; at += page - (uintptr_t)(place + at) % page) {
    if (write(ends[1], place + at, 1) != 1) return at;
    if (read(ends[0], &byte, 1) != 1) return bytes;
  }
  return bytes;
}

uint64_t lydite_cosim_reach(const void *place, uint64_t bytes) {
  const struct lydite_cosim_object *in = place ? lydite_cosim_object_at(place) : 0;
  if (!place) return 0;
  if (!in) return readable(place, bytes);
  const uint64_t there = (uint64_t)(in->start + in->bytes - (const unsigned char *)place);
  return there < bytes ? there : bytes;
}
