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

// Takes a packet, of which no more words are kept than so many bytes have; gives whether it has
// that many.
static bool take(uint64_t *out, unsigned bytes, lydite_stream64 *s_axis) {
#pragma HLS inline off
  unsigned at = 0, left = bytes;
  bool right = true, last = false;
  while (!last) {
#pragma HLS pipeline
    const lydite_stream64_beat beat = lydite_stream64_read(s_axis);
    const unsigned some = bytes_of(beat);
    if (at < WORDS(bytes)) out[at++] = beat.data;
    if (some > left) right = false;
    left = some > left ? 0 : left - some;
    last = beat.last;
  }
  return right && left == 0;
}

// Absorbs a packet of any length behind so many bytes of a block; gives the new place. Words of the
// packet are put together anew as words of lanes, and absorbed by blocks; the last bytes are alone.
static uint8_t take_message(uint64_t state[LANES], uint8_t at, lydite_stream64 *s_axis) {
#pragma HLS inline off
  const unsigned offset = at % 8;
  uint64_t block[SHAKE256_RATE], rest = 0;
  unsigned bytes = offset;
  bool last = false;
  at -= offset;
  while (!last) {
    unsigned words = 0;
    for (; !last && words < SHAKE256_RATE; words++) {
#pragma HLS pipeline
      const lydite_stream64_beat beat = lydite_stream64_read(s_axis);
      const unsigned some = bytes_of(beat);
      const uint64_t word = first_bytes(beat.data, some);
      const uint64_t lane = rest | word << 8 * offset;
      block[words] = lane;
      bytes = offset + some;
      rest = bytes < 8 ? lane : offset == 0 ? 0 : word >> 8 * (8 - offset);
      last = beat.last;
    }
    at = shake_absorb(state, at, block, words - (bytes < 8));
  }
  return shake_bytes(state, at, rest, bytes % 8);
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

// Gives a packet of so many bytes, at least one.
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

// Gives an empty packet, in place of what a call with a field of the wrong length asks for.
static inline void give_nothing(lydite_stream64 *m_axis) {
  const lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = true};
  lydite_stream64_write(m_axis, beat);
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_STREAM_H_
