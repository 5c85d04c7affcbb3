// SPDX-License-Identifier: Apache-2.0
//
// `main` of the cores: calls of a file of vectors. A line is a call: packets in hexadecimal, `-` of
// an empty one, those that go in, `>`, and those that must come out.

#ifndef LYDITE_CORES_DILITHIUM_HLS_CHECK_H_
#define LYDITE_CORES_DILITHIUM_HLS_CHECK_H_

#include <stdio.h>

#include "stream.h"

// The value of a digit, or -1 where there is none.
static int digit_of(int character) {
  if (character >= '0' && character <= '9') return character - '0';
  return character >= 'a' && character <= 'f' ? character - 'a' + 10 : -1;
}

// Reads a packet from a file and does something with each beat; gives false at a mark or the end of
// the line.
static bool read_packet(FILE *file, int *next,
                        void (*with)(lydite_stream64 *, lydite_stream64_beat),
                        lydite_stream64 *stream) {
  while (*next == ' ') *next = fgetc(file);
  if (*next != '-' && digit_of(*next) < 0) return false;
  if (*next == '-') *next = fgetc(file);
  lydite_stream64_beat beat = {.last = false};
  while (!beat.last) {
    unsigned bytes = 0;
    beat.data = 0;
    for (; bytes < 8 && digit_of(*next) >= 0; bytes++) {
      const int high = digit_of(*next), low = digit_of(fgetc(file));
      beat.data |= (uint64_t)(16 * high + low) << 8 * bytes;
      *next = fgetc(file);
    }
    beat.keep = LYDITE_KEEP(bytes);
    beat.last = digit_of(*next) < 0;
    with(stream, beat);
  }
  return true;
}

static unsigned wrong_beats;

static void compare_beat(lydite_stream64 *stream, lydite_stream64_beat wanted) {
  if (lydite_stream64_count(stream) == 0) {
    wrong_beats++;
    return;
  }
  const lydite_stream64_beat beat = lydite_stream64_read(stream);
  const unsigned bytes = bytes_of(wanted);
  wrong_beats += first_bytes(beat.data, bytes) != wanted.data || beat.keep != wanted.keep ||
                 beat.last != wanted.last;
}

// Runs the calls of the file that the first argument names; 0 if all answers are right.
static int check(int count, char **arguments, void (*core)(lydite_stream64 *, lydite_stream64 *)) {
  lydite_stream64 in = {0}, out = {0};
  unsigned calls = 0;
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: %s FILE, with a call a line: packets in, >, packets out\n",
            count > 0 ? arguments[0] : "check");
    return 2;
  }
  for (int next = fgetc(file); next != EOF;) {
    while (read_packet(file, &next, lydite_stream64_write, &in)) {
    }
    if (next != '>') break;
    core(&in, &out);
    next = fgetc(file);
    while (read_packet(file, &next, compare_beat, &out)) {
    }
    if (next != '\n') break;
    calls++;
    next = fgetc(file);
  }
  const bool all = feof(file) && calls > 0;
  fclose(file);
  wrong_beats += (unsigned)(lydite_stream64_count(&in) + lydite_stream64_count(&out));
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return !all || wrong_beats != 0;
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_CHECK_H_
