// SPDX-License-Identifier: Apache-2.0
//
// Block ciphers and stream ciphers of libcrypto, for batches; to be included first.

#ifndef LYDITE_CORES_COMMON_SW_LIBCRYPTO_CIPHER_H_
#define LYDITE_CORES_COMMON_SW_LIBCRYPTO_CIPHER_H_

#include "libcrypto.h"

#include <limits.h>

#include "lydite_sw.h"

typedef struct evp_cipher evp_cipher;
typedef struct evp_cipher_ctx evp_cipher_ctx;

static struct {
  evp_cipher_ctx *(*ctx_new)(void);
  void (*ctx_free)(evp_cipher_ctx *ctx);
  int (*init)(evp_cipher_ctx *ctx, const evp_cipher *cipher, void *engine, const uint8_t *key,
              const uint8_t *iv, int encrypts);
  int (*update)(evp_cipher_ctx *ctx, uint8_t *out, int *out_bytes, const uint8_t *in, int in_bytes);
  int (*set_padding)(evp_cipher_ctx *ctx, int padding);
  const char *version;
} libcrypto;

// One call of a batch; iv may be NULL.
struct cipher_call {
  const uint8_t *key, *iv, *in;
  uint8_t *out;
  size_t bytes;
};

typedef struct cipher_call cipher_call_of(const struct lydite_batch *batch, size_t call);

// Opens the library; NULL if it is not there, or lacks something.
static void *libcrypto_load(void) {
  const char *(*version)(int what);
  void *const library = libcrypto_open();
  if (library == NULL || !libcrypto_find(library, "EVP_CIPHER_CTX_new", &libcrypto.ctx_new) ||
      !libcrypto_find(library, "EVP_CIPHER_CTX_free", &libcrypto.ctx_free) ||
      !libcrypto_find(library, "EVP_CipherInit_ex", &libcrypto.init) ||
      !libcrypto_find(library, "EVP_CipherUpdate", &libcrypto.update) ||
      !libcrypto_find(library, "EVP_CIPHER_CTX_set_padding", &libcrypto.set_padding) ||
      !libcrypto_find(library, "OpenSSL_version", &version)) {
    return NULL;
  }
  libcrypto.version = version(0);
  return library;
}

// Fetched once, an algorithm of OpenSSL 3 is not looked up again with every message.
static const evp_cipher *libcrypto_cipher(void *library, const char *name,
                                          const char *constructor) {
  evp_cipher *(*fetch)(void *context, const char *algorithm, const char *properties);
  const evp_cipher *(*make)(void);
  if (libcrypto_find(library, "EVP_CIPHER_fetch", &fetch)) return fetch(NULL, name, NULL);
  return libcrypto_find(library, constructor, &make) ? make() : NULL;
}

static int libcrypto_convert(evp_cipher_ctx *ctx, const evp_cipher *cipher,
                             const struct cipher_call *call, int encrypts) {
  if (!libcrypto.init(ctx, cipher, NULL, call->key, call->iv, encrypts)) return 0;
  // Whole blocks as they are: without padding, the last one is not held back.
  if (!libcrypto.set_padding(ctx, 0)) return 0;
  const size_t most = INT_MAX / 64 * 64;  // whole blocks of any cipher
  for (size_t at = 0; at < call->bytes;) {
    const size_t left = call->bytes - at;
    const int take = (int)(left < most ? left : most);
    int given = 0;
    if (!libcrypto.update(ctx, call->out + at, &given, call->in + at, take)) return 0;
    if (given != take) return 0;
    at += (size_t)take;
  }
  return 1;
}

// Runs a batch; without a cipher, or where the library fails, outputs are zeros.
static void libcrypto_run(const struct lydite_batch *batch, cipher_call_of *of,
                          const evp_cipher *cipher, int encrypts) {
  if (batch->count == 0) return;
  evp_cipher_ctx *ctx = cipher != NULL ? libcrypto.ctx_new() : NULL;
  int ok = ctx != NULL;
  // With its algorithm once set, a context is started again without naming it: that is cheaper.
  for (size_t number = 0; ok && number < batch->count; number++) {
    const struct cipher_call call = of(batch, number);
    ok = libcrypto_convert(ctx, number == 0 ? cipher : NULL, &call, encrypts);
  }
  if (!ok) memset(batch->out[0], 0, batch->out_bytes[0] * batch->count);
  if (ctx != NULL) libcrypto.ctx_free(ctx);
}

const char *lydite_impl(void) { return "openssl"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

const char *lydite_version(void) { return libcrypto.version != NULL ? libcrypto.version : ""; }

#endif  // LYDITE_CORES_COMMON_SW_LIBCRYPTO_CIPHER_H_
