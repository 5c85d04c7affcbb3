// SPDX-License-Identifier: Apache-2.0
//
// A call of each operation of Dilithium2 or ML-DSA-44 (the C in c/) behind streams: packets in and
// packets out, in the order of the fields in core.toml. A call with a field of the wrong length is
// taken whole, and answered by empty packets; verification rejects it. `state` is scratch of the
// sponge.

#ifndef LYDITE_CORES_DILITHIUM_HLS_CALLS_H_
#define LYDITE_CORES_DILITHIUM_HLS_CALLS_H_

#include "stream.h"

// In comes a seed, out go the public and the secret key.
static inline void call_keygen(lydite_stream64 *s_axis, lydite_stream64 *m_axis,
                               uint64_t state[LANES]) {
  uint64_t seed[WORDS(SEED_BYTES)];
  uint64_t public_key[WORDS(PUBLIC_KEY_BYTES)], secret_key[WORDS(SECRET_KEY_BYTES)];
  if (take(seed, SEED_BYTES, s_axis)) {
    keygen(public_key, secret_key, seed, state);
    give(m_axis, public_key, PUBLIC_KEY_BYTES);
    give(m_axis, secret_key, SECRET_KEY_BYTES);
  } else {
    give_nothing(m_axis);
    give_nothing(m_axis);
  }
}

// Absorbs what stands before the message in ML-DSA, a context of at most 255 bytes; gives whether
// it is no longer.
static inline bool take_prefix(uint64_t state[LANES], uint8_t *at, lydite_stream64 *s_axis) {
#if ML_DSA
  uint64_t context[WORDS(CONTEXT_BYTES)];
  const unsigned bytes = take_context(context, s_axis);
  const bool right = bytes <= CONTEXT_BYTES;
  *at = shake_bytes(state, *at, bytes << 8, 2);
  for (unsigned i = 0; right && i < bytes; i += 8) {
    const unsigned some = least(bytes - i, 8);
    *at = shake_bytes(state, *at, first_bytes(context[i / 8], some), some);
  }
  return right;
#else
  (void)state;
  (void)at;
  (void)s_axis;
  return true;
#endif
}

// In come the secret key and the message, of ML-DSA the secret key, a context of at most 255 bytes,
// the message and 32 random bytes; out goes the signature. How long it takes depends on the number
// of attempts.
static inline void call_sign(lydite_stream64 *s_axis, lydite_stream64 *m_axis,
                             uint64_t state[LANES]) {
  uint64_t secret_key[WORDS(SECRET_KEY_BYTES)], mu[WORDS(MU_BYTES)], random[WORDS(RANDOM_BYTES)];
  uint64_t signature[WORDS(SIGNATURE_BYTES)];
  bool right = take(secret_key, SECRET_KEY_BYTES, s_axis);
  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, secret_key + AT_TR, WORDS(TR_BYTES));
  right &= take_prefix(state, &at, s_axis);
  at = take_message(state, at, s_axis);
  hash_end(mu, WORDS(MU_BYTES), state, at);
#if ML_DSA
  right &= take(random, RANDOM_BYTES, s_axis);
#endif
  if (right) {
    sign(signature, secret_key, mu, random, state);
    give(m_axis, signature, SIGNATURE_BYTES);
  } else {
    give_nothing(m_axis);
  }
}

// In come the public key, of ML-DSA a context of at most 255 bytes, the message and the signature;
// out goes a byte, 1 for accepted and 0 for rejected.
static inline void call_verify(lydite_stream64 *s_axis, lydite_stream64 *m_axis,
                               uint64_t state[LANES]) {
  uint64_t public_key[WORDS(PUBLIC_KEY_BYTES)], signature[WORDS(SIGNATURE_BYTES)];
  uint64_t tr[WORDS(TR_BYTES)], mu[WORDS(MU_BYTES)];
  bool right = take(public_key, PUBLIC_KEY_BYTES, s_axis);
  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, public_key, WORDS(PUBLIC_KEY_BYTES));
  hash_end(tr, WORDS(TR_BYTES), state, at);
  shake_begin(state);
  at = shake_absorb(state, 0, tr, WORDS(TR_BYTES));
  right &= take_prefix(state, &at, s_axis);
  at = take_message(state, at, s_axis);
  hash_end(mu, WORDS(MU_BYTES), state, at);
  right &= take(signature, SIGNATURE_BYTES, s_axis);
  if (right) right = verify(public_key, mu, signature, state);
  const uint64_t verdict = right;
  give(m_axis, &verdict, 1);
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_CALLS_H_
