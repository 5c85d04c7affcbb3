// SPDX-License-Identifier: Apache-2.0
// Records the calls of the top function in the native run of co-simulation. The wrapper that
// lydite.sim.cosim puts in the top function's place calls these; the file is a plain sequence of
// calls, each of the same length, laid out as lydite.sim.cosim.Layout says.

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *record;
static uint64_t left;  // calls that are still recorded
static int open_failed;

// Puts bytes into the record; those of a null pointer are zeros.
void lydite_cosim_put(const void *bytes, uint64_t count) {
  if (!record || !left) return;
  if (bytes) {
    fwrite(bytes, 1, (size_t)count, record);
  } else {
    for (uint64_t i = 0; i < count; i++) putc(0, record);
  }
}

// Starts a call with a byte of its own, so that even one without arguments and result has a record;
// the first one opens the file.
void lydite_cosim_begin(void) {
  static const char mark = 'L';
  if (!record && !open_failed) {
    const char *path = getenv("LYDITE_COSIM_RECORD");
    const char *calls = getenv("LYDITE_COSIM_CALLS");
    left = calls ? strtoull(calls, 0, 10) : UINT64_MAX;
    record = path ? fopen(path, "wb") : 0;
    if (record)
      setvbuf(record, 0, _IOFBF, 1 << 20);
    else
      open_failed = 1;
  }
  lydite_cosim_put(&mark, 1);
}

// Puts a pointer's value, so that overlapping arguments are seen.
void lydite_cosim_address(const void *pointer) {
  const uint64_t value = (uint64_t)(uintptr_t)pointer;
  lydite_cosim_put(&value, sizeof value);
}

// Ends a call. Flushed, so that a program that crashes later leaves whole calls behind.
void lydite_cosim_end(void) {
  if (!record || !left) return;
  fflush(record);
  left--;
}
