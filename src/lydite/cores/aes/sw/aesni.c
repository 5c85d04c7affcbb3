// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197) by the AES instructions of x86-64, eight blocks at once: of one message, or,
// where messages are short, of several under keys of their own.

#include <immintrin.h>

#include "aes.h"

#define LANES 8
#define UNROLL _Pragma("GCC unroll 16")

// For decryption, the last one first, and those in between through InvMixColumns (FIPS 197, 5.3.5).
typedef struct {
  __m128i round[AES_ROUNDS + 1];
} aes_keys;

enum operation { ENCRYPT, DECRYPT };

static inline __m128i load(const uint8_t in[AES_BLOCK_BYTES]) {
  return _mm_loadu_si128((const void *)in);
}

static inline void store(uint8_t out[AES_BLOCK_BYTES], __m128i block) {
  _mm_storeu_si128((void *)out, block);
}

// ---- keys ----

// FIPS 197, 5.2: the next round key. With RotWord of the last word in all columns, ShiftRows
// changes nothing, so that AESENCLAST is SubWord and adds the constant.
static inline __m128i next_key(__m128i key, int constant) {
  const __m128i rotate = _mm_set1_epi32(0x0c0f0e0d);
  const __m128i rotated = _mm_shuffle_epi8(key, rotate);
  const __m128i change = _mm_aesenclast_si128(rotated, _mm_set1_epi32(constant));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 4));
  key = _mm_xor_si128(key, _mm_slli_si128(key, 8));
  return _mm_xor_si128(key, change);
}

static const int constants[AES_ROUNDS] = {1, 2, 4, 8, 16, 32, 64, 128, 0x1b, 0x36};

static inline __attribute__((always_inline)) void expand(aes_keys *keys, const uint8_t *in,
                                                         size_t count) {
  __m128i key[LANES];
  UNROLL for (size_t i = 0; i < count; i++) {
    key[i] = load(in + AES_KEY_BYTES * i);
    keys[i].round[0] = key[i];
  }
  UNROLL for (size_t n = 1; n <= AES_ROUNDS; n++) {
    UNROLL for (size_t i = 0; i < count; i++) {
      key[i] = next_key(key[i], constants[n - 1]);
      keys[i].round[n] = key[i];
    }
  }
}

static void invert(aes_keys *keys) {
  __m128i *const round = keys->round;
  for (size_t n = 0; n <= AES_ROUNDS / 2; n++) {
    const __m128i early = round[n], late = round[AES_ROUNDS - n];
    round[n] = n == 0 ? late : _mm_aesimc_si128(late);
    round[AES_ROUNDS - n] = n == 0 ? early : _mm_aesimc_si128(early);
  }
}

// Keys of up to LANES messages.
static void expand_all(aes_keys keys[LANES], const uint8_t *in, size_t count,
                       enum operation operation) {
  if (count == LANES) {
    expand(keys, in, LANES);
  } else {
    for (size_t i = 0; i < count; i++) expand(keys + i, in + AES_KEY_BYTES * i, 1);
  }
  for (size_t i = 0; operation == DECRYPT && i < count; i++) invert(keys + i);
}

// ---- blocks ----

// Each block under its keys[i], or all under one.
static inline __attribute__((always_inline)) void cipher(__m128i x[LANES],
                                                         const aes_keys *const keys[LANES],
                                                         enum operation operation) {
  UNROLL for (size_t i = 0; i < LANES; i++) x[i] = _mm_xor_si128(x[i], keys[i]->round[0]);
  UNROLL for (size_t n = 1; n < AES_ROUNDS; n++) {
    UNROLL for (size_t i = 0; i < LANES; i++) {
      const __m128i key = keys[i]->round[n];
      x[i] = operation == ENCRYPT ? _mm_aesenc_si128(x[i], key) : _mm_aesdec_si128(x[i], key);
    }
  }
  UNROLL for (size_t i = 0; i < LANES; i++) {
    const __m128i key = keys[i]->round[AES_ROUNDS];
    x[i] = operation == ENCRYPT ? _mm_aesenclast_si128(x[i], key) : _mm_aesdeclast_si128(x[i], key);
  }
}

static inline __attribute__((always_inline)) void cipher_same(__m128i x[LANES],
                                                              const aes_keys *keys,
                                                              enum operation operation) {
  const aes_keys *const all[LANES] = {keys, keys, keys, keys, keys, keys, keys, keys};
  cipher(x, all, operation);
}

static inline __m128i counter_block(aes_counter counter) {
  return _mm_set_epi64x((long long)__builtin_bswap64(counter.low),
                        (long long)__builtin_bswap64(counter.high));
}

// Blocks of several messages that wait until there are LANES of them.
typedef struct {
  size_t count;
  const aes_keys *keys[LANES];
  __m128i x[LANES];
  const uint8_t *in[LANES];  // counter mode: the message, else NULL
  uint8_t *out[LANES];
  size_t bytes[LANES];
} aes_waiting;

static inline __attribute__((always_inline)) void flush(aes_waiting *waiting,
                                                        enum operation operation) {
  if (waiting->count == 0) return;
  for (size_t i = waiting->count; i < LANES; i++) {
    waiting->keys[i] = waiting->keys[0];
    waiting->x[i] = _mm_setzero_si128();
  }
  cipher(waiting->x, waiting->keys, operation);
  for (size_t i = 0; i < waiting->count; i++) {
    if (waiting->in[i] == NULL) {
      store(waiting->out[i], waiting->x[i]);
    } else if (waiting->bytes[i] == AES_BLOCK_BYTES) {
      store(waiting->out[i], _mm_xor_si128(waiting->x[i], load(waiting->in[i])));
    } else {
      uint8_t stream[AES_BLOCK_BYTES];
      store(stream, waiting->x[i]);
      for (size_t j = 0; j < waiting->bytes[i]; j++) {
        waiting->out[i][j] = waiting->in[i][j] ^ stream[j];
      }
    }
  }
  waiting->count = 0;
}

static inline __attribute__((always_inline)) void message_blocks(const aes_message *message,
                                                                 const aes_keys *keys,
                                                                 aes_waiting *waiting,
                                                                 enum operation operation) {
  const uint8_t *in = message->in;
  uint8_t *out = message->out;
  size_t left = message->bytes;
  aes_counter counter = {0, 0};
  if (message->counter != NULL) counter = aes_counter_of(message->counter);
  for (; left >= LANES * AES_BLOCK_BYTES; left -= LANES * AES_BLOCK_BYTES) {
    __m128i x[LANES];
    UNROLL for (size_t i = 0; i < LANES; i++) {
      x[i] = message->counter == NULL ? load(in + AES_BLOCK_BYTES * i) : counter_block(counter);
      if (message->counter != NULL) aes_counter_add(&counter, 1);
    }
    cipher_same(x, keys, operation);
    UNROLL for (size_t i = 0; i < LANES; i++) {
      const __m128i text = load(in + AES_BLOCK_BYTES * i);
      store(out + AES_BLOCK_BYTES * i, message->counter == NULL ? x[i] : _mm_xor_si128(x[i], text));
    }
    in += LANES * AES_BLOCK_BYTES;
    out += LANES * AES_BLOCK_BYTES;
  }
  while (left != 0) {
    const size_t take = left < AES_BLOCK_BYTES ? left : AES_BLOCK_BYTES;
    const size_t i = waiting->count++;
    waiting->keys[i] = keys;
    waiting->x[i] = message->counter == NULL ? load(in) : counter_block(counter);
    waiting->in[i] = message->counter == NULL ? NULL : in;
    waiting->out[i] = out;
    waiting->bytes[i] = take;
    if (message->counter != NULL) aes_counter_add(&counter, 1);
    if (waiting->count == LANES) flush(waiting, operation);
    in += take;
    out += take;
    left -= take;
  }
}

typedef aes_message message_of(const struct lydite_batch *batch, size_t call);

static inline __attribute__((always_inline)) void run(const struct lydite_batch *batch,
                                                      message_of *of, enum operation operation) {
  for (size_t first = 0; first < batch->count; first += LANES) {
    const size_t left = batch->count - first;
    const size_t count = left < LANES ? left : LANES;
    aes_keys keys[LANES];
    aes_waiting waiting = {.count = 0};
    expand_all(keys, batch->in[0] + AES_KEY_BYTES * first, count, operation);
    for (size_t i = 0; i < count; i++) {
      const aes_message message = of(batch, first + i);
      message_blocks(&message, keys + i, &waiting, operation);
    }
    flush(&waiting, operation);
  }
}

const char *lydite_impl(void) { return "aesni"; }

size_t lydite_lanes(void) { return LANES; }

const char *lydite_cpu_flags(void) { return "aes ssse3 sse4_1"; }

int lydite_available(void) { return 1; }

void lydite_encrypt(const struct lydite_batch *batch) { run(batch, aes_blocks, ENCRYPT); }

void lydite_decrypt(const struct lydite_batch *batch) { run(batch, aes_blocks, DECRYPT); }

void lydite_ctr(const struct lydite_batch *batch) { run(batch, aes_stream, ENCRYPT); }
