// SPDX-License-Identifier: Apache-2.0
// What all harnesses need: values of ports from bytes and back, random numbers, and a failure that
// says what the hardware did. A port of up to 64 bits is an integer, a wider one has words of 32.
#pragma once

#include <cstdint>
#include <cstring>
#include <exception>
#include <string>
#include <type_traits>
#include <utility>

namespace {

struct Failure : std::exception {
  explicit Failure(std::string text) : text(std::move(text)) {}
  const char *what() const noexcept override { return text.c_str(); }
  std::string text;
};

template <class Port>
void put(Port &port, const uint8_t *bytes, size_t count, unsigned width) {
  if constexpr (std::is_integral_v<Port>) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, count);
    if (width < 64) word &= (1ULL << width) - 1;
    port = static_cast<Port>(word);
  } else {
    std::memset(port.data(), 0, sizeof(uint32_t) * ((width + 31) / 32));
    std::memcpy(port.data(), bytes, count);
    if (width % 32 != 0) port.data()[width / 32] &= (1U << width % 32) - 1;
  }
}

template <class Port>
void get(uint8_t *bytes, const Port &port, size_t count) {
  if constexpr (std::is_integral_v<Port>) {
    const uint64_t word = port;
    std::memcpy(bytes, &word, count);
  } else {
    std::memcpy(bytes, port.data(), count);
  }
}

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014): all that gaps, stalls and garbage need.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t next() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
    return z ^ (z >> 31);
  }
  void fill(uint8_t *bytes, size_t count) {
    for (size_t i = 0; i < count; i += 8) {
      const uint64_t word = next();
      std::memcpy(bytes + i, &word, count - i < 8 ? count - i : 8);
    }
  }

 private:
  uint64_t state_;
};

}  // namespace
