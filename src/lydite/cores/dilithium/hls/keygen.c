// SPDX-License-Identifier: Apache-2.0
//
// Key generation of Dilithium2 or ML-DSA-44 (the C in c/) behind streams, for `lydite hls`: a core
// for `lydite bench`; top function: dilithium_keygen. In comes a packet with the seed, out go the
// public and the secret key. `main` takes the name of a file of vectors.

#include "check.h"

void dilithium_keygen(lydite_stream8 *s_axis, lydite_stream8 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[LANES];
#pragma HLS array_partition variable=state complete
  uint8_t seed[SEED_BYTES], public_key[PUBLIC_KEY_BYTES], secret_key[SECRET_KEY_BYTES];
  take(seed, SEED_BYTES, s_axis);
  keygen(public_key, secret_key, seed, state);
  give(m_axis, public_key, PUBLIC_KEY_BYTES);
  give(m_axis, secret_key, SECRET_KEY_BYTES);
}

int main(int count, char **arguments) { return check(count, arguments, dilithium_keygen); }
