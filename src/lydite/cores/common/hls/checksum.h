// SPDX-License-Identifier: Apache-2.0
//
// Messages of BYTES bytes a beat for checksums that `lydite hls` compiles, and a check for `main`.
// A message's bytes are in order, byte 0 lowest; only its last beat may be partial, or have none.

#ifndef LYDITE_CORES_COMMON_HLS_CHECKSUM_H_
#define LYDITE_CORES_COMMON_HLS_CHECKSUM_H_

#include <lydite_stream.h>

// Bytes of a beat: 8, 16, 32.
#ifndef BYTES
#define BYTES 8
#endif
#if BYTES == 8
#define MESSAGE(NAME) lydite_stream64##NAME
#define WORD(data, index) (data)
#elif BYTES == 16
#define MESSAGE(NAME) lydite_stream128##NAME
#define WORD(data, index) (data).word[index]
#elif BYTES == 32
#define MESSAGE(NAME) lydite_stream256##NAME
#define WORD(data, index) (data).word[index]
#else
#error "BYTES must be 8, 16 or 32"
#endif
typedef MESSAGE() message_stream;
typedef MESSAGE(_beat) message_beat;

// The words of a beat, the bytes that it has not as zeros. Returns how many these are.
static inline unsigned whole_beat(uint64_t words[BYTES / 8], message_beat beat) {
  unsigned missing = 0;
  for (int word = 0; word < BYTES / 8; word++) {
    words[word] = 0;
    for (int byte = 0; byte < 8; byte++) {
      if (beat.keep >> (8 * word + byte) & 1) {
        words[word] |= WORD(beat.data, word) & UINT64_C(0xff) << 8 * byte;
      }
    }
  }
  // Keep is ones from the lowest: by halves of what is looked at.
  uint64_t keep = beat.keep;
  for (int half = BYTES / 2; half > 0; half /= 2) {
    const bool full = keep >> (half - 1) & 1;
    missing += full ? 0 : (unsigned)half;
    keep = full ? keep >> half : keep;
  }
  return missing + !(keep & 1);
}

static inline void message_write(message_stream *out, int length) {
  int at = 0;
  do {
    const int count = length - at < BYTES ? length - at : BYTES;
    message_beat beat = {.keep = LYDITE_KEEP(count), .last = at + count == length};
    for (int byte = 0; byte < count; byte++, at++) {
      WORD(beat.data, byte / 8) |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * (byte % 8);
    }
    MESSAGE(_write)(out, beat);
  } while (at < length);
}

// Checksum of the message of so many bytes, whose byte i is 7 + 11 i, as the core gives it.
typedef struct {
  int length;
  uint32_t checksum;
} message_answer;

// Gives a core the messages of answers; 0 if it gives their checksums.
static inline int message_check(void (*core)(message_stream *, lydite_stream32 *),
                                const message_answer *answers, size_t count) {
  message_stream in = {0};
  lydite_stream32 out = {0};
  uint32_t wrong = 0;
  for (size_t n = 0; n < count; n++) {
    message_write(&in, answers[n].length);
    core(&in, &out);
    const lydite_stream32_beat beat = lydite_stream32_read(&out);
    wrong |= (beat.data ^ answers[n].checksum) | (uint32_t)!beat.last | (uint32_t)(beat.keep ^ 15);
  }
  wrong |= lydite_stream32_count(&out) != 0;
  MESSAGE(_free)(&in);
  lydite_stream32_free(&out);
  return wrong != 0;
}

#endif  // LYDITE_CORES_COMMON_HLS_CHECKSUM_H_
