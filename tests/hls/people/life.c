// SPDX-License-Identifier: Apache-2.0
// top: generations
// Conway's life on a torus of 8 x 8, a row a byte, neighbours added bit by bit.
#include <stdint.h>
#include <string.h>

#define WEST(r) (uint8_t)((r) << 1 | (r) >> 7)
#define EAST(r) (uint8_t)((r) >> 1 | (r) << 7)

static void add(uint8_t count[3], uint8_t cells) {
  for (int i = 0; i < 3; ++i) {
    const uint8_t carry = count[i] & cells;
    count[i] ^= cells;
    cells = carry;
  }
}

uint32_t generations(uint8_t board[8], uint8_t steps) {
  uint32_t alive = 0;
  while (steps--) {
    uint8_t next[8];
    for (int y = 0; y < 8; ++y) {
      const uint8_t rows[3] = {board[(y + 7) % 8], board[y], board[(y + 1) % 8]};
      uint8_t count[3] = {0, 0, 0};  // modulo eight, which is enough
      for (int k = 0; k < 3; ++k) {
        add(count, WEST(rows[k]));
        add(count, EAST(rows[k]));
        if (k != 1) add(count, rows[k]);
      }
      next[y] = count[1] & (uint8_t)~count[2] & (count[0] | rows[1]);
    }
    memcpy(board, next, sizeof next);
  }
  for (int y = 0; y < 8; ++y) alive += (uint32_t)__builtin_popcount(board[y]);
  return alive;
}

int main(void) {
  uint8_t glider[8] = {0x02, 0x04, 0x07}, blinker[8] = {0, 0, 0, 0x1c}, block[8] = {0, 0, 0, 0x18,
      0x18};
  // A glider is one down and one to the right after four steps, at home after 32.
  uint8_t start[8];
  memcpy(start, glider, 8);
  if (generations(glider, 4) != 5) return 1;
  for (int y = 0; y < 8; y++) if (glider[(y + 1) % 8] != EAST(start[y]) &&
      glider[(y + 1) % 8] != WEST(start[y])) return 2;
  if (generations(glider, 28) != 5 || memcmp(glider, start, 8)) return 3;
  if (generations(blinker, 1) != 3 || blinker[2] != 8 || blinker[3] != 8 ||
      blinker[4] != 8) return 4;
  if (generations(blinker, 1) != 3 || blinker[3] != 0x1c) return 5;
  if (generations(block, 200) != 4 || block[3] != 0x18) return 6;
  memset(block, 0xff, 8);
  return generations(block, 1) != 0;
}
