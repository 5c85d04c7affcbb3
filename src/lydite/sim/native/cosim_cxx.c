// SPDX-License-Identifier: Apache-2.0
// What plain C++ needs of its runtime (Itanium C++ ABI, 2.9.5, 3.2.6, 3.3.2), without the library,
// which Zig compiles for a minute. Programs that cast dynamically or throw need more, do not link
// with this, and get the library.

#include <stdlib.h>

static void *allocate(size_t size) {
  void *block = malloc(size ? size : 1);
  if (!block) abort();
  return block;
}

void *_Znwm(size_t size) { return allocate(size); }
void *_Znam(size_t size) { return allocate(size); }
void _ZdlPv(void *block) { free(block); }
void _ZdaPv(void *block) { free(block); }
void _ZdlPvm(void *block, size_t size) { (void)size, free(block); }
void _ZdaPvm(void *block, size_t size) { (void)size, free(block); }

void __cxa_pure_virtual(void) { abort(); }

// Of variables in functions; the program has one thread. The first byte says whether one is made.
int __cxa_guard_acquire(char *guard) { return !*guard; }
void __cxa_guard_release(char *guard) { *guard = 1; }

// Tables of the classes of type information, which point here; only casts and throws call them.
void *_ZTVN10__cxxabiv117__class_type_infoE[8];
void *_ZTVN10__cxxabiv120__si_class_type_infoE[8];
void *_ZTVN10__cxxabiv121__vmi_class_type_infoE[8];
