// SPDX-License-Identifier: Apache-2.0
//
// Keys, signatures and their verification (FIPS 204, 6) for the representative mu of a message.
// Encodings are those of 7.2. Nothing overlaps; `state` is scratch of the sponge. Secrets decide
// neither branches nor indices, but for attempts that are rejected: whether one is, and the
// challenge of one that is.

#ifndef LYDITE_CORES_DILITHIUM_C_SCHEME_H_
#define LYDITE_CORES_DILITHIUM_C_SCHEME_H_

#include "params.h"
#include "poly.h"
#include "shake.h"

// Places in a secret key.
#define AT_KEY 32
#define AT_TR 64
#define AT_S1 (AT_TR + TR_BYTES)
#define AT_S2 (AT_S1 + L * POLY_BYTES(ETA_BITS))
#define AT_T0 (AT_S2 + K * POLY_BYTES(ETA_BITS))
// In a signature.
#define AT_Z C_BYTES
#define AT_HINTS (AT_Z + L * POLY_BYTES(Z_BITS))

// H (3.7) of a string that ends here.
static void hash_end(uint8_t *out, size_t bytes, uint64_t state[LANES], unsigned at) {
  at = shake_end(state, at, SHAKE256_RATE);
  shake_squeeze(out, bytes, state, at, SHAKE256_RATE);
}

// A row of the matrix (ExpandA, algorithm 32), transformed.
static void expand_row(int32_t a[L][N], uint64_t state[LANES], const uint8_t rho[32],
                       unsigned row) {
  for (unsigned column = 0; column < L; column++) {
    poly_uniform(a[column], state, rho, row, column);
  }
}

// Algorithm 6: a key pair from a seed; in round 3.1 without K and L behind the seed.
static void keygen(uint8_t public_key[PUBLIC_KEY_BYTES], uint8_t secret_key[SECRET_KEY_BYTES],
                   const uint8_t seed[SEED_BYTES], uint64_t state[LANES]) {
  uint8_t expanded[128];  // rho, rho', K
  int32_t a[L][N], s1[L][N], t[N], other[N];

  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, seed, SEED_BYTES);
#if ML_DSA
  at = shake_byte(state, at, SHAKE256_RATE, K);
  at = shake_byte(state, at, SHAKE256_RATE, L);
#endif
  hash_end(expanded, sizeof expanded, state, at);
  for (unsigned i = 0; i < 32; i++) {
#pragma HLS pipeline
    public_key[i] = expanded[i];
    secret_key[i] = expanded[i];
    secret_key[AT_KEY + i] = expanded[96 + i];
  }

  for (unsigned i = 0; i < L; i++) {
    poly_uniform_eta(s1[i], state, expanded + 32, i);
    bit_pack(secret_key + AT_S1 + i * POLY_BYTES(ETA_BITS), s1[i], ETA_BITS, ETA);
    ntt(s1[i]);
  }
  for (unsigned row = 0; row < K; row++) {
    expand_row(a, state, expanded, row);
    poly_dot(t, a, s1);
    inverse_ntt(t);
    poly_uniform_eta(other, state, expanded + 32, L + row);
    bit_pack(secret_key + AT_S2 + row * POLY_BYTES(ETA_BITS), other, ETA_BITS, ETA);
    for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
      t[i] = power2round(&other[i], freeze(reduce(t[i] + other[i])));
    }
    bit_pack(public_key + 32 + row * POLY_BYTES(T1_BITS), t, T1_BITS, 0);
    bit_pack(secret_key + AT_T0 + row * POLY_BYTES(T0_BITS), other, T0_BITS, 1 << (D - 1));
  }

  shake_begin(state);
  at = shake_absorb(state, 0, SHAKE256_RATE, public_key, PUBLIC_KEY_BYTES);
  hash_end(secret_key + AT_TR, TR_BYTES, state, at);
}

// Whether a coefficient is as large as the bound, or larger: 1 or 0.
static inline uint32_t exceeds(int32_t a, int32_t bound) {
  const int32_t sign = a >> 31, size = (a ^ sign) - sign;
  return (uint32_t)(bound - 1 - size) >> 31;
}

// z = y + c s1 of one polynomial; whether its norm is too large.
static uint32_t masked_secret(int32_t z[N], int32_t scratch[N], const int32_t y[N],
                              const int32_t c[N], const int32_t s1[N]) {
  uint32_t wrong = 0;
  poly_multiply(scratch, c, s1);
  inverse_ntt(scratch);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=z type=inter false
    const int32_t value = y[i] + centre(scratch[i]);
    z[i] = value;
    wrong |= exceeds(value, GAMMA1 - BETA);
  }
  return wrong;
}

// w - c s2 of one polynomial, in place and in [0, q); whether its low bits are too large.
static uint32_t subtract_error(int32_t w[N], int32_t scratch[N], const int32_t c[N],
                               const int32_t s2[N]) {
  uint32_t wrong = 0;
  poly_multiply(scratch, c, s2);
  inverse_ntt(scratch);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS unroll factor=2
#pragma HLS dependence variable=w type=inter false
    int32_t low;
    const int32_t value = freeze(reduce(w[i] - scratch[i]));
    w[i] = value;
    decompose(&low, value);
    wrong |= exceeds(low, GAMMA2 - BETA);
  }
  return wrong;
}

// Hints for one polynomial of w - c s2 into the signature, behind `count` that are there; gives
// their number with these, or OMEGA + 1 where c t0 or the number is too large.
static unsigned give_hints(uint8_t *out, unsigned count, const int32_t w[N], int32_t scratch[N],
                           const int32_t c[N], const int32_t t0[N]) {
  uint32_t wrong = 0;
  poly_multiply(scratch, c, t0);
  inverse_ntt(scratch);
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
    int32_t low;
    const int32_t value = centre(scratch[i]);
    wrong |= exceeds(value, GAMMA2);
    // MakeHint (algorithm 39)
    const bool hint =
        decompose(&low, w[i]) != decompose(&low, freeze(reduce(w[i] + value)));
    if (hint && count < OMEGA) out[count] = (uint8_t)i;
    if (hint && count <= OMEGA) count++;
  }
  return wrong ? OMEGA + 1 : count;
}

// Algorithm 7 from line 7 on. `random` has RANDOM_BYTES, all zero for the deterministic variant; in
// round 3.1 it is not used.
static void sign(uint8_t signature[SIGNATURE_BYTES], const uint8_t secret_key[SECRET_KEY_BYTES],
                 const uint8_t mu[MU_BYTES], const uint8_t random[RANDOM_BYTES],
                 uint64_t state[LANES]) {
  uint8_t rho_prime[64], w1[K * POLY_BYTES(W1_BITS)];
  int32_t a[K][L][N], s1[L][N], s2[K][N], t0[K][N], y[L][N], z[L][N], w[K][N];
  int32_t c[N], scratch[N];

  for (unsigned i = 0; i < L; i++) {
    bit_unpack(s1[i], secret_key + AT_S1 + i * POLY_BYTES(ETA_BITS), ETA_BITS, ETA);
    ntt(s1[i]);
  }
  for (unsigned i = 0; i < K; i++) {
    bit_unpack(s2[i], secret_key + AT_S2 + i * POLY_BYTES(ETA_BITS), ETA_BITS, ETA);
    bit_unpack(t0[i], secret_key + AT_T0 + i * POLY_BYTES(T0_BITS), T0_BITS, 1 << (D - 1));
    ntt(s2[i]);
    ntt(t0[i]);
    expand_row(a[i], state, secret_key, i);
  }
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, secret_key + AT_KEY, 32);
#if ML_DSA
  at = shake_absorb(state, at, SHAKE256_RATE, random, RANDOM_BYTES);
#else
  (void)random;
#endif
  at = shake_absorb(state, at, SHAKE256_RATE, mu, MU_BYTES);
  hash_end(rho_prime, sizeof rho_prime, state, at);

  // One attempt in four is accepted; numbers of attempts have two bytes.
  for (unsigned kappa = 0; kappa < 65536; kappa += L) {
    for (unsigned i = 0; i < L; i++) {
      poly_uniform_gamma1(y[i], z[i], state, rho_prime, kappa + i);
      ntt(z[i]);
    }
    for (unsigned row = 0; row < K; row++) {
      poly_dot(w[row], a[row], z);
      inverse_ntt(w[row]);
      pack_high(w1 + row * POLY_BYTES(W1_BITS), w[row]);
    }
    shake_begin(state);
    at = shake_absorb(state, 0, SHAKE256_RATE, mu, MU_BYTES);
    at = shake_absorb(state, at, SHAKE256_RATE, w1, sizeof w1);
    hash_end(signature, C_BYTES, state, at);
    poly_challenge(c, state, signature);
    ntt(c);

    // Which polynomial breaks a bound says as little of the secrets as that one does.
    uint32_t wrong = 0;
    for (unsigned i = 0; i < K && !wrong; i++) wrong = subtract_error(w[i], scratch, c, s2[i]);
    for (unsigned i = 0; i < L && !wrong; i++) wrong = masked_secret(z[i], scratch, y[i], c, s1[i]);
    if (wrong) continue;
    unsigned hints = 0;
    for (unsigned i = 0; i < OMEGA; i++) {
#pragma HLS pipeline
      signature[AT_HINTS + i] = 0;
    }
    for (unsigned i = 0; i < K && hints <= OMEGA; i++) {
      hints = give_hints(signature + AT_HINTS, hints, w[i], scratch, c, t0[i]);
      signature[AT_HINTS + OMEGA + i] = (uint8_t)hints;
    }
    if (hints > OMEGA) continue;
    break;
  }
  for (unsigned i = 0; i < L; i++) {
    bit_pack(signature + AT_Z + i * POLY_BYTES(Z_BITS), z[i], Z_BITS, GAMMA1);
  }
}

// HintBitUnpack (algorithm 21); false where they are not as a signer writes them.
static bool take_hints(uint8_t hints[K][N], const uint8_t in[OMEGA + K]) {
  unsigned count = 0;
  bool right = true;
  for (unsigned row = 0; row < K; row++) {
    const unsigned end = in[OMEGA + row];
    for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
      hints[row][i] = 0;
    }
    if (end < count || end > OMEGA) return false;
    for (unsigned i = count; i < end; i++) {
#pragma HLS pipeline
      if (i > count && in[i] <= in[i - 1]) right = false;
      hints[row][in[i]] = 1;
    }
    count = end;
  }
  for (unsigned i = count; i < OMEGA; i++) {
#pragma HLS pipeline
    if (in[i] != 0) right = false;
  }
  return right;
}

// Algorithm 8 from line 8 on: whether a signature is one of a message. All is public.
static bool verify(const uint8_t public_key[PUBLIC_KEY_BYTES], const uint8_t mu[MU_BYTES],
                   const uint8_t signature[SIGNATURE_BYTES], uint64_t state[LANES]) {
  uint8_t hints[K][N], w1[K * POLY_BYTES(W1_BITS)], c_tilde[C_BYTES];
  int32_t a[L][N], z[L][N], c[N], w[N], scratch[N];

  if (!take_hints(hints, signature + AT_HINTS)) return false;
  uint32_t wrong = 0;
  for (unsigned i = 0; i < L; i++) {
    bit_unpack(z[i], signature + AT_Z + i * POLY_BYTES(Z_BITS), Z_BITS, GAMMA1);
    for (unsigned j = 0; j < N; j++) {
#pragma HLS pipeline
      wrong |= exceeds(z[i][j], GAMMA1 - BETA);
    }
    ntt(z[i]);
  }
  if (wrong) return false;
  poly_challenge(c, state, signature);
  // The challenge times -2^13, so that t1 needs neither.
  for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
    c[i] *= -(1 << D);
  }
  ntt(c);
  for (unsigned row = 0; row < K; row++) {
    bit_unpack(scratch, public_key + 32 + row * POLY_BYTES(T1_BITS), T1_BITS, 0);
    ntt(scratch);
    poly_multiply(scratch, scratch, c);
    expand_row(a, state, public_key, row);
    poly_dot(w, a, z);
    for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
#pragma HLS dependence variable=w type=inter false
      w[i] = reduce(w[i] + scratch[i]);
    }
    inverse_ntt(w);
    for (unsigned i = 0; i < N; i++) {
#pragma HLS pipeline
      w[i] = use_hint(hints[row][i], w[i]);
    }
    bit_pack(w1 + row * POLY_BYTES(W1_BITS), w, W1_BITS, 0);
  }
  shake_begin(state);
  unsigned at = shake_absorb(state, 0, SHAKE256_RATE, mu, MU_BYTES);
  at = shake_absorb(state, at, SHAKE256_RATE, w1, sizeof w1);
  hash_end(c_tilde, C_BYTES, state, at);
  for (unsigned i = 0; i < C_BYTES; i++) {
#pragma HLS pipeline
    wrong |= c_tilde[i] ^ signature[i];
  }
  return wrong == 0;
}

#endif  // LYDITE_CORES_DILITHIUM_C_SCHEME_H_
