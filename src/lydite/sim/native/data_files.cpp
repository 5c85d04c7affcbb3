// SPDX-License-Identifier: Apache-2.0
// Finds files of data that a design names: as they are named below the folder of the design's data,
// else by the end of their path, as tools find them beside the source that names them.

#include <dlfcn.h>

#include <cstdio>
#include <filesystem>
#include <stdexcept>
#include <string>

std::FILE *lydite_open_data(const char *name, const char *mode) {
  namespace fs = std::filesystem;
  const fs::path wanted(name);
  if (mode[0] != 'r' || wanted.is_absolute()) return std::fopen(name, mode);
  Dl_info library;
  if (dladdr(reinterpret_cast<void *>(&lydite_open_data), &library) == 0) return nullptr;
  const fs::path folder = fs::path(library.dli_fname).replace_extension(".data");
  fs::path found = folder / wanted;
  if (!fs::is_regular_file(found) && fs::is_directory(folder)) {
    const std::string end = "/" + wanted.lexically_normal().generic_string();
    int matches = 0;
    for (const fs::directory_entry &entry : fs::recursive_directory_iterator(folder)) {
      const std::string path = entry.path().generic_string();
      if (path.size() > end.size() && path.ends_with(end)) found = entry.path(), ++matches;
    }
    if (matches > 1) {
      throw std::runtime_error("several files of the design are called " + wanted.string());
    }
  }
  if (std::FILE *file = std::fopen(found.c_str(), mode)) return file;
  throw std::runtime_error("no file " + wanted.string() +
                           " among the design's: name it in its sources");
}
