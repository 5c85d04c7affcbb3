// SPDX-License-Identifier: Apache-2.0
//
// Adler-32 (RFC 1950, 8.2) of messages, BYTES bytes a cycle, message behind message: a core for
// `lydite bench`; top function: adler32_stream. Four bytes come out, the highest first (2.2).
//
// From cycle to cycle each of the two sums takes one number below the modulus, known before. A last
// beat of fewer bytes counts as a whole one, zeros behind it: for each of them the first sum was
// added to the second once too often.

#include "checksum.h"

#define MODULUS UINT32_C(65521)

// Remainder of the sum of a number below the modulus and one that may be it.
static inline uint32_t add(uint32_t a, uint32_t b) {
  const uint32_t sum = (a + b) & 0x1ffff, less = (a + b - MODULUS) & 0x3ffff;
  return less >> 17 ? sum : less & 0xffff;
}

// The remainder of a number below 2**22: 2**16 is 15 there.
static inline uint32_t reduced(uint32_t value) {
  const uint32_t low = value & 0xffff, high = value >> 16 & 0x3f;
  const uint32_t sum = low + (high << 4) - high;
  return sum >= MODULUS ? sum - MODULUS : sum;
}

void adler32_stream(message_stream *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint32_t first = 1, second = 0;
  bool last;
  do {
#pragma HLS pipeline II=1 rewind
    const message_beat beat = MESSAGE(_read)(s_axis);
    uint64_t words[BYTES / 8];
    const unsigned missing = whole_beat(words, beat);
    // The bytes' sum, and that with byte i BYTES - i times: the first half of so many bytes has
    // all of the second half behind it once more.
    uint32_t bytes[BYTES], weighted[BYTES];
    for (int i = 0; i < BYTES; i++) {
#pragma HLS unroll
      bytes[i] = weighted[i] = words[i / 8] >> 8 * (i % 8) & 0xff;
    }
    for (int half = 1; half < BYTES; half *= 2) {
#pragma HLS unroll
      for (int i = 0; i < BYTES / 2 / half; i++) {
#pragma HLS unroll
        weighted[i] = weighted[2 * i] + weighted[2 * i + 1] + bytes[2 * i] * (uint32_t)half;
        bytes[i] = bytes[2 * i] + bytes[2 * i + 1];
      }
    }
    second = add(second, reduced(BYTES * first + weighted[0]));
    first = add(first, bytes[0]);
    uint32_t extra = 0;
    for (int half = 1; half <= BYTES; half *= 2) {
#pragma HLS unroll
      if (missing & (unsigned)half) extra += first * (uint32_t)half;
    }
    const uint32_t right = add(second, MODULUS - reduced(extra));
    last = beat.last;
    if (last) {
      const uint32_t bytes_first = first << 8 | first >> 8, bytes_second = right << 8 | right >> 8;
      const uint32_t value = (bytes_first & 0xffff) << 16 | (bytes_second & 0xffff);
      const lydite_stream32_beat checksum = {.data = value, .keep = 15, .last = true};
      lydite_stream32_write(m_axis, checksum);
    }
  } while (!last);
}

// Adler-32 with the highest byte lowest, as it goes out.
static const message_answer answers[] = {
    {0, 0x01000000}, {1, 0x08000800}, {2, 0x1a002200}, {7, 0x19013303},
    {8, 0x6d01a004}, {9, 0xcc016c06}, {15, 0xed04671b}, {16, 0x99050021},
    {17, 0x50065027}, {31, 0xd50ccfbe}, {32, 0x310d00cc}, {33, 0x980d98d9},
    {64, 0x611d2d86}, {100, 0x6f2fbf0e}, {255, 0x857e1266}, {300, 0x5b94f366},
};

int main(void) { return message_check(adler32_stream, answers, sizeof answers / sizeof *answers); }
