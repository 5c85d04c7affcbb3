// SPDX-License-Identifier: Apache-2.0
//
// SHA-3 and SHAKE as FIPS 202 writes them: the readable reference, a byte and a lane at a time.
// It shares nothing with the fast variants but the parameters. Not meant to be fast.

#include "keccak.h"

#define LFSR_TAPS 0x171U  // FIPS 202, 3.2.5: x^8 + x^6 + x^5 + x^4 + 1

static uint64_t rotate_left(uint64_t lane, unsigned offset) {
  return offset == 0 ? lane : lane << offset | lane >> (64 - offset);
}

// FIPS 202, 3.2.1
static void theta(uint64_t a[5][5]) {
  uint64_t c[5];
  for (size_t x = 0; x < 5; x++) c[x] = a[0][x] ^ a[1][x] ^ a[2][x] ^ a[3][x] ^ a[4][x];
  for (size_t x = 0; x < 5; x++) {
    const uint64_t d = c[(x + 4) % 5] ^ rotate_left(c[(x + 1) % 5], 1);
    for (size_t y = 0; y < 5; y++) a[y][x] ^= d;
  }
}

// FIPS 202, 3.2.2
static void rho(uint64_t a[5][5]) {
  size_t x = 1;
  size_t y = 0;
  for (unsigned t = 0; t < 24; t++) {
    a[y][x] = rotate_left(a[y][x], (t + 1) * (t + 2) / 2 % 64);
    const size_t next_y = (2 * x + 3 * y) % 5;
    x = y;
    y = next_y;
  }
}

// FIPS 202, 3.2.3
static void pi(uint64_t a[5][5]) {
  uint64_t old[5][5];
  memcpy(old, a, sizeof old);
  for (size_t y = 0; y < 5; y++) {
    for (size_t x = 0; x < 5; x++) a[y][x] = old[x][(x + 3 * y) % 5];
  }
}

// FIPS 202, 3.2.4
static void chi(uint64_t a[5][5]) {
  for (size_t y = 0; y < 5; y++) {
    uint64_t row[5];
    memcpy(row, a[y], sizeof row);
    for (size_t x = 0; x < 5; x++) a[y][x] = row[x] ^ (~row[(x + 1) % 5] & row[(x + 2) % 5]);
  }
}

// FIPS 202, 3.2.5; lfsr runs on from round to round and starts as 1.
static void iota(uint64_t a[5][5], unsigned *lfsr) {
  for (unsigned j = 0; j <= 6; j++) {
    a[0][0] ^= (uint64_t)(*lfsr & 1) << ((1U << j) - 1);
    *lfsr <<= 1;
    if (*lfsr & 0x100) *lfsr ^= LFSR_TAPS;
  }
}

// FIPS 202, 3.3; bytes are the state as a string, FIPS 202, 3.1.2.
static void permute(uint8_t bytes[KECCAK_BYTES]) {
  uint64_t a[5][5];
  for (size_t y = 0; y < 5; y++) {
    for (size_t x = 0; x < 5; x++) a[y][x] = load64_le(bytes + 8 * (5 * y + x));
  }
  unsigned lfsr = 1;
  for (size_t round = 0; round < KECCAK_ROUNDS; round++) {
    theta(a);
    rho(a);
    pi(a);
    chi(a);
    iota(a, &lfsr);
  }
  for (size_t y = 0; y < 5; y++) {
    for (size_t x = 0; x < 5; x++) store64_le(bytes + 8 * (5 * y + x), a[y][x]);
  }
}

// FIPS 202, 4: adds bytes from `position` of a block on, and gives the position behind them. A full
// block is permuted before more comes.
static size_t absorb(uint8_t state[KECCAK_BYTES], size_t position, const uint8_t *in,
                     size_t in_bytes) {
  for (size_t i = 0; i < in_bytes; i++) {
    if (position == RATE_BYTES) {
      permute(state);
      position = 0;
    }
    state[position++] ^= in[i];
  }
  return position;
}

// FIPS 202, 4 (sponge), 5.1 (padding), 6 (domain bits)
static void hash(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes) {
  uint8_t state[KECCAK_BYTES] = {0};
  size_t position = absorb(state, 0, in, in_bytes);
  absorb(state, position, keccak_marks, sizeof keccak_marks);
  state[RATE_BYTES - 1] ^= KECCAK_LAST_BIT;
  position = RATE_BYTES;
  for (size_t i = 0; i < out_bytes; i++) {
    if (position == RATE_BYTES) {
      permute(state);
      position = 0;
    }
    out[i] = state[position++];
  }
}

const char *lydite_impl(void) { return "ref"; }

size_t lydite_lanes(void) { return 1; }

const char *lydite_cpu_flags(void) { return ""; }

int lydite_available(void) { return 1; }

static void hash_all(uint8_t *out, size_t out_bytes, const uint8_t *in, size_t in_bytes,
                     size_t messages) {
  for (size_t i = 0; i < messages; i++) {
    hash(out + i * out_bytes, out_bytes, in + i * in_bytes, in_bytes);
  }
}

void lydite_hash(const struct lydite_batch *batch) {
  hash_all(batch->out[0], batch->out_bytes[0], batch->in[0], batch->in_bytes[0], batch->count);
}

void lydite_permute(uint8_t *states, size_t messages, size_t count) {
  for (size_t i = 0; i < messages; i++) {
    for (size_t j = 0; j < count; j++) permute(states + i * KECCAK_BYTES);
  }
}
