// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length on
// streams of 64 bits, by the schedule of blake3-fpga (itzmeanjan/blake3-fpga): block j of all
// chunks before block j + 1, chaining values through a memory, then the tree. All chunks are here
// those of a group, which a memory on the chip holds. Top function: blake3_passes; packets are
// those of rtl/blake3_core.v. The compression is that of blake3_stream.c, so that the two beside
// each other show what the way through memory takes.

#include "blake3.h"

// Of a group: a power of two.
#define GROUP_CHUNKS 32
#define BLOCK_WORDS 8
#define GROUP_WORDS (GROUP_CHUNKS * CHUNK_BLOCKS * BLOCK_WORDS)

void blake3_passes(job_stream *s_axis, output_stream *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t group[GROUP_WORDS];
  uint32_t values[GROUP_CHUNKS][8];
#pragma HLS array_partition variable=values complete dim=2
  uint32_t stack[LEVELS][8];
#pragma HLS array_partition variable=stack complete dim=2
  uint32_t key[8], chaining[8], block[16], out[16];
  // The beat that is next: a field may end in one without bytes.
  job_stream_beat beat = job_stream_read(s_axis);
  const enum operation operation = (enum operation)(beat.user & 3);
  uint32_t left = (uint32_t)(beat.user >> 2);
  for (int i = 0; i < 8; i++) key[i] = iv[i];
  if (operation == KEYED_HASH) {
    bool ends;
    do {
#pragma HLS pipeline
      if (beat.keep & 1) {
        for (int i = 0; i < 6; i++) key[i] = key[i + 2];
        key[6] = (uint32_t)beat.data;
        key[7] = (uint32_t)(beat.data >> 32);
      }
      ends = beat.last;
      beat = job_stream_read(s_axis);
    } while (!ends);
  }

  bool second = operation != DERIVE_KEY;  // this field's output goes out
  bool ended = beat.last && !(beat.keep & 1);
  bool done = false;
  bool filled = false;     // a group is there
  bool leaves = false;     // its chunks are hashed, and go into the tree
  bool root = false;       // what has been compressed is the whole tree
  uint64_t base = 0;       // chunks before the group
  uint64_t joins = 0;      // of a leaf: its ones at the end, subtrees that it is to be joined with
  uint8_t chunk = 0;       // of the group: the next one of a pass, or the leaf
  uint8_t place = 0;       // of the pass: its block of each chunk
  uint8_t last = 0;        // the group's last chunk
  uint8_t last_place = 0;  // the last block of that
  uint8_t last_bytes = 0;  // of which there are so many bytes
  uint8_t depth = 0;       // of the stack
  uint32_t number = 0;     // of the block of output
  uint64_t counter = 0;
  uint32_t bytes = 0;
  uint32_t flags = 0;
  do {
    const uint32_t mode = operation == KEYED_HASH ? KEYED
                          : operation == HASH     ? 0
                          : second                ? MATERIAL
                                                  : CONTEXT;
    if (!filled) {
      // Whole blocks, zeros behind the last byte.
      bool more = !ended;
      bool fills = true;
      uint16_t word = 0;
      while (fills) {
#pragma HLS pipeline
        uint64_t data = 0;
        if (word % BLOCK_WORDS == 0) last_bytes = 0;
        if (more) {
          for (int i = 0; i < 8; i++) {
            if (beat.keep >> i & 1) data |= (beat.data >> 8 * i & 0xff) << 8 * i;
            last_bytes += beat.keep >> i & 1;
          }
          more = !beat.last;
          if (more) {
            beat = job_stream_read(s_axis);
            more = beat.keep & 1;
          }
        }
        group[word] = data;
        word++;
        fills = word % BLOCK_WORDS != 0 || (more && word != GROUP_WORDS);
      }
      ended = !more;
      word--;
      last = (uint8_t)(word / (CHUNK_BLOCKS * BLOCK_WORDS));
      last_place = word / BLOCK_WORDS % CHUNK_BLOCKS;
      filled = true;
      leaves = false;
      chunk = 0;
      place = 0;
    }
    const bool is_last = ended && chunk == last;
    const bool in_pass = !root && !leaves;
    bool go = true;
    if (in_pass) {
      const bool ends = place == (is_last ? last_place : CHUNK_BLOCKS - 1);
      for (int i = 0; i < 8; i++) chaining[i] = place == 0 ? key[i] : values[chunk][i];
      for (int word = 0; word < BLOCK_WORDS; word++) {
#pragma HLS pipeline
        const uint64_t data = group[(chunk * CHUNK_BLOCKS + place) * BLOCK_WORDS + word];
        for (int i = 0; i < 14; i++) block[i] = block[i + 2];
        block[14] = (uint32_t)data;
        block[15] = (uint32_t)(data >> 32);
      }
      root = ends && is_last && base + chunk == 0;
      counter = root ? 0 : base + chunk;
      bytes = ends && is_last ? last_bytes : 64;
      flags = mode | (place == 0 ? CHUNK_START : 0) | (ends ? CHUNK_END : 0) | (root ? ROOT : 0);
      number = 0;
    } else if (!root) {
      // A leaf, or what it was joined to, is in out.
      go = is_last ? depth != 0 : joins & 1;
      if (go) {
        depth--;
        joins >>= 1;
        for (int i = 0; i < 8; i++) {
          block[i] = stack[depth][i];
          block[8 + i] = out[i];
          chaining[i] = key[i];
        }
        root = is_last && depth == 0;
        counter = 0;
        bytes = 64;
        flags = mode | PARENT | (root ? ROOT : 0);
        number = 0;
      } else {  // it waits for a sibling
        for (int i = 0; i < 8; i++) stack[depth][i] = out[i];
        depth++;
        filled = chunk != last;
        if (!filled) base += GROUP_CHUNKS;
        chunk++;
        joins = base + chunk;
        if (filled) {
          for (int i = 0; i < 8; i++) out[i] = values[chunk][i];
        }
      }
    } else {
      counter = number;
    }
    if (go) {
      compress(out, chaining, block, counter, bytes, flags);
      number++;
    }
    if (in_pass && !root) {
      for (int i = 0; i < 8; i++) values[chunk][i] = out[i];
      // The next chunk that has such a block, the next pass, or the tree.
      const uint8_t most = ended && place > last_place ? last - 1 : last;
      const bool alone = ended && last == 0;
      if (chunk != most) {
        chunk++;
      } else if (place != (alone ? last_place : CHUNK_BLOCKS - 1)) {
        chunk = 0;
        place++;
      } else {
        leaves = true;
        chunk = 0;
        joins = base;
        for (int i = 0; i < 8; i++) out[i] = values[0][i];
      }
    }
    if (root && !second) {
      for (int i = 0; i < 8; i++) key[i] = out[i];
      second = true;
      root = filled = false;
      base = 0;
      depth = 0;
      beat = job_stream_read(s_axis);
      ended = beat.last && !(beat.keep & 1);
    } else if (root) {
      bool give = true;
      uint8_t given = 0;
      while (give) {
#pragma HLS pipeline
        const uint32_t here = left < 8 ? left : 8;
        output_stream_beat beat_out = {.keep = LYDITE_KEEP(here), .last = left <= 8};
        for (unsigned i = 0; i < 8; i++) {
          const uint64_t word = (uint64_t)out[1] << 32 | out[0];
          if (i < here) beat_out.data |= word & UINT64_C(0xff) << 8 * i;
        }
        output_stream_write(m_axis, beat_out);
        for (int i = 0; i < 14; i++) out[i] = out[i + 2];
        done = left <= 8;
        left -= here;
        given++;
        give = !done && given % 8 != 0;
      }
    }
  } while (!done);
}

#define TOP blake3_passes
#include "blake3_main.h"
