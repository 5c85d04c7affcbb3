# SPDX-License-Identifier: Apache-2.0
"""Compiling C texts, and running the Verilog that they become."""

from __future__ import annotations

import ctypes
import random
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest
from rtl import Call, Hardware, RtlCall

from lydite import hls
from lydite.base import proc
from lydite.hls import Compiled, Machine, Options
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Pipeline as Wanted
from lydite.hls.ir.graph import Function
from lydite.hls.schedule import modulo
from lydite.hls.schedule.problem import Plan, Problem
from lydite.tools import compiler


@pytest.fixture
def compile_c(tmp_path: Path) -> Callable[..., Compiled]:
    """Give a function that compiles a C text: `compile_c(text, "f", clock_ns=5.0)`."""

    def run(text: str, top: str = "f", *, name: str = "t.c", **options: object) -> Compiled:
        source = tmp_path / name
        source.write_text(text)
        return hls.compile(Options(sources=(source,), top=top, **options))

    return run


@pytest.fixture
def native(tmp_path: Path) -> Callable[[str], ctypes.CDLL]:
    """Give a function that compiles a C text to a library of this machine."""

    def run(text: str) -> ctypes.CDLL:
        source, library = tmp_path / "native.c", tmp_path / "native.so"
        source.write_text(text)
        flags = ["-O1", "-w", "-fwrapv", "-fno-sanitize=all", "-shared", "-fPIC"]
        argv = [*compiler.zig("c").argv, *flags, "-o", str(library), str(source)]
        proc.run(argv, cwd=tmp_path).checked()
        return ctypes.CDLL(str(library))

    return run


@pytest.fixture
def simulate(tmp_path: Path) -> Callable[..., list[RtlCall]]:
    """Give a function that runs calls on the Verilog, one after the other."""

    def run(compiled: Compiled, calls: Sequence[Call], limit: int = 200_000) -> list[RtlCall]:
        return Hardware(tmp_path / "rtl", compiled).call(calls, limit)

    return run


@pytest.fixture
def simulate_overlapped(tmp_path: Path) -> Callable[..., list[RtlCall]]:
    """Give a function that runs calls of a pipelined function on the Verilog, as it takes them."""

    def run(
        compiled: Compiled, calls: Sequence[Call], *, pauses: bool = False, limit: int = 20_000
    ) -> list[RtlCall]:
        return Hardware(tmp_path / "rtl", compiled).overlap(calls, limit, pauses=pauses)

    return run


def calls(compiled: Compiled, seed: int, count: int = 20) -> list[Call]:
    """Give some calls at random; arrays have the contents of the first one."""
    rng = random.Random(seed)
    face = compiled.interface
    arrays = {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays}
    return [
        ({s.name: rng.getrandbits(s.width) for s in face.scalars}, arrays) for _ in range(count)
    ]


@pytest.fixture
def random_calls() -> Callable[..., list[Call]]:
    """Give a function that makes calls: `random_calls(compiled, seed, count)`."""
    return calls


@pytest.fixture
def compare_overlapped(simulate_overlapped: Callable[..., list[RtlCall]]) -> Callable[..., None]:
    """Give a function that holds calls at work together against the interpreter, and the report."""

    def run(compiled: Compiled, seed: int, *, pauses: bool) -> None:
        given = calls(compiled, seed)
        results = simulate_overlapped(compiled, given, pauses=pauses)
        assert len(results) == len(given)
        machine = Machine(compiled.module, limit=10_000)
        contents = given[0][1]
        top = compiled.report.functions[0]
        for number, ((scalars, _), got) in enumerate(zip(given, results, strict=True)):
            wanted = machine.call(scalars, contents)
            contents = {**contents, **wanted.arrays}
            assert got.value == wanted.value, f"call {number}"
            assert top.latency_min is not None and got.cycles >= top.latency_min
            if top.latency_max is not None:
                # A rewound loop may be offered a call at any time of an interval.
                assert got.cycles < top.latency_max + max(1, compiled.interface.rewound)
        for array in compiled.interface.arrays:
            if not array.unused:
                assert results[-1].arrays[array.port] == contents[array.port]

    return run


@pytest.fixture
def any_schedule(monkeypatch: pytest.MonkeyPatch) -> Callable[[random.Random], None]:
    """Give a function after which pipelines get legal schedules at random, not early ones."""

    def use(rng: random.Random) -> None:
        original = modulo.schedule_loop

        def loops(
            base: Problem, function: Function, wanted: Wanted
        ) -> tuple[Plan, list[Diagnostic]]:
            return original(base, function, wanted, rng)

        monkeypatch.setattr(modulo, "schedule_loop", loops)

    return use
