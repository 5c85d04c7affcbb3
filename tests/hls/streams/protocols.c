// SPDX-License-Identifier: Apache-2.0
// Scalars, pointers and arrays with a handshake each; the pragmas are those of Vitis HLS.
#include <stdbool.h>
#include <stdint.h>

#define COUNT 6

int32_t protocols(uint8_t plain, int16_t valid, bool both, uint32_t acknowledged,  //
                  const int32_t *source, int32_t *sum, uint16_t *kept, uint8_t *flag,
                  int64_t *total, const int32_t words[COUNT], int16_t halves[COUNT],
                  const uint8_t stream_in[COUNT], uint32_t stream_out[COUNT]) {
#pragma HLS interface mode=ap_none port=plain
#pragma HLS interface mode=ap_vld port=valid
#pragma HLS interface mode=ap_hs port=both
#pragma HLS interface mode=ap_ack port=acknowledged
#pragma HLS interface mode=ap_hs port=source
#pragma HLS interface mode=ap_vld port=sum
#pragma HLS interface mode=ap_none port=kept
#pragma HLS interface mode=ap_hs port=flag
#pragma HLS interface mode=ap_ovld port=total
#pragma HLS interface mode=ap_fifo port=words
#pragma HLS interface mode=ap_fifo port=halves
#pragma HLS interface mode=axis port=stream_in
#pragma HLS interface mode=axis port=stream_out
  int32_t all = plain + valid + (both ? *source : -*source);
  for (int i = 0; i < COUNT; i++) {
    const int32_t word = words[i];
    all += word / (stream_in[i] + 1);
    halves[i] = (int16_t)(word ^ all);
    stream_out[i] = (uint32_t)word * stream_in[i];
    if (word & 1) *sum = all;
  }
  *sum = *sum + all;
  *kept = (uint16_t)(acknowledged >> 8);
  *flag = (uint8_t)(both ^ (all & 0xff));
  *total += all;
  return all;
}

int main(void) {
  int32_t sum = 0, source = 4;
  uint16_t kept = 0;
  uint8_t flag = 0, stream_in[COUNT];
  int64_t total = -5;
  int32_t words[COUNT];
  int16_t halves[COUNT];
  uint32_t stream_out[COUNT], seed = 7;
  for (int n = 0; n < 9; n++) {
    for (int i = 0; i < COUNT; i++) {
      seed = seed * 1664525 + 1013904223;
      words[i] = (int32_t)seed >> 3;
      stream_in[i] = (uint8_t)(seed >> 5);
    }
    source += protocols((uint8_t)n, (int16_t)(seed >> 16), n % 3 == 0, seed, &source, &sum, &kept,
                        &flag, &total, words, halves, stream_in, stream_out);
  }
  return total == 0;
}
