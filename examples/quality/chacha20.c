// SPDX-License-Identifier: Apache-2.0
// ChaCha20's block function (RFC 8439, 2.3), a round a cycle, so a double round in two; top
// function: chacha20_blocks. Four quarter rounds serve the columns and, behind rows that turn, the
// diagonals.

#include <lydite_stream.h>

#define ROUNDS 20

static inline uint32_t rotl32(uint32_t x, unsigned n) { return x << n | x >> (32 - n); }

// RFC 8439, 2.1, of column i.
static inline void quarter_round(uint32_t x[16], int i) {
  uint32_t a = x[i], b = x[4 + i], c = x[8 + i], d = x[12 + i];
  a += b;
  d = rotl32(d ^ a, 16);
  c += d;
  b = rotl32(b ^ c, 12);
  a += b;
  d = rotl32(d ^ a, 8);
  c += d;
  b = rotl32(b ^ c, 7);
  x[i] = a;
  x[4 + i] = b;
  x[8 + i] = c;
  x[12 + i] = d;
}

// Moves what is `by` places on to each place of a row.
static inline void turn(uint32_t row[4], int by) {
  const uint32_t old[4] = {row[0], row[1], row[2], row[3]};
  for (int i = 0; i < 4; i++) row[i] = old[(i + by) % 4];
}

typedef struct job {
  uint32_t key[8];
  uint32_t counter;
  uint32_t nonce[3];
} job;

typedef struct block {
  uint32_t word[16];
} block;

LYDITE_STREAM(job_stream, job)
LYDITE_STREAM(block_stream, block)

// Gives the 16 words of key stream, little-endian, of each block that is asked for, up to the last.
void chacha20_blocks(job_stream *in, block_stream *out) {
#pragma HLS interface mode=ap_ctrl_none port=return
  bool last;
  do {
    const job_stream_beat beat = job_stream_read(in);
    last = beat.last;
    uint32_t s[16] = {0x61707865, 0x3320646e, 0x79622d32, 0x6b206574};
    for (int i = 0; i < 8; i++) s[4 + i] = beat.data.key[i];
    s[12] = beat.data.counter;
    for (int i = 0; i < 3; i++) s[13 + i] = beat.data.nonce[i];
    uint32_t x[16];
    for (int i = 0; i < 16; i++) x[i] = s[i];
    for (int round = 0; round < ROUNDS; round++) {
      // To take the next block in the last round's cycle would lengthen every round.
#pragma HLS loop_flatten off
#pragma HLS pipeline II=1
      for (int i = 0; i < 4; i++) quarter_round(x, i);
      // Diagonals become columns behind an even round, and columns again behind an odd one.
      if (round % 2) {
        turn(x + 4, 3);
        turn(x + 12, 1);
      } else {
        turn(x + 4, 1);
        turn(x + 12, 3);
      }
      turn(x + 8, 2);
    }
    block_stream_beat result = {.keep = LYDITE_KEEP(64), .last = last};
    for (int i = 0; i < 16; i++) result.data.word[i] = x[i] + s[i];
    block_stream_write(out, result);
  } while (!last);
}

int main(void) {
  static const struct {
    job given;
    uint32_t words;  // that are checked
    uint32_t answer[16];
  } answers[] = {
      // RFC 8439, 2.3.2
      {{.key = {0x03020100, 0x07060504, 0x0b0a0908, 0x0f0e0d0c, 0x13121110, 0x17161514, 0x1b1a1918,
                0x1f1e1d1c},
        .counter = 1,
        .nonce = {0x09000000, 0x4a000000, 0x00000000}},
       16,
       {0xe4e7f110, 0x15593bd1, 0x1fdd0f50, 0xc47120a3, 0xc7f4d1c7, 0x0368c033, 0x9aaa2204,
        0x4e6cd4c3, 0x466482d2, 0x09aa9f07, 0x05d7c214, 0xa2028bd9, 0xd19c12b5, 0xb94e16de,
        0xe883d0cb, 0x4e3c50a2}},
      // RFC 8439, A.1, test vectors 1 and 2: all zero, counters 0 and 1; the first four words.
      {{.counter = 0}, 4, {0xade0b876, 0x903df1a0, 0xe56a5d40, 0x28bd8653}},
      {{.counter = 1}, 4, {0xbee7079f, 0x7a385155, 0x7c97ba98, 0x0d082d73}},
  };
  enum { COUNT = sizeof answers / sizeof *answers };
  job_stream in = {0};
  block_stream out = {0};
  uint32_t wrong = 0;
  // All of them at once, then one, then two.
  for (int calls = 0; calls < 3; calls++) {
    const int blocks = calls == 0 ? COUNT : calls;
    for (int n = 0; n < blocks; n++) {
      const job_stream_beat beat = {
          .data = answers[n].given, .keep = LYDITE_KEEP(sizeof(job)), .last = n == blocks - 1};
      job_stream_write(&in, beat);
    }
    chacha20_blocks(&in, &out);
    for (int n = 0; n < blocks; n++) {
      const block_stream_beat got = block_stream_read(&out);
      wrong |= got.last != (n == blocks - 1);
      for (uint32_t i = 0; i < answers[n].words; i++)
        wrong |= got.data.word[i] ^ answers[n].answer[i];
    }
  }
  wrong |= (uint32_t)(job_stream_count(&in) | block_stream_count(&out));
  job_stream_free(&in);
  block_stream_free(&out);
  return wrong != 0;
}
