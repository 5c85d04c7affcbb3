# SPDX-License-Identifier: Apache-2.0
"""Counters of C have the bits of their bounds, whatever LLVM counts in."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from lydite.hls.compiled import Compiled

# Programs whose counter is `i`, and the bits that it may have.
PROGRAMS = {
    "two exits": (
        """int f(const int a[200], int key) {
  for (int i = 0; i < 200; i++) if (a[i] == key) return i;
  return -1;
}""",
        8,
    ),
    "a nest that is one pipeline": (
        """void f(int a[4][64]) {
  for (int k = 0; k < 4; k++) {
    int rest = 0;
    for (unsigned i = 0; i < 64; i += 2) {
#pragma HLS pipeline
      const int next = a[k][i] ^ rest;
      a[k][i + 1] = next;
      rest = next >> 3;
    }
  }
}""",
        6,
    ),
    "a bound that is given": (
        """unsigned f(const unsigned a[256], unsigned char n) {
  unsigned s = 0;
  for (unsigned long i = 0; i < n; i++) s = s * 3 + a[i];
  return s;
}""",
        8,
    ),
    "down": (
        """unsigned f(const unsigned a[100], unsigned key) {
  unsigned s = 0;
  for (long i = 99; i >= 0; i--) { if (a[i] == key) break; s = s * 3 + a[i]; }
  return s;
}""",
        7,
    ),
    "as far as there is room": (
        """unsigned f(const unsigned a[64], unsigned short b[32], unsigned top) {
  unsigned i = 0;
  for (int t = 0; t < 64; t++) {
#pragma HLS pipeline
    if (a[t] < top && i < 32) b[i++] = (unsigned short)a[t];
  }
  return i;
}""",
        6,
    ),
    # Nothing says where it ends.
    "any": (
        """unsigned f(const unsigned char a[64]) {
  unsigned i = 0;
  while (a[i * i % 61] & 1) i++;
  return i;
}""",
        32,
    ),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_a_counter_has_the_bits_of_its_bound(name: str, compile_c: Callable[..., Compiled]) -> None:
    text, bits = PROGRAMS[name]
    compiled = compile_c(text)
    verilog = "\n".join(file.text for file in compiled.files)
    found = [int(top) + 1 for top in re.findall(r"reg \[(\d+):0\] i_\d+_q;", verilog)]
    assert found and max(found) == bits
    wide = [int(top) + 1 for top in re.findall(r"wire \[(\d+):0\] i_\d+ =", verilog)]
    assert max(wide, default=0) <= bits + 1
