// SPDX-License-Identifier: Apache-2.0
//
// The interface of every software variant: one variant is one shared library, built from one .c
// file, and exports the functions below.
//
// Parameters of the function (for a hash: RATE_BYTES, SUFFIX, DIGEST_BYTES) are macros of the
// build, so that the compiler may specialise. Symbols marked optional are absent where a variant
// does not offer them; the caller asks dlsym. All functions may be called from several threads at
// once. A variant whose lydite_cpu_flags the machine lacks may be loaded, but only
// lydite_impl, lydite_lanes, lydite_cpu_flags and lydite_available may be called.

#ifndef LYDITE_CORES_COMMON_SW_LYDITE_SW_H_
#define LYDITE_CORES_COMMON_SW_LYDITE_SW_H_

#include <stddef.h>
#include <stdint.h>

#define LYDITE_API __attribute__((visibility("default")))

// Name of the variant, e.g. "avx512-x8".
LYDITE_API const char *lydite_impl(void);

// Calls of an operation that a batch works on at once: 1, 4, 8.
LYDITE_API size_t lydite_lanes(void);

// CPU features that the code needs, named as in /proc/cpuinfo, separated by spaces; "" for none.
// Those that a -march flag of the build brings in addition are not listed.
LYDITE_API const char *lydite_cpu_flags(void);

// 1 if operations can be called; 0 if a library that the variant wraps was not found or does not
// know the function asked for.
LYDITE_API int lydite_available(void);

// Optional: name and version of a wrapped library.
LYDITE_API const char *lydite_version(void);

// Calls of one operation, all with fields of the same lengths.
struct lydite_batch {
  size_t count;              // calls: any number, also 0 and such as are no multiple of the lanes
  const uint8_t *const *in;  // of each input, in the order of the operation: the values of all
                             // calls, one after the other
  const size_t *in_bytes;    // length of each input
  uint8_t *const *out;       // of each output likewise
  const size_t *out_bytes;   // length of each output
  uint8_t *verdict;          // of each call 1 if it was accepted, 0 if not; NULL where an operation
                             // rejects nothing. Outputs of a rejected call are zeros.
};

// For each operation of the primitive that the variant has, by its name:
//
//     LYDITE_API void lydite_NAME(const struct lydite_batch *batch);
//
// Outputs and inputs must not overlap; no alignment is needed.
LYDITE_API void lydite_hash(const struct lydite_batch *batch);
LYDITE_API void lydite_checksum(const struct lydite_batch *batch);
LYDITE_API void lydite_encrypt(const struct lydite_batch *batch);
LYDITE_API void lydite_decrypt(const struct lydite_batch *batch);
LYDITE_API void lydite_seal(const struct lydite_batch *batch);
LYDITE_API void lydite_open(const struct lydite_batch *batch);

// Optional: applies the primitive's permutation `count` times in sequence to each of `messages`
// states, stored one after the other. messages must be a multiple of lydite_lanes.
LYDITE_API void lydite_permute(uint8_t *states, size_t messages, size_t count);

#endif  // LYDITE_CORES_COMMON_SW_LYDITE_SW_H_
