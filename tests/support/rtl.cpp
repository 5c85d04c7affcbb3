// SPDX-License-Identifier: Apache-2.0
// Drives any module: its ports are a table of places and widths, what is done with them comes from
// tests/support/rtl.py. Either a clock runs and ports are read, or calls are made under the protocol
// of lydite.hls.interface, one by one or as fast as a pipelined function takes them.

#include "model.h"
#include "ports.h"

namespace {

struct Port {
  uint8_t *at;
  uint32_t width;
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
  uint32_t scalars, slot, memories, reserved;
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
  explicit Drive(rtl_job *job) : job_(job), random_(job->seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(job->seed & 0x7fffffff) | 1);
    context_.assertOn(true);
    top_ = std::make_unique<LYDITE_MODEL>(&context_);
#define PORT(number, width) ports_.push_back({(uint8_t *)(&top_->p##number), width});
    RTL_PORTS
#undef PORT
  }

  void run() {
    if (job_->calls != nullptr) {
      c_ = job_->calls;
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
    for (size_t i = 0; i < ports_.size(); ++i)
      std::memcpy(job_->ports + 64 * i, ports_[i].at, bytes_of(ports_[i].width));
  }

 private:
  uint64_t get(int32_t port) const {
    uint64_t value = 0;
    std::memcpy(&value, ports_[port].at, bytes_of(ports_[port].width));
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
    std::vector<uint8_t> bytes((ports_[port].width + 7) / 8);
    random_.fill(bytes.data(), bytes.size());
    put(port, bytes.data(), bytes.size());
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
    std::vector<std::pair<int32_t, std::vector<uint8_t>>> answers;
    for (uint32_t i = 0; i < c_->memories; ++i) {
      const rtl_memory &m = c_->memory[i];
      for (int port = 0; port < 2; ++port) {
        if (m.ce[port] < 0 || m.q[port] < 0 || !get(m.ce[port])) continue;
        std::vector<uint8_t> word(m.bytes);
        const uint64_t address = get(m.address[port]);
        if (address < m.depth) {
          std::memcpy(word.data(), &words_[i][address * m.bytes], m.bytes);
        } else {
          random_.fill(word.data(), m.bytes);
        }
        answers.emplace_back(m.q[port], std::move(word));
      }
      for (int port = 0; port < 2; ++port) write(i, m, port);
    }
    set(c_->clk, 1);
    top_->eval();
    for (const auto &[port, word] : answers) put(port, word.data(), word.size());
    set(c_->clk, 0);
    top_->eval();
  }

  void write(uint32_t number, const rtl_memory &m, int port) {
    if (m.ce[port] < 0 || m.we[port] < 0 || !get(m.ce[port]) || !get(m.we[port])) return;
    const uint64_t address = get(m.address[port]);
    if (address >= m.depth) throw Failure("a write outside of memory " + std::to_string(number));
    const uint32_t each = m.bytes / m.lanes;
    for (uint32_t lane = 0; lane < m.lanes; ++lane) {
      if (!(get(m.we[port]) >> lane & 1)) continue;
      std::memcpy(&words_[number][address * m.bytes + lane * each],
                  ports_[m.d[port]].at + lane * each, each);
    }
  }

  void load(uint32_t call) {
    const uint8_t *from = c_->before + call * size_;
    for (uint32_t i = 0; i < c_->memories; ++i) {
      words_[i].assign(from, from + c_->memory[i].depth * c_->memory[i].bytes);
      from += words_[i].size();
    }
  }

  void save(uint32_t call) const {
    uint8_t *to = c_->after + call * size_;
    for (const auto &words : words_) {
      std::memcpy(to, words.data(), words.size());
      to += words.size();
    }
  }

  void reset() {
    words_.resize(c_->memories);
    for (uint32_t i = 0; i < c_->memories; ++i) size_ += c_->memory[i].depth * c_->memory[i].bytes;
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
    if (get(c_->done) || !get(c_->idle))
      throw Failure(std::string("ap_done, or not ap_idle, ") + when);
    edge();
  }

  void one(uint32_t call) {
    for (uint64_t gap = random_.next() & 3; gap; --gap) idle("before a call");
    load(call);
    give(call);
    set(c_->start, 1);
    top_->eval();
    bool taken = false;
    uint32_t cycle = 0;
    for (; !get(c_->done); ++cycle) {
      if (cycle == c_->limit) throw Failure("no ap_done in call " + std::to_string(call));
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
    idle("after a call");
  }

  // A rewound loop says that it has taken a call when the last iteration has begun: its cycles
  // count from the one in which the call is offered.
  void overlapped() {
    std::vector<int64_t> begins(c_->count + 1);
    uint32_t next = 0, over = 0;
    uint64_t wait = 0;
    bool offered = false;
    for (uint32_t cycle = 0; over < c_->count; ++cycle) {
      if (cycle == c_->limit) throw Failure("no ap_done in call " + std::to_string(over));
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
      if (start && (c_->rewound ? !offered : taken)) begins[next] = cycle;
      offered = c_->rewound && start && !taken;
      if (done) {
        if (over == next && !taken) throw Failure("ap_done without a call");
        result(over);
        c_->cycles[over] = cycle - begins[over] + 1;
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
  const rtl_calls *c_ = nullptr;
  Random random_;
  VerilatedContext context_;
  std::unique_ptr<LYDITE_MODEL> top_;
  std::vector<Port> ports_;
  std::vector<std::vector<uint8_t>> words_;
  size_t size_ = 0;
};

}  // namespace

void vl_fatal(const char *file, int line, const char *, const char *what) {
  throw Failure(std::string(what) + " (" + file + ":" + std::to_string(line) + ")");
}
void vl_stop(const char *file, int line, const char *) {
  throw Failure(std::string("$stop at ") + file + ":" + std::to_string(line));
}
void vl_finish(const char *file, int line, const char *) {
  throw Failure(std::string("$finish at ") + file + ":" + std::to_string(line));
}

extern "C" void rtl_run(rtl_job *job) {
  job->error[0] = 0;
  try {
    Drive(job).run();
  } catch (const std::exception &failure) {
    std::snprintf(job->error, sizeof job->error, "%s", failure.what());
  }
}
