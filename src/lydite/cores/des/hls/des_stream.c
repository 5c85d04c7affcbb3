// SPDX-License-Identifier: Apache-2.0
//
// DES (FIPS 46-3) and Triple DES (SP 800-67) of whole blocks (SP 800-38A, 6.1), a round a cycle: a
// core for `lydite bench`; top function: des_stream. A call is a message: packets with the key,
// KEYS beats, and with the message, each ended by `last`, and perhaps by a beat without bytes. User
// says what is done: 0 encrypt, 1 decrypt.

#include "des.h"

void des_stream(des_job_stream *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  // Eight words a cycle: in logic, not in a memory.
#pragma HLS array_partition variable=des_sboxes complete dim=0
  uint64_t keys[3];  // C and D of K1, K2, K3
#pragma HLS array_partition variable=keys complete
  bool last = false, whole = false, decrypt = false;
  for (int i = 0; i < KEYS; i++) {
    const des_job_stream_beat beat = des_job_stream_read(s_axis);
    const uint64_t cd = permute(turned(beat.data), 64, des_pc1, 56);
    if (i == 0) keys[0] = cd;
    if (i == 1) keys[1] = cd;
    if (i == (KEYS == 3 ? 2 : 0)) keys[2] = cd;
    last = beat.last;
    decrypt = beat.user & 1;
  }
  if (!last) des_job_stream_read(s_axis);  // without bytes
  // As if a block had ended.
  uint8_t round = DES_ROUNDS - 1, pass = PASSES - 1;
  bool pass_ends = true, ends = true, any = false, end = false;
  uint32_t left = 0, right = 0, c = 0, d = 0;
  last = false;
  do {
    // A round a cycle. With the last one comes the next block.
#pragma HLS pipeline II=1
    const uint64_t round_key = permute((uint64_t)c << 28 | d, 56, des_pc2, 48);
    const uint32_t mixed = left ^ feistel(right, round_key);
    if (ends && any) {
      const uint64_t block = permute((uint64_t)mixed << 32 | right, 64, des_fp, 64);
      const lydite_stream64_beat give = {
          .data = turned(block), .keep = whole ? 0xff : 0, .last = last};
      lydite_stream64_write(m_axis, give);
    }
    end = ends && any && last;
    // The halves change places at the end of a pass.
    const uint32_t crossed = pass_ends ? mixed : right;
    right = pass_ends ? right : mixed;
    left = crossed;
    if (ends && !end) {
      const des_job_stream_beat beat = des_job_stream_read(s_axis);
      const uint64_t lr = permute(turned(beat.data), 64, des_ip, 64);
      left = (uint32_t)(lr >> 32);
      right = (uint32_t)lr;
      last = beat.last;
      whole = beat.keep & 1;
    }
    any = true;
    pass = ends ? 0 : (pass_ends ? pass + 1 : pass) & 3;
    round = (round + 1) & (DES_ROUNDS - 1);
    const bool back = decrypt ^ (pass == 1);
    if (pass_ends) {
      const uint64_t cd = pass == 1 ? keys[1] : keys[(pass == 2) ^ decrypt ? 2 : 0];
      c = (uint32_t)(cd >> 28);
      d = (uint32_t)cd & 0x0fffffff;
      // Turns are 28 in all: backwards the first round has none.
      c = back ? c : rotl28(c, 1);
      d = back ? d : rotl28(d, 1);
    } else {
      // Backwards, rounds turn as the others do from the end.
      const bool once = round == 1 || round == 8 || round == 15;
      c = back ? (once ? rotr28(c, 1) : rotr28(c, 2)) : (once ? rotl28(c, 1) : rotl28(c, 2));
      d = back ? (once ? rotr28(d, 1) : rotr28(d, 2)) : (once ? rotl28(d, 1) : rotl28(d, 2));
    }
    // Known before the round: nothing waits for what says that it is the last.
    pass_ends = round == DES_ROUNDS - 1;
    ends = pass_ends && pass == PASSES - 1;
  } while (!end);
}

#include "des_check.h"

int main(void) { return des_check(des_stream); }
