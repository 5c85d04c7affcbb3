// SPDX-License-Identifier: Apache-2.0
// Calls functions that are Verilog modules in hardware (macros.toml); here are their models.
#include <stdbool.h>
#include <stdint.h>

static uint32_t product(uint32_t a, uint32_t b) { return a * b; }

static uint16_t lfsr(uint16_t seed, bool load) {
  static uint16_t state;
  if (load) {
    state = seed;
  } else {
    state = (uint16_t)(state >> 1 ^ (state & 1 ? 0xb400 : 0));
  }
  return state;
}

static bool parity(uint64_t x) {
  for (int shift = 32; shift; shift >>= 1) x ^= x >> shift;
  return x & 1;
}

uint32_t mixed(const uint32_t a[8], uint32_t out[8], uint16_t seed) {
  uint32_t sum = lfsr(seed, true);
  for (int i = 0; i < 8; i++) {
    out[i] = product(a[i], a[7 - i] ^ lfsr(0, false));
    if (parity((uint64_t)out[i] << 20 | seed)) sum += out[i];
  }
  return product(sum, sum);
}

int main(void) {
  uint32_t a[8], out[8], all = 0;
  for (uint32_t n = 0; n < 5; n++) {
    for (uint32_t i = 0; i < 8; i++) a[i] = (n + 3) * 0x9e3779b9u << i ^ i;
    all ^= mixed(a, out, (uint16_t)(n * 77 + 1));
  }
  return all == 0;
}
