// SPDX-License-Identifier: Apache-2.0
//
// BMW-256 ("Blue Midnight Wish", 2009, as tweaked for round 2) from stream to stream, padding
// included, a block in two cycles: a core for `lydite bench`, of C alone. Top function: bmw.
// The streams have 256 bits: byte 0 of a message is the lowest; only its last beat may be partial.

#include <lydite_stream.h>

typedef uint32_t bmw_word;

#include "../compress.h"

#define BEAT_WORDS 8   // of a beat
#define BEAT_BYTES 32  // of a beat
#define MARK 0x80      // the bit 1 behind a message
#define ROOM 56        // bytes of a block before the length

typedef struct {
  uint32_t word[BEAT_WORDS];
} beat256;

LYDITE_STREAM(stream256, beat256)

// Where a message is; at its start `more` is set and nothing else.
typedef struct {
  bool more;       // beats of it come
  bool mark;       // it ended with a whole beat: the mark is due
  uint64_t bytes;  // of it came so far
} message_place;

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
      words[i] |= (kept ? value : before && due ? MARK : 0u) << 8 * byte;
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

// Digests of messages whose byte i is 7 + 11 i, around the ends of beats and blocks.
static const struct {
  int length;
  uint64_t digest[4];
} answers[] = {
    {0, {0x412b4c6fbfc4ca82, 0xb7d8e984090eccfb, 0xdf9c78e1f862766d, 0x7a5755cc2a6885bd}},
    {1, {0x1f91913025c32ee2, 0xce7d600cb9473f56, 0x00b77265a6be3e0d, 0x7fc911dc0f74cc60}},
    {31, {0x5e1e8e6def9bf379, 0xb83fd301a58dc7c9, 0x19a1e2f855507c5b, 0xb6eaa8cd4622e5d9}},
    {32, {0x4ab5c58c43728799, 0x534fa17dd60cb4ec, 0x152894efbd6eab33, 0x4cbd3594d9d9c98b}},
    {33, {0x1460cb55c7785853, 0x0a462d8b63dd1d8a, 0x957b15f52f27e915, 0xb75cf94b5de0b30c}},
    {55, {0xa0932a89ea413954, 0x8c465b9c9101da7e, 0x1861cdbd9692fb67, 0x4db7a817bc954ff4}},
    {56, {0x9537c4867a1e4df4, 0xfe21e1ac07459e69, 0xc5781ab0a5d10a6d, 0x2131871b5f8f8a74}},
    {57, {0x53363638ddde760e, 0x6c89acea13ab9121, 0x8678f07422464a95, 0x56a968cd4f55df00}},
    {63, {0x6c386782a1b9c466, 0xb05b03a05feb62e2, 0xce118ecb724107d5, 0x4e98c1b561d8eb98}},
    {64, {0x475aed764499baf6, 0xdae20f6f1dd8fb06, 0x661b21c9d3c5ebbd, 0xb9d80de0c3f5f1bb}},
    {65, {0x5ba315675cea28f8, 0xed4ba25e7680ca1e, 0xafd7d3494f43abb9, 0xb93d51a0b83de69c}},
    {119, {0xbc28caca9e7d7ce9, 0xc1c41fec310b3435, 0x01fc9399c02d7def, 0xe7aa20628244cdf8}},
    {120, {0xddf0e8baec8d61bf, 0xc94c41dd62a3a5d2, 0xc44d96a96c755c2f, 0x9b68c9a96ef2208d}},
    {128, {0x4d4ee9ca1875ea65, 0xb6686849c6ef37a8, 0xcc4dde252cde68e7, 0xf44b5985ae71b62c}},
    {200, {0x65d04dbbc398fdac, 0x06ccb63fbfcaf6ed, 0x9a7b0fd15a1fbd4f, 0xa19eb7ee6b5527c4}},
};

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
