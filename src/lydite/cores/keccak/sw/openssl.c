// SPDX-License-Identifier: Apache-2.0
//
// The peer: SHA-3 and SHAKE by OpenSSL's libcrypto (libcrypto.h).
//
// There is no lydite_permute, since libcrypto does not export the permutation. lydite_available is
// 0 if there is no library, or if RATE_BYTES and SUFFIX are none of its functions; lydite_hash then
// writes zeros. SHA-3 has digests of one length: a shorter out_bytes gets the first bytes, a longer
// one the digest and zeros.

#include "../../common/sw/libcrypto.h"

#include "keccak.h"

#define SHA3 (SUFFIX == 0x06)
#define DIGEST_BITS (4 * (KECCAK_BYTES - RATE_BYTES))
#define DIGEST_BYTES_SHA3 (DIGEST_BITS / 8)

typedef struct evp_md evp_md;
typedef struct evp_md_ctx evp_md_ctx;

static struct {
  evp_md_ctx *(*ctx_new)(void);
  void (*ctx_free)(evp_md_ctx *ctx);
  int (*init)(evp_md_ctx *ctx, const evp_md *md, void *engine);
  int (*update)(evp_md_ctx *ctx, const void *in, size_t in_bytes);
  int (*final)(evp_md_ctx *ctx, unsigned char *out, unsigned *out_bytes);
  int (*final_xof)(evp_md_ctx *ctx, unsigned char *out, size_t out_bytes);
  const evp_md *md;
  const char *version;
} crypto;

static const struct {
  size_t rate_bytes;
  unsigned suffix;
  const char *name;
  const char *constructor;
} functions[] = {
    {144, 0x06, "SHA3-224", "EVP_sha3_224"}, {136, 0x06, "SHA3-256", "EVP_sha3_256"},
    {104, 0x06, "SHA3-384", "EVP_sha3_384"}, {72, 0x06, "SHA3-512", "EVP_sha3_512"},
    {168, 0x1f, "SHAKE128", "EVP_shake128"}, {136, 0x1f, "SHAKE256", "EVP_shake256"},
};

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void load(void) {
  size_t i = 0;
  while (functions[i].rate_bytes != RATE_BYTES || functions[i].suffix != SUFFIX) {
    if (++i == sizeof functions / sizeof functions[0]) return;
  }
  void *const library = libcrypto_open();
  if (library == NULL) return;

  const char *(*version)(int what);
  if (!libcrypto_find(library, "EVP_MD_CTX_new", &crypto.ctx_new) ||
      !libcrypto_find(library, "EVP_MD_CTX_free", &crypto.ctx_free) ||
      !libcrypto_find(library, "EVP_DigestInit_ex", &crypto.init) ||
      !libcrypto_find(library, "EVP_DigestUpdate", &crypto.update) ||
      !libcrypto_find(library, "EVP_DigestFinal_ex", &crypto.final) ||
      !libcrypto_find(library, "EVP_DigestFinalXOF", &crypto.final_xof) ||
      !libcrypto_find(library, "OpenSSL_version", &version)) {
    return;
  }
  // Fetched once, an algorithm of OpenSSL 3 is not looked up again with every message.
  evp_md *(*fetch)(void *context, const char *algorithm, const char *properties);
  const evp_md *(*constructor)(void);
  if (libcrypto_find(library, "EVP_MD_fetch", &fetch)) {
    crypto.md = fetch(NULL, functions[i].name, NULL);
  } else if (libcrypto_find(library, functions[i].constructor, &constructor)) {
    crypto.md = constructor();
  }
  crypto.version = version(0);
}

static int hash(evp_md_ctx *ctx, const evp_md *md, uint8_t *out, size_t out_bytes,
                const uint8_t *in, size_t in_bytes) {
  if (!crypto.init(ctx, md, NULL) || !crypto.update(ctx, in, in_bytes)) return 0;
  if (!SHA3) return crypto.final_xof(ctx, out, out_bytes);
  if (out_bytes == DIGEST_BYTES_SHA3) return crypto.final(ctx, out, NULL);
  uint8_t digest[DIGEST_BYTES_SHA3];
  const size_t take = out_bytes < sizeof digest ? out_bytes : sizeof digest;
  if (!crypto.final(ctx, digest, NULL)) return 0;
  memset(out, 0, out_bytes);
  memcpy(out, digest, take);
  return 1;
}

const char *lydite_impl(void) { return "openssl"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return crypto.md != NULL; }

const char *lydite_version(void) { return crypto.version != NULL ? crypto.version : ""; }

static void hash_all(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                     size_t messages) {
  if (messages == 0 || out_bytes == 0) return;
  evp_md_ctx *ctx = crypto.md != NULL ? crypto.ctx_new() : NULL;
  int ok = ctx != NULL;
  // With its algorithm once set, a context is started again without naming it: that is cheaper.
  for (size_t i = 0; ok && i < messages; i++) {
    ok = hash(ctx, i == 0 ? crypto.md : NULL, out + i * out_bytes, out_bytes, in + i * in_bytes,
              in_bytes);
  }
  if (!ok) memset(out, 0, messages * out_bytes);
  if (ctx != NULL) crypto.ctx_free(ctx);
}

void lydite_hash(const struct lydite_batch *batch) {
  hash_all(batch->out[0], batch->out_bytes[0], batch->in[0], batch->in_bytes[0], batch->count);
}
