// SPDX-License-Identifier: Apache-2.0
// A sorted linked list and a list of free nodes in arrays, kept from call to call; top function:
// list_operate. Shows state behind indices that only the data know.

#include <stddef.h>
#include <stdint.h>

#define CAPACITY 32
#define NONE 0xff

enum operation { LIST_CLEAR, LIST_INSERT, LIST_REMOVE, LIST_COUNT, LIST_SUM, LIST_REVERSE };

struct node {
  int32_t key;
  uint8_t next;
};

static struct node nodes[CAPACITY];
static uint8_t first = NONE, unused = NONE;

static void clear(void) {
  first = NONE;
  for (uint32_t i = 0; i < CAPACITY; i++)
    nodes[i].next = (uint8_t)(i + 1 < CAPACITY ? i + 1 : NONE);
  unused = 0;
}

static int32_t insert(int32_t key) {
  if (unused == NONE) return 0;
  uint8_t fresh = unused;
  unused = nodes[fresh].next;
  nodes[fresh].key = key;
  uint8_t *link = &first;
  while (*link != NONE && nodes[*link].key < key) link = &nodes[*link].next;
  nodes[fresh].next = *link;
  *link = fresh;
  return 1;
}

static int32_t take_out(int32_t key) {
  uint8_t before = NONE, at = first;
  while (at != NONE && nodes[at].key != key) {
    before = at;
    at = nodes[at].next;
  }
  if (at == NONE) return 0;
  if (before == NONE)
    first = nodes[at].next;
  else
    nodes[before].next = nodes[at].next;
  nodes[at].next = unused;
  unused = at;
  return 1;
}

// Clear comes first. Insert keeps the order and gives 1, or 0 where the list is full; remove takes
// out the first node of that key and gives 1, or 0 where there is none; count gives the number of
// nodes with at least that key; sum weighs key i by i + 1; reverse turns the list round, after
// which insert no longer finds an order.
int32_t list_operate(uint32_t operation, int32_t key) {
  int32_t result = 0;
  switch (operation) {
    case LIST_CLEAR:
      clear();
      break;
    case LIST_INSERT:
      result = insert(key);
      break;
    case LIST_REMOVE:
      result = take_out(key);
      break;
    case LIST_COUNT:
      for (uint8_t at = first; at != NONE; at = nodes[at].next) result += nodes[at].key >= key;
      break;
    case LIST_SUM: {
      int32_t weight = 0;
      for (uint8_t at = first; at != NONE; at = nodes[at].next) result += ++weight * nodes[at].key;
      break;
    }
    case LIST_REVERSE: {
      uint8_t done = NONE;
      while (first != NONE) {
        uint8_t next = nodes[first].next;
        nodes[first].next = done;
        done = first;
        first = next;
      }
      first = done;
      break;
    }
    default:
      result = -1;
  }
  return result;
}

struct step {
  uint32_t operation;
  int32_t key, result;
};

// By hand: {3, 7, 9} weighs 3 + 14 + 27, {-2, 3, 9} weighs -2 + 6 + 27, turned round 9 + 6 - 6.
static const struct step steps[] = {
    {LIST_CLEAR, 0, 0},   {LIST_COUNT, -100, 0}, {LIST_REMOVE, 5, 0},  {LIST_INSERT, 7, 1},
    {LIST_INSERT, 3, 1},  {LIST_INSERT, 9, 1},   {LIST_SUM, 0, 44},    {LIST_COUNT, 7, 2},
    {LIST_REMOVE, 7, 1},  {LIST_REMOVE, 7, 0},   {LIST_INSERT, -2, 1}, {LIST_SUM, 0, 31},
    {LIST_REVERSE, 0, 0}, {LIST_SUM, 0, 9},      {99, 0, -1},          {LIST_COUNT, -100, 3},
    {LIST_REMOVE, 9, 1},  {LIST_REMOVE, -2, 1},  {LIST_REMOVE, 3, 1},  {LIST_SUM, 0, 0},
};

int main(void) {
  for (size_t k = 0; k < sizeof steps / sizeof steps[0]; k++)
    if (list_operate(steps[k].operation, steps[k].key) != steps[k].result) return 1;
  // Fill it: 32 fit, the next does not; the sum of i * (i + 1) for i below 32 is 10912.
  list_operate(LIST_CLEAR, 0);
  for (int32_t i = 0; i < CAPACITY; i++)
    if (list_operate(LIST_INSERT, i * 5 % CAPACITY) != 1) return 1;
  if (list_operate(LIST_INSERT, 1) != 0) return 1;
  if (list_operate(LIST_SUM, 0) != 10912) return 1;
  if (list_operate(LIST_COUNT, 30) != 2) return 1;
  return 0;
}
