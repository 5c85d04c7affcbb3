// SPDX-License-Identifier: Apache-2.0
//
// The tree of BLAKE3 (2.1) over chunks and parents that are hashed LANES at a time, and in several
// threads where BLAKE3_THREADS is 1. A variant defines before it is included:
//   LANES                                                 1, 4, 8, 16
//   hash_lanes(out, in, blocks, key, counter, step, mode, start, end)
//     blocks of 64 bytes from each of LANES places to a chaining value of 32 bytes each: counter
//     + lane * step, `mode` in all blocks, `start` in the first, `end` in the last
//   BLAKE3_IMPL, BLAKE3_CPU_FLAGS

#ifndef LYDITE_CORES_BLAKE3_SW_TREE_H_
#define LYDITE_CORES_BLAKE3_SW_TREE_H_

#include "blake3.h"
#include "one.h"

#ifndef BLAKE3_THREADS
#define BLAKE3_THREADS 0
#endif

#if BLAKE3_THREADS
#include <pthread.h>
#include <unistd.h>
#endif

// Chaining values that a subtree is left with: as many as fill the lanes, and never the one of the
// root, whose compression differs.
#define MOST (LANES < 2 ? 2 : LANES)
// A thread of its own is worth so many bytes.
#define THREAD_BYTES ((size_t)128 * BLAKE3_CHUNK_BYTES)

typedef uint8_t chaining_value[BLAKE3_KEY_BYTES];

struct job {
  const uint32_t *key;
  uint32_t mode;
};

// Whole inputs of `blocks` blocks each, `stride` bytes apart, to their chaining values.
static void hash_all(chaining_value *out, const uint8_t *in, size_t stride, size_t count,
                     size_t blocks, uint64_t counter, unsigned step, const struct job *job,
                     uint32_t flags, uint32_t start, uint32_t end) {
  for (size_t first = 0; first < count; first += LANES) {
    const size_t here = count - first < LANES ? count - first : LANES;
    const uint8_t *places[LANES];
    chaining_value values[LANES];
    // Lanes without an input have the last one again.
    for (size_t i = 0; i < LANES; i++) {
      places[i] = in + (first + (i < here ? i : here - 1)) * stride;
    }
    hash_lanes(values, places, blocks, job->key, counter + first * step, step, job->mode | flags,
               start, end);
    memcpy(out[first], values, here * sizeof values[0]);
  }
}

// 2.4: chunks, of which the last may be short.
static size_t hash_chunks(chaining_value *out, const uint8_t *in, size_t bytes, uint64_t first,
                          const struct job *job) {
  const size_t whole = bytes / BLAKE3_CHUNK_BYTES;
  const size_t rest = bytes % BLAKE3_CHUNK_BYTES;
  hash_all(out, in, BLAKE3_CHUNK_BYTES, whole, BLAKE3_CHUNK_BYTES / BLAKE3_BLOCK_BYTES, first, 1,
           job, 0, BLAKE3_CHUNK_START, BLAKE3_CHUNK_END);
  if (rest == 0) return whole;
  const struct node node =
      one_chunk(in + whole * BLAKE3_CHUNK_BYTES, rest, first + whole, job->key, job->mode);
  one_chaining_value(out[whole], &node);
  return whole + 1;
}

// 2.5: a level; one without a sibling goes up as it is.
static size_t hash_parents(chaining_value *out, chaining_value *in, size_t count,
                           const struct job *job) {
  hash_all(out, in[0], 2 * sizeof in[0], count / 2, 1, 0, 0, job, BLAKE3_PARENT, 0, 0);
  if (count % 2 != 0) memcpy(out[count / 2], in[count - 1], sizeof in[0]);
  return (count + 1) / 2;
}

static size_t subtree(chaining_value *out, const uint8_t *in, size_t bytes, uint64_t first,
                      const struct job *job, unsigned threads);

#if BLAKE3_THREADS
struct half {
  chaining_value *out;
  const uint8_t *in;
  size_t bytes;
  uint64_t first;
  const struct job *job;
  unsigned threads;
  size_t count;
};

static void *run_half(void *given) {
  struct half *half = given;
  half->count =
      subtree(half->out, half->in, half->bytes, half->first, half->job, half->threads);
  return NULL;
}
#endif

// The chaining values, two to MOST, or that of a lone chunk, over all bytes.
static size_t subtree(chaining_value *out, const uint8_t *in, size_t bytes, uint64_t first,
                      const struct job *job, unsigned threads) {
  if (bytes <= (size_t)LANES * BLAKE3_CHUNK_BYTES) return hash_chunks(out, in, bytes, first, job);
  chaining_value both[2 * MOST];
  size_t left = BLAKE3_CHUNK_BYTES;
  while (left < bytes - left) left *= 2;
  const uint64_t middle = first + left / BLAKE3_CHUNK_BYTES;
  // A full subtree: as many values as there are lanes, or its one chunk.
  const size_t left_chunks = left / BLAKE3_CHUNK_BYTES;
  const size_t in_left = left_chunks < MOST ? left_chunks : MOST;
  size_t count;
#if BLAKE3_THREADS
  struct half half = {both, in, left, first, job, (threads + 1) / 2, 0};
  pthread_t thread;
  if (threads > 1 && bytes >= 2 * THREAD_BYTES &&
      pthread_create(&thread, NULL, run_half, &half) == 0) {
    count = subtree(both + in_left, in + left, bytes - left, middle, job, threads / 2);
    (void)pthread_join(thread, NULL);
    count += half.count;
  } else
#endif
  {
    count = subtree(both, in, left, first, job, threads);
    count += subtree(both + in_left, in + left, bytes - left, middle, job, threads);
  }
  if (count == 2) {
    memcpy(out, both, 2 * sizeof both[0]);
    return 2;
  }
  return hash_parents(out, both, count, job);
}

static unsigned threads_here(void) {
#if BLAKE3_THREADS
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 1 ? (unsigned)count : 1;
#else
  return 1;
#endif
}

static void blake3_output(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                          const uint32_t key[8], uint32_t mode) {
  if (in_bytes <= BLAKE3_CHUNK_BYTES) {
    const struct node root = one_chunk(in, in_bytes, 0, key, mode);
    one_output(out, out_bytes, &root);
    return;
  }
  const struct job job = {key, mode};
  chaining_value values[MOST];
  chaining_value joined[MOST];
  size_t count = subtree(values, in, in_bytes, 0, &job, threads_here());
  while (count > 2) {
    count = hash_parents(joined, values, count, &job);
    memcpy(values, joined, count * sizeof values[0]);
  }
  struct node root = {.block_bytes = BLAKE3_BLOCK_BYTES, .flags = mode | BLAKE3_PARENT};
  memcpy(root.chaining, key, sizeof root.chaining);
  memcpy(root.block, values, sizeof root.block);
  one_output(out, out_bytes, &root);
}

const char *lydite_impl(void) { return BLAKE3_IMPL; }

const char *lydite_cpu_flags(void) { return BLAKE3_CPU_FLAGS; }

#endif  // LYDITE_CORES_BLAKE3_SW_TREE_H_
