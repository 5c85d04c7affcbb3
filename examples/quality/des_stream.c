// SPDX-License-Identifier: Apache-2.0
// DES, FIPS 46-3, of a message of blocks under one key (FIPS 81, ECB), a block a cycle; top
// function: des_stream. Byte 0 of a block is the top byte of its beat, and so of the key; parity is
// not looked at. The last beat of a message has `last`; all are whole. Tables are the standard's,
// bit 1 the most significant.

#include <lydite_stream.h>

#include "des.h"

#define ROUNDS 16

// Encrypts (decrypt = 0) or decrypts (1) the blocks of a message.
void des_stream(lydite_stream64 *in, lydite_stream64 *out, uint64_t key, uint8_t decrypt) {
  // 128 words a cycle: in logic, not in a memory.
#pragma HLS array_partition variable=sboxes complete dim=0
  const uint64_t cd = permute(key, 64, table_pc1, 56);
  uint32_t c = (uint32_t)(cd >> 28), d = (uint32_t)cd & 0x0fffffff;
  uint64_t keys[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
#pragma HLS unroll
    // Rotations by one before rounds 1, 2, 9, 16, else by two.
    const unsigned amount = round == 0 || round == 1 || round == 8 || round == 15 ? 1 : 2;
    c = rotl28(c, amount);
    d = rotl28(d, amount);
    keys[round] = permute((uint64_t)c << 28 | d, 56, table_pc2, 48);
  }
  bool last;
  do {
    // A block a cycle: all rounds are at work at once.
#pragma HLS pipeline II=1
    const lydite_stream64_beat beat = lydite_stream64_read(in);
    const uint64_t lr = permute(beat.data, 64, table_ip, 64);
    uint32_t left = (uint32_t)(lr >> 32), right = (uint32_t)lr;
    for (int round = 0; round < ROUNDS; round++) {
      const uint64_t round_key = decrypt ? keys[ROUNDS - 1 - round] : keys[round];
      const uint32_t next = left ^ feistel(right, round_key);
      left = right;
      right = next;
    }
    const lydite_stream64_beat give = {
        .data = permute((uint64_t)right << 32 | left, 64, table_fp, 64),
        .keep = LYDITE_KEEP(8),
        .last = beat.last};
    lydite_stream64_write(out, give);
    last = beat.last;
  } while (!last);
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

// Blocks of each message: the difference is what a block takes.
static const int lengths[] = {1, 6, 40};

int main(void) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (unsigned n = 0; n < sizeof lengths / sizeof *lengths; n++) {
    for (unsigned k = 0; k < sizeof answers / sizeof *answers; k++) {
      // The known block first, then others, which decrypting must give back.
      for (int i = 0; i < lengths[n]; i++) {
        const lydite_stream64_beat beat = {.data = answers[k].plaintext + (uint64_t)i,
                                           .keep = LYDITE_KEEP(8),
                                           .last = i == lengths[n] - 1};
        lydite_stream64_write(&in, beat);
      }
      des_stream(&in, &out, answers[k].key, 0);
      for (int i = 0; i < lengths[n]; i++) {
        const lydite_stream64_beat beat = lydite_stream64_read(&out);
        if (i == 0) wrong |= beat.data ^ answers[k].ciphertext;
        wrong |= (uint64_t)(beat.last != (i == lengths[n] - 1));
        lydite_stream64_write(&in, beat);
      }
      des_stream(&in, &out, answers[k].key, 1);
      for (int i = 0; i < lengths[n]; i++) {
        wrong |= lydite_stream64_read(&out).data ^ (answers[k].plaintext + (uint64_t)i);
      }
    }
  }
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
