// SPDX-License-Identifier: Apache-2.0
// Calls through tables, structures passed by value, a table that changes.
static int plus(int x) { return x + 1; }
static int twice(int x) { return x * 2; }
static int minus(int x) { return -x; }
static int mixed(int x) { return x ^ 55; }
typedef int (*operation)(int);
static operation table[4] = {plus, twice, minus, mixed};
struct job {
  int v[7];
  operation op;
};

__attribute__((noinline)) static int use(struct job s, int k) {
  s.v[k & 3] += 3;
  return s.op(s.v[0] + s.v[3] + s.v[k & 3]);
}

int f(int n, int out[8]) {
  int x = n * 7 % 11;
  struct job s = {{x, 2, 3, n, 5, 6, 7}, table[(n >> 2) & 3]};
  int r = use(s, n);
  table[n & 1] = table[2 + (n & 1)];
  out[0] = use(s, n + 1);
  out[1] = s.v[0];
  operation p = x > 5 ? plus : x < 2 ? twice : 0;
  out[2] = p ? p(x) : 99;
  return r + table[n & 3](x);
}
