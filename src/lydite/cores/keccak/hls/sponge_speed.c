// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action of "CAPI SNAP Education Series: hls_sponge" (IBM, V2.2) on
// CHAINS chains of SLICES engines: a core for `lydite bench`; top function: sponge_speed. In come
// packets of 4 bytes, each ended by `last`, and perhaps by a beat without bytes: first, runs,
// nb_elmts, freq, rounds. Out come a byte, 1, and the checksum of the runs from `first` on for
// which nb_elmts > run % freq, or, where a value is out of its range, a byte 0 and nothing.

#include <lydite_stream.h>

#include "sponge_runs.h"

// The word of a packet; behind it may be a beat without bytes.
static uint32_t word_of(lydite_stream32 *s_axis) {
  const lydite_stream32_beat beat = lydite_stream32_read(s_axis);
  if (!beat.last) lydite_stream32_read(s_axis);
  return beat.data;
}

// The checksum of a test, as sponge_sum has it, of all its runs. Each chain has a head, a sum and a
// control of its own, which reach no further than the chain.
static uint64_t sponge_checksum(bool right, uint32_t first, uint32_t runs, uint32_t nb_elmts,
                                uint32_t freq, uint32_t permutations) {
#if CHAINS > 1
#pragma HLS inline off
#pragma HLS dataflow
#endif
  uint64_t checksum = 0;
  for (int n = 0; n < CHAINS; n++) {
#pragma HLS unroll
    checksum ^= sponge_sum(right, first, runs, nb_elmts, freq, permutations, n);
  }
  return checksum;
}

void sponge_speed(lydite_stream32 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode = ap_ctrl_none port = return
  const uint32_t first = word_of(s_axis), runs = word_of(s_axis), nb_elmts = word_of(s_axis);
  const uint32_t freq = word_of(s_axis), rounds = word_of(s_axis);
  const bool right = sponge_is_right(first, runs, nb_elmts, freq, rounds);
  const uint64_t checksum = sponge_checksum(right, first, runs, nb_elmts, freq, rounds);
  const lydite_stream64_beat verdict = {.data = right, .keep = 1, .last = true};
  const lydite_stream64_beat result = {.data = checksum, .keep = right ? 0xff : 0, .last = true};
  lydite_stream64_write(m_axis, verdict);
  lydite_stream64_write(m_axis, result);
}

// Jobs of the known answers of core.toml.
static const struct {
  uint32_t job[5];
  uint64_t checksum;
} answers[] = {
    {{0, 1, 1, 1, 1}, 0x714baee319ae757d},  {{65535, 1, 65536, 65536, 2}, 0xd59bff40878a4ef3},
    {{0, 16, 3, 5, 1}, 0xf5b2f6949bbc4837}, {{7, 9, 65536, 1, 3}, 0x9904799dac4ddcbc},
    {{3, 40, 1, 4, 2}, 0xf1025d43fbe12fa9}, {{0, 0, 1, 1, 1}, 0x0000000000000000},
};

int main(void) {
  uint64_t wrong = 0;
  for (size_t n = 0; n < sizeof answers / sizeof *answers; n++) {
    lydite_stream32 in = {0};
    lydite_stream64 out = {0};
    for (int i = 0; i < 5; i++) {
      const lydite_stream32_beat beat = {.data = answers[n].job[i], .keep = 15, .last = true};
      lydite_stream32_write(&in, beat);
    }
    sponge_speed(&in, &out);
    const uint64_t accepted = lydite_stream64_read(&out).data & 0xff;
    const lydite_stream64_beat beat = lydite_stream64_read(&out);
    wrong |= accepted != (answers[n].job[1] != 0) || (accepted && beat.data != answers[n].checksum);
    lydite_stream32_free(&in);
    lydite_stream64_free(&out);
  }
  return wrong != 0;
}
