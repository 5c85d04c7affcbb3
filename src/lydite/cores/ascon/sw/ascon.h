// SPDX-License-Identifier: Apache-2.0
//
// What all variants of Ascon-AEAD128 and Ascon-Hash256 (NIST SP 800-232) share: sizes, constants,
// and the fields of the operations `seal`, `open` and `hash` in a batch of lydite_sw.h.

#ifndef LYDITE_CORES_ASCON_SW_ASCON_H_
#define LYDITE_CORES_ASCON_SW_ASCON_H_

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "../../common/sw/bytes.h"
#include "../../common/sw/lydite_sw.h"

#define ASCON_KEY_BYTES 16
#define ASCON_NONCE_BYTES 16
#define ASCON_TAG_BYTES 16
#define ASCON_RATE_BYTES 16
#define ASCON_HASH_RATE_BYTES 8
#define ASCON_DIGEST_BYTES 32

// 4.1 and 5.1: initial values; 4.1.1: the last bit of the state, after the associated data.
#define ASCON_IV_AEAD128 UINT64_C(0x00001000808c0001)
#define ASCON_IV_HASH256 UINT64_C(0x0000080100cc0002)
#define ASCON_DOMAIN (UINT64_C(1) << 63)

// 5.1: the state of the hash after its initial permutation.
#define ASCON_HASH_START_0 UINT64_C(0x9b1e5494e934d681)
#define ASCON_HASH_START_1 UINT64_C(0x4bc3a01e333751d2)
#define ASCON_HASH_START_2 UINT64_C(0xae65396c6b34b81a)
#define ASCON_HASH_START_3 UINT64_C(0x3c7fd4a4d56a4db3)
#define ASCON_HASH_START_4 UINT64_C(0x1a5c464906c5976d)

// Inputs of `seal` and `open`, and of `hash`.
enum { ASCON_KEY, ASCON_NONCE, ASCON_AD, ASCON_TEXT, ASCON_TAG };
enum { ASCON_MESSAGE };
// Outputs.
enum { ASCON_OUT_TEXT, ASCON_OUT_TAG };
enum { ASCON_OUT_DIGEST };

// Value number i of an input field, and where that of an output field goes.
static inline const uint8_t *ascon_in(const struct lydite_batch *batch, size_t field, size_t i) {
  return batch->in_bytes[field] == 0 ? NULL : batch->in[field] + i * batch->in_bytes[field];
}

static inline uint8_t *ascon_out(const struct lydite_batch *batch, size_t field, size_t i) {
  return batch->out_bytes[field] == 0 ? NULL : batch->out[field] + i * batch->out_bytes[field];
}

#endif  // LYDITE_CORES_ASCON_SW_ASCON_H_
