// SPDX-License-Identifier: Apache-2.0
//
// The speed test of the sponge action, and what makes jobs for its tests; not meant to be fast.

#include "ref.c"
#include "speed.h"

// Inputs where, size, choice; outputs first, runs, nb_elmts, freq, rounds: a job of up to 5 runs,
// one in some out of range (speed.py).
LYDITE_API void lydite_plan(const struct lydite_batch *batch);

static struct speed_job plan(const uint8_t where[2], const uint8_t size[2],
                             const uint8_t choice[4]) {
  static const uint32_t first[3] = {SPEED_MAX_RUNS, 1U << 20, 1U << 31};
  static const uint32_t other[3] = {0, SPEED_MAX_RUNS + 1, 1U << 24};
  struct speed_job job = {0, 1U + size[0] % 5U, 0, 0, 1U + size[1] % 2U};
  job.first = where[1] % 2 ? SPEED_MAX_RUNS - job.runs - where[0] : where[0];
  job.freq = choice[0] < 192 ? 1U + choice[0] % 9U : SPEED_MAX_RUNS - choice[1] % 2U;
  job.nb_elmts = choice[1] < 192 ? 1U + choice[1] % (job.freq + 1) : SPEED_MAX_RUNS;
  if (choice[2] >= 24) return job;
  const unsigned kind = choice[2] % 3U;
  switch (choice[3] % 5U) {
    case 0:
      job.first = first[kind];
      break;
    case 1:
      job.runs = other[kind];
      break;
    case 2:
      job.nb_elmts = other[kind];
      break;
    case 3:
      job.freq = other[kind];
      break;
    default:
      job.rounds = 0;
  }
  return job;
}

void lydite_plan(const struct lydite_batch *batch) {
  for (size_t call = 0; call < batch->count; call++) {
    const struct speed_job job =
        plan(batch->in[0] + 2 * call, batch->in[1] + 2 * call, batch->in[2] + 4 * call);
    const uint32_t out[5] = {job.first, job.runs, job.nb_elmts, job.freq, job.rounds};
    for (size_t i = 0; i < 5; i++) store32_le(batch->out[i] + 4 * call, out[i]);
  }
}
