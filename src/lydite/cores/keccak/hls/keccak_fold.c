// SPDX-License-Identifier: Apache-2.0
//
// Keccak[r = 1088, c = 512] with digests of 32 bytes as in round 2 of the SHA-3 contest ("Keccak
// specifications", version 2) from stream to stream, padding included, so many of the 64 slices a
// cycle: a core for `lydite bench`. Top function: keccak_fold. GROUPS is a macro of the build.
//
// The state is in LUT RAM, a memory of groups of slices for each lane. A pass over the groups does
// chi and iota of one round, and theta of the next. Rho is where a lane is read: whole groups
// earlier, and the bits that are over come from the group before. What is written back goes to
// where the group was that has just been read. Theta needs the parity of the slice before, and rho
// a group before: a pass reads two groups ahead.

#include "../../common/hls/message.h"
#include "../sw/keccak.h"

// 4 or 8.
#ifndef GROUPS
#define GROUPS 4
#endif
#define BITS (64 / GROUPS)  // slices of a group
#define AHEAD 2
#define STEPS (GROUPS + AHEAD)  // of a pass
#define DIGEST_LANES (DIGEST_BYTES / 8)
// A lane of a block is read in GROUPS cycles. From this pass on all are before the one that adds
// them.
#define FIRST (KECCAK_ROUNDS - 1 - (RATE_LANES * GROUPS + STEPS) / STEPS)

#if GROUPS == 4
typedef uint16_t slices;
#else
typedef uint8_t slices;
#endif

static const uint8_t rotations[KECCAK_LANES] = {
    0, 1, 62, 28, 27, 36, 44, 6, 55, 20, 3, 10, 43, 25, 39, 41, 45, 15, 21, 8, 18, 2, 61, 56, 14,
};

// Behind a message: a byte of 1, the bytes of the digest, those of a block, a byte of 1.
#define MARKS (UINT32_C(0x01000001) | RATE_BYTES << 16 | DIGEST_BYTES << 8)
#define MARKS_BYTES 4

typedef struct {
  bool more;      // words of the message come
  uint32_t left;  // marks that had no room in its last word, the first one lowest
} padding;

// The next word of the padded message. Returns whether the last of the marks is in it or before.
static bool next_word(uint64_t *word, lydite_stream64 *s_axis, padding *place) {
  lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
  if (place->more) beat = lydite_stream64_read(s_axis);
  uint64_t bytes = place->left;
  uint32_t left = beat.last ? MARKS : 0;
  for (int byte = 0; byte < 8; byte++) {
    // Keep is ones from the lowest: the byte behind them is where the marks go.
    const bool kept = beat.keep >> byte & 1;
    const bool before = byte == 0 || (beat.keep >> (byte - 1) & 1);
    if (kept) bytes |= beat.data & UINT64_C(0xff) << 8 * byte;
    if (beat.last && before && !kept) {
      bytes |= (uint64_t)MARKS << 8 * byte;
      left = byte <= 8 - MARKS_BYTES ? 0 : MARKS >> 8 * (8 - byte);
    }
  }
  const bool fits = !place->more || (beat.last && !(beat.keep >> (8 - MARKS_BYTES) & 1));
  place->left = left;
  place->more = place->more && !beat.last;
  *word = bytes;
  return fits;
}

// The slices before those of a group.
static slices from_before(slices group, slices before) {
  return (slices)(group << 1 | before >> (BITS - 1));
}

void keccak_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Before the first block, zeros are written into all of the state.
  slices state[KECCAK_LANES][GROUPS], block[RATE_LANES][GROUPS];
#pragma HLS array_partition variable=state complete dim=1
#pragma HLS bind_storage variable=state type=ram_s2p impl=lutram
#pragma HLS array_partition variable=block complete dim=1
#pragma HLS bind_storage variable=block type=ram_s2p impl=lutram
  // Logic, not a memory.
#pragma HLS array_partition variable=keccak_rc complete
  // Of the groups before: lanes as they were read, and the parity of columns.
  slices lanes[KECCAK_LANES] = {0}, parities[5] = {0};
#pragma HLS array_partition variable=lanes complete
  slices addend[RATE_LANES] = {0};  // of the block, and iota
#pragma HLS array_partition variable=addend complete
  // Where the next group is of lanes that are read so many groups earlier.
  uint8_t at[GROUPS] = {0};
#pragma HLS array_partition variable=at complete
  uint64_t digest[DIGEST_LANES] = {0}, word = 0;
  padding place = {.more = true, .left = 0};
  bool load = true;      // words of a block come
  bool closes = false;   // the block that comes, or came, is the last one
  bool running = false;  // a block is permuted
  bool last = false;     // it is the last one
  bool done;
  uint8_t round = FIRST, step = 0, fill = 0, piece = 0;
  do {
    // A group of slices of a round, and one of a lane of the next block, a cycle.
#pragma HLS pipeline II=1
    const bool ends = step == STEPS - 1, absorbed = ends && round == KECCAK_ROUNDS - 1;
    slices before[KECCAK_LANES], after[KECCAK_LANES], parity[5];
    for (int x = 0; x < 5; x++) {
      for (int y = 0; y < 5; y++) {
        const int lane = x + 5 * y, over = rotations[lane] % BITS;
        const slices group = state[lane][at[rotations[lane] / BITS]];
        const slices carried = (slices)(over ? lanes[lane] >> (BITS - over) : 0);
        before[y + 5 * ((2 * x + 3 * y) % 5)] = (slices)(group << over | carried);
        lanes[lane] = group;
      }
    }
    for (int i = 0; i < KECCAK_LANES; i++) {
      const int row = i / 5 * 5;
      after[i] = before[i] ^ (slices)(~before[(i + 1) % 5 + row] & before[(i + 2) % 5 + row]);
      if (i < RATE_LANES) after[i] ^= addend[i];
    }
    for (int x = 0; x < 5; x++) {
      parity[x] = after[x] ^ after[x + 5] ^ after[x + 10] ^ after[x + 15] ^ after[x + 20];
    }
    const slices kept = running || round == KECCAK_ROUNDS - 1 ? (slices)-1 : 0;
    for (int i = 0; i < KECCAK_LANES; i++) {
      const int left = (i + 4) % 5, right = (i + 1) % 5;
      const slices theta = parity[left] ^ from_before(parity[right], parities[right]);
      if (step >= AHEAD) state[i][at[rotations[i] / BITS]] = (after[i] ^ theta) & kept;
    }
    for (int x = 0; x < 5; x++) parities[x] = parity[x];
    for (int i = 0; i < DIGEST_LANES; i++) {
      digest[i] = digest[i] >> BITS | (uint64_t)after[i] << (64 - BITS);
    }
    done = absorbed && last;
    // What follows for the next cycle.
    running = running || absorbed;
    for (int i = 0; i < GROUPS; i++) {
      at[i] = (uint8_t)(at[i] + (ends ? 2 * GROUPS - 1 - i : 1)) % GROUPS;
    }
    const bool starts = ends && round == FIRST - 1 && !last;
    if (ends) round = round == KECCAK_ROUNDS - 1 ? 0 : round + 1;
    step = ends ? 0 : step + 1;
    const uint8_t group = (uint8_t)((step + GROUPS - AHEAD) % GROUPS);
    const bool absorbs = round == KECCAK_ROUNDS - 1 && !last;
    for (int i = 0; i < RATE_LANES; i++) addend[i] = absorbs ? block[i][group] : 0;
    if (running) addend[0] ^= (slices)(keccak_rc[round] >> BITS * group);
    if (absorbed) last = closes;
    if (load) {
      word >>= BITS;
      if (piece == 0) closes = next_word(&word, s_axis, &place);
      block[fill][piece] = (slices)word;
      const bool whole = piece == GROUPS - 1;
      load = !(whole && fill == RATE_LANES - 1);
      fill = !load ? 0 : fill + whole;
      piece = whole ? 0 : piece + 1;
    }
    load = load || starts;
  } while (!done);
  for (int i = 0; i < DIGEST_LANES; i++) {
#pragma HLS pipeline II=1
    const bool ends = i == DIGEST_LANES - 1;
    const lydite_stream64_beat beat = {.data = digest[i], .keep = 0xff, .last = ends};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0xf4d0fb1df8acddce, 0x10f6ca10eee36753, 0xa087d9861b1fe808, 0x40d2ce7f1914f8b6}},
    {1, {0x1c120bf8d304419a, 0x1851d7d95e9d66fc, 0x3f9e666618e4e210, 0xf5b128e66e6e2347}},
    {4, {0x8e41db288ddd83b1, 0xbb206f05072c32cd, 0x487c6ca071825404, 0x54a7d461e0de8b07}},
    {5, {0x91f709c2f89418ec, 0x7514e0524287f92a, 0xb5c3c77ec04e29a4, 0x21a2628712fa89ea}},
    {8, {0x3f52ce43e0b589e2, 0x5d5aab8ea1b7f653, 0x5c0ee711b1657768, 0x589b05e6116b7f25}},
    {127, {0xcedffb63052642ab, 0xebfc085de47159d3, 0x58bb1fce167fb04d, 0x9931fdd40f54efb6}},
    {131, {0xe0e6bbb880d9ac1a, 0xff3c93065f9c2eb8, 0x0ad9d275cb2148d8, 0x4618444621415837}},
    {132, {0x5feda4a7cfa1d741, 0xfc1f6a8688a72a3b, 0x23ea9282d758f170, 0xbc22f0682e22e0a6}},
    {133, {0xd69af85eb5f56cc1, 0x0f8f7177a36aa2d5, 0x6986f96ad0068208, 0x83befcba48be466f}},
    {135, {0x124ff0329f92a465, 0xcb9a6ff8c9d11c7b, 0xda3a987aa643d46b, 0x9820d83370f34016}},
    {136, {0xa4596fa80fbee330, 0x506bf527f7b5dabb, 0x05f4350f709a516b, 0xf3022af2b501ee47}},
    {137, {0x713e5f83d1921849, 0xb3e5aaa7ec63c88d, 0x9a0dcb242711d2e6, 0xe4625f3473147c8f}},
    {272, {0xe417dcd9b128480a, 0x445eb9df3100be22, 0xb561ea9186a47a35, 0xf86a960ff21f8772}},
    {300, {0xb795f542770ef57a, 0x4be38ad99e1d292c, 0xa5c2ec9948ca0353, 0x518a41465166d026}},
};

int main(void) { return message_check(keccak_fold, answers, sizeof answers / sizeof *answers); }
