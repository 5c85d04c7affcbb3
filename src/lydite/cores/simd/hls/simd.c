// SPDX-License-Identifier: Apache-2.0
//
// SIMD-256 ("SIMD Is a Message Digest", 2009, as tweaked for round 2) from stream to stream,
// padding included, a step a cycle, and the expansion of a block, an eighth of it a cycle, at the
// end of the one before it: a core for `lydite bench`. Top function: simd256.

#include "../../common/hls/message.h"

#define BLOCK_WORDS 8  // of 64 bits
#define READS 32       // steps that have points, read a cycle before
#define STEPS 36
#define CYCLES 40  // of a block
#define STAGES 5   // of the expansion, each with a register behind it
// What a step reads is read two cycles before it, and the next block's points come in behind the
// last of that, STAGES cycles behind what they are made of.
#define POINTS (READS - 2)
#define COLUMNS (POINTS - STAGES)
// Word i of a block is read in cycle FIRST + i, the last one before the first column goes in.
#define FIRST (COLUMNS - BLOCK_WORDS)

// What becomes of zeros with the block "SIMD-256 v1.1".
static const uint32_t initial[16] = {
    0x4d567983, 0x07190ba9, 0x8474577b, 0x39d726e9, 0xaaf3d925, 0x3ee20b03, 0xafd5e751, 0xc96006d3,
    0xc2c2ba14, 0x49b3bcb4, 0xf67caf46, 0x668626c9, 0xe2eaa8d2, 0x1ff47833, 0xd0c661a5, 0x55693de1,
};

// Powers of 139, which has order 128 modulo 257: to that of row and column.
static const int16_t twiddles[16][8] = {
    {1, 1, 1, 1, 1, 1, 1, 1}, {1, -118, 46, -31, 60, 116, -67, -61},
    {1, 46, 60, -67, 2, 92, 120, 123}, {1, -31, -67, 21, 120, -122, -73, -50},
    {1, 60, 2, 120, 4, -17, 8, -34}, {1, 116, 92, -122, -17, 84, -22, 18},
    {1, -67, 120, -73, 8, -22, -68, -70}, {1, -61, 123, -50, -34, 18, -70, -99},
    {1, 2, 4, 8, 16, 32, 64, 128}, {1, 21, -73, 9, -68, 114, 81, -98},
    {1, 92, -17, -22, 32, 117, -30, 67}, {1, -62, -11, -89, 121, -49, -46, 25},
    {1, 120, 8, -68, 64, -30, -2, 17}, {1, -25, 111, 52, -15, 118, -123, -9},
    {1, 123, -34, -70, 128, 67, 17, 35}, {1, -122, -22, 114, -30, 62, -111, -79},
};

// Where the points that a step reads begin, by 8, in a half of all: of round 0 in the first one, of
// round 1 in the second one, of rounds 2 and 3 in both.
static const uint8_t rows[READS] = {
    4, 6, 0, 2, 7, 5, 3, 1, 7, 3, 4, 0, 1, 5, 2, 6, 1, 2, 7, 4, 6, 5, 0, 3, 6, 0, 1, 7, 3, 5, 4, 2,
};
static const uint8_t rotations[4][4] = {
    {3, 23, 17, 27}, {28, 19, 22, 7}, {29, 9, 15, 5}, {4, 13, 10, 25}};

// A value that so many bits hold.
static int32_t fit(int32_t value, int bits) {
  return (int32_t)((uint32_t)value << (32 - bits)) >> (32 - bits);
}

// The same modulo 257, some 8 bits less, since 256 is -1.
static int32_t reduce(int32_t value) { return fit((value & 0xff) - (value >> 8), 10); }

static void butterfly(int32_t *x, int32_t *y, int shift, int bits) {
  const int32_t scaled = (int32_t)((uint32_t)*y << shift), upper = *x + scaled;
  *y = fit(*x - scaled, bits);
  *x = fit(upper, bits);
}


// Points 8 i + c of a block, of a column c all 16: the sum over b < 16 of 2^(b i) 139^(b c) times
// the sum over a < 8 of 4^(a c) x_(16 a + b). Powers of 4 and 2 are shifts and signs. Each call
// takes in a column, and gives the points of that of STAGES calls before.
static void expand(int16_t points[16], int32_t stages[STAGES][16],
                   const uint64_t block[BLOCK_WORDS], uint8_t c, bool final) {
  static const uint8_t order[16] = {0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  int32_t v[16];
  for (int i = 0; i < 16; i++) {
    const int32_t point = reduce(reduce(stages[4][i]));  // from -1 to 256
    points[i] = (int16_t)fit(point > 128 ? point - 257 : point, 9);
  }
  // The transform of 16, two of its stages at a time.
  for (int i = 0; i < 16; i++) v[i] = stages[3][i];
  for (int i = 0; i < 16; i += 8) {
    for (int k = 0; k < 4; k++) butterfly(&v[i + k], &v[i + k + 4], 2 * k, 16);
  }
  for (int i = 0; i < 16; i++) v[i] = reduce(v[i]);
  for (int k = 0; k < 8; k++) butterfly(&v[k], &v[k + 8], k, 17);
  for (int i = 0; i < 16; i++) stages[4][i] = v[i];
  for (int i = 0; i < 16; i++) v[i] = stages[2][order[i]];
  for (int i = 0; i < 16; i += 2) butterfly(&v[i], &v[i + 1], 0, 11);
  for (int i = 0; i < 16; i += 4) {
    butterfly(&v[i], &v[i + 2], 0, 15);
    butterfly(&v[i + 1], &v[i + 3], 4, 15);
  }
  for (int i = 0; i < 16; i++) stages[3][i] = reduce(v[i]);
  // Sums of bytes, scaled.
  for (int b = 0; b < 16; b++) stages[2][b] = reduce(reduce(stages[1][b]));
  for (int b = 0; b < 16; b++) stages[1][b] = fit(stages[0][b] * twiddles[b][(c + 7) % 8], 18);
  const int once = c % 4 * 2, twice = c % 2 * 4, thrice = (4 - c % 4) % 4 * 2;
  const bool minus1 = c & 4, minus2 = c & 2, minus3 = minus1 != (c % 4 == 2);
  for (int b = 0; b < 16; b++) {
    uint32_t x[4];
    for (int a = 0; a < 4; a++) x[a] = block[2 * a + b / 8] >> b % 8 * 8 & 0xff;
    const int32_t x1 = (int32_t)(x[1] << once), x2 = (int32_t)(x[2] << twice);
    const int32_t x3 = (int32_t)(x[3] << thrice);
    int32_t sum = (int32_t)x[0] + (minus2 ? -x2 : x2) + (minus1 ? -x1 : x1) + (minus3 ? -x3 : x3);
    // The inputs behind the block: that of place 127 is one, that of place 125 in the final block.
    if (b == 15 || (b == 13 && final)) {
      sum += minus1 != (c % 4 != 0) ? -(1 << thrice) : 1 << thrice;
    }
    stages[0][b] = reduce(fit(sum, 16));
  }
}

static uint32_t left(uint32_t word, int count) { return word << count | word >> (32 - count); }

void simd256(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Registers, and logic.
  int16_t points[16][8];
#pragma HLS array_partition variable=points complete dim=0
#pragma HLS array_partition variable=twiddles complete dim=0
#pragma HLS array_partition variable=rows complete dim=0
#pragma HLS array_partition variable=rotations complete dim=0
  int32_t stages[STAGES][16];
#pragma HLS array_partition variable=stages complete dim=0
  uint32_t state[4][4] = {{0}}, chain[4][4] = {{0}};
#pragma HLS array_partition variable=state complete dim=0
#pragma HLS array_partition variable=chain complete dim=0
  for (int i = 0; i < 16; i++) {
#pragma HLS unroll
    for (int k = 0; k < 8; k++) points[i][k] = 0;
    for (int k = 0; k < STAGES; k++) stages[k][i] = 0;
  }
  uint64_t block[BLOCK_WORDS] = {0}, bytes = 0;
  bool more = true;      // words of the message come
  bool load = true;      // words of a block come
  bool some = false;     // it has bytes of the message
  bool final = false;    // the block that comes, or came, is that of the length
  bool running = false;  // a block is worked on
  bool last = false;     // it is that of the length
  bool done;
  uint8_t cycle = FIRST, other = 1;
  // Of the step; of the words of the next one; of the points of that behind it.
  uint32_t words[4] = {0};
  int16_t low[4] = {0}, high[4] = {0};
  uint8_t factor = 233, turn = 4, turn_new = 13, row = 0, round = 3;
  bool majority = false, starts = false;
  do {
    // A step, a column of points of the next block, or a word of it, a cycle.
#pragma HLS pipeline II=1
    if (load) {
      lydite_stream64_beat beat = {.data = 0, .keep = 0, .last = false};
      if (more) beat = lydite_stream64_read(s_axis);
      uint64_t word = 0;
      uint8_t count = 0;
      for (int byte = 0; byte < 8; byte++) {
        if (beat.keep >> byte & 1) {
          word |= beat.data & UINT64_C(0xff) << 8 * byte;
          count = (uint8_t)(byte + 1);
        }
      }
      bytes += count;
      some = some || count != 0;
      more = more && !beat.last;
      for (int i = 0; i < BLOCK_WORDS - 1; i++) block[i] = block[i + 1];
      block[BLOCK_WORDS - 1] = word;
      // A block without a byte is that of the length.
      if (cycle == COLUMNS - 1) {
        final = !some;
        if (final) block[0] = 8 * bytes;
        some = false;
      }
    }
    // Words of the next step: pairs of points, or behind the rounds of the chaining value.
    uint32_t ahead[4];
    for (int k = 0; k < 4; k++) {
      const uint32_t pair =
          ((uint32_t)(low[k] * factor) & 0xffff) | (uint32_t)(high[k] * factor) << 16;
      ahead[k] = cycle < READS - 1 || starts ? pair : chain[(cycle + 1) % 4][k];
    }
    // Points of the step behind it.
    for (int k = 0; k < 4; k++) {
      const int16_t even_low = points[row][2 * k], odd_low = points[row][2 * k + 1];
      const int16_t even_high = points[8 + row][2 * k], odd_high = points[8 + row][2 * k + 1];
      low[k] = round == 1 ? even_high : round == 3 ? odd_low : even_low;
      high[k] = round == 0 ? odd_low : round & 1 ? odd_high : even_high;
    }
    factor = round < 2 ? 185 : 233;
    // The step (1.2).
    uint32_t turned[4], made[4];
    for (int n = 0; n < 4; n++) turned[n] = left(state[0][n], turn);
    for (int n = 0; n < 4; n++) {
      const uint32_t a = state[0][n], b = state[1][n], c = state[2][n];
      const uint32_t chosen = majority ? (a & b) | ((a | b) & c) : ((b ^ c) & a) ^ c;
      const uint32_t mine = left(state[3][n] + words[n] + chosen, turn_new);
      made[n] = mine + (other == 1 ? turned[n ^ 1] : other == 2 ? turned[n ^ 2] : turned[n ^ 3]);
    }
    for (int n = 0; n < 4; n++) {
      const uint32_t next[4] = {made[n], turned[n], state[1][n], state[2][n]};
      for (int r = 0; r < 4; r++) {
        // Behind the steps the state is the next chaining value.
        const uint32_t word = (uint32_t)(block[2 * r + n / 2] >> n % 2 * 32);
        const uint32_t before = running ? state[r][n] : initial[4 * r + n];
        chain[r][n] = starts ? before : chain[r][n];
        state[r][n] = starts ? before ^ word : cycle < STEPS ? next[r] : state[r][n];
      }
    }
    int16_t column[16];
    expand(column, stages, block, (cycle - COLUMNS) & 7, final);
    for (int i = 0; i < 16; i++) {
      for (int k = 0; k < 8; k++) {
        const int16_t next = k < 7 ? points[i][k + 1] : column[i];
        points[i][k] = cycle >= POINTS && cycle < POINTS + 8 ? next : points[i][k];
      }
    }
    // What follows for the next cycle.
    for (int k = 0; k < 4; k++) words[k] = ahead[k];
    done = cycle == STEPS - 1 && last;
    last = starts ? final : last;
    running = running || starts;
    other = starts || other == 3 ? 1 : other + 1;
    cycle = starts ? 0 : cycle + 1;
    starts = cycle == CYCLES - 1;
    const uint8_t next = cycle < CYCLES - 2 ? cycle + 2 : cycle - (CYCLES - 2);
    round = next >> 3 & 3;
    row = rows[next % READS];
    const uint8_t turns = cycle < READS ? cycle >> 3 : 3;
    turn = rotations[turns][cycle % 4];
    turn_new = rotations[turns][(cycle + 1) % 4];
    majority = cycle < READS && cycle % 8 >= 4;
    load = cycle >= FIRST && cycle < COLUMNS && !last;
  } while (!done);
  for (int word = 0; word < 4; word++) {
    const uint32_t *const pair = &state[word / 2][word % 2 * 2];
    const uint64_t data = (uint64_t)pair[1] << 32 | pair[0];
    const lydite_stream64_beat beat = {.data = data, .keep = 0xff, .last = word == 3};
    lydite_stream64_write(m_axis, beat);
  }
}

static const message_answer answers[] = {
    {0, {0x3ee120731ee82980, 0xec1f02d8c31d00d9, 0x80ad43cd257a5b69, 0xa8aefc351c186052}},
    {1, {0x556b7907a6223c39, 0x9c99a9a4c589a527, 0x433592164cec122f, 0xbe656e8ea3c6b6af}},
    {7, {0x1dc6f42621636470, 0x580e386387643c78, 0xa3ac4b8fde60df43, 0x3f59c14310438acd}},
    {8, {0x67f7b4d4c1a53290, 0x4a2f6b96803860ab, 0x2cff5e88e80dd316, 0xe8310d2ed330a4e9}},
    {9, {0xef36d65a69d1c011, 0xa1e072b3c52fcadf, 0x384f9e01351a5c8c, 0x3564aa4cc72bb671}},
    {56, {0xedb5b22aa769f65b, 0x784b26c492acdfed, 0x89a5f955b44bf622, 0x07b3d8c7131a1659}},
    {63, {0x767311f7c2d9735d, 0xd0f9164583044a77, 0xbd693aa0d3944fcc, 0xc427ea803e57e2b6}},
    {64, {0x51ca1c9f82a436d2, 0xb25a08387d662a57, 0x60b116f45b9bfe6e, 0x7e6c26e16db63709}},
    {65, {0x6c8e46ed51c9c2e6, 0xab6d86b1798ed3ed, 0xd5211dfbf4ae7719, 0xceb06cee6ca37c96}},
    {72, {0xd1521a42e6f52fd9, 0xba1aa05eaf3f0c17, 0x1368628ff64e47cd, 0x5b2b511cde7bb73e}},
    {128, {0x5fe2e7f462361f58, 0x0658c0dd1faeacf9, 0xdf0a81bc111c847e, 0x9b86afd2921808cb}},
    {200, {0x8b3cdf9221ea5af2, 0xb3092d2493939625, 0xc1eab7df57b3fe4b, 0xcc8071f73325b634}},
};

int main(void) { return message_check(simd256, answers, sizeof answers / sizeof *answers); }
