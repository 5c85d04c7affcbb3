// SPDX-License-Identifier: Apache-2.0
// DES, FIPS 46-3, a round a cycle: one block, encrypted or decrypted; top function: des. Parity of
// the key is not looked at. Tables are the standard's: bit 1 is the most significant.

#include <stdint.h>

static const uint8_t table_ip[64] = {58, 50, 42, 34, 26, 18, 10, 2, 60, 52, 44, 36, 28, 20, 12, 4,
                                     62, 54, 46, 38, 30, 22, 14, 6, 64, 56, 48, 40, 32, 24, 16, 8,
                                     57, 49, 41, 33, 25, 17, 9,  1, 59, 51, 43, 35, 27, 19, 11, 3,
                                     61, 53, 45, 37, 29, 21, 13, 5, 63, 55, 47, 39, 31, 23, 15, 7};
static const uint8_t table_fp[64] = {40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31,
                                     38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21, 61, 29,
                                     36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27,
                                     34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9,  49, 17, 57, 25};
static const uint8_t table_e[48] = {32, 1,  2,  3,  4,  5,  4,  5,  6,  7,  8,  9,  8,  9,  10, 11,
                                    12, 13, 12, 13, 14, 15, 16, 17, 16, 17, 18, 19, 20, 21, 20, 21,
                                    22, 23, 24, 25, 24, 25, 26, 27, 28, 29, 28, 29, 30, 31, 32, 1};
static const uint8_t table_p[32] = {16, 7, 20, 21, 29, 12, 28, 17, 1,  15, 23, 26, 5,  18, 31, 10,
                                    2,  8, 24, 14, 32, 27, 3,  9,  19, 13, 30, 6,  22, 11, 4,  25};
static const uint8_t table_pc1[56] = {57, 49, 41, 33, 25, 17, 9,  1,  58, 50, 42, 34, 26, 18,
                                      10, 2,  59, 51, 43, 35, 27, 19, 11, 3,  60, 52, 44, 36,
                                      63, 55, 47, 39, 31, 23, 15, 7,  62, 54, 46, 38, 30, 22,
                                      14, 6,  61, 53, 45, 37, 29, 21, 13, 5,  28, 20, 12, 4};
static const uint8_t table_pc2[48] = {
    14, 17, 11, 24, 1,  5,  3,  28, 15, 6,  21, 10, 23, 19, 12, 4,  26, 8,  16, 7,  27, 20, 13, 2,
    41, 52, 31, 37, 47, 55, 30, 40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32};
// Rows of the standard one after the other: index 16 * row + column.
static const uint8_t sboxes[8][64] = {
    {14, 4,  13, 1, 2,  15, 11, 8, 3, 10, 6, 12, 5,  9,  0,  7,  0,  15, 7,  4,  14, 2,
     13, 1,  10, 6, 12, 11, 9,  5, 3, 8,  4, 1,  14, 8,  13, 6,  2,  11, 15, 12, 9,  7,
     3,  10, 5,  0, 15, 12, 8,  2, 4, 9,  1, 7,  5,  11, 3,  14, 10, 0,  6,  13},
    {15, 1,  8,  14, 6,  11, 3,  4, 9,  7,  2, 13, 12, 0,  5,  10, 3,  13, 4,  7, 15, 2,
     8,  14, 12, 0,  1,  10, 6,  9, 11, 5,  0, 14, 7,  11, 10, 4,  13, 1,  5,  8, 12, 6,
     9,  3,  2,  15, 13, 8,  10, 1, 3,  15, 4, 2,  11, 6,  7,  12, 0,  5,  14, 9},
    {10, 0,  9,  14, 6, 3,  15, 5,  1,  13, 12, 7, 11, 4,  2,  8,  13, 7, 0,  9, 3, 4,
     6,  10, 2,  8,  5, 14, 12, 11, 15, 1,  13, 6, 4,  9,  8,  15, 3,  0, 11, 1, 2, 12,
     5,  10, 14, 7,  1, 10, 13, 0,  6,  9,  8,  7, 4,  15, 14, 3,  11, 5, 2,  12},
    {7, 13, 14, 3, 0, 6,  9, 10, 1,  2, 8,  5, 11, 12, 4,  15, 13, 8,  11, 5, 6, 15,
     0, 3,  4,  7, 2, 12, 1, 10, 14, 9, 10, 6, 9,  0,  12, 11, 7,  13, 15, 1, 3, 14,
     5, 2,  8,  4, 3, 15, 0, 6,  10, 1, 13, 8, 9,  4,  5,  11, 12, 7,  2,  14},
    {2,  12, 4, 1,  7,  10, 11, 6, 8, 5,  3, 15, 13, 0,  14, 9,  14, 11, 2,  12, 4,  7,
     13, 1,  5, 0,  15, 10, 3,  9, 8, 6,  4, 2,  1,  11, 10, 13, 7,  8,  15, 9,  12, 5,
     6,  3,  0, 14, 11, 8,  12, 7, 1, 14, 2, 13, 6,  15, 0,  9,  10, 4,  5,  3},
    {12, 1,  10, 15, 9,  2,  6, 8,  0, 13, 3,  4,  14, 7,  5, 11, 10, 15, 4, 2, 7, 12,
     9,  5,  6,  1,  13, 14, 0, 11, 3, 8,  9,  14, 15, 5,  2, 8,  12, 3,  7, 0, 4, 10,
     1,  13, 11, 6,  4,  3,  2, 12, 9, 5,  15, 10, 11, 14, 1, 7,  6,  0,  8, 13},
    {4, 11, 2,  14, 15, 0,  8,  13, 3, 12, 9,  7, 5,  10, 6,  1,  13, 0,  11, 7,  4, 9,
     1, 10, 14, 3,  5,  12, 2,  15, 8, 6,  1,  4, 11, 13, 12, 3,  7,  14, 10, 15, 6, 8,
     0, 5,  9,  2,  6,  11, 13, 8,  1, 4,  10, 7, 9,  5,  0,  15, 14, 2,  3,  12},
    {13, 2, 8,  4, 6, 15, 11, 1,  10, 9,  3, 14, 5,  0,  12, 7,  1,  15, 13, 8, 10, 3,
     7,  4, 12, 5, 6, 11, 0,  14, 9,  2,  7, 11, 4,  1,  9,  12, 14, 2,  0,  6, 10, 13,
     15, 3, 5,  8, 2, 1,  14, 7,  4,  10, 8, 13, 15, 12, 9,  0,  3,  5,  6,  11}};

// Bit i of the result, from the top, is bit table[i] of the input, which has `width` bits. With the
// loop unrolled and a constant table this is wiring.
static uint64_t permute(uint64_t in, int width, const uint8_t *table, int count) {
  uint64_t out = 0;
  for (int i = 0; i < count; i++) {
#pragma HLS unroll
    out = out << 1 | (in >> (width - table[i]) & 1);
  }
  return out;
}

static uint32_t rotl28(uint32_t x, unsigned n) { return (x << n | x >> (28 - n)) & 0x0fffffff; }

static uint32_t rotr28(uint32_t x, unsigned n) { return (x >> n | x << (28 - n)) & 0x0fffffff; }

static uint32_t feistel(uint32_t right, uint64_t round_key) {
  const uint64_t mixed = permute(right, 32, table_e, 48) ^ round_key;
  uint32_t out = 0;
  for (int i = 0; i < 8; i++) {
    const uint32_t six = (uint32_t)(mixed >> (42 - 6 * i)) & 63;
    const uint32_t index = (six & 32) | (six & 1) << 4 | (six >> 1 & 15);
    out = out << 4 | sboxes[i][index];  // leaks: key and text, as index
  }
  return (uint32_t)permute(out, 32, table_p, 32);
}

// Encrypts (decrypt = 0) or decrypts (1) a block; byte 0 of block and key is the top byte.
uint64_t des(uint64_t block, uint64_t key, uint8_t decrypt) {
  // Eight words a cycle: in logic, not in a memory.
#pragma HLS array_partition variable=sboxes complete dim=0
  const uint64_t cd = permute(key, 64, table_pc1, 56);
  // Keys rotate by one before rounds 1, 2, 9, 16, else by two, 28 in all; backwards they undo each
  // other, so that decryption starts with the last round's key, which is that of no rotation.
  uint32_t c = (uint32_t)(cd >> 28), d = (uint32_t)cd & 0x0fffffff;
  c = decrypt ? c : rotl28(c, 1);
  d = decrypt ? d : rotl28(d, 1);
  const uint64_t lr = permute(block, 64, table_ip, 64);
  uint32_t left = (uint32_t)(lr >> 32), right = (uint32_t)lr;
  for (int round = 1; round <= 16; round++) {
    // A round a cycle, and the next one's rotations beside it.
#pragma HLS pipeline II=1
    const uint64_t round_key = permute((uint64_t)c << 28 | d, 56, table_pc2, 48);
    const int once = round == 1 || round == 8 || round == 15;
    if (decrypt) {
      c = once ? rotr28(c, 1) : rotr28(c, 2);
      d = once ? rotr28(d, 1) : rotr28(d, 2);
    } else {
      c = once ? rotl28(c, 1) : rotl28(c, 2);
      d = once ? rotl28(d, 1) : rotl28(d, 2);
    }
    const uint32_t next = left ^ feistel(right, round_key);
    left = right;
    right = next;
  }
  return permute((uint64_t)right << 32 | left, 64, table_fp, 64);
}

struct known_answer {
  uint64_t key, plaintext, ciphertext;
};

// CAVP's TECBsubtab 0, 1, 2; TECBvarkey 0; TECBMMT1 0.
static const struct known_answer answers[] = {
    {0x7ca110454a1a6e57, 0x01a1d6d039776742, 0x690f5b0d9a26939b},
    {0x0131d9619dc1376e, 0x5cd54ca83def57da, 0x7a389d10354bd271},
    {0x07a1133e4a0b2686, 0x0248d43806f67172, 0x868ebb51cab4599a},
    {0x8001010101010101, 0x0000000000000000, 0x95a8d72813daa94d},
    {0xc44aef545b1331f2, 0x6c70fa4b7aba00ca, 0x9413638a0b5401bd},
};

int main(void) {
  for (unsigned k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    if (des(answers[k].plaintext, answers[k].key, 0) != answers[k].ciphertext) return 1;
    if (des(answers[k].ciphertext, answers[k].key, 1) != answers[k].plaintext) return 1;
  }
  return 0;
}
