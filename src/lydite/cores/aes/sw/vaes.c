// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197) by the vector AES instructions of AVX-512, four blocks in a register: 32
// blocks of one message at once, or, where messages have less than four, those of sixteen messages
// under keys of their own.

#include <immintrin.h>

#include "aes.h"

#define BLOCKS 4  // of a register
#define VECTOR_BYTES (BLOCKS * AES_BLOCK_BYTES)
#define WIDE 8    // registers at once
#define GROUPS 4  // the same where each has its own keys
#define LANES (BLOCKS * GROUPS)
#define UNROLL _Pragma("GCC unroll 16")

// Of four messages, or of one, four times. For decryption, the last one first, and those in between
// through InvMixColumns (FIPS 197, 5.3.5).
typedef struct {
  __m512i round[AES_ROUNDS + 1];
} aes_keys;

enum operation { ENCRYPT, DECRYPT };

// ---- keys ----

// FIPS 197, 5.2: the next round keys. With RotWord of the last word in all columns, ShiftRows
// changes nothing, so that AESENCLAST is SubWord and adds the constant.
static inline __m512i next_key(__m512i key, int constant) {
  const __m512i rotated = _mm512_shuffle_epi8(key, _mm512_set1_epi32(0x0c0f0e0d));
  const __m512i change = _mm512_aesenclast_epi128(rotated, _mm512_set1_epi32(constant));
  key = _mm512_xor_si512(key, _mm512_bslli_epi128(key, 4));
  return _mm512_ternarylogic_epi64(key, _mm512_bslli_epi128(key, 8), change, 0x96);
}

static const int constants[AES_ROUNDS] = {1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36};

// InvMixColumns of four blocks: what AESDECLAST and AESENCLAST leave of AESDEC and AESENC.
static inline __m512i unmix(__m512i key) {
  const __m512i zero = _mm512_setzero_si512();
  return _mm512_aesdec_epi128(_mm512_aesenclast_epi128(key, zero), zero);
}

static inline __attribute__((always_inline)) void expand(aes_keys *keys, size_t count,
                                                         enum operation operation) {
  __m512i key[GROUPS];
  UNROLL for (size_t g = 0; g < count; g++) key[g] = keys[g].round[0];
  UNROLL for (size_t n = 1; n <= AES_ROUNDS; n++) {
    UNROLL for (size_t g = 0; g < count; g++) {
      key[g] = next_key(key[g], constants[n - 1]);
      keys[g].round[n] = key[g];
    }
  }
  for (size_t g = 0; operation == DECRYPT && g < count; g++) {
    __m512i *const round = keys[g].round;
    for (size_t n = 0; n <= AES_ROUNDS / 2; n++) {
      const __m512i early = round[n], late = round[AES_ROUNDS - n];
      round[n] = n == 0 ? late : unmix(late);
      round[AES_ROUNDS - n] = n == 0 ? early : unmix(early);
    }
  }
}

// ---- blocks ----

static inline __m512i round_of(__m512i x, __m512i key, enum operation operation) {
  return operation == ENCRYPT ? _mm512_aesenc_epi128(x, key) : _mm512_aesdec_epi128(x, key);
}

static inline __m512i last_of(__m512i x, __m512i key, enum operation operation) {
  return operation == ENCRYPT ? _mm512_aesenclast_epi128(x, key)
                              : _mm512_aesdeclast_epi128(x, key);
}

// Register i under keys[stride * i].
static inline __attribute__((always_inline)) void cipher(__m512i *x, size_t count,
                                                         const aes_keys *keys, size_t stride,
                                                         enum operation operation) {
  UNROLL for (size_t i = 0; i < count; i++) {
    x[i] = _mm512_xor_si512(x[i], keys[stride * i].round[0]);
  }
  UNROLL for (size_t n = 1; n < AES_ROUNDS; n++) {
    UNROLL for (size_t i = 0; i < count; i++) {
      x[i] = round_of(x[i], keys[stride * i].round[n], operation);
    }
  }
  UNROLL for (size_t i = 0; i < count; i++) {
    x[i] = last_of(x[i], keys[stride * i].round[AES_ROUNDS], operation);
  }
}

// Bytes of each 64-bit word turned: counters as numbers, and blocks.
static inline __m512i turned(__m512i counters) {
  const __m128i order = _mm_set_epi64x(0x08090a0b0c0d0e0f, 0x0001020304050607);
  return _mm512_shuffle_epi8(counters, _mm512_broadcast_i32x4(order));
}

// The counters from this one on, as numbers: the high word of each lower in the register.
static inline __m512i counters_from(aes_counter first) {
  uint64_t words[2 * BLOCKS];
  for (size_t i = 0; i < BLOCKS; i++) {
    words[2 * i] = first.high;
    words[2 * i + 1] = first.low;
    aes_counter_add(&first, 1);
  }
  return _mm512_loadu_si512(words);
}

// Up to WIDE registers of a message, `bytes` long; the last one may be partial.
static inline __attribute__((always_inline)) void chunk(const aes_message *message, size_t at,
                                                        size_t bytes, size_t count,
                                                        aes_counter *counter, const aes_keys *keys,
                                                        enum operation operation) {
  const __mmask64 all = ~(__mmask64)0;
  __m512i x[WIDE], text[WIDE];
  __mmask64 mask[WIDE];
  UNROLL for (size_t i = 0; i < count; i++) {
    const size_t done = VECTOR_BYTES * i;
    const size_t left = bytes > done ? bytes - done : 0;
    mask[i] = left >= VECTOR_BYTES ? all : ((__mmask64)1 << left) - 1;
    text[i] = _mm512_maskz_loadu_epi8(mask[i], message->in + at + (left != 0 ? done : 0));
    x[i] = text[i];
  }
  if (message->counter != NULL) {
    if (counter->low < UINT64_MAX - BLOCKS * WIDE) {
      const __m512i step = _mm512_set_epi64(BLOCKS, 0, BLOCKS, 0, BLOCKS, 0, BLOCKS, 0);
      __m512i numbers = counters_from(*counter);
      UNROLL for (size_t i = 0; i < count; i++) {
        x[i] = turned(numbers);
        numbers = _mm512_add_epi64(numbers, step);
      }
      aes_counter_add(counter, BLOCKS * count);
    } else {
      for (size_t i = 0; i < count; i++) {
        x[i] = turned(counters_from(*counter));
        aes_counter_add(counter, BLOCKS);
      }
    }
  }
  cipher(x, count, keys, 0, operation);
  UNROLL for (size_t i = 0; i < count; i++) {
    if (message->counter != NULL) x[i] = _mm512_xor_si512(x[i], text[i]);
    if (mask[i] != 0) {
      _mm512_mask_storeu_epi8(message->out + at + VECTOR_BYTES * i, mask[i], x[i]);
    }
  }
}

static inline __attribute__((always_inline)) void run_long(const aes_message *message,
                                                           enum operation operation) {
  aes_keys keys;
  keys.round[0] = _mm512_broadcast_i32x4(_mm_loadu_si128((const void *)message->key));
  expand(&keys, 1, operation);
  aes_counter counter = {0, 0};
  if (message->counter != NULL) counter = aes_counter_of(message->counter);
  size_t at = 0;
  for (; message->bytes - at >= WIDE * VECTOR_BYTES; at += WIDE * VECTOR_BYTES) {
    chunk(message, at, WIDE * VECTOR_BYTES, WIDE, &counter, &keys, operation);
  }
  const size_t left = message->bytes - at;
  if (left > 2 * VECTOR_BYTES) {
    chunk(message, at, left, WIDE, &counter, &keys, operation);
  } else if (left != 0) {
    chunk(message, at, left, 2, &counter, &keys, operation);
  }
}

// Blocks at the same place of four messages, `bytes` of each, that are `distance` apart.
static inline __m512i gather(const uint8_t *in, size_t distance, __mmask16 mask) {
  const __m128i a = _mm_maskz_loadu_epi8(mask, in);
  const __m128i b = _mm_maskz_loadu_epi8(mask, in + distance);
  const __m128i c = _mm_maskz_loadu_epi8(mask, in + 2 * distance);
  const __m128i d = _mm_maskz_loadu_epi8(mask, in + 3 * distance);
  const __m512i low = _mm512_inserti32x4(_mm512_castsi128_si512(a), b, 1);
  return _mm512_inserti32x4(_mm512_inserti32x4(low, c, 2), d, 3);
}

static inline void scatter(uint8_t *out, size_t distance, __mmask16 mask, __m512i x) {
  _mm_mask_storeu_epi8(out, mask, _mm512_castsi512_si128(x));
  _mm_mask_storeu_epi8(out + distance, mask, _mm512_extracti32x4_epi32(x, 1));
  _mm_mask_storeu_epi8(out + 2 * distance, mask, _mm512_extracti32x4_epi32(x, 2));
  _mm_mask_storeu_epi8(out + 3 * distance, mask, _mm512_extracti32x4_epi32(x, 3));
}

// LANES messages of equal length.
static inline __attribute__((always_inline)) void run_short(const aes_message *first,
                                                            enum operation operation) {
  aes_keys keys[GROUPS];
  __m512i counters[GROUPS];
  UNROLL for (size_t g = 0; g < GROUPS; g++) {
    keys[g].round[0] = _mm512_loadu_si512(first->key + VECTOR_BYTES * g);
    counters[g] = _mm512_setzero_si512();
    if (first->counter != NULL) {
      counters[g] = turned(_mm512_loadu_si512(first->counter + VECTOR_BYTES * g));
    }
  }
  expand(keys, GROUPS, operation);
  const size_t distance = first->bytes, apart = BLOCKS * distance;
  for (size_t at = 0; at < first->bytes; at += AES_BLOCK_BYTES) {
    const size_t left = first->bytes - at;
    const __mmask16 mask = left < AES_BLOCK_BYTES ? (__mmask16)((1U << left) - 1) : 0xffff;
    __m512i x[GROUPS], text[GROUPS];
    UNROLL for (size_t g = 0; g < GROUPS; g++) {
      text[g] = gather(first->in + apart * g + at, distance, mask);
      x[g] = first->counter != NULL ? turned(counters[g]) : text[g];
    }
    cipher(x, GROUPS, keys, 1, operation);
    UNROLL for (size_t g = 0; g < GROUPS; g++) {
      if (first->counter != NULL) {
        x[g] = _mm512_xor_si512(x[g], text[g]);
        // The low word is the upper one of each lane; a carry goes into the other.
        counters[g] = _mm512_add_epi64(counters[g], _mm512_set_epi64(1, 0, 1, 0, 1, 0, 1, 0));
        const __mmask8 zero = _mm512_cmpeq_epi64_mask(counters[g], _mm512_setzero_si512()) & 0xaa;
        counters[g] = _mm512_mask_add_epi64(counters[g], (__mmask8)(zero >> 1), counters[g],
                                            _mm512_set1_epi64(1));
      }
      scatter(first->out + apart * g + at, distance, mask, x[g]);
    }
  }
}

typedef aes_message message_of(const struct lydite_batch *batch, size_t call);

static inline __attribute__((always_inline)) void run(const struct lydite_batch *batch,
                                                      message_of *of, enum operation operation) {
  size_t call = 0;
  while (call < batch->count) {
    const aes_message message = of(batch, call);
    if (message.bytes < VECTOR_BYTES && batch->count - call >= LANES) {
      run_short(&message, operation);
      call += LANES;
    } else {
      run_long(&message, operation);
      call++;
    }
  }
}

const char *lydite_impl(void) { return "vaes"; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return "vaes avx512f avx512bw avx512vl"; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, aes_blocks, ENCRYPT); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, aes_blocks, DECRYPT); }

void lydite_ctr(const struct lydite_batch *batch) { run(batch, aes_stream, ENCRYPT); }
