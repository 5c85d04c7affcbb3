// SPDX-License-Identifier: Apache-2.0
//
// Timing of the functions of lydite_sw.h from inside C, so that no interpreter stands in the loop.
// Called through ctypes, which releases the interpreter's lock: one Python thread a core measures
// all cores.

#ifndef LYDITE_CORES_COMMON_SW_MEASURE_H_
#define LYDITE_CORES_COMMON_SW_MEASURE_H_

#include <stddef.h>
#include <stdint.h>

#include "lydite_sw.h"

// One batch of calls. tsc counts the time stamp counter, which runs at a constant rate of its own
// whatever the core's clock is: it is not core cycles (see lydite_measure_clock). It is 0 on
// machines other than x86-64.
struct lydite_sample {
  uint64_t calls;
  uint64_t ns;
  uint64_t tsc;
};

typedef void lydite_run_fn(const struct lydite_batch *batch);
typedef void lydite_permute_fn(uint8_t *states, size_t messages, size_t count);

// Fills samples[0..count): finds, by doubling, the number of calls of run that lasts min_ns or
// more, then times that many calls count times. Each sample stands for itself: the caller chooses
// between the best and the median.
LYDITE_API void lydite_measure_run(struct lydite_sample *samples, size_t count, uint64_t min_ns,
                                   lydite_run_fn *run, const struct lydite_batch *batch);

// The same for permute(states, messages, permutations).
LYDITE_API void lydite_measure_permute(struct lydite_sample *samples, size_t count, uint64_t min_ns,
                                       lydite_permute_fn *permute, uint8_t *states, size_t messages,
                                       size_t permutations);

// The same for a chain of multiplications of which each waits for the one before: a call is
// LYDITE_CLOCK_CYCLES core cycles on every x86-64 core since 2008 (3 a multiplication), so that
// calls * LYDITE_CLOCK_CYCLES / ns is the core's clock in GHz at that moment.
#define LYDITE_CLOCK_CYCLES 3000
LYDITE_API void lydite_measure_clock(struct lydite_sample *samples, size_t count, uint64_t min_ns);

#endif  // LYDITE_CORES_COMMON_SW_MEASURE_H_
