// SPDX-License-Identifier: Apache-2.0
//
// Shabal-256 as its designers write it ("Shabal, a Submission to NIST's Cryptographic Hash
// Algorithm Competition"): the readable reference, not meant to be fast. The prefix is hashed, too.

#include "shabal.h"

typedef struct {
  uint32_t a[12], b[16], c[16];
  uint64_t w;
} state;

static uint32_t rotate_left(uint32_t word, unsigned count) {
  return word << count | word >> (32 - count);
}

// The keyed permutation P.
static void permute(state *s, const uint32_t m[16]) {
  for (size_t i = 0; i < 16; i++) s->b[i] = rotate_left(s->b[i], 17);
  for (size_t step = 0; step < 48; step++) {
    const size_t i = step % 16;
    uint32_t *a = &s->a[step % 12];
    const uint32_t v = 5 * rotate_left(s->a[(step + 11) % 12], 15);
    const uint32_t u = 3 * (*a ^ v ^ s->c[(24 - i) % 16]);
    *a = u ^ s->b[(i + 13) % 16] ^ (s->b[(i + 9) % 16] & ~s->b[(i + 6) % 16]) ^ m[i];
    s->b[i] = rotate_left(s->b[i], 1) ^ ~*a;
  }
  for (size_t j = 0; j < 36; j++) s->a[j % 12] += s->c[(j + 3) % 16];
}

static void add_counter(state *s) {
  s->a[0] ^= (uint32_t)s->w;
  s->a[1] ^= (uint32_t)(s->w >> 32);
}

static void exchange(state *s) {
  for (size_t i = 0; i < 16; i++) {
    const uint32_t kept = s->b[i];
    s->b[i] = s->c[i];
    s->c[i] = kept;
  }
}

static void absorb(state *s, const uint32_t m[16]) {
  for (size_t i = 0; i < 16; i++) s->b[i] += m[i];
  add_counter(s);
  permute(s, m);
}

// A block that is not the last one.
static void take(state *s, const uint32_t m[16]) {
  absorb(s, m);
  for (size_t i = 0; i < 16; i++) s->c[i] -= m[i];
  exchange(s);
  s->w++;
}

static void hash(uint8_t *out, const uint8_t *in, size_t bytes) {
  state s;
  uint32_t m[16];
  memset(&s, 0, sizeof s);
  s.w--;
  for (uint32_t first = 256; first <= 272; first += 16) {
    for (uint32_t i = 0; i < 16; i++) m[i] = first + i;
    take(&s, m);
  }
  for (; bytes >= SHABAL_BLOCK_BYTES; bytes -= SHABAL_BLOCK_BYTES, in += SHABAL_BLOCK_BYTES) {
    for (size_t i = 0; i < 16; i++) m[i] = load32_le(in + 4 * i);
    take(&s, m);
  }
  uint8_t last[SHABAL_BLOCK_BYTES] = {0};
  if (bytes != 0) memcpy(last, in, bytes);
  last[bytes] = 0x80;
  for (size_t i = 0; i < 16; i++) m[i] = load32_le(last + 4 * i);
  absorb(&s, m);
  for (size_t round = 0; round < SHABAL_FINAL_ROUNDS; round++) {
    // The block that would be subtracted from C is added again where it has become B.
    exchange(&s);
    add_counter(&s);
    permute(&s, m);
  }
  // The last exchange would make a C of this B.
  for (size_t i = 0; i < 8; i++) store32_le(out + 4 * i, s.b[8 + i]);
}

#define HASH_DIGEST_BYTES SHABAL_DIGEST_BYTES
#define HASH_IMPL "ref"
#define HASH_CPU_FLAGS ""
#include "../../common/sw/hash_single.h"
