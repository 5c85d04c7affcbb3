// SPDX-License-Identifier: Apache-2.0
//
// The peer: Triple DES by OpenSSL's libcrypto, 1.1.1 or newer, found at run time.
//
// The library is that in environment variable LYDITE_LIBCRYPTO, which names a file, or else the
// first of those below that the loader finds. No headers are needed: the few prototypes are
// declared here. KEY_BYTES is 16 (K3 = K1) or 24; single DES is no algorithm of OpenSSL 3 by
// default. lydite_available is 0 if there is no library; the operations then write zeros.
// Link with -ldl where the C library is glibc before 2.34.

#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>

#include "des.h"

typedef struct evp_cipher evp_cipher;
typedef struct evp_cipher_ctx evp_cipher_ctx;

static struct {
  evp_cipher_ctx *(*ctx_new)(void);
  void (*ctx_free)(evp_cipher_ctx *ctx);
  int (*init)(evp_cipher_ctx *ctx, const evp_cipher *cipher, void *engine, const uint8_t *key,
              const uint8_t *iv, int encrypts);
  int (*update)(evp_cipher_ctx *ctx, uint8_t *out, int *out_bytes, const uint8_t *in, int in_bytes);
  int (*set_padding)(evp_cipher_ctx *ctx, int padding);
  const evp_cipher *ecb;
  const char *version;
} crypto;

static const char *const libraries[] = {"libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1",
                                        "libcrypto.so"};

// ISO C has no conversion from void * to a function pointer; POSIX makes their bytes the same.
static int find(void *library, const char *name, void *function) {
  void *const symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

static void *open_library(void) {
  const char *path = getenv("LYDITE_LIBCRYPTO");
  if (path != NULL) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof libraries / sizeof libraries[0]; i++) {
    void *const library = dlopen(libraries[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) return library;
  }
  return NULL;
}

// Fetched once, an algorithm of OpenSSL 3 is not looked up again with every message.
static const evp_cipher *algorithm(void *library, const char *name, const char *constructor) {
  evp_cipher *(*fetch)(void *context, const char *algorithm, const char *properties);
  const evp_cipher *(*make)(void);
  if (find(library, "EVP_CIPHER_fetch", &fetch)) return fetch(NULL, name, NULL);
  return find(library, constructor, &make) ? make() : NULL;
}

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void load(void) {
  void *const library = open_library();
  if (library == NULL) return;

  const char *(*version)(int what);
  if (!find(library, "EVP_CIPHER_CTX_new", &crypto.ctx_new) ||
      !find(library, "EVP_CIPHER_CTX_free", &crypto.ctx_free) ||
      !find(library, "EVP_CipherInit_ex", &crypto.init) ||
      !find(library, "EVP_CipherUpdate", &crypto.update) ||
      !find(library, "EVP_CIPHER_CTX_set_padding", &crypto.set_padding) ||
      !find(library, "OpenSSL_version", &version)) {
    return;
  }
  crypto.ecb = KEY_BYTES == 16 ? algorithm(library, "DES-EDE-ECB", "EVP_des_ede")
                               : algorithm(library, "DES-EDE3-ECB", "EVP_des_ede3");
  crypto.version = version(0);
}

static int convert(evp_cipher_ctx *ctx, const evp_cipher *cipher, const struct lydite_batch *batch,
                   size_t call, int encrypts) {
  const size_t bytes = batch->in_bytes[1], start = bytes * call;
  if (!crypto.init(ctx, cipher, NULL, batch->in[0] + KEY_BYTES * call, NULL, encrypts)) return 0;
  // Whole blocks as they are: without padding, the last one is not held back.
  if (!crypto.set_padding(ctx, 0)) return 0;
  const size_t most = INT_MAX / DES_BLOCK_BYTES * DES_BLOCK_BYTES;
  for (size_t at = 0; at < bytes;) {
    const int take = (int)(bytes - at < most ? bytes - at : most);
    uint8_t *const out = batch->out[0] + start + at;
    int given = 0;
    if (!crypto.update(ctx, out, &given, batch->in[1] + start + at, take)) return 0;
    if (given != take) return 0;
    at += (size_t)take;
  }
  return 1;
}

static void run(const struct lydite_batch *batch, int encrypts) {
  if (batch->count == 0) return;
  evp_cipher_ctx *ctx = lydite_available() ? crypto.ctx_new() : NULL;
  int ok = ctx != NULL;
  // With its algorithm once set, a context is started again without naming it: that is cheaper.
  for (size_t call = 0; ok && call < batch->count; call++) {
    ok = convert(ctx, call == 0 ? crypto.ecb : NULL, batch, call, encrypts);
  }
  if (!ok) memset(batch->out[0], 0, batch->out_bytes[0] * batch->count);
  if (ctx != NULL) crypto.ctx_free(ctx);
}

const char *lydite_impl(void) { return "openssl"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return crypto.ecb != NULL; }

const char *lydite_version(void) { return crypto.version != NULL ? crypto.version : ""; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, 1); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, 0); }
