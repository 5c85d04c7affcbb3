// SPDX-License-Identifier: Apache-2.0
//
// All hash and extendable-output functions of FIPS 202 (6.1, 6.2) for the sponge action, chosen
// from message to message, for `lydite hls`: a round of Keccak-f[1600] a cycle, a block in 24, read
// while the last one is permuted. The message's bytes are in order, byte 0 lowest; only its last
// beat may be partial.

#ifndef LYDITE_CORES_KECCAK_HLS_SPONGE_HASH_H_
#define LYDITE_CORES_KECCAK_HLS_SPONGE_HASH_H_

#include <lydite_stream.h>

#include "sponge_runs.h"

// What the action is asked: `user` is one of its modes and, above its four bits, how many bytes of
// output a call of SHAKE wants.
LYDITE_STREAM_USER(action_stream, uint64_t, 20)

typedef struct {
  uint8_t rate;     // lanes of a block
  uint8_t suffix;   // domain bits, and the first bit of the padding after them
  uint16_t length;  // bytes of output, at least 1
} sponge_function;

// Lanes of the widest block, SHAKE128's. All blocks are read as if they had so many: zeros stand in
// those behind the rate.
#define BLOCK_LANES 21
// Lane i of a block is read in cycle FIRST_CYCLE + i of the 24, so that the last one comes in the
// last.
#define FIRST_CYCLE (ROUNDS - BLOCK_LANES)

// Where a message is.
typedef struct {
  action_stream_beat beat;  // the next one, if one comes
  bool more;                // bytes of the message come
  bool suffix;              // it ended with a whole lane: the suffix is due
} sponge_message;

// Gives the next lane of the padded message (5.1, B.2); `end`: the last of its block's rate.
// Returns whether the suffix stands.
static bool sponge_lane(uint64_t *lane, action_stream *s_axis, sponge_message *message,
                        uint8_t suffix, bool end) {
  const action_stream_beat beat = message->beat;
  const bool due = message->more || message->suffix;
  uint64_t bytes = 0;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is where the suffix goes.
    const uint64_t value = beat.data >> 8 * byte & 0xff;
    const bool kept = message->more && (beat.keep >> byte & 1);
    const bool before = byte == 0 || (message->more && (beat.keep >> (byte - 1) & 1));
    bytes |= (kept ? value : before && due ? suffix : 0u) << 8 * byte;
  }
  const bool ends = message->more && beat.last, whole = beat.keep >> 7 & 1;
  const bool stands = !message->more || (ends && !whole);
  message->suffix = ends && whole;
  if (message->more && !beat.last) message->beat = action_stream_read(s_axis);
  message->more = message->more && !beat.last;
  *lane = end && stands ? bytes ^ UINT64_C(1) << 63 : bytes;
  return stands;
}

// A function of the message whose first beat is there. Lanes of output go while the state is
// permuted once more, for those that may come behind them.
static void sponge_hash(sponge_function function, action_stream_beat first, action_stream *s_axis,
                        lydite_stream64 *m_axis) {
  // The state between pi and chi, and what is added behind chi: iota, and in the cycle in which a
  // permutation ends, the next block. So each bit behind chi is of four bits in registers.
  uint64_t state[LANES] = {0}, addend[BLOCK_LANES] = {0};
  // The lanes that came before, the last one highest; behind the message those that go out.
  uint64_t block[BLOCK_LANES] = {0};
  sponge_message message = {.beat = first, .more = true};
  bool running = false;  // the first block is there
  bool last = false;     // what is permuted is the last block, or gives more of the output
  bool ready = false;    // it has been, but for chi and iota
  bool load = true;      // a lane comes
  bool stands = false;   // the suffix does
  bool gives = false;    // a lane goes out
  bool done;
  unsigned round = FIRST_CYCLE, lane = 0, left = function.length;
  do {
    // A round, and a lane of the next block or of the output, a cycle.
#pragma HLS pipeline II=1
    const bool ends = round == ROUNDS - 1, fills = lane + 1 == function.rate;
    uint64_t next = 0;
    if (load) stands = sponge_lane(&next, s_axis, &message, function.suffix, fills);
    done = gives && left <= 8;
    if (gives) {
      lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = done};
      for (unsigned byte = 0; byte < 8; byte++) {
        const bool kept = left > byte;
        beat.data |= kept ? block[0] & UINT64_C(0xff) << 8 * byte : 0;
        beat.keep |= (uint64_t)kept << byte;
      }
      lydite_stream64_write(m_axis, beat);
      left -= 8;
    }
    uint64_t after[LANES], parity[5];
#pragma HLS keep variable=after
#pragma HLS keep variable=parity
    for (int i = 0; i < LANES; i++) {
      const int row = i / 5 * 5;
      const uint64_t right = state[(i + 1) % 5 + row], right2 = state[(i + 2) % 5 + row];
      after[i] = state[i] ^ (~right & right2) ^ (i < BLOCK_LANES ? addend[i] : 0);
    }
    for (int x = 0; x < 5; x++) {
      parity[x] = after[x] ^ after[x + 5] ^ after[x + 10] ^ after[x + 15] ^ after[x + 20];
    }
    mix(state, after, parity);
    for (int i = 0; i < BLOCK_LANES; i++) {
      addend[i] = !ends || last ? 0 : i < BLOCK_LANES - 1 ? block[i + 1] : next;
    }
    if (running) addend[0] ^= round_constants[round];
    for (int i = 0; i < BLOCK_LANES; i++) {
      block[i] = ready ? after[i] : i < BLOCK_LANES - 1 ? block[i + 1] : next;
    }
    if (fills) load = gives = false;
    lane++;
    if (ready) {
      gives = true;
      lane = 0;
    } else if (round == FIRST_CYCLE - 1 && !last) {
      load = true;
      lane = 0;
    }
    ready = ends && last;
    if (ends) {
      last = stands;
      running = true;
    }
    round = ends ? 0 : (round + 1) % 32;
  } while (!done);
}

#endif  // LYDITE_CORES_KECCAK_HLS_SPONGE_HASH_H_
