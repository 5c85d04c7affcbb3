// SPDX-License-Identifier: Apache-2.0
//
// AES-128 (FIPS 197): encryption and decryption of whole blocks (SP 800-38A, 6.1), and counter mode
// of bytes (6.5), a round a cycle, round keys on the fly: a core for `lydite bench`; top function:
// aes_stream. A call is a message: packets with the key, in counter mode with the first counter
// block, and with the message, each ended by `last`, and perhaps by a beat without bytes. User says
// what is done: 0 encrypt, 1 decrypt, 2 counter mode.

#include "../../common/sw/aes_sbox.h"
#include "aes.h"

LYDITE_STREAM_USER(aes_job_stream, lydite_data128, 2)

#ifndef DECRYPTS
#define DECRYPTS 1
#endif

enum operation { ENCRYPT, DECRYPT, COUNTER = 1 + DECRYPTS };

// The S-box, and behind it the inverse one (FIPS 197, 5.3.2, table 6).
#define ENTRY(byte) byte,
static const uint8_t sboxes[256 << DECRYPTS] = {
    AES_SBOX(ENTRY)
#if DECRYPTS
    0x52, 0x09, 0x6a, 0xd5, 0x30, 0x36, 0xa5, 0x38, 0xbf, 0x40, 0xa3, 0x9e, 0x81, 0xf3, 0xd7, 0xfb,
    0x7c, 0xe3, 0x39, 0x82, 0x9b, 0x2f, 0xff, 0x87, 0x34, 0x8e, 0x43, 0x44, 0xc4, 0xde, 0xe9, 0xcb,
    0x54, 0x7b, 0x94, 0x32, 0xa6, 0xc2, 0x23, 0x3d, 0xee, 0x4c, 0x95, 0x0b, 0x42, 0xfa, 0xc3, 0x4e,
    0x08, 0x2e, 0xa1, 0x66, 0x28, 0xd9, 0x24, 0xb2, 0x76, 0x5b, 0xa2, 0x49, 0x6d, 0x8b, 0xd1, 0x25,
    0x72, 0xf8, 0xf6, 0x64, 0x86, 0x68, 0x98, 0x16, 0xd4, 0xa4, 0x5c, 0xcc, 0x5d, 0x65, 0xb6, 0x92,
    0x6c, 0x70, 0x48, 0x50, 0xfd, 0xed, 0xb9, 0xda, 0x5e, 0x15, 0x46, 0x57, 0xa7, 0x8d, 0x9d, 0x84,
    0x90, 0xd8, 0xab, 0x00, 0x8c, 0xbc, 0xd3, 0x0a, 0xf7, 0xe4, 0x58, 0x05, 0xb8, 0xb3, 0x45, 0x06,
    0xd0, 0x2c, 0x1e, 0x8f, 0xca, 0x3f, 0x0f, 0x02, 0xc1, 0xaf, 0xbd, 0x03, 0x01, 0x13, 0x8a, 0x6b,
    0x3a, 0x91, 0x11, 0x41, 0x4f, 0x67, 0xdc, 0xea, 0x97, 0xf2, 0xcf, 0xce, 0xf0, 0xb4, 0xe6, 0x73,
    0x96, 0xac, 0x74, 0x22, 0xe7, 0xad, 0x35, 0x85, 0xe2, 0xf9, 0x37, 0xe8, 0x1c, 0x75, 0xdf, 0x6e,
    0x47, 0xf1, 0x1a, 0x71, 0x1d, 0x29, 0xc5, 0x89, 0x6f, 0xb7, 0x62, 0x0e, 0xaa, 0x18, 0xbe, 0x1b,
    0xfc, 0x56, 0x3e, 0x4b, 0xc6, 0xd2, 0x79, 0x20, 0x9a, 0xdb, 0xc0, 0xfe, 0x78, 0xcd, 0x5a, 0xf4,
    0x1f, 0xdd, 0xa8, 0x33, 0x88, 0x07, 0xc7, 0x31, 0xb1, 0x12, 0x10, 0x59, 0x27, 0x80, 0xec, 0x5f,
    0x60, 0x51, 0x7f, 0xa9, 0x19, 0xb5, 0x4a, 0x0d, 0x2d, 0xe5, 0x7a, 0x9f, 0x93, 0xc9, 0x9c, 0xef,
    0xa0, 0xe0, 0x3b, 0x4d, 0xae, 0x2a, 0xf5, 0xb0, 0xc8, 0xeb, 0xbb, 0x3c, 0x83, 0x53, 0x99, 0x61,
    0x17, 0x2b, 0x04, 0x7e, 0xba, 0x77, 0xd6, 0x26, 0xe1, 0x69, 0x14, 0x63, 0x55, 0x21, 0x0c, 0x7d
#endif
};

// FIPS 197, 5.2: the round key behind this one, or, going back, the one before it. What comes late,
// from the S-boxes, is added last.
static void step_key(uint8_t key[BLOCK_BYTES], const uint8_t change[4], uint8_t constant,
                     bool back) {
  uint8_t sums[BLOCK_BYTES];
  for (int i = 0; i < BLOCK_BYTES; i++) {
    sums[i] = key[i] ^ (i < 4 ? 0 : back ? key[i - 4] : sums[i - 4]);
  }
  for (int i = 0; i < BLOCK_BYTES; i++) {
    const uint8_t all = change[i % 4] ^ (i % 4 == 0 ? constant : 0);
    key[i] = sums[i] ^ (i >= 4 && back ? 0 : all);
  }
}

// A round behind the S-boxes: AddRoundKey of `t` in `last`, MixColumns and AddRoundKey in `mixed`;
// decrypting, AddRoundKey and InvMixColumns (5.3).
static void round_of(uint8_t mixed[BLOCK_BYTES], uint8_t last[BLOCK_BYTES],
                     const uint8_t t[BLOCK_BYTES], const uint8_t k[BLOCK_BYTES], bool decrypts) {
  for (int i = 0; i < BLOCK_BYTES; i++) last[i] = t[i] ^ k[i];
  for (int c = 0; c < BLOCK_BYTES; c += 4) {
    // InvMixColumns, 5.3.3, is MixColumns behind a matrix of 1 and x^2.
    const uint8_t even = xtime(xtime(last[c] ^ last[c + 2]));
    const uint8_t odd = xtime(xtime(last[c + 1] ^ last[c + 3]));
    for (int r = 0; r < 4; r++) {
      mixed[c + r] = decrypts ? last[c + r] ^ (r % 2 ? odd : even) : t[c + r];
    }
    mix_column(&mixed[c]);
    for (int r = 0; r < 4; r++) mixed[c + r] ^= decrypts ? 0 : k[c + r];
  }
}

// Bytes of a word of a stream as a number, the first one on top.
static uint64_t number_of(uint64_t word) {
  uint64_t number = 0;
  for (int i = 0; i < 8; i++) {
#pragma HLS unroll
    number = number << 8 | (word >> (8 * i) & 0xff);
  }
  return number;
}

// The beat that a packet of one block begins with; behind it may be one without bytes.
static aes_job_stream_beat first_beat(aes_job_stream *s_axis) {
  const aes_job_stream_beat beat = aes_job_stream_read(s_axis);
  if (!beat.last) aes_job_stream_read(s_axis);
  return beat;
}

void aes_stream(aes_job_stream *s_axis, lydite_stream128 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Twenty bytes a cycle from copies in block RAM, whose registers hold what a round begins with.
#pragma HLS bind_storage variable=sboxes type=rom_np impl=bram
#pragma HLS array_partition variable=round_constants complete
  uint8_t base[BLOCK_BYTES];  // the key that blocks begin with
  uint8_t k[BLOCK_BYTES] = {0}, in[BLOCK_BYTES];
  uint8_t u[BLOCK_BYTES] = {0}, change[4] = {0};  // behind the S-boxes: the state, and of the key
  uint64_t high = 0, low = 0;                     // the counter block as a number
  aes_job_stream_beat beat = first_beat(s_axis);
  const bool decrypts = DECRYPTS && beat.user == DECRYPT, counts = beat.user == COUNTER;
  bytes_of(base, beat.data);
  if (counts) {
    beat = first_beat(s_axis);
    high = number_of(beat.data.word[0]);
    low = number_of(beat.data.word[1]);
  }
  // Decryption begins with the last round key: ten rounds of the key alone come first. The very
  // first round is none, nor is that behind these ten: it only ends, so that key and block come in
  // where they do later.
  bool expands = decrypts, started = false, given = false, last = false, end;
  bool ends = true;   // this round is the last one
  uint64_t keep = 0;  // of the beat with the block
  uint8_t round = ROUNDS;
  do {
    // A round a cycle. With the last one comes the next block.
#pragma HLS pipeline II=1
    const bool back = decrypts && !expands;
    const bool gives = ends && given, begins = ends && !expands;
    const bool expanded = ends && expands && started;
    uint8_t t[BLOCK_BYTES], mixed[BLOCK_BYTES], result[BLOCK_BYTES], next[BLOCK_BYTES];
    uint8_t stepped[BLOCK_BYTES];
    for (int i = 0; i < BLOCK_BYTES; i++) stepped[i] = k[i];
    step_key(stepped, change, round_constants[back ? ROUNDS + 1 - round : round], back);
    // ShiftRows, 5.1.2: column c, row r comes from column c + r, or, decrypting, c - r.
    for (int i = 0; i < BLOCK_BYTES; i++) {
      t[i] = decrypts ? u[(i + 12 * (i % 4)) % 16] : u[(i + 4 * (i % 4)) % 16];
    }
    round_of(mixed, result, t, stepped, decrypts);

    // Counter mode takes the message where it is given, else it is what the rounds begin with.
    if (counts ? gives : begins && !last) beat = aes_job_stream_read(s_axis);
    bytes_of(in, beat.data);
    if (gives) {
      const uint64_t kept = counts ? beat.keep : keep;
      for (int i = 0; i < BLOCK_BYTES; i++) {
        result[i] = kept >> i & 1 ? result[i] ^ (counts ? in[i] : 0) : 0;
      }
      const lydite_stream128_beat give = {
          .data = data_of(result), .keep = kept, .last = counts ? beat.last : last};
      lydite_stream128_write(m_axis, give);
    }
    end = gives && (counts ? beat.last : last);

    // What the next round begins with: SubBytes, 5.1.1, of it, and of the key's last column.
    for (int i = 0; i < BLOCK_BYTES; i++) {
      const uint8_t number = (uint8_t)((i < 8 ? high : low) >> (56 - 8 * (i % 8)));
      next[i] = ends ? (counts ? number : in[i]) ^ base[i] : mixed[i];
      k[i] = ends ? base[i] : stepped[i];
      base[i] = expanded ? stepped[i] : base[i];
    }
    expands = expands && !expanded;
    for (int i = 0; i < BLOCK_BYTES; i++) {
      u[i] = sboxes[(unsigned)decrypts << 8 | next[i]];  // leaks: next, as index
    }
    for (int i = 0; i < 4; i++) {
      const int from = 12 + (i + 1) % 4;
      const uint8_t before = decrypts && !expands ? k[from - 4] : 0;
      change[i] = sboxes[k[from] ^ before];  // leaks: k, as index
    }

    // SP 800-38A, B.1, of 128 bits.
    if (round == 1) {
      high += low == UINT64_MAX;
      low++;
    }
    if (begins) keep = beat.keep;
    if (begins) last = beat.last;
    given = given || begins;
    started = true;
    round = expanded ? ROUNDS : ends ? 1 : round + 1;
    ends = round == ROUNDS;
  } while (!end);
}

#include "aes_check.h"

int main(void) { return aes_check(aes_stream, COUNTER); }
