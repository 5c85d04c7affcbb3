// SPDX-License-Identifier: Apache-2.0
//
// The peer: AES-128 by OpenSSL's libcrypto (libcrypto.h). lydite_available is 0 if there is none;
// the operations then write zeros.

#include "../../common/sw/libcrypto_cipher.h"

#include "aes.h"

static const evp_cipher *ecb, *ctr;

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void load(void) {
  void *const library = libcrypto_load();
  if (library == NULL) return;
  ecb = libcrypto_cipher(library, "AES-128-ECB", "EVP_aes_128_ecb");
  ctr = libcrypto_cipher(library, "AES-128-CTR", "EVP_aes_128_ctr");
}

static struct cipher_call call_of(aes_message message) {
  return (struct cipher_call){message.key, message.counter, message.in, message.out, message.bytes};
}

static struct cipher_call blocks(const struct lydite_batch *batch, size_t call) {
  return call_of(aes_blocks(batch, call));
}

static struct cipher_call stream(const struct lydite_batch *batch, size_t call) {
  return call_of(aes_stream(batch, call));
}

int lydite_available(void) { return ecb != NULL && ctr != NULL; }

void lydite_encrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 1); }

void lydite_decrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 0); }

void lydite_ctr(const struct lydite_batch *batch) { libcrypto_run(batch, stream, ctr, 1); }
