# SPDX-License-Identifier: Apache-2.0
"""Values with a sign are computed in the bits that hold them, and read as before."""

from __future__ import annotations

import itertools

import pytest

from lydite.hls import passes
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.interpret import Machine

CONTEXT = passes.Context(delay_model.load("ecp5"), 10.0)
HEAD = """\
module @f
function @f(%0:3 "x", %1:4 "y") : {width} {{
entry:
  %2:32 = sext %0
  %3:32 = sext %1
"""
# Body, bits of the result, operation, and the bits that it is to have.
PROGRAMS = {
    "add": ("  %4:32 = add %2 %3\n  ret %4", 32, "add", 5),
    "sub": ("  %4:32 = sub %2 %3\n  ret %4", 32, "sub", 5),
    # The factors decide what a product costs.
    "mul": ("  %4:32 = mul %2 %3\n  ret %4", 32, "mul", 32),
    "mux": ("  %4:1 = slice %0 from 1\n  %5:32 = mux %4 %2 %3\n  ret %5", 32, "mux", 4),
    # Mapping sees that the upper bits are one: narrower by one bit, or a mask, is left as it is.
    "and": ("  %4:32 = and %2 %3\n  ret %4", 32, "and", 32),
    "barely": (
        "  %4:5 = sext %1\n  %5:1 = slice %0 from 1\n  %6:5 = mux %5 %4 5'0x0\n  ret %6",
        5,
        "mux",
        5,
    ),
    "shl": ("  %4:32 = shl %2 32'0x2\n  ret %4", 32, "shl", 0),
    "ashr": ("  %4:32 = ashr %2 %3\n  ret %4", 32, "ashr", 3),
    "slt": ("  %4:1 = slt %2 %3\n  ret %4", 1, "slt", 1),
    "twice": ("  %4:32 = add %2 %3\n  %5:32 = add %4 %2\n  ret %5", 32, "add", 5),
    # Never less than 0, so that what is shifted in is no sign.
    "above": ("  %4:32 = add %2 32'0x4\n  %5:32 = ashr %4 %3\n  ret %5", 32, "lshr", 3),
}


@pytest.mark.parametrize("name", PROGRAMS)
def test_operation_has_the_bits_of_its_numbers(name: str) -> None:
    body, width, kind, bits = PROGRAMS[name]
    text = HEAD.format(width=width) + body + "\n}\n"
    module, before = ir_text.parse_module(text), Machine(ir_text.parse_module(text))
    passes.BY_NAME["narrow"].run(module, CONTEXT)
    passes.BY_NAME["clean"].run(module, CONTEXT)
    ir_verify.verify(module, after="narrow")
    widths = [op.width for op in module.top_function.ops() if op.kind == kind]
    assert widths[:1] == ([bits] if bits else [])
    after = Machine(module)
    for x, y in itertools.product(range(8), range(16)):
        scalars = {"x": x, "y": y}
        assert after.call(scalars, {}).value == before.call(scalars, {}).value


def test_factor_that_is_always_zero_is_none() -> None:
    """Known bits do not see it: a number from 0 to 7, divided by 8."""
    body = "  %4:32 = add %2 32'0x4\n  %5:32 = ashr %4 32'0x3\n  %6:32 = mul %5 %3\n  ret %6\n}\n"
    module = ir_text.parse_module(HEAD.format(width=32) + body)
    passes.BY_NAME["narrow"].run(module, CONTEXT)
    ir_verify.verify(module, after="narrow")
    result = module.top_function.blocks[0].arg
    assert result is not None and (result.kind, result.attr) == ("const", 0)


@pytest.mark.parametrize(
    ("kind", "number", "value"),
    [("slt", 4, 1), ("slt", 0xFFFFFFFC, 0), ("sle", 3, 1), ("eq", 9, 0), ("ne", 9, 1)],
)
def test_comparison_that_is_always_the_same_is_none(kind: str, number: int, value: int) -> None:
    body = f"  %4:1 = {kind} %2 32'{number:#x}\n  ret %4\n}}\n"
    module = ir_text.parse_module(HEAD.format(width=1) + body)
    passes.BY_NAME["narrow"].run(module, CONTEXT)
    result = module.top_function.blocks[0].arg
    assert result is not None and (result.kind, result.attr) == ("const", value)
