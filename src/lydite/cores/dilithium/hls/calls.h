// SPDX-License-Identifier: Apache-2.0
//
// A call of each operation of Dilithium2 or ML-DSA-44 (the C in c/) behind streams: packets in and
// packets out, in the order of the fields in core.toml. `state` is scratch of the sponge.

#ifndef LYDITE_CORES_DILITHIUM_HLS_CALLS_H_
#define LYDITE_CORES_DILITHIUM_HLS_CALLS_H_

#include "stream.h"

// In comes a seed, out go the public and the secret key.
static inline void call_keygen(lydite_stream8 *s_axis, lydite_stream8 *m_axis,
                               uint64_t state[LANES]) {
  uint8_t seed[SEED_BYTES], public_key[PUBLIC_KEY_BYTES], secret_key[SECRET_KEY_BYTES];
  take(seed, SEED_BYTES, s_axis);
  keygen(public_key, secret_key, seed, state);
  give(m_axis, public_key, PUBLIC_KEY_BYTES);
  give(m_axis, secret_key, SECRET_KEY_BYTES);
}

// Absorbs what stands before the message in ML-DSA, a context of at most 255 bytes; gives whether
// it is no longer.
static inline bool take_prefix(uint64_t state[LANES], unsigned *at, lydite_stream8 *s_axis) {
#if ML_DSA
  uint8_t context[CONTEXT_BYTES];
  const unsigned bytes = take_context(context, s_axis);
  const bool right = bytes <= CONTEXT_BYTES;
  *at = shake_byte(state, *at, SHAKE256_RATE, 0);
  *at = shake_byte(state, *at, SHAKE256_RATE, (uint8_t)bytes);
  *at = shake_absorb(state, *at, SHAKE256_RATE, context, right ? bytes : 0);
  return right;
#else
  (void)state;
  (void)at;
  (void)s_axis;
  return true;
#endif
}

// In come the secret key and the message, of ML-DSA the secret key, a context, the message and 32
// random bytes; out goes the signature, which is zeros under a context of more than 255 bytes. How
// long it takes depends on the number of attempts.
static inline void call_sign(lydite_stream8 *s_axis, lydite_stream8 *m_axis,
                             uint64_t state[LANES]) {
  uint8_t secret_key[SECRET_KEY_BYTES], mu[MU_BYTES], random[RANDOM_BYTES];
  uint8_t signature[SIGNATURE_BYTES];
  take(secret_key, SECRET_KEY_BYTES, s_axis);
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, secret_key + AT_TR, TR_BYTES);
  const bool right = take_prefix(state, &at, s_axis);
  at = take_message(state, at, s_axis);
  hash_end(mu, MU_BYTES, state, at);
#if ML_DSA
  take(random, RANDOM_BYTES, s_axis);
#endif
  if (right) {
    sign(signature, secret_key, mu, random, state);
  } else {
    for (unsigned i = 0; i < SIGNATURE_BYTES; i++) {
#pragma HLS pipeline
      signature[i] = 0;
    }
  }
  give(m_axis, signature, SIGNATURE_BYTES);
}

// In come the public key, of ML-DSA a context, the message and the signature; out goes a byte, 1
// for accepted and 0 for rejected.
static inline void call_verify(lydite_stream8 *s_axis, lydite_stream8 *m_axis,
                               uint64_t state[LANES]) {
  uint8_t public_key[PUBLIC_KEY_BYTES], signature[SIGNATURE_BYTES], tr[TR_BYTES], mu[MU_BYTES];
  take(public_key, PUBLIC_KEY_BYTES, s_axis);
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, public_key, PUBLIC_KEY_BYTES);
  hash_end(tr, TR_BYTES, state, at);
  shake_begin(state);
  at = shake_absorb(state, 0, SHAKE256_RATE, tr, TR_BYTES);
  bool right = take_prefix(state, &at, s_axis);
  at = take_message(state, at, s_axis);
  hash_end(mu, MU_BYTES, state, at);
  take(signature, SIGNATURE_BYTES, s_axis);
  if (right) right = verify(public_key, mu, signature, state);
  const uint8_t verdict = right;
  give(m_axis, &verdict, 1);
}

#endif  // LYDITE_CORES_DILITHIUM_HLS_CALLS_H_
