// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) and Triple DES (SP 800-67) of whole blocks (SP 800-38A, 6.1), a block a cycle: a
// core for `lydite bench`; top function: des_pipe. A call is a message: packets with the key, KEYS
// beats, and with the message, each ended by `last`, and perhaps by a beat without bytes. User says
// what is done: 0 encrypt, 1 decrypt.
//
// The program of the SRC-6E's Triple DES (Fidanci et al., 2003): `des` is called once for each
// pass, and is C here, or, with des_macro.toml, a module in Verilog. With MIXED the middle pass is
// C and the others are that module.

#include "des_call.h"

#ifndef MIXED
#define MIXED 0
#endif

void des_pipe(des_job_stream *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // 128 words a cycle and pass: in logic, not in a memory.
#pragma HLS array_partition variable=des_sboxes complete dim=0
  static uint64_t keys[3];  // K1, K2, K3
#pragma HLS array_partition variable=keys complete
  unsigned number = 0;  // of the next key
  bool is_message = false, end;
  do {
    // All rounds are at work at once, from message to message.
#pragma HLS pipeline II=1 rewind
    const des_job_stream_beat beat = des_job_stream_read(s_axis);
    const uint64_t in = turned(beat.data);
    const bool is_key = !is_message && beat.keep & 1;
    if (is_key && number == 0) keys[0] = in;
    if (is_key && number == 1) keys[1] = in;
    // Of two keys the first one is the third, too.
    if (is_key && number == (KEYS == 3 ? 2 : 0)) keys[2] = in;
    const uint8_t decrypt = beat.user & 1;
    uint64_t block = des(in, decrypt ? keys[2] : keys[0], decrypt);
    if (PASSES == 3) {
      block = MIXED ? des_in_c(block, keys[1], !decrypt) : des(block, keys[1], !decrypt);
      block = des(block, decrypt ? keys[0] : keys[2], decrypt);
    }
    const lydite_stream64_beat give = {
        .data = turned(block), .keep = beat.keep, .last = beat.last};
    if (is_message) lydite_stream64_write(m_axis, give);
    end = is_message && beat.last;
    number = beat.last ? 0 : number + 1;
    if (beat.last) is_message = !is_message;
  } while (!end);
}

#include "des_check.h"

int main(void) { return des_check(des_pipe); }
