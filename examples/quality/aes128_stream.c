// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption, FIPS 197, of a message of blocks under one key (SP 800-38A, ECB), a block a
// cycle; top function: aes128_stream. Byte 0 of a block is the lowest of its beat, and of a key the
// top one. The last beat of a message has `last`; all are whole.

#include <lydite_stream.h>

#include "aes128.h"

#define ROUNDS 10

// Encrypts the blocks of a message.
void aes128_stream(lydite_stream128 *in, lydite_stream128 *out, uint128 key) {
  // 160 bytes a cycle: copies of the table in block RAM, two reads each. All round keys at once.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  uint8_t keys[ROUNDS + 1][16];
#pragma HLS array_partition variable=keys complete dim=0
  uint8_t k[16], round_constant = 1;
  bytes_of(k, key);
  for (int round = 0; round <= ROUNDS; round++) {
    // Once a message: as fast as the table answers.
#pragma HLS pipeline II=3
    for (int i = 0; i < 16; i++) keys[round][i] = k[i];
    next_key(k, round_constant);
    round_constant = xtime(round_constant);
  }
  bool last;
  do {
    // A block a cycle: all rounds are at work at once.
#pragma HLS pipeline II=1
    const lydite_stream128_beat beat = lydite_stream128_read(in);
    uint8_t s[16];
    for (int i = 0; i < 16; i++) {
      s[i] = (uint8_t)(beat.data.word[i / 8] >> (8 * (i % 8))) ^ keys[0][i];
    }
    for (int round = 1; round <= ROUNDS; round++) {
      uint8_t t[16];
      // SubBytes and ShiftRows, 5.1.1, 5.1.2: column c, row r comes from column c + r.
      for (int i = 0; i < 16; i++) t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];  // leaks: s, as index
      if (round < ROUNDS) {
        for (int c = 0; c < 4; c++) mix_column(&t[4 * c]);
      }
      for (int i = 0; i < 16; i++) s[i] = t[i] ^ keys[round][i];
    }
    lydite_stream128_beat give = {.data = {{0, 0}}, .keep = LYDITE_KEEP(16), .last = beat.last};
    for (int i = 0; i < 16; i++) give.data.word[i / 8] |= (uint64_t)s[i] << (8 * (i % 8));
    lydite_stream128_write(out, give);
    last = beat.last;
  } while (!last);
}

// CAVP: ECBGFSbox128 0 to 4, under the key 0.
static const uint64_t blocks[][2][2] = {
    {{0xf34481ec3cc627ba, 0xcd5dc3fb08f273e6}, {0x0336763e966d9259, 0x5a567cc9ce537f5e}},
    {{0x9798c4640bad75c7, 0xc3227db910174e72}, {0xa9a1631bf4996954, 0xebc093957b234589}},
    {{0x96ab5c2ff612d9df, 0xaae8c31f30c42168}, {0xff4f8391a6a40ca5, 0xb25d23bedd44a597}},
    {{0x6a118a874519e64e, 0x9963798a503f1d35}, {0xdc43be40be0e5371, 0x2f7e2bf5ca707209}},
    {{0xcb9fceec81286ca3, 0xe989bd979b0cb284}, {0x92beedab1895a94f, 0xaa69b632e5cc47ce}},
};
// Blocks of each message: the difference is what a block takes.
static const int lengths[] = {1, 5, 25};

// Gives the words of a beat for two words with byte 0 on top.
static lydite_data128 turned(const uint64_t words[2]) {
  lydite_data128 data = {{0, 0}};
  for (int i = 0; i < 16; i++) {
    data.word[i / 8] |= (words[i / 8] >> (56 - 8 * (i % 8)) & 0xff) << (8 * (i % 8));
  }
  return data;
}

int main(void) {
  lydite_stream128 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (unsigned n = 0; n < sizeof lengths / sizeof *lengths; n++) {
    for (int i = 0; i < lengths[n]; i++) {
      const lydite_stream128_beat beat = {
          .data = turned(blocks[i % 5][0]), .keep = LYDITE_KEEP(16), .last = i == lengths[n] - 1};
      lydite_stream128_write(&in, beat);
    }
    aes128_stream(&in, &out, 0);
    for (int i = 0; i < lengths[n]; i++) {
      const lydite_stream128_beat beat = lydite_stream128_read(&out);
      const lydite_data128 right = turned(blocks[i % 5][1]);
      wrong |= (beat.data.word[0] ^ right.word[0]) | (beat.data.word[1] ^ right.word[1]);
    }
  }
  // FIPS 197, appendix B.
  const uint64_t plain[2] = {0x3243f6a8885a308d, 0x313198a2e0370734};
  const uint64_t cipher[2] = {0x3925841d02dc09fb, 0xdc118597196a0b32};
  const lydite_stream128_beat one = {.data = turned(plain), .keep = LYDITE_KEEP(16), .last = true};
  lydite_stream128_write(&in, one);
  aes128_stream(&in, &out, (uint128)0x2b7e151628aed2a6 << 64 | 0xabf7158809cf4f3c);
  const lydite_stream128_beat got = lydite_stream128_read(&out);
  wrong |= got.data.word[0] ^ turned(cipher).word[0];
  wrong |= got.data.word[1] ^ turned(cipher).word[1];
  lydite_stream128_free(&in);
  lydite_stream128_free(&out);
  return wrong != 0;
}
