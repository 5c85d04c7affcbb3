// SPDX-License-Identifier: Apache-2.0
//
// See measure.h. Built as a shared library of its own: the function to be timed comes as a pointer
// out of the variant's library.

#define _POSIX_C_SOURCE 199309L

#include "measure.h"

#include <time.h>

#if defined(__x86_64__)
#include <x86intrin.h>
#endif

struct job {
  lydite_run_fn *run;
  lydite_permute_fn *permute;
  const struct lydite_batch *batch;
  uint8_t *states;
  size_t messages;
  size_t permutations;
};

static uint64_t now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000U + (uint64_t)t.tv_nsec;
}

static uint64_t now_tsc(void) {
#if defined(__x86_64__)
  return __rdtsc();
#else
  return 0;
#endif
}

// A chain goes on where the last one ended: of a new one a core would do the beginning beside that
// end, a tenth of it.
static uint64_t spin(uint64_t x) {
  for (size_t i = 0; i < LYDITE_CLOCK_CYCLES / 3; i++) {
    x *= 0x9e3779b97f4a7c15U;
    __asm__ volatile("" : "+r"(x));  // keeps every step: the compiler must not merge them
  }
  return x;
}

static struct lydite_sample time_calls(const struct job *job, uint64_t calls) {
  uint64_t chain = 1;
  const uint64_t start_ns = now_ns();
  const uint64_t start_tsc = now_tsc();
  for (uint64_t i = 0; i < calls; i++) {
    if (job->run != NULL) {
      job->run(job->batch);
    } else if (job->permute != NULL) {
      job->permute(job->states, job->messages, job->permutations);
    } else {
      chain = spin(chain);
    }
  }
  const uint64_t end_tsc = now_tsc();
  const uint64_t end_ns = now_ns();
  return (struct lydite_sample){calls, end_ns - start_ns, end_tsc - start_tsc};
}

static void measure(struct lydite_sample *samples, size_t count, uint64_t min_ns,
                    const struct job *job) {
  uint64_t calls = 1;
  while (time_calls(job, calls).ns < min_ns) calls *= 2;
  for (size_t i = 0; i < count; i++) samples[i] = time_calls(job, calls);
}

void lydite_measure_run(struct lydite_sample *samples, size_t count, uint64_t min_ns,
                        lydite_run_fn *run, const struct lydite_batch *batch) {
  const struct job job = {.run = run, .batch = batch};
  measure(samples, count, min_ns, &job);
}

void lydite_measure_permute(struct lydite_sample *samples, size_t count, uint64_t min_ns,
                            lydite_permute_fn *permute, uint8_t *states, size_t messages,
                            size_t permutations) {
  const struct job job = {
      .permute = permute, .states = states, .messages = messages, .permutations = permutations};
  measure(samples, count, min_ns, &job);
}

void lydite_measure_clock(struct lydite_sample *samples, size_t count, uint64_t min_ns) {
  const struct job job = {0};
  measure(samples, count, min_ns, &job);
}
