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

// Reads a packet from a file; gives false at a mark or the end of the line. The byte that comes
// next is given when it is known whether it is the last.
static bool read_packet(FILE *file, int *next, void (*byte)(lydite_stream8 *, uint8_t, bool, bool),
                        lydite_stream8 *stream) {
  while (*next == ' ') *next = fgetc(file);
  if (*next == '-') {
    byte(stream, 0, false, true);
    *next = fgetc(file);
    return true;
  }
  if (digit_of(*next) < 0) return false;
  while (digit_of(*next) >= 0) {
    const int high = digit_of(*next), low = digit_of(fgetc(file));
    *next = fgetc(file);
    byte(stream, (uint8_t)(16 * high + low), true, digit_of(*next) < 0);
  }
  return true;
}

static void put_byte(lydite_stream8 *stream, uint8_t data, bool keep, bool last) {
  const lydite_stream8_beat beat = {.data = data, .keep = keep, .last = last};
  lydite_stream8_write(stream, beat);
}

static unsigned wrong_beats;

static void compare_byte(lydite_stream8 *stream, uint8_t data, bool keep, bool last) {
  if (lydite_stream8_count(stream) == 0) {
    wrong_beats++;
    return;
  }
  const lydite_stream8_beat beat = lydite_stream8_read(stream);
  wrong_beats += beat.data != data || beat.keep != keep || beat.last != last;
}

// Runs the calls of the file that the first argument names; 0 if all answers are right.
static int check(int count, char **arguments, void (*core)(lydite_stream8 *, lydite_stream8 *)) {
  lydite_stream8 in = {0}, out = {0};
  unsigned calls = 0;
  FILE *file = count == 2 ? fopen(arguments[1], "r") : NULL;
  if (file == NULL) {
    fprintf(stderr, "usage: %s FILE, with a call a line: packets in, >, packets out\n",
            count > 0 ? arguments[0] : "check");
    return 2;
  }
  for (int next = fgetc(file); next != EOF;) {
    while (read_packet(file, &next, put_byte, &in)) {
    }
    if (next != '>') break;
    core(&in, &out);
    next = fgetc(file);
    while (read_packet(file, &next, compare_byte, &out)) {
    }
    if (next != '\n') break;
    calls++;
    next = fgetc(file);
  }
  const bool all = feof(file) && calls > 0;
  fclose(file);
  wrong_beats += (unsigned)(lydite_stream8_count(&in) + lydite_stream8_count(&out));
  lydite_stream8_free(&in);
  lydite_stream8_free(&out);
  return !all || wrong_beats != 0;
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_CHECK_H_
