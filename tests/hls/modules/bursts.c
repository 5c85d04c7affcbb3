// SPDX-License-Identifier: Apache-2.0
// States that give several calls to one module, one every interval: alone, beside others, in order.
#include <stdint.h>

static uint32_t turned(uint32_t x, uint32_t w) {
#pragma HLS pipeline
#pragma HLS inline off
  const uint32_t y = x * w + 7;
  return (y ^ y >> 13) * (w | 1) + x;
}

// Two products that share a multiplier: a call every other cycle.
static uint32_t slower(uint32_t x, uint32_t y) {
#pragma HLS pipeline II=2
#pragma HLS allocation operation instances=mul limit=1
#pragma HLS inline off
  return x * y ^ (x + 5) * (y >> 3);
}

// What it answers depends on the order of its calls.
static uint32_t counted(uint32_t x) {
#pragma HLS pipeline
#pragma HLS inline off
  static uint32_t sum, count;
  sum = sum * 3 + x;
  return sum ^ ++count;
}

static uint32_t left[32];

// Its cycles depend on an argument.
static uint32_t fill(uint32_t seed, unsigned count) {
#pragma HLS inline off
  uint32_t sum = 0;
  for (unsigned i = 0; i < count; i++) {
    left[i] = seed = seed * 1664525u + 1013904223u;
    sum += seed >> 7;
  }
  return sum;
}

// Results take the places of what was given.
static void rounds(uint32_t v[4], unsigned count) {
#pragma HLS inline off
  uint32_t a = v[0], b = v[1], c = v[2], d = v[3];
  for (unsigned i = 0; i < count; i++) {
    const uint32_t e = turned(a, i), f = turned(b, d), g = turned(c, a), h = turned(d, 5);
    a = f, b = g, c = h, d = e;
  }
  v[0] = a, v[1] = b, v[2] = c, v[3] = d;
}

uint32_t f(const uint32_t in[16], uint32_t out[16], uint32_t seed) {
  // Arguments that come from memory a few at a time wait for each other.
  for (int i = 0; i < 12; i++) {
#pragma HLS unroll
    out[i] = turned(in[i], in[i + 1]);
  }
  // The second call of each pair needs the first one's result.
  out[12] = slower(slower(seed, 3), 4) ^ slower(slower(seed + 1, 5), 6) ^ slower(seed, seed);
  const uint32_t first = counted(seed), second = counted(seed + 9), third = counted(in[3]);
  out[13] = first ^ second << 1 ^ third << 2;
  // Beside calls that last longer, or not as long.
  const uint32_t sum = fill(seed, seed & 31), one = counted(sum >> 3);
  const uint32_t p = turned(seed, one), q = turned(one, seed), r = slower(one, 77);
  const uint32_t s = fill(one, seed >> 5 & 31), t = slower(one, 78), u = turned(one, 1);
  out[14] = p ^ q ^ r ^ s ^ t ^ u ^ counted(t);
  uint32_t v[4] = {p, q, r, s};
  rounds(v, 3 + (seed & 3));
  out[15] = v[0] ^ v[1] ^ v[2] ^ v[3];
  uint32_t all = left[seed & 31];
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    all ^= turned(all >> 16 ^ in[i], seed);
  }
  return all ^ turned(all, 1) ^ turned(all, 2);
}

int main(void) {
  uint32_t in[16], out[16] = {0}, all = 0;
  for (uint32_t i = 0; i < 24; i++) {
    for (uint32_t k = 0; k < 16; k++) in[k] = all + k * 0x9e3779b9u * (i + 1);
    all ^= f(in, out, i * 0x10447u + (i << 7)) + out[i & 15];
  }
  return all == 0;
}
