// SPDX-License-Identifier: Apache-2.0
//
// Messages on a stream of 32-bit words, for hash functions that `lydite hls` compiles and that take
// in words of 32 bits: those of the message, zeros up to a whole word, and behind them its bits in
// 64 bits, highest byte first; and known answers for `main`. Byte 0 of a message is the lowest;
// only its last beat may be partial.

#ifndef LYDITE_CORES_COMMON_HLS_MESSAGE32_H_
#define LYDITE_CORES_COMMON_HLS_MESSAGE32_H_

#include <lydite_stream.h>

// Where a message is; at its start `more` is set and nothing else.
typedef struct {
  bool more;       // words of it come
  bool due;        // the mark is
  bool low;        // the lower half of the length is
  uint64_t bytes;  // of it came so far
} message32_place;

static inline uint32_t message32_swap(uint32_t word) {
  return word << 24 | (word & 0xff00) << 8 | (word >> 8 & 0xff00) | word >> 24;
}

// The next word, and behind the message its mark, unless that is 0. Returns whether it is the lower
// half of the length.
static inline bool message32_word(uint32_t *word, lydite_stream32 *s_axis, message32_place *place,
                                  uint8_t mark) {
  lydite_stream32_beat beat = {.data = 0, .keep = 0, .last = false};
  const bool more = place->more, due = place->due;
  if (more) beat = lydite_stream32_read(s_axis);
  const bool some = beat.keep & 1, whole = beat.keep >> 3 & 1;
  uint32_t bytes = 0;
  unsigned count = 4;
  for (int byte = 0; byte < 4; byte++) {
    // Keep is ones from the lowest: the byte behind them is the mark's.
    const uint32_t value = beat.data >> 8 * byte & 0xff;
    const bool kept = beat.keep >> byte & 1;
    const bool before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    bytes |= (kept ? value : before ? mark : 0u) << 8 * byte;
    if (before && !kept) count = (unsigned)byte;
  }
  const uint64_t bits = 8 * place->bytes;
  const uint32_t half = place->low ? (uint32_t)bits : (uint32_t)(bits >> 32);
  const bool message = some || (mark != 0 && (more || due)), low = place->low && !message;
  *word = message ? bytes : message32_swap(half);
  if (more) place->bytes += count;
  place->due = mark != 0 && beat.last && whole;
  place->low = !message;
  place->more = more && !beat.last;
  return low;
}

// Digest of the message of so many bytes, whose byte i is 7 + 11 i.
typedef struct {
  int length;
  uint32_t digest[8];
} message32_answer;

// Gives a hash function the messages of answers; 0 if it gives their digests.
static inline int message32_check(void (*hash)(lydite_stream32 *, lydite_stream32 *),
                                  const message32_answer *answers, size_t count) {
  lydite_stream32 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < count; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      lydite_stream32_beat beat = {.keep = LYDITE_KEEP(length - at < 4 ? length - at : 4)};
      for (int byte = 0; byte < 4 && at < length; byte++, at++) {
        beat.data |= (uint32_t)(uint8_t)(7 + 11 * at) << 8 * byte;
      }
      beat.last = at == length;
      lydite_stream32_write(&in, beat);
    } while (at < length);
    hash(&in, &out);
    for (int i = 0; i < 8; i++) {
      const lydite_stream32_beat beat = lydite_stream32_read(&out);
      wrong |= beat.data ^ answers[n].digest[i];
      wrong |= (uint64_t)(beat.last != (i == 7)) | (beat.keep ^ 0xf);
    }
  }
  wrong |= lydite_stream32_count(&in) | lydite_stream32_count(&out);
  lydite_stream32_free(&in);
  lydite_stream32_free(&out);
  return wrong != 0;
}

#endif  // LYDITE_CORES_COMMON_HLS_MESSAGE32_H_
