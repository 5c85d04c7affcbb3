// SPDX-License-Identifier: Apache-2.0
// top: process
// Filters by CRTP, a chain of them by a variadic template, a lambda that captures, a scoped enum.
#include <algorithm>
#include <array>
#include <cstdint>
#include <tuple>

enum class edge : uint8_t { none, rising, falling };

template <class Derived>
struct filter {
  uint32_t samples = 0;
  int32_t operator()(int32_t x) {
    ++samples;
    return static_cast<Derived *>(this)->step(x);
  }
};

template <int N>
struct median : filter<median<N>> {
  std::array<int32_t, N> window{};
  int32_t step(int32_t x) {
    for (int i = N - 1; i > 0; --i) window[i] = window[i - 1];
    window[0] = x;
    auto sorted = window;
    auto order = [&sorted](int a, int b) {
      if (sorted[b] < sorted[a]) std::swap(sorted[a], sorted[b]);
    };
    for (int i = 0; i < N; ++i)
      for (int j = 0; j + 1 < N - i; ++j) order(j, j + 1);
    return sorted[N / 2];
  }
};

struct smooth : filter<smooth> {
  int32_t state = 0;
  int32_t step(int32_t x) { return (state += (x * 16 - state) / 4) / 16; }
};

template <class... F>
class chain {
  std::tuple<F...> stages;

 public:
  int32_t operator()(int32_t x) {
    return std::apply([x](auto &...f) { int32_t v = x; ((v = f(v)), ...); return v; }, stages);
  }
  uint32_t samples() const { return std::get<0>(stages).samples; }
};

static chain<median<3>, smooth> signal_path;

edge process(int16_t sample, int32_t &level, uint32_t &count) {
  static bool high;
  level = std::clamp<int32_t>(signal_path(sample), -100, 1000);
  count = signal_path.samples();
  const bool now = high ? level > 400 : level > 600;
  const edge e = now == high ? edge::none : now ? edge::rising : edge::falling;
  high = now;
  return e;
}

int main() {
  static const int16_t in[] = {0, 5000, 0, 1200, 1200, -3000, 1200, 1200, 1200, 1200, 0, 0, 0, 0,
      0, 0};
  // Computed with Python.
  static const int16_t levels[] = {0, 0, 0, 300, 525, 693, 820, 915, 986, 1000, 1000, 809, 607,
      455, 341, 256};
  static const uint8_t edges[] = {0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0};
  for (uint32_t i = 0; i < 16; i++) {
    int32_t level = 0;
    uint32_t count = 0;
    const edge e = process(in[i], level, count);
    if (level != levels[i] || count != i + 1 ||
        e != static_cast<edge>(edges[i])) return static_cast<int>(i) + 1;
  }
  return 0;
}
