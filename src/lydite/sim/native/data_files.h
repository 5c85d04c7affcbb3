// SPDX-License-Identifier: Apache-2.0
// Included before Verilator's runtime: what a design loads ($readmemh) it loads from the folder of
// its data, beside the library, and not from wherever the process happens to stand.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>

std::FILE *lydite_open_data(const char *name, const char *mode);

namespace std {
inline FILE *lydite_fopen(const char *name, const char *mode) {
  return ::lydite_open_data(name, mode);
}
}  // namespace std

#define fopen lydite_fopen
