// SPDX-License-Identifier: Apache-2.0
// top: mix_columns
// AES' MixColumns and its inverse: a matrix template over a field type, tables made by constexpr.
#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

struct gf {
  uint8_t v;
  constexpr gf(uint8_t x = 0) : v(x) {}
  constexpr gf operator+(gf o) const { return v ^ o.v; }
  constexpr gf twice() const { return static_cast<uint8_t>(v << 1 ^ (v >> 7) * 0x1b); }
  constexpr gf operator*(gf o) const {
    gf sum, power = *this;
    for (; o.v; o.v >>= 1, power = power.twice())
      if (o.v & 1) sum = sum + power;
    return sum;
  }
  constexpr bool operator==(const gf &) const = default;
};

template <typename T, std::size_t R, std::size_t C>
class matrix {
  std::array<T, R * C> cells{};

 public:
  constexpr T &operator()(std::size_t r, std::size_t c) { return cells[r * C + c]; }
  constexpr const T &operator()(std::size_t r, std::size_t c) const { return cells[r * C + c]; }
  template <std::size_t K>
  constexpr matrix<T, R, K> operator*(const matrix<T, C, K> &o) const {
    matrix<T, R, K> m;
    for (std::size_t r = 0; r < R; ++r)
      for (std::size_t k = 0; k < K; ++k)
        for (std::size_t c = 0; c < C; ++c) m(r, k) = m(r, k) + (*this)(r, c) * o(c, k);
    return m;
  }
};

template <std::size_t... I>
static constexpr auto circulant(std::array<uint8_t, 4> row, std::index_sequence<I...>) {
  matrix<gf, 4, 4> m;
  ((m(I / 4, I % 4) = row[(I % 4 + 4 - I / 4) % 4]), ...);
  return m;
}
static constexpr auto forward = circulant({2, 3, 1, 1}, std::make_index_sequence<16>());
static constexpr auto inverse = circulant({14, 11, 13, 9}, std::make_index_sequence<16>());
static_assert((forward * inverse)(0, 0) == gf(1) && (forward * inverse)(1, 2) == gf(0));

void mix_columns(uint8_t (&state)[16], bool backwards) {
  for (int column = 0; column < 4; ++column) {
    matrix<gf, 4, 1> in;
    for (std::size_t r = 0; r < 4; ++r) in(r, 0) = state[column * 4 + r];
    const auto out = backwards ? inverse * in : forward * in;
    for (std::size_t r = 0; r < 4; ++r) state[column * 4 + r] = out(r, 0).v;
  }
}

int main() {
  // FIPS 197, appendix B, round 1.
  const std::array<uint8_t, 16> before{0xd4, 0xbf, 0x5d, 0x30, 0xe0, 0xb4, 0x52, 0xae,
                                       0xb8, 0x41, 0x11, 0xf1, 0x1e, 0x27, 0x98, 0xe5};
  const std::array<uint8_t, 16> after{0x04, 0x66, 0x81, 0xe5, 0xe0, 0xcb, 0x19, 0x9a,
                                      0x48, 0xf8, 0xd3, 0x7a, 0x28, 0x06, 0x26, 0x4c};
  uint8_t s[16];
  for (int i = 0; i < 16; i++) s[i] = before[i];
  mix_columns(s, false);
  for (int i = 0; i < 16; i++) if (s[i] != after[i]) return 1;
  mix_columns(s, true);
  for (int i = 0; i < 16; i++) if (s[i] != before[i]) return 2;
  for (int k = 0; k < 3; k++) mix_columns(s, false);
  mix_columns(s, false);  // the fourth power is one
  for (int i = 0; i < 16; i++) if (s[i] != before[i]) return 3;
  return 0;
}
