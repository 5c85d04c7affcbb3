// SPDX-License-Identifier: Apache-2.0
// Calls that have nothing in common run at once; those that have wait for each other.
#include <stdint.h>

static uint32_t left[32], right[32], third[32];

// Cycles depend on the argument.
static uint32_t fill_left(uint32_t seed, unsigned count) {
#pragma HLS inline off
  uint32_t sum = 0;
  for (unsigned i = 0; i < count; i++) {
    left[i] = seed = seed * 1664525u + 1013904223u;
    sum += seed >> 7;
  }
  return sum;
}

static uint32_t fill_right(uint32_t seed, unsigned count) {
#pragma HLS inline off
  uint32_t sum = 1;
  for (unsigned i = 0; i < count; i++) {
    right[i] = seed = (seed ^ seed << 5) + 77;
    sum ^= seed;
  }
  return sum;
}

static void fill_third(uint32_t seed) {
#pragma HLS inline off
  for (unsigned i = 0; i < 32; i++) third[i] = seed ^ i * 0x9e3779b9u;
}

// It has left in common with one of them, and is called by nothing else.
static uint32_t mix_left(uint32_t key) {
#pragma HLS inline off
  uint32_t sum = 0;
  for (unsigned i = 0; i < 32; i++) sum += left[i] ^ key;
  return sum;
}

// It calls one of them.
static uint32_t twice_right(uint32_t seed, unsigned count) {
#pragma HLS inline off
  return fill_right(seed, count) + 3 * fill_right(seed + 1, count / 2);
}

uint32_t f(uint32_t seed, uint32_t out[8]) {
#pragma HLS interface mode=ap_memory port=out
  const unsigned few = seed & 15, many = 32 - few;
  out[0] = fill_left(seed, few) - fill_right(seed, many);
  out[1] = fill_left(seed, many) - fill_right(seed, few);
  const uint32_t a = fill_left(seed, many), b = twice_right(seed + 2, few);
  fill_third(a);
  out[2] = a ^ b;
  out[3] = mix_left(b) + fill_right(a, many);
  out[4] = mix_left(a) + fill_left(b, few);
  out[5] = twice_right(a, many) + fill_right(b, few);
  uint32_t all = 0;
  for (unsigned i = 0; i < 32; i++) all += left[i] ^ right[i] + third[i];
  out[6] = all;
  return all ^ out[0];
}

int main(void) {
  uint32_t out[8] = {0}, all = 0;
  for (uint32_t i = 0; i < 20; i++) all ^= f(i * 0x10001u + (i << 9), out) + out[i % 7];
  return all == 0;
}
