// SPDX-License-Identifier: Apache-2.0
// Drives a model with the ports of the LWC hardware API and compares what comes out.

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>

#include "model.h"
#include "ports.h"
#include "verilated.h"

namespace {

// A port that takes words: offers the next one, in cycles that do not pause, until it is taken.
struct Source {
  const uint32_t *words;
  uint64_t count;
  uint64_t at = 0;
  bool offers = false;
  void begin(bool pause) { offers = offers || (at < count && !pause); }
  uint32_t shown(Random &random) const {
    return offers ? words[at] : static_cast<uint32_t>(random.next());
  }
  void end(bool taken) {
    if (taken) at++;
    if (taken) offers = false;
  }
};

struct Run {
  Run(Random random, Source pdi, Source sdi) : random(random), pdi(pdi), sdi(sdi) {}

  LYDITE_MODEL model;
  Random random;
  Source pdi, sdi;
  uint64_t cycle = 0;

  void tick() {
    model.clk = 1;
    model.eval();
    model.clk = 0;
    model.eval();
    cycle++;
  }

  void reset() {
    model.rst = 1;
    tick();
    model.rst = 0;
    model.eval();
    if (model.do_valid) throw Failure("do_valid is set after a reset");
    pdi.at = sdi.at = 0;
    pdi.offers = sdi.offers = false;
  }

  void drive(bool other) {
    model.pdi_valid = pdi.offers != other;
    model.sdi_valid = sdi.offers != other;
    model.pdi_data = other ? static_cast<uint32_t>(random.next()) : pdi.shown(random);
    model.sdi_data = other ? static_cast<uint32_t>(random.next()) : sdi.shown(random);
  }

  // Readiness must not look at what is offered, nor what is given at whether it is taken.
  void settle(bool takes) {
    drive(true);
    model.do_ready = !takes;
    model.eval();
    const int pdi_ready = model.pdi_ready, sdi_ready = model.sdi_ready, valid = model.do_valid;
    drive(false);
    model.do_ready = takes;
    model.eval();
    if (model.pdi_ready != pdi_ready || model.sdi_ready != sdi_ready || model.do_valid != valid) {
      throw Failure("a handshake looks at another one in the same cycle");
    }
  }
};

}  // namespace

void vl_fatal(const char *, int, const char *, const char *text) VL_MT_UNSAFE {
  throw Failure(text);
}
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE { throw Failure("$stop"); }
void vl_finish(const char *, int, const char *) VL_MT_UNSAFE { throw Failure("$finish"); }

extern "C" {

// Words in, words expected with bits that count; `ends`: do_last. `stalls`: 0 none, else one in so
// many cycles goes on. `resets`: that many runs are cut off before. Gives cycles, or -1 and a text.
int64_t run(const uint32_t *pdi, uint64_t pdi_count, const uint32_t *sdi, uint64_t sdi_count,
            const uint32_t *wanted, const uint32_t *counts, const uint8_t *ends, uint64_t count,
            uint32_t stalls, uint32_t resets, uint64_t seed, char *text, uint64_t text_bytes) try {
  Verilated::randReset(2);
  Run run(Random(seed), {pdi, pdi_count}, {sdi, sdi_count});
  const auto pause = [&] { return stalls != 0 && run.random.next() % stalls != 0; };
  run.model.clk = 0;
  run.model.eval();
  run.reset();
  uint64_t at = 0, quiet = 0, cut = resets ? 1 + run.random.next() % 500 : 0, waiting = 0;
  for (uint64_t more = 0; more < 300;) {
    if (cut != 0 && run.cycle >= cut) {
      run.reset();
      at = 0;
      waiting = 0;
      cut = --resets ? run.cycle + 1 + run.random.next() % 500 : 0;
    }
    run.pdi.begin(pause());
    run.sdi.begin(pause());
    const bool takes = !pause();
    run.settle(takes);
    const bool pdi_moves = run.pdi.offers && run.model.pdi_ready;
    const bool sdi_moves = run.sdi.offers && run.model.sdi_ready;
    const uint64_t given = run.model.do_data | uint64_t{run.model.do_last} << 32 | 1ULL << 33;
    if (waiting != 0 && (!run.model.do_valid || given != waiting)) {
      throw Failure("a word changes while it waits");
    }
    waiting = run.model.do_valid && !takes ? given : 0;
    if (run.model.do_valid && at == count) throw Failure("more words than expected");
    if (run.model.do_valid && takes) {
      if (((run.model.do_data ^ wanted[at]) & counts[at]) != 0 || run.model.do_last != ends[at]) {
        char place[96];
        std::snprintf(place, sizeof place, "word %llu is %08x, do_last %d; wanted %08x, %d",
                      static_cast<unsigned long long>(at), run.model.do_data, run.model.do_last,
                      wanted[at], ends[at]);
        throw Failure(place);
      }
      at++;
    }
    quiet = pdi_moves || sdi_moves || run.model.do_valid ? 0 : quiet + 1;
    if (quiet > 5000) throw Failure("nothing moves before word " + std::to_string(at));
    run.pdi.end(pdi_moves);
    run.sdi.end(sdi_moves);
    if (at == count && cut == 0) more++;
    run.tick();
  }
  return static_cast<int64_t>(run.cycle);
} catch (const Failure &failure) {
  std::snprintf(text, text_bytes, "%s", failure.what());
  return -1;
}

}
