// SPDX-License-Identifier: Apache-2.0
//
// Hamsi-256 ("The Hash Function Hamsi", 2009) from stream to stream, padding included, a diagonal
// of the state, a quarter of a round, a cycle: a core for `lydite bench`. Top function: hamsi_fold.
//
// L takes a word of each row, in columns one further from row to row, and so one bit of what each
// S-box gives. The state turns by a column a cycle, so that the diagonal always stands in the same
// place. What comes of it waits until the last one is done. The state of a word comes in as
// diagonals, too.

#include "../../common/hls/message32.h"
#include "../code.h"

#define TURNS 4  // diagonals of a round

// Word i, less than 4, of the expansion of a word, whose lowest byte is the first.
static uint32_t expand(uint32_t word, int i) {
  uint32_t sum = 0;
  for (int element = 0; element < 16; element++) {
    const bool low = word >> 2 * element & 1, high = word >> (2 * element + 1) & 1;
    sum ^= (low ? hamsi_code[element][i] : 0) ^ (high ? hamsi_code[element][4 + i] : 0);
  }
  return sum;
}

// Each element times w: word i of its expansion is word i + 4 of the word's.
static uint32_t times_w(uint32_t word) {
  const uint32_t low = word & 0x55555555, high = word >> 1 & 0x55555555;
  return high << 1 ^ low << 1 ^ high;
}

static uint32_t left(uint32_t word, int count) { return word << count | word >> (32 - count); }

// The S-box on the bits in one place of four words, as sums of products: a row of what it gives.
static uint32_t substituted(const uint32_t column[4], int row) {
  const uint32_t a = column[0], b = column[1], c = column[2], d = column[3];
  return row == 0   ? b ^ d ^ (c & ~a)
         : row == 1 ? a ^ b ^ c ^ (b & c & ~a) ^ (d & ((a & ~b) ^ (c & ~a)))
         : row == 2 ? a ^ b ^ d ^ (b & c) ^ (d & ~a & (b ^ c))
                    : ~(a ^ b ^ c ^ (a & b & c) ^ (b & d));
}

// L
static void diffuse(uint32_t w[4]) {
  const uint32_t a = left(w[0], 13), c = left(w[2], 3);
  w[1] = left(w[1] ^ a ^ c, 1);
  w[3] = left(w[3] ^ c ^ a << 3, 7);
  w[0] = left(a ^ w[1] ^ w[3], 5);
  w[2] = left(c ^ w[3] ^ w[1] << 7, 22);
}

void hamsi_fold(lydite_stream32 *s_axis, lydite_stream32 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // In LUT RAM words 0, 1, 4, 5 of the chaining value, and 6, 7, 2, 3. Of each a word comes into a
  // diagonal, and one of what comes of it is added to each.
  uint32_t low[4], high[4];
#pragma HLS bind_storage variable=low type=ram_s2p impl=lutram
#pragma HLS bind_storage variable=high type=ram_s2p impl=lutram
#pragma HLS array_partition variable=hamsi_code complete dim=0
#pragma HLS array_partition variable=hamsi_alpha complete dim=0
  for (int i = 0; i < 4; i++) {
#pragma HLS unroll
    low[i] = hamsi_initial[i < 2 ? i : i + 2];
    high[i] = hamsi_initial[i < 2 ? 6 + i : i];
  }
  uint32_t columns[4][4] = {{0}};  // of the state, the next one first; in each a word of each row
  uint32_t waiting[3][4] = {{0}};  // diagonals
#pragma HLS array_partition variable=columns complete dim=0
#pragma HLS array_partition variable=waiting complete dim=0
  message32_place place = {.more = true};
  uint32_t word = 0;
  uint8_t turn = TURNS - 1, step = 0;  // the diagonal, the round
  bool ends = true;                    // the diagonal is the last one
  bool loads = false;                  // a word comes in
  bool last = true;                    // the round is the last one: of none, behind which one does
  bool running = false;                // there has been a word
  bool final = false;                  // the word is the last one
  bool done;
  do {
    // A diagonal a cycle; the next word is read in the last one of a word.
#pragma HLS pipeline II=1
    const bool outer = turn == 0 || ends, upper = turn >= 2;
    // Two words of the expansion: 0 and 7, 1 and 2, 4 and 3, 5 and 6.
    const uint32_t turned = times_w(word);
    const uint32_t of_first = upper ? turned : word, of_second = outer ? turned : word;
    const uint32_t first = turn & 1 ? expand(of_first, 1) : expand(of_first, 0);
    const uint32_t second = turn & 1 ? expand(of_second, 2) : expand(of_second, 3);
    const uint8_t low_at = loads ? turn ^ 2 : turn, high_at = (loads ? turn + 3 : turn) % 4;
    const uint32_t of_low = low[low_at], of_high = high[high_at];
    uint32_t loaded[4], mixed[4], diagonal[4];
    loaded[0] = upper ? of_low : first;
    loaded[1] = outer ? of_high : second;
    loaded[2] = upper ? first : of_low;
    loaded[3] = outer ? second : of_high;
    for (int i = 0; i < 4; i++) mixed[i] = substituted(columns[i], i);
    diffuse(mixed);
    for (int i = 0; i < 4; i++) diagonal[i] = loads ? loaded[i] : mixed[i];
    if (running & last) {
      low[low_at] = of_low ^ (upper ? mixed[2] : mixed[0]);
      high[high_at] = of_high ^ (upper ? mixed[0] : mixed[2]);
    }
    uint32_t next[4][4];
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) {
        const int from = (j + 4 - i) % 4;
        uint32_t constant = hamsi_alpha[final][i][j];
        if (i == 0 && j == 1) constant ^= loads ? 0 : step + 1;
        const uint32_t gathered = from == 3 ? diagonal[i] : waiting[from][i];
        next[j][i] = ends ? gathered ^ constant : columns[(j + 1) % 4][i];
      }
    }
    for (int i = 0; i < 4; i++) {
      for (int j = 0; j < 4; j++) columns[j][i] = next[j][i];
      waiting[0][i] = waiting[1][i];
      waiting[1][i] = waiting[2][i];
      waiting[2][i] = diagonal[i];
    }
    const bool over = ends & last;
    done = over & final;
    if (over & !final) final = message32_word(&word, s_axis, &place, 0x80);
    running = running | over;
    step = over | (ends & loads) ? 0 : step + ends;
    loads = ends ? over : loads;
    last = !loads & (step == (final ? HAMSI_FINAL_ROUNDS : HAMSI_ROUNDS) - 1);
    turn = (turn + 1) % TURNS;
    ends = turn == TURNS - 1;
  } while (!done);
  for (int i = 0; i < 8; i++) {
    const int at = (i & 1) | ((i >> 1 ^ i >> 2) & 1) << 1;
    const uint32_t data = message32_swap(i & 2 ? high[at] : low[at]);
    const lydite_stream32_beat beat = {.data = data, .keep = 0xf, .last = i == 7};
    lydite_stream32_write(m_axis, beat);
  }
}

static const message32_answer answers[] = {
    {0,
     {0xc49e0e75, 0x62dbf469, 0x0c7eee6b, 0x1baadd10,
      0x94e11fd0, 0xabfb4eb9, 0x6447d2eb, 0xe9132bdc}},
    {1,
     {0xe54a070c, 0x559a5bda, 0xa3405a72, 0x077130df,
      0x0888c969, 0x7a51f12c, 0x8410d123, 0x99d37cb9}},
    {3,
     {0xefcfa61a, 0xca54fe00, 0x0dc3797d, 0x735a75d1,
      0xdb13bded, 0x784d6f60, 0x4d0e158c, 0xc5430b70}},
    {4,
     {0x0755bab5, 0x0a1b4db2, 0xa65e6746, 0x2932c321,
      0xf6edc4ac, 0x3f71f4f4, 0x7a448ee1, 0x7a9a9c46}},
    {5,
     {0x94e51d10, 0x914b4d35, 0x8da9aa45, 0xb924ba0d,
      0x75a95a20, 0xcf498cba, 0x95269266, 0x0daecf99}},
    {7,
     {0x365b9324, 0xe61e0283, 0x54be794b, 0x0ddbab34,
      0x5c2f90d7, 0x5ab4a6a6, 0xc02a8ce2, 0x07e866ae}},
    {8,
     {0xdabccccc, 0x70e667b0, 0x6eefae03, 0x27d063e9,
      0xe0b5d74e, 0x7c0d549c, 0xf2c46416, 0x2ba0b209}},
    {9,
     {0xeb4302d7, 0xa52b8272, 0x5d320b6c, 0xd3e6e3de,
      0x6d479933, 0x2741b551, 0x3fee9760, 0xa486eb11}},
    {31,
     {0xce9ed660, 0xb9fa0951, 0x8981ae1e, 0xf85f768a,
      0x9ae88fe9, 0x2bc199ef, 0x9dd339cf, 0x4938199a}},
    {32,
     {0x2a9985b1, 0xbf7d8605, 0x72a50670, 0xe7b9b0ee,
      0xf8d8e447, 0xeb194a8b, 0x6233b058, 0x2785864e}},
    {33,
     {0xd2538ffc, 0x7cd6ff05, 0x7df367aa, 0x269606a0,
      0xc1783226, 0x4aab333a, 0xe9b8fe53, 0x88574f56}},
    {64,
     {0x0cd377e1, 0x79ff5374, 0x553110b6, 0x3c61a8cb,
      0x4ce6bbec, 0xd38619be, 0x69e8ee02, 0x3a6097d5}},
    {100,
     {0xb6491ea0, 0x6c00237b, 0xa0ea6768, 0x57b36bd0,
      0xb5274caa, 0xbaa8947a, 0x0ee5f6e7, 0xab85223b}},
    {200,
     {0x08bc689d, 0x3283f427, 0xd13045b6, 0x160d807c,
      0xeb92c39d, 0x76d51ea7, 0x0a78217f, 0x949c71b1}},
};

int main(void) { return message32_check(hamsi_fold, answers, sizeof answers / sizeof *answers); }
