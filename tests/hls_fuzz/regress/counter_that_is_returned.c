// SPDX-License-Identifier: Apache-2.0
// top: top, std: c23
// The loop's own counter is what the function returns: it must not move on while the last test,
// which takes states, is still being made.
static const signed char text[20] = "zero\0and eight";

int top(int at) {
  int n = at & 7;
  while (text[n] != 0) n++;
  return n;
}

int main(void) {
  int sum = 0;
  for (int i = 0; i < 9; i++) sum = sum * 31 + top(i);
  return sum & 0x7f;
}
