// SPDX-License-Identifier: Apache-2.0
//
// Ascon as NIST SP 800-232 writes it: the readable reference, a step and a byte at a time. It
// shares nothing with the fast variants but the constants. Not meant to be fast.

#include "ascon.h"

// 3.2
static const uint8_t round_constants[12] = {0xf0, 0xe1, 0xd2, 0xc3, 0xb4, 0xa5,
                                            0x96, 0x87, 0x78, 0x69, 0x5a, 0x4b};
// 3.4
static const unsigned rotations[5][2] = {{19, 28}, {61, 39}, {1, 6}, {10, 17}, {7, 41}};

static uint64_t rotate_right(uint64_t word, unsigned offset) {
  return word >> offset | word << (64 - offset);
}

// 3.3: the substitution on all bits of the words at once.
static void substitute(uint64_t s[5]) {
  const uint64_t x0 = s[0], x1 = s[1], x2 = s[2], x3 = s[3], x4 = s[4];
  s[0] = (x4 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ (x1 & x0) ^ x1 ^ x0;
  s[1] = x4 ^ (x3 & x2) ^ (x3 & x1) ^ x3 ^ (x2 & x1) ^ x2 ^ x1 ^ x0;
  s[2] = ~((x4 & x3) ^ x4 ^ x2 ^ x1);
  s[3] = (x4 & x0) ^ x4 ^ (x3 & x0) ^ x3 ^ x2 ^ x1 ^ x0;
  s[4] = (x4 & x1) ^ x4 ^ x3 ^ (x1 & x0) ^ x1;
}

// 3: the last `rounds` of the twelve.
static void permute(uint64_t s[5], unsigned rounds) {
  for (unsigned round = 12 - rounds; round < 12; round++) {
    s[2] ^= round_constants[round];
    substitute(s);
    for (unsigned i = 0; i < 5; i++) {
      s[i] ^= rotate_right(s[i], rotations[i][0]) ^ rotate_right(s[i], rotations[i][1]);
    }
  }
}

// Byte number `at` of the state, which starts with the low byte of S0.
static uint8_t get(const uint64_t s[5], size_t at) { return (uint8_t)(s[at / 8] >> 8 * (at % 8)); }

static void add(uint64_t s[5], size_t at, uint8_t byte) {
  s[at / 8] ^= (uint64_t)byte << 8 * (at % 8);
}

// 4.1.1, the first two phases, and the bit behind them.
static void initialise(uint64_t s[5], const uint8_t *key, const uint8_t *nonce, const uint8_t *ad,
                       size_t ad_bytes) {
  s[0] = ASCON_IV_AEAD128;
  s[1] = load64_le(key);
  s[2] = load64_le(key + 8);
  s[3] = load64_le(nonce);
  s[4] = load64_le(nonce + 8);
  permute(s, 12);
  for (size_t i = 0; i < ASCON_KEY_BYTES; i++) add(s, 24 + i, key[i]);
  for (size_t i = 0; i < ad_bytes; i++) {
    add(s, i % ASCON_RATE_BYTES, ad[i]);
    if (i % ASCON_RATE_BYTES == ASCON_RATE_BYTES - 1) permute(s, 8);
  }
  if (ad_bytes != 0) {
    add(s, ad_bytes % ASCON_RATE_BYTES, 1);
    permute(s, 8);
  }
  s[4] ^= ASCON_DOMAIN;
}

// 4.1.1 and 4.1.2: text in either direction.
static void crypt(uint64_t s[5], uint8_t *out, const uint8_t *in, size_t bytes, int decrypt) {
  for (size_t i = 0; i < bytes; i++) {
    const size_t at = i % ASCON_RATE_BYTES;
    const uint8_t other = (uint8_t)(get(s, at) ^ in[i]);
    add(s, at, decrypt ? other : in[i]);
    out[i] = other;
    if (at == ASCON_RATE_BYTES - 1) permute(s, 8);
  }
  add(s, bytes % ASCON_RATE_BYTES, 1);
}

// 4.1.1, the last phase.
static void finalise(uint64_t s[5], uint8_t tag[ASCON_TAG_BYTES], const uint8_t *key) {
  for (size_t i = 0; i < ASCON_KEY_BYTES; i++) add(s, 16 + i, key[i]);
  permute(s, 12);
  for (size_t i = 0; i < ASCON_TAG_BYTES; i++) tag[i] = (uint8_t)(get(s, 24 + i) ^ key[i]);
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_seal(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t s[5];
    const uint8_t *key = ascon_in(batch, ASCON_KEY, i);
    initialise(s, key, ascon_in(batch, ASCON_NONCE, i), ascon_in(batch, ASCON_AD, i),
               batch->in_bytes[ASCON_AD]);
    crypt(s, ascon_out(batch, ASCON_OUT_TEXT, i), ascon_in(batch, ASCON_TEXT, i),
          batch->in_bytes[ASCON_TEXT], 0);
    finalise(s, ascon_out(batch, ASCON_OUT_TAG, i), key);
  }
}

// A message whose tag is wrong becomes zeros.
void lydite_open(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t s[5];
    uint8_t tag[ASCON_TAG_BYTES];
    uint8_t wrong = 0;
    const uint8_t *key = ascon_in(batch, ASCON_KEY, i);
    const uint8_t *given = ascon_in(batch, ASCON_TAG, i);
    uint8_t *out = ascon_out(batch, ASCON_OUT_TEXT, i);
    initialise(s, key, ascon_in(batch, ASCON_NONCE, i), ascon_in(batch, ASCON_AD, i),
               batch->in_bytes[ASCON_AD]);
    crypt(s, out, ascon_in(batch, ASCON_TEXT, i), batch->in_bytes[ASCON_TEXT], 1);
    finalise(s, tag, key);
    for (size_t j = 0; j < ASCON_TAG_BYTES; j++) wrong |= (uint8_t)(tag[j] ^ given[j]);
    batch->verdict[i] = wrong == 0;
    if (wrong != 0 && out != NULL) memset(out, 0, batch->in_bytes[ASCON_TEXT]);
  }
}

// 5.1
void lydite_hash(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t s[5] = {ASCON_IV_HASH256, 0, 0, 0, 0};
    const uint8_t *message = ascon_in(batch, ASCON_MESSAGE, i);
    const size_t bytes = batch->in_bytes[ASCON_MESSAGE];
    uint8_t *digest = ascon_out(batch, ASCON_OUT_DIGEST, i);
    permute(s, 12);
    for (size_t j = 0; j < bytes; j++) {
      add(s, j % ASCON_HASH_RATE_BYTES, message[j]);
      if (j % ASCON_HASH_RATE_BYTES == ASCON_HASH_RATE_BYTES - 1) permute(s, 12);
    }
    add(s, bytes % ASCON_HASH_RATE_BYTES, 1);
    for (size_t j = 0; j < ASCON_DIGEST_BYTES; j++) {
      if (j % ASCON_HASH_RATE_BYTES == 0) permute(s, 12);
      digest[j] = get(s, j % ASCON_HASH_RATE_BYTES);
    }
  }
}
