// SPDX-License-Identifier: Apache-2.0
//
// Signing of Dilithium2 or ML-DSA-44 (the C in c/) behind streams, for `lydite hls`: a core for
// `lydite bench`; top function: dilithium_sign. In come the secret key and the message, of ML-DSA
// the secret key, a context of at most 255 bytes, the message and 32 random bytes; out goes the
// signature. How long it takes depends on the number of attempts. `main` takes the name of a file
// of vectors.

#include "check.h"

void dilithium_sign(lydite_stream8 *s_axis, lydite_stream8 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[LANES];
#pragma HLS array_partition variable=state complete
  uint8_t secret_key[SECRET_KEY_BYTES], mu[MU_BYTES], random[RANDOM_BYTES];
  uint8_t signature[SIGNATURE_BYTES];
  take(secret_key, SECRET_KEY_BYTES, s_axis);
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, secret_key + AT_TR, TR_BYTES);
#if ML_DSA
  uint8_t context[CONTEXT_BYTES];
  const unsigned context_bytes = take_context(context, s_axis);
  at = shake_byte(state, at, SHAKE256_RATE, 0);
  at = shake_byte(state, at, SHAKE256_RATE, (uint8_t)context_bytes);
  at = shake_absorb(state, at, SHAKE256_RATE, context, context_bytes);
#endif
  at = take_message(state, at, s_axis);
  hash_end(mu, MU_BYTES, state, at);
#if ML_DSA
  take(random, RANDOM_BYTES, s_axis);
#endif
  sign(signature, secret_key, mu, random, state);
  give(m_axis, signature, SIGNATURE_BYTES);
}

int main(int count, char **arguments) { return check(count, arguments, dilithium_sign); }
