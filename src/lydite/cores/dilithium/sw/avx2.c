// SPDX-License-Identifier: Apache-2.0
//
// Dilithium2 (round 3.1) and ML-DSA-44 (FIPS 204, 5 and 6) with AVX2 and BMI2: four sponges at
// once, and vectors of eight coefficients. Loops over coefficients that stand here as they are, and
// functions of c/ in them, become vectors by the compiler. What is public and what is secret is as
// in c/scheme.h.

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"  // much of it is done in another way here
#include "../c/scheme.h"
#pragma GCC diagnostic pop

#include "avx2_ntt.h"
#include "avx2_poly.h"
#include "avx2_shake.h"
#include "calls.h"

#define VECTORS _Alignas(32) int32_t
// The place in bytes of one that c/ counts in words.
#define BYTES(words) (8 * (words))

// mu of a text (algorithm 7, line 6) by the hash of the public key.
static void representative(uint8_t mu[MU_BYTES], const uint8_t tr[TR_BYTES],
                           const struct text *text) {
  const part message = {text->message, text->bytes};
#if ML_DSA
  const uint8_t head[2] = {0, (uint8_t)text->context_bytes};
  const part parts[4] = {
      {tr, TR_BYTES}, {head, sizeof head}, {text->context, text->context_bytes}, message};
#else
  const part parts[2] = {{tr, TR_BYTES}, message};
#endif
  hash_parts(mu, MU_BYTES, parts, sizeof parts / sizeof parts[0]);
}

// Algorithm 6.
static void make_keys(uint8_t public_key[PUBLIC_KEY_BYTES], uint8_t secret_key[SECRET_KEY_BYTES],
                      const uint8_t seed[SEED_BYTES]) {
  const uint8_t sizes[2] = {K, L};
  const part seeds[2] = {{seed, SEED_BYTES}, {sizes, ML_DSA ? sizeof sizes : 0}};
  uint8_t expanded[128];  // rho, rho', K
  VECTORS a[L][N], s1[L][N], s2[K][N], t[N];

  hash_parts(expanded, sizeof expanded, seeds, 2);
  memcpy(public_key, expanded, 32);
  memcpy(secret_key, expanded, 32);
  memcpy(secret_key + BYTES(AT_KEY), expanded + 96, 32);

  uniform_eta_x4(s1, expanded + 32, 0);
  uniform_eta_x4(s2, expanded + 32, L);
  for (unsigned i = 0; i < L; i++) {
    pack_words(secret_key + BYTES(AT_S1) + i * POLY_BYTES(ETA_BITS), s1[i], ETA_BITS, ETA);
    pack_words(secret_key + BYTES(AT_S2) + i * POLY_BYTES(ETA_BITS), s2[i], ETA_BITS, ETA);
    ntt_x8(s1[i], s1[i]);
  }
  for (unsigned row = 0; row < K; row++) {
    expand_row_x4(a, expanded, row);
    dot_x8(t, a[0], s1[0], L);
    inverse_ntt_x8(t);
    for (unsigned i = 0; i < N; i++) {
      t[i] = power2round(&s2[row][i], freeze(reduce(t[i] + s2[row][i])));
    }
    pack_words(public_key + 32 + row * POLY_BYTES(T1_BITS), t, T1_BITS, 0);
    uint8_t *t0 = secret_key + BYTES(AT_T0) + row * POLY_BYTES(T0_BITS);
    pack_words(t0, s2[row], T0_BITS, 1 << (D - 1));
  }
  const part whole = {public_key, PUBLIC_KEY_BYTES};
  hash_parts(secret_key + BYTES(AT_TR), TR_BYTES, &whole, 1);
}

// c s, transformed back, in (-q, q).
static void times_challenge(int32_t out[N], const int32_t c[N], const int32_t s[N]) {
  dot_x8(out, c, s, 1);
  inverse_ntt_x8(out);
}

// low - c s2 in place, which is the low part of w - c s2 unless it is too large (and so is that
// one, by |c s2| <= beta); whether it is.
static uint32_t subtract_error_x8(int32_t low[N], const int32_t c[N], const int32_t s2[N]) {
  VECTORS cs2[N];
  uint32_t wrong = 0;
  times_challenge(cs2, c, s2);
  for (unsigned i = 0; i < N; i++) {
    low[i] -= centre(cs2[i]);
    wrong |= exceeds(low[i], GAMMA2 - BETA);
  }
  return wrong;
}

// z = y + c s1; whether its norm is too large.
static uint32_t masked_secret_x8(int32_t z[N], const int32_t y[N], const int32_t c[N],
                                 const int32_t s1[N]) {
  uint32_t wrong = 0;
  times_challenge(z, c, s1);
  for (unsigned i = 0; i < N; i++) {
    z[i] = y[i] + centre(z[i]);
    wrong |= exceeds(z[i], GAMMA1 - BETA);
  }
  return wrong;
}

// give_hints of c/scheme.h, from the high part of w and the low part of w - c s2, of which that is
// the high part, too. MakeHint (algorithm 39): with c t0 the low part leaves its range, whose lower
// end belongs to it for high part 0 alone.
static unsigned give_hints_x8(uint8_t *out, unsigned count, const int32_t high[N],
                              const int32_t low[N], const int32_t c[N], const int32_t t0[N]) {
  VECTORS ct0[N];
  uint32_t wrong = 0;
  times_challenge(ct0, c, t0);
  for (unsigned i = 0; i < N; i++) {
    const int32_t value = centre(ct0[i]), moved = low[i] + value;
    wrong |= exceeds(value, GAMMA2);
    ct0[i] = -(int32_t)((moved > GAMMA2) | (moved < -GAMMA2) |
                        ((moved == -GAMMA2) & (high[i] != 0)));
  }
  if (wrong) return OMEGA + 1;
  for (unsigned i = 0; i < N; i += 8) {
    unsigned hints = (unsigned)_mm256_movemask_ps(_mm256_castsi256_ps(load_x8(ct0 + i)));
    for (; hints != 0; hints &= hints - 1) {
      if (count == OMEGA) return OMEGA + 1;
      out[count++] = (uint8_t)(i + (unsigned)__builtin_ctz(hints));
    }
  }
  return count;
}

// What signing takes out of a secret key, transformed.
typedef struct {
  VECTORS a[K][L][N], s1[L][N], s2[K][N], t0[K][N];
} signing_key;

static void unpack_key(signing_key *key, const uint8_t secret_key[SECRET_KEY_BYTES]) {
  uint8_t in[SECRET_KEY_BYTES + 16];
  memcpy(in, secret_key, SECRET_KEY_BYTES);
  for (unsigned i = 0; i < L; i++) {
    unpack_x8(key->s1[i], in + BYTES(AT_S1) + i * POLY_BYTES(ETA_BITS), ETA_BITS, ETA);
    ntt_x8(key->s1[i], key->s1[i]);
  }
  for (unsigned i = 0; i < K; i++) {
    unpack_x8(key->s2[i], in + BYTES(AT_S2) + i * POLY_BYTES(ETA_BITS), ETA_BITS, ETA);
    ntt_x8(key->s2[i], key->s2[i]);
    unpack_x8(key->t0[i], in + BYTES(AT_T0) + i * POLY_BYTES(T0_BITS), T0_BITS, 1 << (D - 1));
    ntt_x8(key->t0[i], key->t0[i]);
    expand_row_x4(key->a[i], secret_key, i);
  }
}

// SampleInBall (algorithm 29).
static void challenge(int32_t c[N], const uint8_t seed[C_BYTES]) {
  uint64_t state[LANES], words[WORDS(C_BYTES)];
  int32_t all[N][L];
  for (unsigned i = 0; i < WORDS(C_BYTES); i++) words[i] = load64_le(seed + 8 * i);
  vector_challenge(all, state, words, 1);
  for (unsigned i = 0; i < N; i++) c[i] = all[i][0];
}

// An attempt (algorithm 7, lines 11 to 31) with y: whether it gives c~, z and hints, behind c~.
static bool attempt(uint8_t *signature, int32_t z[L][N], const signing_key *key,
                    const uint8_t mu[MU_BYTES], int32_t y[L][N]) {
  uint8_t w1[K * POLY_BYTES(W1_BITS)];
  VECTORS high[K][N], low[K][N], c[N];
  for (unsigned i = 0; i < L; i++) ntt_x8(z[i], y[i]);
  for (unsigned row = 0; row < K; row++) {
    dot_x8(low[row], key->a[row][0], z[0], L);
    inverse_ntt_x8(low[row]);
    for (unsigned i = 0; i < N; i++) high[row][i] = decompose(&low[row][i], freeze(low[row][i]));
    pack_words(w1 + row * POLY_BYTES(W1_BITS), high[row], W1_BITS, 0);
  }
  const part parts[2] = {{mu, MU_BYTES}, {w1, sizeof w1}};
  hash_parts(signature, C_BYTES, parts, 2);
  challenge(c, signature);
  ntt_x8(c, c);

  // Which polynomial breaks a bound says as little of the secrets as that one does.
  for (unsigned i = 0; i < K; i++) {
    if (subtract_error_x8(low[i], c, key->s2[i])) return false;
  }
  for (unsigned i = 0; i < L; i++) {
    if (masked_secret_x8(z[i], y[i], c, key->s1[i])) return false;
  }
  unsigned hints = 0;
  memset(signature + BYTES(AT_HINTS), 0, OMEGA);
  for (unsigned i = 0; i < K; i++) {
    hints = give_hints_x8(signature + BYTES(AT_HINTS), hints, high[i], low[i], c, key->t0[i]);
    if (hints > OMEGA) return false;
    signature[BYTES(AT_HINTS) + OMEGA + i] = (uint8_t)hints;
  }
  return true;
}

// Algorithm 7.
static void make_signature(uint8_t signature[SIGNATURE_BYTES],
                           const uint8_t secret_key[SECRET_KEY_BYTES], const struct text *text,
                           const uint8_t *random) {
  uint8_t mu[MU_BYTES], rho_prime[64];
  signing_key key;
  VECTORS y[L][N], z[L][N];
  representative(mu, secret_key + BYTES(AT_TR), text);
  const part parts[3] = {
      {secret_key + BYTES(AT_KEY), 32}, {random, ML_DSA ? RANDOM_BYTES : 0}, {mu, MU_BYTES}};
  hash_parts(rho_prime, sizeof rho_prime, parts, 3);
  unpack_key(&key, secret_key);
  // One attempt in four is accepted; numbers of attempts have two bytes.
  for (unsigned kappa = 0; kappa < 65536; kappa += L) {
    uniform_gamma1_x4(y, rho_prime, kappa);
    if (attempt(signature, z, &key, mu, y)) break;
  }
  for (unsigned i = 0; i < L; i++) {
    pack_words(signature + BYTES(AT_Z) + i * POLY_BYTES(Z_BITS), z[i], Z_BITS, GAMMA1);
  }
}

// Algorithm 8.
static bool is_signature(const uint8_t public_key[PUBLIC_KEY_BYTES], const struct text *text,
                         const uint8_t signature[SIGNATURE_BYTES]) {
  uint8_t hints[N], w1[K * POLY_BYTES(W1_BITS)], tr[TR_BYTES], mu[MU_BYTES], c_tilde[C_BYTES];
  uint8_t t1[PUBLIC_KEY_BYTES - 32 + 16];
  uint64_t packed[WORDS(OMEGA + K)] = {0};
  // The challenge is one more polynomial of z, and t1 one more of the matrix.
  VECTORS a[L + 1][N], z[L + 1][N], w[N];

  memcpy(packed, signature + BYTES(AT_HINTS), OMEGA + K);
  if (!take_hints(hints, packed)) return false;
  for (unsigned i = 0; i < L; i++) {
    uint32_t wrong = 0;
    unpack_x8(z[i], signature + BYTES(AT_Z) + i * POLY_BYTES(Z_BITS), Z_BITS, GAMMA1);
    for (unsigned j = 0; j < N; j++) wrong |= exceeds(z[i][j], GAMMA1 - BETA);
    if (wrong) return false;
    ntt_x8(z[i], z[i]);
  }
  challenge(z[L], signature);
  // Times -2^13, so that t1 needs neither.
  for (unsigned i = 0; i < N; i++) z[L][i] *= -(1 << D);
  ntt_x8(z[L], z[L]);
  memcpy(t1, public_key + 32, PUBLIC_KEY_BYTES - 32);
  for (unsigned row = 0; row < K; row++) {
    expand_row_x4(a, public_key, row);
    unpack_x8(a[L], t1 + row * POLY_BYTES(T1_BITS), T1_BITS, 0);
    ntt_x8(a[L], a[L]);
    dot_x8(w, a[0], z[0], L + 1);
    inverse_ntt_x8(w);
    for (unsigned i = 0; i < N; i++) {
      // UseHint (algorithm 40), with 44 high parts.
      int32_t low;
      const int32_t high = decompose(&low, freeze(w[i]));
      const int32_t moved = high + (hints[i] >> row & 1) * (low > 0 ? 1 : -1);
      w[i] = moved < 0 ? 43 : moved > 43 ? 0 : moved;
    }
    pack_words(w1 + row * POLY_BYTES(W1_BITS), w, W1_BITS, 0);
  }
  const part whole = {public_key, PUBLIC_KEY_BYTES}, parts[2] = {{mu, MU_BYTES}, {w1, sizeof w1}};
  hash_parts(tr, TR_BYTES, &whole, 1);
  representative(mu, tr, text);
  hash_parts(c_tilde, C_BYTES, parts, 2);
  return memcmp(c_tilde, signature, C_BYTES) == 0;
}

const char *lydite_impl(void) { return "avx2"; }

const char *lydite_cpu_flags(void) { return "avx2 bmi2 popcnt"; }
