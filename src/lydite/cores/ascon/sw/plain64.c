// SPDX-License-Identifier: Apache-2.0
//
// Ascon-AEAD128 and Ascon-Hash256 (NIST SP 800-232), portable 64-bit C: the state in variables, the
// rounds unrolled, blocks in words.

#include "ascon.h"

#define WORD uint64_t
#define XOR(a, b) ((a) ^ (b))
#define XOR3(a, b, c) ((a) ^ (b) ^ (c))
#define NXOR3(a, b, c) (~((a) ^ (b) ^ (c)))
#define CHI(a, b, c) ((a) ^ (~(b) & (c)))
#define ROR(a, n) ((a) >> (n) | (a) << (64 - (n)))
#define CONSTANT(c) ((uint64_t)(c))

#include "rounds.h"

// Up to 16 bytes as two words, zero behind them.
static inline void load_part(uint64_t word[2], const uint8_t *in, size_t bytes) {
  uint8_t block[ASCON_RATE_BYTES] = {0};
  if (bytes != 0) memcpy(block, in, bytes);
  word[0] = load64_le(block);
  word[1] = load64_le(block + 8);
}

static inline void store_part(uint8_t *out, const uint64_t word[2], size_t bytes) {
  uint8_t block[ASCON_RATE_BYTES];
  store64_le(block, word[0]);
  store64_le(block + 8, word[1]);
  if (bytes != 0) memcpy(out, block, bytes);
}

// The one behind `bytes` bytes.
static inline void add_pad(ascon_state *s, size_t bytes) {
  const uint64_t one = UINT64_C(1) << 8 * (bytes % 8);
  if (bytes < 8) s->x0 ^= one;
  else s->x1 ^= one;
}

static ascon_state initialise(const uint64_t key[2], const uint8_t *nonce, const uint8_t *ad,
                              size_t ad_bytes) {
  ascon_state s = {ASCON_IV_AEAD128, key[0], key[1], load64_le(nonce), load64_le(nonce + 8)};
  ascon_p12(&s);
  s.x3 ^= key[0];
  s.x4 ^= key[1];
  if (ad_bytes != 0) {
    uint64_t part[2];
    for (; ad_bytes >= ASCON_RATE_BYTES; ad += ASCON_RATE_BYTES, ad_bytes -= ASCON_RATE_BYTES) {
      s.x0 ^= load64_le(ad);
      s.x1 ^= load64_le(ad + 8);
      ascon_p8(&s);
    }
    load_part(part, ad, ad_bytes);
    s.x0 ^= part[0];
    s.x1 ^= part[1];
    add_pad(&s, ad_bytes);
    ascon_p8(&s);
  }
  s.x4 ^= ASCON_DOMAIN;
  return s;
}

static void finalise(uint64_t tag[2], ascon_state s, const uint64_t key[2]) {
  s.x2 ^= key[0];
  s.x3 ^= key[1];
  ascon_p12(&s);
  tag[0] = s.x3 ^ key[0];
  tag[1] = s.x4 ^ key[1];
}

static void encrypt(ascon_state *state, uint8_t *out, const uint8_t *in, size_t bytes) {
  ascon_state s = *state;
  uint64_t part[2];
  for (; bytes >= ASCON_RATE_BYTES; bytes -= ASCON_RATE_BYTES) {
    s.x0 ^= load64_le(in);
    s.x1 ^= load64_le(in + 8);
    store64_le(out, s.x0);
    store64_le(out + 8, s.x1);
    ascon_p8(&s);
    in += ASCON_RATE_BYTES;
    out += ASCON_RATE_BYTES;
  }
  load_part(part, in, bytes);
  s.x0 ^= part[0];
  s.x1 ^= part[1];
  part[0] = s.x0;
  part[1] = s.x1;
  store_part(out, part, bytes);
  add_pad(&s, bytes);
  *state = s;
}

static void decrypt(ascon_state *state, uint8_t *out, const uint8_t *in, size_t bytes) {
  ascon_state s = *state;
  uint64_t part[2];
  for (; bytes >= ASCON_RATE_BYTES; bytes -= ASCON_RATE_BYTES) {
    const uint64_t low = load64_le(in);
    const uint64_t high = load64_le(in + 8);
    store64_le(out, s.x0 ^ low);
    store64_le(out + 8, s.x1 ^ high);
    s.x0 = low;
    s.x1 = high;
    ascon_p8(&s);
    in += ASCON_RATE_BYTES;
    out += ASCON_RATE_BYTES;
  }
  load_part(part, in, bytes);
  part[0] ^= s.x0;
  part[1] ^= s.x1;
  store_part(out, part, bytes);
  // The text of this part, and zeros: added, its ciphertext stands in the state.
  load_part(part, out, bytes);
  s.x0 ^= part[0];
  s.x1 ^= part[1];
  add_pad(&s, bytes);
  *state = s;
}

const char *lydite_impl(void) { return "plain64"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

void lydite_seal(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t key[2], tag[2];
    load_part(key, ascon_in(batch, ASCON_KEY, i), ASCON_KEY_BYTES);
    ascon_state s = initialise(key, ascon_in(batch, ASCON_NONCE, i), ascon_in(batch, ASCON_AD, i),
                               batch->in_bytes[ASCON_AD]);
    encrypt(&s, ascon_out(batch, ASCON_OUT_TEXT, i), ascon_in(batch, ASCON_TEXT, i),
            batch->in_bytes[ASCON_TEXT]);
    finalise(tag, s, key);
    store_part(ascon_out(batch, ASCON_OUT_TAG, i), tag, ASCON_TAG_BYTES);
  }
}

// A message whose tag is wrong becomes zeros.
void lydite_open(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    uint64_t key[2], tag[2], given[2];
    uint8_t *out = ascon_out(batch, ASCON_OUT_TEXT, i);
    load_part(key, ascon_in(batch, ASCON_KEY, i), ASCON_KEY_BYTES);
    load_part(given, ascon_in(batch, ASCON_TAG, i), ASCON_TAG_BYTES);
    ascon_state s = initialise(key, ascon_in(batch, ASCON_NONCE, i), ascon_in(batch, ASCON_AD, i),
                               batch->in_bytes[ASCON_AD]);
    decrypt(&s, out, ascon_in(batch, ASCON_TEXT, i), batch->in_bytes[ASCON_TEXT]);
    finalise(tag, s, key);
    const uint64_t wrong = (tag[0] ^ given[0]) | (tag[1] ^ given[1]);
    batch->verdict[i] = wrong == 0;
    if (wrong != 0 && out != NULL) memset(out, 0, batch->in_bytes[ASCON_TEXT]);
  }
}

static void hash(uint8_t *digest, const uint8_t *in, size_t bytes) {
  ascon_state s = {ASCON_HASH_START_0, ASCON_HASH_START_1, ASCON_HASH_START_2, ASCON_HASH_START_3,
                   ASCON_HASH_START_4};
  uint64_t part[2];
  for (; bytes >= ASCON_HASH_RATE_BYTES; bytes -= ASCON_HASH_RATE_BYTES) {
    s.x0 ^= load64_le(in);
    ascon_p12(&s);
    in += ASCON_HASH_RATE_BYTES;
  }
  load_part(part, in, bytes);
  s.x0 ^= part[0];
  add_pad(&s, bytes);
  for (size_t i = 0; i < ASCON_DIGEST_BYTES; i += 8) {
    ascon_p12(&s);
    store64_le(digest + i, s.x0);
  }
}

void lydite_hash(const struct lydite_batch *batch) {
  for (size_t i = 0; i < batch->count; i++) {
    hash(ascon_out(batch, ASCON_OUT_DIGEST, i), ascon_in(batch, ASCON_MESSAGE, i),
         batch->in_bytes[ASCON_MESSAGE]);
  }
}
