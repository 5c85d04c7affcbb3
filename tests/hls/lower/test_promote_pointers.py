# SPDX-License-Identifier: Apache-2.0
"""Words behind pointers with a handshake take no states of their own."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.hls import Compiled

SCALARS = "unsigned f(unsigned a, unsigned b) { return (a + b) ^ (a & b); }\n"
POINTERS = """void f(const unsigned *a, const unsigned *b, unsigned *o) {
#pragma HLS interface MODE port=a
#pragma HLS interface MODE port=b
#pragma HLS interface MODE port=o
  *o = (*a + *b) ^ (*a & *b);
}
"""
BOTH = """void f(unsigned a, unsigned *o) {
#pragma HLS interface MODE port=o
  *o = (*o + a) ^ (*o & a);
}
"""
TWO_WAYS = """void f(unsigned a, unsigned *o, unsigned *p) {
#pragma HLS interface MODE port=o
#pragma HLS interface MODE port=p
  if (a > 7)
    *o = a + 3;
  else
    *o = a - 3;
  *p = *o + 1;
}
"""
SOME = """void f(unsigned a, unsigned *o) {
#pragma HLS interface MODE port=o
  if (a > 7) *o = a;
}
"""


@pytest.mark.parametrize("mode", ["ap_none", "ap_vld", "ap_ack", "ap_hs", "ap_ovld", "s_axilite"])
@pytest.mark.parametrize("text", [POINTERS, BOTH, TWO_WAYS], ids=["apart", "both", "ways"])
def test_pointers_take_what_scalars_take(
    text: str, mode: str, compile_c: Callable[..., Compiled]
) -> None:
    plain, compiled = compile_c(SCALARS), compile_c(text.replace("MODE", mode), clock_ns=20.0)
    latencies = [each.report.functions[0].latency_max for each in (plain, compiled)]
    assert latencies == [2, 2]
    assert compiled.module.memories == {}


def test_pointer_that_is_to_be_a_memory_is_one(compile_c: Callable[..., Compiled]) -> None:
    told = compile_c(BOTH.replace("MODE", "ap_memory"))
    untold = compile_c(BOTH.replace("#pragma HLS interface MODE port=o\n", "\n"))
    assert told.interface == untold.interface
    assert [arg.protocol for arg in told.interface.arrays] == ["ap_memory"]


def test_a_word_that_one_way_does_not_write_stays_a_register(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(SOME.replace("MODE", "ap_none"))
    assert list(compiled.module.memories) == ["o_word"]
    assert compiled.report.functions[0].latency_max == 2
