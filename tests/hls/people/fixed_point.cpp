// SPDX-License-Identifier: Apache-2.0
// top: rotate
// A template of fixed-point numbers, and a CORDIC that uses it with two formats.
#include <cstdint>
#include <type_traits>

namespace fx {
template <int I, int F>
class fixed {
  static_assert(I + F <= 32);
  using raw_t = std::conditional_t<(I + F > 16), int32_t, int16_t>;
  raw_t v = 0;

 public:
  static constexpr int fraction = F;
  constexpr fixed() = default;
  static constexpr fixed of_raw(int64_t r) {
    fixed x;
    x.v = static_cast<raw_t>(r);
    return x;
  }
  constexpr raw_t raw() const { return v; }
  template <int I2, int F2>
  explicit constexpr fixed(const fixed<I2, F2> &o) {
    if constexpr (F2 > F) v = static_cast<raw_t>((o.raw() + (1 << (F2 - F - 1))) >> (F2 - F));
    else v = static_cast<raw_t>(o.raw() * (1 << (F - F2)));
  }
  friend constexpr fixed operator+(fixed a, fixed b) { return of_raw(a.v + b.v); }
  friend constexpr fixed operator-(fixed a, fixed b) { return of_raw(a.v - b.v); }
  friend constexpr fixed operator*(fixed a, fixed b) { return of_raw((int64_t{a.v} * b.v) >> F); }
  friend constexpr fixed operator>>(fixed a, int n) { return of_raw(a.v >> n); }
  constexpr fixed operator-() const { return of_raw(-v); }
  constexpr bool operator<(const fixed &o) const { return v < o.v; }
  fixed &operator+=(fixed o) { return *this = *this + o; }
};
}  // namespace fx

using angle = fx::fixed<4, 24>;
using value = fx::fixed<2, 14>;

static constexpr int32_t atans[] = {13176795, 7778716, 4110060, 2086331, 1047214, 524117, 262123,
    131069,
                                    65536, 32768, 16384, 8192, 4096, 2048, 1024, 512};

struct vec { int16_t x, y; };

void rotate(int32_t turn, vec &out) {
  angle z = angle::of_raw(turn), x = angle::of_raw(10188014), y;  // 1 over the gain
  for (int i = 0; const int32_t a : atans) {
    const angle dx = y >> i, dy = x >> i, step = angle::of_raw(a);
    const bool down = z < angle{};
    x += down ? dx : -dx;
    y += down ? -dy : dy;
    z += down ? step : -step;
    ++i;
  }
  out = {value(x).raw(), value(y).raw()};
}

static bool near(int a, int b) { return a - b <= 1 && b - a <= 1; }

int main() {
  // cos and sin, times 2^14.
  static const struct { int32_t turn; int c, s; } t[] = {
      {0, 16384, 0}, {8784530, 14189, 8192}, {13176795, 11585, 11585}, {-17569060, 8192, -14189},
      {26353589, 0, 16384}, {16777216, 8852, 13787},
  };
  for (int i = 0; i < 6; i++) {
    vec v{};
    rotate(t[i].turn, v);
    if (!near(v.x, t[i].c) || !near(v.y, t[i].s)) return i + 1;
  }
  return 0;
}
