// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256 ("SIMD Is a Message Digest", 2009, as tweaked for round 2) from stream to stream,
// padding included, a word of a step a cycle, and of the expansion an input of 16 points: a core
// for `lydite bench`. Top function: simd_fold.
//
// Points 8 i + c of a block are the sum over b < 16 of 2^(b i) 139^(b c) times the sum over a < 8
// of 4^(a c) x_(16 a + b), modulo 257: for one c after the other, of each i, that of b = 15 times
// 2^i and that of b = 14, and so on. Since 2^8 is -1, these are shifts and signs. The points lie in
// block RAM: steps read those of one block, while those of the next one come in.
//
// A step makes four words, each in a cycle. The first row of the state is in LUT RAM, as it was
// before the step and behind it; what a step turns it to goes through the other rows, a queue.

#include "../../common/hls/beat_bytes.h"
#include "../../common/hls/message.h"
#include "../sw/simd.h"

#define POINTS 128
#define INPUTS 16        // of a column of points, and its points
#define CYCLES 192       // of a block
#define COLUMNS_END 128  // until here inputs of the next block's points
#define FIRST_WORD 128   // words of the block behind it, a byte a cycle
#define FIRST_CHAIN 112  // the chaining value, in 16 cycles, to which the next block is added
#define LAST_CHAIN 127
#define POINTS_THERE 151  // the steps of the next block follow
#define READS 32          // steps that have points
#define STEPS 36

// Powers of 139 modulo 257.
static const int16_t powers[POINTS] = {
    1, -118, 46, -31, 60, 116, -67, -61, 2, 21, 92, -62, 120, -25, 123, -122, 4, 42, -73, -124,
    -17, -50, -11, 13, 8, 84, 111, 9, -34, -100, -22, 26, 16, -89, -35, 18, -68, 57, -44, 52, 32,
    79, -70, 36, 121, 114, -88, 104, 64, -99, 117, 72, -15, -29, 81, -49, 128, 59, -23, -113, -30,
    -58, -95, -98, -1, 118, -46, 31, -60, -116, 67, 61, -2, -21, -92, 62, -120, 25, -123, 122, -4,
    -42, 73, 124, 17, 50, 11, -13, -8, -84, -111, -9, 34, 100, 22, -26, -16, 89, 35, -18, 68, -57,
    44, -52, -32, -79, 70, -36, -121, -114, 88, -104, -64, 99, -117, -72, 15, 29, -81, 49, -128,
    -59, 23, 113, 30, 58, 95, 98,
};

// A value that so many bits hold.
static int32_t fit(int32_t value, int bits) {
  return (int32_t)((uint32_t)value << (32 - bits)) >> (32 - bits);
}

// The same modulo 257, some 8 bits less, since 256 is -1.
static int32_t reduce(int32_t value, int bits) {
  return fit((value & 0xff) - (value >> 8), bits);
}

// 4^(a c) times x, but for multiples of 257: 4^4 is -1.
static int32_t times_power(uint8_t x, uint8_t a, uint8_t c) {
  const uint8_t power = (uint8_t)(a * c % 8);
  const int32_t shifted = x << power % 4 * 2;
  return power & 4 ? -shifted : shifted;
}

static uint32_t left(uint32_t word, uint8_t count) {
  for (int bit = 0; bit < 5; bit++) {
    if (count >> bit & 1) word = word << (1 << bit) | word >> (32 - (1 << bit));
  }
  return word;
}

void simd_fold(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Logic.
#pragma HLS array_partition variable=simd_order complete dim=0
#pragma HLS array_partition variable=simd_rotations complete dim=0
#pragma HLS array_partition variable=simd_initial complete
#pragma HLS array_partition variable=powers complete
  // The block that is expanded: x_(16 a + b) by a and b, and words.
  uint8_t x[4][INPUTS];
  uint32_t m[16];
#pragma HLS array_partition variable=x complete dim=1
#pragma HLS bind_storage variable=x type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=m type=ram_s2p impl=lutram
  // Two copies each, since two are read at once: points of two blocks, and the first row.
  int16_t points_low[2 * POINTS], points_high[2 * POINTS];
  uint32_t row_own[8], row_other[8], chain[16];
#pragma HLS bind_storage variable=points_low type=ram_s2p impl=bram
#pragma HLS bind_storage variable=points_high type=ram_s2p impl=bram
#pragma HLS bind_storage variable=row_own type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=row_other type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=chain type=ram_s2p impl=lutram
  int32_t sums[INPUTS] = {0}, whole[INPUTS] = {0};  // of a column; of the one before it
  uint32_t queue[12] = {0}, digest[8] = {0};        // rows 3, 2 and 1; rows 1 and 0 at the end
#pragma HLS array_partition variable=sums complete
#pragma HLS array_partition variable=whole complete
#pragma HLS array_partition variable=queue complete
#pragma HLS array_partition variable=digest complete
  uint64_t bytes = 0, word = 0;
  bool more = true;    // words of the message come
  bool final = false;  // the block that comes, or came, is that of the length
  bool last = false;   // that which is worked on is
  bool first = true;   // none is
  bool half = false;   // of the points: where those of the next block go
  bool side = false;   // of the first row: where it is read
  bool active = false, done;
  uint8_t cycle = FIRST_WORD, step = 0, other = 1;
  do {
    // A word of a step, an input of a column, or a byte, a cycle. Points that come are not read.
#pragma HLS pipeline II=1
#pragma HLS dependence variable=points_low inter false
#pragma HLS dependence variable=points_high inter false
    const uint8_t n = cycle % 4, column = cycle / INPUTS % 8;
    const uint8_t input = INPUTS - 1 - cycle % INPUTS;  // b, of the points of a column c
    // A word of a step: of two points, or behind the rounds of the chaining value.
    const uint8_t turns = step < READS ? step / 8 : 3;
    const uint8_t pairs = simd_order[turns][step % 8];
    const uint8_t low = (uint8_t)(8 * pairs + 2 * n + (turns == 3));
    const uint8_t high = (uint8_t)(turns < 2 ? low + 1 : low + POINTS / 2);
    const int32_t factor = step < READS / 2 ? 185 : 233;
    const uint8_t from = half ? 0 : POINTS;
    const uint32_t pair = ((uint32_t)(points_low[from + low] * factor) & 0xffff) |
                          (uint32_t)(points_high[from + high] * factor) << 16;
    const uint32_t w = step < READS ? pair : chain[step % 4 * 4 + n];
    // The step (1.2).
    const bool chains = cycle >= FIRST_CHAIN && cycle <= LAST_CHAIN;
    const bool majority = step < READS && step % 8 >= 4;
    const uint8_t partner = n ^ other, turn = chains ? 0 : simd_rotations[turns][step % 4];
    const uint32_t a = row_own[(side ? 4 : 0) + n], far = row_other[(side ? 4 : 0) + partner];
    const uint32_t b = queue[8], c = queue[4], d = queue[0];
    const uint32_t chosen = majority ? (a & b) | ((a | b) & c) : ((b ^ c) & a) ^ c;
    const uint32_t mine = left(d + w + chosen, simd_rotations[turns][(step + 1) % 4]);
    // Behind the steps the state is the next chaining value: the last row comes first.
    const uint8_t place = (uint8_t)((3 - cycle / 4 % 4) * 4 + n);
    const uint32_t before = first ? simd_initial[place] : d;
    const uint32_t made = chains ? before ^ m[place] : mine + left(far, turn);
    if (active || chains) {
      row_own[(side ? 0 : 4) + n] = made;
      row_other[(side ? 0 : 4) + n] = made;
      for (int i = 0; i < 11; i++) queue[i] = queue[i + 1];
      queue[11] = left(a, turn);
      if (n == 3) side = !side;
    }
    if (chains) {
      chain[place] = before;
      for (int i = 0; i < 7; i++) digest[i] = digest[i + 1];
      digest[7] = before;
    }
    done = cycle == LAST_CHAIN && last;
    if (cycle == LAST_CHAIN) {
      last = final;
      first = false;
    }
    // A point of the column before: from -128 to 128.
    const int32_t point = reduce(whole[0], 10);
    const int16_t centred = (int16_t)fit(point > 128 ? point - 257 : point, 9);
    if (cycle >= INPUTS && cycle < COLUMNS_END + INPUTS) {
      const uint8_t at = (uint8_t)((half ? POINTS : 0) + cycle % INPUTS * 8 + (column + 7) % 8);
      points_low[at] = centred;
      points_high[at] = centred;
    }
    // An input: of those behind the block that of place 127 is one, that of place 125 in the final
    // block.
    int32_t sum = times_power(input == 15 || (input == 13 && final), 7, column);
    for (uint8_t i = 0; i < 4; i++) sum += times_power(x[i][input], i, column);
    const uint8_t power = input * column;
#pragma HLS bind_op variable=power op=mul impl=fabric
    const int32_t product = fit(reduce(fit(sum, 16), 10) * powers[power], 18);
    const int32_t term = reduce(reduce(product, 10), 10);
    for (int i = 0; i < INPUTS; i++) {
      const int32_t scaled = input == 15 ? 0 : (int32_t)((uint32_t)sums[i] << i % 8);
      sums[i] = reduce(fit(i < 8 ? term + scaled : term - scaled, 18), 11);
      whole[i] = input == 0 ? sums[i] : i < INPUTS - 1 ? whole[i + 1] : 0;
    }
    // The next block.
    if (cycle >= FIRST_WORD) {
      const uint8_t index = cycle / 8 % 8, piece = cycle % 8;
      word >>= 8;
      if (piece == 0) {
        lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
        if (more) beat = lydite_stream64_read(s_axis);
        uint8_t count;
        word = beat_bytes(beat, &count);
        bytes += count;
        more = more && !beat.last;
        // A block without a byte is that of the length.
        if (index == 0) final = count == 0;
        if (index == 0 && count == 0) word = 8 * bytes;
      }
      x[index / 2][index % 2 * 8 + piece] = (uint8_t)word;
      if (piece % 4 == 0) m[index * 2 + piece / 4] = (uint32_t)word;
    }
    // What follows for the next cycle.
    const bool over = n == 3 && active;
    active = cycle == POINTS_THERE || (active && !(over && step == STEPS - 1));
    step = cycle == POINTS_THERE ? 0 : step + over;
    if (over || chains) other = chains || other == 3 ? 1 : other + 1;
    half = half != (cycle == POINTS_THERE);
    cycle = cycle == CYCLES - 1 ? 0 : cycle + 1;
  } while (!done);
  for (int i = 0; i < 4; i++) {
#pragma HLS pipeline II=1
    const int place = (i * 2 + 4) % 8;
    const uint64_t data = (uint64_t)digest[place + 1] << 32 | digest[place];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = i == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x3ee120731ee82980, 0xec1f02d8c31d00d9, 0x80ad43cd257a5b69, 0xa8aefc351c186052}},
    {1, {0x556b7907a6223c39, 0x9c99a9a4c589a527, 0x433592164cec122f, 0xbe656e8ea3c6b6af}},
    {8, {0x67f7b4d4c1a53290, 0x4a2f6b96803860ab, 0x2cff5e88e80dd316, 0xe8310d2ed330a4e9}},
    {56, {0xedb5b22aa769f65b, 0x784b26c492acdfed, 0x89a5f955b44bf622, 0x07b3d8c7131a1659}},
    {63, {0x767311f7c2d9735d, 0xd0f9164583044a77, 0xbd693aa0d3944fcc, 0xc427ea803e57e2b6}},
    {64, {0x51ca1c9f82a436d2, 0xb25a08387d662a57, 0x60b116f45b9bfe6e, 0x7e6c26e16db63709}},
    {65, {0x6c8e46ed51c9c2e6, 0xab6d86b1798ed3ed, 0xd5211dfbf4ae7719, 0xceb06cee6ca37c96}},
    {128, {0x5fe2e7f462361f58, 0x0658c0dd1faeacf9, 0xdf0a81bc111c847e, 0x9b86afd2921808cb}},
    {200, {0x8b3cdf9221ea5af2, 0xb3092d2493939625, 0xc1eab7df57b3fe4b, 0xcc8071f73325b634}},
};

int main(void) { return message_check(simd_fold, answers, sizeof answers / sizeof *answers); }
