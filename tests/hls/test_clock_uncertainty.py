# SPDX-License-Identifier: Apache-2.0
"""A share of the clock period that is left to wires, function by function."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from lydite.hls import Compiled
from lydite.hls.contract import directive_text

# Two functions with the same work; a clock that takes the whole of it in one state.
TWINS = """
#include <stdint.h>
static uint32_t near(uint32_t x, uint32_t y) {{
#pragma HLS inline off
  return ((x + y) ^ (x >> 3)) + (y << 1);
}}
static uint32_t far(uint32_t x, uint32_t y) {{
{line}
  return ((x + y) ^ (y >> 3)) + (x << 1);
}}
uint32_t f(uint32_t x, uint32_t y) {{
  return near(x, y) + far(y, x);
}}
"""


def chains(compiled: Compiled) -> dict[str, float]:
    """Give the longest chain of each function, in nanoseconds."""
    return {one.function: max(state.chain_ns for state in one.states) for one in compiled.timelines}


def test_states_of_the_function_alone_take_less(
    compile_c: Callable[..., Compiled], simulate: Callable[..., list[Any]]
) -> None:
    line = "#pragma HLS clock_uncertainty percent=40"
    compiled = compile_c(TWINS.format(line=line), clock_ns=9.0)
    assert compiled.warnings == ()
    found = chains(compiled)
    assert found["far"] <= 0.6 * 9.0 < found["near"] <= 9.0
    latency = {one.name: one.latency_max for one in compiled.report.functions}
    assert (latency["far"] or 0) > (latency["near"] or 0)
    x, y = 0x89ABCDEF, 0x12345678
    (call,) = simulate(compiled, [({"x": x, "y": y}, {})])
    near = ((x + y) ^ (x >> 3)) + (y << 1)
    far = ((x + y) ^ (x >> 3)) + (y << 1)
    assert call.value == (near + far) & 0xFFFFFFFF


def test_of_a_function_that_was_inlined_it_is_not_honoured(
    compile_c: Callable[..., Compiled],
) -> None:
    line = "#pragma HLS clock_uncertainty percent=40\n#pragma HLS inline"
    compiled = compile_c(TWINS.format(line=line), clock_ns=9.0)
    assert "far" not in chains(compiled)
    (warning,) = compiled.warnings
    assert str(warning).endswith("t.c:8: clock_uncertainty: the function was inlined: not honoured")


def test_a_product_is_split_where_less_is_left_of_the_period(
    compile_c: Callable[..., Compiled],
) -> None:
    text = """
#include <stdint.h>
uint64_t f(uint32_t a, uint32_t b) {{
{line}
  return (uint64_t)a * b;
}}
"""
    line = "#pragma HLS clock_uncertainty 40"
    whole, split = (compile_c(text.format(line=one), clock_ns=12.0) for one in ("", line))
    assert whole.report.critical_ns > 7.2 >= split.report.critical_ns


def test_what_does_not_fit_what_is_left_is_said(compile_c: Callable[..., Compiled]) -> None:
    text = "int f(int a, int b) {\n#pragma HLS clock_uncertainty percent=90\n  return a + b; }\n"
    (warning,) = compile_c(text, clock_ns=10.0).warnings
    assert "t.c:3: add of 32 bits needs " in str(warning)
    assert str(warning).endswith(
        " ns, the clock period is 10.00 ns, 1.00 ns of it without its uncertainty"
    )


@pytest.mark.parametrize(
    ("percent", "message"), [(0, "percent=0 is below 1"), (91, "percent=91 is above 90")]
)
def test_a_share_that_leaves_nothing_is_refused(percent: int, message: str) -> None:
    made, warnings = directive_text.parse(f"clock_uncertainty percent={percent}", "k.c:3")
    assert made is None
    assert [str(one) for one in warnings] == [
        f"k.c:3: pragma HLS clock_uncertainty: {message}: ignored"
    ]
