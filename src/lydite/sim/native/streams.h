// SPDX-License-Identifier: Apache-2.0
// What harnesses of streams share: the ports of a model as tables, packets and how far they have
// come, pauses, and how a failed assertion ends a run.
//
// The compiler is given LYDITE_MODEL (class) and the tables LYDITE_SINKS, LYDITE_SOURCES and
// LYDITE_REGISTERS, made of the macros below; and LYDITE_LANES, the number of values of tid, where
// streams have one.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <utility>

#include "model.h"
#include "ports.h"
#include "verilated.h"

namespace {

#ifndef LYDITE_LANES
#define LYDITE_LANES 1
#endif

using Top = LYDITE_MODEL;
// Jobs with different values of tid may have their beats in any order. Job n has tid n % kLanes.
constexpr size_t kLanes = LYDITE_LANES;
constexpr size_t kMaxBytes = 64;  // of a word: tkeep is handled as one 64-bit word

template <class Port>
void set(Port &port, uint64_t value) {
  port = static_cast<Port>(value);
}

constexpr uint64_t ones(size_t count) { return count >= 64 ? ~0ULL : (1ULL << count) - 1; }

// Streams that the core takes and gives, and ports that hold a value. A null function: no port.
struct Sink {
  const char *name;  // what its ports begin with
  size_t bytes;
  bool big_endian;
  void (*data)(Top &, const uint8_t *);
  void (*valid)(Top &, uint64_t);
  uint64_t (*ready)(Top &);
  void (*keep)(Top &, uint64_t);
  void (*last)(Top &, uint64_t);
  void (*user)(Top &, uint64_t);
  void (*id)(Top &, uint64_t);
};
struct Source {
  const char *name;
  size_t bytes;
  bool big_endian;
  void (*data)(Top &, uint8_t *);
  uint64_t (*valid)(Top &);
  void (*ready)(Top &, uint64_t);
  uint64_t (*keep)(Top &);
  uint64_t (*last)(Top &);
  uint64_t (*id)(Top &);
};
struct Register {
  size_t bytes;
  void (*data)(Top &, const uint8_t *);
};

#define PUT(port, bytes) \
  [](Top &top, const uint8_t *from) { put(top.port, from, bytes, 8 * bytes); }
#define TAKE(port, bytes) [](Top &top, uint8_t *to) { get(to, top.port, bytes); }
#define SET(port) [](Top &top, uint64_t value) { set(top.port, value); }
#define GET(port) [](Top &top) { return static_cast<uint64_t>(top.port); }

const Sink kSinks[] = {LYDITE_SINKS};
const Source kSources[] = {LYDITE_SOURCES};
const Register kRegisters[] = {LYDITE_REGISTERS{0, nullptr}};
constexpr size_t kSinkCount = sizeof kSinks / sizeof *kSinks;
constexpr size_t kSourceCount = sizeof kSources / sizeof *kSources;

void reverse(uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count / 2; ++i) std::swap(bytes[i], bytes[count - 1 - i]);
}

// Says in which cycles one side of a stream pauses.
class Stall {
 public:
  Stall(uint32_t mode, uint64_t seed) : mode_(mode), random_(seed) {}
  bool pause() {
    if (mode_ == 0) return false;
    if (mode_ == 1) return (phase_++ & 3) != 0;  // one cycle in four
    if (mode_ == 4) return true;                 // nothing is ever taken
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

// The packets of a stream, in the order of the jobs.
struct lydite_packets {
  uint64_t count;
  uint8_t *data;          // one after the other; of a source: where they go
  const uint64_t *bytes;  // length of each
  const uint32_t *user;   // tuser of each, on all of its beats; of a sink
  const uint64_t *job;    // number of its job
};

}  // extern "C"

namespace {

// What a source offers in a cycle.
struct Beat {
  uint8_t data[kMaxBytes] = {0};
  uint64_t keep = 0;
  bool last = false;
  uint64_t id = 0;
  bool same(const Beat &other, size_t bytes) const {
    return std::memcmp(data, other.data, bytes) == 0 && keep == other.keep &&
           last == other.last && id == other.id;
  }
};

// How far the packets of a stream that are of one lane have come.
struct Progress {
  const lydite_packets *packets = nullptr;
  size_t lane = 0;
  uint64_t index = 0;    // of the packet
  uint64_t at = 0;       // of its first byte in the data
  uint64_t done = 0;     // of its bytes
  bool started = false;  // whether a beat of it has passed
  bool over() const { return index == packets->count; }
  uint64_t job() const { return packets->job[index]; }
  uint64_t left() const { return packets->bytes[index] - done; }
  void begin(const lydite_packets *all, size_t mine) {
    packets = all;
    lane = mine;
    find();
  }
  void next() {
    at += packets->bytes[index];
    ++index;
    done = 0;
    started = false;
    find();
  }
  void find() {  // the next packet of the lane, from here on
    for (; !over() && job() % kLanes != lane; ++index) at += packets->bytes[index];
  }
  std::string place(const char *name, const char *what) const {
    if (over()) return std::string("all of ") + name + what;
    return std::to_string(done) + " bytes of packet " + std::to_string(index) + " of " + name +
           what;
  }
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
