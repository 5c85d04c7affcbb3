// SPDX-License-Identifier: Apache-2.0
// Whether a machine is in a state in which it was before: then it does the same again, for ever, if
// what comes from outside stands still. The state is bytes in several places.

#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

class Repetition {
 public:
  using Parts = std::vector<std::pair<const void *, size_t>>;

  // Forgets all states.
  void restart() { copies_.clear(); }

  // Looks at the next state; `moved` counts what has left or entered the machine. Gives the number
  // of cycles after which it came back; 0 for none. By Brent's method: a state is kept for a while,
  // then one that is twice as old is compared with what comes.
  uint64_t look(const Parts &parts, uint64_t moved) {
    if (!copies_.empty() && moved == moved_) {
      ++age_;
      if (same(parts)) return age_;
      if (age_ < most_) return 0;
      most_ *= 2;
    } else {
      most_ = 1;
    }
    age_ = 0;
    moved_ = moved;
    copies_.resize(parts.size());
    for (size_t i = 0; i < parts.size(); ++i) {
      const auto *bytes = static_cast<const uint8_t *>(parts[i].first);
      copies_[i].assign(bytes, bytes + parts[i].second);
    }
    return 0;
  }

 private:
  // Looks first where the last difference was: a counter differs at the same place each time.
  bool same(const Parts &parts) {
    if (!part_same(parts, hint_)) return false;
    for (size_t i = 0; i < parts.size(); ++i) {
      if (part_same(parts, i)) continue;
      hint_ = i;
      return false;
    }
    return true;
  }

  bool part_same(const Parts &parts, size_t i) {
    constexpr size_t kBlock = 256;
    const auto *bytes = static_cast<const uint8_t *>(parts[i].first);
    const size_t count = parts[i].second;
    if (at_ < count && differs(i, bytes, at_, std::min(kBlock, count - at_))) return false;
    for (size_t at = 0; at < count; at += kBlock) {
      if (!differs(i, bytes, at, std::min(kBlock, count - at))) continue;
      at_ = at;
      return false;
    }
    return true;
  }

  bool differs(size_t i, const uint8_t *bytes, size_t at, size_t count) const {
    return std::memcmp(bytes + at, copies_[i].data() + at, count) != 0;
  }

  std::vector<std::vector<uint8_t>> copies_;
  uint64_t age_ = 0, most_ = 1, moved_ = 0;
  size_t hint_ = 0, at_ = 0;
};
