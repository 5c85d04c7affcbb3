// SPDX-License-Identifier: Apache-2.0
//
// Known answers for the kernels' `main`: NIST's, through the streams, as they are and undone.

#pragma once

#include "des.h"

#define BLOCKS 3

// CAVP TECBMMT1, TECBMMT2, TECBMMT3: ENCRYPT 2, and DECRYPT 2 turned round.
static const struct {
  uint64_t keys[3], plain[BLOCKS], cipher[BLOCKS];
} des_answers[2] = {
#if KEYS == 1
    {{0xf175d52a388ff4ba},
     {0xff2dd14dcedeaa43, 0xb12a26ee8f2d82ea, 0xa8fa158426df831c},
     {0x56535e4661ff6bf8, 0x92ad5f3593179a0f, 0xc7dd647567930dbc}},
    {{0x9de0fb689e68ea34},
     {0x56a4800c2e7d7bf2, 0xce92254bedabf850, 0x3628f9b6bd29b56b},
     {0xc7d101363c689d82, 0x3237581a564dd897, 0x2a2b67a8f31bfa08}},
#elif KEYS == 2
    {{0x326b494cd33ee657, 0x37ae5ebf46dff2dc},
     {0x0654b84f30cbb284, 0x6bccd9d56463d6db, 0x9e12f3465b2322ce},
     {0xdec0c5935e5430f9, 0x8ad636fa3d7caff1, 0x946766bdc201edd9}},
    {{0xd9d307fba7705bc1, 0x1c7af1d58f9b75da},
     {0xa22d7e91408aec4a, 0x3bbc75b1bfcefe41, 0xe7fc6398bd6fa9c3},
     {0x9105e38cf9eb1971, 0xf1486d6d5363a08e, 0x035ae197c7ae40a5}},
#else
    {{0xc16189f43451196b, 0xfb4c438580c20408, 0x571f0d5e4a586491},
     {0xdd9a97741093334b, 0xd0c9761105cfb79c, 0xc3bac34a7c85bd8a},
     {0xd2f3f1d32a9ea09b, 0x5acb589c41a07320, 0xfb8d33a2fc2b0ed2}},
    {{0xa4cdbf9d20a78a79, 0xd9547c20150486ea, 0x10d902b3041631ad},
     {0x165daf1103ed2fc7, 0x1de342d6deb610ce, 0x107a2cdd14f14317},
     {0x1e95e643eca2a0b1, 0x1224794a18d94563, 0x954a7d61e8aa92c2}},
#endif
};

// Puts words on a stream as one packet; `loose`: a beat without bytes ends it.
static void des_give(des_job_stream *stream, const uint64_t *words, int count, unsigned user,
                     int loose) {
  for (int i = 0; i < count; i++) {
    const des_job_stream_beat beat = {
        .data = turned(words[i]), .keep = 0xff, .last = i == count - 1 && !loose, .user = user};
    des_job_stream_write(stream, beat);
  }
  if (loose) des_job_stream_write(stream, (des_job_stream_beat){.last = true, .user = user});
}

static int des_check(void (*kernel)(des_job_stream *, lydite_stream64 *)) {
  des_job_stream in = {0};
  lydite_stream64 out = {0};
  int wrong = 0;
  for (int n = 0; n < 8; n++) {
    const unsigned user = (unsigned)n & 1;
    const int loose = n >> 1 & 1, answer = n >> 2;
    const uint64_t *from = user ? des_answers[answer].cipher : des_answers[answer].plain;
    const uint64_t *to = user ? des_answers[answer].plain : des_answers[answer].cipher;
    des_give(&in, des_answers[answer].keys, KEYS, user, loose);
    des_give(&in, from, BLOCKS, user, loose);
    kernel(&in, &out);
    for (int i = 0; i < BLOCKS + loose; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      if (i < BLOCKS) wrong |= turned(beat.data) != to[i];
      wrong |= beat.keep != (i < BLOCKS ? 0xff : 0) || beat.last != (i == BLOCKS + loose - 1);
    }
  }
  wrong |= des_job_stream_count(&in) != 0 || lydite_stream64_count(&out) != 0;
  des_job_stream_free(&in);
  lydite_stream64_free(&out);
  return wrong;
}
