// SPDX-License-Identifier: Apache-2.0
//
// The sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2): the speed test on
// SLICES engines, CRC-32 and Adler-32 of messages, 8 bytes a cycle, and SHA-3 and SHAKE, a block in
// 24 cycles: a core for `lydite bench`; top function: sponge_action. What is wanted comes as `user`
// with the first beat, in its lowest four bits: 0 the speed test, whose packets are those of
// sponge_speed.c; of a packet 1 CRC-32, 2 Adler-32, 3 to 6 SHA3-224, SHA3-256, SHA3-384, SHA3-512,
// 7 SHAKE128, 8 SHAKE256, of as many bytes, 1 to 65535, as the bits above say. Out come the packets
// of the speed test, or one.

#include "../../common/hls/adler32.h"
#include "../../common/hls/crc32.h"
#include "sponge_hash.h"
#include "sponge_runs.h"

enum {
  MODE_SPEED,
  MODE_CRC,
  MODE_ADLER,
  MODE_SHA3_224,
  MODE_SHA3_256,
  MODE_SHA3_384,
  MODE_SHA3_512,
  MODE_SHAKE128,
  MODE_SHAKE256,
};
#define MODE_BITS 4

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
  const uint64_t checksum = sponge_sum(right, first, runs, nb_elmts, freq, rounds, 0);
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

// The function of a mode (FIPS 202, 6.1, 6.2).
static sponge_function function_of(unsigned mode, uint16_t length) {
  switch (mode) {
    case MODE_SHA3_224:
      return (sponge_function){.rate = 18, .suffix = 0x06, .length = 28};
    case MODE_SHA3_256:
      return (sponge_function){.rate = 17, .suffix = 0x06, .length = 32};
    case MODE_SHA3_384:
      return (sponge_function){.rate = 13, .suffix = 0x06, .length = 48};
    case MODE_SHA3_512:
      return (sponge_function){.rate = 9, .suffix = 0x06, .length = 64};
    case MODE_SHAKE128:
      return (sponge_function){.rate = 21, .suffix = 0x1f, .length = length};
    default:
      return (sponge_function){.rate = 17, .suffix = 0x1f, .length = length};
  }
}

void sponge_action(action_stream *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode = ap_ctrl_none port = return
  const action_stream_beat beat = action_stream_read(s_axis);
  const unsigned mode = beat.user & ((1 << MODE_BITS) - 1);
  if (mode == MODE_SPEED) {
    speed(beat, s_axis, m_axis);
  } else if (mode == MODE_CRC) {
    give(crc32(beat, s_axis), 4, m_axis);
  } else if (mode == MODE_ADLER) {
    give(adler32(beat, s_axis), 4, m_axis);
  } else {
    const uint16_t length = (uint16_t)(beat.user >> MODE_BITS);
    sponge_hash(function_of(mode, length), beat, s_axis, m_axis);
  }
}

// A packet of so many bytes, whose byte i is 7 + 11 i.
static void message(action_stream *in, unsigned user, int length) {
  int at = 0;
  do {
    const int count = length - at < 8 ? length - at : 8;
    action_stream_beat beat = {.keep = LYDITE_KEEP(count), .last = at + count == length};
    beat.user = user;
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

// Digests of such messages: their bytes, their first lane and their last.
static const struct {
  unsigned mode;
  int length;
  unsigned bytes;
  uint64_t first, last;
} digests[] = {
    {MODE_SHA3_224, 0, 28, 0xb7db673642034e6b, 0x00000000c76b5a5b},
    {MODE_SHA3_224, 144, 28, 0x8df6f5e62777cd87, 0x000000008f90e3fe},
    {MODE_SHA3_256, 135, 32, 0xa52536ea87564187, 0x6d9eccc1bd65d402},
    {MODE_SHA3_384, 103, 48, 0xdfadee218c78d8ba, 0x275c65ec5164206c},
    {MODE_SHA3_512, 300, 64, 0x9bdd7ca6ec906550, 0x443cbb1ff0dae8f7},
    {MODE_SHAKE128, 168, 337, 0xf376f71dd48c73fd, 0x0000000000000096},
    {MODE_SHAKE256, 7, 1, 0x0000000000000067, 0x0000000000000067},
    {MODE_SHAKE256, 300, 137, 0xffe134675577c080, 0x00000000000000e9},
};

// Whether a digest is wrong.
static bool is_wrong(lydite_stream64 *out, unsigned bytes, uint64_t first, uint64_t last) {
  bool wrong = lydite_stream64_count(out) != (bytes + 7) / 8;
  for (unsigned at = 0; at < bytes; at += 8) {
    const lydite_stream64_beat beat = lydite_stream64_read(out);
    const bool ends = bytes - at <= 8;
    wrong |= beat.last != ends || beat.keep != LYDITE_KEEP(ends ? bytes - at : 8);
    wrong |= (at == 0 && beat.data != first) || (ends && beat.data != last);
  }
  return wrong;
}

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
  for (size_t n = 0; n < sizeof digests / sizeof *digests; n++) {
    message(&in, digests[n].mode | digests[n].bytes << MODE_BITS, digests[n].length);
    sponge_action(&in, &out);
    wrong |= is_wrong(&out, digests[n].bytes, digests[n].first, digests[n].last);
  }
  action_stream_free(&in);
  lydite_stream64_free(&out);
  return wrong;
}
