// SPDX-License-Identifier: Apache-2.0
// Simulates a routed netlist with its delays, many runs at once: a bit of each word for each run.
//
// Delays do not depend on data, so that runs of one chip share the times of events, and differ in
// which of them they have: a waveform is a list of times, each with the set of runs that toggle
// there. A gate's output at t is its function of its inputs at t less the delay of each arc (pure
// transport delay: every glitch is kept, nothing is swallowed).
//
// A cycle is simulated node by node, in the order of the netlist. What a node does in the window of
// a cycle begins with the earliest time at which the clock edge can reach it, so that all of its
// inputs are known; what of an input comes later than the window waits at the arc, and meets the
// next edge's. A register takes the value at the edge, or a random one, of a seeded generator, in
// the runs in which there is an event within its hold.
//
// Compiled with LYDITE_WORDS (words of 64 runs); Python calls the extern "C" functions.

#include <algorithm>
#include <climits>
#include <cstdint>
#include <cstring>
#include <vector>

#ifndef LYDITE_WORDS
#define LYDITE_WORDS 1
#endif

namespace {

constexpr int kWords = LYDITE_WORDS;
constexpr int kRuns = 64 * kWords;
constexpr int kMaxInputs = 36;  // of a product; tables have up to six
constexpr int kOperandBits = 18;
constexpr int kHistory = 6;  // cycles that can be traced back
typedef uint64_t Word;
// Aligned as such vectors are: templates drop what a typedef says of alignment, and would disagree.
typedef Word Set __attribute__((vector_size(8 * kWords)));

inline Set none() { return Set{}; }
inline Set all() { return ~Set{}; }
inline bool any(const Set &set) {
  Word found = 0;
  for (int i = 0; i < kWords; ++i) found |= set[i];
  return found != 0;
}
inline Set both(bool value) { return value ? all() : none(); }
inline bool has(const Set &set, int run) { return set[run / 64] >> (run % 64) & 1; }

uint64_t mixed(uint64_t x) {  // Steele, Lea, Flood: SplitMix64
  x += 0x9e3779b97f4a7c15ULL;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ULL;
  x = (x ^ x >> 27) * 0x94d049bb133111ebULL;
  return x ^ x >> 31;
}

// A function of Inputs sets, of which bit n of `bits` is the value at inputs of the number n.
template <int Inputs>
inline Set function(uint64_t bits, const Set *in) {
  const Set low = function<Inputs - 1>(bits, in);
  const Set high = function<Inputs - 1>(bits >> (1 << (Inputs - 1)), in);
  return low ^ ((low ^ high) & in[Inputs - 1]);
}
template <>
inline Set function<1>(uint64_t bits, const Set *in) {
  return both(bits & 1) ^ (both((bits ^ bits >> 1) & 1) & in[0]);
}

Set value_of(int inputs, uint64_t bits, const Set *in) {
  switch (inputs) {
    case 0: return both(bits & 1);
    case 1: return function<1>(bits, in);
    case 2: return function<2>(bits, in);
    case 3: return function<3>(bits, in);
    case 4: return function<4>(bits, in);
    case 5: return function<5>(bits, in);
    default: return function<6>(bits, in);
  }
}

// A bit of a product. `setup` has which, whether each operand is signed, and of each of their bits
// the input that it is, or -1 for 0, -2 for 1. Partial products are added a row at a time, up to
// that bit: what is above does not come back.
Set product_bit(const int32_t *setup, const Set *in) {
  const int bit = setup[0];
  Set rows[2][36], sum[36];
  int length[2];
  for (int operand = 0; operand < 2; ++operand) {
    const int32_t *inputs = setup + 3 + kOperandBits * operand;
    length[operand] = std::min(setup[1 + operand] ? 36 : kOperandBits, bit + 1);
    for (int i = 0; i < length[operand]; ++i) {
      const int input = inputs[std::min(i, kOperandBits - 1)];
      rows[operand][i] = input < 0 ? both(input == -2) : in[input];
    }
  }
  for (int i = 0; i <= bit; ++i) sum[i] = none();
  for (int i = 0; i < length[0]; ++i) {
    Set carry = none();
    for (int at = i; at <= bit; ++at) {
      const Set added = at - i < length[1] ? rows[0][i] & rows[1][at - i] : none();
      const Set half = sum[at] ^ added;
      const Set next = (sum[at] & added) | (half & carry);
      sum[at] = half ^ carry;
      carry = next;
    }
  }
  return sum[bit];
}

}  // namespace

extern "C" {

struct lydite_sample {  // what a memory's pin is given: a node, or a constant if that is -1
  int32_t node, hold, constant;
};

struct lydite_netlist {
  int32_t nodes;
  const int32_t *earliest, *latest;  // after an edge, in ps; -1: never
  int32_t steps;
  const int32_t *output, *first_arc, *ram;  // ram: number of the RAM in logic, or -1
  const uint64_t *bits;
  const int32_t *product, *product_setup;  // number of the product, or -1; 39 of each
  const int32_t *source, *delay;  // of arcs; first_arc has one entry more than steps
  int32_t registers;
  const int32_t *q, *next, *launch, *hold, *init;
  int32_t inputs;
  const int32_t *in_node, *in_launch;
  int32_t outputs;
  const int32_t *out_node, *out_hold;
  int32_t rams;
  const int32_t *ram_init, *ram_launch;
  const lydite_sample *ram_write;  // data, address (4), enable of each
  int32_t blocks;
  const int32_t *block_kind;  // 0 DP16KD, 1 ICESTORM_RAM
  const int32_t *block_setup;  // eight of each
  const lydite_sample *block_in;  // 80 of each
  const int32_t *block_out, *block_launch;  // 36 of each, node or -1
  const uint64_t *block_content;  // 512 words of each
};

struct lydite_timed_run {
  int32_t period;   // in ps
  int32_t cycles;
  int32_t runs;     // at most the sets'
  const uint8_t *given, *right, *cared;  // [run][cycle][bytes of all input, output bits]
  uint64_t seed;
  int32_t trace;    // look for the register that fails first
  const volatile int32_t *halted;  // where 1 ends it, unfinished
  uint64_t *wrong;  // result: [cycle][word]
  int32_t *seen;    // result: of each node the latest time after an edge at which it changed, or -1
  uint64_t events;  // result: times at which some run toggles, over all nodes
  uint64_t unsure;  // result: samples of a run that were random
  int32_t failed_cycle, failed_run, failed_node;  // result of a trace; -1: none
  int32_t path_nodes;
  int32_t path_node[512], path_time[512];
};

}  // extern "C"

namespace {

struct Event {
  int32_t time;
  Set runs;
};

struct Wave {  // of a node in the window of a cycle
  uint32_t begin = 0, end = 0;
  Set before{};
};

struct Block {
  std::vector<uint64_t> content;  // 512 words, of each run if it is written
  bool written = false;
  std::vector<uint64_t> held_a, held_b;  // what the ports show, of each run
};

class Chip {
 public:
  explicit Chip(const lydite_netlist &net) : net_(net) {
    value_.assign(net.nodes, none());
    quiet_.assign(net.nodes, none());
    waits_.resize(net.first_arc[net.steps]);
    at_.assign(net.first_arc[net.steps], none());
    for (auto &history : events_) history.reserve(1 << 16);
    for (auto &history : waves_) history.assign(net.nodes, Wave());
  }

  void run(lydite_timed_run *run) {
    begin(run);
    seen_ = run->seen;
    for (int cycle = 0; cycle < run->cycles && !*run->halted; ++cycle) {
      now_ = cycle;
      events().clear();
      launch(run, cycle);
      for (int step = 0; step < net_.steps; ++step) simulate(step, run->period);
      run->events += events().size();
      if (run->trace) find_failure(run, cycle);
      compare(run, cycle);
      capture(run, cycle);
      if (run->trace && run->failed_cycle >= 0) return;
    }
  }

 private:
  std::vector<Event> &events() { return events_[now_ % kHistory]; }
  Wave &wave(int node) { return waves_[now_ % kHistory][node]; }

  // Everything settled from the power-up state, inputs 0.
  void begin(lydite_timed_run *run) {
    run->events = run->unsure = 0;
    run->failed_cycle = run->failed_run = run->failed_node = -1;
    run->path_nodes = 0;
    std::fill(value_.begin(), value_.end(), none());
    next_q_.assign(net_.registers, none());
    for (int i = 0; i < net_.registers; ++i) {
      next_q_[i] = value_[net_.q[i]] = both(net_.init[i]);
    }
    ram_.assign(net_.rams * 16, none());
    for (int i = 0; i < net_.rams; ++i) {
      for (int word = 0; word < 16; ++word) {
        ram_[16 * i + word] = both(net_.ram_init[i] >> word & 1);
      }
    }
    next_ram_ = old_ram_ = ram_;
    blocks_.assign(net_.blocks, Block());
    for (int i = 0; i < net_.blocks; ++i) {
      Block &block = blocks_[i];
      block.written = net_.block_setup[8 * i + 7];
      const uint64_t *content = net_.block_content + 512 * i;
      for (int run_at = 0; run_at < (block.written ? kRuns : 1); ++run_at) {
        block.content.insert(block.content.end(), content, content + 512);
      }
      block.held_a.assign(kRuns, 0);
      block.held_b.assign(kRuns, 0);
    }
    block_next_.assign(36 * net_.blocks, none());
    for (int step = 0; step < net_.steps; ++step) {
      value_[net_.output[step]] = evaluated(step, value_, ram_);
    }
    for (auto &wait : waits_) wait.clear();
    for (int step = 0; step < net_.steps; ++step) {
      for (int arc = net_.first_arc[step]; arc < net_.first_arc[step + 1]; ++arc) {
        at_[arc] = value_[net_.source[arc]];
      }
    }
  }

  Set evaluated(int step, const std::vector<Set> &values, const std::vector<Set> &ram) const {
    Set in[kMaxInputs];
    const int first = net_.first_arc[step], count = net_.first_arc[step + 1] - first;
    for (int i = 0; i < count; ++i) in[i] = values[net_.source[first + i]];
    const int number = net_.ram[step];
    return number < 0 ? combined(step, count, in) : chosen(&ram[16 * number], in);
  }

  Set combined(int step, int count, const Set *in) const {
    const int number = net_.product[step];
    if (number < 0) return value_of(count, net_.bits[step], in);
    return product_bit(net_.product_setup + (3 + 2 * kOperandBits) * number, in);
  }

  static Set chosen(const Set *words, const Set *address) {
    Set level[8];
    for (int i = 0; i < 8; ++i) {
      level[i] = words[2 * i] ^ ((words[2 * i] ^ words[2 * i + 1]) & address[0]);
    }
    for (int bit = 1, left = 4; bit < 4; ++bit, left /= 2) {
      for (int i = 0; i < left; ++i) {
        level[i] = level[2 * i] ^ ((level[2 * i] ^ level[2 * i + 1]) & address[bit]);
      }
    }
    return level[0];
  }

  // What the edge changes: the outputs of registers and memories, and the inputs.
  void change(int node, int time, const Set &value) {
    Wave &mine = wave(node);
    mine.before = value_[node];
    mine.begin = static_cast<uint32_t>(events().size());
    const Set toggles = value_[node] ^ value;
    if (any(toggles)) events().push_back({time, toggles});
    mine.end = static_cast<uint32_t>(events().size());
    value_[node] = value;
  }

  void launch(const lydite_timed_run *run, int cycle) {
    for (int i = 0; i < net_.registers; ++i) change(net_.q[i], net_.launch[i], next_q_[i]);
    for (int i = 0; i < net_.blocks; ++i) {
      for (int pin = 0; pin < 36; ++pin) {
        const int node = net_.block_out[36 * i + pin];
        if (node >= 0) change(node, net_.block_launch[36 * i + pin], block_next_[36 * i + pin]);
      }
    }
    const int bytes = (net_.inputs + 7) / 8;
    for (int i = 0; i < net_.inputs; ++i) {
      if (net_.in_node[i] < 0) continue;
      change(net_.in_node[i], net_.in_launch[i], gathered(run, run->given, cycle, bytes, i));
    }
    std::swap(ram_, old_ram_);
    ram_ = next_ram_;
  }

  static Set gathered(const lydite_timed_run *run, const uint8_t *bits, int cycle, int bytes,
                      int bit) {
    Set found = none();
    for (int word = 0; word < kWords; ++word) {
      Word sum = 0;
      for (int lane = 0; lane < 64; ++lane) {
        const size_t number = static_cast<size_t>((64 * word + lane) % run->runs);
        const size_t at = (number * static_cast<size_t>(run->cycles) + cycle) * bytes + bit / 8;
        sum |= static_cast<Word>(bits[at] >> (bit % 8) & 1) << lane;
      }
      found[word] = sum;
    }
    return found;
  }

  void simulate(int step, int period) {
    const int node = net_.output[step];
    const int first = net_.first_arc[step], count = net_.first_arc[step + 1] - first;
    Wave &mine = wave(node);
    mine.before = value_[node];
    mine.begin = static_cast<uint32_t>(events().size());
    mine.end = mine.begin;
    const int ram = net_.ram[step];
    if (net_.earliest[node] < 0) return;
    const int limit = net_.earliest[node] + period;  // the window ends before it
    // Of each arc what waits, then what its source does; an end that is later than the window.
    const Event *at[kMaxInputs], *end[kMaxInputs], *more[kMaxInputs], *more_end[kMaxInputs];
    int time[kMaxInputs];
    bool busy = false;
    for (int i = 0; i < count; ++i) {
      const int arc = first + i;
      const Wave &from = wave(net_.source[arc]);
      const Event *base = events().data();
      at[i] = waits_[arc].data();
      end[i] = at[i] + waits_[arc].size();
      more[i] = base + from.begin;
      more_end[i] = base + from.end;
      time[i] = INT_MAX;
      advance(at[i], end[i], more[i], more_end[i], net_.delay[arc], limit, time[i]);
      busy |= time[i] != INT_MAX || at[i] != end[i] || more[i] != more_end[i];
    }
    int changed = INT_MAX;
    const Set *words = nullptr;
    if (ram >= 0) {
      words = &old_ram_[16 * ram];
      if (std::memcmp(words, &ram_[16 * ram], 16 * sizeof(Set)) != 0) {
        changed = net_.ram_launch[ram];
        busy = true;
      }
    }
    if (!busy) return;
    // Pointers into the list of events stay right only while it does not grow: what this node
    // does is gathered apart.
    made_.clear();
    Set out = value_[node];
    Set *in = &at_[first];
    for (;;) {
      int now = changed;
      for (int i = 0; i < count; ++i) now = std::min(now, time[i]);
      if (now == INT_MAX) break;
      for (int i = 0; i < count; ++i) {
        if (time[i] != now) continue;
        const Event *event = at[i] != end[i] ? at[i]++ : more[i]++;
        in[i] ^= event->runs;
        time[i] = INT_MAX;
        advance(at[i], end[i], more[i], more_end[i], net_.delay[first + i], limit, time[i]);
      }
      if (now == changed) {
        words = &ram_[16 * ram];
        changed = INT_MAX;
      }
      const Set value = ram < 0 ? combined(step, count, in) : chosen(words, in);
      const Set toggles = value ^ out;
      if (any(toggles)) {
        made_.push_back({now, toggles});
        out = value;
      }
    }
    for (int i = 0; i < count; ++i) {
      std::vector<Event> &wait = waits_[first + i];
      if (at[i] == end[i] && more[i] == more_end[i]) {
        wait.clear();
        continue;
      }
      late_.assign(at[i], end[i]);
      late_.insert(late_.end(), more[i], more_end[i]);
      for (Event &event : late_) event.time -= period;
      wait = late_;
    }
    events().insert(events().end(), made_.begin(), made_.end());
    mine.end = static_cast<uint32_t>(events().size());
    if (!made_.empty()) seen_[node] = std::max(seen_[node], made_.back().time);
    value_[node] = out;
  }

  static void advance(const Event *at, const Event *end, const Event *more, const Event *more_end,
                      int delay, int limit, int &time) {
    const Event *event = at != end ? at : more != more_end ? more : nullptr;
    if (event != nullptr && event->time + delay < limit) time = event->time + delay;
  }

  // What a node is at the edge that ends the cycle, random where it changes within the hold.
  Set sampled(lydite_timed_run *run, int cycle, int node, int hold) {
    const Wave &mine = wave(node);
    Set value = mine.before, unsure = none();
    for (uint32_t i = mine.begin; i < mine.end; ++i) {
      const Event &event = events()[i];
      if (event.time <= run->period) {
        value ^= event.runs;
      } else if (event.time <= run->period + hold) {
        unsure |= event.runs;
      } else {
        break;
      }
    }
    if (any(unsure)) {
      Set random = none();
      for (int word = 0; word < kWords; ++word) {
        const uint64_t place = static_cast<uint64_t>(node) * kWords + word;
        random[word] = mixed(run->seed ^ mixed(place ^ static_cast<uint64_t>(cycle) << 40));
        run->unsure += static_cast<uint64_t>(__builtin_popcountll(unsure[word]));
      }
      value = (value & ~unsure) | (random & unsure);
    }
    return value;
  }

  Set sampled(lydite_timed_run *run, int cycle, const lydite_sample &pin) {
    if (pin.node < 0) return both(pin.constant);
    return sampled(run, cycle, pin.node, pin.hold);
  }

  void compare(lydite_timed_run *run, int cycle) {
    Set wrong = none();
    const int bytes = (net_.outputs + 7) / 8;
    for (int i = 0; i < net_.outputs; ++i) {
      if (net_.out_node[i] < 0) continue;
      const Set cared = gathered(run, run->cared, cycle, bytes, i);
      if (!any(cared)) continue;
      const Set right = gathered(run, run->right, cycle, bytes, i);
      wrong |= (sampled(run, cycle, net_.out_node[i], net_.out_hold[i]) ^ right) & cared;
    }
    for (int word = 0; word < kWords; ++word) run->wrong[cycle * kWords + word] = wrong[word];
  }

  void capture(lydite_timed_run *run, int cycle) {
    for (int i = 0; i < net_.registers; ++i) {
      next_q_[i] = sampled(run, cycle, net_.next[i], net_.hold[i]);
    }
    for (int i = 0; i < net_.rams; ++i) {
      const lydite_sample *pins = net_.ram_write + 6 * i;
      const Set data = sampled(run, cycle, pins[0]), enable = sampled(run, cycle, pins[5]);
      Set address[4];
      for (int bit = 0; bit < 4; ++bit) address[bit] = sampled(run, cycle, pins[1 + bit]);
      written(&next_ram_[16 * i], data, address, enable);
    }
    for (int i = 0; i < net_.blocks; ++i) {
      Set pins[80];
      for (int pin = 0; pin < 80; ++pin) {
        pins[pin] = sampled(run, cycle, net_.block_in[80 * i + pin]);
      }
      (net_.block_kind[i] == 0 ? ebr(i, pins) : ram40(i, pins));
    }
  }

  static void written(Set *words, const Set &data, const Set *address, const Set &enable) {
    for (int word = 0; word < 16; ++word) {
      Set here = enable;
      for (int bit = 0; bit < 4; ++bit) here &= word >> bit & 1 ? address[bit] : ~address[bit];
      words[word] = (words[word] & ~here) | (data & here);
    }
  }

  static uint64_t number(const Set *pins, int count, int run) {
    uint64_t found = 0;
    for (int i = 0; i < count; ++i) found |= static_cast<uint64_t>(has(pins[i], run)) << i;
    return found;
  }

  // ECP5: targets/cells/common/ebr.v. Pins of each port: address (14), data (18), enable, write,
  // reset, select (3), two of nothing.
  static int place(int width, int low) {
    switch (width) {
      case 1: return 9 * (low >> 3 & 3) + (low & 7);
      case 2: return 9 * (low >> 3 & 3) + (low & 6);
      case 4: return 9 * (low >> 3 & 3) + (low & 4);
      case 9: return 9 * (low >> 3 & 3);
      case 18: return 18 * (low >> 4 & 1);
      default: return 0;
    }
  }
  static uint64_t nines(int enables, int count) {
    uint64_t found = 0;
    for (int i = 0; i < count; ++i) {
      if (enables >> i & 1) found |= 0x1ffULL << (9 * i);
    }
    return found;
  }
  static uint64_t lanes(int width, int enables) {
    if (width == 18) return nines(enables, 2);
    if (width == 36) return nines(enables, 4);
    return (1ULL << width) - 1;
  }

  void ebr(int number_of, const Set *pins) {
    Block &block = blocks_[number_of];
    const int *setup = net_.block_setup + 8 * number_of;  // widths, modes of A and B
    for (int run = 0; run < kRuns; ++run) {
      uint64_t *words = &block.content[block.written ? 512 * run : 0];
      uint64_t read[2], next[2] = {0, 0}, mask[2] = {0, 0};
      int row[2] = {0, 0};
      const uint64_t data[2] = {number(pins + 14, 18, run), number(pins + 40 + 14, 18, run)};
      for (int port = 0; port < 2; ++port) {
        const Set *mine = pins + 40 * port;
        uint64_t &held = port ? block.held_b[run] : block.held_a[run];
        const int width = setup[port], mode = setup[2 + port];
        const int address = static_cast<int>(number(mine, 14, run));
        const bool enabled = has(mine[32], run) && number(mine + 35, 3, run) == 0;
        const bool write = has(mine[33], run), reset = has(mine[34], run);
        read[port] = held;
        if (reset) {
          read[port] = 0;
        } else if (enabled) {
          const int begin = place(width, address & 31);
          row[port] = address >> 5;
          const uint64_t old = words[row[port]], ones = (1ULL << width) - 1;
          uint64_t given = port == 0 ? data[1] << 18 | data[0] : data[1];
          if (write) {
            mask[port] = lanes(width, address & 15) << begin & 0xfffffffffULL;
            next[port] = given << begin;
          }
          const uint64_t fresh = (old & ~mask[port]) | (next[port] & mask[port]);
          if (!write || mode == 2) read[port] = (old >> begin) & ones;
          else if (mode == 1) read[port] = (fresh >> begin) & ones;
        }
      }
      for (int port = 0; port < 2; ++port) {
        uint64_t &word = words[row[port]];
        word = (word & ~mask[port]) | (next[port] & mask[port]);
        (port ? block.held_b[run] : block.held_a[run]) = read[port];
      }
      const bool wide = setup[1] == 36;
      const uint64_t low = wide ? read[1] & 0x3ffff : read[0] & 0x3ffff;
      const uint64_t high = wide ? read[1] >> 18 & 0x3ffff : read[1] & 0x3ffff;
      show(number_of, run, low | high << 18);
    }
  }

  // iCE40: targets/cells/ice40/ram40.v. Pins: reading address (11), enables (2); writing address
  // (11), enables (2), mask (16), data (16).
  void ram40(int number_of, const Set *pins) {
    Block &block = blocks_[number_of];
    const int *setup = net_.block_setup + 8 * number_of;
    const int read_mode = setup[0], write_mode = setup[1];
    const int rparts = 1 << read_mode, wparts = 1 << write_mode;
    const int rpin = read_mode < 2 ? 0 : rparts / 2 - 1;
    const int wpin = write_mode < 2 ? 0 : wparts / 2 - 1;
    for (int run = 0; run < kRuns; ++run) {
      uint64_t *words = &block.content[block.written ? 512 * run : 0];
      uint64_t shown = block.held_a[run];
      if (has(pins[11], run) && has(pins[12], run)) {
        const int address = static_cast<int>(number(pins, 11, run));
        const uint64_t word = words[address & 255];
        const int part = address >> 8 & (rparts - 1);
        shown = 0;
        for (int bit = 0; bit < 16; ++bit) {
          if (bit % rparts == rpin) shown |= (word >> (bit / rparts * rparts + part) & 1) << bit;
        }
      }
      if (has(pins[24], run) && has(pins[25], run)) {
        const int address = static_cast<int>(number(pins + 13, 11, run));
        const uint64_t mask = number(pins + 26, 16, run), data = number(pins + 42, 16, run);
        const int part = address >> 8 & (wparts - 1);
        uint64_t &word = words[address & 255];
        for (int bit = 0; bit < 16; ++bit) {
          if (write_mode == 0 ? mask >> bit & 1 : bit % wparts != part) continue;
          const uint64_t value = data >> (bit / wparts * wparts + wpin) & 1;
          word = (word & ~(1ULL << bit)) | value << bit;
        }
      }
      block.held_a[run] = shown;
      show(number_of, run, shown);
    }
  }

  void show(int block, int run, uint64_t bits) {
    for (int pin = 0; pin < 36; ++pin) {
      Set &set = block_next_[36 * block + pin];
      const Word bit = 1ULL << (run % 64);
      set[run / 64] = (set[run / 64] & ~bit) | (bits >> pin & 1 ? bit : 0);
    }
  }

  // Looks for what is not sampled as it would be without delays, in the state that registers were
  // given: up to the first cycle in which there is some, that state is right.
  void find_failure(lydite_timed_run *run, int cycle) {
    quiet_ = value_;
    for (int step = 0; step < net_.steps; ++step) {
      quiet_[net_.output[step]] = evaluated(step, quiet_, ram_);
    }
    for (int i = 0; i < net_.registers; ++i) look(run, cycle, net_.next[i], net_.hold[i]);
    for (int i = 0; i < net_.outputs; ++i) look(run, cycle, net_.out_node[i], net_.out_hold[i]);
    const lydite_sample *pin = net_.ram_write;
    for (int i = 0; i < 6 * net_.rams; ++i) look(run, cycle, pin[i].node, pin[i].hold);
    pin = net_.block_in;
    for (int i = 0; i < 80 * net_.blocks; ++i) look(run, cycle, pin[i].node, pin[i].hold);
    if (run->failed_cycle >= 0) trace(run);
  }

  // Of all that fail in a cycle, the one with the latest event is kept.
  void look(lydite_timed_run *run, int cycle, int node, int hold) {
    if (node < 0 || net_.latest[node] <= run->period) return;
    const Set bad = sampled(run, cycle, node, hold) ^ quiet_[node];
    const Wave &mine = wave(node);
    for (uint32_t i = mine.end; i-- > mine.begin;) {
      const Event &event = events()[i];
      if (event.time <= run->period) return;
      if (run->failed_cycle >= 0 && event.time <= run->path_time[0]) return;
      for (int lane = 0; lane < run->runs; ++lane) {
        if (!has(event.runs & bad, lane)) continue;
        run->failed_cycle = cycle;
        run->failed_run = lane;
        run->failed_node = node;
        run->path_node[0] = node;
        run->path_time[0] = event.time;
        return;
      }
    }
  }

  // Goes back from an event to that which caused it, to the edge.
  void trace(lydite_timed_run *run) {
    int node = run->path_node[0], time = run->path_time[0], count = 1, back = 0;
    while (count < 512) {
      const int step = step_of(node);
      if (step < 0) break;
      bool found = false;
      for (int arc = net_.first_arc[step]; arc < net_.first_arc[step + 1] && !found; ++arc) {
        const int source = net_.source[arc];
        for (int before = back; before < kHistory && before <= now_ && !found; ++before) {
          const int wanted = time - net_.delay[arc] + (before - back) * run->period;
          const int cycle = (now_ - before) % kHistory;
          const Wave &from = waves_[cycle][source];
          for (uint32_t i = from.begin; i < from.end && !found; ++i) {
            const Event &event = events_[cycle][i];
            if (event.time != wanted || !has(event.runs, run->failed_run)) continue;
            found = true;
            node = source;
            time = wanted;
            back = before;
          }
        }
      }
      if (!found) break;
      run->path_node[count] = node;
      run->path_time[count++] = time;
    }
    run->path_nodes = count;
  }

  int step_of(int node) {
    if (steps_.empty()) {
      steps_.assign(net_.nodes, -1);
      for (int step = 0; step < net_.steps; ++step) steps_[net_.output[step]] = step;
    }
    return steps_[node];
  }

  const lydite_netlist net_;
  int now_ = 0;
  int32_t *seen_ = nullptr;
  std::vector<Set> value_, quiet_, at_, next_q_, ram_, old_ram_, next_ram_, block_next_;
  std::vector<std::vector<Event>> waits_;
  std::vector<Event> events_[kHistory], made_, late_;
  std::vector<Wave> waves_[kHistory];
  std::vector<Block> blocks_;
  std::vector<int> steps_;
};

}  // namespace

extern "C" {

__attribute__((visibility("default"))) int lydite_timed_runs() { return kRuns; }

__attribute__((visibility("default"))) void *lydite_timed_open(const lydite_netlist *net) {
  return new Chip(*net);
}

__attribute__((visibility("default"))) void lydite_timed_close(void *chip) {
  delete static_cast<Chip *>(chip);
}

__attribute__((visibility("default"))) void lydite_timed_run_(void *chip, lydite_timed_run *run) {
  static_cast<Chip *>(chip)->run(run);
}

}  // extern "C"
