// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197) in portable 32-bit C, by tables of what S-box and MixColumns make of a byte in
// each row; decryption is that of the equivalent inverse cipher (5.3.5). A column is a word, its
// byte of row 0 lowest. The tables, 8 KiB, are computed when the library is loaded.
//
// leaks: keys and blocks, as indices of tables: the time of a load tells of them.

#include "aes.h"

typedef struct {
  uint32_t word[4 * (AES_ROUNDS + 1)];
} aes_keys;

typedef uint32_t aes_tables[4][256];

static uint8_t sbox[256], inv_sbox[256];
static aes_tables encryption, decryption;

static uint32_t rotate_left(uint32_t word, unsigned count) {
  return count == 0 ? word : word << count | word >> (32 - count);
}

// FIPS 197, 4.2: times x.
static unsigned xtime(unsigned a) { return (a << 1 ^ (a >> 7) * 0x11b) & 0xff; }

// Runs when this library is loaded, before any other thread can call it.
__attribute__((constructor)) static void fill_tables(void) {
  // Powers of x + 1, which has the order 255, and so inverses.
  uint8_t power[256], log[256];
  unsigned value = 1;
  for (unsigned i = 0; i < 255; i++) {
    power[i] = (uint8_t)value;
    log[value] = (uint8_t)i;
    value ^= xtime(value);
  }
  for (unsigned a = 0; a < 256; a++) {
    const unsigned inverse = a == 0 ? 0 : power[(255 - log[a]) % 255];
    unsigned s = inverse << 8 | inverse;
    s = (inverse ^ s >> 7 ^ s >> 6 ^ s >> 5 ^ s >> 4 ^ 0x63) & 0xff;
    sbox[a] = (uint8_t)s;
    inv_sbox[s] = (uint8_t)a;
  }
  for (unsigned a = 0; a < 256; a++) {
    const unsigned s = sbox[a], t = inv_sbox[a];
    const unsigned t2 = xtime(t), t4 = xtime(t2), t8 = xtime(t4);
    // Columns of the matrices of 5.1.3 and 5.3.3, row 0 lowest.
    const uint32_t e = xtime(s) | s << 8 | s << 16 | (xtime(s) ^ s) << 24;
    const uint32_t d = (t8 ^ t4 ^ t2) | (t8 ^ t) << 8 | (t8 ^ t4 ^ t) << 16 | (t8 ^ t2 ^ t) << 24;
    for (unsigned row = 0; row < 4; row++) {
      encryption[row][a] = rotate_left(e, 8 * row);
      decryption[row][a] = rotate_left(d, 8 * row);
    }
  }
}

static inline uint8_t byte(uint32_t word, unsigned i) { return (uint8_t)(word >> 8 * i); }

// FIPS 197, 5.2.
static void expand_encrypt(aes_keys *keys, const uint8_t key[AES_KEY_BYTES]) {
  unsigned constant = 1;
  for (size_t i = 0; i < 4; i++) keys->word[i] = load32_le(key + 4 * i);
  for (size_t i = 4; i < sizeof keys->word / sizeof keys->word[0]; i += 4) {
    uint32_t *const w = keys->word + i;
    const uint32_t last = w[-1];
    const uint32_t change = sbox[byte(last, 1)] | (uint32_t)sbox[byte(last, 2)] << 8 |
                            (uint32_t)sbox[byte(last, 3)] << 16 |
                            (uint32_t)sbox[byte(last, 0)] << 24;
    w[0] = w[-4] ^ change ^ constant;
    w[1] = w[-3] ^ w[0];
    w[2] = w[-2] ^ w[1];
    w[3] = w[-1] ^ w[2];
    constant = xtime(constant);
  }
}

// Round keys of the equivalent inverse cipher, in the order of their use.
static void expand_decrypt(aes_keys *keys, const uint8_t key[AES_KEY_BYTES]) {
  aes_keys up;
  expand_encrypt(&up, key);
  for (size_t n = 0; n <= AES_ROUNDS; n++) {
    for (size_t c = 0; c < 4; c++) {
      uint32_t word = up.word[4 * (AES_ROUNDS - n) + c];
      if (n != 0 && n != AES_ROUNDS) {
        // InvMixColumns alone: the S-box of the tables is undone first.
        word = decryption[0][sbox[byte(word, 0)]] ^ decryption[1][sbox[byte(word, 1)]] ^
               decryption[2][sbox[byte(word, 2)]] ^ decryption[3][sbox[byte(word, 3)]];
      }
      keys->word[4 * n + c] = word;
    }
  }
}

// One column of a round; a to d have its bytes of rows 0 to 3.
static inline uint32_t column(aes_tables t, uint32_t a, uint32_t b, uint32_t c, uint32_t d,
                              uint32_t key) {
  return t[0][byte(a, 0)] ^ t[1][byte(b, 1)] ^ t[2][byte(c, 2)] ^ t[3][byte(d, 3)] ^ key;
}

// The same of the last round, which has no MixColumns.
static inline uint32_t last_column(const uint8_t s[256], uint32_t a, uint32_t b, uint32_t c,
                                   uint32_t d, uint32_t key) {
  return (s[byte(a, 0)] | (uint32_t)s[byte(b, 1)] << 8 | (uint32_t)s[byte(c, 2)] << 16 |
          (uint32_t)s[byte(d, 3)] << 24) ^
         key;
}

static void encrypt_block(uint8_t out[AES_BLOCK_BYTES], const uint8_t in[AES_BLOCK_BYTES],
                          const aes_keys *keys) {
  const uint32_t *k = keys->word;
  uint32_t a = load32_le(in) ^ k[0], b = load32_le(in + 4) ^ k[1];
  uint32_t c = load32_le(in + 8) ^ k[2], d = load32_le(in + 12) ^ k[3];
  for (size_t n = 1; n < AES_ROUNDS; n++) {
    k += 4;
    const uint32_t e = column(encryption, a, b, c, d, k[0]);
    const uint32_t f = column(encryption, b, c, d, a, k[1]);
    const uint32_t g = column(encryption, c, d, a, b, k[2]);
    const uint32_t h = column(encryption, d, a, b, c, k[3]);
    a = e, b = f, c = g, d = h;
  }
  store32_le(out, last_column(sbox, a, b, c, d, k[4]));
  store32_le(out + 4, last_column(sbox, b, c, d, a, k[5]));
  store32_le(out + 8, last_column(sbox, c, d, a, b, k[6]));
  store32_le(out + 12, last_column(sbox, d, a, b, c, k[7]));
}

static void decrypt_block(uint8_t out[AES_BLOCK_BYTES], const uint8_t in[AES_BLOCK_BYTES],
                          const aes_keys *keys) {
  const uint32_t *k = keys->word;
  uint32_t a = load32_le(in) ^ k[0], b = load32_le(in + 4) ^ k[1];
  uint32_t c = load32_le(in + 8) ^ k[2], d = load32_le(in + 12) ^ k[3];
  for (size_t n = 1; n < AES_ROUNDS; n++) {
    k += 4;
    const uint32_t e = column(decryption, a, d, c, b, k[0]);
    const uint32_t f = column(decryption, b, a, d, c, k[1]);
    const uint32_t g = column(decryption, c, b, a, d, k[2]);
    const uint32_t h = column(decryption, d, c, b, a, k[3]);
    a = e, b = f, c = g, d = h;
  }
  store32_le(out, last_column(inv_sbox, a, d, c, b, k[4]));
  store32_le(out + 4, last_column(inv_sbox, b, a, d, c, k[5]));
  store32_le(out + 8, last_column(inv_sbox, c, b, a, d, k[6]));
  store32_le(out + 12, last_column(inv_sbox, d, c, b, a, k[7]));
}

#define AES_IMPL "tables"

#include "one_block.h"
