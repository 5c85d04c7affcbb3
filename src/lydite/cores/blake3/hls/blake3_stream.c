// SPDX-License-Identifier: Apache-2.0
//
// BLAKE3 (one function, fast everywhere; sections are that paper's) of messages of any length on
// streams of 64 bits, tree and all: a core for `lydite bench`; top function: blake3_stream. Packets
// are those of rtl/blake3_core.v: a message; key and message; context and key material. User bits 0
// and 1 say which, those above how many bytes come out. Written as it is read: a block comes in,
// then it is compressed.

#include "blake3.h"

void blake3_stream(job_stream *s_axis, output_stream *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
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
  uint64_t chunk = 0;   // of the next block
  uint64_t joins = 0;   // its ones at the end: subtrees that the last node is to be joined with
  uint8_t place = 0;    // of the next block in its chunk
  uint8_t depth = 0;    // of the stack
  bool is_node = false;  // what has been compressed is a subtree
  bool root = false;    // it is the whole tree
  bool parent = false;
  uint32_t number = 0;  // of the block of output
  uint32_t bytes = 0;
  uint32_t flags = 0;
  for (int i = 0; i < 8; i++) chaining[i] = key[i];
  do {
    // A compression: of a block, of two subtrees, or of the root again.
    const uint32_t mode = operation == KEYED_HASH ? KEYED
                          : operation == HASH     ? 0
                          : second                ? MATERIAL
                                                  : CONTEXT;
    const bool at_edge = ended && is_node;
    const bool join = !root && is_node && (at_edge ? depth != 0 : joins & 1);
    if (!root && is_node && !join) {  // wait for a sibling
      for (int i = 0; i < 8; i++) stack[depth][i] = out[i];
      depth++;
    }
    if (join) {
      depth--;
      joins >>= 1;
      for (int i = 0; i < 8; i++) {
        block[i] = stack[depth][i];
        block[8 + i] = out[i];
        chaining[i] = key[i];
      }
      parent = true;
      root = at_edge && depth == 0;
      is_node = true;
      bytes = 64;
      number = 0;
      flags = mode | PARENT | (root ? ROOT : 0);
    } else if (!root) {
      if (place == 0) {
        for (int i = 0; i < 8; i++) chaining[i] = key[i];
      } else {
        for (int i = 0; i < 8; i++) chaining[i] = out[i];
      }
      bytes = 0;
      bool more = !(ended);
      for (int word = 0; word < 8; word++) {
#pragma HLS pipeline
        uint64_t data = 0;
        if (more) {
          for (int i = 0; i < 8; i++) {
            if (beat.keep >> i & 1) data |= (beat.data >> 8 * i & 0xff) << 8 * i;
            bytes += beat.keep >> i & 1;
          }
          more = !beat.last;
          if (more) {
            beat = job_stream_read(s_axis);
            more = beat.keep & 1;
          }
        }
        for (int i = 0; i < 14; i++) block[i] = block[i + 2];
        block[14] = (uint32_t)data;
        block[15] = (uint32_t)(data >> 32);
      }
      ended = !more;
      const bool ends = ended || place == CHUNK_BLOCKS - 1;
      parent = false;
      root = ended && chunk == 0;
      is_node = ends;
      flags = mode | (place == 0 ? CHUNK_START : 0) | (ends ? CHUNK_END : 0) | (root ? ROOT : 0);
      joins = chunk;
      place = ends ? 0 : place + 1;
      number = 0;
    }
    compress(out, chaining, block, root ? number : parent ? 0 : chunk, bytes, flags);
    if (!parent && is_node) chunk++;
    number++;
    if (root && !second) {
      for (int i = 0; i < 8; i++) key[i] = out[i];
      second = true;
      root = is_node = false;
      chunk = 0;
      place = 0;
      depth = 0;
      number = 0;
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

#define TOP blake3_stream
#include "blake3_main.h"
