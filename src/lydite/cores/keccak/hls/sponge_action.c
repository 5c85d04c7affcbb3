// SPDX-License-Identifier: Apache-2.0
//
// The sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2): the speed test on
// SLICES engines, and CRC-32 and Adler-32 of messages, 8 bytes a cycle: a core for `lydite bench`;
// top function: sponge_action. What is wanted comes as `user` with the first beat: 0 the speed
// test, whose packets are those of sponge_speed.c, 1 CRC-32, 2 Adler-32 of a packet. Out come the
// packets of the speed test, or one of four bytes.

#include "../../common/hls/adler32.h"
#include "../../common/hls/crc32.h"
#include "sponge_runs.h"

enum { MODE_SPEED, MODE_CRC, MODE_ADLER };

LYDITE_STREAM_USER(action_stream, uint64_t, 2)

// The value of a packet of four bytes that has begun; behind it may be a beat without bytes.
static uint32_t value_of(action_stream_beat beat, action_stream *s_axis) {
  if (!beat.last) action_stream_read(s_axis);
  return (uint32_t)beat.data;
}

static uint32_t next_value(action_stream *s_axis) {
  return value_of(action_stream_read(s_axis), s_axis);
}

static void give(uint64_t value, int bytes, lydite_stream64 *m_axis) {
  const lydite_stream64_beat beat = {.data = value, .keep = LYDITE_KEEP(bytes), .last = true};
  lydite_stream64_write(m_axis, beat);
}

// The packets of the speed test; its first beat is there.
static void speed(action_stream_beat first_beat, action_stream *s_axis, lydite_stream64 *m_axis) {
  const uint32_t first = value_of(first_beat, s_axis), runs = next_value(s_axis);
  const uint32_t nb_elmts = next_value(s_axis), freq = next_value(s_axis);
  const uint32_t rounds = next_value(s_axis);
  const bool right = sponge_is_right(first, runs, nb_elmts, freq, rounds);
  const uint64_t checksum = sponge_sum(right, first, runs, nb_elmts, freq, rounds);
  give(right, 1, m_axis);
  give(checksum, right ? 8 : 0, m_axis);
}

static message_beat message_of(action_stream_beat beat) {
  return (message_beat){.data = beat.data, .keep = beat.keep, .last = beat.last};
}

static uint32_t crc32(action_stream_beat beat, action_stream *s_axis) {
  uint32_t remainder = CRC32_START, checksum;
  bool last;
  do {
#pragma HLS pipeline II=1
    checksum = crc32_beat(&remainder, message_of(beat));
    last = beat.last;
    if (!last) beat = action_stream_read(s_axis);
  } while (!last);
  return checksum;
}

static uint32_t adler32(action_stream_beat beat, action_stream *s_axis) {
  adler32_sums sums = adler32_start;
  uint32_t checksum;
  bool last;
  do {
#pragma HLS pipeline II=1
    checksum = adler32_beat(&sums, message_of(beat));
    last = beat.last;
    if (!last) beat = action_stream_read(s_axis);
  } while (!last);
  return checksum;
}

void sponge_action(action_stream *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode = ap_ctrl_none port = return
  const action_stream_beat beat = action_stream_read(s_axis);
  if (beat.user == MODE_SPEED) {
    speed(beat, s_axis, m_axis);
  } else if (beat.user == MODE_CRC) {
    give(crc32(beat, s_axis), 4, m_axis);
  } else {
    give(adler32(beat, s_axis), 4, m_axis);
  }
}

// A packet of so many bytes, whose byte i is 7 + 11 i.
static void message(action_stream *in, unsigned mode, int length) {
  int at = 0;
  do {
    const int count = length - at < 8 ? length - at : 8;
    action_stream_beat beat = {.keep = LYDITE_KEEP(count), .last = at + count == length};
    beat.user = mode;
    for (int byte = 0; byte < count; byte++, at++) {
      beat.data |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * byte;
    }
    action_stream_write(in, beat);
  } while (at < length);
}

// Known answers: checksums of messages, of those in crc32_stream.c and adler32_stream.c.
static const struct {
  unsigned mode;
  int length;
  uint32_t checksum;
} answers[] = {
    {MODE_CRC, 0, 0x00000000},   {MODE_ADLER, 0, 0x01000000},   {MODE_CRC, 7, 0x83cb2f02},
    {MODE_ADLER, 9, 0xcc016c06}, {MODE_CRC, 8, 0x5089d063},     {MODE_ADLER, 8, 0x6d01a004},
    {MODE_CRC, 300, 0x8b7aa844}, {MODE_ADLER, 300, 0x5b94f366},
};

int main(void) {
  action_stream in = {0};
  lydite_stream64 out = {0};
  const uint32_t values[] = {0, 16, 3, 5, 1};
  for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
    const action_stream_beat beat = {.data = values[i], .keep = 15, .last = true};
    action_stream_write(&in, beat);
  }
  sponge_action(&in, &out);
  bool wrong = lydite_stream64_read(&out).data != 1;
  wrong |= lydite_stream64_read(&out).data != 0xf5b2f6949bbc4837;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    message(&in, answers[n].mode, answers[n].length);
    sponge_action(&in, &out);
    const lydite_stream64_beat beat = lydite_stream64_read(&out);
    wrong |= beat.data != answers[n].checksum || !beat.last || beat.keep != 15;
  }
  action_stream_free(&in);
  lydite_stream64_free(&out);
  return wrong;
}
