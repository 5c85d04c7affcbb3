// SPDX-License-Identifier: Apache-2.0
// The logic of a netlist, evaluated where something changes: tables of at most four nets and
// flip-flops, all as data. Block RAMs, multipliers and ports are the Verilog's around it.
//
// Tables stand in the order in which they depend on each other, each with a bit that says whether
// one of its inputs has changed since it was evaluated. Whoever changes a net sets those bits of
// its readers, all of which come later: one way through the words of bits evaluates what must be,
// once. Flip-flops have such bits, too, in words of their clocks. In a cycle of a large core few
// nets change, and what does not costs a 64th of a comparison.
#pragma once
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "svdpi.h"

namespace lydite {

struct Table {
  uint32_t in[4];  // nets; those that are not read are net 0
  uint16_t bits;   // bit i is the value at inputs of the number i
};

struct Flop {
  uint32_t next;        // net that it takes
  uint8_t init, clear;  // values at the beginning, and while it is cleared
};

// A stage: what is known once the instances before it have answered.
struct Stage {
  uint32_t ins;  // first of the nets that it is given
  uint32_t in_count;
  const uint32_t *outs;  // nets that it gives
  uint32_t out_count;
  uint32_t table_end;  // number of tables up to and with its own
};

// Nets: 0 and 1 are constants, then what each stage is given, then flip-flops, then tables.
struct Netlist {
  uint32_t flop_net, table_net, net_count;
  const Table *tables;
  const Flop *flops;
  const uint32_t *group_ends;  // flip-flops of one clock and clear, each
  uint32_t group_count;
  const Stage *stages;
  uint32_t stage_count;
};

class Tables {
 public:
  explicit Tables(const Netlist &netlist) : list_(netlist), value_(netlist.net_count) {
    uint32_t place = 0, table = 0, flop = 0;
    for (uint32_t s = 0; s < list_.stage_count; ++s) {
      const uint32_t end = list_.stages[s].table_end;
      place = begin(place, table, end - table);
      table = end;
      given_.emplace_back(words(list_.stages[s].in_count));
      shown_.emplace_back(words(list_.stages[s].out_count));
    }
    table_spans_ = spans_.size();
    for (uint32_t g = 0; g < list_.group_count; ++g) {
      place = begin(place, flop, list_.group_ends[g] - flop);
      flop = list_.group_ends[g];
    }
    dirty_.assign(place / 64, 0);
    read();
    set(1, 1);
    for (uint32_t f = 0; f < flop; ++f) set(list_.flop_net + f, list_.flops[f].init);
    for (const Span &span : spans_) mark_all(span);
  }

  Tables(const Tables &) = delete;
  Tables &operator=(const Tables &) = delete;

  // An edge of a group's clock, or the beginning of its clear: flip-flops take what stands before
  // them when the first stage is evaluated next, since others may look at them at the same edge.
  uint32_t take(uint32_t group, bool clear) {
    const Span &span = spans_[table_spans_ + group];
    if (clear) {
      for (uint32_t k = span.first; k < span.first + span.count; ++k) hold(k, list_.flops[k].clear);
      mark_all(span);  // what stands before them is another value, maybe
    } else {
      for (uint32_t w = span.place / 64; w < span.end(); ++w) {
        for (; dirty_[w]; dirty_[w] &= dirty_[w] - 1) {
          const uint32_t flop = span.first + (w * 64 + lowest(dirty_[w]) - span.place);
          hold(flop, value_[list_.flops[flop].next]);
        }
      }
    }
    return ++serial_;
  }

  // Evaluates a stage; gives another number where anything may be another.
  uint32_t settle(uint32_t stage, const svBitVecVal *in, svBitVecVal *out) {
    if (stage == 0) {
      for (const auto &[net, value] : held_) set(net, value);
      held_.clear();
    }
    std::vector<uint32_t> &given = given_[stage];
    for (size_t w = 0; w < given.size(); ++w) {
      for (uint32_t other = given[w] ^ in[w]; other; other &= other - 1) {
        const uint32_t bit = lowest(other);
        set(list_.stages[stage].ins + w * 32 + bit, in[w] >> bit & 1);
      }
      given[w] = in[w];
    }
    const Span &span = spans_[stage];
    for (uint32_t w = span.place / 64; w < span.end(); ++w) {
      while (const uint64_t bits = dirty_[w]) {
        dirty_[w] = bits & (bits - 1);
        const uint32_t number = span.first + (w * 64 + lowest(bits) - span.place);
        const Table &table = list_.tables[number];
        const unsigned at = value_[table.in[0]] | value_[table.in[1]] << 1 |
                            value_[table.in[2]] << 2 | value_[table.in[3]] << 3;
        set(list_.table_net + number, table.bits >> at & 1);
      }
    }
    const std::vector<uint32_t> &shown = shown_[stage];
    for (size_t w = 0; w < shown.size(); ++w) out[w] = shown[w];
    return serial_;
  }

 private:
  // Tables of a stage, or flip-flops of a group, and the first of their bits, at a word's begin.
  struct Span {
    uint32_t place, first, count;
    uint32_t end() const { return (place + count + 63) / 64; }
  };

  static uint32_t words(uint32_t bits) { return (bits + 31) / 32; }
  static uint32_t lowest(uint64_t bits) { return static_cast<uint32_t>(__builtin_ctzll(bits)); }

  uint32_t begin(uint32_t place, uint32_t first, uint32_t count) {
    spans_.push_back({place, first, count});
    return spans_.back().end() * 64;
  }

  void mark_all(const Span &span) {
    for (uint32_t k = 0; k < span.count; ++k) {
      dirty_[(span.place + k) / 64] |= uint64_t{1} << (span.place + k) % 64;
    }
  }

  void hold(uint32_t flop, uint8_t value) {
    const uint32_t net = list_.flop_net + flop;
    if (value_[net] != value) held_.emplace_back(net, value);
  }

  void set(uint32_t net, uint8_t value) {
    if (value_[net] == value) return;
    value_[net] = value;
    ++serial_;
    for (uint32_t k = reader_at_[net]; k < reader_at_[net + 1]; ++k) {
      dirty_[readers_[k] / 64] |= uint64_t{1} << readers_[k] % 64;
    }
    for (uint32_t k = pin_at_[net]; k < pin_at_[net + 1]; ++k) *pins_[k].word ^= pins_[k].bit;
  }

  // Lists the readers of each net: bits of tables and flip-flops, and pins outside.
  void read() {
    std::vector<std::vector<uint32_t>> readers(list_.net_count);
    std::vector<std::vector<Pin>> pins(list_.net_count);
    for (size_t s = 0; s < spans_.size(); ++s) {
      const Span &span = spans_[s];
      for (uint32_t k = 0; k < span.count; ++k) {
        const uint32_t number = span.first + k;
        if (s >= table_spans_) {
          readers[list_.flops[number].next].push_back(span.place + k);
          continue;
        }
        for (uint32_t net : list_.tables[number].in) readers[net].push_back(span.place + k);
      }
    }
    for (uint32_t s = 0; s < list_.stage_count; ++s) {
      for (uint32_t k = 0; k < list_.stages[s].out_count; ++k) {
        pins[list_.stages[s].outs[k]].push_back({&shown_[s][k / 32], 1u << k % 32});
      }
    }
    for (uint32_t net = 0; net < list_.net_count; ++net) {
      reader_at_.push_back(static_cast<uint32_t>(readers_.size()));
      pin_at_.push_back(static_cast<uint32_t>(pins_.size()));
      if (net < 2) continue;  // constants: everybody reads them, and nobody waits for them
      readers_.insert(readers_.end(), readers[net].begin(), readers[net].end());
      pins_.insert(pins_.end(), pins[net].begin(), pins[net].end());
    }
    reader_at_.push_back(static_cast<uint32_t>(readers_.size()));
    pin_at_.push_back(static_cast<uint32_t>(pins_.size()));
  }

  struct Pin {
    uint32_t *word, bit;
  };

  const Netlist list_;
  std::vector<uint8_t> value_;
  std::vector<Span> spans_;  // of stages, then of groups
  size_t table_spans_ = 0;
  std::vector<uint64_t> dirty_;
  std::vector<uint32_t> reader_at_, readers_, pin_at_;
  std::vector<Pin> pins_;
  std::vector<std::vector<uint32_t>> given_, shown_;
  std::vector<std::pair<uint32_t, uint8_t>> held_;
  uint32_t serial_ = 0;
};

}  // namespace lydite
