// SPDX-License-Identifier: Apache-2.0
// BLAKE3's compression function ("BLAKE3: one function, fast everywhere", 2.2), one a cycle; top
// function: blake3_pipeline. main hashes with it (2.4 to 2.6, no key).

#include "blake3.h"

// Compresses blocks up to the last.
void blake3_pipeline(setting_stream *settings, block_stream *blocks, block_stream *out) {
#pragma HLS interface mode=ap_ctrl_none port=return
  bool last;
  do {
    // All rounds are hardware of their own, with blocks in all of them.
#pragma HLS pipeline II=1
    const setting_stream_beat with = setting_stream_read(settings);
    const block_stream_beat beat = block_stream_read(blocks);
    last = beat.last;
    uint32_t m[16], v[16];
    for (int i = 0; i < 8; i++) v[i] = with.data.chaining[i];
    for (int i = 0; i < 4; i++) v[8 + i] = IV[i];
    v[12] = (uint32_t)with.data.counter;
    v[13] = (uint32_t)(with.data.counter >> 32);
    v[14] = with.data.length;
    v[15] = with.data.flags;
    for (int i = 0; i < 16; i++) m[i] = beat.data.word[i];
    for (int round = 0; round < ROUNDS; round++) {
      round_of_mixes(v, m);
    }
    block_stream_beat result = {.keep = LYDITE_KEEP(64), .last = last};
    for (int i = 0; i < 8; i++) {
      result.data.word[i] = v[i] ^ v[i + 8];
      result.data.word[i + 8] = v[i + 8] ^ with.data.chaining[i];
    }
    block_stream_write(out, result);
  } while (!last);
}

#define TOP blake3_pipeline
#include "blake3_check.h"
