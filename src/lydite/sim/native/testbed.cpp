// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated testbed: a DMA, a link and a host around a core behind FIFOs, under two clocks
// that know nothing of each other. Time is in picoseconds. Python calls the extern "C" functions.
//
// Measured, since simulated: the core, the FIFOs, the crossings, the job registers and their bus,
// each word of the DMA's streams. Modelled, by figures of the link: how long memory takes to
// answer, how fast the link moves bytes, how long the host takes for an access or an interrupt.
//
// The compiler is given what streams.h asks for, with the streams on the DMA's side, and
// LYDITE_WATCHED: the handshakes on both sides, made of WATCH.
//
// Where streams have tid the DMA has a channel for each of its values, with a buffer of its own:
// call n is of channel n modulo their number, packets of a channel keep their order, and channels
// take turns: in memory by bursts, on the stream by words of the core.
// What streams.h calls a job is a call here; a job of the testbed has one or more.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "streams.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

// A handshake at the core, of the core's clock.
struct Watched {
  const char *name;
  bool is_sink;
  uint64_t (*valid)(Top &);
  uint64_t (*ready)(Top &);
};
#define WATCH(port, is_sink) {#port, is_sink, GET(port##valid_o), GET(port##ready_o)},
const Watched kWatched[] = {LYDITE_WATCHED};
constexpr int kResetCycles = 8;          // of the slower clock
constexpr uint64_t kJobShift = 32;       // a job's place in the address of its fields
constexpr double kSecond = 1e12;         // in ps

enum Access : uint32_t { kWrite, kRead, kInterrupt, kMark };

}  // namespace

extern "C" {

// What the host does, one after the other: writes or reads a register, waits for the interrupt, or
// marks a moment.
struct lydite_access {
  uint32_t kind;
  uint32_t address;
  uint64_t value;  // written; of others the result: what was read, or the time
};

// The right bytes of a stream, and for each whether it counts; all do if null.
struct lydite_right {
  const uint8_t *data;
  const uint8_t *counts;
};

struct lydite_run {
  uint64_t jobs;
  const struct lydite_packets *sinks;
  const struct lydite_packets *sources;  // lengths alone
  const struct lydite_right *right;      // of each source
  const uint64_t *job;                   // of each call
  const uint64_t *together;  // of each sink: words of the DMA that make one of the core
  const uint8_t *delimited;              // of each source: whether tlast ends its packets
  struct lydite_access *accesses;
  uint64_t access_count;
  uint64_t dma_period, core_period;  // ps
  uint64_t dma_phase, core_phase;
  uint64_t jitter;        // of each edge, either way, less than half a period
  uint64_t read_latency;  // from a request of memory to its first byte
  uint64_t write_latency;  // from the last byte of a burst to its answer
  uint64_t write_access, read_access, interrupt;  // what the host takes beside the bus
  uint64_t packet;        // that the DMA takes for a packet
  double bytes_per_s;     // of the link, each way
  uint64_t burst, bursts;  // words of one, and how many may be under way
  uint32_t traffic;       // whether all sides pause at random
  uint64_t seed;
  uint64_t patience;      // ps without any transfer that mean a hang
  uint64_t wave_from;     // cycle of the core from which a waveform is written
  // Results. Times of the core are those of its edges.
  uint64_t first_in, last_in, first_out, last_out;
  uint64_t starved, blocked;  // cycles of the core
  uint64_t core_cycles, dma_cycles;
  uint64_t failed;  // call
  char error[1024];
};

}  // extern "C"

namespace {

// One way of the link: bytes follow each other.
struct Way {
  double free_at = 0;
  double take(double from, double bytes, double bytes_per_s) {
    free_at = (from > free_at ? from : free_at) + bytes / bytes_per_s * kSecond;
    return free_at;
  }
};

// How far the packets of a stream have come, of all channels.
struct Channels {
  const lydite_packets *packets = nullptr;
  Progress lanes[kLanes];
  Stall stall{0, 0};

  void begin(const lydite_packets *all) {
    packets = all;
    for (size_t lane = 0; lane < kLanes; ++lane) lanes[lane].begin(all, lane);
  }
  bool over() const {
    for (const Progress &lane : lanes) {
      if (!lane.over()) return false;
    }
    return true;
  }
  // Whether nothing of a job, or of one before it, is to come.
  bool over(const lydite_run &run, uint64_t job) const {
    for (const Progress &lane : lanes) {
      if (!lane.over() && run.job[lane.job()] <= job) return false;
    }
    return true;
  }
  // The channel whose next packet is the first of all.
  const Progress &behind() const {
    const Progress *found = &lanes[0];
    for (const Progress &lane : lanes) {
      if (lane.index < found->index) found = &lane;
    }
    return *found;
  }
};

// Reads packets from memory: bursts are asked for as long as their channel has room for their
// words, and words arrive one after the other.
struct Reader : Channels {
  Progress asking[kLanes];             // what was asked for
  std::deque<double> arrivals[kLanes]; // of words that were not given yet
  size_t turn = 0, lane = 0;           // whose burst, whose word was the last
  uint64_t together = 1, rest = 0;     // words of the channel before another has its turn
  bool began = false, offered = false;
  uint64_t user_bits = 0;

  void begin(const lydite_packets *all, uint64_t words) {
    Channels::begin(all);
    for (size_t one = 0; one < kLanes; ++one) asking[one].begin(all, one);
    together = words;
  }

  void ask(const lydite_run &run, uint64_t job, double now, size_t width, Way &way,
           Random &random) {
    while (pick(run, job)) {
      Progress &one = asking[turn];
      if (one.done == 0 && began) way.free_at += static_cast<double>(run.packet);
      began = true;
      const double latency = static_cast<double>(run.read_latency) *
                             (run.traffic ? 1.0 + static_cast<double>(random.next() & 3) : 1.0);
      for (uint64_t word = 0; word < run.burst; ++word) {
        const uint64_t bytes = one.left() < width ? one.left() : width;
        const double then = way.take(now + latency, static_cast<double>(bytes), run.bytes_per_s);
        arrivals[turn].push_back(then);
        one.done += bytes;
        if (one.left() == 0) {
          one.next();
          break;
        }
      }
    }
  }

  // Gives the turn to the next channel that has something to be read for a job, and room for it.
  bool pick(const lydite_run &run, uint64_t job) {
    for (size_t i = 0; i < kLanes; ++i) {
      turn = turn + 1 == kLanes ? 0 : turn + 1;
      const Progress &one = asking[turn];
      if (one.over() || run.job[one.job()] > job) continue;
      if (arrivals[turn].size() + run.burst <= run.burst * run.bursts) return true;
    }
    return false;
  }

  bool has(size_t one, double now) const {
    return !arrivals[one].empty() && arrivals[one].front() <= now;
  }

  // Chooses whose word is to be given; false if there is none.
  bool choose(double now) {
    if (rest > 0) return has(lane, now);
    for (size_t i = 0; i < kLanes; ++i) {
      lane = lane + 1 == kLanes ? 0 : lane + 1;
      if (has(lane, now)) return true;
    }
    return false;
  }

  // Takes note that the word was given.
  void give(size_t width) {
    Progress &one = lanes[lane];
    arrivals[lane].pop_front();
    one.done += one.left() < width ? one.left() : width;
    offered = false;
    rest = (rest > 0 ? rest : together) - 1;
    if (one.left() == 0) {
      one.next();
      rest = 0;
    }
  }
};

struct Writer : Channels {
  std::deque<double> leaving;  // of words that are not in memory yet
  double written = 0;          // when the last one is
  bool ready = false;
};

class Testbed {
 public:
  Testbed(uint64_t seed, const char *wave, bool doubt) {
    const char *words[] = {"testbed", "+lydite_doubt"};
    context_.commandArgs(doubt ? 2 : 1, words);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
    context_.assertOn(true);
#if VM_TRACE
    if (wave != nullptr) context_.traceEverOn(true);
#endif
    top_ = std::make_unique<Top>(&context_);
    top_->dma_clk = top_->core_clk = 0;
#if VM_TRACE
    if (wave != nullptr) {
      trace_ = std::make_unique<VerilatedVcdC>();
      top_->trace(trace_.get(), 99);
      trace_->open(wave);
    }
#else
    (void)wave;
#endif
  }
  ~Testbed() {
#if VM_TRACE
    if (trace_) trace_->close();
#endif
    top_->final();
  }

  void run(lydite_run *run) {
    run_ = run;
    random_ = Random(run->seed);
    begin();
    reset();
    while (host_at_ < run->access_count) {
      const uint64_t next = dma_next_ < core_next_ ? dma_next_ : core_next_;
      if (next > quiet_since_ + run->patience) throw Failure(hang());
      edge(next, dma_next_ == next, core_next_ == next);
    }
    finish();
  }

 private:
  void begin() {
    lydite_run &run = *run_;
    run.first_in = run.last_in = run.first_out = run.last_out = 0;
    run.starved = run.blocked = run.core_cycles = run.dma_cycles = run.failed = 0;
    const uint32_t stall = run.traffic ? 2 : 0;
    for (size_t i = 0; i < kSinkCount; ++i) {
      Reader &reader = readers_[i] = Reader();
      reader.begin(&run.sinks[i], run.together[i]);
      reader.stall = Stall(stall, random_.next());
      for (uint64_t n = 0; n < run.sinks[i].count; ++n) {
        while (run.sinks[i].user[n] > reader.user_bits) {
          reader.user_bits = reader.user_bits << 1 | 1;
        }
      }
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      Writer &writer = writers_[i] = Writer();
      writer.begin(&run.sources[i]);
      writer.stall = Stall(stall, random_.next());
    }
    now_ = quiet_since_ = host_at_ = bus_ = hungry_ = 0;
    host_free_ = 0;
    read_way_ = write_way_ = Way();
    reads_ = writes_ = read_job_ = write_job_ = 0;
    read_done_ = write_done_ = false;
    dma_count_ = core_count_ = 0;
    dma_next_ = at(run.dma_phase, run.dma_period, dma_count_);
    core_next_ = at(run.core_phase, run.core_period, core_count_);
  }

  // Each edge lies off its place by the jitter at most: clocks do not drift apart by it.
  uint64_t at(uint64_t phase, uint64_t period, uint64_t count) {
    const uint64_t jitter = run_->jitter;
    const uint64_t off = jitter ? random_.next() % (2 * jitter + 1) : 0;
    return phase + period + count * period + off - jitter;
  }

  // Runs both clocks to the next edge, which may be one of each.
  void edge(uint64_t time, bool dma, bool core) {
    now_ = time;
    if (core) watch();
    if (dma) {
      handshakes();
      bus();
    }
    clock(dma, core);
    if (dma) drive();
    advance(dma, core);
  }

  // Raises clocks. The other one falls with it, so that an edge mostly takes one evaluation: what
  // is looked at before the next edge of a clock comes from registers of that clock alone.
  void clock(bool dma, bool core) {
    if ((dma && top_->dma_clk) || (core && top_->core_clk)) {
      top_->dma_clk = top_->core_clk = 0;
      settle();
    }
    top_->dma_clk = dma;
    top_->core_clk = core;
    settle();
  }

  void advance(bool dma, bool core) {
    if (dma) dma_next_ = at(run_->dma_phase, run_->dma_period, ++dma_count_);
    if (core) core_next_ = at(run_->core_phase, run_->core_period, ++core_count_);
  }

  void settle() {
    top_->eval();
#if VM_TRACE
    if (trace_ && core_count_ >= run_->wave_from) trace_->dump(context_.time());
#endif
    context_.timeInc(1);
  }

  void reset() {
    top_->dma_rst = top_->core_rst = 1;
    top_->s_axi_control_AWVALID = top_->s_axi_control_WVALID = top_->s_axi_control_ARVALID = 0;
    top_->s_axi_control_BREADY = top_->s_axi_control_RREADY = 1;
    top_->read_done_i = top_->write_done_i = 0;
    for (size_t i = 0; i < kSinkCount; ++i) idle(i);
    for (const Source &source : kSources) source.ready(*top_, 0);
    const uint64_t slower =
        run_->dma_period > run_->core_period ? run_->dma_period : run_->core_period;
    const uint64_t until = kResetCycles * slower;
    while (now_ < until) {
      const uint64_t next = dma_next_ < core_next_ ? dma_next_ : core_next_;
      now_ = next;
      const bool dma = dma_next_ == next, core = core_next_ == next;
      clock(dma, core);
      advance(dma, core);
    }
    top_->dma_rst = top_->core_rst = 0;
    settle();
    quiet_since_ = host_free_ = now_;
    dma_begin_ = dma_count_;
    core_begin_ = core_count_;
  }

  // What passes at the core, and what it waits for.
  void watch() {
    bool hungry = false, stuck = false;
    for (const Watched &port : kWatched) {
      const bool valid = port.valid(*top_), ready = port.ready(*top_);
      if (valid && ready) {
        quiet_since_ = now_;
        if (port.is_sink) {
          if (!run_->first_in) run_->first_in = now_;
          run_->last_in = now_;
          run_->starved += hungry_;
          hungry_ = 0;
        } else {
          if (!run_->first_out) run_->first_out = now_;
          run_->last_out = now_;
        }
      }
      hungry |= port.is_sink && ready && !valid;
      stuck |= !port.is_sink && valid && !ready;
    }
    if (run_->first_in && hungry && !stuck) ++hungry_;
    if (stuck) ++run_->blocked;
    run_->core_cycles = core_count_ - core_begin_;
  }

  // What passes on the DMA's streams at this edge.
  void handshakes() {
    run_->dma_cycles = dma_count_ - dma_begin_;
    for (size_t i = 0; i < kSinkCount; ++i) {
      Reader &reader = readers_[i];
      if (!reader.offered || !kSinks[i].ready(*top_)) continue;
      quiet_since_ = now_;
      reader.give(kSinks[i].bytes);
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      if (writers_[i].ready && kSources[i].valid(*top_)) take(i);
    }
    if (top_->read_start_o) start_reading();
    if (top_->write_start_o) start_writing();
    read_done_ = reads_ > read_job_ && all_given();
    read_job_ += read_done_;
    write_done_ = writes_ > write_job_ && all_taken();
    write_job_ += write_done_;
  }

  void start_reading() {
    check_transfer("source", reads_, top_->source_address_o, top_->source_bytes_o,
                   total(*run_, run_->sinks, kSinkCount, reads_));
    ++reads_;
  }

  void start_writing() {
    check_transfer("destination", writes_, top_->destination_address_o, top_->destination_bytes_o,
                   total(*run_, run_->sources, kSourceCount, writes_));
    ++writes_;
  }

  static uint64_t total(const lydite_run &run, const lydite_packets *streams, size_t count,
                        uint64_t job) {
    uint64_t bytes = 0;
    for (size_t i = 0; i < count; ++i) {
      for (uint64_t n = 0; n < streams[i].count; ++n) {
        if (run.job[streams[i].job[n]] == job) bytes += streams[i].bytes[n];
      }
    }
    return bytes;
  }

  void check_transfer(const char *what, uint64_t job, uint64_t address, uint64_t bytes,
                      uint64_t right) const {
    if (job < run_->jobs && address == job << kJobShift && bytes == right) return;
    throw Failure(std::string("the DMA was told ") + std::to_string(bytes) + " bytes at address " +
                  std::to_string(address) + " as the " + what + " of job " + std::to_string(job) +
                  ", which has " + std::to_string(right) + " at " +
                  std::to_string(job << kJobShift));
  }

  bool all_given() const {
    for (const Reader &reader : readers_) {
      if (!reader.over(*run_, read_job_)) return false;
    }
    return true;
  }

  bool all_taken() const {
    for (const Writer &writer : writers_) {
      if (!writer.over(*run_, write_job_)) return false;
      if (static_cast<double>(now_) < writer.written) return false;
    }
    return true;
  }

  // Takes a word of an output, and holds it against the right one.
  void take(size_t number) {
    const Source &source = kSources[number];
    Writer &writer = writers_[number];
    uint8_t data[kMaxBytes];
    source.data(*top_, data);
    const uint64_t keep = source.keep(*top_);
    size_t count = 0;
    while (count < source.bytes && (keep >> count & 1)) ++count;
    quiet_since_ = now_;
    if (keep != ones(count)) throw Failure(std::string(source.name) + "keep has a gap");
    const uint64_t id = source.id ? source.id(*top_) : 0;
    if (id >= kLanes) {
      throw Failure(std::string(source.name) + "id is " + std::to_string(id) + " of " +
                    std::to_string(kLanes));
    }
    Progress &one = writer.lanes[id];
    if (one.over()) throw Failure("more output after the last job's");
    run_->failed = one.job();
    if (count > one.left()) {
      throw Failure(word(source, one) + " has " + std::to_string(count) + " bytes, not " +
                    std::to_string(one.left()));
    }
    compare(number, one, data, count);
    drain(writer, count);
    one.done += count;
    const bool last = source.last(*top_);
    if (run_->delimited[number] ? last : one.left() == 0) {
      if (one.left() != 0) {
        throw Failure(word(source, one) + " ends a packet " + std::to_string(one.left()) +
                      " bytes too early");
      }
      one.next();
    }
  }

  void compare(size_t number, const Progress &one, const uint8_t *data, size_t count) {
    const lydite_right &right = run_->right[number];
    const uint64_t place = one.at + one.done;
    for (size_t i = 0; i < count; ++i) {
      if (right.counts != nullptr && !right.counts[place + i]) continue;
      if (data[i] == right.data[place + i]) continue;
      throw Failure(word(kSources[number], one) + " is " + hex(data, count) + ", not " +
                    hex(right.data + place, count));
    }
  }

  static std::string hex(const uint8_t *data, size_t count) {
    std::string text;
    for (size_t i = 0; i < count; ++i) {
      char two[3];
      std::snprintf(two, sizeof two, "%02x", data[i]);
      text += two;
    }
    return text;
  }

  static std::string word(const Source &source, const Progress &one) {
    return "word " + std::to_string(one.done / source.bytes) + " of packet " +
           std::to_string(one.index) + " of " + source.name + "data";
  }

  void drain(Writer &writer, size_t count) {
    const double left =
        write_way_.take(static_cast<double>(now_), static_cast<double>(count), run_->bytes_per_s);
    writer.leaving.push_back(left);
    writer.written = left + static_cast<double>(run_->write_latency);
  }

  // The host's access to the registers, as far as the bus is at this edge.
  void bus() {
    lydite_access &access = run_->accesses[host_at_];
    const bool may = static_cast<double>(now_) >= host_free_;
    if (access.kind == kWrite) {
      if (bus_ == 0 && may) bus_ = 1;
      else if (bus_ == 1 && top_->s_axi_control_AWREADY) bus_ = 2;
      else if (bus_ == 2 && top_->s_axi_control_WREADY) bus_ = 3;
      else if (bus_ == 3 && top_->s_axi_control_BVALID) end_access();
    } else if (access.kind == kRead) {
      if (bus_ == 0 && may) bus_ = 1;
      else if (bus_ == 1 && top_->s_axi_control_ARREADY) bus_ = 2;
      else if (bus_ == 2 && top_->s_axi_control_RVALID) {
        access.value = top_->s_axi_control_RDATA;
        end_access();
      }
    } else if (access.kind == kInterrupt) {
      if (bus_ == 0 && top_->interrupt_o) {
        host_free_ = static_cast<double>(now_ + run_->interrupt);
        bus_ = 1;
      } else if (bus_ == 1) {
        quiet_since_ = now_;
        if (may) end_access();
      }
    } else if (may) {
      access.value = now_;
      end_access();
    }
  }

  void end_access() {
    quiet_since_ = now_;
    bus_ = 0;
    host_free_ = static_cast<double>(now_);
    if (++host_at_ == run_->access_count) return;
    const uint32_t kind = run_->accesses[host_at_].kind;
    if (kind == kWrite) host_free_ += static_cast<double>(run_->write_access);
    if (kind == kRead) host_free_ += static_cast<double>(run_->read_access);
  }

  // What the DMA and the host put on their ports after an edge.
  void drive() {
    for (size_t i = 0; i < kSinkCount; ++i) {
      Reader &reader = readers_[i];
      if (reads_ > 0) {
        reader.ask(*run_, reads_ - 1, static_cast<double>(now_), kSinks[i].bytes, read_way_,
                   random_);
      }
      if (reader.offered) continue;
      if (!reader.choose(static_cast<double>(now_)) || reader.stall.pause()) {
        idle(i);
      } else {
        offer(i);
      }
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      Writer &writer = writers_[i];
      while (!writer.leaving.empty() && writer.leaving.front() <= static_cast<double>(now_)) {
        writer.leaving.pop_front();
      }
      writer.ready = writes_ > write_job_ && writer.leaving.size() < run_->burst * run_->bursts &&
                     !writer.stall.pause();
      kSources[i].ready(*top_, writer.ready);
    }
    top_->read_done_i = read_done_;
    top_->write_done_i = write_done_;
    drive_bus();
  }

  void drive_bus() {
    const bool over = host_at_ >= run_->access_count;
    const uint32_t kind = over ? kMark : run_->accesses[host_at_].kind;
    top_->s_axi_control_AWVALID = kind == kWrite && bus_ == 1;
    top_->s_axi_control_WVALID = kind == kWrite && bus_ == 2;
    top_->s_axi_control_ARVALID = kind == kRead && bus_ == 1;
    if (over) return;
    const lydite_access &access = run_->accesses[host_at_];
    set(top_->s_axi_control_AWADDR, access.address);
    set(top_->s_axi_control_ARADDR, access.address);
    set(top_->s_axi_control_WDATA, access.value);
    top_->s_axi_control_WSTRB = 15;
  }

  void offer(size_t number) {
    const Sink &sink = kSinks[number];
    Reader &reader = readers_[number];
    const Progress &one = reader.lanes[reader.lane];
    const uint64_t left = one.left();
    const size_t count = left < sink.bytes ? static_cast<size_t>(left) : sink.bytes;
    uint8_t bytes[kMaxBytes];
    if (count < sink.bytes) random_.fill(bytes, sink.bytes);
    std::memcpy(bytes, reader.packets->data + one.at + one.done, count);
    sink.data(*top_, bytes);
    sink.keep(*top_, ones(count));
    sink.last(*top_, left <= sink.bytes);
    if (sink.user) sink.user(*top_, reader.packets->user[one.index]);
    if (sink.id) sink.id(*top_, reader.lane);
    sink.valid(*top_, 1);
    reader.offered = true;
  }

  // A bus that is not valid holds anything.
  void idle(size_t number) {
    const Sink &sink = kSinks[number];
    sink.valid(*top_, 0);
    if (!run_->traffic) return;
    uint8_t bytes[kMaxBytes];
    random_.fill(bytes, sink.bytes);
    sink.data(*top_, bytes);
    sink.keep(*top_, random_.next() & ones(sink.bytes));
    sink.last(*top_, random_.next() & 1);
    if (sink.user) sink.user(*top_, random_.next() & readers_[number].user_bits);
    if (sink.id) sink.id(*top_, random_.next() % kLanes);
  }

  // After the last job nothing may be left.
  void finish() {
    for (const Reader &reader : readers_) {
      if (!reader.over()) throw Failure("a job ended before its inputs were read");
    }
    for (const Writer &writer : writers_) {
      if (!writer.over()) throw Failure("a job ended before its outputs were written");
    }
  }

  static std::string state(const char *name, bool valid, bool ready) {
    return std::string(", ") + name + "valid " + (valid ? "1" : "0") + " ready " +
           (ready ? "1" : "0");
  }

  std::string hang() {
    std::string text = "no answer: nothing moved for " + std::to_string(run_->patience / 1000000) +
                       " us, with ";
    for (size_t i = 0; i < kSinkCount; ++i) {
      text += (i ? ", " : "") + readers_[i].behind().place(kSinks[i].name, "data given");
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      const Progress &one = writers_[i].behind();
      text += ", " + one.place(kSources[i].name, "data taken");
      run_->failed = one.over() ? run_->failed : one.job();
    }
    text += "; at the DMA";
    for (size_t i = 0; i < kSinkCount; ++i) {
      text += state(kSinks[i].name, readers_[i].offered, kSinks[i].ready(*top_));
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      text += state(kSources[i].name, kSources[i].valid(*top_), writers_[i].ready);
    }
    text += "; at the core";
    for (const Watched &port : kWatched) {
      text += state(port.name, port.valid(*top_), port.ready(*top_));
    }
    return text + "; interrupt " + (top_->interrupt_o ? "1" : "0");
  }

  lydite_run *run_ = nullptr;
  Random random_{0};
  Reader readers_[kSinkCount];
  Writer writers_[kSourceCount];
  Way read_way_, write_way_;
  uint64_t now_ = 0, quiet_since_ = 0;
  uint64_t dma_next_ = 0, core_next_ = 0, dma_count_ = 0, core_count_ = 0;
  uint64_t dma_begin_ = 0, core_begin_ = 0;
  uint64_t hungry_ = 0;  // cycles in which the core waits for its next word
  uint64_t reads_ = 0, writes_ = 0, read_job_ = 0, write_job_ = 0;  // begun, ended
  bool read_done_ = false, write_done_ = false;
  uint64_t host_at_ = 0, bus_ = 0;
  double host_free_ = 0;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> trace_;
#endif

 public:
  bool lost() const { return top_->lost_o; }
  uint64_t core_cycle() const { return core_count_ - core_begin_; }
};

}  // namespace

extern "C" {

// Makes a testbed in a power-up state that is random under the seed; `wave` is a file or null.
// With `doubt` crossings take bits that change near an edge either way.
void *lydite_open(uint64_t seed, const char *wave, int doubt) {
  try {
    return new Testbed(seed, wave, doubt != 0);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return nullptr;
  }
}

void lydite_close(void *testbed) { delete static_cast<Testbed *>(testbed); }

// Runs jobs from reset; gives 0, or 1 with `error` and `failed` set.
int lydite_run_jobs(void *testbed, lydite_run *run) {
  Testbed *own = static_cast<Testbed *>(testbed);
  run->error[0] = 0;
  try {
    own->run(run);
    return 0;
  } catch (const std::exception &error) {
    std::snprintf(run->error, sizeof run->error, "%s%s (cycle %llu of the core)", error.what(),
                  own->lost() ? "; a word overflowed: the core did not wait for tready" : "",
                  static_cast<unsigned long long>(own->core_cycle()));
    return 1;
  }
}

}  // extern "C"
