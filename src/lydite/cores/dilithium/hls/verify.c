// SPDX-License-Identifier: Apache-2.0
//
// Verification of Dilithium2 or ML-DSA-44 for `lydite hls`, a core. Top function:
// dilithium_verify. `main` takes the name of a file of calls.

#include "calls.h"
#include "check.h"

void dilithium_verify(lydite_stream64 *s_axis, lydite_stream64 *m_axis) {
#pragma HLS interface mode=ap_ctrl_none port=return
  uint64_t state[LANES];
#pragma HLS array_partition variable=state complete
  call_verify(s_axis, m_axis, state);
}

int main(int count, char **arguments) { return check(count, arguments, dilithium_verify); }
