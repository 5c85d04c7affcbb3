// SPDX-License-Identifier: Apache-2.0
//
// Ascon-Hash256 (NIST SP 800-232, 5.1) of messages on a stream of 64 bits, a block every
// 12 / ROUNDS cycles: it is read in the last of them. A core for `lydite bench`; top function:
// ascon_hash_stream. ROUNDS, rounds a cycle, is a macro of the build: 1, 2, 3, 4, 6. The message's
// bytes are in order, byte 0 lowest; only its last beat may be partial, or without bytes.

#include <lydite_stream.h>

#ifndef ROUNDS
#define ROUNDS 1
#endif

#include "ascon_rounds.h"

#define LAST_STEP (12 / ROUNDS - 1)
#define DIGEST_WORDS 4

// What diffusion makes the state after the initial permutation of.
static const uint64_t start[5] = {0x385a4dfc252f8de6, 0x88c99dc2a369e4c5, 0x62b54876df8cf29f,
                                  0xfecf9825103cca9f, 0xbf34cf102dc18e16};

void ascon_hash_stream(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[5], addend[5] = {0};
  for (int word = 0; word < 5; word++) state[word] = start[word];
  lydite_stream64_beat beat = lydite_stream64_read(s_axis);
  addend[0] = padded(beat.data, (unsigned)beat.keep, 1);
  bool more = !beat.last;                        // beats come
  bool pad = beat.last && (beat.keep >> 7 & 1);  // a block of padding does
  bool ends = false;                             // the last cycle of a permutation
  bool give = false;                             // the first one, with a word of the digest
  uint8_t step = 0, given = 0;  // modulo 16; words of the digest, modulo 4
  bool end;
  do {
    // ROUNDS rounds a cycle, and a beat in the last cycle of each permutation.
#pragma HLS pipeline II=1
    uint64_t sum[5];
    diffuse(sum, state, addend);
    end = give && given == 0;
    if (give) {
      const lydite_stream64_beat out = {.data = sum[0], .keep = 0xff, .last = end};
      lydite_stream64_write(m_axis, out);
    }
    permute(sum, step);
    for (int word = 0; word < 5; word++) state[word] = sum[word];
    const bool take = ends && more;
    give = ends && !more && !pad;
    given = (given + give) % 4;
    if (take) {
      beat = lydite_stream64_read(s_axis);
      more = !beat.last;
    }
    addend[0] = take ? padded(beat.data, (unsigned)beat.keep, 1) : ends && pad;
    if (ends) pad = take && beat.last && (beat.keep >> 7 & 1);
    step = ends ? 0 : (step + 1) % 16;
    ends = step == LAST_STEP;
  } while (!end);
}

// Digests of messages whose byte i is 7 + 11 i, around the ends of blocks.
static const struct {
  int length;
  uint64_t digest[DIGEST_WORDS];
} answers[] = {
    {0, {0x986b2f0f85e53b0b, 0x649ba8de8f9ff2ca, 0x838f9b24aa70faa1, 0xb2924d30aa3bd59b}},
    {1, {0xcce7b82dc26454dd, 0x5d880a5888190cb8, 0x2f6e4b48b5a3daf3, 0x44317b1641ad13e9}},
    {7, {0x0f82f7f5127c927c, 0x0fcbeb991af20d1c, 0xc5f4b8d3b4a478c7, 0xf3f44ef9878dbc9d}},
    {8, {0x533fcf82382d87f7, 0x26777c383a0a864f, 0x2e629f126f855e8f, 0x39ce6c8601873f6d}},
    {9, {0x481dc9fff918f690, 0xad37a1c1ed08f15a, 0x326a1002b407793b, 0x79901cf5a5d51622}},
    {15, {0xd91e84dd63771ded, 0x54af0093260fb62d, 0x847d44c699a5c370, 0xe1cd612fcb1435c1}},
    {16, {0x32736a561bda6896, 0x9941e513dd571521, 0xb7ff4b2fc5a4faa2, 0x316d69d28423e11c}},
    {17, {0x6932674cede2b1b9, 0x94c1b8553f26ea01, 0xf1d454dc1d9e5b1d, 0x218fc2a283cefdc1}},
    {64, {0x6e5ddfed233971d5, 0xc2e536c7db776f67, 0xb1d2686a6d9d5f85, 0x5418ead581a35eb1}},
    {65, {0xb106d3f186db736e, 0xa7145005571404c2, 0x8bb30f23f5e8a470, 0x2870da7eb834362a}},
};

int main(void) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      lydite_stream64_beat beat = {.keep = LYDITE_KEEP(length - at < 8 ? length - at : 8)};
      for (int byte = 0; byte < 8 && at < length; byte++, at++) {
        beat.data |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * byte;
      }
      beat.last = at == length;
      lydite_stream64_write(&in, beat);
    } while (at < length);
    ascon_hash_stream(&in, &out);
    for (int i = 0; i < DIGEST_WORDS; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      wrong |= beat.data ^ answers[n].digest[i];
      wrong |= (uint64_t)(beat.last != (i == DIGEST_WORDS - 1)) | (beat.keep ^ 0xff);
    }
  }
  wrong |= lydite_stream64_count(&in) | lydite_stream64_count(&out);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
