// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 (FIPS 202, 6.1) of messages on a stream of 64 bits, a block every 24 cycles: it is read
// while the last one is permuted. A core for `lydite bench`; top function: sha3_stream. RATE_BYTES,
// DIGEST_BYTES and SUFFIX are macros of the build, by default those of SHA3-256, which `main`
// checks; SUFFIX 1 is round 3 of the SHA-3 contest, and with ROUND2 the padding is that of round 2.
// The message's bytes are in order, byte 0 lowest; only its last beat may be partial.

#include <lydite_stream.h>

#ifndef RATE_BYTES
#define RATE_BYTES 136
#endif
#ifndef DIGEST_BYTES
#define DIGEST_BYTES 32
#endif

#define RATE_LANES (RATE_BYTES / 8)
#define DIGEST_LANES ((DIGEST_BYTES + 7) / 8)
// Bytes of the digest's last lane.
#define LAST_BYTES ((DIGEST_BYTES - 1) % 8 + 1)
#define ROUNDS 24
// Lane i of a block is read in cycle FIRST + i of the 24, so that the last one comes in the last.
#define FIRST (ROUNDS - RATE_LANES)

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

static uint64_t rotate(uint64_t lane, unsigned count) {
  return count == 0 ? lane : lane << count | lane >> (64 - count);
}

// chi (3.2.4) of a lane.
static uint64_t chi(const uint64_t state[25], int x, int y) {
  return state[x + 5 * y] ^ (~state[(x + 1) % 5 + 5 * y] & state[(x + 2) % 5 + 5 * y]);
}

// theta, rho and pi (3.2.1 to 3.2.3).
static void mix(uint64_t out[25], const uint64_t in[25]) {
  // Chi, the parities and theta are three levels of look-up tables: mapped as one they would grow
  // into each other.
  uint64_t parity[5];
#pragma HLS keep variable=parity
  for (int x = 0; x < 5; x++) {
    parity[x] = in[x] ^ in[x + 5] ^ in[x + 10] ^ in[x + 15] ^ in[x + 20];
  }
  for (int y = 0; y < 5; y++) {
    for (int x = 0; x < 5; x++) {
      const uint64_t theta = parity[(x + 4) % 5] ^ rotate(parity[(x + 1) % 5], 1);
      out[y + 5 * ((2 * x + 3 * y) % 5)] = rotate(in[x + 5 * y] ^ theta, rotations[x + 5 * y]);
    }
  }
}

#ifndef ROUND2

// Domain bits and the first bit of the padding (FIPS 202, 5.1, B.2).
#ifndef SUFFIX
#define SUFFIX 0x06
#endif

// Where the padding is.
struct padding {
  bool more;    // bytes of the message come
  bool suffix;  // it ended with a whole lane: the suffix is due
};

// Gives the next lane of the padded message; `end`: the last of its block. Returns whether the
// suffix stands.
static bool next_lane(uint64_t *lane, lydite_stream64 *s_axis, struct padding *padding, bool end) {
  // Behind a message comes a beat without bytes.
  lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
  if (padding->more) beat = lydite_stream64_read(s_axis);
  const bool due = padding->more || padding->suffix, whole = beat.keep >> 7 & 1;
  uint64_t bytes = 0;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is where the suffix goes.
    const uint64_t value = beat.data >> 8 * byte & 0xff;
    const bool kept = beat.keep >> byte & 1;
    const bool before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    bytes |= (kept ? value : before && due ? SUFFIX : 0u) << 8 * byte;
  }
  const bool stands = !padding->more || (beat.last && !whole);
  padding->suffix = beat.last && whole;
  padding->more = padding->more && !beat.last;
  *lane = end && stands ? bytes ^ UINT64_C(1) << 63 : bytes;
  return stands;
}

#else

// Where the padding is that round 2 of the SHA-3 contest had: a byte of 1, the bytes of the digest,
// those of a block, a byte of 1.
#define SUFFIX (UINT32_C(0x01000001) | RATE_BYTES << 16 | DIGEST_BYTES << 8)
#define SUFFIX_BYTES 4

struct padding {
  bool more;      // bytes of the message come
  uint32_t left;  // marks that had no room in the message's last lane, the first one lowest
};

// As above: the marks may go over the end of a lane, and the end of a block has none.
static bool next_lane(uint64_t *lane, lydite_stream64 *s_axis, struct padding *padding, bool end) {
  (void)end;
  // Behind a message comes a beat without bytes.
  lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
  if (padding->more) beat = lydite_stream64_read(s_axis);
  const uint32_t suffix = padding->more ? SUFFIX : padding->left;
  const bool whole = beat.keep >> 7 & 1, room = !(beat.keep >> (8 - SUFFIX_BYTES) & 1);
  uint64_t bytes = 0;
  uint32_t left = beat.last && whole ? SUFFIX : 0;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is where the suffix goes.
    const bool kept = beat.keep >> byte & 1;
    const bool before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    if (kept) bytes |= beat.data & UINT64_C(0xff) << 8 * byte;
    if (before && !kept) {
      bytes |= (uint64_t)suffix << 8 * byte;
      if (byte + SUFFIX_BYTES > 8) left = suffix >> 8 * (8 - byte) % 32;
    }
  }
  const bool stands = !padding->more || (beat.last && room);
  padding->left = left;
  padding->more = padding->more && !beat.last;
  *lane = bytes;
  return stands;
}

#endif

void sha3_stream(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Logic, not a memory.
#pragma HLS array_partition variable=round_constants complete
  // The state between pi and chi, and what is added behind chi: iota, and in the cycle in which a
  // permutation ends, the next block. So each bit behind chi is of four bits in registers.
  uint64_t state[25] = {0}, addend[RATE_LANES] = {0};
  uint64_t block[RATE_LANES - 1] = {0};  // the lanes that came before
  uint64_t after[25];
#pragma HLS keep variable=after
  struct padding padding = {.more = true};
  bool running = false;  // the first block is there
  bool last = false;     // what is permuted is the last block
  bool ready = false;    // it has been, but for chi and iota
  bool load = true;      // a lane comes
  bool end;
  unsigned round = FIRST;
  do {
    // A round, and a lane of the next block, a cycle.
#pragma HLS pipeline II=1
    const bool ends = round == ROUNDS - 1;
    uint64_t lane = 0;
    bool stands = false;
    if (load) stands = next_lane(&lane, s_axis, &padding, ends);
    for (int i = 0; i < 25; i++) {
      after[i] = chi(state, i % 5, i / 5) ^ (i < RATE_LANES ? addend[i] : 0);
    }
    mix(state, after);
    for (int i = 0; i < RATE_LANES; i++) {
      addend[i] = !ends || last ? 0 : i < RATE_LANES - 1 ? block[i] : lane;
    }
    if (running) addend[0] ^= round_constants[round];
    if (load) {
      for (int i = 2; i < RATE_LANES; i++) block[i - 2] = block[i - 1];
      block[RATE_LANES - 2] = lane;
    }
    end = ready;
    if (round == FIRST - 1) load = !last;
    if (ends) {
      load = false;
      ready = last;
      last = stands;
      running = true;
    }
    round = ends ? 0 : (round + 1) % 32;
  } while (!end);
  for (int i = 0; i < DIGEST_LANES; i++) {
    const bool final = i == DIGEST_LANES - 1;
    const uint64_t keep = LYDITE_KEEP(final ? LAST_BYTES : 8);
    const uint64_t mask = final ? UINT64_MAX >> (64 - 8 * LAST_BYTES) : UINT64_MAX;
    const lydite_stream64_beat beat = {.data = after[i] & mask, .keep = keep, .last = final};
    lydite_stream64_write(m_axis, beat);
  }
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
    sha3_stream(&in, &out);
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
