// SPDX-License-Identifier: Apache-2.0
// Linked into the program in place of clang's runtime of UndefinedBehaviorSanitizer and of the
// recorder: writes what was found, once a place, and sums over what each call of the top function
// takes and gives, to the file that LYDITE_SANITIZE names. A line has kind, line, the call of the
// top function in which it was, from 1, or 0 if it was in none, two values, type and file; for a
// call it has `call` and a pair of sums for each value, array and stream: of an array ahead of the
// call and behind it, of a value, or of all that goes through a stream, and 0.

#include <lydite_stream.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "cosim_objects.h"

typedef struct {
  const char *file;
  uint32_t line, column;
} place;

typedef struct {
  uint16_t kind, info;
  char name[];
} type;

// Lines of calls that are written; the first that differ are asked for.
enum { CALLS = 100000 };

static FILE *out;
static unsigned depth, calls;

// What the call at hand has put so far, and streams of which the beats are summed.
enum { PUTS = 256, STREAMS = 64 };

static const uint64_t EMPTY = 0xcbf29ce484222325u;

static struct {
  const void *data;
  uint64_t size, before, after;
} puts_made[PUTS];
static unsigned puts_count;

static FILE *output(void) {
  if (out == NULL) {
    const char *path = getenv("LYDITE_SANITIZE");
    out = fopen(path ? path : "/dev/null", "w");
    if (out == NULL) exit(125);
    setvbuf(out, NULL, _IOLBF, 1 << 12);
  }
  return out;
}

// A value of up to 64 bits comes as it is, a wider one by its address.
static long long value_of(const type *kind, uintptr_t handle) {
  unsigned bits = 1U << (kind->info >> 1);
  if (kind->kind != 0) return (long long)handle;
  if (bits > 64) return *(const long long *)handle;
  if ((kind->info & 1) && bits < 64)
    return (long long)((uint64_t)handle << (64 - bits)) >> (64 - bits);
  return (long long)handle;
}

static void found(const char *kind, place *at, const char *name, long long a, long long b) {
  // A place that is said has no column any more: what the top function does is said though the
  // testbench did it, too, and not the other way round.
  const uint32_t inside = ~0U, outside = ~0U - 1;
  if (at->column == inside || (at->column == outside && depth == 0)) return;
  at->column = depth > 0 ? inside : outside;
  const unsigned call = depth > 0 ? calls + 1 : 0;
  fprintf(output(), "%s\t%u\t%u\t%lld\t%lld\t%s\t%s\n", kind, at->line, call, a, b, name,
          at->file ? at->file : "");
}

typedef struct {
  place at;
  const type *array, *index;
} bounds_data;

void __ubsan_handle_out_of_bounds(bounds_data *data, uintptr_t index) {
  found("bounds", &data->at, data->array->name, value_of(data->index, index), 0);
}

typedef struct {
  place at;
  const type *left, *right;
} shift_data;

void __ubsan_handle_shift_out_of_bounds(shift_data *data, uintptr_t left, uintptr_t right) {
  found("shift", &data->at, data->left->name, value_of(data->left, left),
        value_of(data->right, right));
}

typedef struct {
  place at;
  const type *kind;
} value_data;

void __ubsan_handle_divrem_overflow(value_data *data, uintptr_t left, uintptr_t right) {
  found("divide", &data->at, data->kind->name, value_of(data->kind, left),
        value_of(data->kind, right));
}

void __ubsan_handle_load_invalid_value(value_data *data, uintptr_t value) {
  found("value", &data->at, data->kind->name, value_of(data->kind, value), 0);
}

typedef struct {
  place at;
  const type *kind;
  uint8_t log_align, how;
} access_data;

void __ubsan_handle_type_mismatch_v1(access_data *data, uintptr_t address) {
  found(address == 0 ? "null" : "object", &data->at, data->kind->name, data->how, 0);
}

_Noreturn void __ubsan_handle_builtin_unreachable(place *at) {
  found("unreachable", at, "", 0, 0);
  exit(124);
}

_Noreturn void __ubsan_handle_missing_return(place *at) {
  found("return", at, "", 0, 0);
  exit(124);
}

// The recorder's part.

void lydite_cosim_begin(void) {
  depth++;
  puts_count = 0;
}

static uint64_t summed(uint64_t sum, uint8_t byte) { return (sum ^ byte) * 0x100000001b3u; }

void lydite_cosim_put(const void *data, uint64_t size) {
  const uint8_t *bytes = data;
  uint64_t sum = EMPTY;
  for (uint64_t i = 0; i < size; i++) sum = summed(sum, bytes[i]);
  for (unsigned i = 0; i < puts_count; i++) {
    if (puts_made[i].data == data && puts_made[i].size == size) {
      puts_made[i].after = sum;
      return;
    }
  }
  if (puts_count == PUTS) return;
  puts_made[puts_count].data = data;
  puts_made[puts_count].size = size;
  // A value has this sum alone, an array another behind the call.
  puts_made[puts_count].after = 0;
  puts_made[puts_count++].before = sum;
}

void lydite_cosim_address(const void *address) { (void)address; }

void lydite_cosim_state(const struct lydite_cosim_object *object) { (void)object; }

// Bytes beyond an object have no part in what a call takes or gives.
void lydite_cosim_array(const void *data, uint64_t size, uint32_t number) {
  (void)number;
  lydite_cosim_put(data, lydite_cosim_reach(data, size));
}

void lydite_cosim_after(const void *data, uint64_t size, uint32_t number) {
  lydite_cosim_array(data, size, number);
}

void lydite_cosim_end(void) {
  depth--;
  if (calls++ >= CALLS) return;
  fputs("call", output());
  for (unsigned i = 0; i < puts_count; i++)
    fprintf(output(), "\t%llx:%llx", (unsigned long long)puts_made[i].before,
            (unsigned long long)puts_made[i].after);
  fputs("\n", output());
}

// Bytes of a beat that are not kept have no part in it.
static void observe(void *context, const void *data, size_t bytes, uint64_t keep, bool last,
                    uint64_t user) {
  uint64_t sum = *(uint64_t *)context;
  for (size_t i = 0; i < bytes; i++)
    sum = summed(sum, keep >> i & 1 ? ((const uint8_t *)data)[i] : 0);
  for (size_t i = 0; i < 64; i += 8) sum = summed(sum, (uint8_t)(user >> i));
  for (size_t i = 0; i < bytes; i += 8) sum = summed(sum, (uint8_t)(keep >> i));
  *(uint64_t *)context = summed(sum, last);
}

static uint64_t streams[STREAMS];

void lydite_cosim_stream_begin(void *stream, uint32_t number, uint32_t bytes, uint32_t user_bits) {
  lydite_stream_queue *queue = stream;
  (void)bytes, (void)user_bits;
  if (number >= STREAMS || queue->observe) return;
  streams[number] = EMPTY;
  queue->observe = observe;
  queue->context = &streams[number];
}

void lydite_cosim_stream_end(void *stream, uint32_t number) {
  lydite_stream_queue *queue = stream;
  if (queue->observe != observe) return;
  queue->observe = 0;
  if (puts_count < PUTS) {
    puts_made[puts_count].data = 0;
    puts_made[puts_count].before = streams[number];
    puts_made[puts_count++].after = 0;
  }
}
