// SPDX-License-Identifier: Apache-2.0
// top: mixed, std: c23
// What C11 and C23 brought: _Generic, static_assert, typeof, constexpr, auto, nullptr, attributes,
// digit separators, binary literals, enumerations with a type.
#include <stddef.h>
#include <stdint.h>

enum tint : uint8_t { RED = 0b1, GREEN = 0b10, BLUE = 0b100 };
constexpr unsigned LIMIT = 1'000'000;
static_assert(sizeof(enum tint) == 1 && LIMIT == 1000000);

static uint32_t abs8(int8_t x) { return (uint32_t)(x < 0 ? -x : x) + 8; }
static uint32_t abs32(int32_t x) { return (x < 0 ? -(uint32_t)x : (uint32_t)x) + 32; }
static uint32_t abs64(int64_t x) { return (uint32_t)(x < 0 ? -(uint64_t)x : (uint64_t)x) + 64; }
static uint32_t other(uint32_t x) { return x; }

#define ABS(x) _Generic((x), int8_t: abs8, int32_t: abs32, int64_t: abs64, default: other)(x)
#define MAX(a, b)                   \
  ({                                \
    auto const a_ = (a);            \
    typeof(b) const b_ = (b);       \
    a_ > b_ ? a_ : b_;              \
  })

[[nodiscard]] static const uint16_t *find(const uint16_t *table, size_t n, uint16_t value) {
  for (const uint16_t *p = table; p != table + n; ++p)
    if (*p == value) return p;
  return nullptr;
}

uint32_t mixed(int8_t a, int32_t b, int64_t c, enum tint t, [[maybe_unused]] uint32_t spare) {
  static const uint16_t table[] = {3, 1, 4, 1, 5, 9, 2, 6};
  uint32_t r = ABS(a) * 3 + ABS(b) * 5 + ABS(c) * 7 + ABS((uint16_t)a);
  switch (t) {
    case RED: r = MAX(r, LIMIT); [[fallthrough]];
    case GREEN: r += 1; break;
    case BLUE: r ^= 0xff'ff; break;
    default: unreachable();
  }
  const uint16_t *at = find(table, sizeof table / sizeof table[0], (uint16_t)(b & 15));
  return at == nullptr ? r : r + (uint32_t)(at - table) * LIMIT;
}

int main() {
  if (mixed(-5, 20, -100, GREEN,
      0) != 13 * 3 + 52 * 5 + 164 * 7 + 65531 + 1 + 2 * 1000000) return 1;
  if (mixed(1, 0, 0, RED, 0) != 1000001) return 2;
  if (mixed(-128, INT32_MIN, 1, BLUE,
      0) != ((136u * 3 + (0x80000000u + 32) * 5 + 65 * 7 + 65408u) ^ 65535)) return 3;
  return mixed(0, 6, 0, BLUE, 1) != ((24 + 38 * 5 + 64 * 7) ^ 65535) + 7 * 1000000;
}
