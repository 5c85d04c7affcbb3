// SPDX-License-Identifier: Apache-2.0
//
// OpenSSL's libcrypto, 1.1.1 or newer, found at run time; to be included first.
//
// The library is that in environment variable LYDITE_LIBCRYPTO, which names a file, or else the
// first of those below that the loader finds. No headers are needed: who includes this declares
// the few prototypes. Link with -ldl where the C library is glibc before 2.34.

#ifndef LYDITE_CORES_COMMON_SW_LIBCRYPTO_H_
#define LYDITE_CORES_COMMON_SW_LIBCRYPTO_H_

#define _POSIX_C_SOURCE 200809L

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>

// ISO C has no conversion from void * to a function pointer; POSIX makes their bytes the same.
static int libcrypto_find(void *library, const char *name, void *function) {
  void *const symbol = dlsym(library, name);
  memcpy(function, &symbol, sizeof symbol);
  return symbol != NULL;
}

// NULL if there is none.
static void *libcrypto_open(void) {
  static const char *const names[] = {"libcrypto.so.4", "libcrypto.so.3", "libcrypto.so.1.1",
                                      "libcrypto.so"};
  const char *path = getenv("LYDITE_LIBCRYPTO");
  if (path != NULL) return dlopen(path, RTLD_NOW | RTLD_LOCAL);
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
    void *const library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    if (library != NULL) return library;
  }
  return NULL;
}

#endif  // LYDITE_CORES_COMMON_SW_LIBCRYPTO_H_
