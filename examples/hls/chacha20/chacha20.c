// SPDX-License-Identifier: Apache-2.0
// ChaCha20's block function, RFC 8439, section 2.3; top function: chacha20_block.

#include <stdint.h>

static inline uint32_t rotl32(uint32_t x, unsigned n) { return (x << n) | (x >> (32 - n)); }

// RFC 8439, 2.1
static inline void quarter_round(uint32_t x[16], int a, int b, int c, int d) {
  x[a] += x[b];
  x[d] = rotl32(x[d] ^ x[a], 16);
  x[c] += x[d];
  x[b] = rotl32(x[b] ^ x[c], 12);
  x[a] += x[b];
  x[d] = rotl32(x[d] ^ x[a], 8);
  x[c] += x[d];
  x[b] = rotl32(x[b] ^ x[c], 7);
}

// Writes the 16 words of key stream of one block; words little-endian, no overlap of arguments.
void chacha20_block(uint32_t out[16], const uint32_t key[8], uint32_t counter,
                    const uint32_t nonce[3]) {
  uint32_t s[16], x[16];
  s[0] = 0x61707865;
  s[1] = 0x3320646e;
  s[2] = 0x79622d32;
  s[3] = 0x6b206574;
  for (int i = 0; i < 8; i++) s[4 + i] = key[i];
  s[12] = counter;
  for (int i = 0; i < 3; i++) s[13 + i] = nonce[i];
  for (int i = 0; i < 16; i++) x[i] = s[i];
  for (int i = 0; i < 10; i++) {
    quarter_round(x, 0, 4, 8, 12);
    quarter_round(x, 1, 5, 9, 13);
    quarter_round(x, 2, 6, 10, 14);
    quarter_round(x, 3, 7, 11, 15);
    quarter_round(x, 0, 5, 10, 15);
    quarter_round(x, 1, 6, 11, 12);
    quarter_round(x, 2, 7, 8, 13);
    quarter_round(x, 3, 4, 9, 14);
  }
  for (int i = 0; i < 16; i++) out[i] = x[i] + s[i];
}

int main(void) {
  // RFC 8439, 2.3.2
  static const uint32_t key[8] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                                  0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
  static const uint32_t nonce[3] = {0x09000000, 0x4a000000, 0x00000000};
  static const uint32_t answer[16] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                      0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                      0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                      0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
  // RFC 8439, A.1, test vectors 1 and 2: all zero, counters 0 and 1; the first four words.
  static const uint32_t zeros[8] = {0};
  static const uint32_t answer_zero[2][4] = {{0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653},
                                             {0xbee7079f, 0x7a385155, 0x7c97ba98, 0x0d082d73}};
  uint32_t out[16];
  chacha20_block(out, key, 1, nonce);
  for (int i = 0; i < 16; i++)
    if (out[i] != answer[i]) return 1;
  for (uint32_t counter = 0; counter < 2; counter++) {
    chacha20_block(out, zeros, counter, zeros);
    for (int i = 0; i < 4; i++)
      if (out[i] != answer_zero[counter][i]) return 1;
  }
  return 0;
}
