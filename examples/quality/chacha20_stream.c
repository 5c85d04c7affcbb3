// SPDX-License-Identifier: Apache-2.0
// ChaCha20's key stream (RFC 8439, 2.4), a block of 64 bytes a cycle; top function:
// chacha20_stream.

#include <lydite_stream.h>

typedef struct words16 {
  uint32_t word[16];
} words16;

LYDITE_STREAM(block_stream, words16)

static inline uint32_t rotl32(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

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

// Gives `blocks` beats, at least one, of the key stream from a block on; words little-endian.
void chacha20_stream(block_stream *out, const uint32_t key[8], uint32_t counter,
                     const uint32_t nonce[3], uint32_t blocks) {
  // All words at once: a port for each.
#pragma HLS array_partition variable=key complete
#pragma HLS array_partition variable=nonce complete
  uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
  for (int i = 0; i < 8; i++) s[4 + i] = key[i];
  for (int i = 0; i < 3; i++) s[13 + i] = nonce[i];
  uint32_t n = 0;
  do {
    // All 20 rounds are hardware of their own, with blocks in all of them.
#pragma HLS pipeline II=1
    s[12] = counter + n;
    uint32_t x[16];
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
    block_stream_beat beat = {.keep = LYDITE_KEEP(64), .last = n + 1 >= blocks};
    for (int i = 0; i < 16; i++) beat.data.word[i] = x[i] + s[i];
    block_stream_write(out, beat);
    n++;
  } while (n < blocks);
}

int main(void) {
  // RFC 8439, 2.3.2: block 1. A.1, test vectors 1 and 2: all zero, blocks 0 and 1, the first four
  // words.
  static const uint32_t key[8] = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c,
                                  0x13121110, 0x17161514, 0x1b1a1918, 0x1f1e1d1c};
  static const uint32_t nonce[3] = {0x09000000, 0x4a000000, 0x00000000};
  static const uint32_t answer[16] = {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3,
                                      0xc7f4d1c7, 0x0368c033, 0x9aaa2204, 0x4e6cd4c3,
                                      0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9,
                                      0xd19c12b5, 0xb94e16de, 0xe883d0cb, 0x4e3c50a2};
  static const uint32_t zeros[8] = {0};
  static const uint32_t answer_zero[2][4] = {{0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653},
                                             {0xbee7079f, 0x7a385155, 0x7c97ba98, 0x0d082d73}};
  block_stream out = {0};
  uint32_t wrong = 0;
  chacha20_stream(&out, key, 1, nonce, 1);
  block_stream_beat beat = block_stream_read(&out);
  for (int i = 0; i < 16; i++) wrong |= beat.data.word[i] ^ answer[i];
  // The same block again, as the third of three; and the first two of twenty.
  chacha20_stream(&out, key, UINT32_MAX, nonce, 3);
  for (int n = 0; n < 3; n++) beat = block_stream_read(&out);
  for (int i = 0; i < 16; i++) wrong |= beat.data.word[i] ^ answer[i];
  chacha20_stream(&out, zeros, 0, zeros, 20);
  for (int n = 0; n < 20; n++) {
    beat = block_stream_read(&out);
    wrong |= (uint32_t)(beat.last != (n == 19));
    for (int i = 0; i < 4 && n < 2; i++) wrong |= beat.data.word[i] ^ answer_zero[n][i];
  }
  wrong |= (uint32_t)block_stream_count(&out);
  block_stream_free(&out);
  return wrong != 0;
}
