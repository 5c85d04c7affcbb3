// SPDX-License-Identifier: Apache-2.0
//
// The key search as its definition has it: a key after the other. Not meant to be fast.

#include "search.h"

static int search(uint64_t *number, uint64_t from, uint64_t to, const des_pairs *pairs) {
  for (*number = from; *number <= to; (*number)++) {
    if (des_is_key(*number, pairs)) return 1;
  }
  return 0;
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_search(const struct lydite_batch *batch) { des_search_batch(batch, search); }
