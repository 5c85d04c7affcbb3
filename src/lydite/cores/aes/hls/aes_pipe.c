// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): encryption of whole blocks (SP 800-38A, 6.1), and counter mode of bytes
// (6.5), a beat a cycle: a core for `lydite bench`; top function: aes_pipe. A call is a message:
// packets with the key, in counter mode (user 1) with the first counter block, and with the
// message, each ended by `last`, and perhaps by a beat without bytes.
//
// Keys go through the rounds as blocks do, and leave in each its round key, for what follows.

#include "aes.h"

LYDITE_STREAM_USER(aes_job_stream, lydite_data128, 1)

enum field { KEY, COUNTER, MESSAGE };

void aes_pipe(aes_job_stream *s_axis, lydite_stream128 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // 160 bytes a cycle: copies of the table in block RAM, two reads each.
#pragma HLS bind_storage variable=sbox type=rom_np impl=bram
  static uint8_t keys[ROUNDS + 1][BLOCK_BYTES];
  static uint64_t low, high;  // the counter block as a number
  static bool carry;          // the next step carries: `low` is all ones
#pragma HLS array_partition variable=keys complete dim=0
  enum field field = KEY;
  bool end;
  do {
    // All rounds are at work at once, from message to message.
#pragma HLS pipeline II=1 rewind
    const aes_job_stream_beat beat = aes_job_stream_read(s_axis);
    const bool whole = beat.keep & 1;
    const bool is_key = field == KEY && whole, is_message = field == MESSAGE;
    const bool counts = is_message && beat.user;
    uint8_t in[BLOCK_BYTES], s[BLOCK_BYTES];
    bytes_of(in, beat.data);
    uint64_t given[2] = {0, 0};  // what stands in the beat, as a number, high word first
    for (int i = 0; i < BLOCK_BYTES; i++) {
      given[i / 8] |= (uint64_t)in[i] << (56 - 8 * (i % 8));
      s[i] = counts ? (uint8_t)((i < 8 ? high : low) >> (56 - 8 * (i % 8))) : in[i];
    }
    // SP 800-38A, B.1, of 128 bits. That a step will carry is known before.
    const bool load = field == COUNTER && whole;
    const bool ones = load ? given[1] == UINT64_MAX : low == UINT64_MAX - 1;
    high = load ? given[0] : high + (is_message && carry);
    low = load ? given[1] : low + is_message;
    carry = load || is_message ? ones : carry;
    uint8_t k[BLOCK_BYTES];  // of a key that passes: the round key
    for (int i = 0; i < BLOCK_BYTES; i++) {
      k[i] = in[i];
      s[i] = is_key ? k[i] : s[i] ^ keys[0][i];
      if (is_key) keys[0][i] = k[i];
    }
    for (int round = 1; round <= ROUNDS; round++) {
      uint8_t sub[BLOCK_BYTES], t[BLOCK_BYTES];
      for (int i = 0; i < BLOCK_BYTES; i++) sub[i] = sbox[s[i]];  // leaks: s, as index
      // FIPS 197, 5.2.
      for (int i = 0; i < 4; i++) k[i] ^= sub[12 + (i + 1) % 4];
      k[0] ^= round_constants[round];
      for (int i = 4; i < BLOCK_BYTES; i++) k[i] ^= k[i - 4];
      // ShiftRows, 5.1.2: column c, row r comes from column c + r.
      for (int i = 0; i < BLOCK_BYTES; i++) t[i] = sub[(i + 4 * (i % 4)) % 16];
      if (round < ROUNDS) {
        for (int c = 0; c < 4; c++) mix_column(&t[4 * c]);
      }
      for (int i = 0; i < BLOCK_BYTES; i++) {
        // Of a key the next S-boxes look at the last word only.
        s[i] = i >= 12 && is_key ? k[i] : t[i] ^ keys[round][i];
        if (is_key) keys[round][i] = k[i];
      }
    }
    for (int i = 0; i < BLOCK_BYTES; i++) {
      s[i] = beat.keep >> i & 1 ? s[i] ^ (counts ? in[i] : 0) : 0;
    }
    const lydite_stream128_beat give = {.data = data_of(s), .keep = beat.keep, .last = beat.last};
    if (is_message) lydite_stream128_write(m_axis, give);
    end = is_message && beat.last;
    if (beat.last) field = field == KEY ? (beat.user ? COUNTER : MESSAGE) : MESSAGE;
  } while (!end);
}

#include "aes_check.h"

int main(void) { return aes_check(aes_pipe, 1); }
