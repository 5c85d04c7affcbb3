// SPDX-License-Identifier: Apache-2.0
//
// A loop's body as a region: arrays between three processes, the loop's counter, a result that goes
// past a process and back to the loop.

#include <stdint.h>

#define WORDS 16
#define BLOCKS 6

static uint32_t load(const uint32_t in[WORDS * BLOCKS], uint32_t block[WORDS], int number) {
  uint32_t sum = 0;
  for (int i = 0; i < WORDS; i++) {
#pragma HLS pipeline II=1
    block[i] = in[number * WORDS + i] * 3u;
    sum += block[i];
  }
  return sum;
}

static void turn(const uint32_t block[WORDS], uint32_t turned[WORDS], int number) {
  for (int i = 0; i < WORDS; i++) {
#pragma HLS pipeline II=1
    turned[(i + number) % WORDS] = block[WORDS - 1 - i] + (uint32_t)i;
  }
}

static void store(const uint32_t turned[WORDS], uint32_t out[WORDS * BLOCKS], int number,
                  uint32_t sum) {
  for (int i = 0; i < WORDS; i++) {
#pragma HLS pipeline II=1
    out[number * WORDS + i] = turned[i] ^ sum;
  }
}

uint32_t blocks(const uint32_t in[WORDS * BLOCKS], uint32_t out[WORDS * BLOCKS], int count) {
  uint32_t total = 0;
  for (int i = 0; i < count; i++) {
#pragma HLS dataflow
    uint32_t block[WORDS];
    uint32_t turned[WORDS];
    const uint32_t sum = load(in, block, i);
    turn(block, turned, i);
    store(turned, out, i, sum + 5u);
    total += sum;
  }
  return total;
}

static uint32_t in[WORDS * BLOCKS], out[WORDS * BLOCKS];

int main(void) {
  uint32_t sum = 0;
  for (int call = 0; call <= BLOCKS; call++) {
    for (int i = 0; i < WORDS * BLOCKS; i++) {
      in[i] = (uint32_t)i * 40503u + (uint32_t)call;
      out[i] = 0;
    }
    sum ^= blocks(in, out, BLOCKS - call);
    for (int i = 0; i < WORDS * BLOCKS; i++) sum = sum * 31u + out[i];
  }
  return sum == 0;
}
