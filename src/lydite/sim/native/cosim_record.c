// SPDX-License-Identifier: Apache-2.0
// Records the calls of the top function in the native run of co-simulation. The wrapper that
// lydite.sim.cosim.native puts in the top function's place calls these. The record is a plain
// sequence of calls, each of the same length, laid out as cosim_native.Layout says, and whole: a
// call is written when it has returned. How far the program came stands in a mapped file, which
// outlives it however it ends; what it did that hardware does not see, in a third one.

#include <errno.h>
#include <fcntl.h>
#include <lydite_stream.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cosim_objects.h"

// What lydite.sim.cosim.endings reads. `stop` is why no more is recorded.
enum { STOP_CALLS = 1, STOP_BYTES, STOP_WRITE, STOP_LEFT };
struct progress {
  uint64_t begun, inside, kept, bytes, stop, error;
};
static struct progress nowhere;
static struct progress *progress = &nowhere;
static uint64_t most_calls = UINT64_MAX, most_bytes = UINT64_MAX;
static int record = -1, remarks = -1;
static int recording;  // in a call that is recorded

// A call as far as it is recorded.
static struct {
  unsigned char *bytes;
  size_t count, room;
} call;

// A stream argument: its beats go to a file of its own, how many of them a call moved to another.
struct tap {
  FILE *file;
  uint64_t moved;  // in this call
  uint32_t bytes;
  uint32_t user_bits;
};
static struct tap taps[64];
static FILE *counts;

// Contents of the objects with state, as the last call left them.
static struct shadow {
  const struct lydite_cosim_object *of;
  unsigned char *bytes;
  int changed;  // has been told
} *shadows;
static size_t shadow_count;

// What an array argument's pointer gives: bytes up to the end of its object.
static struct reach {
  uint64_t bytes;
  int told;
} *reaches;
static uint32_t reach_count;

static int open_beside(const char *suffix, int flags) {
  const char *path = getenv("LYDITE_COSIM_RECORD");
  char name[4096];
  if (!path || snprintf(name, sizeof name, "%s%s", path, suffix) >= (int)sizeof name) return -1;
  return open(name, flags | O_CLOEXEC, 0600);
}

static uint64_t limit_of(const char *name) {
  const char *text = getenv(name);
  return text ? strtoull(text, 0, 10) : UINT64_MAX;
}

// Runs before anything of the program's.
__attribute__((constructor(101))) static void start(void) {
  most_calls = limit_of("LYDITE_COSIM_CALLS");
  most_bytes = limit_of("LYDITE_COSIM_BYTES");
  const int file = open_beside(".progress", O_RDWR);
  if (file >= 0) {
    void *mapped = mmap(0, sizeof *progress, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (mapped != MAP_FAILED) progress = mapped;
    close(file);
  }
  record = open_beside("", O_WRONLY | O_CREAT | O_TRUNC);
  remarks = open_beside(".remarks", O_WRONLY | O_CREAT | O_TRUNC);
  if (most_bytes != UINT64_MAX) {
    struct rlimit limit;
    getrlimit(RLIMIT_FSIZE, &limit);
    if (limit.rlim_cur > most_bytes) limit.rlim_cur = most_bytes;
    setrlimit(RLIMIT_FSIZE, &limit);
  }
}

static void stop(uint64_t why) {
  progress->stop = why;
  progress->error = (uint64_t)errno;
  recording = 0;
}

static void tell(const char *what, uint64_t number, int64_t id, uint64_t more, uint64_t bytes) {
  char line[128];
  const int count =
      snprintf(line, sizeof line, "%s %llu %llu %lld %llu %llu\n", what,
               (unsigned long long)progress->begun, (unsigned long long)number, (long long)id,
               (unsigned long long)more, (unsigned long long)bytes);
  if (remarks >= 0 && write(remarks, line, (size_t)count) < 0) progress->error = (uint64_t)errno;
}

// Keeps what the program starts with.
void lydite_cosim_state(const struct lydite_cosim_object *object) {
  unsigned char *bytes = malloc(object->bytes);
  struct shadow *more = realloc(shadows, (shadow_count + 1) * sizeof *shadows);
  if (!bytes || !more) abort();
  memcpy(bytes, object->start, object->bytes);
  shadows = more;
  shadows[shadow_count++] = (struct shadow){object, bytes, 0};
}

// Puts bytes into the record; those of a null pointer are zeros.
void lydite_cosim_put(const void *bytes, uint64_t count) {
  if (!recording) return;
  while (call.room - call.count < count || !call.room) {
    call.bytes = lydite_cosim_grown(call.bytes, call.room, &call.room, 1);
  }
  if (bytes)
    memcpy(call.bytes + call.count, bytes, count);
  else
    memset(call.bytes + call.count, 0, count);
  call.count += count;
}

// Puts a pointer's value, so that overlapping arguments are seen.
void lydite_cosim_address(const void *pointer) {
  const uint64_t value = (uint64_t)(uintptr_t)pointer;
  lydite_cosim_put(&value, sizeof value);
}

// Puts an array argument's bytes, again after the call. Beyond its object there are zeros.
void lydite_cosim_after(const void *pointer, uint64_t bytes, uint32_t number) {
  if (!recording) return;
  const uint64_t there = reaches[number].bytes;
  lydite_cosim_put(there ? pointer : 0, there);
  lydite_cosim_put(0, bytes - there);
}

// Puts an array argument's address and its bytes, ahead of the call.
void lydite_cosim_array(const void *pointer, uint64_t bytes, uint32_t number) {
  if (!recording) return;
  if (number >= reach_count) {
    reaches = realloc(reaches, (number + 1) * sizeof *reaches);
    if (!reaches) abort();
    memset(reaches + reach_count, 0, (number + 1 - reach_count) * sizeof *reaches);
    reach_count = number + 1;
  }
  struct reach *reach = &reaches[number];
  const struct lydite_cosim_object *in = lydite_cosim_object_at(pointer);
  reach->bytes = lydite_cosim_reach(pointer, bytes);
  if (pointer && reach->bytes < bytes && !reach->told) {
    tell("beyond", number, in ? in->id : -2, reach->bytes, in ? in->bytes : 0);
    reach->told = 1;
  }
  lydite_cosim_address(pointer);
  lydite_cosim_after(pointer, bytes, number);
}

// Whether state is still looked at: large state in the first calls only, since that takes time.
static int is_watched(const struct lydite_cosim_object *object) {
  return object->bytes <= 1 << 20 || progress->kept < 1000;
}

// Looks for state that is no longer what the last call left, or what the program started with.
static void compare_state(void) {
  for (size_t i = 0; i < shadow_count; i++) {
    struct shadow *shadow = &shadows[i];
    if (shadow->changed || !is_watched(shadow->of)) continue;
    if (!memcmp(shadow->bytes, shadow->of->start, shadow->of->bytes)) continue;
    tell("changed", 0, shadow->of->id, 0, shadow->of->bytes);
    shadow->changed = 1;
  }
}

// Starts a call with a byte of its own, so that even one without arguments and result has a record.
void lydite_cosim_begin(void) {
  static const char mark = 'L';
  // A call in a call: the one before was left by a jump, and what the hardware's state is then
  // nobody knows.
  const int left = progress->inside && !progress->stop;
  progress->begun++;
  progress->inside = 1;
  if (left) stop(STOP_LEFT);
  if (progress->stop) return;
  if (progress->kept == most_calls) {
    stop(STOP_CALLS);
    return;
  }
  recording = 1;
  call.count = 0;
  lydite_cosim_put(&mark, 1);
  compare_state();
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
  if (!recording) return;
  for (size_t i = 0; i < bytes; i++) put_bits(beat, &at, ((const uint8_t *)data)[i], 8);
  put_bits(beat, &at, keep, (unsigned)bytes);
  put_bits(beat, &at, last, 1);
  put_bits(beat, &at, user, tap->user_bits);
  tap->moved++;
  const size_t size = (at + 7) / 8;
  progress->bytes += size;
  if (progress->bytes > most_bytes)
    stop(STOP_BYTES);
  else if (fwrite(beat, 1, size, tap->file) != size)
    stop(STOP_WRITE);
}

static FILE *stream_file(const char *suffix) {
  const int file = open_beside(suffix, O_WRONLY | O_CREAT | O_TRUNC);
  return file < 0 ? 0 : fdopen(file, "wb");
}

// Records what goes through a stream from now on.
void lydite_cosim_stream_begin(void *stream, uint32_t number, uint32_t bytes, uint32_t user_bits) {
  lydite_stream_queue *queue = stream;
  struct tap *tap = &taps[number];
  char suffix[16];
  if (!recording || number >= sizeof taps / sizeof *taps) return;
  snprintf(suffix, sizeof suffix, ".%u", number);
  if (!tap->file) tap->file = stream_file(suffix);
  if (!counts) counts = stream_file(".counts");
  if (!tap->file || !counts) {
    stop(STOP_WRITE);
    return;
  }
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
  if (!recording) return;
  if (fflush(tap->file) || fwrite(&tap->moved, sizeof tap->moved, 1, counts) != 1 || fflush(counts))
    stop(STOP_WRITE);
}

// Ends a call, and writes it.
void lydite_cosim_end(void) {
  progress->inside = 0;
  if (!recording) return;
  recording = 0;
  if (progress->bytes + call.count > most_bytes) {
    stop(STOP_BYTES);
    return;
  }
  for (size_t at = 0; at < call.count;) {
    const ssize_t done = write(record, call.bytes + at, call.count - at);
    if (done <= 0) {
      stop(STOP_WRITE);
      return;
    }
    at += (size_t)done;
  }
  progress->bytes += call.count;
  progress->kept++;
  for (size_t i = 0; i < shadow_count; i++) {
    if (is_watched(shadows[i].of))
      memcpy(shadows[i].bytes, shadows[i].of->start, shadows[i].of->bytes);
  }
}
