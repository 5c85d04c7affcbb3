// SPDX-License-Identifier: Apache-2.0
// DES, FIPS 46-3, a round a cycle: one block, encrypted or decrypted; top function: des. Parity of
// the key is not looked at. Tables are the standard's: bit 1 is the most significant.

#include "des.h"

static uint32_t rotr28(uint32_t x, unsigned n) { return (x >> n | x << (28 - n)) & 0x0fffffff; }

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
