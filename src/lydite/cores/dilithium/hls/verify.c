// SPDX-License-Identifier: Apache-2.0
//
// Verification of Dilithium2 or ML-DSA-44 (the C in c/) behind streams, for `lydite hls`: a core
// for `lydite bench`; top function: dilithium_verify. In come the public key, of ML-DSA a context,
// the message and the signature; out goes a byte, 1 for accepted and 0 for rejected. `main` takes
// the name of a file of vectors.

#include "check.h"

void dilithium_verify(lydite_stream8 *s_axis, lydite_stream8 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[LANES];
#pragma HLS array_partition variable=state complete
  uint8_t public_key[PUBLIC_KEY_BYTES], signature[SIGNATURE_BYTES], tr[TR_BYTES], mu[MU_BYTES];
  bool right = true;
  take(public_key, PUBLIC_KEY_BYTES, s_axis);
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, public_key, PUBLIC_KEY_BYTES);
  hash_end(tr, TR_BYTES, state, at);
  shake_begin(state);
  at = shake_absorb(state, 0, SHAKE256_RATE, tr, TR_BYTES);
#if ML_DSA
  uint8_t context[CONTEXT_BYTES];
  const unsigned context_bytes = take_context(context, s_axis);
  right = context_bytes <= CONTEXT_BYTES;
  at = shake_byte(state, at, SHAKE256_RATE, 0);
  at = shake_byte(state, at, SHAKE256_RATE, (uint8_t)context_bytes);
  at = shake_absorb(state, at, SHAKE256_RATE, context, right ? context_bytes : 0);
#endif
  at = take_message(state, at, s_axis);
  hash_end(mu, MU_BYTES, state, at);
  take(signature, SIGNATURE_BYTES, s_axis);
  if (right) right = verify(public_key, mu, signature, state);
  const uint8_t verdict = right;
  give(m_axis, &verdict, 1);
}

int main(int count, char **arguments) { return check(count, arguments, dilithium_verify); }
