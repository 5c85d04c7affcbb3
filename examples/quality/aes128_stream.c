// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption, FIPS 197, of a message of blocks under one key (SP 800-38A, ECB), a block a
// cycle; top function: aes128_stream. Byte 0 of a block is the lowest of its beat, and of a key the
// top one. The last beat of a message has `last`; all are whole.

#include <lydite_stream.h>

#define ROUNDS 10

__extension__ typedef unsigned __int128 uint128;

// FIPS 197, 5.1.1, figure 7
static const uint8_t sbox[256] = {
    0x63, 0x7c, 0x77, 0x7b, 0xf2, 0x6b, 0x6f, 0xc5, 0x30, 0x01, 0x67, 0x2b, 0xfe, 0xd7, 0xab, 0x76,
    0xca, 0x82, 0xc9, 0x7d, 0xfa, 0x59, 0x47, 0xf0, 0xad, 0xd4, 0xa2, 0xaf, 0x9c, 0xa4, 0x72, 0xc0,
    0xb7, 0xfd, 0x93, 0x26, 0x36, 0x3f, 0xf7, 0xcc, 0x34, 0xa5, 0xe5, 0xf1, 0x71, 0xd8, 0x31, 0x15,
    0x04, 0xc7, 0x23, 0xc3, 0x18, 0x96, 0x05, 0x9a, 0x07, 0x12, 0x80, 0xe2, 0xeb, 0x27, 0xb2, 0x75,
    0x09, 0x83, 0x2c, 0x1a, 0x1b, 0x6e, 0x5a, 0xa0, 0x52, 0x3b, 0xd6, 0xb3, 0x29, 0xe3, 0x2f, 0x84,
    0x53, 0xd1, 0x00, 0xed, 0x20, 0xfc, 0xb1, 0x5b, 0x6a, 0xcb, 0xbe, 0x39, 0x4a, 0x4c, 0x58, 0xcf,
    0xd0, 0xef, 0xaa, 0xfb, 0x43, 0x4d, 0x33, 0x85, 0x45, 0xf9, 0x02, 0x7f, 0x50, 0x3c, 0x9f, 0xa8,
    0x51, 0xa3, 0x40, 0x8f, 0x92, 0x9d, 0x38, 0xf5, 0xbc, 0xb6, 0xda, 0x21, 0x10, 0xff, 0xf3, 0xd2,
    0xcd, 0x0c, 0x13, 0xec, 0x5f, 0x97, 0x44, 0x17, 0xc4, 0xa7, 0x7e, 0x3d, 0x64, 0x5d, 0x19, 0x73,
    0x60, 0x81, 0x4f, 0xdc, 0x22, 0x2a, 0x90, 0x88, 0x46, 0xee, 0xb8, 0x14, 0xde, 0x5e, 0x0b, 0xdb,
    0xe0, 0x32, 0x3a, 0x0a, 0x49, 0x06, 0x24, 0x5c, 0xc2, 0xd3, 0xac, 0x62, 0x91, 0x95, 0xe4, 0x79,
    0xe7, 0xc8, 0x37, 0x6d, 0x8d, 0xd5, 0x4e, 0xa9, 0x6c, 0x56, 0xf4, 0xea, 0x65, 0x7a, 0xae, 0x08,
    0xba, 0x78, 0x25, 0x2e, 0x1c, 0xa6, 0xb4, 0xc6, 0xe8, 0xdd, 0x74, 0x1f, 0x4b, 0xbd, 0x8b, 0x8a,
    0x70, 0x3e, 0xb5, 0x66, 0x48, 0x03, 0xf6, 0x0e, 0x61, 0x35, 0x57, 0xb9, 0x86, 0xc1, 0x1d, 0x9e,
    0xe1, 0xf8, 0x98, 0x11, 0x69, 0xd9, 0x8e, 0x94, 0x9b, 0x1e, 0x87, 0xe9, 0xce, 0x55, 0x28, 0xdf,
    0x8c, 0xa1, 0x89, 0x0d, 0xbf, 0xe6, 0x42, 0x68, 0x41, 0x99, 0x2d, 0x0f, 0xb0, 0x54, 0xbb, 0x16};

// FIPS 197, 4.2.1
static inline uint8_t xtime(uint8_t x) { return (uint8_t)((x << 1) ^ ((x >> 7) * 0x1b)); }

// FIPS 197, 5.2: the next round key, in place.
static void next_key(uint8_t key[16], uint8_t round_constant) {
  for (int i = 0; i < 4; i++) key[i] ^= sbox[key[12 + (i + 1) % 4]];  // leaks: key, as index
  key[0] ^= round_constant;
  for (int i = 4; i < 16; i++) key[i] ^= key[i - 4];
}

// FIPS 197, 5.1.3: one column.
static void mix_column(uint8_t s[4]) {
  const uint8_t all = s[0] ^ s[1] ^ s[2] ^ s[3], first = s[0];
  for (int i = 0; i < 3; i++) s[i] ^= all ^ xtime(s[i] ^ s[i + 1]);
  s[3] ^= all ^ xtime(s[3] ^ first);
}

static void bytes_of(uint8_t bytes[16], uint128 value) {
  for (int i = 0; i < 16; i++) bytes[i] = (uint8_t)(value >> (8 * (15 - i)));
}

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
