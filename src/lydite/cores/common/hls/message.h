// SPDX-License-Identifier: Apache-2.0
//
// Messages on a stream of 64-bit words, for hash functions that `lydite hls` compiles: the padding
// that marks their end, and known answers for `main`. Byte 0 of a message is the lowest; only its
// last beat may be partial.

#ifndef LYDITE_CORES_COMMON_HLS_MESSAGE_H_
#define LYDITE_CORES_COMMON_HLS_MESSAGE_H_

#include <lydite_stream.h>

// The bit 1 behind a message, in the byte that it begins.
#define MESSAGE_MARK 0x80

// Where a message is; at its start `more` is set and `mark` is not.
typedef struct {
  bool more;       // words of it come
  bool mark;       // it ended with a whole word: the mark is due
  uint64_t bytes;  // of it came so far
} message_place;

// The next word of a message, its mark, or zeros. Returns whether the mark is in it.
static inline bool message_word(uint64_t *word, lydite_stream64 *s_axis, message_place *place) {
  lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
  if (place->more) beat = lydite_stream64_read(s_axis);
  const bool due = place->more || place->mark, whole = beat.keep >> 7 & 1;
  uint64_t bytes = 0;
  unsigned count = 8;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is the mark's.
    const uint64_t value = beat.data >> 8 * byte & 0xff;
    const bool kept = beat.keep >> byte & 1;
    const bool before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    bytes |= (kept ? value : before && due ? MESSAGE_MARK : 0u) << 8 * byte;
    if (before && !kept) count = (unsigned)byte;
  }
  const bool stands = place->mark || (place->more && beat.last && !whole);
  if (place->more) place->bytes += count;
  place->mark = beat.last && whole;
  place->more = place->more && !beat.last;
  *word = bytes;
  return stands;
}

// Digest of the message of so many bytes, whose byte i is 7 + 11 i.
typedef struct {
  int length;
  uint64_t digest[4];
} message_answer;

// Gives a hash function the messages of answers; 0 if it gives their digests.
static inline int message_check(void (*hash)(lydite_stream64 *, lydite_stream64 *),
                                const message_answer *answers, size_t count) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < count; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      lydite_stream64_beat beat = {.keep = LYDITE_KEEP(length - at < 8 ? length - at : 8)};
      for (int byte = 0; byte < 8 && at < length; byte++, at++) {
        beat.data |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * byte;
      }
      beat.last = at == length;
      lydite_stream64_write(&in, beat);
    } while (at < length);
    hash(&in, &out);
    for (int i = 0; i < 4; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      wrong |= beat.data ^ answers[n].digest[i];
      wrong |= (uint64_t)(beat.last != (i == 3)) | (beat.keep ^ 0xff);
    }
  }
  wrong |= lydite_stream64_count(&in) | lydite_stream64_count(&out);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}

#endif  // LYDITE_CORES_COMMON_HLS_MESSAGE_H_
