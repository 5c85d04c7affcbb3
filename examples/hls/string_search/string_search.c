// SPDX-License-Identifier: Apache-2.0
// String search of Knuth, Morris and Pratt (SIAM Journal on Computing 6, 1977, section 2); top
// function: string_search.

#include <stdint.h>

#define TEXT_MAX_LENGTH 256
#define PATTERN_MAX_LENGTH 32

// Gives the place of the pattern's first occurrence at or after `start`, or -1; lengths up to 256
// and 32. The empty pattern is found at once.
int32_t string_search(const char text[TEXT_MAX_LENGTH], int32_t text_length,
                      const char pattern[PATTERN_MAX_LENGTH], int32_t pattern_length,
                      int32_t start) {
  // border[i]: length of the longest proper border of pattern[0..i].
  int8_t border[PATTERN_MAX_LENGTH];
  if (start < 0 || start > text_length) return -1;
  if (pattern_length == 0) return start;
  border[0] = 0;
  int32_t matched = 0;
  for (int32_t i = 1; i < pattern_length; i++) {
    while (matched > 0 && pattern[i] != pattern[matched]) matched = border[matched - 1];
    if (pattern[i] == pattern[matched]) matched++;
    border[i] = (int8_t)matched;
  }
  matched = 0;
  for (int32_t i = start; i < text_length; i++) {
    while (matched > 0 && text[i] != pattern[matched]) matched = border[matched - 1];
    if (text[i] == pattern[matched]) matched++;
    if (matched == pattern_length) return i + 1 - pattern_length;
  }
  return -1;
}

static char text[TEXT_MAX_LENGTH], pattern[PATTERN_MAX_LENGTH];

static int32_t copied(char *out, const char *in) {
  int32_t length = 0;
  for (; in[length]; length++) out[length] = in[length];
  return length;
}

struct known_answer {
  const char *pattern;
  int32_t start, place;
};

static const struct known_answer answers[] = {
    {"abcabcacab", 0, 5}, {"abc", 0, 1},   {"abc", 2, 5},  {"ababab", 0, -1}, {"b", 0, 0},
    {"cab", 3, 3},        {"babb", 0, 22}, {"bb", 30, -1}, {"", 7, 7},        {"", 99, -1},
};

int main(void) {
  // The text and the first pattern are those of the paper's section 1.
  int32_t text_length = copied(text, "babcbabcabcaabcabcabcacabc");
  for (unsigned k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    int32_t length = copied(pattern, answers[k].pattern);
    int32_t place = string_search(text, text_length, pattern, length, answers[k].start);
    // The naive search as a second opinion.
    int32_t naive = -1;
    for (int32_t i = answers[k].start; i + length <= text_length && naive < 0; i++) {
      int32_t same = 0;
      while (same < length && text[i + same] == pattern[same]) same++;
      if (same == length) naive = i;
    }
    if (place != naive) return 1;
  }
  // The worst case for a naive search.
  for (int i = 0; i < TEXT_MAX_LENGTH; i++) text[i] = i == 250 ? 'b' : 'a';
  for (int i = 0; i < PATTERN_MAX_LENGTH; i++) pattern[i] = i == 31 ? 'b' : 'a';
  return string_search(text, TEXT_MAX_LENGTH, pattern, PATTERN_MAX_LENGTH, 0) != 219;
}
