// SPDX-License-Identifier: Apache-2.0
// Product of two 8 by 8 matrices of 16-bit numbers, sums of 32 bits; top function: matrix_product.

#include <stdint.h>

#define SIZE 8

// c = a * b by rows and columns; sums wrap. No const: C11 would not let int16_t[8][8] be given
// then.
void matrix_product(int32_t c[SIZE][SIZE], int16_t a[SIZE][SIZE], int16_t b[SIZE][SIZE]) {
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      int32_t sum = 0;
      for (int k = 0; k < SIZE; k++) sum += a[i][k] * b[k][j];
      c[i][j] = sum;
    }
  }
}

static int16_t a[SIZE][SIZE], b[SIZE][SIZE];
static int32_t c[SIZE][SIZE];

int main(void) {
  // By a diagonal matrix.
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = (int16_t)(1000 * i - 77 * j);
      b[i][j] = (int16_t)(i == j ? i - 3 : 0);
    }
  }
  matrix_product(c, a, b);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      if (c[i][j] != a[i][j] * (j - 3)) return 1;

  // (i + j) (i - j): the sum over k of (i + k) (k - j) is 140 + 28 (i - j) - 8 i j.
  for (int i = 0; i < SIZE; i++) {
    for (int j = 0; j < SIZE; j++) {
      a[i][j] = (int16_t)(i + j);
      b[i][j] = (int16_t)(i - j);
    }
  }
  matrix_product(c, a, b);
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++)
      if (c[i][j] != 140 + 28 * (i - j) - 8 * i * j) return 1;

  // The largest products wrap: 8 * 2^30 is 0 modulo 2^32.
  for (int i = 0; i < SIZE; i++)
    for (int j = 0; j < SIZE; j++) a[i][j] = b[i][j] = -32768;
  a[0][0] = 0;
  matrix_product(c, a, b);
  return c[0][0] != -0x40000000 || c[1][0] != 0;
}
