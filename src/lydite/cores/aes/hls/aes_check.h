// SPDX-License-Identifier: Apache-2.0
//
// Known answers for the kernels' `main`: NIST's, through the streams.

#pragma once

#include <string.h>

#include "aes.h"

typedef struct {
  const char *key, *counter, *in, *out;  // in hexadecimal; no counter: encrypted block by block
  bool decrypts;
} aes_answer;

// SP 800-38A, F.5.1 (two blocks and a half), F.1.1, F.1.2; CAVP ECBGFSbox128, ENCRYPT 0 and 1.
static const aes_answer aes_answers[] = {
    {"2b7e151628aed2a6abf7158809cf4f3c", "f0f1f2f3f4f5f6f7f8f9fafbfcfdfeff",
     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e5130c81c46a35ce411",
     "874d6191b620e3261bef6864990db6ce9806f66b7970fdff8617187bb9fffdff5ae4df3edbd5d35e", false},
    {"2b7e151628aed2a6abf7158809cf4f3c", NULL,
     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51",
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf", false},
    {"2b7e151628aed2a6abf7158809cf4f3c", NULL,
     "3ad77bb40d7a3660a89ecaf32466ef97f5d3d58503b9699de785895a96fdbaaf",
     "6bc1bee22e409f96e93d7e117393172aae2d8a571e03ac9c9eb76fac45af8e51", true},
    {"00000000000000000000000000000000", NULL, "f34481ec3cc627bacd5dc3fb08f273e6",
     "0336763e966d92595a567cc9ce537f5e", false},
    {"00000000000000000000000000000000", NULL, "9798c4640bad75c7c3227db910174e72",
     "a9a1631bf4996954ebc093957b234589", false},
    {"00000000000000000000000000000000", NULL, "", "", false},
    {"2b7e151628aed2a6abf7158809cf4f3c", NULL, "3925841d02dc09fbdc118597196a0b32",
     "3243f6a8885a308d313198a2e0370734", true},
};

static unsigned aes_digit(char c) { return (unsigned)(c <= '9' ? c - '0' : c - 'a' + 10); }

// Puts bytes of a text on a stream as one packet; `loose`: a beat without bytes ends it.
static void aes_give(aes_job_stream *stream, const char *text, unsigned user, bool loose) {
  const size_t length = strlen(text) / 2;
  size_t at = 0;
  bool last;
  do {
    const size_t take = length - at < BLOCK_BYTES ? length - at : BLOCK_BYTES;
    aes_job_stream_beat beat = {.keep = LYDITE_KEEP(take), .user = user};
    for (size_t i = 0; i < take; i++, at++) {
      const uint64_t byte = aes_digit(text[2 * at]) << 4 | aes_digit(text[2 * at + 1]);
      beat.data.word[i / 8] |= byte << (8 * (i % 8));
    }
    last = at == length && (!loose || take < BLOCK_BYTES);
    beat.last = last;
    aes_job_stream_write(stream, beat);
  } while (!last);
}

// Takes a packet that should be this; 0 if it is.
static int aes_take(lydite_stream128 *stream, const char *text, bool loose) {
  const size_t length = strlen(text) / 2;
  size_t at = 0;
  bool last;
  int wrong = 0;
  do {
    const size_t take = length - at < BLOCK_BYTES ? length - at : BLOCK_BYTES;
    const lydite_stream128_beat beat = lydite_stream128_read(stream);
    for (size_t i = 0; i < take; i++, at++) {
      const unsigned byte = aes_digit(text[2 * at]) << 4 | aes_digit(text[2 * at + 1]);
      wrong |= (beat.data.word[i / 8] >> (8 * (i % 8)) & 0xff) != byte;
    }
    last = at == length && (!loose || take < BLOCK_BYTES);
    wrong |= beat.last != last || beat.keep != LYDITE_KEEP(take);
  } while (!last);
  return wrong;
}

// Runs all answers that a kernel has an operation for; `counts`: the number of counter mode, behind
// that of decryption, if there is that.
static int aes_check(void (*kernel)(aes_job_stream *, lydite_stream128 *), unsigned counts) {
  aes_job_stream in = {0};
  lydite_stream128 out = {0};
  int wrong = 0;
  for (int loose = 0; loose < 2; loose++) {
    for (size_t n = 0; n < sizeof aes_answers / sizeof *aes_answers; n++) {
      const aes_answer *const a = &aes_answers[n];
      if (a->decrypts && counts < 2) continue;
      const unsigned user = a->counter != NULL ? counts : a->decrypts;
      aes_give(&in, a->key, user, loose);
      if (a->counter != NULL) aes_give(&in, a->counter, user, loose);
      aes_give(&in, a->in, user, loose);
      kernel(&in, &out);
      wrong |= aes_take(&out, a->out, loose);
    }
  }
  wrong |= aes_job_stream_count(&in) != 0 || lydite_stream128_count(&out) != 0;
  aes_job_stream_free(&in);
  lydite_stream128_free(&out);
  return wrong;
}
