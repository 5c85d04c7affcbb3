// SPDX-License-Identifier: Apache-2.0
//
// Dilithium2 (round 3.1) and ML-DSA-44 (FIPS 204, 5), to be read: the C in c/, which is also what
// becomes hardware, behind the interface of software.

#include <string.h>

#include "../../common/sw/lydite_sw.h"
#include "../c/scheme.h"

LYDITE_API void lydite_keygen(const struct lydite_batch *batch);
LYDITE_API void lydite_sign(const struct lydite_batch *batch);
LYDITE_API void lydite_verify(const struct lydite_batch *batch);

// mu of a message (algorithm 7, line 6) under a context of at most 255 bytes, which round 3.1 has
// not, by the hash of the public key.
static void representative(uint8_t mu[MU_BYTES], const uint8_t tr[TR_BYTES], const uint8_t *context,
                           size_t context_bytes, const uint8_t *message, size_t bytes,
                           uint64_t state[LANES]) {
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, tr, TR_BYTES);
#if ML_DSA
  at = shake_byte(state, at, SHAKE256_RATE, 0);
  at = shake_byte(state, at, SHAKE256_RATE, (uint8_t)context_bytes);
  at = shake_absorb(state, at, SHAKE256_RATE, context, context_bytes);
#else
  (void)context;
  (void)context_bytes;
#endif
  at = shake_absorb(state, at, SHAKE256_RATE, message, bytes);
  hash_end(mu, MU_BYTES, state, at);
}

// Inputs: seed. Outputs: public key, secret key.
void lydite_keygen(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t state[LANES];
    keygen(batch->out[0] + i * PUBLIC_KEY_BYTES, batch->out[1] + i * SECRET_KEY_BYTES,
           batch->in[0] + i * SEED_BYTES, state);
  }
}

// Inputs: secret key, message; of ML-DSA secret key, context, message, random. Output: signature;
// zeros where the context has more than 255 bytes, or the key another length.
void lydite_sign(const struct lydite_batch *batch) {
  const size_t context_bytes = ML_DSA ? batch->in_bytes[1] : 0;
  const size_t bytes = batch->in_bytes[ML_DSA ? 2 : 1];
  for (size_t i = 0; i < batch->count; i++) {
    uint8_t *signature = batch->out[0] + i * SIGNATURE_BYTES;
    if (batch->in_bytes[0] != SECRET_KEY_BYTES || context_bytes > CONTEXT_BYTES) {
      memset(signature, 0, SIGNATURE_BYTES);
      continue;
    }
    const uint8_t *secret_key = batch->in[0] + i * SECRET_KEY_BYTES;
    const uint8_t *context = ML_DSA ? batch->in[1] + i * context_bytes : NULL;
    const uint8_t *random = ML_DSA ? batch->in[3] + i * RANDOM_BYTES : NULL;
    uint64_t state[LANES];
    uint8_t mu[MU_BYTES];
    representative(mu, secret_key + AT_TR, context, context_bytes,
                   batch->in[ML_DSA ? 2 : 1] + i * bytes, bytes, state);
    sign(signature, secret_key, mu, random, state);
  }
}

// Inputs: public key, message, signature; of ML-DSA public key, context, message, signature. A key,
// a context or a signature of another length is rejected.
void lydite_verify(const struct lydite_batch *batch) {
  const size_t context_bytes = ML_DSA ? batch->in_bytes[1] : 0;
  const size_t message = ML_DSA ? 2 : 1, bytes = batch->in_bytes[message];
  for (size_t i = 0; i < batch->count; i++) {
    batch->verdict[i] = 0;
    if (batch->in_bytes[0] != PUBLIC_KEY_BYTES || context_bytes > CONTEXT_BYTES ||
        batch->in_bytes[message + 1] != SIGNATURE_BYTES) {
      continue;
    }
    const uint8_t *public_key = batch->in[0] + i * PUBLIC_KEY_BYTES;
    uint64_t state[LANES];
    uint8_t tr[TR_BYTES], mu[MU_BYTES];
    shake_begin(state);
    hash_end(tr, TR_BYTES, state,
             shake_absorb(state, 0, SHAKE256_RATE, public_key, PUBLIC_KEY_BYTES));
    representative(mu, tr, ML_DSA ? batch->in[1] + i * context_bytes : NULL, context_bytes,
                   batch->in[message] + i * bytes, bytes, state);
    batch->verdict[i] =
        verify(public_key, mu, batch->in[message + 1] + i * SIGNATURE_BYTES, state);
  }
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }
