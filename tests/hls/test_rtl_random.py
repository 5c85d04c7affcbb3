# SPDX-License-Identifier: Apache-2.0
"""Random modules become Verilog that gives, call by call, what the interpreter gives."""

from __future__ import annotations

import importlib.util
import random
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from lydite.hls import passes, report
from lydite.hls.bind import binder
from lydite.hls.bind import registers as bind_registers
from lydite.hls.compiled import Compiled
from lydite.hls.contract import directive_text
from lydite.hls.contract.directives import Allocation, ArrayPartition, ArrayReshape, Directive
from lydite.hls.emit import design as emit_design
from lydite.hls.emit import top as emit_top
from lydite.hls.frontend.debug_info import CType
from lydite.hls.ir import delay_model
from lydite.hls.ir.interpret import Machine
from lydite.hls.ir.module import Module
from lydite.hls.lower.port_protocols import Protocols
from lydite.hls.lower.signature import TopArg, TopArgs
from lydite.hls.passes import allocation, choose_memories
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import modulo


def _load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, Path(__file__).parent / f"{name}.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


random_ir = _load("random_ir")


def build(module: Module, clock_ns: float, target: str) -> Compiled:
    """Do what the compiler does after import, on a module that was made by hand."""
    model = delay_model.load(target)
    for name in passes.PIPELINE:
        passes.BY_NAME[name].run(module, passes.Context(model, clock_ns))
    choose_memories.decide(module, model)
    made = schedule_module.schedule_module(module, model, clock_ns, modulo.schedule_loop)
    module = made.module
    bindings = {
        name: binder.bind(plan, model, is_top=name == module.top)
        for name, plan in made.functions.items()
    }
    integer = CType("integer", "long", 8, 64)
    args = [
        TopArg(p.name, p.name, index, p.name, False, integer, "long", 8)
        for index, p in enumerate(module.top_function.params)
    ]
    args.append(TopArg("p", "p", 3, "p", True, integer, "int p[]", 24))
    top_args = TopArgs(tuple(args), {}, integer)
    summary = report.summarise(module, bindings, model, clock_ns)
    head = report.head(module, summary, "0" * 64, passes.PIPELINE)
    return Compiled(
        files=emit_design.emit(emit_top.Design(module, bindings, model, top_args, head)),
        interface=report.interface(
            module, bindings, top_args, SimpleNamespace(symbol="f"), Protocols()
        ),
        report=summary,
        warnings=(),
        dumps=(),
        module=module,
        source_digest="",
    )


def directed(module: Module, rng: random.Random) -> Module:
    """Put random directives onto a module: cut and stored memories, limited operations."""
    known: list[Directive] = []

    def add(item: Directive) -> tuple[int, ...]:
        known.append(item)
        return (len(known) - 1,)

    for memory in module.memories.values():
        memory.objects, memory.shape = ((memory.name, 0),), (memory.depth,)
        if rng.random() < 0.7:
            kind = rng.choice([ArrayPartition, ArrayPartition, ArrayReshape])
            how = rng.choice(["complete", "block", "cyclic"])
            memory.pragmas += add(kind(variable="v", type=how, factor=rng.choice((2, 3))))
        if rng.random() < 0.5:
            text = f"bind_storage variable=v type={rng.choice(TYPES)} impl={rng.choice(IMPLS)}"
            made, _ = directive_text.parse(text, "k.c:1")
            assert made is not None
            memory.pragmas += add(made)
    for function in module.functions.values():
        for name in rng.sample(sorted(allocation.KINDS), 4):
            limit = rng.choice((1, 1, 2))
            item = Allocation(instances=name, limit=limit, type="operation")
            function.pragmas += add(item)
    module.pragmas = tuple(known)
    return module


TYPES = ("ram_1p", "ram_2p", "ram_s2p", "ram_t2p", "rom_1p", "rom_np")
IMPLS = ("auto", "bram", "lutram", "registers")


@pytest.mark.parametrize("kind", ["plain", "pipelined", "directives", "idle"])
@pytest.mark.parametrize(
    "seed", [*range(12), *(pytest.param(n, marks=pytest.mark.slow) for n in range(12, 24))]
)
def test_verilog_does_what_the_interpreter_does(
    seed: int,
    kind: str,
    simulate: Callable[..., list[object]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if kind == "idle":
        monkeypatch.setattr(bind_registers, "_MANY", 1)
    rng = random.Random(seed)
    clock_ns, target = rng.choice([3.0, 6.0, 12.0, 40.0]), rng.choice(["ecp5", "ice40"])
    module = random_ir.module(seed, pipelined=kind == "pipelined")
    depth = module.memories["p"].depth
    compiled = build(directed(module, rng) if kind == "directives" else module, clock_ns, target)
    loops = compiled.report.functions[0].loops
    assert all((loop.ii is not None) == (kind == "pipelined") for loop in loops)
    calls = [
        ({f"a{i}": rng.getrandbits(64) for i in range(3)}, {"p": rng.randbytes(depth * 4)})
        for _ in range(3)
    ]
    machine = Machine(compiled.module, limit=1000)
    arrays = [array for array in compiled.interface.arrays if not array.unused]
    for number, (call, got) in enumerate(zip(calls, simulate(compiled, calls), strict=True)):
        wanted = machine.call(*call)
        assert got.value == wanted.value, f"call {number}"
        for array in arrays:
            assert got.arrays[array.port] == wanted.arrays[array.port], f"call {number}"
