// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256, a message in each lane of AVX-512 with GFNI, or of AVX2. What the code makes of a word
// comes with the constants of the first round, and the chaining value has them all the time.

#include "../../common/sw/lanes32.h"

typedef lanes32 hamsi_word;

// Where the words of the code, and those of the chaining value, are in the state.
static const uint8_t code_places[8] = {0, 1, 6, 7, 8, 9, 14, 15};
static const uint8_t chain_places[8] = {2, 3, 4, 5, 10, 11, 12, 13};

#if LANES == 16
#include "lanes_gfni.h"
#else
#include "lanes_avx2.h"
#endif

#define LEFT(a, count) lanes32_rotate(a, count)
#include "rounds.h"

// Takes in a word of each message.
static inline __attribute__((always_inline)) void compress(lanes32 c[8], lanes32 word,
                                                           size_t final) {
  lanes32 m[8];
  expand(m, word);
  lanes32 s0 = m[0], s1 = m[1], s2 = c[0], s3 = c[1], s4 = c[2], s5 = c[3], s6 = m[2], s7 = m[3];
  lanes32 s8 = m[4], s9 = m[5], s10 = c[4], s11 = c[5];
  lanes32 s12 = c[6], s13 = c[7], s14 = m[6], s15 = m[7];
  if (final) {  // The constants are others.
    HAMSI_CONSTANTS(hamsi_alpha[0], 0);
    HAMSI_CONSTANTS(hamsi_alpha[1], 0);
  }
  HAMSI_ROUND;
  for (uint32_t number = 1; number < (final ? HAMSI_FINAL_ROUNDS : HAMSI_ROUNDS); number++) {
    HAMSI_CONSTANTS(hamsi_alpha[final], number);
    HAMSI_ROUND;
  }
  c[0] ^= s0, c[1] ^= s1, c[2] ^= s2, c[3] ^= s3;
  c[4] ^= s8, c[5] ^= s9, c[6] ^= s10, c[7] ^= s11;
}

// Takes in `count` words of each message, four of which are loaded at a time.
static void add_words(lanes32 c[8], const uint8_t *const in[LANES], size_t count) {
  lanes32 words[4];
  for (size_t i = 0; i < count; i++) {
    if (i % 4 == 0) lanes32_load(words, in, 4 * i);
    compress(c, words[i % 4], 0);
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  const size_t rest = in_bytes % 16, rest_words = rest / 4 + 3;
  uint8_t last[LANES][32];
  const uint8_t *ends[LANES];
  for (size_t lane = 0; lane < LANES; lane++) {
    if (rest != 0) memcpy(last[lane], in[lane] + in_bytes - rest, rest);
    hamsi_last_words(last[lane] + rest / 4 * 4, in[lane], in_bytes);
    ends[lane] = last[lane];
  }
  uint32_t constants[8];
  lanes32 c[8], words[8];
  for (size_t i = 0; i < 8; i++) {
    constants[i] = hamsi_alpha[0][chain_places[i] / 4][chain_places[i] % 4];
    c[i] = lanes32_all(hamsi_initial[i] ^ constants[i]);
  }
  add_words(c, in, (in_bytes - rest) / 4);
  add_words(c, ends, rest_words - 1);
  lanes32_load(words, ends, 0);
  lanes32_load(words + 4, ends, 16);
  compress(c, words[rest_words - 1], 1);
  for (size_t i = 0; i < 8; i++) c[i] = lanes32_swap(c[i] ^ constants[i]);
  lanes32_store(out, c, HAMSI_DIGEST_BYTES / 4);
}

#define HASH_DIGEST_BYTES HAMSI_DIGEST_BYTES
#include "../../common/sw/hash_lanes.h"
