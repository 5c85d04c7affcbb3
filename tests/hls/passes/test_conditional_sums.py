# SPDX-License-Identifier: Apache-2.0
"""Sums of what a condition adds or subtracts: the carries that take it, and that they are right."""

from __future__ import annotations

import itertools

import pytest

from lydite.hls import passes
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.interpret import Machine
from lydite.hls.ir.module import Module

CONTEXT = passes.Context(delay_model.load("ecp5"), 10.0)
HEAD = """\
module @f
function @f(%0:3 "x", %1:3 "y", %2:1 "c", %3:1 "d") : {width} {{
entry:
"""
# y + (c ? -x : x)
ONE = """\
  %4:3 = sub 3'0x0 %0
  %5:3 = mux %2 %4 %0
  %6:3 = add %1 %5
  ret %6
"""
# (c ? y : -y) + x, the other way round and in the other place
OTHER = """\
  %4:3 = sub 3'0x0 %1
  %5:3 = mux %2 %1 %4
  %6:3 = add %5 %0
  ret %6
"""
# y + (c ? -x : x) + (d ? -y : y) + 3: three additions, two carries
TREE = """\
  %4:3 = sub 3'0x0 %0
  %5:3 = mux %2 %4 %0
  %6:3 = sub 3'0x0 %1
  %7:3 = mux %3 %6 %1
  %8:3 = add %5 %7
  %9:3 = add %1 %8
  %10:3 = add %9 3'0x3
  ret %10
"""
# (c ? -x : x) + (d ? -y : y): one addition, so that one of them stays
BOTH = """\
  %4:3 = sub 3'0x0 %0
  %5:3 = mux %2 %4 %0
  %6:3 = sub 3'0x0 %1
  %7:3 = mux %3 %6 %1
  %8:3 = add %5 %7
  ret %8
"""
# c ? y - x : y + x
WHOLE = """\
  %4:3 = sub %1 %0
  %5:3 = add %1 %0
  %6:3 = mux %2 %4 %5
  ret %6
"""
# The choice in fewer bits than the sum, of a value without the least number
NARROW = """\
  %4:4 = zext %0
  %5:4 = sub 4'0x0 %4
  %6:4 = mux %2 %5 %4
  %7:6 = sext %6
  %8:6 = zext %1
  %9:6 = add %8 %7
  ret %9
"""
# The same, but of a value whose least number has no negative in its bits
LEAST = """\
  %4:3 = sub 3'0x0 %0
  %5:3 = mux %2 %4 %0
  %6:6 = sext %5
  %7:6 = zext %1
  %8:6 = add %7 %6
  ret %8
"""
# The negative has another use
SHARED = """\
  %4:3 = sub 3'0x0 %0
  %5:3 = mux %2 %4 %0
  %6:3 = add %1 %5
  %7:3 = xor %6 %4
  ret %7
"""
PROGRAMS = {
    "one": (ONE, 3, 0),
    "other": (OTHER, 3, 0),
    "tree": (TREE, 3, 0),
    "both": (BOTH, 3, 1),
    "whole": (WHOLE, 3, 0),
    "narrow": (NARROW, 6, 0),
    "least": (LEAST, 6, 1),
    "shared": (SHARED, 3, 1),
}


def outcomes(module: Module) -> list[int]:
    """Give the results of all arguments."""
    machine = Machine(module)
    return [
        machine.call(dict(zip("xycd", given, strict=True)), {}).value
        for given in itertools.product(range(8), range(8), range(2), range(2))
    ]


@pytest.mark.parametrize("name", PROGRAMS)
def test_choice_becomes_a_carry(name: str) -> None:
    body, width, left = PROGRAMS[name]
    module = ir_text.parse_module(HEAD.format(width=width) + body + "}\n")
    before = outcomes(module)
    passes.BY_NAME["signs"].run(module, CONTEXT)
    passes.BY_NAME["clean"].run(module, CONTEXT)
    ir_verify.verify(module, after="signs")
    assert outcomes(module) == before
    assert sum(op.kind == "sub" for op in module.top_function.ops()) == left
