// SPDX-License-Identifier: Apache-2.0
// A packed structure of bit-fields is one access of 17 bytes: once, its word was given no lanes.
#pragma pack(push)
#pragma pack(1)
struct fields {
  unsigned f0 : 10;
  const unsigned f1 : 25;
  volatile signed f2 : 24;
  volatile unsigned f3 : 3;
  signed f4 : 8;
  volatile signed f5 : 1;
  signed f6 : 28;
  const unsigned f7 : 31;
  volatile unsigned f8 : 6;
};
#pragma pack(pop)
static struct fields g = {23, 2187, -2341, 0, 11, -0, -3664, 40126, 0};

int f(int n, int out[8]) {
  int s = 0;
  g.f0 = n;
  for (int i = 0; i < n; i++) {
    g.f6 += i;
    s += g.f4;
    g.f0 = n * 5;
  }
  out[n & 7] = g.f2;
  return g.f0 * 3 + g.f6 + g.f7 + g.f2 + s;
}
