// SPDX-License-Identifier: Apache-2.0
//
// Dilithium2 (round 3.1) and ML-DSA-44 (FIPS 204, 5), to be read: the C in c/, which is also what
// becomes hardware, behind the interface of software.

#include "../c/scheme.h"
#include "calls.h"

// mu of a message (algorithm 7, line 6) by the hash of the public key.
static void representative(uint8_t mu[MU_BYTES], const uint8_t tr[TR_BYTES],
                           const struct text *text, uint64_t state[LANES]) {
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, tr, TR_BYTES);
#if ML_DSA
  at = shake_byte(state, at, SHAKE256_RATE, 0);
  at = shake_byte(state, at, SHAKE256_RATE, (uint8_t)text->context_bytes);
  at = shake_absorb(state, at, SHAKE256_RATE, text->context, text->context_bytes);
#endif
  at = shake_absorb(state, at, SHAKE256_RATE, text->message, text->bytes);
  hash_end(mu, MU_BYTES, state, at);
}

static void make_keys(uint8_t public_key[PUBLIC_KEY_BYTES], uint8_t secret_key[SECRET_KEY_BYTES],
                      const uint8_t seed[SEED_BYTES]) {
  uint64_t state[LANES];
  keygen(public_key, secret_key, seed, state);
}

static void make_signature(uint8_t signature[SIGNATURE_BYTES],
                           const uint8_t secret_key[SECRET_KEY_BYTES], const struct text *text,
                           const uint8_t *random) {
  uint64_t state[LANES];
  uint8_t mu[MU_BYTES];
  representative(mu, secret_key + AT_TR, text, state);
  sign(signature, secret_key, mu, random, state);
}

static bool is_signature(const uint8_t public_key[PUBLIC_KEY_BYTES], const struct text *text,
                         const uint8_t signature[SIGNATURE_BYTES]) {
  uint64_t state[LANES];
  uint8_t tr[TR_BYTES], mu[MU_BYTES];
  shake_begin(state);
  hash_end(tr, TR_BYTES, state,
           shake_absorb(state, 0, SHAKE256_RATE, public_key, PUBLIC_KEY_BYTES));
  representative(mu, tr, text, state);
  return verify(public_key, mu, signature, state);
}

const char *lydite_impl(void) { return "ref"; }

const char *lydite_cpu_flags(void) { return ""; }
