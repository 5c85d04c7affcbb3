// SPDX-License-Identifier: Apache-2.0
//
// What all variants of BLAKE3 in C share (sections are those of the paper: BLAKE3, one function,
// fast everywhere): the modes, and the fields of its operations in a batch of lydite_sw.h.

#ifndef LYDITE_CORES_BLAKE3_SW_BLAKE3_H_
#define LYDITE_CORES_BLAKE3_SW_BLAKE3_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"
#include "constants.h"

static const uint32_t blake3_iv[8] = BLAKE3_IV;

LYDITE_API void lydite_keyed_hash(const struct lydite_batch *batch);
LYDITE_API void lydite_derive_key(const struct lydite_batch *batch);

// Hashes a message under a key of eight words, and gives so many bytes of the root's output.
static void blake3_output(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                          const uint32_t key[8], uint32_t mode);

// Value number i of an input field.
static inline const uint8_t *blake3_in(const struct lydite_batch *batch, size_t field, size_t i) {
  return batch->in_bytes[field] == 0 ? NULL : batch->in[field] + i * batch->in_bytes[field];
}

static inline void blake3_load_key(uint32_t key[8], const uint8_t *in) {
  for (size_t i = 0; i < 8; i++) key[i] = load32_le(in + 4 * i);
}

// 2.3: the three modes.
void lydite_hash(const struct lydite_batch *batch) {
  const size_t bytes = batch->out_bytes[0];
  for (size_t i = 0; i < batch->count; i++) {
    blake3_output(batch->out[0] + i * bytes, bytes, blake3_in(batch, 0, i), batch->in_bytes[0],
                  blake3_iv, 0);
  }
}

void lydite_keyed_hash(const struct lydite_batch *batch) {
  const size_t bytes = batch->out_bytes[0];
  for (size_t i = 0; i < batch->count; i++) {
    uint32_t key[8];
    blake3_load_key(key, blake3_in(batch, 0, i));
    blake3_output(batch->out[0] + i * bytes, bytes, blake3_in(batch, 1, i), batch->in_bytes[1],
                  key, BLAKE3_KEYED_HASH);
  }
}

void lydite_derive_key(const struct lydite_batch *batch) {
  const size_t bytes = batch->out_bytes[0];
  for (size_t i = 0; i < batch->count; i++) {
    uint8_t of_context[BLAKE3_KEY_BYTES];
    uint32_t key[8];
    blake3_output(of_context, BLAKE3_KEY_BYTES, blake3_in(batch, 0, i), batch->in_bytes[0],
                  blake3_iv, BLAKE3_DERIVE_KEY_CONTEXT);
    blake3_load_key(key, of_context);
    blake3_output(batch->out[0] + i * bytes, bytes, blake3_in(batch, 1, i), batch->in_bytes[1],
                  key, BLAKE3_DERIVE_KEY_MATERIAL);
  }
}

size_t lydite_lanes(void) { return 1; }

int lydite_available(void) { return 1; }

#endif  // LYDITE_CORES_BLAKE3_SW_BLAKE3_H_
