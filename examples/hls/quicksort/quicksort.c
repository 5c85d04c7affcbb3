// SPDX-License-Identifier: Apache-2.0
// Quicksort in place with a stack of its own (Hoare's partition; the smaller part first, so that
// the stack holds at most log2 of the length); top function: quicksort.

#include <stdint.h>

#define QUICKSORT_MAX_LENGTH 128
#define STACK_DEPTH 8

// Sorts values[0..length) upwards, length at most 128, and gives the number of exchanges.
uint32_t quicksort(int32_t values[QUICKSORT_MAX_LENGTH], uint32_t length) {
  int32_t low_stack[STACK_DEPTH], high_stack[STACK_DEPTH];
  uint32_t exchanges = 0;
  int depth = 0;
  int32_t low = 0, high = (int32_t)length - 1;
  for (;;) {
    while (low < high) {
      int32_t pivot = values[low + (high - low) / 2];
      int32_t i = low - 1, j = high + 1;
      for (;;) {
        do i++;
        while (values[i] < pivot);
        do j--;
        while (values[j] > pivot);
        if (i >= j) break;
        int32_t t = values[i];
        values[i] = values[j];
        values[j] = t;
        exchanges++;
      }
      // The larger part waits, the smaller goes on.
      if (j - low < high - j - 1) {
        low_stack[depth] = j + 1;
        high_stack[depth] = high;
        high = j;
      } else {
        low_stack[depth] = low;
        high_stack[depth] = j;
        low = j + 1;
      }
      depth++;
    }
    if (depth == 0) return exchanges;
    depth--;
    low = low_stack[depth];
    high = high_stack[depth];
  }
}

static int32_t values[QUICKSORT_MAX_LENGTH];

static uint32_t mixed(uint32_t x) {
  x ^= x >> 16;
  x *= 0x7feb352d;
  x ^= x >> 15;
  x *= 0x846ca68b;
  return x ^ x >> 16;
}

// kind: 0 random, 1 ascending, 2 descending, 3 few different values, 4 all equal.
static int32_t value(uint32_t kind, uint32_t i) {
  switch (kind) {
    case 0:
      return (int32_t)mixed(i + 1);
    case 1:
      return (int32_t)i - 50;
    case 2:
      return -(int32_t)i * 1000;
    case 3:
      return (int32_t)(mixed(i) % 5) - 2;
    default:
      return 7;
  }
}

int main(void) {
  static const uint32_t lengths[6] = {0, 1, 2, 3, 37, QUICKSORT_MAX_LENGTH};
  for (uint32_t kind = 0; kind < 5; kind++) {
    for (int k = 0; k < 6; k++) {
      // Sorted, and of the same sum and sum of mixed values: a permutation of what it was.
      uint32_t length = lengths[k], sum = 0, sum_mixed = 0;
      for (uint32_t i = 0; i < length; i++) {
        values[i] = value(kind, i);
        sum += (uint32_t)values[i];
        sum_mixed += mixed((uint32_t)values[i]);
      }
      uint32_t exchanges = quicksort(values, length);
      if (kind == 1 && exchanges != 0) return 1;
      for (uint32_t i = 0; i < length; i++) {
        if (i > 0 && values[i - 1] > values[i]) return 1;
        sum -= (uint32_t)values[i];
        sum_mixed -= mixed((uint32_t)values[i]);
      }
      if (sum != 0 || sum_mixed != 0) return 1;
    }
  }
  return 0;
}
