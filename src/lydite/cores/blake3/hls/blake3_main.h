// SPDX-License-Identifier: Apache-2.0
//
// The testbench of the cores in C: known answers through the function TOP.

#pragma once

#include <string.h>

#include "blake3.h"

#define OUTPUT_BYTES 80
#define CONTEXT_BYTES 65
#define KEY_BYTES 32

// First and last eight bytes of 80, of messages whose byte i is 7 + 11 i, under keys and contexts
// of the same kind.
static const struct {
  enum operation operation;
  int length;
  uint64_t output[2];
} answers[] = {
    {HASH, 0, {0xa6a1f9f5b94913af, 0x2bc5e0f99ec9e6af}},
    {HASH, 1, {0x4a152496ddd88b44, 0x147d665bdfe5a835}},
    {HASH, 63, {0x746ea9c20ecca85b, 0x784923378dcf3cee}},
    {HASH, 64, {0xb1f456e372e34234, 0x3c8d661665fe8f48}},
    {HASH, 65, {0x94dcca69329deac4, 0x5420045c9eea0552}},
    {HASH, 1024, {0xf43e8ff06f25a838, 0x77d2200ed198357c}},
    {HASH, 1025, {0xfecff86aebb38d73, 0xe10f2e6272be9994}},
    {HASH, 3073, {0xcccface3bae08310, 0xe91de94714393ef7}},
    {KEYED_HASH, 0, {0xe6fe8725640f6a12, 0xe34a7ef4cdeaf11b}},
    {KEYED_HASH, 2048, {0xcc2583f37433d284, 0x2c00635ac1b12246}},
    {DERIVE_KEY, 65, {0x4d009f8a60611a10, 0x1d8f5b2c638b500d}},
    {DERIVE_KEY, 1025, {0xdf6bed72643ecb84, 0x2a615d55620cda1a}},
};

#define BEAT_BYTES ((int)sizeof(words))

static void put(job_stream *in, int length, enum operation operation) {
  int at = 0;
  do {
    const int here = length - at < BEAT_BYTES ? length - at : BEAT_BYTES;
    uint8_t bytes[BEAT_BYTES] = {0};
    for (int i = 0; i < here; i++) bytes[i] = (uint8_t)(7 + 11 * (at + i));
    job_stream_beat beat = {.keep = LYDITE_KEEP(here)};
    memcpy(&beat.data, bytes, sizeof bytes);
    at += here;
    beat.user = (uint64_t)operation | OUTPUT_BYTES << 2;
    beat.last = at == length;
    job_stream_write(in, beat);
  } while (at < length);
}

int main(void) {
  job_stream in = {0};
  output_stream out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const enum operation operation = answers[n].operation;
    if (operation == KEYED_HASH) put(&in, KEY_BYTES, operation);
    if (operation == DERIVE_KEY) put(&in, CONTEXT_BYTES, operation);
    put(&in, answers[n].length, operation);
    TOP(&in, &out);
    uint8_t given[OUTPUT_BYTES + BEAT_BYTES];
    for (int at = 0; at < OUTPUT_BYTES; at += BEAT_BYTES) {
      const output_stream_beat beat = output_stream_read(&out);
      const int here = OUTPUT_BYTES - at < BEAT_BYTES ? OUTPUT_BYTES - at : BEAT_BYTES;
      memcpy(given + at, &beat.data, sizeof beat.data);
      wrong |= beat.last != (at + here == OUTPUT_BYTES) || beat.keep != LYDITE_KEEP(here);
    }
    uint64_t ends[2];
    memcpy(&ends[0], given, 8);
    memcpy(&ends[1], given + OUTPUT_BYTES - 8, 8);
    wrong |= (ends[0] ^ answers[n].output[0]) | (ends[1] ^ answers[n].output[1]);
  }
  wrong |= job_stream_count(&in) | output_stream_count(&out);
  job_stream_free(&in);
  output_stream_free(&out);
  return wrong != 0;
}
