// SPDX-License-Identifier: Apache-2.0
//
// Dilithium2 (round 3.1) and ML-DSA-44 (FIPS 204, 5), to be read: the C in c/, which is also what
// becomes hardware, behind the interface of software.

#include <string.h>

#include "../../common/sw/bytes.h"
#include "../c/scheme.h"
#include "calls.h"

// Words of a string, and back; its last one may have fewer than eight bytes.
static void load_words(uint64_t *out, const uint8_t *in, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint8_t word[8] = {0};
    memcpy(word, in + i, bytes - i < 8 ? bytes - i : 8);
    out[i / 8] = load64_le(word);
  }
}

static void store_words(uint8_t *out, const uint64_t *in, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint8_t word[8];
    store64_le(word, in[i / 8]);
    memcpy(out + i, word, bytes - i < 8 ? bytes - i : 8);
  }
}

static uint8_t absorb_bytes(uint64_t state[LANES], uint8_t at, const uint8_t *in, size_t bytes) {
  for (size_t i = 0; i < bytes; i += 8) {
    uint64_t word = 0;
    const unsigned some = bytes - i < 8 ? (unsigned)(bytes - i) : 8;
    load_words(&word, in + i, some);
    at = shake_bytes(state, at, word, some);
  }
  return at;
}

// mu of a message (algorithm 7, line 6) by the hash of the public key.
static void representative(uint64_t mu[WORDS(MU_BYTES)], const uint64_t tr[WORDS(TR_BYTES)],
                           const struct text *text, uint64_t state[LANES]) {
  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, tr, WORDS(TR_BYTES));
#if ML_DSA
  at = shake_bytes(state, at, (uint64_t)text->context_bytes << 8, 2);
  at = absorb_bytes(state, at, text->context, text->context_bytes);
#endif
  at = absorb_bytes(state, at, text->message, text->bytes);
  hash_end(mu, WORDS(MU_BYTES), state, at);
}

static void make_keys(uint8_t public_key[PUBLIC_KEY_BYTES], uint8_t secret_key[SECRET_KEY_BYTES],
                      const uint8_t seed[SEED_BYTES]) {
  uint64_t state[LANES], words[WORDS(SEED_BYTES)];
  uint64_t public_words[WORDS(PUBLIC_KEY_BYTES)], secret_words[WORDS(SECRET_KEY_BYTES)];
  load_words(words, seed, SEED_BYTES);
  keygen(public_words, secret_words, words, state);
  store_words(public_key, public_words, PUBLIC_KEY_BYTES);
  store_words(secret_key, secret_words, SECRET_KEY_BYTES);
}

static void make_signature(uint8_t signature[SIGNATURE_BYTES],
                           const uint8_t secret_key[SECRET_KEY_BYTES], const struct text *text,
                           const uint8_t *random) {
  uint64_t state[LANES], mu[WORDS(MU_BYTES)], random_words[WORDS(RANDOM_BYTES)] = {0};
  uint64_t words[WORDS(SECRET_KEY_BYTES)], signature_words[WORDS(SIGNATURE_BYTES)];
  load_words(words, secret_key, SECRET_KEY_BYTES);
  if (ML_DSA) load_words(random_words, random, RANDOM_BYTES);
  representative(mu, words + AT_TR, text, state);
  sign(signature_words, words, mu, random_words, state);
  store_words(signature, signature_words, SIGNATURE_BYTES);
}

static bool is_signature(const uint8_t public_key[PUBLIC_KEY_BYTES], const struct text *text,
                         const uint8_t signature[SIGNATURE_BYTES]) {
  uint64_t state[LANES], tr[WORDS(TR_BYTES)], mu[WORDS(MU_BYTES)];
  uint64_t words[WORDS(PUBLIC_KEY_BYTES)], signature_words[WORDS(SIGNATURE_BYTES)];
  load_words(words, public_key, PUBLIC_KEY_BYTES);
  load_words(signature_words, signature, SIGNATURE_BYTES);
  shake_begin(state);
  hash_end(tr, WORDS(TR_BYTES), state,
           shake_absorb(state, 0, words, WORDS(PUBLIC_KEY_BYTES)));
  representative(mu, tr, text, state);
  return verify(words, mu, signature_words, state);
}

const char *lydite_impl(void) { return "ref"; }

const char *lydite_cpu_flags(void) { return ""; }
