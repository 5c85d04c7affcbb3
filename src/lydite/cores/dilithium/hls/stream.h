// SPDX-License-Identifier: Apache-2.0
//
// Packets on streams of words: fields of calls. Each packet ends with `last`, on its last bytes or
// on a beat without bytes behind them; an empty one is such a beat.

#ifndef LYDITE_CORES_DILITHIUM_HLS_STREAM_H_
#define LYDITE_CORES_DILITHIUM_HLS_STREAM_H_

#include <lydite_stream.h>

#include "../c/scheme.h"

// How many bytes a beat has.
static inline unsigned bytes_of(lydite_stream64_beat beat) {
  unsigned bytes = 0;
  for (unsigned i = 0; i < 8; i++) bytes += (unsigned)(beat.keep >> i & 1);
  return bytes;
}

// The first bytes of a word; its others are zero.
static inline uint64_t first_bytes(uint64_t word, unsigned bytes) {
  return bytes == 8 ? word : word & ((UINT64_C(1) << 8 * bytes) - 1);
}

// Takes a packet of so many words, of whose last one all bytes count.
static void take(uint64_t *out, unsigned words, lydite_stream64 *s_axis) {
#pragma HLS inline off
  bool last = false;
  for (unsigned i = 0; i < words; i++) {
#pragma HLS pipeline
    const lydite_stream64_beat beat = lydite_stream64_read(s_axis);
    out[i] = beat.data;
    last = beat.last;
  }
  if (!last) lydite_stream64_read(s_axis);
}

// Absorbs a packet of any length; gives the new place.
static unsigned take_message(uint64_t state[LANES], unsigned at, lydite_stream64 *s_axis) {
#pragma HLS inline off
  lydite_stream64_beat beat;
  do {
    beat = lydite_stream64_read(s_axis);
    const unsigned bytes = bytes_of(beat);
    at = shake_bytes(state, at, first_bytes(beat.data, bytes), bytes);
  } while (!beat.last);
  return at;
}

// Takes a context, of which no more than a word beyond 255 bytes is kept; gives their number, or
// 256 of more.
static unsigned take_context(uint64_t out[WORDS(CONTEXT_BYTES)], lydite_stream64 *s_axis) {
#pragma HLS inline off
  lydite_stream64_beat beat;
  unsigned bytes = 0;
  do {
    beat = lydite_stream64_read(s_axis);
    if (bytes < CONTEXT_BYTES) {
      out[bytes / 8] = beat.data;
      bytes += bytes_of(beat);
    } else if (bytes_of(beat) != 0) {
      bytes = CONTEXT_BYTES + 1;
    }
  } while (!beat.last);
  return bytes;
}

// Gives a packet of so many bytes.
static void give(lydite_stream64 *m_axis, const uint64_t *in, unsigned bytes) {
#pragma HLS inline off
  for (unsigned i = 0; i < WORDS(bytes); i++) {
#pragma HLS pipeline
    const bool last = 8 * (i + 1) >= bytes;
    const uint64_t keep = last && bytes % 8 != 0 ? LYDITE_KEEP(bytes % 8) : LYDITE_KEEP(8);
    const lydite_stream64_beat beat = {.data = in[i], .keep = keep, .last = last};
    lydite_stream64_write(m_axis, beat);
  }
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_STREAM_H_
