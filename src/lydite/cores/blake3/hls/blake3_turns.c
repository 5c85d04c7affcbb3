// SPDX-License-Identifier: Apache-2.0
//
// How many turns the loop of blake3_pipe.c takes for a message that is there at once: that C as it
// is, with a count. Of a core that is made of it a turn is INTERVAL cycles.
//
// Arguments are sizes in bytes; of each it prints a line: the size, turns, the digest. Byte i of a
// message is 7 + 11 (i % 64), so that none has to be held.

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WIDE
#include "blake3.h"

#define DIGEST_BYTES 32

static uint64_t turns;
static uint64_t rest;  // bytes that are still to come, of a message that is not in a stream

static job_stream_beat next_beat(job_stream *stream) {
  if (job_stream_count(stream) > 0) return job_stream_read(stream);
  const int here = rest < sizeof(words) ? (int)rest : (int)sizeof(words);
  uint8_t bytes[sizeof(words)] = {0};
  for (int i = 0; i < here; i++) bytes[i] = (uint8_t)(7 + 11 * i);
  job_stream_beat beat = {.keep = LYDITE_KEEP(here), .user = HASH | DIGEST_BYTES << 2};
  memcpy(&beat.data, bytes, sizeof bytes);
  rest -= (uint64_t)here;
  beat.last = rest == 0;
  return beat;
}

// Each turn has one compression, if not always one that counts.
#define begin(...) (turns++, begin(__VA_ARGS__))
#define job_stream_read(stream) next_beat(stream)
#define main known_answers
#include "blake3_pipe.c"
#undef main

int main(int count, char **sizes) {
  if (known_answers() != 0) {
    printf("known answers are not those that come out\n");
    return 1;
  }
  for (int n = 1; n < count; n++) {
    job_stream in = {0};
    output_stream out = {0};
    const uint64_t size = strtoull(sizes[n], NULL, 10);
    rest = size;
    turns = 0;
    TOP(&in, &out);
    const output_stream_beat beat = output_stream_read(&out);
    uint8_t digest[DIGEST_BYTES];
    memcpy(digest, &beat.data, sizeof digest);
    printf("%" PRIu64 " %" PRIu64 " ", size, turns);
    for (int i = 0; i < DIGEST_BYTES; i++) printf("%02x", digest[i]);
    printf("\n");
    output_stream_free(&out);
  }
  return 0;
}
