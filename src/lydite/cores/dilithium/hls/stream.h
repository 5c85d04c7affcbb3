// SPDX-License-Identifier: Apache-2.0
//
// Packets on streams of bytes: fields of calls, and known answers for `main`. Each packet ends with
// `last`, on its last byte or on a beat without bytes behind it; an empty one is such a beat.

#ifndef LYDITE_CORES_DILITHIUM_HLS_STREAM_H_
#define LYDITE_CORES_DILITHIUM_HLS_STREAM_H_

#include <lydite_stream.h>

#include "../c/scheme.h"

// Takes a packet of so many bytes.
static void take(uint8_t *out, unsigned bytes, lydite_stream8 *s_axis) {
#pragma HLS inline off
  bool last = false;
  for (unsigned i = 0; i < bytes; i++) {
#pragma HLS pipeline
    const lydite_stream8_beat beat = lydite_stream8_read(s_axis);
    out[i] = beat.data;
    last = beat.last;
  }
  if (!last) lydite_stream8_read(s_axis);
}

// Absorbs a packet of any length; gives the new place.
static unsigned take_message(uint64_t state[LANES], unsigned at, lydite_stream8 *s_axis) {
#pragma HLS inline off
  lydite_stream8_beat beat;
  do {
    beat = lydite_stream8_read(s_axis);
    if (beat.keep) at = shake_byte(state, at, SHAKE256_RATE, beat.data);
  } while (!beat.last);
  return at;
}

// Takes a context, at most 255 bytes of which are kept; gives their number, or 256 of more.
static unsigned take_context(uint8_t out[CONTEXT_BYTES], lydite_stream8 *s_axis) {
#pragma HLS inline off
  lydite_stream8_beat beat;
  unsigned bytes = 0;
  do {
    beat = lydite_stream8_read(s_axis);
    if (beat.keep && bytes < CONTEXT_BYTES) out[bytes] = beat.data;
    if (beat.keep && bytes <= CONTEXT_BYTES) bytes++;
  } while (!beat.last);
  return bytes;
}

// Gives a packet.
static void give(lydite_stream8 *m_axis, const uint8_t *in, unsigned bytes) {
#pragma HLS inline off
  for (unsigned i = 0; i < bytes; i++) {
#pragma HLS pipeline
    const lydite_stream8_beat beat = {.data = in[i], .keep = 1, .last = i == bytes - 1};
    lydite_stream8_write(m_axis, beat);
  }
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_STREAM_H_
