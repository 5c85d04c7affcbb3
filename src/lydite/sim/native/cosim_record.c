// SPDX-License-Identifier: Apache-2.0
// Records the calls of the top function in the native run of co-simulation. The wrapper that
// lydite.sim.cosim puts in the top function's place calls these; the file is a plain sequence of
// calls, each of the same length, laid out as lydite.sim.cosim.Layout says.

#include <lydite_stream.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

static FILE *record;
static uint64_t left;  // calls that are still recorded
static int open_failed;

// A stream argument: its beats go to a file of its own, how many of them a call moved to another.
struct tap {
  FILE *file;
  uint64_t moved;  // in this call
  uint32_t bytes;
  uint32_t user_bits;
};
static struct tap taps[64];
static FILE *counts;

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

static FILE *open_beside(const char *suffix) {
  const char *path = getenv("LYDITE_COSIM_RECORD");
  char name[4096];
  if (!path || snprintf(name, sizeof name, "%s.%s", path, suffix) >= (int)sizeof name) return 0;
  return fopen(name, "wb");
}

// Appends the low bits of a value.
static void put_bits(uint8_t *bytes, unsigned *at, uint64_t value, unsigned count) {
  for (unsigned i = 0; i < count; i++, ++*at)
    bytes[*at / 8] |= (uint8_t)((value >> i & 1) << *at % 8);
}

static void observe(void *context, const void *data, size_t bytes, uint64_t keep, bool last,
                    uint64_t user) {
  struct tap *tap = context;
  uint8_t beat[(9 * 64 + 1 + 64 + 7) / 8] = {0};
  unsigned at = 0;
  for (size_t i = 0; i < bytes; i++) put_bits(beat, &at, ((const uint8_t *)data)[i], 8);
  put_bits(beat, &at, keep, (unsigned)bytes);
  put_bits(beat, &at, last, 1);
  put_bits(beat, &at, user, tap->user_bits);
  tap->moved++;
  fwrite(beat, 1, (at + 7) / 8, tap->file);
}

// Records what goes through a stream from now on.
void lydite_cosim_stream_begin(void *stream, uint32_t number, uint32_t bytes, uint32_t user_bits) {
  lydite_stream_queue *queue = stream;
  struct tap *tap = &taps[number];
  char suffix[16];
  if (!record || !left || number >= sizeof taps / sizeof *taps) return;
  snprintf(suffix, sizeof suffix, "%u", number);
  if (!tap->file) tap->file = open_beside(suffix);
  if (!counts) counts = open_beside("counts");
  if (!tap->file || !counts) return;
  if (queue->observe) {
    fprintf(stderr, "lydite_stream: one stream is passed as two arguments\n");
    abort();
  }
  tap->moved = 0;
  tap->bytes = bytes;
  tap->user_bits = user_bits;
  queue->observe = observe;
  queue->context = tap;
}

// Ends that.
void lydite_cosim_stream_end(void *stream, uint32_t number) {
  lydite_stream_queue *queue = stream;
  struct tap *tap = &taps[number];
  if (queue->observe != observe) return;
  queue->observe = 0;
  fflush(tap->file);
  fwrite(&tap->moved, sizeof tap->moved, 1, counts);
  fflush(counts);
}

// Ends a call. Flushed, so that a program that crashes later leaves whole calls behind.
void lydite_cosim_end(void) {
  if (!record || !left) return;
  fflush(record);
  left--;
}
