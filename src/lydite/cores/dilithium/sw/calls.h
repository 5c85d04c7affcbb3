// SPDX-License-Identifier: Apache-2.0
//
// The interface of lydite_sw.h for Dilithium2 (round 3.1) and ML-DSA-44 (FIPS 204, 5), over the
// three functions below, which the including file defines.

#ifndef LYDITE_CORES_DILITHIUM_SW_CALLS_H_
#define LYDITE_CORES_DILITHIUM_SW_CALLS_H_

#include <string.h>

#include "../../common/sw/lydite_sw.h"
#include "../c/params.h"

LYDITE_API void lydite_keygen(const struct lydite_batch *batch);
LYDITE_API void lydite_sign(const struct lydite_batch *batch);
LYDITE_API void lydite_verify(const struct lydite_batch *batch);

// A message, and its context of at most 255 bytes, which round 3.1 has not.
struct text {
  const uint8_t *context, *message;
  size_t context_bytes, bytes;
};

static void make_keys(uint8_t public_key[PUBLIC_KEY_BYTES], uint8_t secret_key[SECRET_KEY_BYTES],
                      const uint8_t seed[SEED_BYTES]);

// `random` has RANDOM_BYTES; round 3.1 has it not.
static void make_signature(uint8_t signature[SIGNATURE_BYTES],
                           const uint8_t secret_key[SECRET_KEY_BYTES], const struct text *text,
                           const uint8_t *random);

static bool is_signature(const uint8_t public_key[PUBLIC_KEY_BYTES], const struct text *text,
                         const uint8_t signature[SIGNATURE_BYTES]);

// The text of a call.
static struct text text_of(const struct lydite_batch *batch, size_t call) {
  const size_t message = ML_DSA ? 2 : 1, bytes = batch->in_bytes[message];
  struct text text = {NULL, batch->in[message] + call * bytes, 0, bytes};
  if (ML_DSA) {
    text.context_bytes = batch->in_bytes[1];
    text.context = batch->in[1] + call * text.context_bytes;
  }
  return text;
}

// Inputs: seed. Outputs: public key, secret key.
void lydite_keygen(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    make_keys(batch->out[0] + i * PUBLIC_KEY_BYTES, batch->out[1] + i * SECRET_KEY_BYTES,
              batch->in[0] + i * SEED_BYTES);
  }
}

// Inputs: secret key, message; of ML-DSA secret key, context, message, random. Output: signature;
// zeros where the context has more than 255 bytes, or the key another length.
void lydite_sign(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint8_t *signature = batch->out[0] + i * SIGNATURE_BYTES;
    const struct text text = text_of(batch, i);
    if (batch->in_bytes[0] != SECRET_KEY_BYTES || text.context_bytes > CONTEXT_BYTES) {
      memset(signature, 0, SIGNATURE_BYTES);
      continue;
    }
    make_signature(signature, batch->in[0] + i * SECRET_KEY_BYTES, &text,
                   ML_DSA ? batch->in[3] + i * RANDOM_BYTES : NULL);
  }
}

// Inputs: public key, message, signature; of ML-DSA public key, context, message, signature. A key,
// a context or a signature of another length is rejected.
void lydite_verify(const struct lydite_batch *batch) {
  const size_t signature = ML_DSA ? 3 : 2;
  for (size_t i = 0; i < batch->count; i++) {
    const struct text text = text_of(batch, i);
    batch->verdict[i] =
        batch->in_bytes[0] == PUBLIC_KEY_BYTES && text.context_bytes <= CONTEXT_BYTES &&
        batch->in_bytes[signature] == SIGNATURE_BYTES &&
        is_signature(batch->in[0] + i * PUBLIC_KEY_BYTES, &text,
                     batch->in[signature] + i * SIGNATURE_BYTES);
  }
}

size_t lydite_lanes(void) { return 1; }

int lydite_available(void) { return 1; }

#endif  // LYDITE_CORES_DILITHIUM_SW_CALLS_H_
