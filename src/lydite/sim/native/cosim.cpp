// SPDX-License-Identifier: Apache-2.0
// Replays recorded calls of a C function on its Verilated hardware and compares what comes out.
// lydite.sim.cosim.verilog puts constants and port accesses in the marked places, and compiles this
// together with the model; the contract of the ports is that of lydite.hls.interface. Memories
// answer in the cycle after the request and hold their output, as Vitis HLS has it for ap_memory.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "Vmodel__Syms.h"
#include "model.h"
#include "ports.h"
#include "repetition.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

// An array argument: where its address and its bytes are in a record, and its bytes in the outputs.
struct Array {
  size_t address, out, bytes;
  bool read_only;  // by the hardware
  bool by_value;   // a copy made for the callee: what becomes of it is not an output
  bool in_memory;  // the hardware has ports for it that are no handshake
};

// A stream argument, or another one whose values come or go by a handshake.
struct Shape {
  const char *name;
  size_t beat_bytes;  // in the record
  bool writes;        // the hardware
  bool valid, ready;  // which signals there are
  bool axis;          // a stream of AXI
  bool registered;    // its tready, or tvalid, comes out of a register
  uint64_t spare;     // beats that its registers take before they are asked for
};

// @constants@

constexpr uint64_t kMostSpareBeats = 2;

// One ap_memory with up to two ports.
class Memory {
 public:
  Memory(const char *name, uint64_t depth, size_t word_bytes, size_t bytes)
      : name_(name), depth_(depth), word_(word_bytes), bytes_(bytes), data_(depth * word_bytes) {}
  void load(const uint8_t *bytes) {
    std::memset(data_.data(), 0, data_.size());
    std::memcpy(data_.data(), bytes, bytes_);
  }
  const uint8_t *data() const { return data_.data(); }
  uint8_t *write_data(int port) { return in_[port]; }
  const uint8_t *read_data(int port) const { return out_[port]; }
  void scramble(Random &random) {
    random.fill(out_[0], word_);
    random.fill(out_[1], word_);
  }
  void request(int port, uint64_t address, bool enable, uint64_t lanes) {
    enable_[port] = enable;
    address_[port] = address;
    lanes_[port] = lanes;
  }
  // What decides what it does next.
  void parts(Repetition::Parts &parts) const {
    parts.emplace_back(data_.data(), data_.size());
    parts.emplace_back(out_[0], sizeof out_);
  }
  // The clock's edge: reads see what was there before the writes of the same cycle. What is read
  // outside is random, or as it was.
  void edge(unsigned lane_count, Random *random) {
    for (int port = 0; port < 2; ++port) {
      if (!enable_[port]) continue;
      // Reading outside is allowed as long as nothing comes of it.
      if (address_[port] < depth_)
        std::memcpy(out_[port], &data_[address_[port] * word_], word_);
      else if (random != nullptr)
        random->fill(out_[port], word_);
    }
    for (int port = 0; port < 2; ++port) {
      if (!enable_[port] || !lanes_[port]) continue;
      if (address_[port] >= depth_) {
        throw Failure("writes " + std::string(name_) + "[" + std::to_string(address_[port]) +
                      "], which has " + std::to_string(depth_) + " words");
      }
      const size_t lane = word_ / lane_count;
      for (unsigned i = 0; i < lane_count; ++i) {
        if (lanes_[port] >> i & 1)
          std::memcpy(&data_[address_[port] * word_ + i * lane], in_[port] + i * lane, lane);
      }
    }
    const bool both = enable_[0] && enable_[1] && address_[0] == address_[1];
    if (both && (lanes_[0] & lanes_[1])) {
      throw Failure("writes " + std::string(name_) + "[" + std::to_string(address_[0]) +
                    "] through both ports in one cycle");
    }
  }

 private:
  const char *name_;
  uint64_t depth_;
  size_t word_, bytes_;
  std::vector<uint8_t> data_;
  uint8_t in_[2][kMaxWord] = {}, out_[2][kMaxWord] = {};
  bool enable_[2] = {};
  uint64_t address_[2] = {}, lanes_[2] = {};
};

uint64_t bits_of(const uint8_t *bytes, size_t low, size_t count) {
  uint64_t word = 0;
  for (size_t i = 0; i < count; ++i) {
    word |= static_cast<uint64_t>(bytes[(low + i) / 8] >> (low + i) % 8 & 1) << i;
  }
  return word;
}

template <class Port>
void set_bits(Port &port, uint64_t word) {
  port = static_cast<Port>(word);
}

void put_bits(uint8_t *bytes, size_t low, size_t count, uint64_t word) {
  for (size_t i = 0; i < count; ++i)
    bytes[(low + i) / 8] |= static_cast<uint8_t>((word >> i & 1) << (low + i) % 8);
}

// Clears what is above the lowest bits.
void cut(uint8_t *bytes, size_t width) {
  if (width % 8 != 0) bytes[width / 8] &= static_cast<uint8_t>((1U << width % 8) - 1);
}

// One handshake: the beats that the C program took or gave, and how many the hardware has.
class Stream {
 public:
  Stream(const Shape &shape, const uint8_t *beats, const uint64_t *ends)
      : shape(shape), beats_(beats), ends_(ends) {}

  // Starts a cycle: whether valid, or ready, is high. Without `stalls` it is whenever it may. What
  // nobody acknowledges is there for the whole of its call.
  bool start(Random &random, unsigned stalls, bool quiet, uint64_t extra, uint64_t call,
             bool busy) {
    const bool wants = stalls == 0 || quiet || random.next() % 4 >= stalls;
    if (shape.writes) return high = wants || !shape.ready;
    const bool alone = !shape.valid || !shape.ready;
    const uint64_t number = alone ? call : moved;
    if (alone)
      high = busy && (wants || !shape.valid);
    else if (!high)
      high = wants && moved < total_recorded + extra;
    if (high && number < total_recorded) {
      std::memcpy(beat, beats_ + number * shape.beat_bytes, shape.beat_bytes);
    } else if (!quiet && (!high || !scrambled)) {
      random.fill(beat, sizeof beat);
    }
    scrambled = high;
    return high;
  }

  // A beat of the hardware meets ready, or has to wait for it. Gives whether it is right.
  bool given(bool valid, uint64_t allowed) {
    if (waits_ && !valid) throw Failure(name() + " is no longer valid before it was taken");
    if (waits_ && std::memcmp(beat, before_, shape.beat_bytes) != 0) {
      throw Failure(name() + " changes a beat while it waits to be taken");
    }
    waits_ = valid && !high;
    std::memcpy(before_, beat, sizeof beat);
    if (!valid || !high) return true;
    if (moved >= allowed) {
      throw Failure(name() + " gives a beat more than the " + std::to_string(allowed) +
                    " of the C program");
    }
    if (std::memcmp(beat, beats_ + moved * shape.beat_bytes, shape.beat_bytes) != 0) return false;
    ++moved;
    return true;
  }

  void taken(bool ready) {
    if (!high || !ready) return;
    ++moved;
    if (shape.valid) high = false;
  }

  uint64_t end(uint64_t call) const { return ends_[call]; }
  std::string name() const { return shape.name; }

  const Shape &shape;
  uint64_t moved = 0;
  uint64_t total_recorded = 0;
  bool high = false;  // valid or ready, whichever is ours
  bool scrambled = false;
  uint8_t beat[88] = {};

 private:
  const uint8_t *beats_;
  const uint64_t *ends_;
  bool waits_ = false;
  uint8_t before_[88] = {};
};

}  // namespace

extern "C" {

// One replay, from reset. Results go to the fields below the line.
struct lydite_cosim_job {
  const uint8_t *records;  // calls, kRecordBytes each
  uint64_t calls;
  uint64_t seed;        // of power-up values, gaps and garbage
  uint32_t gaps;        // whether calls are apart by random numbers of idle cycles
  uint64_t timeout;     // cycles of one call after which it is given up
  uint64_t trace_from;  // first call in the waveform
  uint64_t trace_timeout;  // as timeout, for calls that are drawn
  const char *wave;     // its file; null for none
  uint32_t stalls;      // of streams: quarters of the cycles, 0 to 3
  uint32_t (*watch)(uint64_t call, uint64_t cycle);  // called at times; gives whether to stop
  const uint8_t *const *beats;   // of each stream, in order, those of all calls
  const uint64_t *const *ends;  // of each stream, beats up to the end of each call
  // ---
  uint64_t *latency;  // of each call: cycles from ap_start to ap_done, both counted
  uint64_t *starts;   // of each call of a pipelined function: the cycle that takes it
  uint8_t *offered;   // and whether it was offered from the cycle behind the last one's on
  uint64_t cycles;    // of all, from the first ap_start to the last ap_done
  uint64_t done;      // calls replayed and right; the failed one's number, if one failed
  uint8_t *got;       // outputs of the last call, kOutBytes
  char error[256];    // what went wrong beside values; empty if nothing did
  uint32_t unended;   // whether a call does not end: 1 not within the limit, 2 never
  int32_t stream;     // whose beat is wrong; -1 for none
  uint64_t beat;      // its number
  uint8_t got_beat[88];
  uint8_t *flow;     // kFlowBytes: where the processes of a dataflow design are
  uint8_t *highest;  // kHighestBytes: the highest fill of each of its channels
};

}  // extern "C"

namespace {

class Replay {
 public:
  explicit Replay(lydite_cosim_job *job) : job_(job), random_(job->seed) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(job->seed & 0x7fffffff) | 1);
    context_.assertOn(true);
#if VM_TRACE
    if (job->wave != nullptr) context_.traceEverOn(true);
#endif
    top_ = std::make_unique<LYDITE_MODEL>(&context_);
    top_->ap_clk = 0;
    for (size_t i = 0; i < kStreams.size(); ++i) {
      streams_.emplace_back(kStreams[i], job->beats[i], job->ends[i]);
      if (job->calls) streams_[i].total_recorded = streams_[i].end(job->calls - 1);
    }
  }
  ~Replay() {
#if VM_TRACE
    if (trace_) trace_->close();
#endif
    top_->final();
  }

  // Tells where the processes are, and how full channels were.
  void look() { get_flow(); }

  void run() {
    if (job_->trace_from == 0) start_trace();
    reset();
    if (kFree) {
      run_free();
      return;
    }
    if (kOverlap) {
      run_overlapped();
      return;
    }
    uint64_t first = 0;
    for (uint64_t call = 0; call < job_->calls; ++call) {
      job_->done = call;
      const uint8_t *record = job_->records + call * kRecordBytes;
      if (call != 0 && call == job_->trace_from) start_trace();
      call_ = call;
      const uint64_t idle_cycles = job_->gaps && (random_.next() & 1) ? random_.next() % 4 : 0;
      for (uint64_t i = 0; i < idle_cycles; ++i) idle();
      load_memories(record);
      if (call == 0) first = cycle_;
      const bool drawn = job_->wave != nullptr && call >= job_->trace_from;
      job_->latency[call] = one_call(record, drawn ? job_->trace_timeout : job_->timeout);
      job_->cycles = cycle_ - first;
      save_memories(job_->got);
      get_registers(job_->got);
      if (job_->stream >= 0) return;
      if (std::memcmp(job_->got, record + kInBytes, kOutBytes) != 0 && !excused(record)) {
        for (int i = 0; i < 4; ++i) idle();  // a few cycles more for the waveform
        return;
      }
    }
    if (job_->calls) finish_streams();
    if (job_->stream < 0) job_->done = job_->calls;
  }

 private:
  // A pipelined function: ap_start stays high, and the next call's arguments come behind ap_ready.
  // A call whose arrays are not what the call before leaves behind waits until nothing is at work.
  void run_overlapped() {
    const uint64_t first = cycle_;
    uint64_t pause = 0, last_event = cycle_;
    bool offers = false, drains = false;
    while (call_ < job_->calls) {
      if (!offers && next_ < job_->calls && pause == 0 && may_follow(drains)) {
        if (next_ == call_) load_memories(record(next_));
        if (next_ != 0 && next_ == job_->trace_from) start_trace();
        job_->offered[next_] = next_ != 0 && cycle_ == job_->starts[next_ - 1] + 1;
        begins_.push_back(cycle_);
        offers = true;
      }
      pause -= pause != 0;
      set_start(offers);
      scramble();
      if (offers) put_scalars(record(next_));
      start_streams(true, offers);
      settle();
      const bool done = ap_done();
      taken_ = ap_ready();
      begun_ = next_ + (kRewound != 0 ? offers : taken_);
      check_overlap(offers, done);
      if (done) get_return(job_->got);
      ends_ = done;
      edge(true);
      ends_ = false;
      if (taken_) {
        job_->starts[next_++] = cycle_ - 1;
        offers = false;
        if (job_->gaps) pause = random_.next() & 1 ? random_.next() % 4 : 0;
        drains = job_->gaps && random_.next() % 4 == 0;
      }
      if (done || taken_ || (!offers && next_ == call_)) last_event = cycle_;
      taken_ = false;
      job_->cycles = cycle_ - first;
      if (job_->stream >= 0) return;
      if (done) {
        last_done_ = cycle_;
        // When a rewound loop took the call nobody says: ap_ready comes with its last iteration.
        job_->latency[call_] = cycle_ - (kRewound != 0 ? begins_[call_] : job_->starts[call_]);
        if (!call_is_right()) {
          for (int i = 0; i < 4; ++i) bus_cycle();  // a few cycles more for the waveform
          return;
        }
        job_->done = ++call_;
      }
      const bool drawn = job_->wave != nullptr && call_ >= job_->trace_from;
      const uint64_t limit = drawn ? job_->trace_timeout : job_->timeout;
      wait(cycle_ - last_event, limit, "no ap_done");
    }
    if (job_->calls == 0) return;
    --call_;
    job_->done = call_;
    finish_streams();
    if (job_->stream < 0) job_->done = job_->calls;
  }

  const uint8_t *record(uint64_t call) const { return job_->records + call * kRecordBytes; }

  // Whether the next call may be offered: nothing is at work, or the arrays are as they will be.
  bool may_follow(bool drains) const {
    if (next_ == call_) return true;
    if (drains) return false;
    for (const Array &a : kArrays) {
      if (!a.in_memory) continue;
      const uint8_t *after = record(next_ - 1) + kInBytes + a.out;
      if (std::memcmp(record(next_) + a.address + 8, after, a.bytes) != 0) return false;
    }
    return true;
  }

  // Whether the hardware says that it is idle; a pipelined function may end its interval first.
  bool rests() const {
    return ap_idle() || cycle_ < last_done_ + (kRewound != 0 ? kRewound : kInterval);
  }

  void check_overlap(bool offers, bool done) const {
    const bool at_work = next_ != call_;
    // Of a rewound loop, calls begin unseen, and the last iteration may be all of a call's end.
    const bool may_work = kRewound != 0 && begun_ != call_;
    if (taken_ && !offers) throw Failure("ap_ready without ap_start");
    if (done && !at_work && !(may_work && taken_)) throw Failure("ap_done without a call");
    if (at_work ? ap_idle() : !may_work && !rests()) {
      throw Failure(at_work ? "ap_idle in a call" : "no ap_idle");
    }
  }

  // Compares the result of the call that is done; arrays when nothing else is at work.
  bool call_is_right() {
    const uint8_t *here = record(call_), *right = here + kInBytes;
    if (begun_ == call_ + 1)
      save_memories(job_->got);
    else
      std::memcpy(job_->got, right, kReturn);
    for (const Array &a : kArrays) {
      // What the hardware has no ports for is as it was.
      if (!a.in_memory) std::memcpy(job_->got + a.out, here + a.address + 8, a.bytes);
    }
    return std::memcmp(job_->got, right, kOutBytes) == 0 || excused(here);
  }

  // Without ap_start, calls follow each other as their streams let them: one is over when all of
  // its beats have moved.
  void run_free() {
    uint64_t start = cycle_, call = 0;
    while (call < job_->calls) {
      idle();
      bool over = true;
      for (const Stream &s : streams_) over &= s.moved >= s.end(call);
      if (job_->stream >= 0) break;
      const bool drawn = job_->wave != nullptr && call >= job_->trace_from;
      const uint64_t limit = drawn ? job_->trace_timeout : job_->timeout;
      if (!over) {
        wait(cycle_ - start, limit, "call does not end");
        continue;
      }
      job_->latency[call++] = cycle_ - start;
      job_->done = call_ = call < job_->calls ? call : call - 1;
      start = cycle_;
      if (call == job_->trace_from) start_trace();
    }
    job_->cycles = cycle_;
    for (int i = 0; job_->stream < 0 && i < 200; ++i) idle();
    if (job_->stream < 0) job_->done = job_->calls;
  }

  // Waits for the last beats; then the registers of the inputs must take as many beats as they
  // hold, since the function has taken all others.
  void finish_streams() {
    for (const Stream &s : streams_) {
      for (int i = 0; s.shape.writes && s.moved < s.total_recorded && i < 1000; ++i) {
        idle();
        if (job_->stream >= 0) return;
      }
      if (s.shape.writes && s.moved < s.total_recorded) {
        throw Failure(s.name() + " gives " + std::to_string(s.moved) + " beats, the C program " +
                      std::to_string(s.total_recorded));
      }
    }
    extra_ = kMostSpareBeats + 1;
    for (int i = 0; i < 200; ++i) idle();
    for (const Stream &s : streams_) {
      const uint64_t held = s.shape.spare;
      if (s.shape.writes || s.moved == s.total_recorded + held) continue;
      throw Failure(std::to_string(s.moved - held) + " beats of " + s.name() +
                    " are read, by the C program " + std::to_string(s.total_recorded));
    }
  }

  void reset() {
    job_->stream = -1;
    top_->ap_rst = 1;
    set_start(false);
    quiet_bus();
    start_streams(false, false);
    scramble();
    for (int i = 0; i < 3; ++i) {
      settle();
      edge(false);
    }
    top_->ap_rst = 0;
    idle();
  }

  void idle() {
    set_start(false);
    scramble();
    start_streams(true, kFree || ends_);
    settle();
    if (!kFree && !kControl && (ap_done() || ap_ready() || !rests())) {
      throw Failure("without ap_start, ap_done is " + std::to_string(ap_done()) + ", ap_ready " +
                    std::to_string(ap_ready()) + ", ap_idle " + std::to_string(ap_idle()));
    }
    edge(true);
  }

  uint64_t one_call(const uint8_t *record, uint64_t timeout) {
    const uint64_t first = cycle_;
    put_registers(record);
    if (kControl) {
      bus_write(0, 1);
      while (!(bus_read(0) & 2)) wait(cycle_ - first, timeout, "ap_done is not read");
      ends_ = true;
      idle();
      ends_ = false;
      return cycle_ - first;
    }
    return own_call(record, timeout);
  }

  // A call by the ports of the block protocol.
  uint64_t own_call(const uint8_t *record, uint64_t timeout) {
    bool taken = false;
    set_start(true);
    put_scalars(record);
    for (uint64_t cycle = 0;; ++cycle) {
      wait(cycle, timeout, "no ap_done");
      start_streams(true, true);
      settle();
      const bool done = ap_done(), ready = ap_ready();
      // A pipelined function takes the call first, and would take the next one.
      if (kInterval == 0 && done != ready) throw Failure("ap_done and ap_ready differ");
      taken |= ready;
      if (done && !taken) throw Failure("ap_done without ap_ready");
      if (done) get_return(job_->got);
      ends_ = done;
      edge(true);
      ends_ = false;
      if (taken) {
        set_start(false);
        scramble();
      }
      if (done) last_done_ = cycle_;
      if (done || job_->stream >= 0) {
        set_start(false);
        return cycle + 1;
      }
    }
  }

  // A call has not ended in so many cycles. What has nothing to do with it stands still after a
  // while; if the hardware then comes to a state in which it was before, it never ends.
  void wait(uint64_t waited, uint64_t limit, const char *what) {
    constexpr uint64_t kRestless = 100'000;
    const uint64_t from = std::min(limit, kRestless);
    if (waited <= from) repetition_.restart();
    quiet_ = waited >= from;
    if (!quiet_) return;
    uint64_t period = 0;
    if (job_->wave == nullptr) {
      if (parts_.empty()) {
        parts_.emplace_back(top_->rootp->vlSymsp, sizeof(Vmodel__Syms));
        for (const Memory &memory : memories_) memory.parts(parts_);
      }
      uint64_t moved = 0;
      for (const Stream &s : streams_) moved += s.moved;
      period = repetition_.look(parts_, moved);
    }
    if (period != 0) {
      job_->unended = 2;
      const std::string again = "its state repeats every " + std::to_string(period) + " cycles";
      throw Failure(std::string(what) + ", ever: " + (period == 1 ? "it stands still" : again) +
                    waits());
    }
    if (waited < limit || (job_->wave == nullptr && waited < from + kRestless)) return;
    job_->unended = 1;
    throw Failure(std::string(what) + " within " + std::to_string(limit) + " cycles" + waits());
  }

  // One cycle while the bus works: the function may run meanwhile.
  void bus_cycle() {
    scramble();
    start_streams(true, true);
    settle();
    edge(true);
  }

  // Says which streams a function that does not end may wait for.
  std::string waits() {
    std::string text;
    for (size_t i = 0; i < streams_.size(); ++i) {
      const Stream &s = streams_[i];
      if (s.shape.writes || s.moved < s.total_recorded || !answer(i)) continue;
      text += "; waits for a beat on " + s.name() + ", which has had all " +
              std::to_string(s.moved) + " that the C program reads";
    }
    return text;
  }

  // Drives what is ours of each stream; in reset, nothing.
  void start_streams(bool run, bool busy) {
    for (size_t i = 0; i < streams_.size(); ++i) {
      const uint64_t call = kOverlap ? next_ : call_;
      set(i, run && streams_[i].start(random_, job_->stalls, quiet_, extra_, call, busy));
    }
    drive_streams();
  }

  // Takes note of what moves at the coming edge. A result that has no valid is looked at when the
  // call ends; a value that nobody takes has been there for the whole call.
  void sample_streams() {
    get_beats();
    for (size_t i = 0; i < streams_.size(); ++i) {
      Stream &s = streams_[i];
      // A pipelined function takes values that nobody holds with the call, before that ends.
      const bool overlaps = kOverlap && !kFree;
      const uint64_t call = overlaps && !s.shape.writes ? next_ : call_;
      if (!s.shape.writes) {
        const bool over = overlaps ? taken_ : ends_;
        if (s.shape.ready) s.taken(answer(i));
        if (over && !s.shape.ready) s.moved = s.end(call);
        if (over && !s.shape.valid && s.moved != s.end(call)) {
          throw Failure(s.name() + " is taken " + std::to_string(s.moved) + " times in " +
                        std::to_string(call + 1) + " calls");
        }
        continue;
      }
      uint64_t end = kFree ? s.total_recorded : s.end(call);
      if (overlaps && begun_) end = s.end(begun_ - 1);
      const bool valid = s.shape.valid ? answer(i) : ends_;
      if (!s.shape.valid && ends_) s.high = true;
      if (!s.given(valid, end) && job_->stream < 0) {
        job_->stream = static_cast<int32_t>(i);
        job_->beat = s.moved;
        std::memcpy(job_->got_beat, s.beat, sizeof s.beat);
      }
    }
  }

  // Whether a handshake of one stream is a path to that of another, or to its own other side, and
  // may not: from a register there is none, and no tvalid waits for its tready.
  void probe_streams() {
    std::vector<bool> before;
    for (size_t i = 0; i < streams_.size(); ++i) before.push_back(answer(i));
    for (size_t i = 0; i < streams_.size(); ++i) {
      if (!streams_[i].shape.axis) continue;
      const bool high = streams_[i].high;
      set(i, !high);
      top_->eval();
      for (size_t j = 0; j < streams_.size(); ++j) {
        const Shape &shape = streams_[j].shape;
        if (!shape.axis || answer(j) == before[j]) continue;
        if (!shape.registered && !(i == j && shape.writes)) continue;
        throw Failure(streams_[j].name() + (streams_[j].shape.writes ? ".tvalid" : ".tready") +
                      " looks at " + streams_[i].name() +
                      (streams_[i].shape.writes ? ".tready" : ".tvalid") + " in the same cycle");
      }
      set(i, high);
    }
    top_->eval();
  }

  void scramble() {
    if (!quiet_) scramble_inputs();
  }

  void settle() {
    top_->eval();
    dump();
  }

  void edge(bool memories) {
    if (memories) sample_memories();
    if (memories && job_->stalls) probe_streams();
    if (memories) sample_streams();
    top_->ap_clk = 1;
    top_->eval();
    if (memories) drive_memories();
    dump();
    top_->ap_clk = 0;
    ++cycle_;
    if (job_->watch == nullptr || cycle_ % 65536 != 0) return;
    if (job_->watch(call_, cycle_) != 0) throw Failure("stopped");
  }

  void dump() {
#if VM_TRACE
    if (trace_) trace_->dump(context_.time());
#endif
    context_.timeInc(1);
  }

  void start_trace() {
#if VM_TRACE
    if (job_->wave == nullptr) return;
    trace_ = std::make_unique<VerilatedVcdC>();
    top_->trace(trace_.get(), 99);
    trace_->open(job_->wave);
#endif
  }

  // Whether all that differs is in arrays that the hardware only reads and that overlap with
  // others.
  // The C program changed them through the other's name; here each is a memory of its own.
  bool excused(const uint8_t *record) const {
    const uint8_t *right = record + kInBytes;
    for (const Array &a : kArrays) {
      if (a.by_value || std::memcmp(job_->got + a.out, right + a.out, a.bytes) == 0) continue;
      bool overlaps = false;
      for (const Array &b : kArrays) {
        const uint64_t start_a = address(record, a), start_b = address(record, b);
        overlaps |= !b.read_only && start_a < start_b + b.bytes && start_b < start_a + a.bytes;
      }
      if (!a.read_only || !overlaps) return false;
    }
    return std::memcmp(job_->got + kReturn, right + kReturn, kOutBytes - kReturn) == 0;
  }

  static uint64_t address(const uint8_t *record, const Array &array) {
    uint64_t value;
    std::memcpy(&value, record + array.address, sizeof value);
    return value;
  }

  void load_memories(const uint8_t *record) {
    for (size_t i = 0; i < kArrays.size(); ++i) memories_[i].load(record + kArrays[i].address + 8);
  }

  void save_memories(uint8_t *out) const {
    for (size_t i = 0; i < kArrays.size(); ++i)
      std::memcpy(out + kArrays[i].out, memories_[i].data(), kArrays[i].bytes);
  }

  // @accesses@

  lydite_cosim_job *job_;
  Random random_;
  VerilatedContext context_;
  std::unique_ptr<LYDITE_MODEL> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> trace_;
#endif
  std::vector<Memory> memories_ = {
      // @memories@
  };
  std::vector<Stream> streams_;
  uint64_t call_ = 0, extra_ = 0;
  uint64_t last_done_ = 0;
  uint64_t begun_ = 0;  // of a pipelined function, the calls that may have begun
  std::vector<uint64_t> begins_;  // when each was offered
  uint64_t next_ = 0;   // of a pipelined function, the call that is offered next
  bool taken_ = false;  // it is, at the coming edge
  bool ends_ = false;  // the call, at the coming edge
  uint64_t cycle_ = 0;
  bool quiet_ = false;  // nothing that is random changes
  Repetition repetition_;
  Repetition::Parts parts_;
};

}  // namespace

// Verilator's runtime calls these; a model's assertion or loop must not end Python.
void vl_fatal(const char *file, int line, const char *, const char *what) {
  throw Failure(std::string(what) + " (" + file + ":" + std::to_string(line) + ")");
}
void vl_stop(const char *file, int line, const char *) {
  throw Failure(std::string("$stop at ") + file + ":" + std::to_string(line));
}
void vl_finish(const char *file, int line, const char *) {
  throw Failure(std::string("$finish at ") + file + ":" + std::to_string(line));
}

extern "C" void lydite_cosim(lydite_cosim_job *job) {
  job->error[0] = 0;
  job->unended = 0;
  try {
    Replay replay(job);
    try {
      replay.run();
    } catch (const std::exception &) {
      replay.look();
      throw;
    }
    replay.look();
  } catch (const std::exception &failure) {
    std::snprintf(job->error, sizeof job->error, "%s", failure.what());
  }
}
