// SPDX-License-Identifier: Apache-2.0
// AES-128 encryption of one block, FIPS 197, a round a cycle with the key schedule beside it; top
// function: aes128. Byte 0 of block and key is the top byte, as the standard writes them.

#include "aes128.h"

// Encrypts one block.
uint128 aes128(uint128 block, uint128 key) {
  // Twenty bytes a cycle: in logic, not in a memory.
#pragma HLS array_partition variable=sbox complete
  uint8_t s[16], k[16];
  bytes_of(s, block ^ key);
  bytes_of(k, key);
  uint8_t round_constant = 1;
  for (int round = 1; round <= 10; round++) {
    // A round a cycle.
#pragma HLS pipeline II=1
    uint8_t t[16];
    // SubBytes and ShiftRows, 5.1.1, 5.1.2: column c, row r comes from column c + r.
    for (int i = 0; i < 16; i++) t[i] = sbox[s[(i + 4 * (i % 4)) % 16]];  // leaks: s, as index
    if (round < 10) {
      for (int c = 0; c < 4; c++) mix_column(&t[4 * c]);
    }
    next_key(k, round_constant);
    round_constant = xtime(round_constant);
    for (int i = 0; i < 16; i++) s[i] = t[i] ^ k[i];
  }
  uint128 out = 0;
  for (int i = 0; i < 16; i++) out = out << 8 | s[i];
  return out;
}

struct known_answer {
  uint64_t key[2], plaintext[2], ciphertext[2];
};

// FIPS 197, appendix B; then CAVP's ECBGFSbox128 0, ECBKeySbox128 0, ECBVarKey128 0.
static const struct known_answer answers[] = {
    {{0x2b7e151628aed2a6, 0xabf7158809cf4f3c},
     {0x3243f6a8885a308d, 0x313198a2e0370734},
     {0x3925841d02dc09fb, 0xdc118597196a0b32}},
    {{0, 0}, {0xf34481ec3cc627ba, 0xcd5dc3fb08f273e6}, {0x0336763e966d9259, 0x5a567cc9ce537f5e}},
    {{0x10a58869d74be5a3, 0x74cf867cfb473859}, {0, 0}, {0x6d251e6944b051e0, 0x4eaa6fb4dbf78465}},
    {{0x8000000000000000, 0}, {0, 0}, {0x0edd33d3c621e546, 0x455bd8ba1418bec8}},
};

static uint128 joined(const uint64_t words[2]) { return (uint128)words[0] << 64 | words[1]; }

int main(void) {
  for (unsigned k = 0; k < sizeof answers / sizeof answers[0]; k++) {
    const uint128 out = aes128(joined(answers[k].plaintext), joined(answers[k].key));
    if (out != joined(answers[k].ciphertext)) return 1;
  }
  return 0;
}
