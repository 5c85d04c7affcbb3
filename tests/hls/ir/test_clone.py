# SPDX-License-Identifier: Apache-2.0
"""Copies of modules say the same, and changing one leaves the other alone."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from lydite.hls.ir import clone
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.graph import Block, Function, Op, Rewind, const
from lydite.hls.ir.module import Module


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


random_ir = _load("random_ir")


@pytest.mark.parametrize("seed", range(20))
def test_copy_of_a_module_has_its_text_and_shares_nothing_that_changes(seed: int) -> None:
    module = random_ir.module(seed, streaming=seed % 2 == 0)
    text = ir_text.print_module(module)
    copy = clone.module(module)
    ir_verify.verify(copy, after="clone")
    assert ir_text.print_module(copy) == text
    for function in copy.functions.values():
        for op in function.ops():
            op.args.clear()
        function.blocks[0].ops.clear()
        function.blocks[0].targets.clear()
        function.params.clear()
    for item in (*copy.memories.values(), *copy.streams.values()):
        item.name += "_copy"
    assert ir_text.print_module(module) == text


def test_copy_of_a_rewound_loop_and_of_one_more_module_stays_in_the_copy() -> None:
    phi = Op("phi", 8)
    first = Op("eq", 1, [phi, const(8, 0)])
    block = Block("loop", [phi, first], end="jump")
    phi.args, phi.attr, block.targets = [phi], [block], [block]
    base = Function("f", blocks=[block], rewind=Rewind(first, const(1, 1), (phi,)))
    other = Function("f_2", replica_of=base)
    copy = clone.module(Module("f", functions={"f": base, "f_2": other}))
    made = copy.functions["f"]
    assert made.rewind is not None
    assert made.rewind.resets == (made.blocks[0].ops[0],)
    assert made.rewind.first is made.blocks[0].ops[1]
    assert made.rewind.last is const(1, 1)
    assert made.blocks[0].ops[0].attr == made.blocks[0].targets == made.blocks
    assert copy.functions["f_2"].replica_of is made
