# SPDX-License-Identifier: Apache-2.0
"""Every pass keeps what a module computes: random modules are interpreted before and after."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lydite.hls import Compiled, passes
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.interpret import CallResult, Machine
from lydite.hls.ir.module import Module


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parents[1] / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


random_ir = _load("random_ir")
CONTEXTS = [
    passes.Context(delay_model.load(target), clock_ns)
    for target, clock_ns in (("ecp5", 4.0), ("ice40", 12.0))
]


def outcome(module: Module, seed: int) -> list[CallResult]:
    """Call a module three times with the same random arguments; its memories keep their state."""
    rng = random.Random(seed)
    machine = Machine(module, limit=1000)
    results = []
    for _ in range(3):
        scalars = {f"a{index}": rng.getrandbits(64) for index in range(3)}
        beats = {
            name: [rng.getrandbits(stream.width) for _ in range(500)]
            for name, stream in module.streams.items()
            if not stream.writes
        }
        result = machine.call(scalars, {"p": rng.randbytes(4)}, beats)
        results.append(CallResult(result.value, result.arrays, 0, result.streams))
    return results


@pytest.mark.parametrize("name", [item.name for item in passes.PASSES])
@settings(max_examples=40)
@given(seed=st.integers(0, 1 << 32), pipelined=st.booleans())
def test_pass_keeps_the_meaning(name: str, seed: int, pipelined: bool) -> None:
    module = random_ir.module(seed, streaming=seed % 3 == 0, pipelined=pipelined)
    before = outcome(module, seed)
    passes.BY_NAME[name].run(module, CONTEXTS[seed % 2])
    ir_verify.verify(module, after=name)
    assert outcome(module, seed) == before


@settings(max_examples=60)
@given(seed=st.integers(0, 1 << 32), pipelined=st.booleans())
def test_pipeline_keeps_the_meaning(seed: int, pipelined: bool) -> None:
    module = random_ir.module(seed, streaming=seed % 3 == 0, pipelined=pipelined)
    before = outcome(module, seed)
    for name in passes.PIPELINE:
        passes.BY_NAME[name].run(module, CONTEXTS[seed % 2])
        ir_verify.verify(module, after=name)
    assert outcome(module, seed) == before


@settings(max_examples=30)
@given(seed=st.integers(0, 1 << 32))
def test_text_keeps_the_meaning(seed: int) -> None:
    module = random_ir.module(seed, streaming=seed % 3 == 0)
    text = ir_text.print_module(module)
    again = ir_text.parse_module(text)
    assert ir_text.print_module(again) == text
    assert outcome(again, seed) == outcome(module, seed)


def test_every_pass_has_one_sentence_of_documentation() -> None:
    for item in passes.PASSES:
        assert item.doc and "\n" not in item.doc and not item.doc.endswith(".")
    assert set(passes.PIPELINE) <= set(passes.BY_NAME)


def test_long_chain_does_not_exhaust_the_stack(compile_c: Callable[..., Compiled]) -> None:
    terms = " + ".join(f"a[{index}]" for index in range(1100))
    compiled = compile_c(f"int f(const int a[1100]) {{ return {terms}; }}\n")
    data = b"".join(value.to_bytes(4, "little") for value in range(1100))
    assert Machine(compiled.module).call({}, {"a": data}).value == 1100 * 1099 // 2


def test_call_that_never_happens_is_none() -> None:
    """In a pipeline it would begin all the same: who starts it looks at no constant."""
    text = """\
module @f
function @f(%0:8 "x") : 8 {
entry:
  %1:8 = call @g %0 1'0x0
  %2:8 = call @g %0 1'0x1
  %3:8 = add %1 %2
  ret %3
}
function @g(%0:8 "x") : 8 {
entry:
  ret %0
}
"""
    module = ir_text.parse_module(text)
    passes.BY_NAME["clean"].run(module, CONTEXTS[0])
    calls = [op for op in module.top_function.ops() if op.kind == "call"]
    assert [call.args[1].attr for call in calls] == [1]
    assert module.top_function.blocks[0].arg is calls[0]
