// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 and Ascon-Hash256 (NIST SP 800-232), eight messages of equal lengths at once with
// AVX-512: a word of each in the lanes of a vector. Lanes beyond the end of a batch have its last
// message again, and give the same bytes to the same place.

#include <immintrin.h>

#include "../../common/sw/quarters.h"
#include "ascon.h"

#define LANES 8
#define WORD __m512i
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x96)
#define NXOR3(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0x69)
#define CHI(a, b, c) _mm512_ternarylogic_epi64(a, b, c, 0xd2)
#define ROR(a, n) _mm512_ror_epi64(a, n)
#define CONSTANT(c) _mm512_set1_epi64((long long)(c))

#include "rounds.h"

#define ASCON_CPU_FLAGS "avx512f"

// Two words of each message.
struct pair {
  __m512i low, high;
};

static inline __m512i load_four(const uint8_t *const in[LANES], size_t first, size_t at) {
  return load_quarters(in[first] + at, in[first + 2] + at, in[first + 4] + at, in[first + 6] + at);
}

// 16 bytes from `at` on of each message.
static inline struct pair load(const uint8_t *const in[LANES], size_t at) {
  const __m512i even = load_four(in, 0, at);
  const __m512i odd = load_four(in, 1, at);
  return (struct pair){_mm512_unpacklo_epi64(even, odd), _mm512_unpackhi_epi64(even, odd)};
}

static inline void store_four(uint8_t *const out[LANES], size_t first, size_t at, __m512i four) {
  _mm_storeu_si128((void *)(out[first] + at), _mm512_castsi512_si128(four));
  _mm_storeu_si128((void *)(out[first + 2] + at), _mm512_extracti32x4_epi32(four, 1));
  _mm_storeu_si128((void *)(out[first + 4] + at), _mm512_extracti32x4_epi32(four, 2));
  _mm_storeu_si128((void *)(out[first + 6] + at), _mm512_extracti32x4_epi32(four, 3));
}

static inline void store(uint8_t *const out[LANES], size_t at, struct pair words) {
  store_four(out, 0, at, _mm512_unpacklo_epi64(words.low, words.high));
  store_four(out, 1, at, _mm512_unpackhi_epi64(words.low, words.high));
}

// Less than 16 bytes from `at` on of each message, zeros behind them.
static struct pair load_part(const uint8_t *const in[LANES], size_t at, size_t bytes) {
  uint8_t block[LANES][ASCON_RATE_BYTES] = {{0}};
  const uint8_t *whole[LANES];
  for (size_t m = 0; m < LANES; m++) {
    if (bytes != 0) memcpy(block[m], in[m] + at, bytes);
    whole[m] = block[m];
  }
  return load(whole, 0);
}

static void store_part(uint8_t *const out[LANES], size_t at, struct pair words, size_t bytes) {
  uint8_t block[LANES][ASCON_RATE_BYTES];
  uint8_t *whole[LANES];
  for (size_t m = 0; m < LANES; m++) whole[m] = block[m];
  store(whole, 0, words);
  for (size_t m = 0; m < LANES && bytes != 0; m++) memcpy(out[m] + at, block[m], bytes);
}

static inline void add(ascon_state *s, struct pair words) {
  s->x0 = XOR(s->x0, words.low);
  s->x1 = XOR(s->x1, words.high);
}

// The one behind `bytes` bytes.
static inline void add_pad(ascon_state *s, size_t bytes) {
  const __m512i one = _mm512_set1_epi64((long long)(UINT64_C(1) << 8 * (bytes % 8)));
  if (bytes < 8) s->x0 = XOR(s->x0, one);
  else s->x1 = XOR(s->x1, one);
}

static inline __m512i all(uint64_t word) { return _mm512_set1_epi64((long long)word); }

// The values of a field of messages `first` and on.
static void inputs(const uint8_t *in[LANES], const struct lydite_batch *batch, size_t field,
                   size_t first) {
  for (size_t m = 0; m < LANES; m++) {
    in[m] = ascon_in(batch, field, first + m < batch->count ? first + m : batch->count - 1);
  }
}

static void outputs(uint8_t *out[LANES], const struct lydite_batch *batch, size_t field,
                    size_t first) {
  for (size_t m = 0; m < LANES; m++) {
    out[m] = ascon_out(batch, field, first + m < batch->count ? first + m : batch->count - 1);
  }
}

static ascon_state initialise(const struct lydite_batch *batch, size_t first, struct pair *key) {
  const uint8_t *in[LANES];
  inputs(in, batch, ASCON_KEY, first);
  *key = load(in, 0);
  inputs(in, batch, ASCON_NONCE, first);
  const struct pair nonce = load(in, 0);
  ascon_state s = {all(ASCON_IV_AEAD128), key->low, key->high, nonce.low, nonce.high};
  ascon_p12(&s);
  s.x3 = XOR(s.x3, key->low);
  s.x4 = XOR(s.x4, key->high);
  const size_t bytes = batch->in_bytes[ASCON_AD];
  if (bytes != 0) {
    size_t at = 0;
    inputs(in, batch, ASCON_AD, first);
    for (; bytes - at >= ASCON_RATE_BYTES; at += ASCON_RATE_BYTES) {
      add(&s, load(in, at));
      ascon_p8(&s);
    }
    add(&s, load_part(in, at, bytes - at));
    add_pad(&s, bytes - at);
    ascon_p8(&s);
  }
  s.x4 = XOR(s.x4, all(ASCON_DOMAIN));
  return s;
}

static struct pair finalise(ascon_state s, struct pair key) {
  s.x2 = XOR(s.x2, key.low);
  s.x3 = XOR(s.x3, key.high);
  ascon_p12(&s);
  return (struct pair){XOR(s.x3, key.low), XOR(s.x4, key.high)};
}

static void encrypt(ascon_state *state, uint8_t *const out[LANES], const uint8_t *const in[LANES],
                    size_t bytes) {
  ascon_state s = *state;
  size_t at = 0;
  for (; bytes - at >= ASCON_RATE_BYTES; at += ASCON_RATE_BYTES) {
    add(&s, load(in, at));
    store(out, at, (struct pair){s.x0, s.x1});
    ascon_p8(&s);
  }
  add(&s, load_part(in, at, bytes - at));
  store_part(out, at, (struct pair){s.x0, s.x1}, bytes - at);
  add_pad(&s, bytes - at);
  *state = s;
}

static void decrypt(ascon_state *state, uint8_t *const out[LANES], const uint8_t *const in[LANES],
                    size_t bytes) {
  ascon_state s = *state;
  size_t at = 0;
  for (; bytes - at >= ASCON_RATE_BYTES; at += ASCON_RATE_BYTES) {
    const struct pair text = load(in, at);
    store(out, at, (struct pair){XOR(s.x0, text.low), XOR(s.x1, text.high)});
    s.x0 = text.low;
    s.x1 = text.high;
    ascon_p8(&s);
  }
  const struct pair text = load_part(in, at, bytes - at);
  store_part(out, at, (struct pair){XOR(s.x0, text.low), XOR(s.x1, text.high)}, bytes - at);
  // The message's part, and zeros: added, its ciphertext stands in the state.
  add(&s, load_part((const uint8_t *const *)out, at, bytes - at));
  add_pad(&s, bytes - at);
  *state = s;
}

const char *lydite_impl(void) { return "avx512-x8"; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return ASCON_CPU_FLAGS; }

int lydite_available(void) { return 1; }

void lydite_seal(const struct lydite_batch *batch) {
  for (size_t first = 0; first < batch->count; first += LANES) {
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    struct pair key;
    ascon_state s = initialise(batch, first, &key);
    inputs(in, batch, ASCON_TEXT, first);
    outputs(out, batch, ASCON_OUT_TEXT, first);
    encrypt(&s, out, in, batch->in_bytes[ASCON_TEXT]);
    outputs(out, batch, ASCON_OUT_TAG, first);
    store(out, 0, finalise(s, key));
  }
}

// A message whose tag is wrong becomes zeros.
void lydite_open(const struct lydite_batch *batch) {
  const size_t bytes = batch->in_bytes[ASCON_TEXT];
  for (size_t first = 0; first < batch->count; first += LANES) {
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    struct pair key;
    ascon_state s = initialise(batch, first, &key);
    inputs(in, batch, ASCON_TEXT, first);
    outputs(out, batch, ASCON_OUT_TEXT, first);
    decrypt(&s, out, in, bytes);
    inputs(in, batch, ASCON_TAG, first);
    const struct pair tag = finalise(s, key);
    const struct pair given = load(in, 0);
    const __m512i differ =
        _mm512_or_si512(XOR(tag.low, given.low), XOR(tag.high, given.high));
    const unsigned right = _mm512_testn_epi64_mask(differ, differ);
    for (size_t m = 0; m < LANES && first + m < batch->count; m++) {
      batch->verdict[first + m] = right >> m & 1;
      if ((right >> m & 1) == 0 && bytes != 0) memset(out[m], 0, bytes);
    }
  }
}

static inline __m512i load_words(const uint8_t *const in[LANES], size_t at) {
  uint64_t word[LANES];
  for (size_t m = 0; m < LANES; m++) word[m] = load64_le(in[m] + at);
  return _mm512_loadu_si512(word);
}

void lydite_hash(const struct lydite_batch *batch) {
  const size_t bytes = batch->in_bytes[ASCON_MESSAGE];
  for (size_t first = 0; first < batch->count; first += LANES) {
    const uint8_t *in[LANES];
    uint8_t *out[LANES];
    uint64_t word[LANES];
    size_t at = 0;
    ascon_state s = {all(ASCON_HASH_START_0), all(ASCON_HASH_START_1), all(ASCON_HASH_START_2),
                     all(ASCON_HASH_START_3), all(ASCON_HASH_START_4)};
    inputs(in, batch, ASCON_MESSAGE, first);
    outputs(out, batch, ASCON_OUT_DIGEST, first);
    for (; bytes - at >= ASCON_HASH_RATE_BYTES; at += ASCON_HASH_RATE_BYTES) {
      s.x0 = XOR(s.x0, load_words(in, at));
      ascon_p12(&s);
    }
    s.x0 = XOR(s.x0, load_part(in, at, bytes - at).low);
    add_pad(&s, bytes - at);
    for (size_t i = 0; i < ASCON_DIGEST_BYTES; i += 8) {
      ascon_p12(&s);
      _mm512_storeu_si512(word, s.x0);
      for (size_t m = 0; m < LANES; m++) store64_le(out[m] + i, word[m]);
    }
  }
}
