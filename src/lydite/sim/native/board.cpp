// SPDX-License-Identifier: Apache-2.0
// Drives a Verilated board: its two clocks, and its UART bit by bit from and to bytes. Time is in
// picoseconds. What stands between calls is that of a board: bytes on the line, the half of a word.

#include <cstdint>
#include <cstdio>
#include <deque>
#include <memory>

#include "model.h"
#include "ports.h"
#include "verilated.h"

namespace {

class Board {
 public:
  Board(uint64_t seed, const char *argument) {
    const char *words[] = {"board", argument};
    context_.commandArgs(argument != nullptr ? 2 : 1, words);
    context_.randReset(2);
    context_.randSeed(static_cast<int>(seed & 0x7fffffff) | 1);
    context_.assertOn(false);  // a chip has none
    top_ = std::make_unique<LYDITE_MODEL>(&context_);
    top_->clk = top_->core_clk = 0;
    top_->rx_i = 1;
    top_->locked_i = 1;
    top_->button_i = 0;
  }
  ~Board() { top_->final(); }

  uint64_t run(uint64_t crystal_ps, uint64_t core_ps, uint64_t divider, const uint8_t *in,
               uint64_t count, uint64_t cycles, uint8_t *out, uint64_t room) {
    to_board_.insert(to_board_.end(), in, in + count);
    uint64_t got = 0;
    while ((cycles > 0 || sending_ > 0 || !to_board_.empty() || receiving_ > 0) && got < room) {
      if (crystal_next_ == 0) crystal_next_ = now_ + crystal_ps;
      if (core_next_ == 0) core_next_ = now_ + core_ps;
      const bool crystal = crystal_next_ <= core_next_;
      const bool core = core_next_ <= crystal_next_;
      now_ = crystal ? crystal_next_ : core_next_;
      if (crystal) send(divider);
      context_.time(now_);
      // A clock falls with the next edge of the other, at the latest before its own.
      top_->clk = top_->core_clk = 0;
      top_->eval();
      if (crystal) top_->clk = 1;
      if (core) top_->core_clk = 1;
      top_->eval();
      if (core) core_next_ = now_ + core_ps;
      if (crystal) {
        crystal_next_ = now_ + crystal_ps;
        if (cycles > 0) --cycles;
        uint8_t byte = 0;
        if (receive(divider, &byte)) out[got++] = byte;
      }
    }
    return got;
  }

 private:
  // Puts the next bit on the line: a start, eight bits, a stop.
  void send(uint64_t divider) {
    if (sending_ == 0) {
      if (to_board_.empty()) return;
      bits_ = static_cast<uint32_t>(to_board_.front()) << 1 | 0x200U;
      to_board_.pop_front();
      sending_ = 10 * divider;
    }
    const uint64_t at = (10 * divider - sending_) / divider;
    top_->rx_i = bits_ >> at & 1U;
    --sending_;
  }

  // Samples the line in the middle of each bit.
  bool receive(uint64_t divider, uint8_t *byte) {
    if (receiving_ == 0) {
      if (top_->tx_o) return false;
      receiving_ = 10 * divider;
      taken_ = 0;
    }
    const uint64_t passed = 10 * divider - receiving_;
    if (passed == divider / 2 && top_->tx_o) receiving_ = 1;  // no start, but a spike
    if (passed % divider == divider / 2) {
      taken_ |= static_cast<uint32_t>(top_->tx_o) << passed / divider;
    }
    // The next start may come right behind the stop: do not wait for its end.
    if (--receiving_ > divider / 4) return false;
    const bool whole = receiving_ > 0;
    receiving_ = 0;
    *byte = static_cast<uint8_t>(taken_ >> 1);
    return whole;
  }

  VerilatedContext context_;
  std::unique_ptr<LYDITE_MODEL> top_;
  std::deque<uint8_t> to_board_;
  uint64_t now_ = 0, crystal_next_ = 0, core_next_ = 0;
  uint64_t sending_ = 0, receiving_ = 0;
  uint32_t bits_ = 0, taken_ = 0;
};

}  // namespace

// No assertion is on; what else ends a simulation has no place on a board.
void vl_fatal(const char *, int, const char *, const char *text) VL_MT_UNSAFE {
  throw Failure(text);
}
void vl_stop(const char *, int, const char *) VL_MT_UNSAFE { throw Failure("$stop"); }
void vl_finish(const char *, int, const char *) VL_MT_UNSAFE { throw Failure("$finish"); }

extern "C" {

// Makes a board that has just been configured; `argument` is a word for $test$plusargs, or null.
void *lydite_open(uint64_t seed, const char *argument) {
  try {
    return new Board(seed, argument);
  } catch (const std::exception &error) {
    std::fprintf(stderr, "%s\n", error.what());
    return nullptr;
  }
}

void lydite_close(void *board) { delete static_cast<Board *>(board); }

// Runs until bytes have gone in and so many cycles of the crystal have passed; gives how many bytes
// came out. It ends before when there is no more room.
uint64_t lydite_run(void *board, uint64_t crystal_ps, uint64_t core_ps, uint64_t divider,
                    const uint8_t *in, uint64_t count, uint64_t cycles, uint8_t *out,
                    uint64_t room) {
  return static_cast<Board *>(board)->run(crystal_ps, core_ps, divider, in, count, cycles, out,
                                          room);
}

}  // extern "C"
