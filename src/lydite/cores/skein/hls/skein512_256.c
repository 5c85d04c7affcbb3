// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256 of round 2 ("The Skein Hash Function Family", version 1.2) from stream to stream,
// padding included, four rounds of Threefish-512 a cycle: a core for `lydite bench`. Top function:
// skein512_256. MINOR is a macro of the build, by default 2, which `main` checks; 3 is version 1.3,
// of round 3.

#include "../../common/hls/message.h"

#ifndef MINOR
#define MINOR 2
#endif

#define WORDS 8  // of a block, 64 bits each
#define SUBKEYS 18  // before the last one, which is added in the step that ends a block
// Word i of a block is read in step FIRST + i, the last one in the step that ends the one before.
#define FIRST (SUBKEYS + 1 - WORDS)

// 3.5.1: the tweak's second word.
#define FIRST_BLOCK (UINT64_C(1) << 62)
#define FINAL_BLOCK (UINT64_C(1) << 63)
#define TYPE_MESSAGE (UINT64_C(48) << 56)
#define TYPE_OUTPUT (UINT64_C(63) << 56)

// The constant of the key schedule (3.3.2), and the chain value behind the configuration of
// Skein-512-256.
#if MINOR == 2
static const uint64_t parity = 0x5555555555555555;
static const uint64_t initial[WORDS] = {
    0x85a195b18b2264ec, 0x7a6dac64c047c2b0, 0xe1a21465ee3fe124, 0x1d2117356504425a,
    0xc962dc0fc0046f2c, 0x8d5a3e904b1be9c8, 0xafb7174bbd8feee9, 0x7fe63d9bf94edeb8,
};
#else
static const uint64_t parity = 0x1bd11bdaa9fc1a22;
static const uint64_t initial[WORDS] = {
    0xccd044a12fdb3e13, 0xe83590301a79a9eb, 0x55aea0614f816e6f, 0x2a2767a4ae9b94db,
    0xec06025e74dd7683, 0xe7a436cdc4746251, 0xc36fbaf9393ad185, 0x3eedba1833edfc13,
};
#endif

// 3.3.1: rotations of the rounds modulo 8, and the permutation of the words.
static const uint8_t rotations[8][4] = {
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
};
static const uint8_t permutation[WORDS] = {2, 1, 4, 7, 6, 5, 0, 3};

static uint64_t rotate_left(uint64_t word, int count) {
  return word << count | word >> (64 - count);
}

// Four rounds: 0 to 3 modulo 8, or 4 to 7.
static void four_rounds(uint64_t v[WORDS], bool later) {
  for (int round = 0; round < 4; round++) {
    uint64_t f[WORDS];
    for (int j = 0; j < WORDS / 2; j++) {
      const uint64_t sum = v[2 * j] + v[2 * j + 1];
      const uint64_t early_turn = rotate_left(v[2 * j + 1], rotations[round][j]);
      const uint64_t late_turn = rotate_left(v[2 * j + 1], rotations[4 + round][j]);
      f[2 * j] = sum;
      f[2 * j + 1] = (later ? late_turn : early_turn) ^ sum;
    }
    for (int i = 0; i < WORDS; i++) v[i] = f[permutation[i]];
  }
}

void skein512_256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t v[WORDS] = {0}, m[WORDS] = {0}, block[WORDS] = {0};  // m is encrypted, block comes
  uint64_t chain[WORDS], key[WORDS + 1], tweak[3] = {0}, subkey[WORDS] = {0};
  for (int i = 0; i < WORDS; i++) chain[i] = initial[i];
  for (int i = 0; i <= WORDS; i++) key[i] = 0;
  lydite_stream64_beat beat = lydite_stream64_read(s_axis);
  uint64_t bytes = 0;    // of the message so far
  bool more = true;      // `beat` is to be taken
  bool load = true;      // words of a block come
  bool running = false;  // a block is encrypted
  bool last = false;     // it is the last one of the message
  bool output = false;   // it is that of the output
  bool done;
  unsigned step = FIRST;
  do {
    // Four rounds, and at the end of a block's a word of the next one, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == SUBKEYS;
    if (load) {
      // Nothing marks the end of a message, which may be a beat without bytes: so one is read
      // ahead.
      uint64_t word = 0;
      if (more) {
        unsigned count = 0;
        for (int byte = 0; byte < 8; byte++) {
          if (beat.keep >> byte & 1) {
            word |= beat.data & UINT64_C(0xff) << 8 * byte;
            count = (unsigned)byte + 1;
          }
        }
        bytes += count;
        more = !beat.last;
        if (more) {
          beat = lydite_stream64_read(s_axis);
          more = !(beat.last && !(beat.keep & 1));
        }
      }
      for (int i = 0; i < WORDS - 1; i++) block[i] = block[i + 1];
      block[WORDS - 1] = word;
    }
    done = ends && output;
    for (int i = 0; i < WORDS; i++) v[i] += subkey[i];
    if (ends) {
      // UBI (3.4): the block is added, and the next one begins; behind the last one that of the
      // output (3.5.4).
      for (int i = 0; i < WORDS; i++) {
        if (running) chain[i] = v[i] ^ m[i];
        m[i] = v[i] = last ? 0 : block[i];
        key[i] = chain[i];
      }
      const bool final = !more;
      tweak[0] = last ? 8 : bytes;
      tweak[1] = last ? TYPE_OUTPUT | FIRST_BLOCK | FINAL_BLOCK
                      : TYPE_MESSAGE | (running ? 0 : FIRST_BLOCK) | (final ? FINAL_BLOCK : 0);
      tweak[2] = tweak[0] ^ tweak[1];
      output = last;
      last = final;
      running = true;
      load = false;
    } else {
      four_rounds(v, step % 2 != 0);
      // 3.3.2: words go round, so that a subkey's stand in the same places; the ninth one is made
      // beside subkey 1.
      uint64_t ninth = parity;
      for (int i = 0; i < WORDS; i++) ninth ^= key[i];
      if (step != 0) ninth = key[WORDS];
      key[WORDS] = key[0];
      for (int i = 0; i < WORDS - 1; i++) key[i] = key[i + 1];
      key[WORDS - 1] = ninth;
      const uint64_t kept = tweak[0];
      tweak[0] = tweak[1];
      tweak[1] = tweak[2];
      tweak[2] = kept;
    }
    step = ends ? 0 : (step + 1) % 32;
    if (step == FIRST) load = !last;
    for (int i = 0; i < WORDS; i++) subkey[i] = key[i];
    subkey[5] += tweak[0];
    subkey[6] += tweak[1];
    subkey[7] += step;
  } while (!done);
  for (int i = 0; i < 4; i++) {
    const lydite_stream64_beat word = {.data = chain[i], .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, word);
  }
}

static const message_answer answers[] = {
    {0, {0xc7e414cdbfd0001e, 0x8c7a1d4503a057b4, 0x43c4a510d400ef60, 0xe38a84d0b23bf0f5}},
    {1, {0x9541bd6cde64ea24, 0xcc5ff0d396436ef9, 0xcd64dc7f4c092883, 0xd1787bf7a79d840c}},
    {7, {0xfd3cb352f9fd9f4d, 0x803cb7323cf31c4c, 0x0257def3df021240, 0xde61032a7300554e}},
    {8, {0x653a7f6ed57af122, 0xf5eb7e764834ba8e, 0x743d767213f5a0e8, 0x9a248ef5a46d9655}},
    {9, {0xf082ba360c63a46f, 0x99ab95610572f070, 0x9d0b35265447d46d, 0xd628ce666ce02a2e}},
    {16, {0xb036697366122f3a, 0xb8fbae12223310da, 0x0ec59de88b28a80f, 0x0a31d77189f31f5e}},
    {63, {0xba6cfb798f790a49, 0xdf66a919f95ff333, 0x6aec894fc1097c7e, 0xa379dda09a570f69}},
    {64, {0x8e43721a5a241899, 0xc9486ca59f5f8c9a, 0x789fe95f16313d61, 0xd1f5689c3525ffb4}},
    {65, {0x53a961d00d3319af, 0x7cf144a3ae1c948f, 0xae7acb55fe4a7f60, 0x1a0fe089b443bbf9}},
    {72, {0x10cfe99bf1e0f8d1, 0x888bc0f19ea75623, 0x551ad22910a489ce, 0xeabf417ae81785d5}},
    {127, {0xb5a6006791a0d50b, 0x642adecabfd54486, 0x48ba9a587aaa515f, 0xd57f591e87a8b867}},
    {128, {0x5559fecdd7123fca, 0xd098cf63d202b94a, 0xace9ec1b1cf53bab, 0xa2d7f1d114059911}},
    {129, {0xfed5605e285d0057, 0x720d6f64655fe711, 0x33c538608ab6e6b9, 0x43eb045a5143bff3}},
    {200, {0xd6c9b0f6cec922f0, 0x79c1e04e4ca96b20, 0xe89cf810be22f201, 0xf2908a5a30113e13}},
};

int main(void) { return message_check(skein512_256, answers, sizeof answers / sizeof *answers); }
