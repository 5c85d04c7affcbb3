// SPDX-License-Identifier: Apache-2.0
//
// AXI4-Stream arguments of functions that `lydite hls` compiles (AMBA AXI-Stream, ARM IHI 0051B).
//
//     LYDITE_STREAM(byte_stream, uint8_t)                    // tdata of 8 bits, tkeep, tlast
//     LYDITE_STREAM_USER(job_stream, uint64_t, 16)           // and tuser of 16 bits
//
// A declaration NAME makes the type NAME, a stream; the type NAME_beat with the fields data, keep
// (bit i for byte i of data), last and, where declared, user; and the functions NAME_read, which
// waits for a beat and takes it, and NAME_write, which waits for room and gives one. Data are of
// any type of 1 to 64 bytes: an integer, an array in a structure; byte 0 of it is tdata[7:0].
//
// Compiled natively, a stream is a queue without bounds, empty when it is all zeros:
// `byte_stream in = {0};`. A read of an empty one ends the program with a message, since nothing
// could fill it. NAME_count says how many beats wait, NAME_free gives the memory back; both are
// for testbenches: in hardware they would depend on time, which the C does not have.
//
// C11 and C++11; also C23.

#ifndef LYDITE_STREAM_H
#define LYDITE_STREAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Keep bits of a beat with its first `bytes` bytes in use, at most 64.
#define LYDITE_KEEP(bytes) ((bytes) >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (bytes)) - 1)

#define LYDITE_STREAM(NAME, TYPE)                                                                  \
  typedef struct NAME##_beat {                                                                     \
    TYPE data;                                                                                     \
    uint64_t keep;                                                                                 \
    bool last;                                                                                     \
  } NAME##_beat;                                                                                   \
  LYDITE_STREAM_ACCESS_(NAME, 0, &no_user_, 0, (void)0)

#define LYDITE_STREAM_USER(NAME, TYPE, BITS)                                                       \
  typedef struct NAME##_beat {                                                                     \
    TYPE data;                                                                                     \
    uint64_t keep;                                                                                 \
    uint64_t user;                                                                                 \
    bool last;                                                                                     \
  } NAME##_beat;                                                                                   \
  LYDITE_STREAM_ACCESS_(NAME, BITS, &beat_.user, beat_.user, beat_.user &= LYDITE_KEEP(BITS))

#ifdef __LYDITE__

// The compiler knows these; a stream is a name only.
#ifdef __cplusplus
extern "C" {
#endif
void __lydite_stream_read(const void *stream, void *data, uint64_t *keep, uint8_t *last,
                          uint64_t *user, uint32_t bytes, uint32_t user_bits);
void __lydite_stream_write(const void *stream, const void *data, uint64_t keep, uint32_t last,
                           uint64_t user, uint32_t bytes, uint32_t user_bits);
uint64_t __lydite_stream_count(const void *stream);
#ifdef __cplusplus
}
#endif

#define LYDITE_STREAM_INLINE_ static inline __attribute__((always_inline, nodebug, unused))

#define LYDITE_STREAM_ACCESS_(NAME, USER_BITS, USER_ADDRESS, USER, MASK_USER)                      \
  typedef struct lydite_stream_of_##NAME {                                                         \
    char only_a_name_;                                                                             \
  } NAME;                                                                                          \
  LYDITE_STREAM_INLINE_ NAME##_beat NAME##_read(NAME *stream_) {                                   \
    NAME##_beat beat_;                                                                             \
    uint64_t no_user_;                                                                             \
    uint8_t last_;                                                                                 \
    (void)no_user_;                                                                                \
    __lydite_stream_read(stream_, &beat_.data, &beat_.keep, &last_, USER_ADDRESS,                  \
                         sizeof beat_.data, USER_BITS);                                            \
    beat_.last = last_ != 0;                                                                       \
    return beat_;                                                                                  \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ void NAME##_write(NAME *stream_, NAME##_beat beat_) {                      \
    __lydite_stream_write(stream_, &beat_.data, beat_.keep, beat_.last ? 1 : 0, USER,              \
                          sizeof beat_.data, USER_BITS);                                           \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ size_t NAME##_count(const NAME *stream_) {                                 \
    return __lydite_stream_count(stream_);                                                         \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ void NAME##_free(NAME *stream_) { (void)stream_; }

#else

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A queue of beats. `observe`, if set, sees every beat that is taken or given.
typedef struct lydite_stream_queue {
  unsigned char *beats;
  size_t capacity;  // in beats
  size_t first;
  size_t count;
  void (*observe)(void *context, const void *data, size_t bytes, uint64_t keep, bool last,
                  uint64_t user);
  void *context;
} lydite_stream_queue;

#define LYDITE_STREAM_INLINE_ static inline __attribute__((unused))

LYDITE_STREAM_INLINE_ void lydite_stream_fail_(const char *what) {
  fprintf(stderr, "lydite_stream: %s\n", what);
  abort();
}

LYDITE_STREAM_INLINE_ void lydite_stream_push_(lydite_stream_queue *queue, const void *beat,
                                               size_t size) {
  if (queue->first + queue->count == queue->capacity) {
    if (queue->first > queue->capacity / 2) {
      memmove(queue->beats, queue->beats + queue->first * size, queue->count * size);
      queue->first = 0;
    } else {
      const size_t capacity = queue->capacity ? 2 * queue->capacity : 16;
      unsigned char *beats = (unsigned char *)realloc(queue->beats, capacity * size);
      if (!beats) lydite_stream_fail_("out of memory");
      queue->beats = beats;
      queue->capacity = capacity;
    }
  }
  memcpy(queue->beats + (queue->first + queue->count) * size, beat, size);
  queue->count++;
}

LYDITE_STREAM_INLINE_ void lydite_stream_pop_(lydite_stream_queue *queue, void *beat, size_t size) {
  if (!queue->count) lydite_stream_fail_("read of an empty stream, which nothing can fill");
  memcpy(beat, queue->beats + queue->first * size, size);
  queue->first++;
  queue->count--;
}

LYDITE_STREAM_INLINE_ void lydite_stream_free_(lydite_stream_queue *queue) {
  free(queue->beats);
  queue->beats = NULL;
  queue->capacity = queue->first = queue->count = 0;
}

#define LYDITE_STREAM_ACCESS_(NAME, USER_BITS, USER_ADDRESS, USER, MASK_USER)                      \
  typedef struct lydite_stream_of_##NAME {                                                         \
    lydite_stream_queue queue;                                                                     \
  } NAME;                                                                                          \
  LYDITE_STREAM_INLINE_ void NAME##_observe_(const NAME *stream_, NAME##_beat beat_) {             \
    if (stream_->queue.observe)                                                                    \
      stream_->queue.observe(stream_->queue.context, &beat_.data, sizeof beat_.data,               \
                             beat_.keep, beat_.last, USER);                                        \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ NAME##_beat NAME##_read(NAME *stream_) {                                   \
    NAME##_beat beat_;                                                                             \
    lydite_stream_pop_(&stream_->queue, &beat_, sizeof beat_);                                     \
    NAME##_observe_(stream_, beat_);                                                               \
    return beat_;                                                                                  \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ void NAME##_write(NAME *stream_, NAME##_beat beat_) {                      \
    beat_.keep &= LYDITE_KEEP(sizeof beat_.data);                                                  \
    MASK_USER;                                                                                     \
    lydite_stream_push_(&stream_->queue, &beat_, sizeof beat_);                                    \
    NAME##_observe_(stream_, beat_);                                                               \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ size_t NAME##_count(const NAME *stream_) {                                 \
    return stream_->queue.count;                                                                   \
  }                                                                                                \
  LYDITE_STREAM_INLINE_ void NAME##_free(NAME *stream_) { lydite_stream_free_(&stream_->queue); }

#endif

// Streams of the usual widths.
LYDITE_STREAM(lydite_stream8, uint8_t)
LYDITE_STREAM(lydite_stream16, uint16_t)
LYDITE_STREAM(lydite_stream32, uint32_t)
LYDITE_STREAM(lydite_stream64, uint64_t)

// Wider data: word i holds bytes 8i to 8i+7.
typedef struct lydite_data128 {
  uint64_t word[2];
} lydite_data128;
typedef struct lydite_data256 {
  uint64_t word[4];
} lydite_data256;
typedef struct lydite_data512 {
  uint64_t word[8];
} lydite_data512;
LYDITE_STREAM(lydite_stream128, lydite_data128)
LYDITE_STREAM(lydite_stream256, lydite_data256)
LYDITE_STREAM(lydite_stream512, lydite_data512)

#endif
