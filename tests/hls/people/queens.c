// SPDX-License-Identifier: Apache-2.0
// top: queens
// Queens on a board of up to eight, by backtracking on bits without recursion; the first solution.
#include <stdint.h>

uint16_t queens(uint8_t n, uint8_t first[8]) {
  uint8_t columns[9] = {0}, left[9] = {0}, right[9] = {0}, open[9];
  if (n == 0 || n > 8) return 0;
  const uint8_t all = (uint8_t)((1u << n) - 1);
  uint16_t found = 0;
  int8_t row = 0;
  open[0] = all;
  while (row >= 0) {
    if (!open[row]) {
      --row;
      continue;
    }
    const uint8_t bit = open[row] & -open[row];
    open[row] ^= bit;
    if (found == 0) first[row] = bit;
    if (row == n - 1) {
      ++found;
      continue;
    }
    columns[row + 1] = columns[row] | bit;
    left[row + 1] = (uint8_t)((left[row] | bit) << 1);
    right[row + 1] = (right[row] | bit) >> 1;
    ++row;
    open[row] = all & (uint8_t)~(columns[row] | left[row] | right[row]);
  }
  return found;
}

int main(void) {
  static const uint16_t known[] = {0, 1, 0, 0, 2, 10, 4, 40};  // OEIS A000170
  uint8_t first[8] = {0};
  for (uint8_t n = 0; n < 8; n++)
    if (queens(n, first) != known[n]) return n + 1;
  return queens(9, first) != 0 || queens(4, first) != 2 || first[0] != 2 || first[1] != 8 ||
      first[2] != 1 || first[3] != 4;
}
