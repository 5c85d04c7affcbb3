// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) in OpenCL C: a work item hashes
// a chunk, and a group joins its chunks, a power of two of them, to the chaining value of their
// subtree in local memory; groups of parents go on from these. A level without a sibling at its end
// takes that value up as it is, so that any number of chunks gives the tree of 2.1.
//
// A last group, which is alone on its level, ends in the root and writes its output (2.6).

#include "constants.h"
#include "rounds.h"

#define ITEM_ADD(a, b) ((a) + (b))
#define ITEM_XOR(a, b) ((a) ^ (b))
#define ITEM_ROR(x, n) rotate(x, 32U - (n))

__constant uint iv[8] = BLAKE3_IV;

// 2.2, without what goes into the output: all 16 words of the state.
static inline void compress(uint v[16], const uint chaining[8], const uint m[16], ulong counter,
                            uint block_bytes, uint flags) {
  for (int i = 0; i < 8; i++) v[i] = chaining[i];
  for (int i = 0; i < 4; i++) v[8 + i] = iv[i];
  v[12] = (uint)counter;
  v[13] = (uint)(counter >> 32);
  v[14] = block_bytes;
  v[15] = flags;
  BLAKE3_ALL_ROUNDS(ITEM, v, m);
}

static inline void advance(uint chaining[8], const uint m[16], ulong counter, uint block_bytes,
                           uint flags) {
  uint v[16];
  compress(v, chaining, m, counter, block_bytes, flags);
  for (int i = 0; i < 8; i++) chaining[i] = v[i] ^ v[i + 8];
}

static inline void load_block(uint m[16], __global const uint4 *block) {
  for (int i = 0; i < 4; i++) {
    const uint4 words = block[i];
    m[4 * i] = words.x;
    m[4 * i + 1] = words.y;
    m[4 * i + 2] = words.z;
    m[4 * i + 3] = words.w;
  }
}

// 2.6: the items of a group write blocks of the root's output.
static void write_output(const uint chaining[8], const uint m[16], uint block_bytes, uint flags,
                         __global uint *out, uint out_blocks) {
  uint v[16];
  for (uint at = get_local_id(0); at < out_blocks; at += get_local_size(0)) {
    compress(v, chaining, m, at, block_bytes, flags | BLAKE3_ROOT);
    for (int i = 0; i < 8; i++) {
      out[16 * at + i] = v[i] ^ v[i + 8];
      out[16 * at + 8 + i] = v[i + 8] ^ chaining[i];
    }
  }
}

// 2.5. `values` has word w of chaining value i at w * stride + i; levels of parents leave `down_to`
// of `count` values, or fewer.
static void join(__local uint *values, uint stride, uint count, uint down_to, const uint key[8],
                 uint mode) {
  const uint own = get_local_id(0);
  while (count > down_to) {
    const uint pairs = count / 2;
    uint chaining[8], m[16];
    if (own < pairs) {
      for (int i = 0; i < 8; i++) {
        chaining[i] = key[i];
        m[i] = values[i * stride + 2 * own];
        m[8 + i] = values[i * stride + 2 * own + 1];
      }
      advance(chaining, m, 0, BLAKE3_BLOCK_BYTES, mode | BLAKE3_PARENT);
    } else if (own == pairs && count % 2 != 0) {
      for (int i = 0; i < 8; i++) chaining[i] = values[i * stride + count - 1];
    }
    count = (count + 1) / 2;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (own < count) {
      for (int i = 0; i < 8; i++) values[i * stride + own] = chaining[i];
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
}

// The tree above a group's values: to one value at `joined`, or of the last group to the output.
static void end_group(__local uint *values, uint stride, uint count, bool is_root,
                      const uint key[8], uint mode, __global uint *joined, __global uint *out,
                      uint out_blocks) {
  const uint own = get_local_id(0);
  join(values, stride, count, is_root ? 2 : 1, key, mode);
  if (is_root) {
    uint m[16];
    for (int i = 0; i < 8; i++) {
      m[i] = values[i * stride];
      m[8 + i] = values[i * stride + 1];
    }
    write_output(key, m, BLAKE3_BLOCK_BYTES, mode | BLAKE3_PARENT, out, out_blocks);
  } else if (own < 8) {
    joined[own] = values[own * stride];
  }
}

// 2.4. Chunks of a part of a message: the part begins at chunk `first`, a multiple of a group's;
// `bytes` are those from there to the message's end, and zeros follow up to the end of the last
// block. `values` are eight words for each item, and 26 at least.
__kernel void blake3_chunks(__global const uint4 *part, ulong bytes, ulong first,
                            __constant uint *given_key, uint mode, uint is_alone,
                            __local uint *values, __global uint *joined, __global uint *out,
                            uint out_blocks) {
  const uint own = get_local_id(0), stride = get_local_size(0);
  const ulong before = (ulong)get_group_id(0) * stride;
  const ulong chunks = max((ulong)1, (bytes + BLAKE3_CHUNK_BYTES - 1) / BLAKE3_CHUNK_BYTES);
  const uint count = (uint)min((ulong)stride, chunks - before);
  const bool is_one_chunk = is_alone && chunks == 1;
  uint key[8], chaining[8], m[16];
  for (int i = 0; i < 8; i++) chaining[i] = key[i] = given_key[i];
  if (own < count) {
    const ulong chunk = before + own;
    const ulong at = chunk * BLAKE3_CHUNK_BYTES;
    const uint here = (uint)min((ulong)BLAKE3_CHUNK_BYTES, bytes - at);
    const uint blocks = max(1U, (here + BLAKE3_BLOCK_BYTES - 1) / BLAKE3_BLOCK_BYTES);
    __global const uint4 *from = part + at / sizeof(uint4);
    uint flags = mode | BLAKE3_CHUNK_START;
    for (uint block = 0; block + 1 < blocks; block++) {
      load_block(m, from + 4 * block);
      advance(chaining, m, first + chunk, BLAKE3_BLOCK_BYTES, flags);
      flags = mode;
    }
    const uint last = here - (blocks - 1) * BLAKE3_BLOCK_BYTES;
    load_block(m, from + 4 * (blocks - 1));
    flags |= BLAKE3_CHUNK_END;
    if (is_one_chunk) {
      // It is the root: all items write its output.
      for (int i = 0; i < 8; i++) values[i] = chaining[i];
      for (int i = 0; i < 16; i++) values[8 + i] = m[i];
      values[24] = last;
      values[25] = flags;
    } else {
      advance(chaining, m, first + chunk, last, flags);
      for (int i = 0; i < 8; i++) values[i * stride + own] = chaining[i];
    }
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (is_one_chunk) {
    for (int i = 0; i < 8; i++) chaining[i] = values[i];
    for (int i = 0; i < 16; i++) m[i] = values[8 + i];
    write_output(chaining, m, values[24], values[25], out, out_blocks);
    return;
  }
  end_group(values, stride, count, is_alone, key, mode,
            joined + 8 * (first / stride + get_group_id(0)), out, out_blocks);
}

// Chaining values to those of subtrees of twice as many as a group has items; `values` are 16 words
// for each item.
__kernel void blake3_parents(__global const uint *children, ulong all, __constant uint *given_key,
                             uint mode, uint is_alone, __local uint *values,
                             __global uint *joined, __global uint *out, uint out_blocks) {
  const uint own = get_local_id(0), stride = 2 * get_local_size(0);
  const ulong before = get_group_id(0) * (ulong)stride;
  const uint count = (uint)min((ulong)stride, all - before);
  uint key[8];
  for (int i = 0; i < 8; i++) key[i] = given_key[i];
  for (uint at = own; at < 8 * count; at += get_local_size(0)) {
    values[at % 8 * stride + at / 8] = children[8 * before + at];
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  end_group(values, stride, count, is_alone, key, mode, joined + 8 * get_group_id(0), out,
            out_blocks);
}
