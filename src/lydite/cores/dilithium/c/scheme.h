// SPDX-License-Identifier: Apache-2.0
//
// Keys, signatures and their verification (FIPS 204, 6) for the representative mu of a message.
// Encodings are those of 7.2, in words. Nothing overlaps; `state` is scratch of the sponge. Secrets
// decide neither branches nor indices, but for attempts that are rejected: whether one is, and the
// challenge of one that is.

#ifndef LYDITE_CORES_DILITHIUM_C_SCHEME_H_
#define LYDITE_CORES_DILITHIUM_C_SCHEME_H_

#include "params.h"
#include "poly.h"
#include "shake.h"

// Words of a secret key.
#define AT_KEY 4
#define AT_TR 8
#define AT_S1 (AT_TR + WORDS(TR_BYTES))
#define AT_S2 (AT_S1 + L * POLY_WORDS(ETA_BITS))
#define AT_T0 (AT_S2 + K * POLY_WORDS(ETA_BITS))
// Of a public key and of a signature.
#define AT_T1 4
#define AT_Z WORDS(C_BYTES)
#define AT_HINTS (AT_Z + L * POLY_WORDS(Z_BITS))

// H (3.7) of a string that ends here: no more than a block.
static void hash_end(uint64_t *out, unsigned words, uint64_t state[LANES], uint8_t at) {
  shake_end(state, at);
  shake_squeeze(out, words, state);
}

// A row of the matrix (ExpandA, algorithm 32), transformed.
static void expand_row(int32_t a[N][L], uint64_t state[LANES], const uint64_t rho[4],
                       unsigned row) {
  for (unsigned column = 0; column < L; column++) poly_uniform(a, column, state, rho, row);
}

// Algorithm 6: a key pair from a seed; in round 3.1 without K and L behind the seed.
static void keygen(uint64_t public_key[WORDS(PUBLIC_KEY_BYTES)],
                   uint64_t secret_key[WORDS(SECRET_KEY_BYTES)],
                   const uint64_t seed[WORDS(SEED_BYTES)], uint64_t state[LANES]) {
  uint64_t expanded[16];  // rho, rho', K
  int32_t a[N][L], s1[N][L], s2[N][L], t[N][L];
#pragma HLS array_partition variable=a dim=2 complete
#pragma HLS array_partition variable=s1 dim=2 complete
#pragma HLS array_partition variable=s2 dim=2 complete
#pragma HLS array_partition variable=t dim=2 complete

  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, seed, WORDS(SEED_BYTES));
#if ML_DSA
  at = shake_bytes(state, at, K | L << 8, 2);
#endif
  hash_end(expanded, 16, state, at);
  for (unsigned i = 0; i < 4; i++) {
#pragma HLS pipeline
    public_key[i] = secret_key[i] = expanded[i];
    secret_key[AT_KEY + i] = expanded[12 + i];
  }

  for (unsigned i = 0; i < L; i++) {
    poly_uniform_eta(s1, i, state, expanded + 4, i);
    poly_uniform_eta(s2, i, state, expanded + 4, L + i);
  }
  bit_pack(secret_key + AT_S1, s1, ETA_BITS, ETA);
  bit_pack(secret_key + AT_S2, s2, ETA_BITS, ETA);
  ntt(s1);
  for (unsigned row = 0; row < K; row++) {
    expand_row(a, state, expanded, row);
    vector_dot(t, row, a, s1);
  }
  inverse_ntt(t);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=t type=inter false
#pragma HLS dependence variable=s2 type=inter false
    for (unsigned k = 0; k < K; k++) {
      t[i][k] = power2round(&s2[i][k], freeze(reduce(t[i][k] + s2[i][k])));
    }
  }
  bit_pack(public_key + AT_T1, t, T1_BITS, 0);
  bit_pack(secret_key + AT_T0, s2, T0_BITS, 1 << (D - 1));

  shake_begin(state);
  at = shake_absorb(state, 0, public_key, WORDS(PUBLIC_KEY_BYTES));
  hash_end(secret_key + AT_TR, WORDS(TR_BYTES), state, at);
}

// Whether a coefficient is as large as the bound, or larger: 1 or 0.
static inline uint32_t exceeds(int32_t a, int32_t bound) {
  const int32_t sign = a >> 31, size = (a ^ sign) - sign;
  return (uint32_t)(bound - 1 - size) >> 31;
}

// z = y + c s1 in place of y; whether its norm is too large.
static uint32_t masked_secret(int32_t z[N][L], int32_t scratch[N][L], int32_t c[N][L],
                              int32_t s1[N][L]) {
  uint32_t wrong = 0;
  vector_multiply(scratch, c, s1);
  inverse_ntt(scratch);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=z type=inter false
    for (unsigned k = 0; k < L; k++) {
      const int32_t value = z[i][k] + centre(scratch[i][k]);
      z[i][k] = value;
      wrong |= exceeds(value, GAMMA1 - BETA);
    }
  }
  return wrong;
}

// w - c s2 in place and in [0, q); whether its low bits are too large.
static uint32_t subtract_error(int32_t w[N][L], int32_t scratch[N][L], int32_t c[N][L],
                               int32_t s2[N][L]) {
  uint32_t wrong = 0;
  vector_multiply(scratch, c, s2);
  inverse_ntt(scratch);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=w type=inter false
    for (unsigned k = 0; k < K; k++) {
      int32_t low;
      const int32_t value = freeze(reduce(w[i][k] - scratch[i][k]));
      w[i][k] = value;
      decompose(&low, value);
      wrong |= exceeds(low, GAMMA2 - BETA);
    }
  }
  return wrong;
}

// Hints for w - c s2 as a signature has them, places and then how many there are up to the end of
// each polynomial; whether c t0 is too large, or they are too many.
static uint32_t give_hints(uint8_t hints[OMEGA + K], int32_t w[N][L], int32_t scratch[N][L],
                           int32_t c[N][L], int32_t t0[N][L]) {
  uint32_t wrong = 0;
  unsigned count = 0;
  for (unsigned i = 0; i < OMEGA; i++) {
#pragma HLS pipeline
    hints[i] = 0;
  }
  vector_multiply(scratch, c, t0);
  inverse_ntt(scratch);
  for (unsigned k = 0; k < K; k++) {
    for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
      int32_t low;
      const int32_t value = centre(scratch[i][k]);
      wrong |= exceeds(value, GAMMA2);
      // MakeHint (algorithm 39)
      const bool hint =
          decompose(&low, w[i][k]) != decompose(&low, freeze(reduce(w[i][k] + value)));
      if (hint && count < OMEGA) hints[count] = (uint8_t)i;
      if (hint && count <= OMEGA) count++;
    }
    hints[OMEGA + k] = (uint8_t)count;
  }
  return wrong | (count > OMEGA);
}

// Algorithm 7 from line 7 on. `random` has RANDOM_BYTES, all zero for the deterministic variant; in
// round 3.1 it is not used.
static void sign(uint64_t signature[WORDS(SIGNATURE_BYTES)],
                 const uint64_t secret_key[WORDS(SECRET_KEY_BYTES)],
                 const uint64_t mu[WORDS(MU_BYTES)], const uint64_t random[WORDS(RANDOM_BYTES)],
                 uint64_t state[LANES]) {
  uint64_t rho_prime[8], masks[L * POLY_WORDS(Z_BITS)], w1[K * POLY_WORDS(W1_BITS)];
  uint8_t hints[OMEGA + K];
  int32_t a[K][N][L], s1[N][L], s2[N][L], t0[N][L], z[N][L], w[N][L], c[N][L], scratch[N][L];
#pragma HLS array_partition variable=a dim=3 complete
#pragma HLS array_partition variable=s1 dim=2 complete
#pragma HLS array_partition variable=s2 dim=2 complete
#pragma HLS array_partition variable=t0 dim=2 complete
#pragma HLS array_partition variable=z dim=2 complete
#pragma HLS array_partition variable=w dim=2 complete
#pragma HLS array_partition variable=c dim=2 complete
#pragma HLS array_partition variable=scratch dim=2 complete

  bit_unpack(s1, secret_key + AT_S1, ETA_BITS, ETA);
  bit_unpack(s2, secret_key + AT_S2, ETA_BITS, ETA);
  bit_unpack(t0, secret_key + AT_T0, T0_BITS, 1 << (D - 1));
  ntt(s1);
  ntt(s2);
  ntt(t0);
  for (unsigned i = 0; i < K; i++) expand_row(a[i], state, secret_key, i);
  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, secret_key + AT_KEY, 4);
#if ML_DSA
  at = shake_absorb(state, at, random, WORDS(RANDOM_BYTES));
#else
  (void)random;
#endif
  at = shake_absorb(state, at, mu, WORDS(MU_BYTES));
  hash_end(rho_prime, 8, state, at);

  // One attempt in four is accepted; numbers of attempts have two bytes.
  for (unsigned kappa = 0; kappa < 65536; kappa += L) {
    for (unsigned i = 0; i < L; i++) {
      expand_mask(masks + POLY_WORDS(Z_BITS) * i, state, rho_prime, kappa + i);
    }
    bit_unpack(z, masks, Z_BITS, GAMMA1);
    ntt(z);
    for (unsigned row = 0; row < K; row++) vector_dot(w, row, a[row], z);
    inverse_ntt(w);
    pack_high(w1, w);
    shake_begin(state);
    at = shake_absorb(state, 0, mu, WORDS(MU_BYTES));
    at = shake_absorb(state, at, w1, K * POLY_WORDS(W1_BITS));
    hash_end(signature, WORDS(C_BYTES), state, at);
    vector_challenge(c, state, signature, CHALLENGE);
    ntt(c);

    // Which bound is broken says as little of the secrets as that one is.
    if (subtract_error(w, scratch, c, s2)) continue;
    bit_unpack(z, masks, Z_BITS, GAMMA1);
    if (masked_secret(z, scratch, c, s1)) continue;
    if (!give_hints(hints, w, scratch, c, t0)) break;
  }
  bit_pack(signature + AT_Z, z, Z_BITS, GAMMA1);
  for (unsigned i = 0; i < WORDS(OMEGA + K); i++) {
    uint64_t word = 0;
    for (unsigned k = 0; k < 8 && 8 * i + k < OMEGA + K; k++) {
#pragma HLS pipeline
      word |= (uint64_t)hints[8 * i + k] << 8 * k;
    }
    signature[AT_HINTS + i] = word;
  }
}

// The byte at a place of a string of words.
static inline unsigned byte_at(const uint64_t *in, unsigned at) {
  return (unsigned)(in[at / 8] >> 8 * (at % 8) & 255);
}

// HintBitUnpack (algorithm 21), bit k of a hint for polynomial k; false where they are not as a
// signer writes them.
static bool take_hints(uint8_t hints[N], const uint64_t in[WORDS(OMEGA + K)]) {
  unsigned count = 0;
  bool right = true;
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
    hints[i] = 0;
  }
  for (unsigned row = 0; row < K; row++) {
    const unsigned end = byte_at(in, OMEGA + row);
    unsigned before = 0;
    if (end < count || end > OMEGA) return false;
    for (unsigned i = count; i < end; i++) {
#pragma HLS pipeline
      const unsigned place = byte_at(in, i);
      if (i > count && place <= before) right = false;
      hints[place] |= (uint8_t)(1u << row);
      before = place;
    }
    count = end;
  }
  for (unsigned i = count; i < OMEGA; i++) {
#pragma HLS pipeline
    if (byte_at(in, i) != 0) right = false;
  }
  return right;
}

// Algorithm 8 from line 8 on: whether a signature is one of a message. All is public.
static bool verify(const uint64_t public_key[WORDS(PUBLIC_KEY_BYTES)],
                   const uint64_t mu[WORDS(MU_BYTES)],
                   const uint64_t signature[WORDS(SIGNATURE_BYTES)], uint64_t state[LANES]) {
  uint64_t w1[K * POLY_WORDS(W1_BITS)], c_tilde[WORDS(C_BYTES)];
  uint8_t hints[N];
  int32_t a[N][L], z[N][L], c[N][L], t1[N][L], w[N][L];
#pragma HLS array_partition variable=a dim=2 complete
#pragma HLS array_partition variable=z dim=2 complete
#pragma HLS array_partition variable=c dim=2 complete
#pragma HLS array_partition variable=t1 dim=2 complete
#pragma HLS array_partition variable=w dim=2 complete

  if (!take_hints(hints, signature + AT_HINTS)) return false;
  uint32_t wrong = 0;
  bit_unpack(z, signature + AT_Z, Z_BITS, GAMMA1);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
    for (unsigned k = 0; k < L; k++) wrong |= exceeds(z[i][k], GAMMA1 - BETA);
  }
  if (wrong) return false;
  ntt(z);
  vector_challenge(c, state, signature, CHALLENGE_T1);
  ntt(c);
  bit_unpack(t1, public_key + AT_T1, T1_BITS, 0);
  ntt(t1);
  for (unsigned row = 0; row < K; row++) {
    expand_row(a, state, public_key, row);
    vector_dot(w, row, a, z);
  }
  vector_multiply(t1, t1, c);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=w type=inter false
    for (unsigned k = 0; k < K; k++) w[i][k] = reduce(w[i][k] + t1[i][k]);
  }
  inverse_ntt(w);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=w type=inter false
    for (unsigned k = 0; k < K; k++) w[i][k] = use_hint(hints[i] >> k & 1, w[i][k]);
  }
  bit_pack(w1, w, W1_BITS, 0);
  shake_begin(state);
  uint8_t at = shake_absorb(state, 0, mu, WORDS(MU_BYTES));
  at = shake_absorb(state, at, w1, K * POLY_WORDS(W1_BITS));
  hash_end(c_tilde, WORDS(C_BYTES), state, at);
  for (unsigned i = 0; i < WORDS(C_BYTES); i++) {
#pragma HLS pipeline
    wrong |= c_tilde[i] != signature[i];
  }
  return wrong == 0;
}

#endif  // LYDITE_CORES_DILITHIUM_C_SCHEME_H_
