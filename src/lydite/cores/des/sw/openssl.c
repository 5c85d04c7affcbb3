// SPDX-License-Identifier: Apache-2.0
//
// The peer: Triple DES by OpenSSL's libcrypto (libcrypto.h). KEY_BYTES is 16 (K3 = K1) or 24;
// single DES is no algorithm of OpenSSL 3 by default. lydite_available is 0 if there is no library;
// the operations then write zeros.

#include "../../common/sw/libcrypto_cipher.h"

#include "des.h"

static const evp_cipher *ecb;

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void load(void) {
  void *const library = libcrypto_load();
  if (library == NULL) return;
  ecb = KEY_BYTES == 16 ? libcrypto_cipher(library, "DES-EDE-ECB", "EVP_des_ede")
                        : libcrypto_cipher(library, "DES-EDE3-ECB", "EVP_des_ede3");
}

static struct cipher_call blocks(const struct lydite_batch *batch, size_t call) {
  const size_t bytes = batch->in_bytes[1], at = bytes * call;
  const uint8_t *const key = batch->in[0] + KEY_BYTES * call;
  return (struct cipher_call){key, NULL, batch->in[1] + at, batch->out[0] + at, bytes};
}

int lydite_available(void) { return ecb != NULL; }

void lydite_encrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 1); }

void lydite_decrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 0); }
