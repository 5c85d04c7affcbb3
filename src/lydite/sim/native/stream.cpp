// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated core with AXI4-Stream ports (sink s_axis_*, source m_axis_*) and records what
// comes out and when. Compiled together with the model; Python calls the extern "C" functions.
//
// Rules: AMBA AXI-Stream Protocol Specification (ARM IHI 0051B), of handshake (2.2) and reset;
// byte 0 of a message in tdata[7:0]. The compiler is given LYDITE_MODEL (class), LYDITE_CLK,
// LYDITE_RST (ports), LYDITE_IN_BYTES, LYDITE_OUT_BYTES (bus widths), LYDITE_TUSER (if there).

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>

#include "model.h"
#include "ports.h"
#include "verilated.h"
#if VM_TRACE
#include "verilated_vcd_c.h"
#endif

namespace {

constexpr size_t kInBytes = LYDITE_IN_BYTES;
constexpr size_t kOutBytes = LYDITE_OUT_BYTES;
constexpr uint32_t kPatient = 3;      // of stall_out
constexpr int kQuietCycles = 256;     // after the last output, in which no more may come
static_assert(kInBytes <= 64 && kOutBytes <= 64, "tkeep is handled as one 64-bit word");

template <class Port>
void set(Port &port, uint64_t value) {
  port = static_cast<Port>(value);
}

constexpr uint64_t ones(size_t count) { return count >= 64 ? ~0ULL : (1ULL << count) - 1; }

// Says in which cycles one side of a stream pauses.
class Stall {
 public:
  Stall(uint32_t mode, uint64_t seed) : mode_(mode), random_(seed) {}
  bool pause() {
    if (mode_ == 0) return false;
    if (mode_ == 1) return (phase_++ & 3) != 0;  // one cycle in four
    if (left_ > 0) return --left_, true;
    const uint64_t draw = random_.next();
    // Short pauses half of the time; now and then one longer than a block takes.
    if ((draw & 0xff) == 0) left_ = static_cast<uint32_t>(draw >> 32) & 127;
    return (draw & 0x100) != 0;
  }

 private:
  uint32_t mode_;
  uint32_t phase_ = 0;
  uint32_t left_ = 0;
  Random random_;
};

}  // namespace

extern "C" {

// One run: messages one after the other, no gap between them but the stalls.
struct lydite_batch {
  uint64_t messages;
  const uint8_t *in;          // all messages, one after the other
  const uint64_t *in_bytes;   // length of each
  const uint32_t *user;       // s_axis_tuser of each, on all of its beats
  uint8_t *out;               // outputs, one after the other
  const uint64_t *out_bytes;  // expected length of each
  uint64_t *first_in;         // cycle in which the first beat of each was accepted; may be null
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
  uint64_t failed;      // result: number of the message at which it failed
  char error[512];      // result: what went wrong; empty if nothing did
};

}  // extern "C"

namespace {

// What the core offers in a cycle.
struct Beat {
  bool valid = false;
  uint8_t data[64] = {0};
  uint64_t keep = 0;
  bool last = false;
  bool same(const Beat &other) const {
    return std::memcmp(data, other.data, kOutBytes) == 0 && keep == other.keep &&
           last == other.last;
  }
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
    top_ = std::make_unique<LYDITE_MODEL>(&context_);
    top_->LYDITE_CLK = 0;  // its power-up value is random, too
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
  ~Model() {
#if VM_TRACE
    if (trace_) trace_->close();
#endif
    top_->final();
  }

  void run(lydite_batch *batch) {
    Random random(batch->seed);
    batch->failed = batch->cycles = 0;
    reset(batch, random);
    feed(batch, batch->stop_at, random);
  }

 private:
  void tick() {
    top_->LYDITE_CLK = 1;
    top_->eval();
    dump();
    top_->LYDITE_CLK = 0;
  }

  void settle() {
    top_->eval();
    dump();
  }

  void dump() {
#if VM_TRACE
    if (trace_) trace_->dump(context_.time());
#endif
    context_.timeInc(1);
  }

  void garbage_in(Random &random) {
    uint8_t bytes[64];
    random.fill(bytes, kInBytes);
    const uint64_t word = random.next();
    put(top_->s_axis_tdata, bytes, kInBytes, 8 * kInBytes);
    top_->s_axis_tkeep = word & ones(kInBytes);
    top_->s_axis_tlast = (word >> 63) & 1;
#ifdef LYDITE_TUSER
    set(top_->s_axis_tuser, random.next() & 0xffff);
#endif
  }

  // A reset of one cycle, or of some more where more is tried: no tvalid in it, nor right after.
  void reset(const lydite_batch *batch, Random &random) {
    uint64_t cycles = batch->strict ? 1 + (random.next() & 3) : 1;
    top_->LYDITE_RST = 1;
    top_->s_axis_tvalid = 0;
    do {
      top_->m_axis_tready = random.next() & 1;
      garbage_in(random);
      settle();
      tick();
      settle();
      if (top_->m_axis_tvalid) throw Failure("m_axis_tvalid is high in a reset");
    } while (--cycles);
    top_->LYDITE_RST = 0;
    garbage_in(random);
    settle();
    if (top_->m_axis_tvalid) throw Failure("m_axis_tvalid is high right after a reset");
  }

  Beat offered_out() {
    Beat beat;
    beat.valid = top_->m_axis_tvalid;
    get(beat.data, top_->m_axis_tdata, kOutBytes);
    beat.keep = top_->m_axis_tkeep;
    beat.last = top_->m_axis_tlast;
    return beat;
  }

  // Tries both values of what a side of the handshake may not look at in the same cycle.
  void probe(bool offered, bool ready) {
    top_->m_axis_tready = ready;
    top_->s_axis_tvalid = !offered;
    settle();
    const bool taken = top_->s_axis_tready;
    top_->s_axis_tvalid = offered;
    settle();
    if (taken != static_cast<bool>(top_->s_axis_tready)) {
      throw Failure("s_axis_tready depends on s_axis_tvalid in the same cycle");
    }
    const Beat before = offered_out();
    top_->m_axis_tready = !ready;
    settle();
    const Beat after = offered_out();
    if (before.valid != after.valid) {
      throw Failure("m_axis_tvalid depends on m_axis_tready in the same cycle");
    }
    if (before.valid && !before.same(after)) {
      throw Failure("the output depends on m_axis_tready in the same cycle");
    }
  }

  // Puts the next beat of a message on the bus; gives how many of its bytes that is.
  size_t offer(const uint8_t *message, uint64_t left, bool null_beat, uint32_t user,
               Random &random) {
    uint8_t bytes[64];
    size_t count = left < kInBytes ? static_cast<size_t>(left) : kInBytes;
    if (count < kInBytes) random.fill(bytes, kInBytes);  // bytes without tkeep mean nothing
    std::memcpy(bytes, message, count);
    put(top_->s_axis_tdata, bytes, kInBytes, 8 * kInBytes);
    top_->s_axis_tkeep = ones(count);
    top_->s_axis_tlast = left <= kInBytes && !(null_beat && left == kInBytes);
#ifdef LYDITE_TUSER
    set(top_->s_axis_tuser, user);
#else
    (void)user;
#endif
    return count;
  }

  // Runs the whole batch, or `limit` cycles of it if that is not 0.
  void feed(lydite_batch *batch, uint64_t limit, Random &random) {
    Stall stall_in(batch->stall_in, batch->seed ^ 0x5151515151515151ULL);
    Stall stall_out(batch->stall_out, batch->seed ^ 0xa3a3a3a3a3a3a3a3ULL);
    const uint8_t *in = batch->in;
    uint8_t *out = batch->out;
    uint64_t in_index = 0, in_done = 0, out_index = 0, out_done = 0, quiet = 0;
    bool offered = false, in_started = false, out_started = false, null_beat = false;
    bool held = false;
    size_t offered_bytes = 0;
    Beat waiting;
    const bool patient = batch->stall_out == kPatient;
    uint64_t wait = 0;
    for (uint64_t cycle = 0; limit == 0 || cycle < limit; ++cycle) {
      batch->failed = out_index;
      batch->cycles = cycle;
      if (out_index == batch->messages) return finish(batch, in_index, random, stall_out);
      if (quiet++ > batch->patience) {
        throw Failure((patient ? "m_axis_tvalid waits for m_axis_tready: no transfer for "
                               : "hangs: no transfer for ") + std::to_string(batch->patience) +
                      " cycles, with " + std::to_string(in_done) + " bytes of message " +
                      std::to_string(in_index) + " taken and " + std::to_string(out_done) +
                      " bytes of output " + std::to_string(out_index) + " given");
      }
      // A beat that was offered stays until it is taken.
      if (!offered && in_index < batch->messages && !stall_in.pause()) {
        const uint64_t length = batch->in_bytes[in_index];
        if (in_done == 0 && !in_started) {
          null_beat = batch->strict && length > 0 && length % kInBytes == 0 && (random.next() & 1);
        }
        offered_bytes =
            offer(in + in_done, length - in_done, null_beat, batch->user[in_index], random);
        offered = true;
      } else if (!offered) {
        garbage_in(random);
      }
      const bool ready = !patient && !stall_out.pause();
      if (batch->strict) probe(offered, ready);
      top_->s_axis_tvalid = offered;
      top_->m_axis_tready = ready;
      settle();
      if (patient && top_->m_axis_tvalid && wait-- == 0) {
        top_->m_axis_tready = 1;
        wait = random.next() & 3;
        settle();
      }
      if (offered && top_->s_axis_tready) {
        quiet = 0;
        if (!in_started && batch->first_in) batch->first_in[in_index] = cycle;
        in_started = true;
        in_done += offered_bytes;
        offered = false;
        if (top_->s_axis_tlast) {
          if (batch->last_in) batch->last_in[in_index] = cycle;
          in += in_done;
          in_done = 0;
          in_started = false;
          ++in_index;
        }
      }
      if (top_->m_axis_tvalid) {
        const Beat beat = offered_out();
        if (held && !beat.same(waiting)) {
          throw Failure("the output changed while m_axis_tvalid was high and m_axis_tready low");
        }
        held = !top_->m_axis_tready;
        waiting = beat;
        if (top_->m_axis_tready) {
          quiet = 0;
          if (in_index < out_index || (in_index == out_index && !in_started)) {
            throw Failure("output for a message of which no beat was taken");
          }
          const size_t count = accept(batch, beat, out, out_index, out_done);
          if (!out_started && batch->first_out) batch->first_out[out_index] = cycle;
          out_started = true;
          out_done += count;
          if (beat.last) {
            if (batch->last_out) batch->last_out[out_index] = cycle;
            out += batch->out_bytes[out_index];
            out_done = 0;
            out_started = false;
            ++out_index;
          }
        }
      } else if (held) {
        throw Failure("m_axis_tvalid fell before m_axis_tready came");
      }
      tick();
    }
  }

  static size_t accept(const lydite_batch *batch, const Beat &beat, uint8_t *out, uint64_t index,
                       uint64_t done) {
    const uint64_t keep = beat.keep;
    const bool last = beat.last;
    size_t count = 0;
    while (count < kOutBytes && (keep >> count & 1)) ++count;
    if (keep != ones(count)) throw Failure("m_axis_tkeep has a gap");
    if (!last && count != kOutBytes) throw Failure("m_axis_tkeep is partial before the last beat");
    const uint64_t expected = batch->out_bytes[index];
    if (done + count > expected || (last && done + count < expected)) {
      throw Failure("the output has " + std::string(last ? "" : "more than ") +
                    std::to_string(done + count - (last ? 0 : 1)) + " bytes, not " +
                    std::to_string(expected));
    }
    std::memcpy(out + done, beat.data, count);
    return count;
  }

  // After the last output nothing more may come.
  void finish(lydite_batch *batch, uint64_t in_index, Random &random, Stall &stall_out) {
    if (in_index != batch->messages) throw Failure("an output ended before its message did");
    top_->s_axis_tvalid = 0;
    for (int i = 0; i < kQuietCycles; ++i) {
      garbage_in(random);
      top_->m_axis_tready = !stall_out.pause();
      settle();
      if (top_->m_axis_tvalid) throw Failure("more output after the last message's");
      tick();
    }
  }

  VerilatedContext context_;
  std::unique_ptr<LYDITE_MODEL> top_;
#if VM_TRACE
  std::unique_ptr<VerilatedVcdC> trace_;
#endif
};

}  // namespace

// Verilator ends the process on a failed assertion; here it ends the run.
void vl_fatal(const char *file, int line, const char *, const char *text) VL_MT_UNSAFE {
  throw Failure(std::string(file) + ":" + std::to_string(line) + ": " + text);
}
void vl_stop(const char *file, int line, const char *) VL_MT_UNSAFE {
  throw Failure("assertion at " + std::string(file) + ":" + std::to_string(line) + " failed");
}
void vl_finish(const char *file, int line, const char *) VL_MT_UNSAFE {
  throw Failure("$finish at " + std::string(file) + ":" + std::to_string(line));
}

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
