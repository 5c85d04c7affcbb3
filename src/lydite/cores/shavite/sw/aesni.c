// SPDX-License-Identifier: Apache-2.0
//
// SHAvite-3-256, LANES messages at once, with the AES instructions of x86: one message in each
// register of 128 bits, or four in each of 512 bits. The rounds of several registers fill each
// other's waiting.

#include <immintrin.h>

#include "shavite.h"
#if LANES == 16
#include "../../common/sw/quarters.h"
#endif

#if LANES < 16

#define WIDTH 1  // messages in a register
#define VECTOR __m128i
#define V(name) _mm_##name
#define XOR(a, b) _mm_xor_si128(a, b)
#define XOR3(a, b, c) XOR(XOR(a, b), c)
#define AES(a, key) _mm_aesenc_si128(a, key)
#define BYTES_UP(a, count) _mm_slli_si128(a, count)
#define EVERYWHERE(a) (a)

#else

#define WIDTH 4
#define VECTOR __m512i
#define V(name) _mm512_##name
#define XOR(a, b) _mm512_xor_si512(a, b)
#define XOR3(a, b, c) _mm512_ternarylogic_epi32(a, b, c, 0x96)
#define AES(a, key) _mm512_aesenc_epi128(a, key)
#define BYTES_UP(a, count) _mm512_bslli_epi128(a, count)
#define EVERYWHERE(a) _mm512_broadcast_i32x4(a)

#endif

#define REGISTERS (LANES / WIDTH)
#define SUBKEYS (SHAVITE_KEY_WORDS / 4)
// Words a, b, c, d of what stands there.
#define WORDS(v, a, b, c, d) V(shuffle_epi32)(v, (_MM_PERM_ENUM)_MM_SHUFFLE(d, c, b, a))

static inline VECTOR words(uint32_t a, uint32_t b, uint32_t c, uint32_t d) {
  return EVERYWHERE(_mm_set_epi32((int)d, (int)c, (int)b, (int)a));
}

// What is added to subkey n: the counter, in four of them.
static inline VECTOR counter(size_t n, uint64_t bits) {
  const uint32_t low = (uint32_t)bits, high = (uint32_t)(bits >> 32);
  return n == 4    ? words(low, ~high, 0, 0)
         : n == 14 ? words(0, high, ~low, 0)
         : n == 21 ? words(0, 0, high, ~low)
                   : words(low, 0, 0, ~high);
}

// 3.1: subkey n from the fourth one before it and the one before it.
static inline VECTOR subkey(VECTOR fourth, VECTOR before, size_t n, uint64_t bits) {
  if (n / 4 % 2 == 1) {
    if (n == 4 || n == 14 || n == 21 || n == 31) before = XOR(before, counter(n, bits));
    return AES(WORDS(fourth, 1, 2, 3, 0), before);
  }
  // Words 1, 2, 3 of the one before it, and the first one of its own.
  return XOR3(fourth, BYTES_UP(fourth, 12), WORDS(before, 1, 2, 3, 1));
}

// Sixteen bytes of the messages in a register.
static inline VECTOR load(const uint8_t *const in[WIDTH], size_t at) {
#if WIDTH == 1
  return _mm_loadu_si128((const void *)(in[0] + at));
#else
  return load_quarters(in[0] + at, in[1] + at, in[2] + at, in[3] + at);
#endif
}

// Works on a block of each message. Subkey n stands in k[n % 4]. Three of them go to three rounds
// of AES of one half; the first is added before, so that the last round adds the other half.
static inline void compress(VECTOR chain[REGISTERS][2], const uint8_t *const in[LANES], size_t at,
                            uint64_t bits) {
  VECTOR k[REGISTERS][4], text[REGISTERS][2], x[REGISTERS];
  for (size_t r = 0; r < REGISTERS; r++) {
    for (size_t i = 0; i < 4; i++) k[r][i] = load(in + WIDTH * r, at + 16 * i);
    text[r][0] = chain[r][0];
    text[r][1] = chain[r][1];
    x[r] = XOR(text[r][1], k[r][0]);
  }
#pragma GCC unroll 36
  for (size_t n = 1; n < SUBKEYS; n++) {
#pragma GCC unroll 4
    for (size_t r = 0; r < REGISTERS; r++) {
      if (n >= 4) k[r][n % 4] = subkey(k[r][n % 4], k[r][(n + 3) % 4], n, bits);
      const VECTOR key = k[r][n % 4];
      if (n % 3 != 0) {
        x[r] = AES(x[r], key);
      } else {
        VECTOR *const half = &text[r][(n / 3 + 1) % 2];
        const VECTOR sum = AES(x[r], *half);
        // One message alone would wait for adding the key afterwards.
        x[r] = LANES == 1 ? AES(x[r], XOR(*half, key)) : XOR(sum, key);
        *half = sum;
      }
    }
  }
  for (size_t r = 0; r < REGISTERS; r++) {
    chain[r][0] = XOR(chain[r][0], text[r][0]);
    chain[r][1] = XOR(chain[r][1], AES(x[r], text[r][1]));
  }
}

static void hash(uint8_t *const out[LANES], const uint8_t *const in[LANES], size_t in_bytes) {
  VECTOR chain[REGISTERS][2];
  for (size_t i = 0; i < 2; i++) {
    const uint32_t *const h = shavite_initial + 4 * i;
    for (size_t r = 0; r < REGISTERS; r++) chain[r][i] = words(h[0], h[1], h[2], h[3]);
  }
  uint8_t last[LANES][2 * SHAVITE_BLOCK_BYTES];
  const uint8_t *blocks[LANES];
  size_t count = 0;
  for (size_t lane = 0; lane < LANES; lane++) {
    count = shavite_last_blocks(last[lane], in[lane], in_bytes);
    blocks[lane] = last[lane];
  }
  const size_t whole = in_bytes / SHAVITE_BLOCK_BYTES;
  for (size_t i = 0; i < whole; i++) {
    compress(chain, in, i * SHAVITE_BLOCK_BYTES, shavite_bits(i, in_bytes));
  }
  for (size_t i = 0; i < count; i++) {
    compress(chain, blocks, i * SHAVITE_BLOCK_BYTES, shavite_bits(whole + i, in_bytes));
  }
  for (size_t lane = 0; lane < LANES; lane++) {
    for (size_t i = 0; i < 2; i++) {
      const uint8_t *const lanes = (const uint8_t *)&chain[lane / WIDTH][i];
      memcpy(out[lane] + 16 * i, lanes + 16 * (lane % WIDTH), 16);
    }
  }
}

#define HASH_DIGEST_BYTES SHAVITE_DIGEST_BYTES
#define HASH_IMPL (LANES == 1 ? "aesni" : LANES == 4 ? "aesni-x4" : "vaes-x16")
#define HASH_CPU_FLAGS (WIDTH == 1 ? "aes" : "avx512f vaes")
#include "../../common/sw/hash_lanes.h"
