// SPDX-License-Identifier: Apache-2.0
// Drives any module: its ports are a table of places and widths, what is done with them comes from
// tests/support/rtl.py. Either a clock runs and ports are read, or calls are made under the
// protocol of lydite.hls.interface, one by one or as fast as a pipelined function takes them.
//
// This is compiled with each of hundreds of models: no templates, which take most of the time.

#include "model.h"

namespace {

struct Port {
  uint8_t *at;
  uint32_t width;
};

struct Failure {
  Failure(const char *what, long number = -1) {
    std::snprintf(text, sizeof text, number < 0 ? "%s" : "%s %ld", what, number);
  }
  char text[200];
};

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014).
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
    for (size_t i = 0; i < count; ++i) bytes[i] = static_cast<uint8_t>(next());
  }

 private:
  uint64_t state_;
};

size_t bytes_of(uint32_t width) {
  if (width > 64) return 4 * ((width + 31) / 32);
  return width > 32 ? 8 : width > 16 ? 4 : width > 8 ? 2 : 1;
}

}  // namespace

extern "C" {

// Numbers of ports, -1 for those that the module has not.
struct rtl_memory {
  int32_t address[2], ce[2], we[2], d[2], q[2];
  uint32_t depth, bytes, lanes;
};

// `values` has a slot of `slot` bytes for each scalar of each call; `before` and `after` have the
// words of all memories for each call, or once if calls overlap.
struct rtl_calls {
  int32_t clk, rst, start, done, idle, ready, result;
  uint32_t count, limit, overlap, rewound, pauses;
  uint32_t scalars, slot, memories, pipelined;
  const int32_t *scalar;
  const rtl_memory *memory;
  const uint8_t *values, *before;
  uint8_t *after, *results;
  int64_t *cycles;
};

struct rtl_job {
  uint64_t seed;
  const rtl_calls *calls;
  int32_t clock;
  uint32_t edges;
  uint8_t *ports;  // of every port at the end, 64 bytes each
  char error[256];
};
}

namespace {

class Drive {
 public:
  explicit Drive(rtl_job *job) : job_(job), c_(job->calls), random_(job->seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(job->seed & 0x7fffffff) | 1);
    context_.assertOn(true);
    top_ = new LYDITE_MODEL(&context_);
#define PORT(number, width) ports_[number] = {(uint8_t *)(&top_->p##number), width};
    RTL_PORTS
#undef PORT
    if (c_ == nullptr) return;
    for (uint32_t i = 0; i < c_->memories; ++i) size_ += bytes_in(c_->memory[i]);
    for (uint32_t i = 0; i < c_->memories; ++i)
      if (word_ < c_->memory[i].bytes) word_ = c_->memory[i].bytes;
    words_ = new uint8_t[size_ + 1];
    answers_ = new uint8_t[2 * c_->memories * word_ + 1];
    begins_ = new int64_t[c_->count + 1];
  }

  ~Drive() {
    delete[] begins_;
    delete[] answers_;
    delete[] words_;
    delete top_;
  }

  void run() {
    if (c_ != nullptr) {
      reset();
      if (c_->overlap) {
        overlapped();
      } else {
        for (uint32_t call = 0; call < c_->count; ++call) one(call);
      }
    } else {
      for (uint32_t edge = 0; edge < job_->edges; ++edge) {
        set(job_->clock, 0);
        top_->eval();
        set(job_->clock, 1);
        top_->eval();
      }
    }
    top_->final();
    if (job_->ports == nullptr) return;
    for (size_t i = 0; i < RTL_COUNT; ++i)
      std::memcpy(job_->ports + 64 * i, ports_[i].at, bytes_of(ports_[i].width));
  }

 private:
  static size_t bytes_in(const rtl_memory &memory) {
    return static_cast<size_t>(memory.depth) * memory.bytes;
  }

  uint64_t get(int32_t port) const {
    uint64_t value = 0;
    const size_t bytes = bytes_of(ports_[port].width);
    std::memcpy(&value, ports_[port].at, bytes < 8 ? bytes : 8);
    return value;
  }

  void set(int32_t port, uint64_t value) {
    std::memcpy(ports_[port].at, &value, bytes_of(ports_[port].width));
  }

  // Bits above the width must be 0 in Verilator's ports.
  void put(int32_t port, const uint8_t *bytes, size_t count) {
    const Port &p = ports_[port];
    std::memset(p.at, 0, bytes_of(p.width));
    std::memcpy(p.at, bytes, count);
    if (p.width % 8) p.at[p.width / 8] &= static_cast<uint8_t>((1U << p.width % 8) - 1);
  }

  void garbage(int32_t port) {
    Port &p = ports_[port];
    random_.fill(p.at, (p.width + 7) / 8);
    if (p.width % 8) p.at[p.width / 8] &= static_cast<uint8_t>((1U << p.width % 8) - 1);
  }

  void scramble() {
    for (uint32_t i = 0; i < c_->scalars; ++i) garbage(c_->scalar[i]);
  }

  void give(uint32_t call) {
    const uint8_t *from = c_->values + static_cast<size_t>(call) * c_->scalars * c_->slot;
    for (uint32_t i = 0; i < c_->scalars; ++i)
      put(c_->scalar[i], from + i * c_->slot, (ports_[c_->scalar[i]].width + 7) / 8);
  }

  void result(uint32_t call) {
    if (c_->result < 0) return;
    const size_t count = (ports_[c_->result].width + 7) / 8;
    std::memcpy(c_->results + call * count, ports_[c_->result].at, count);
  }

  // Memories answer after the edge, with what was there before it, and hold their answer.
  void edge() {
    uint8_t *words = words_;
    for (uint32_t i = 0; i < c_->memories; ++i) {
      const rtl_memory &m = c_->memory[i];
      for (int port = 0; port < 2; ++port) {
        if (!reads(m, port)) continue;
        uint8_t *answer = answers_ + (2 * i + port) * word_;
        const uint64_t address = get(m.address[port]);
        if (address < m.depth) {
          std::memcpy(answer, words + address * m.bytes, m.bytes);
        } else {
          random_.fill(answer, m.bytes);
        }
      }
      for (int port = 0; port < 2; ++port) write(m, port, words);
      words += bytes_in(m);
    }
    // The model looks at its inputs of before the edge; the enables are outputs.
    bool enabled[2 * RTL_COUNT];
    for (uint32_t i = 0; i < 2 * c_->memories; ++i)
      enabled[i] = reads(c_->memory[i / 2], static_cast<int>(i % 2));
    set(c_->clk, 1);
    top_->eval();
    for (uint32_t i = 0; i < 2 * c_->memories; ++i) {
      const rtl_memory &m = c_->memory[i / 2];
      if (enabled[i]) std::memcpy(ports_[m.q[i % 2]].at, answers_ + i * word_, m.bytes);
    }
    set(c_->clk, 0);
    top_->eval();
  }

  bool reads(const rtl_memory &m, int port) const {
    return m.ce[port] >= 0 && m.q[port] >= 0 && get(m.ce[port]);
  }

  void write(const rtl_memory &m, int port, uint8_t *words) {
    if (m.ce[port] < 0 || m.we[port] < 0 || !get(m.ce[port])) return;
    const uint64_t address = get(m.address[port]);
    const uint32_t each = m.bytes / m.lanes;
    for (uint32_t lane = 0; lane < m.lanes; ++lane) {
      if (!(ports_[m.we[port]].at[lane / 8] >> lane % 8 & 1)) continue;
      if (address >= m.depth) throw Failure("a write outside of a memory, at", address);
      std::memcpy(words + address * m.bytes + lane * each, ports_[m.d[port]].at + lane * each,
                  each);
    }
  }

  void load(uint32_t call) { std::memcpy(words_, c_->before + call * size_, size_); }

  void save(uint32_t call) const { std::memcpy(c_->after + call * size_, words_, size_); }

  void reset() {
    set(c_->clk, 0);
    set(c_->rst, 1);
    set(c_->start, 0);
    scramble();
    for (uint32_t i = 0; i < c_->memories; ++i)
      for (int32_t port : c_->memory[i].q)
        if (port >= 0) garbage(port);
    load(0);
    top_->eval();
    for (int i = 0; i < 3; ++i) edge();
    set(c_->rst, 0);
    top_->eval();
  }

  void idle(const char *when) {
    scramble();
    top_->eval();
    // A pipelined function is idle when the interval of its last call is over.
    if (get(c_->done) || (!get(c_->idle) && !c_->pipelined)) throw Failure(when);
    edge();
  }

  void one(uint32_t call) {
    for (uint64_t gap = random_.next() & 3; gap; --gap)
      idle("ap_done, or not ap_idle, before a call");
    for (uint32_t wait = 0; !get(c_->idle); ++wait) {
      if (wait == c_->limit) throw Failure("no ap_idle before call", call);
      idle("ap_done before a call");
    }
    load(call);
    give(call);
    set(c_->start, 1);
    top_->eval();
    bool taken = false;
    uint32_t cycle = 0;
    for (; !get(c_->done); ++cycle) {
      if (cycle == c_->limit) throw Failure("no ap_done in call", call);
      taken |= get(c_->ready) != 0;
      edge();
      // A pipelined function would take the next call.
      if (taken) {
        set(c_->start, 0);
        scramble();
      }
      top_->eval();
    }
    if (!taken && !get(c_->ready)) throw Failure("ap_done without ap_ready");
    result(call);
    c_->cycles[call] = cycle + 1;
    edge();
    set(c_->start, 0);
    save(call);
    idle("ap_done, or not ap_idle, after a call");
  }

  // A rewound loop says that it has taken a call when the last iteration has begun: its cycles
  // count from the one in which the call is offered.
  void overlapped() {
    uint32_t next = 0, over = 0;
    uint64_t wait = 0;
    bool offered = false;
    for (uint32_t cycle = 0; over < c_->count; ++cycle) {
      if (cycle == c_->limit) throw Failure("no ap_done in call", over);
      const bool start = next < c_->count && wait == 0;
      set(c_->start, start);
      if (start) {
        give(next);
      } else {
        scramble();
      }
      top_->eval();
      const bool taken = get(c_->ready), done = get(c_->done);
      if (taken && !start) throw Failure("ap_ready without ap_start");
      if (start && (c_->rewound ? !offered : taken)) begins_[next] = cycle;
      offered = c_->rewound && start && !taken;
      if (done) {
        if (over == next && !taken) throw Failure("ap_done without a call");
        result(over);
        c_->cycles[over] = cycle - begins_[over] + 1;
        ++over;
      }
      if (wait) --wait;
      if (taken) {
        ++next;
        wait = c_->pauses ? random_.next() & 3 : 0;
      }
      edge();
    }
    save(0);
  }

  rtl_job *job_;
  const rtl_calls *c_;
  Random random_;
  VerilatedContext context_;
  LYDITE_MODEL *top_;
  Port ports_[RTL_COUNT];
  // All memories, one behind the other, of `size_` bytes; what each port of each answers.
  uint8_t *words_ = nullptr, *answers_ = nullptr;
  size_t size_ = 0, word_ = 0;
  int64_t *begins_ = nullptr;
};

}  // namespace

void vl_fatal(const char *, int, const char *, const char *what) { throw Failure(what); }
void vl_stop(const char *, int line, const char *) { throw Failure("$stop in line", line); }
void vl_finish(const char *, int line, const char *) { throw Failure("$finish in line", line); }

extern "C" void rtl_run(rtl_job *job) {
  job->error[0] = 0;
  try {
    Drive(job).run();
  } catch (const Failure &failure) {
    std::snprintf(job->error, sizeof job->error, "%s", failure.text);
  }
}
