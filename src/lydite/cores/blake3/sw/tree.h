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
#include "pool.h"
#endif

// Chaining values that a subtree is left with: as many as fill the lanes, and never the one of the
// root, whose compression differs.
#define MOST (LANES < 2 ? 2 : LANES)

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

// 2.5: a level, which may take its children's place; one without a sibling goes up as it is.
static size_t hash_parents(chaining_value *out, chaining_value *in, size_t count,
                           const struct job *job) {
  hash_all(out, in[0], 2 * sizeof in[0], count / 2, 1, 0, 0, job, BLAKE3_PARENT, 0, 0);
  if (count % 2 != 0) memcpy(out[count / 2], in[count - 1], sizeof in[0]);
  return (count + 1) / 2;
}

// The chaining values, two to MOST, or that of a lone chunk, over all bytes.
static size_t subtree(chaining_value *out, const uint8_t *in, size_t bytes, uint64_t first,
                      const struct job *job) {
  if (bytes <= (size_t)LANES * BLAKE3_CHUNK_BYTES) return hash_chunks(out, in, bytes, first, job);
  chaining_value both[2 * MOST];
  size_t left = BLAKE3_CHUNK_BYTES;
  while (left < bytes - left) left *= 2;
  const uint64_t middle = first + left / BLAKE3_CHUNK_BYTES;
  // A full subtree: as many values as there are lanes, or its one chunk.
  const size_t left_chunks = left / BLAKE3_CHUNK_BYTES;
  const size_t in_left = left_chunks < MOST ? left_chunks : MOST;
  size_t count = subtree(both, in, left, first, job);
  count += subtree(both + in_left, in + left, bytes - left, middle, job);
  if (count == 2) {
    memcpy(out, both, 2 * sizeof both[0]);
    return 2;
  }
  return hash_parents(out, both, count, job);
}

#if BLAKE3_THREADS
// A part has so many bytes, or as many more as keep the number of parts down.
#define PART_BYTES ((size_t)64 * BLAKE3_CHUNK_BYTES)
#define PARTS 64

// A message in parts of one size, whole subtrees all, but that the last one may be shorter.
struct parts {
  const uint8_t *in;
  size_t bytes;
  size_t part_bytes;
  size_t count;
  const struct job *job;
  chaining_value *out;  // MOST of each part
  size_t last_values;   // or fewer of the last one
  atomic_size_t next;
};

// Takes parts as long as there are some, so that no thread waits for a slower one's share.
static void hash_parts(void *given) {
  struct parts *parts = given;
  for (;;) {
    const size_t n = atomic_fetch_add(&parts->next, 1);
    if (n >= parts->count) return;
    const size_t at = n * parts->part_bytes;
    const size_t left = parts->bytes - at;
    const size_t values =
        subtree(parts->out + n * MOST, parts->in + at,
                left < parts->part_bytes ? left : parts->part_bytes, at / BLAKE3_CHUNK_BYTES,
                parts->job);
    if (n + 1 == parts->count) parts->last_values = values;
  }
}

// As subtree, but with chaining values of up to PARTS subtrees, of which each but the last is left
// with MOST, a power of two: by levels they are one value each before two of them are joined.
static size_t subtrees(chaining_value *out, const uint8_t *in, size_t bytes,
                       const struct job *job) {
  struct parts parts = {.in = in, .bytes = bytes, .part_bytes = PART_BYTES, .job = job, .out = out};
  while ((bytes - 1) / parts.part_bytes >= PARTS) parts.part_bytes *= 2;
  parts.count = (bytes - 1) / parts.part_bytes + 1;
  if (parts.count < 2) {
    hash_parts(&parts);
  } else {
    pool_run(hash_parts, &parts, parts.count - 1);
  }
  return (parts.count - 1) * MOST + parts.last_values;
}
#else
#define PARTS 1

static size_t subtrees(chaining_value *out, const uint8_t *in, size_t bytes,
                       const struct job *job) {
  return subtree(out, in, bytes, 0, job);
}
#endif

static void blake3_output(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                          const uint32_t key[8], uint32_t mode) {
  if (in_bytes <= BLAKE3_CHUNK_BYTES) {
    const struct node root = one_chunk(in, in_bytes, 0, key, mode);
    one_output(out, out_bytes, &root);
    return;
  }
  const struct job job = {key, mode};
  chaining_value values[PARTS * MOST];
  size_t count = subtrees(values, in, in_bytes, &job);
  while (count > 2) count = hash_parents(values, values, count, &job);
  struct node root = {.block_bytes = BLAKE3_BLOCK_BYTES, .flags = mode | BLAKE3_PARENT};
  memcpy(root.chaining, key, sizeof root.chaining);
  memcpy(root.block, values, sizeof root.block);
  one_output(out, out_bytes, &root);
}

const char *lydite_impl(void) { return BLAKE3_IMPL; }

const char *lydite_cpu_flags(void) { return BLAKE3_CPU_FLAGS; }

#endif  // LYDITE_CORES_BLAKE3_SW_TREE_H_
