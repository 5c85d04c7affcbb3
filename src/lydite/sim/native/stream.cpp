// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated core with streams of words and records what comes out and when. Compiled
// together with the model; Python calls the extern "C" functions.
//
// Rules: AMBA AXI-Stream Protocol Specification (ARM IHI 0051B), of handshake (2.2) and reset; byte
// 0 of a packet in tdata[7:0], or in the highest bits of a big-endian port. The compiler is given
// LYDITE_CLK and LYDITE_RST (ports), and what streams.h asks for.
//
// A job is a call of the core: on each stream packets of its own. Streams do not wait for each
// other; registers change only while the core has no job. Where streams have tid, there are as many
// lanes of jobs: beats of one lane keep their order, those of two pass in any.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "streams.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif
#ifndef LYDITE_TRACE_LEVELS
#define LYDITE_TRACE_LEVELS 99  // of the hierarchy, in a waveform
#endif

namespace {

constexpr uint32_t kPatient = 3;   // of stall_out
constexpr int kQuietCycles = 256;  // after the last output, in which no more may come

}  // namespace

extern "C" {

// One run: jobs one after the other, no gap between them but the stalls.
struct lydite_batch {
  uint64_t jobs;
  const struct lydite_packets *sinks;
  const struct lydite_packets *sources;
  const uint8_t *registers;  // of each job, in the order of the table; or null
  uint64_t *first_in;        // cycle in which the first beat of each job was accepted; may be null
  uint64_t *last_in;
  uint64_t *first_out;
  uint64_t *last_out;
  uint32_t stall_in;    // 0 none, 1 one word in four cycles, 2 random
  uint32_t stall_out;   // also 3: ready is shown only to a word that is offered
  uint64_t seed;
  uint64_t stop_at;     // cycle in which the run is left as it stands; 0: it goes to its end
  uint64_t patience;    // cycles without any transfer that mean a hang
  uint32_t strict;      // also try what a handshake may not depend on, and trailing null beats
  uint64_t cycles;      // result: cycles taken
  uint64_t quiet;       // result: how many of them came after the last transfer
  uint64_t failed;      // result: number of the job at which it failed
  char error[512];      // result: what went wrong; empty if nothing did
};

}  // extern "C"

namespace {

struct SinkLane : Progress {
  bool null_beat = false;  // a beat without bytes is to end the packet
};

struct SinkState {
  SinkLane lanes[kLanes];
  size_t turn = 0;  // lane of the last beat
  bool offered = false;
  bool ending = false;  // the beat that is offered ends its packet
  size_t offered_bytes = 0;
  uint64_t user_bits = 0;  // bits of tuser that are surely there: a port takes no others
  Stall stall{0, 0};
};

struct SourceState {
  Progress lanes[kLanes];
  bool held = false;  // a beat was offered and not taken
  uint64_t wait = 0;
  Beat waiting;
  Stall stall{0, 0};
};

class Model {
 public:
  Model(uint64_t seed, const char *wave) {
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
    context_.assertOn(true);
#if VM_TRACE
    if (wave != nullptr) context_.traceEverOn(true);
#endif
    top_ = std::make_unique<Top>(&context_);
    top_->LYDITE_CLK = 0;  // its power-up value is random, too
#if VM_TRACE
    if (wave != nullptr) {
      trace_ = std::make_unique<VerilatedVcdC>();
      top_->trace(trace_.get(), LYDITE_TRACE_LEVELS);
      trace_->open(wave);
    }
#else
    (void)wave;
#endif
  }
  ~Model() {
#if VM_TRACE
    if (trace_) trace_->close();
#endif
    top_->final();
  }

  // Only these cycles of all stand in the waveform.
  void show(uint64_t first, uint64_t last) {
    shown_from_ = first;
    shown_to_ = last;
  }

  uint64_t ticks() const { return ticks_; }

  void run(lydite_batch *batch) {
    Random random(batch->seed);
    batch->failed = batch->cycles = 0;
    for (size_t i = 0; i < kSinkCount; ++i) {
      sinks_[i] = SinkState();
      sinks_[i].stall = Stall(batch->stall_in, seed_of(batch, 0x5151515151515151ULL, i));
      for (uint64_t n = 0; n < batch->sinks[i].count; ++n) {
        while (batch->sinks[i].user[n] > sinks_[i].user_bits) {
          sinks_[i].user_bits = sinks_[i].user_bits << 1 | 1;
        }
      }
      for (size_t lane = 0; lane < kLanes; ++lane) {
        sinks_[i].lanes[lane].begin(&batch->sinks[i], lane);
        skip_empty(kSinks[i].keep != nullptr, sinks_[i].lanes[lane]);
      }
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      sources_[i] = SourceState();
      sources_[i].stall = Stall(batch->stall_out, seed_of(batch, 0xa3a3a3a3a3a3a3a3ULL, i));
      for (size_t lane = 0; lane < kLanes; ++lane) {
        sources_[i].lanes[lane].begin(&batch->sources[i], lane);
        skip_empty(kSources[i].keep != nullptr, sources_[i].lanes[lane]);
      }
    }
    begun_.assign(batch->jobs, false);
    held_job_ = 0;
    set_registers(batch, 0);
    reset(batch, random);
    feed(batch, batch->stop_at, random);
  }

 private:
  void tick() {
    top_->LYDITE_CLK = 1;
    top_->eval();
    dump();
    top_->LYDITE_CLK = 0;
    ++ticks_;
  }

  void settle() {
    top_->eval();
    dump();
  }

  void dump() {
#if VM_TRACE
    if (trace_ && ticks_ >= shown_from_ && ticks_ <= shown_to_) trace_->dump(context_.time());
#endif
    context_.timeInc(1);
  }

  static uint64_t seed_of(const lydite_batch *batch, uint64_t side, size_t stream) {
    return (batch->seed ^ side) + 0x9e3779b97f4a7c15ULL * stream;
  }

  // Without tkeep an empty packet has no beat.
  static void skip_empty(bool has_keep, Progress &stream) {
    while (!has_keep && !stream.over() && stream.packets->bytes[stream.index] == 0) stream.next();
  }

  void set_registers(const lydite_batch *batch, uint64_t job) {
    const size_t count = sizeof kRegisters / sizeof *kRegisters - 1;
    if (batch->registers == nullptr || job >= batch->jobs) return;
    size_t each = 0, at = 0;
    for (size_t i = 0; i < count; ++i) each += kRegisters[i].bytes;
    for (size_t i = 0; i < count; ++i) {
      kRegisters[i].data(*top_, batch->registers + job * each + at);
      at += kRegisters[i].bytes;
    }
    register_bytes_ = each;
  }

  bool same_registers(const lydite_batch *batch, uint64_t one, uint64_t other) const {
    if (batch->registers == nullptr || register_bytes_ == 0) return true;
    return std::memcmp(batch->registers + one * register_bytes_,
                       batch->registers + other * register_bytes_, register_bytes_) == 0;
  }

  void garbage_in(size_t index, Random &random) {
    const Sink &sink = kSinks[index];
    uint8_t bytes[kMaxBytes];
    random.fill(bytes, sink.bytes);
    const uint64_t word = random.next();
    sink.data(*top_, bytes);
    if (sink.keep) sink.keep(*top_, word & ones(sink.bytes));
    if (sink.last) sink.last(*top_, (word >> 63) & 1);
    if (sink.user) sink.user(*top_, random.next() & sinks_[index].user_bits);
    if (sink.id) sink.id(*top_, random.next() % kLanes);
  }

  std::string port(const char *name, const char *what) const { return std::string(name) + what; }

  void check_quiet(const char *when) {
    for (const Source &source : kSources) {
      if (source.valid(*top_)) throw Failure(port(source.name, "valid is high ") + when);
    }
  }

  // A reset of one cycle, or of some more where more is tried: no tvalid in it, nor right after.
  void reset(const lydite_batch *batch, Random &random) {
    uint64_t cycles = batch->strict ? 1 + (random.next() & 3) : 1;
    top_->LYDITE_RST = 1;
    for (const Sink &sink : kSinks) sink.valid(*top_, 0);
    do {
      for (const Source &source : kSources) source.ready(*top_, random.next() & 1);
      for (size_t i = 0; i < kSinkCount; ++i) garbage_in(i, random);
      settle();
      tick();
      settle();
      check_quiet("in a reset");
    } while (--cycles);
    top_->LYDITE_RST = 0;
    for (size_t i = 0; i < kSinkCount; ++i) garbage_in(i, random);
    settle();
    check_quiet("right after a reset");
  }

  Beat offered_by(const Source &source) {
    Beat beat;
    source.data(*top_, beat.data);
    if (source.big_endian) reverse(beat.data, source.bytes);
    beat.keep = source.keep ? source.keep(*top_) : ones(source.bytes);
    beat.last = source.last && source.last(*top_);
    beat.id = source.id ? source.id(*top_) : 0;
    return beat;
  }

  // Tries both values of what a side of the handshake may not look at in the same cycle.
  void probe(const bool *ready) {
    bool taken[kSinkCount];
    for (size_t i = 0; i < kSourceCount; ++i) kSources[i].ready(*top_, ready[i]);
    for (size_t i = 0; i < kSinkCount; ++i) kSinks[i].valid(*top_, !sinks_[i].offered);
    settle();
    for (size_t i = 0; i < kSinkCount; ++i) taken[i] = kSinks[i].ready(*top_);
    for (size_t i = 0; i < kSinkCount; ++i) kSinks[i].valid(*top_, sinks_[i].offered);
    settle();
    for (size_t i = 0; i < kSinkCount; ++i) {
      if (taken[i] != static_cast<bool>(kSinks[i].ready(*top_))) {
        throw Failure(port(kSinks[i].name, "ready depends on ") + kSinks[i].name +
                      "valid in the same cycle");
      }
    }
    bool valid[kSourceCount];
    Beat before[kSourceCount];
    for (size_t i = 0; i < kSourceCount; ++i) {
      valid[i] = kSources[i].valid(*top_);
      if (valid[i]) before[i] = offered_by(kSources[i]);
    }
    for (size_t i = 0; i < kSourceCount; ++i) kSources[i].ready(*top_, !ready[i]);
    settle();
    for (size_t i = 0; i < kSourceCount; ++i) {
      const Source &source = kSources[i];
      if (valid[i] != static_cast<bool>(source.valid(*top_))) {
        throw Failure(port(source.name, "valid depends on ") + source.name +
                      "ready in the same cycle");
      }
      if (valid[i] && !before[i].same(offered_by(source), source.bytes)) {
        throw Failure(port("the output depends on ", source.name) + "ready in the same cycle");
      }
    }
  }

  // Puts the next beat of a lane's packet on the bus.
  void offer(const Sink &sink, SinkState &state, Random &random) {
    uint8_t bytes[kMaxBytes];
    const SinkLane &lane = state.lanes[state.turn];
    const uint64_t left = lane.left();
    const size_t count = left < sink.bytes ? static_cast<size_t>(left) : sink.bytes;
    if (count < sink.bytes) random.fill(bytes, sink.bytes);  // bytes without tkeep mean nothing
    std::memcpy(bytes, lane.packets->data + lane.at + lane.done, count);
    if (sink.big_endian) reverse(bytes, sink.bytes);
    state.ending = left <= sink.bytes && !(lane.null_beat && left == sink.bytes);
    sink.data(*top_, bytes);
    if (sink.keep) sink.keep(*top_, ones(count));
    if (sink.last) sink.last(*top_, state.ending);
    if (sink.user) sink.user(*top_, lane.packets->user[lane.index]);
    if (sink.id) sink.id(*top_, state.turn);
    state.offered_bytes = count;
    state.offered = true;
  }

  // Whether a job may begin: its registers must stand, and they change only in an empty core.
  bool may_begin(const lydite_batch *batch, uint64_t job) {
    if (job == held_job_ || same_registers(batch, job, held_job_)) return true;
    for (const SinkState &sink : sinks_) {
      const SinkLane &lane = sink.lanes[0];  // a core with registers has one
      if (lane.started || (!lane.over() && lane.job() < job)) return false;
    }
    for (const SourceState &source : sources_) {
      if (!source.lanes[0].over() && source.lanes[0].job() < job) return false;
    }
    set_registers(batch, job);
    held_job_ = job;
    return true;
  }

  void offer_all(const lydite_batch *batch, Random &random) {
    for (size_t i = 0; i < kSinkCount; ++i) {
      const Sink &sink = kSinks[i];
      SinkState &state = sinks_[i];
      // A beat that was offered stays until it is taken.
      if (state.offered) continue;
      const bool open = choose(state, batch->strict, random);
      SinkLane &lane = state.lanes[state.turn];
      if (!open || state.stall.pause() ||
          (batch->registers != nullptr && !may_begin(batch, lane.job()))) {
        garbage_in(i, random);
        continue;
      }
      if (lane.done == 0 && !lane.started) {
        const uint64_t length = lane.left();
        lane.null_beat = batch->strict && sink.keep && sink.last && length > 0 &&
                         length % sink.bytes == 0 && (random.next() & 1);
      }
      offer(sink, state, random);
    }
  }

  // Chooses the lane of the next beat, by turns or at random; false if all are over.
  static bool choose(SinkState &state, bool strict, Random &random) {
    if (kLanes > 1) state.turn = (state.turn + (strict ? random.next() % kLanes : 1)) % kLanes;
    for (size_t tries = 0; tries < kLanes; ++tries) {
      if (!state.lanes[state.turn].over()) return true;
      state.turn = (state.turn + 1) % kLanes;
    }
    return false;
  }

  bool take_inputs(const lydite_batch *batch, uint64_t cycle) {
    bool moved = false;
    for (size_t i = 0; i < kSinkCount; ++i) {
      SinkState &state = sinks_[i];
      if (!state.offered || !kSinks[i].ready(*top_)) continue;
      moved = true;
      SinkLane &lane = state.lanes[state.turn];
      const uint64_t job = lane.job();
      if (!begun_[job] && batch->first_in) batch->first_in[job] = cycle;
      begun_[job] = true;
      lane.started = true;
      lane.done += state.offered_bytes;
      state.offered = false;
      if (!state.ending) continue;
      if (batch->last_in) batch->last_in[job] = cycle;
      lane.next();
      skip_empty(kSinks[i].keep != nullptr, lane);
    }
    return moved;
  }

  bool take_output(const lydite_batch *batch, uint64_t cycle, size_t number) {
    const Source &source = kSources[number];
    SourceState &state = sources_[number];
    if (!source.valid(*top_)) {
      if (state.held) throw Failure(port(source.name, "valid fell before ") + source.name +
                                    "ready came");
      return false;
    }
    const Beat beat = offered_by(source);
    if (state.held && !beat.same(state.waiting, source.bytes)) {
      throw Failure(port("the output changed while ", source.name) + "valid was high and " +
                    source.name + "ready low");
    }
    state.held = !ready_[number];
    state.waiting = beat;
    if (state.held) return false;
    if (beat.id >= kLanes) {
      throw Failure(port(source.name, "id is ") + std::to_string(beat.id) + " of " +
                    std::to_string(kLanes));
    }
    Progress &lane = state.lanes[beat.id];
    if (lane.over()) throw Failure("more output after the last message's" + told_id(source, beat));
    const uint64_t job = lane.job();
    if (!begun_[job]) {
      throw Failure("output for a message of which no beat was taken" + told_id(source, beat));
    }
    const size_t count = accept(source, beat, lane);
    if (source.last && !source.keep && beat.last != ends_job(lane, count)) {
      throw Failure(port(source.name, "last is ") + (beat.last ? "high before" : "low at") +
                    " the end of the output");
    }
    if (batch->first_out && !given_[job]) batch->first_out[job] = cycle;
    given_[job] = true;
    lane.started = true;
    lane.done += count;
    if (source.last && source.keep ? beat.last : lane.left() == 0) {
      if (batch->last_out) batch->last_out[job] = cycle;
      lane.next();
      skip_empty(source.keep != nullptr, lane);
    }
    return true;
  }

  static std::string told_id(const Source &source, const Beat &beat) {
    return source.id ? ", of tid " + std::to_string(beat.id) : "";
  }

  // Whether these bytes are the last of all that a job gives on a stream.
  static bool ends_job(const Progress &state, size_t count) {
    const lydite_packets &packets = *state.packets;
    return state.left() == count && (state.index + 1 == packets.count ||
                                     packets.job[state.index + 1] != packets.job[state.index]);
  }

  // Runs the whole batch, or `limit` cycles of it if that is not 0.
  void feed(lydite_batch *batch, uint64_t limit, Random &random) {
    const bool patient = batch->stall_out == kPatient;
    given_.assign(batch->jobs, false);
    batch->quiet = 0;
    for (uint64_t cycle = 0; limit == 0 || cycle < limit; ++cycle) {
      batch->failed = first_open(batch);
      batch->cycles = cycle;
      if (batch->failed == batch->jobs) return finish(random);
      if (batch->quiet++ > batch->patience) throw Failure(hang(patient, batch->patience));
      offer_all(batch, random);
      for (size_t i = 0; i < kSourceCount; ++i) {
        ready_[i] = !patient && !sources_[i].stall.pause();
      }
      if (batch->strict) probe(ready_);
      for (size_t i = 0; i < kSinkCount; ++i) kSinks[i].valid(*top_, sinks_[i].offered);
      for (size_t i = 0; i < kSourceCount; ++i) kSources[i].ready(*top_, ready_[i]);
      settle();
      if (patient) answer_late(random);
      bool moved = take_inputs(batch, cycle);
      for (size_t i = 0; i < kSourceCount; ++i) {
        moved |= take_output(batch, cycle, i);
      }
      if (moved) batch->quiet = 0;
      tick();
    }
  }

  // Shows ready only to beats that are there, and not at once.
  void answer_late(Random &random) {
    bool any = false;
    for (size_t i = 0; i < kSourceCount; ++i) {
      if (!kSources[i].valid(*top_) || sources_[i].wait-- != 0) continue;
      ready_[i] = any = true;
      kSources[i].ready(*top_, 1);
      sources_[i].wait = random.next() & 3;
    }
    if (any) settle();
  }

  // Gives the first job that has outputs to come; the number of jobs if there is none.
  uint64_t first_open(const lydite_batch *batch) const {
    uint64_t first = batch->jobs;
    for (const SourceState &source : sources_) {
      for (const Progress &lane : source.lanes) {
        if (!lane.over() && lane.job() < first) first = lane.job();
      }
    }
    return first;
  }

  std::string hang(bool patient, uint64_t patience) const {
    std::string text = patient ? port(kSources[0].name, "valid waits for ") + kSources[0].name +
                                     "ready: no transfer for "
                               : "hangs: no transfer for ";
    text += std::to_string(patience) + " cycles, with ";
    for (size_t i = 0; i < kSinkCount; ++i) {
      text += (i ? ", " : "") + place(sinks_[i].lanes, kSinks[i].name, "data taken");
    }
    for (size_t i = 0; i < kSourceCount; ++i) {
      text += ", " + place(sources_[i].lanes, kSources[i].name, "data given");
    }
    return text;
  }

  // How far the lanes of a stream are that are not through.
  template <class Lane>
  static std::string place(const Lane (&lanes)[kLanes], const char *name, const char *what) {
    std::string text;
    for (const Lane &lane : lanes) {
      if (lane.over()) continue;
      text += (text.empty() ? "" : ", ") + lane.place(name, what);
    }
    return text.empty() ? lanes[0].place(name, what) : text;
  }

  static size_t accept(const Source &source, const Beat &beat, const Progress &state) {
    size_t count = 0;
    while (count < source.bytes && (beat.keep >> count & 1)) ++count;
    const bool ends = source.last && source.keep && beat.last;
    if (beat.keep != ones(count)) throw Failure(std::string(source.name) + "keep has a gap");
    if (source.keep && !ends && count != source.bytes) {
      throw Failure(std::string(source.name) + "keep is partial before the last beat");
    }
    const uint64_t expected = state.packets->bytes[state.index];
    const uint64_t done = state.done + count;
    if (done > expected || (ends && done < expected)) {
      const uint64_t shown = ends ? done : expected;
      throw Failure("the output has " + std::string(ends ? "" : "more than ") +
                    std::to_string(shown) + " bytes, not " + std::to_string(expected));
    }
    std::memcpy(state.packets->data + state.at + state.done, beat.data, count);
    return count;
  }

  // After the last output nothing more may come.
  void finish(Random &random) {
    for (const SinkState &sink : sinks_) {
      for (const SinkLane &lane : sink.lanes) {
        if (!lane.over()) throw Failure("an output ended before its message did");
      }
    }
    for (const Sink &sink : kSinks) sink.valid(*top_, 0);
    for (int i = 0; i < kQuietCycles; ++i) {
      for (size_t i = 0; i < kSinkCount; ++i) garbage_in(i, random);
      for (size_t k = 0; k < kSourceCount; ++k) {
        kSources[k].ready(*top_, !sources_[k].stall.pause());
      }
      settle();
      for (const Source &source : kSources) {
        if (source.valid(*top_)) throw Failure("more output after the last message's");
      }
      tick();
    }
  }

  SinkState sinks_[kSinkCount];
  SourceState sources_[kSourceCount];
  bool ready_[kSourceCount] = {false};
  std::vector<bool> begun_;  // of each job: a beat of it was taken
  std::vector<bool> given_;  // a beat of its outputs came
  uint64_t held_job_ = 0;    // whose registers stand
  size_t register_bytes_ = 0;
  uint64_t ticks_ = 0;  // cycles since the model was made
  uint64_t shown_from_ = 0, shown_to_ = UINT64_MAX;
  VerilatedContext context_;
  std::unique_ptr<Top> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> trace_;
#endif
};

}  // namespace

extern "C" {

// Makes a model in reset-less power-up state, random under the seed; `wave` is a file or null.
void *lydite_open(uint64_t seed, const char *wave) {
  try {
    return new Model(seed, wave);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return nullptr;
  }
}

void lydite_close(void *model) { delete static_cast<Model *>(model); }

// Cycles so far, those in reset included, and which of them stand in the waveform.
uint64_t lydite_ticks(const void *model) { return static_cast<const Model *>(model)->ticks(); }

void lydite_show(void *model, uint64_t first, uint64_t last) {
  static_cast<Model *>(model)->show(first, last);
}

// Runs a batch from reset; gives 0, or 1 with `error` and `failed` set.
int lydite_run(void *model, lydite_batch *batch) {
  batch->error[0] = 0;
  try {
    static_cast<Model *>(model)->run(batch);
    return 0;
  } catch (const std::exception &error) {
    std::snprintf(batch->error, sizeof batch->error, "%s (cycle %llu)", error.what(),
                  static_cast<unsigned long long>(batch->cycles));
    return 1;
  }
}

}  // extern "C"
