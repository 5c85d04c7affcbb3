// SPDX-License-Identifier: Apache-2.0
//
// Dilithium2 or ML-DSA-44, all operations in one core for `lydite hls`, which share the sponge, the
// transforms and the packing; top function: dilithium_all. A first packet of four bytes says which
// operation comes: 0, 1 and 2 for keygen, sign and verify; any other one is answered by an empty
// packet. `main` takes the name of a file of calls.

#include "calls.h"
#include "check.h"

#define OPERATION_BYTES 4

void dilithium_all(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[LANES];
#pragma HLS array_partition variable=state complete
  uint64_t header;
  const bool right = take(&header, OPERATION_BYTES, s_axis);
  const uint64_t operation = first_bytes(header, OPERATION_BYTES);
  if (right && operation == 0) {
    call_keygen(s_axis, m_axis, state);
  } else if (right && operation == 1) {
    call_sign(s_axis, m_axis, state);
  } else if (right && operation == 2) {
    call_verify(s_axis, m_axis, state);
  } else {
    give_nothing(m_axis);
  }
}

int main(int count, char **arguments) { return check(count, arguments, dilithium_all); }
