// SPDX-License-Identifier: Apache-2.0
// The master of a bus that pauses at random, in place of the one in testbed.cpp, which gives an
// address, then its data, and takes answers at once. Each of the five channels goes by itself: data
// may come before their address, answers wait, and registers are read while others are written.
// Channels that are not valid hold anything. It is a part of the class `Testbed`.

  // Takes note of what passes at an edge, and holds the slave to the rules of its answers.
  void channels() {
    const bool answered = top_->s_axi_control_BVALID, given = top_->s_axi_control_RVALID;
    const uint32_t word = top_->s_axi_control_RDATA;
    if (write_.waits && !answered) throw Failure("BVALID fell before BREADY");
    if (read_.waits && !given) throw Failure("RVALID fell before RREADY");
    if (read_.waits && word != word_) throw Failure("RDATA changed before RREADY");
    if (answered && !(address_.taken && data_.taken)) throw Failure("an answer to no write");
    if (given && !place_.taken) throw Failure("an answer to no read");
    address_.take(top_->s_axi_control_AWREADY);
    data_.take(top_->s_axi_control_WREADY);
    place_.take(top_->s_axi_control_ARREADY);
    written_ = write_.take(answered);
    fetched_ = read_.take(given);
    word_ = word;
    if (written_) address_.taken = data_.taken = false;
    if (fetched_) place_.taken = false;
  }

  // Ends the host's access to a register where its answer came.
  void traffic(lydite_access &access) {
    if (access.kind == kRead && fetched_ && own_) {
      access.value = word_;
      end_access();
    } else if (access.kind == kWrite && written_) {
      end_access();
    }
  }

  void drive_bus() {
    static const lydite_access kNone = {kMark, 0, 0};
    const bool over = host_at_ >= run_->access_count;
    const lydite_access &access = over ? kNone : run_->accesses[host_at_];
    const bool may = !over && static_cast<double>(now_) >= host_free_;
    if (access.kind == kWrite && may) {
      address_.offer(random_);
      data_.offer(random_);
    }
    const bool free = !place_.valid && !place_.taken;
    if (free && ((access.kind == kRead && may) || access.kind == kWrite)) {
      own_ = access.kind == kRead;
      from_ = own_ ? access.address : kReturn;
      place_.offer(random_);
    }
    top_->s_axi_control_AWVALID = address_.valid;
    top_->s_axi_control_WVALID = data_.valid;
    top_->s_axi_control_ARVALID = place_.valid;
    top_->s_axi_control_BREADY = write_.ready = random_.next() & 1;
    top_->s_axi_control_RREADY = read_.ready = random_.next() & 1;
    set(top_->s_axi_control_AWADDR, address_.valid ? access.address : random_.next() & kAnywhere);
    set(top_->s_axi_control_ARADDR, place_.valid ? from_ : random_.next() & kAnywhere);
    set(top_->s_axi_control_WDATA, data_.valid ? access.value : random_.next());
    top_->s_axi_control_WSTRB = data_.valid ? 15 : random_.next() & 15;
  }

  struct Given {  // a channel that the master gives
    bool valid = false, taken = false;
    void offer(Random &random) { valid |= !taken && (random.next() & 3) == 0; }
    void take(bool ready) {
      taken |= valid && ready;
      valid &= !ready;
    }
  };
  struct Taken {  // a channel that it takes
    bool ready = false, waits = false;
    bool take(bool valid) {
      waits = valid && !ready;
      return valid && ready;
    }
  };
  static constexpr uint32_t kReturn = 0x10;    // of a job: to read it changes nothing
  static constexpr uint32_t kAnywhere = 0x1f;  // bits that any address has
  Given address_, data_, place_;
  Taken write_, read_;
  bool written_ = false, fetched_ = false, own_ = false;
  uint32_t from_ = 0, word_ = 0;

