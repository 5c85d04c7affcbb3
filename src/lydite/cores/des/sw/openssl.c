// SPDX-License-Identifier: Apache-2.0
//
// The peer: DES and Triple DES by OpenSSL's libcrypto (libcrypto.h). KEY_BYTES is 8, 16 (K3 = K1)
// or 24; single DES is in the legacy provider of OpenSSL 3, a file of its own. lydite_available is
// 0 if the library or that file is not there; the operations then write zeros.

#include "../../common/sw/libcrypto_cipher.h"

#include "des.h"

#if KEY_BYTES == 8
#define NAME "DES-ECB"
#define CONSTRUCTOR "EVP_des_ecb"
#elif KEY_BYTES == 16
#define NAME "DES-EDE-ECB"
#define CONSTRUCTOR "EVP_des_ede"
#else
#define NAME "DES-EDE3-ECB"
#define CONSTRUCTOR "EVP_des_ede3"
#endif

static const evp_cipher *ecb;

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void load(void) {
  void *const library = libcrypto_load();
  if (library == NULL) return;
  void *(*load_provider)(void *context, const char *name);
  // OpenSSL 1.1 has no providers, and single DES as all else.
  if (KEY_BYTES == 8 && libcrypto_find(library, "OSSL_PROVIDER_load", &load_provider)) {
    if (load_provider(NULL, "legacy") == NULL) return;
  }
  ecb = libcrypto_cipher(library, NAME, CONSTRUCTOR);
}

static struct cipher_call blocks(const struct lydite_batch *batch, size_t call) {
  const size_t bytes = batch->in_bytes[1], at = bytes * call;
  const uint8_t *const key = batch->in[0] + KEY_BYTES * call;
  return (struct cipher_call){key, NULL, batch->in[1] + at, batch->out[0] + at, bytes};
}

int lydite_available(void) { return ecb != NULL; }

void lydite_encrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 1); }

void lydite_decrypt(const struct lydite_batch *batch) { libcrypto_run(batch, blocks, ecb, 0); }
