# SPDX-License-Identifier: Apache-2.0
"""A directive of an array that does not reach it is named."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lydite.hls import Compiled, storage
from lydite.hls.directives import ArrayPartition
from lydite.hls.ir import Memory, Module


def test_directive_that_no_array_carries_is_named() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    module.memories["b"] = Memory("b", 16, 25, objects=(("f.b", 0),))
    assert [str(warning) for warning in storage.lost(module)] == [
        "k.c:3: array_partition variable=b: lost on the way, not honoured"
    ]
    module.memories["b"].pragmas = (0,)
    assert storage.lost(module) == []


def test_array_that_is_gone_needs_no_directive() -> None:
    module = Module("f", pragmas=(ArrayPartition(where="k.c:3", variable="b"),))
    assert storage.lost(module) == []


# LLVM would leave the loop from the branch, and lose the loop's end with what stands there.
LAST = """void f(unsigned a[16], unsigned n) {
  unsigned x = 0;
  for (int i = 0; i < 16; i++) {
#pragma HLS pipeline
    for (int j = 0; j < 2; j++) x = x << 1 ^ n;
    if (i == 15) {
      for (int j = 0; j < 2; j++) a[j] = x;
    }
  }
}
"""


def test_pipeline_of_a_loop_that_stores_in_its_last_iteration(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(LAST)
    [loop] = compiled.report.functions[0].loops
    assert (loop.trip_max, loop.ii) == (16, 1)
    assert compiled.warnings == ()


@pytest.mark.parametrize("mode", ["ap_fifo", "ap_hs", "axis"])
def test_an_array_that_comes_word_by_word_is_not_cut(
    mode: str, compile_c: Callable[..., Compiled]
) -> None:
    compiled = compile_c(
        "unsigned f(const unsigned a[16]) {\n"
        f"#pragma HLS interface {mode} port=a\n"
        "#pragma HLS array_partition variable=a cyclic factor=2\n"
        "  unsigned s = 0;\n"
        "  for (int i = 0; i < 16; i++) s += a[i];\n"
        "  return s;\n"
        "}\n"
    )
    (warning,) = compiled.warnings
    assert str(warning).endswith(
        f"t.c:3: array_partition of a: it is {mode}, which moves word by word"
    )


def test_a_pipeline_of_what_is_no_loop_does_not_reach_the_function(
    compile_c: Callable[..., Compiled],
) -> None:
    compiled = compile_c(
        "unsigned f(const unsigned a[16], unsigned n) {\n"
        "  unsigned s = 0;\n"
        "  for (unsigned i = 0; i < n; i++) {\n"
        "#pragma HLS pipeline II=1\n"
        "    s += a[i & 15];\n"
        "    break;\n"
        "  }\n"
        "  return s;\n"
        "}\n"
    )
    (warning,) = compiled.warnings
    assert str(warning).endswith(
        "t.c:4: pipeline: what the braces here hold runs once at most: nothing to overlap"
    )
    assert all(plan.ii is None for plan in compiled.schedules["f"].plans.values())
