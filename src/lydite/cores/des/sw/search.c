// SPDX-License-Identifier: Apache-2.0
//
// The key search, bitsliced: a key in each of VECTOR_BITS lanes, chunks of 2^19 keys, whose lowest
// bits are the lanes'.
//
// Rounds are computed from both ends. L14, which is R13, follows from the plaintext by 13 rounds,
// R14 from the ciphertext by one backwards; round 14 joins them, and is left after three S-boxes if
// no lane agrees in their twelve bits, as seven times out of eight of 512 lanes. The innermost four
// bits of a key change one at a time (Gray code) and are such as round 1 has not: a step begins
// with one S-box of round 2, one of round 16, and then rounds 3 to 13.

#include "search.h"

#include "vector.h"

#define CHUNK_BITS 19
#define LANE_BITS (VECTOR_BITS == 512 ? 9 : VECTOR_BITS == 256 ? 8 : 6)
#define INNER_BITS 4
#define MIDDLE_BITS (CHUNK_BITS - LANE_BITS - INNER_BITS)

// Bits of a key's number, the lowest is 0: those that K1 leaves out (PC-2) among the lowest 19.
static const uint8_t inner_bits[INNER_BITS] = {10, 12, 15, 18};

static uint8_t middle_bits[MIDDLE_BITS];
static uint8_t place_of[DES_KEY_BITS];                // of each bit of a number: in C and D
static uint8_t box_2[INNER_BITS], box_16[INNER_BITS];  // S-boxes of rounds 2, 16 that have the bit

static uint8_t box_with(unsigned round, unsigned place) {
  uint8_t i = 0;
  while (i < 47 && key_places[round - 1][i] != place) i++;
  return i / 6;
}

__attribute__((constructor)) static void fill_bits(void) {
  fill_key_places();
  for (unsigned i = 0; i < DES_KEY_BITS; i++) {
    const unsigned bit = des_pc1[i] - 1U;  // of the key
    place_of[55 - (bit / 8 * 7 + bit % 8)] = (uint8_t)i;
  }
  unsigned count = 0;
  for (unsigned bit = LANE_BITS; bit < CHUNK_BITS; bit++) {
    if (memchr(inner_bits, (int)bit, INNER_BITS) == NULL) middle_bits[count++] = (uint8_t)bit;
  }
  for (unsigned i = 0; i < INNER_BITS; i++) {
    box_2[i] = box_with(2, place_of[inner_bits[i]]);
    box_16[i] = box_with(16, place_of[inner_bits[i]]);
  }
}

static __attribute__((noinline)) void one_box(unsigned number, vec *out, const vec *base,
                                              const vec *in, const vec *key, unsigned round) {
  const uint8_t *const place = key_places[round - 1];
  switch (number) {
    case 0: box0(out, base, in, key, place); break;
    case 1: box1(out, base, in, key, place); break;
    case 2: box2(out, base, in, key, place); break;
    case 3: box3(out, base, in, key, place); break;
    case 4: box4(out, base, in, key, place); break;
    case 5: box5(out, base, in, key, place); break;
    case 6: box6(out, base, in, key, place); break;
    default: box7(out, base, in, key, place);
  }
}

typedef struct {
  vec left_0[32], right_0[32];    // of the plaintext
  vec right_15[32], right_16[32];  // of the ciphertext; R15 is L16
  vec key[DES_KEY_BITS];          // C and D
  vec right_1[32], right_2[32];   // under this key
  vec right_14[32];
} search_state;

// A block behind IP, in all lanes.
static void fill_halves(vec left[32], vec right[32], uint64_t block) {
  const uint64_t permuted = des_permute(block, 64, des_ip, 64);
  for (unsigned i = 0; i < 32; i++) {
    left[i] = vec_all(0 - (permuted >> (63 - i) & 1));
    right[i] = vec_all(0 - (permuted >> (31 - i) & 1));
  }
}

static void set_bit(search_state *s, unsigned bit, uint64_t value) {
  s->key[place_of[bit]] = vec_all(0 - (value & 1));
}

// Bit `bit` of the lane's number, in each lane.
static void set_lane_bit(search_state *s, unsigned bit) {
  static const uint64_t patterns[6] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                       0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  uint64_t words[WORDS];
  for (unsigned w = 0; w < WORDS; w++) {
    words[w] = bit < 6 ? patterns[bit] : 0 - (uint64_t)(w >> (bit - 6) & 1);
  }
  memcpy(&s->key[place_of[bit]], words, sizeof words);
}

#define DIFFERS(n)                                                                       \
  do {                                                                                   \
    vec joined[32];                                                                      \
    box##n(joined, r12, r13, s->key, key_places[13]);                                    \
    for (int i = 0; i < 4; i++) {                                                        \
      differs |= joined[box_out[n][i]] ^ s->right_14[box_out[n][i]];                     \
    }                                                                                    \
  } while (0)

// The lanes whose key takes the plaintext to R14 of the ciphertext.
static vec agree(const search_state *s) {
  vec r13[32], r12[32], differs = vec_all(0);
  round_of(r13, s->right_1, s->right_2, s->key, key_places[2]);  // R3
  round_of(r12, s->right_2, r13, s->key, key_places[3]);         // R4
  for (unsigned round = 5; round < 13; round += 2) {
    round_of(r13, r13, r12, s->key, key_places[round - 1]);
    round_of(r12, r12, r13, s->key, key_places[round]);
  }
  round_of(r13, r13, r12, s->key, key_places[12]);
  DIFFERS(0);
  DIFFERS(1);
  DIFFERS(2);
  if (!vec_any(~differs)) return ~differs;
  DIFFERS(3);
  DIFFERS(4);
  DIFFERS(5);
  DIFFERS(6);
  DIFFERS(7);
  return ~differs;
}

// Looks at the lanes that agree; the lowest key stays in *number.
static int check(uint64_t *number, int found, uint64_t base, vec lanes, uint64_t from, uint64_t to,
                 const des_pairs *pairs) {
  uint64_t words[WORDS];
  vec_words(words, lanes);
  for (unsigned w = 0; w < WORDS; w++) {
    for (; words[w] != 0; words[w] &= words[w] - 1) {
      const uint64_t one = base | (64 * w + (unsigned)__builtin_ctzll(words[w]));
      if (one < from || one > to || (found && one > *number)) continue;
      if (!des_is_key(one, pairs)) continue;
      *number = one;
      found = 1;
    }
  }
  return found;
}

// All keys of a chunk.
static int chunk(search_state *s, uint64_t *number, uint64_t base, uint64_t from, uint64_t to,
                 const des_pairs *pairs) {
  int found = 0;
  for (unsigned bit = CHUNK_BITS; bit < DES_KEY_BITS; bit++) set_bit(s, bit, base >> bit);
  for (unsigned middle = 0; middle < 1U << MIDDLE_BITS; middle++) {
    uint64_t at = base;
    for (unsigned i = 0; i < MIDDLE_BITS; i++) {
      set_bit(s, middle_bits[i], middle >> i);
      at |= (uint64_t)(middle >> i & 1) << middle_bits[i];
    }
    for (unsigned i = 0; i < INNER_BITS; i++) set_bit(s, inner_bits[i], 0);
    round_of(s->right_1, s->left_0, s->right_0, s->key, key_places[0]);
    round_of(s->right_2, s->right_0, s->right_1, s->key, key_places[1]);
    round_of(s->right_14, s->right_16, s->right_15, s->key, key_places[15]);
    for (unsigned step = 1;; step++) {
      const vec lanes = agree(s);
      if (vec_any(lanes)) found = check(number, found, at, lanes, from, to, pairs);
      if (step == 1U << INNER_BITS) break;
      const unsigned i = (unsigned)__builtin_ctz(step);
      at ^= (uint64_t)1 << inner_bits[i];
      s->key[place_of[inner_bits[i]]] = ~s->key[place_of[inner_bits[i]]];
      one_box(box_2[i], s->right_2, s->right_0, s->right_1, s->key, 2);
      one_box(box_16[i], s->right_14, s->right_16, s->right_15, s->key, 16);
    }
  }
  return found;
}

static int search(uint64_t *number, uint64_t from, uint64_t to, const des_pairs *pairs) {
  search_state s;
  fill_halves(s.left_0, s.right_0, pairs->plaintext);
  fill_halves(s.right_16, s.right_15, pairs->ciphertext);
  for (unsigned bit = 0; bit < LANE_BITS; bit++) set_lane_bit(&s, bit);
  for (uint64_t at = from >> CHUNK_BITS; from <= to && at <= to >> CHUNK_BITS; at++) {
    if (chunk(&s, number, at << CHUNK_BITS, from, to, pairs)) return 1;
  }
  return 0;
}

const char *lydite_impl(void) { return IMPL; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_search(const struct lydite_batch *batch) { des_search_batch(batch, search); }
