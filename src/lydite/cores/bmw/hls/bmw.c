// SPDX-License-Identifier: Apache-2.0
//
// BMW-256 ("Blue Midnight Wish", 2009, as tweaked for round 2) from stream to stream, padding
// included, a block in two cycles: a core for `lydite bench`, of C alone. Top function: bmw.
// The streams have 256 bits: byte 0 of a message is the lowest; only its last beat may be partial.

#include "../../common/hls/message.h"

typedef uint32_t bmw_word;

#include "../compress.h"
#include "answers.h"

#define BEAT_WORDS 8   // of a beat
#define BEAT_BYTES 32  // of a beat
#define ROOM 56        // bytes of a block before the length

typedef struct {
  uint32_t word[BEAT_WORDS];
} beat256;

LYDITE_STREAM(stream256, beat256)

// The next half of a block: bytes of the message, its mark, zeros. Returns whether that is in it.
static bool half_block(uint32_t words[BEAT_WORDS], stream256 *s_axis, message_place *place) {
  stream256_beat beat = {.keep = 0, .last = false};
  for (int i = 0; i < BEAT_WORDS; i++) beat.data.word[i] = 0;
  if (place->more) beat = stream256_read(s_axis);
  const bool due = place->more || place->mark, whole = beat.keep >> (BEAT_BYTES - 1) & 1;
  uint32_t bytes = 0;
  for (int i = 0; i < BEAT_WORDS; i++) {
    words[i] = 0;
    for (int byte = 0; byte < 4; byte++) {
      // Keep is ones from the lowest: the byte behind them is the mark's.
      const int at = 4 * i + byte;
      const uint32_t value = beat.data.word[i] >> 8 * byte & 0xff;
      const bool kept = beat.keep >> at & 1, before = at == 0 || (beat.keep >> (at - 1) & 1);
      words[i] |= (kept ? value : before && due ? MESSAGE_MARK : 0u) << 8 * byte;
      if (before && !kept) bytes = (uint32_t)at;
    }
  }
  place->bytes += whole ? BEAT_BYTES : bytes;
  const bool stands = place->mark || (place->more && beat.last && !whole);
  place->mark = beat.last && whole;
  place->more = place->more && !beat.last;
  return stands;
}

void bmw(stream256 *s_axis, stream256 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t h[BMW_WORDS], q[2 * BMW_WORDS];
#pragma HLS array_partition variable=h complete
#pragma HLS array_partition variable=q complete
  for (int i = 0; i < BMW_WORDS; i++) {
#pragma HLS unroll
    h[i] = 0x40414243u + 0x04040404u * (uint32_t)i;  // table 1.1
  }
  message_place place = {.more = true, .mark = false, .bytes = 0};
  bool spare = false;  // the mark leaves no room for the length: a block of zeros has it
  bool last = false;   // the last block was worked on
  bool done;
  do {
    // A block in two cycles.
#pragma HLS pipeline II=2
    uint32_t m[BMW_WORDS], pipe[BMW_WORDS];
    done = last;
    if (last) {
      // The last compression is of the pipe, and has a constant one (table 1.2).
      for (int i = 0; i < BMW_WORDS; i++) {
        m[i] = h[i];
        pipe[i] = 0xaaaaaaa0u + (uint32_t)i;
      }
    } else {
      const bool low = half_block(m, s_axis, &place);
      const bool high = half_block(m + BEAT_WORDS, s_axis, &place);
      const bool marked = low || high, fits = place.bytes % 64 < ROOM;
      last = spare || (marked && fits);
      spare = marked && !fits;
      if (last) {
        m[14] = (uint32_t)(place.bytes << 3);
        m[15] = (uint32_t)(place.bytes >> 29);
      }
      for (int i = 0; i < BMW_WORDS; i++) pipe[i] = h[i];
    }
    bmw_f0(q, m, pipe);
    bmw_f1(q, m, pipe);
    bmw_f2(h, m, q);
  } while (!done);
  stream256_beat digest = {.keep = LYDITE_KEEP(BEAT_BYTES), .last = true};
  for (int i = 0; i < BEAT_WORDS; i++) digest.data.word[i] = h[8 + i];
  stream256_write(m_axis, digest);
}

int main(void) {
  stream256 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      const int take = length - at < BEAT_BYTES ? length - at : BEAT_BYTES;
      stream256_beat beat = {.keep = LYDITE_KEEP(take)};
      for (int byte = 0; byte < take; byte++, at++) {
        beat.data.word[byte / 4] |= (uint32_t)(uint8_t)(7 + 11 * at) << byte % 4 * 8;
      }
      beat.last = at == length;
      stream256_write(&in, beat);
    } while (at < length);
    bmw(&in, &out);
    const stream256_beat beat = stream256_read(&out);
    for (int i = 0; i < BEAT_WORDS; i++) {
      wrong |= beat.data.word[i] ^ (uint32_t)(answers[n].digest[i / 2] >> (i % 2 ? 32 : 0));
    }
    wrong |= (uint64_t)!beat.last;
  }
  wrong |= stream256_count(&in) | stream256_count(&out);
  stream256_free(&in);
  stream256_free(&out);
  return wrong != 0;
}
