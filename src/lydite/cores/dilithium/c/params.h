// SPDX-License-Identifier: Apache-2.0
//
// Numbers of ML-DSA-44 (FIPS 204, 4, tables 1 and 2), and of Dilithium2, round 3.1 (ML_DSA is 0),
// which differs in the length of tr alone.

#ifndef LYDITE_CORES_DILITHIUM_C_PARAMS_H_
#define LYDITE_CORES_DILITHIUM_C_PARAMS_H_

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef ML_DSA
#define ML_DSA 1
#endif

#define Q 8380417
#define N 256
#define D 13
#define TAU 39
#define GAMMA1 (1 << 17)
#define GAMMA2 ((Q - 1) / 88)
#define K 4
#define L 4
#define ETA 2
#define BETA (TAU * ETA)
#define OMEGA 80

#define SEED_BYTES 32
#define MU_BYTES 64
#define RANDOM_BYTES 32
#define CONTEXT_BYTES 255
#define C_BYTES 32
#if ML_DSA
#define TR_BYTES 64
#else
#define TR_BYTES 32
#endif

// Bits of a packed coefficient, bytes and words of a packed polynomial.
#define T1_BITS 10
#define T0_BITS 13
#define ETA_BITS 3
#define Z_BITS 18
#define W1_BITS 6
#define POLY_BYTES(bits) (N / 8 * (bits))
#define POLY_WORDS(bits) (N / 64 * (bits))

#define PUBLIC_KEY_BYTES (32 + K * POLY_BYTES(T1_BITS))
#define SECRET_KEY_BYTES \
  (64 + TR_BYTES + (L + K) * POLY_BYTES(ETA_BITS) + K * POLY_BYTES(T0_BITS))
#define SIGNATURE_BYTES (C_BYTES + L * POLY_BYTES(Z_BITS) + OMEGA + K)

// Words of eight bytes, the first one lowest, of a string; the last may have fewer bytes.
#define WORDS(bytes) (((bytes) + 7) / 8)

#endif  // LYDITE_CORES_DILITHIUM_C_PARAMS_H_
