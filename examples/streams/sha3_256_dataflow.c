// SPDX-License-Identifier: Apache-2.0
//
// SHA3-256 (FIPS 202, 6.1) of messages on a stream of 64 bits in 24 cycles a block: one process
// pads and collects a block while the next one permutes the block before, a round of Keccak-f[1600]
// (3.2, 3.3) a cycle, and a third one gives the digest away. A core for `lydite bench`. The bytes
// of a message are in order, byte 0 lowest; only its last beat may be partial.

#include <lydite_stream.h>

#define RATE_LANES 17
#define DIGEST_LANES 4
#define ROUNDS 24

typedef struct block {
  uint64_t lane[RATE_LANES];
} block;
typedef struct digest {
  uint64_t lane[DIGEST_LANES];
} digest;
LYDITE_STREAM(block_stream, block)
LYDITE_STREAM(digest_stream, digest)

static const uint64_t round_constants[ROUNDS] = {
    0x0000000000000001, 0x0000000000008082, 0x800000000000808a, 0x8000000080008000,
    0x000000000000808b, 0x0000000080000001, 0x8000000080008081, 0x8000000000008009,
    0x000000000000008a, 0x0000000000000088, 0x0000000080008009, 0x000000008000000a,
    0x000000008000808b, 0x800000000000008b, 0x8000000000008089, 0x8000000000008003,
    0x8000000000008002, 0x8000000000000080, 0x000000000000800a, 0x800000008000000a,
    0x8000000080008081, 0x8000000000008080, 0x0000000080000001, 0x8000000080008008,
};

static const uint8_t rotations[25] = {0,  1,  62, 28, 27, 36, 44, 6,  55, 20, 3,  10, 43,
                                      25, 39, 41, 45, 15, 21, 8,  18, 2,  61, 56, 14};

// Where the padding is: bytes of the message come; if not, the suffix is due, or stands already.
struct phase {
  bool message, zeros;
};

static uint64_t rotate(uint64_t lane, unsigned count) {
  return count == 0 ? lane : lane << count | lane >> (64 - count);
}

// Gives the lane of the padded message (FIPS 202, 5.1, B.2) that a beat brings; `end`: the last of
// its block. Behind the message come a beat without bytes, where the suffix is due, and zeros.
static uint64_t padded(lydite_stream64_beat beat, struct phase phase, bool end) {
  uint64_t lane = 0;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is where the suffix goes.
    const uint64_t value = beat.data >> 8 * byte & 0xff;
    const int kept = beat.keep >> byte & 1;
    const int before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    lane |= (kept ? value : before && !phase.zeros ? 0x06u : 0u) << 8 * byte;
  }
  const bool last = phase.zeros || (beat.last && !(beat.keep & 0x80));
  return end && last ? lane ^ UINT64_C(1) << 63 : lane;
}

// Gives the blocks of the padded message, the last one marked.
static void pad(lydite_stream64 *s_axis, block_stream *blocks) {
  struct phase phase = {.message = true, .zeros = false};
  block_stream_beat block = {.keep = 0};
  uint8_t lane = 0;
  do {
    // A lane a cycle, though padding it takes longer than one.
#pragma HLS pipeline II=1
    const bool end = lane == RATE_LANES - 1;
    lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = true};
    if (phase.message) beat = lydite_stream64_read(s_axis);
    for (int i = 1; i < RATE_LANES; i++) block.data.lane[i - 1] = block.data.lane[i];
    block.data.lane[RATE_LANES - 1] = padded(beat, phase, end);
    phase.message = phase.message && !beat.last;
    phase.zeros = phase.zeros || (beat.last && !(beat.keep & 0x80));
    block.last = phase.zeros;
    if (end) block_stream_write(blocks, block);
    lane = (uint8_t)(end ? 0 : lane + 1);
  } while (lane != 0 || !phase.zeros);
}

// Absorbs blocks (FIPS 202, 4) and gives what is squeezed behind the last one.
static void permute(block_stream *blocks, digest_stream *digests) {
  uint64_t state[25] = {0};
  uint8_t round = 0;
  bool last = false;
  do {
    // A round a cycle, the next block with the first one.
#pragma HLS pipeline II=1
    block_stream_beat beat = {.keep = 0};
    if (round == 0) {
      beat = block_stream_read(blocks);
      last = beat.last;
    }
    for (int i = 0; i < RATE_LANES; i++) state[i] ^= beat.data.lane[i];
    uint64_t moved[25];
    uint64_t parity[5];
    for (int x = 0; x < 5; x++) {
      parity[x] = state[x] ^ state[x + 5] ^ state[x + 10] ^ state[x + 15] ^ state[x + 20];
    }
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
        moved[y + 5 * ((2 * x + 3 * y) % 5)] =
            rotate(state[x + 5 * y] ^ theta, rotations[x + 5 * y]);
      }
    }
    for (int y = 0; y < 5; y++) {
      for (int x = 0; x < 5; x++) {
        state[x + 5 * y] =
            moved[x + 5 * y] ^ (~moved[(x + 1) % 5 + 5 * y] & moved[(x + 2) % 5 + 5 * y]);
      }
    }
    state[0] ^= round_constants[round];
    round = (uint8_t)(round == ROUNDS - 1 ? 0 : round + 1);
  } while (!last || round != 0);
  digest_stream_beat squeezed = {.keep = 0, .last = true};
  for (int i = 0; i < DIGEST_LANES; i++) squeezed.data.lane[i] = state[i];
  digest_stream_write(digests, squeezed);
}

static void give(digest_stream *digests, lydite_stream64 *m_axis) {
  const digest_stream_beat beat = digest_stream_read(digests);
  for (int i = 0; i < DIGEST_LANES; i++) {
    const lydite_stream64_beat lane = {
        .data = beat.data.lane[i], .keep = LYDITE_KEEP(8), .last = i == DIGEST_LANES - 1};
    lydite_stream64_write(m_axis, lane);
  }
}

void sha3_256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
#pragma HLS dataflow
  // One block waits while the one before is permuted; the next one is collected meanwhile.
  block_stream blocks = {0};
#pragma HLS stream variable=blocks depth=1
  digest_stream digests = {0};
#pragma HLS stream variable=digests depth=1
  pad(s_axis, &blocks);
  permute(&blocks, &digests);
  give(&digests, m_axis);
  block_stream_free(&blocks);
  digest_stream_free(&digests);
}

// Digests of messages whose byte i is 7 + 11 i, around the ends of lanes and blocks.
static const struct {
  int length;
  uint64_t digest[DIGEST_LANES];
} answers[] = {
    {0, {0x66d71ebff8c6ffa7, 0x62d661a05647c151, 0xfa493be44dff80f5, 0x4a43f8804b0ad882}},
    {1, {0xa09b3b0b67f72352, 0x7ae78a4777d4574f, 0xb0a01df2890d1958, 0x969c3fe2354777be}},
    {7, {0xb799373c8ad436bc, 0xe96a79cb3f0a30ce, 0x6066bf8c5191df0e, 0x32c02bc32d9d5d63}},
    {8, {0xf15aa137e1d17339, 0x0a5dae91460b78dd, 0xcb9443adac873b0e, 0xc857387f8097a53f}},
    {9, {0x867ac1ee65fc6454, 0x9ea52e1967d37391, 0x8340de97b25d8873, 0xc1de946f5e2d38be}},
    {127, {0xfc8d973d2908651d, 0x9cb3681ffb15b7a2, 0x3c4c88ba10f05268, 0xb38075e8c98e1880}},
    {128, {0xc1fde07ad1e2ff84, 0x5bd84f713d717b20, 0x869f1f1d0b744f69, 0x42efaa43ef451afa}},
    {135, {0xa52536ea87564187, 0xba641d5ec987e6b5, 0x566de73cb988279d, 0x6d9eccc1bd65d402}},
    {136, {0xda3c7023b52a255a, 0xd04c45e97b66294b, 0x413b46fc7f80a677, 0x229411e07c8cf1f2}},
    {137, {0x57f0d2ec37ae6ae6, 0xd137e18c3f5db4b7, 0xe7f40a529bf2632e, 0x0c04c36da4a06496}},
    {143, {0x5f276bb684901d12, 0xdc4cfd2933181298, 0x488632c2255d8dc4, 0x79456305a819a611}},
    {144, {0xe8cdc9322fdd6807, 0xbf9797d266c8f62b, 0x9dcd45259ae3ce4d, 0xeb7d531fe19eb57f}},
    {272, {0x63b6d115c793f7cb, 0xbacde4854fdc61dd, 0xed0bc2cf193b39fe, 0xe8bb484a2e493a5b}},
    {300, {0x3cc052287704135a, 0xdca76a36c076dc8a, 0x8d0cf0bb35c68a4c, 0xfa5b62196a6a7b59}},
};

int main(void) {
  lydite_stream64 in = {0}, out = {0};
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    const int length = answers[n].length;
    int at = 0;
    do {
      lydite_stream64_beat beat = {.keep = LYDITE_KEEP(length - at < 8 ? length - at : 8)};
      for (int byte = 0; byte < 8 && at < length; byte++, at++) {
        beat.data |= (uint64_t)(uint8_t)(7 + 11 * at) << 8 * byte;
      }
      beat.last = at == length;
      lydite_stream64_write(&in, beat);
    } while (at < length);
    sha3_256(&in, &out);
    for (int i = 0; i < DIGEST_LANES; i++) {
      const lydite_stream64_beat beat = lydite_stream64_read(&out);
      wrong |= beat.data ^ answers[n].digest[i];
      wrong |= (uint64_t)(beat.last != (i == DIGEST_LANES - 1)) | (beat.keep ^ 0xff);
    }
  }
  wrong |= lydite_stream64_count(&in) | lydite_stream64_count(&out);
  lydite_stream64_free(&in);
  lydite_stream64_free(&out);
  return wrong != 0;
}
