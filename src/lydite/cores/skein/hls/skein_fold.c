// SPDX-License-Identifier: Apache-2.0
//
// Skein-512-256 of round 2 ("The Skein Hash Function Family", version 1.2) from stream to stream,
// padding included, a MIX of Threefish-512 a cycle, words in LUT RAM: a core for `lydite bench`.
// Top function: skein_fold. MINOR is a macro of the build, by default 2, which `main` checks; 3 is
// version 1.3, of round 3.
//
// Even and odd words of what is encrypted have a memory each, since one of each makes a MIX, and
// the permutation leaves them apart: no word is moved, but looked for where the permutations put
// it. A step goes through three cycles: words of the subkey; their addition; MIX. A MIX needs what
// was made two steps before, or more.

#include "../../common/hls/beat_bytes.h"
#include "../../common/hls/message.h"
#include "../sw/skein.h"

#define WORDS 8    // of a block, 64 bits each
#define PAIRS 4    // of them, and MIXes of a round
#define MIXES 288  // of a block
#define KEY 9      // words of the key, with the parity

enum { LOAD, ROUNDS, END };  // the block comes in; it is encrypted; the last subkey is added

// A step on its way.
typedef struct {
  uint8_t phase;
  uint16_t number;  // in its phase
  bool half;        // that of `block` which is encrypted
  bool is_output;   // of the block of the output
  bool initial;     // of no block: the initial value becomes the key
} skein_step;

// 3.3.1: rotations of the rounds modulo 8.
static const uint8_t rotations[8][PAIRS] = {
    {46, 36, 19, 37}, {33, 27, 14, 42}, {17, 49, 36, 39}, {44, 9, 54, 56},
    {39, 30, 34, 24}, {13, 50, 10, 17}, {25, 29, 39, 43}, {8, 35, 56, 22},
};

// A place in the key, further on.
static uint8_t further(uint8_t place, uint8_t by) {
  const uint8_t sum = (uint8_t)(place + by);
  return sum >= KEY ? sum - KEY : sum;
}

static uint64_t rotate_left(uint64_t word, uint8_t count) {
  for (int bit = 0; bit < 6; bit++) {
    if (count >> bit & 1) word = word << (1 << bit) | word >> (64 - (1 << bit));
  }
  return word;
}

void skein_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Two blocks: one is encrypted, one comes. Copies of the key, since two words are read at once.
  uint64_t even[PAIRS], odd[PAIRS], block[2 * WORDS], key_even[2 * WORDS], key_odd[2 * WORDS];
#pragma HLS bind_storage variable=even type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=odd type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=block type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=key_even type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=key_odd type=ram_s2p impl=lutram
#pragma HLS array_partition variable=rotations complete dim=0
#pragma HLS array_partition variable=skein_iv complete
  uint64_t tweak[3] = {0};  // for word 5, for word 6, and the third one
  uint64_t parity = SKEIN_PARITY, bytes = 0;
  lydite_stream64_beat beat = lydite_stream64_read(s_axis);
  bool more = true;    // `beat` is to be taken
  bool first = true;   // the block that comes is the first one
  bool last = false;   // the block is the last one of the message
  uint8_t even_at = 0, odd_at = 1, number = 0;
  // The step that begins, that whose subkey is added, and that which mixes.
  skein_step begins = {.phase = END, .initial = true};
  skein_step adds = {.phase = ROUNDS}, mixes = {.phase = ROUNDS};
  // Behind the first and the second cycle of a step.
  uint64_t even_key = 0, odd_key = 0, even_word = 0, odd_word = 0, added = 0;
  uint8_t even_place = 0, odd_place = 0, turns = 0;
  bool done;
  do {
    // A cycle of three steps, and while a block ends a word of the next one.
#pragma HLS pipeline II=1
    // MIX, or a word of the chain value, which is the next key, or one of the block.
    const bool loads = mixes.phase == LOAD, chains = mixes.phase == END;
    const bool is_odd = mixes.number & 1;
    const uint64_t sum = even_word + odd_word;
    const uint64_t mixed = rotate_left(odd_word, turns) ^ sum;
    const uint64_t chain = (is_odd ? odd_word : even_word) ^ added;
    const uint64_t key_word = mixes.initial ? skein_iv[mixes.number % WORDS] : chain;
    const uint8_t mixed_even_place = even_place, mixed_odd_place = odd_place;
    const uint64_t even_data = loads ? added : sum, odd_data = loads ? added : mixed;
    const bool writes = !chains, writes_key = chains || loads;
    const uint8_t key_place = chains ? mixes.number % WORDS : KEY - 1;
    const uint64_t key_data = chains ? key_word : parity;
    const bool gives = chains && mixes.is_output;
    done = gives && mixes.number % PAIRS == PAIRS - 1;  // of the four words of the digest
    if (gives) {
      const lydite_stream64_beat word = {.data = chain, .keep = 0xff, .last = done};
      lydite_stream64_write(m_axis, word);
    }
    parity = chains ? parity ^ key_word : loads ? parity : SKEIN_PARITY;
    // The addition. Even words go a place down with each round, odd ones 1 and 3 of one another.
    const uint8_t pair = adds.number % PAIRS, round = adds.number / PAIRS % 8;
    const bool in_round = adds.phase == ROUNDS;
    const uint8_t plain_place = adds.number / 2 % PAIRS;
    even_place = in_round ? (uint8_t)((pair + round) % PAIRS) : plain_place;
    odd_place = !in_round ? plain_place : round % 2 ? (uint8_t)((PAIRS - pair) % PAIRS) : pair;
    even_word = even[even_place] + even_key;
    odd_word = odd[odd_place] + odd_key;
    added = block[(adds.half ? WORDS : 0) + adds.number % WORDS];
    turns = rotations[round][pair];
    if (writes && (!loads || !is_odd)) even[mixed_even_place] = even_data;
    if (writes && (!loads || is_odd)) odd[mixed_odd_place] = odd_data;
    // Words of the subkey, with those of the tweak and its number (3.3.2).
    const bool ends = begins.phase == END;
    const bool subkey = ends || (begins.phase == ROUNDS && begins.number / PAIRS % 4 == 0);
    const uint8_t which = ends ? begins.number / 2 % PAIRS : begins.number % PAIRS;
    const uint64_t even_addend = which == 3 ? tweak[1] : 0;
    const uint64_t odd_addend = which == 2 ? tweak[0] : which == 3 ? number : 0;
    even_key = subkey ? key_even[even_at] + even_addend : 0;
    odd_key = subkey ? key_odd[odd_at] + odd_addend : 0;
    if (writes_key) {
      key_even[key_place] = key_data;
      key_odd[key_place] = key_data;
    }
    mixes = adds;
    adds = begins;
    if (begins.phase == LOAD) {
      even_at = 0;
      odd_at = 1;
      number = 0;
    } else if (subkey && (!ends || begins.number & 1)) {
      even_at = further(even_at, which == 3 ? 4 : 2);
      odd_at = further(odd_at, which == 3 ? 4 : 2);
      if (which == 3) {
        const uint64_t third = tweak[0];
        tweak[0] = tweak[1];
        tweak[1] = tweak[2];
        tweak[2] = third;
        number++;
      }
    }
    // Nothing marks the end of a message, which may be a beat without bytes: so one is read ahead.
    // Behind it there are zeros.
    const bool over = begins.number == (begins.phase == ROUNDS ? MIXES : WORDS) - 1;
    if (ends) {
      uint64_t word = 0;
      if (more) {
        uint8_t count;
        word = beat_bytes(beat, &count);
        bytes += count;
        more = !beat.last;
        if (more) {
          beat = lydite_stream64_read(s_axis);
          more = !(beat.last && !(beat.keep & 1));
        }
      }
      block[(begins.half ? 0 : WORDS) + begins.number % WORDS] = word;
    }
    if (ends && over) {
      // 3.4, and 3.5.4: behind the last block that of the output.
      const uint64_t type = last ? SKEIN_OUTPUT : SKEIN_MESSAGE;
      tweak[0] = last ? 8 : bytes;
      tweak[1] = type | (last || first ? SKEIN_FIRST : 0) | (last || !more ? SKEIN_FINAL : 0);
      tweak[2] = tweak[0] ^ tweak[1];
      begins.is_output = last;
      begins.initial = false;
      last = !more;
      first = false;
      begins.half = !begins.half;
    }
    begins.phase = !over ? begins.phase : ends ? LOAD : begins.phase + 1;
    begins.number = over ? 0 : begins.number + 1;
  } while (!done);
}

static const message_answer answers[] = {
    {0, {0xc7e414cdbfd0001e, 0x8c7a1d4503a057b4, 0x43c4a510d400ef60, 0xe38a84d0b23bf0f5}},
    {1, {0x9541bd6cde64ea24, 0xcc5ff0d396436ef9, 0xcd64dc7f4c092883, 0xd1787bf7a79d840c}},
    {7, {0xfd3cb352f9fd9f4d, 0x803cb7323cf31c4c, 0x0257def3df021240, 0xde61032a7300554e}},
    {8, {0x653a7f6ed57af122, 0xf5eb7e764834ba8e, 0x743d767213f5a0e8, 0x9a248ef5a46d9655}},
    {63, {0xba6cfb798f790a49, 0xdf66a919f95ff333, 0x6aec894fc1097c7e, 0xa379dda09a570f69}},
    {64, {0x8e43721a5a241899, 0xc9486ca59f5f8c9a, 0x789fe95f16313d61, 0xd1f5689c3525ffb4}},
    {65, {0x53a961d00d3319af, 0x7cf144a3ae1c948f, 0xae7acb55fe4a7f60, 0x1a0fe089b443bbf9}},
    {72, {0x10cfe99bf1e0f8d1, 0x888bc0f19ea75623, 0x551ad22910a489ce, 0xeabf417ae81785d5}},
    {128, {0x5559fecdd7123fca, 0xd098cf63d202b94a, 0xace9ec1b1cf53bab, 0xa2d7f1d114059911}},
    {129, {0xfed5605e285d0057, 0x720d6f64655fe711, 0x33c538608ab6e6b9, 0x43eb045a5143bff3}},
    {200, {0xd6c9b0f6cec922f0, 0x79c1e04e4ca96b20, 0xe89cf810be22f201, 0xf2908a5a30113e13}},
};

int main(void) { return message_check(skein_fold, answers, sizeof answers / sizeof *answers); }
