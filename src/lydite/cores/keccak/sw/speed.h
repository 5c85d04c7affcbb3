// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action (speed.py) over any variant of Keccak-f[1600]; to be included
// behind it. States of as many runs as the variant has lanes go through lydite_permute together.

#ifndef LYDITE_CORES_KECCAK_SW_SPEED_H_
#define LYDITE_CORES_KECCAK_SW_SPEED_H_

#include "keccak.h"

#define SPEED_MAX_RUNS 65536
#define SPEED_MAX_LANES 8

// Inputs first, runs, nb_elmts, freq, rounds; output checksum: the sum modulo 2, over the runs of
// which nb_elmts > run % freq, of the sum of the lanes of `rounds` times Keccak-f[1600] of the
// state whose lane i is i + run. Rejected, where a value is out of its range.
LYDITE_API void lydite_speed(const struct lydite_batch *batch);

struct speed_job {
  uint32_t first, runs, nb_elmts, freq, rounds;
};

static int speed_is_job(const struct speed_job *job) {
  return job->runs != 0 && (uint64_t)job->first + job->runs <= SPEED_MAX_RUNS &&
         job->nb_elmts != 0 && job->nb_elmts <= SPEED_MAX_RUNS && job->freq != 0 &&
         job->freq <= SPEED_MAX_RUNS && job->rounds != 0;
}

// The sums of `count` runs, modulo 2; lanes that are left over have states of zeros.
static uint64_t speed_group(const uint32_t *runs, size_t count, uint32_t rounds) {
  uint8_t states[SPEED_MAX_LANES * KECCAK_BYTES] = {0};
  for (size_t n = 0; n < count; n++) {
    for (uint32_t i = 0; i < KECCAK_LANES; i++) {
      store64_le(states + KECCAK_BYTES * n + 8 * i, (uint64_t)i + runs[n]);
    }
  }
  lydite_permute(states, lydite_lanes(), rounds);
  uint64_t checksum = 0;
  for (size_t n = 0; n < count; n++) {
    uint64_t sum = 0;
    for (size_t i = 0; i < KECCAK_LANES; i++) sum += load64_le(states + KECCAK_BYTES * n + 8 * i);
    checksum ^= sum;
  }
  return checksum;
}

static uint64_t speed_run(const struct speed_job *job) {
  uint32_t runs[SPEED_MAX_LANES];
  size_t count = 0;
  uint64_t checksum = 0;
  for (uint32_t run = job->first; run < job->first + job->runs; run++) {
    if (job->nb_elmts > run % job->freq) runs[count++] = run;
    if (count == lydite_lanes()) {
      checksum ^= speed_group(runs, count, job->rounds);
      count = 0;
    }
  }
  return count == 0 ? checksum : checksum ^ speed_group(runs, count, job->rounds);
}

void lydite_speed(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    uint32_t in[5];
    for (size_t i = 0; i < 5; i++) in[i] = load32_le(batch->in[i] + 4 * call);
    const struct speed_job job = {in[0], in[1], in[2], in[3], in[4]};
    const int accepted = speed_is_job(&job);
    batch->verdict[call] = (uint8_t)accepted;
    store64_le(batch->out[0] + 8 * call, accepted ? speed_run(&job) : 0);
  }
}

#endif  // LYDITE_CORES_KECCAK_SW_SPEED_H_
