# SPDX-License-Identifier: Apache-2.0
"""Compiling C texts, and running Verilog under Icarus where it is installed."""

from __future__ import annotations

import ctypes
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import proc
from lydite.hls import ArrayArg, Compiled, Machine, Options, modulo
from lydite.hls.directives import Pipeline as Wanted
from lydite.hls.interface import Warn
from lydite.hls.ir import Function
from lydite.hls.schedule import Plan, Problem
from lydite.sim import cosim_banks

Call = tuple[Mapping[str, int], Mapping[str, bytes]]


@dataclass(frozen=True)
class RtlCall:
    """What one call did in simulation."""

    value: int | None
    arrays: dict[str, bytes]
    cycles: int


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
        argv = [sys.executable, "-m", "ziglang", "cc", *flags, "-o", str(library), str(source)]
        proc.run(argv).checked()
        return ctypes.CDLL(str(library))

    return run


@pytest.fixture
def simulate(tmp_path: Path) -> Callable[[Compiled, Sequence[Call]], list[RtlCall]]:
    """Give a function that runs calls on the Verilog under Icarus."""

    def run(compiled: Compiled, calls: Sequence[Call], limit: int = 200_000) -> list[RtlCall]:
        folder = tmp_path / "rtl"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in compiled.files:
            (folder / file.name).write_text(file.text)
        banked = [(scalars, _scattered(compiled, arrays)) for scalars, arrays in calls]
        (folder / "bench.sv").write_text(_bench(compiled, banked, limit))
        results = _read(compiled, _run(folder))
        for result, (_, arrays) in zip(results, calls, strict=False):
            _gather(compiled, result.arrays, arrays)
        return results

    return run


@pytest.fixture
def simulate_overlapped(tmp_path: Path) -> Callable[..., list[RtlCall]]:
    """Give a function that runs calls of a pipelined function on the Verilog under Icarus.

    They follow each other as the hardware takes them, or with `pauses` later at random. Arrays have
    the contents of the first call, and are given after the last one. Cycles of a rewound loop count
    from the one in which the call is offered.
    """

    def run(
        compiled: Compiled, calls: Sequence[Call], *, pauses: bool = False, limit: int = 20_000
    ) -> list[RtlCall]:
        folder = tmp_path / "rtl"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        for file in compiled.files:
            (folder / file.name).write_text(file.text)
        (folder / "bench.sv").write_text(_overlapped(compiled, calls, limit, pauses=pauses))
        return _read(compiled, _run(folder))

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

        def loops(base: Problem, function: Function, wanted: Wanted) -> tuple[Plan, list[Warn]]:
            return original(base, function, wanted, rng)

        monkeypatch.setattr(modulo, "schedule_loop", loops)

    return use


def _run(folder: Path) -> str:
    """Build and run a bench; give what it prints."""
    sources = sorted(str(path) for path in folder.iterdir())
    subprocess.run(
        ["iverilog", "-g2005-sv", "-s", "bench", "-o", str(folder / "run"), *sources],
        check=True,
    )
    return subprocess.run(
        ["vvp", str(folder / "run")], check=True, capture_output=True, text=True
    ).stdout


def _read(compiled: Compiled, text: str) -> list[RtlCall]:
    results: list[RtlCall] = []
    value: int | None = None
    widths = {array.port: array.element_width // 8 for array in _arrays(compiled)}
    for line in text.splitlines():
        words = line.split()
        if words[0] == "RETURN":
            value = int(words[1], 16)
        elif words[0] == "CYCLES":
            results.append(RtlCall(value, {}, int(words[1])))
            value = None
        elif words[0] == "ARRAY":
            unit = widths[words[1]]
            data = b"".join(int(word, 16).to_bytes(unit, "little") for word in words[2:])
            results[-1].arrays[words[1]] = data
    return results


def _arrays(compiled: Compiled) -> list[ArrayArg]:
    """Give the arrays that have ports: banks for those that are cut."""
    parts = [part for arg in compiled.interface.arrays for part in cosim_banks.parts_of(arg)]
    return [part for part in parts if isinstance(part, ArrayArg)]


def _scattered(compiled: Compiled, arrays: Mapping[str, bytes]) -> dict[str, bytes]:
    """Give the contents of banks in place of those of arrays that are cut."""
    result = dict(arrays)
    for arg in compiled.interface.arrays:
        for bank in arg.banks:
            result[bank.port] = cosim_banks.taken(arrays.get(arg.port, b""), arg, bank)
    return result


def _gather(compiled: Compiled, arrays: dict[str, bytes], before: Mapping[str, bytes]) -> None:
    """Add the contents of arrays that are cut; banks without ports are as they were."""
    for arg in compiled.interface.arrays:
        size = arg.depth * arg.element_width // 8
        whole = bytearray(before.get(arg.port, b"").ljust(size, b"\0"))
        for bank in arg.banks:
            if bank.unused:
                continue
            cosim_banks.put_back(whole, arrays.get(bank.port, b""), arg, bank)
        if arg.banks:
            arrays[arg.port] = bytes(whole)


def _bench(compiled: Compiled, calls: Sequence[Call], limit: int) -> str:
    lines, arrays = _device(compiled)
    for scalars, contents in calls:
        lines += _one_call(compiled.interface, arrays, scalars, contents, limit)
    return "\n".join([*lines, "$finish;", "end", "endmodule", ""])


def _device(compiled: Compiled) -> tuple[list[str], list[ArrayArg]]:
    """Give the bench up to the end of reset, and the arrays that have ports."""
    face = compiled.interface
    lines = [
        "`timescale 1ns/1ps",
        "module bench;",
        "reg ap_clk = 0, ap_rst = 1, ap_start = 0;",
        "wire ap_done, ap_idle, ap_ready;",
        "integer cycles__ = 0, i__; reg took__;",
        "always #5 ap_clk = ~ap_clk;",
        "always @(posedge ap_clk) cycles__ <= cycles__ + 1;",
    ]
    pins = ["ap_clk", "ap_rst", "ap_start", "ap_done", "ap_idle", "ap_ready"]
    if face.return_width:
        lines.append(f"wire [{face.return_width - 1}:0] ap_return;")
        pins.append("ap_return")
    for scalar in face.scalars:
        lines.append(f"reg [{scalar.width - 1}:0] {scalar.port};")
        pins.append(scalar.port)
    arrays = [array for array in _arrays(compiled) if not array.unused]
    for array in arrays:
        name, width = array.port, array.element_width
        lines.append(f"reg [{width - 1}:0] mem_{name} [0:{array.depth - 1}];")
        bits = max(1, (array.depth - 1).bit_length())
        for port in range(array.ports):
            lines.append(f"wire [{bits - 1}:0] {name}_address{port}; wire {name}_ce{port};")
            pins += [f"{name}_address{port}", f"{name}_ce{port}"]
            if array.direction != "out":
                lines.append(f"reg [{width - 1}:0] {name}_q{port};")
                lines.append(
                    f"always @(posedge ap_clk) if ({name}_ce{port}) "
                    f"{name}_q{port} <= mem_{name}[{name}_address{port}];"
                )
                pins.append(f"{name}_q{port}")
            if array.direction != "in":
                lanes, each = array.write_lanes, width // array.write_lanes
                lines.append(f"wire [{lanes - 1}:0] {name}_we{port};")
                lines.append(f"wire [{width - 1}:0] {name}_d{port};")
                pins += [f"{name}_we{port}", f"{name}_d{port}"]
                for lane in range(lanes):
                    part = f"[{lane * each + each - 1}:{lane * each}]"
                    lines.append(
                        f"always @(posedge ap_clk) if ({name}_ce{port} && {name}_we{port}[{lane}]) "
                        f"mem_{name}[{name}_address{port}]{part} <= {name}_d{port}{part};"
                    )
    lines.append(f"{face.top} dut ({', '.join(f'.{pin}({pin})' for pin in pins)});")
    lines.append("initial begin repeat (3) @(posedge ap_clk); #1 ap_rst = 0;")
    return lines, arrays


def _overlapped(compiled: Compiled, calls: Sequence[Call], limit: int, *, pauses: bool) -> str:
    lines, arrays = _device(compiled)
    scalars = compiled.interface.scalars
    count = len(calls)
    state = ["integer next__ = 0, over__ = 0, wait__ = 0; reg done__, on__ = 0;"]
    state.append(f"integer start__ [0:{count}];")
    state += [f"reg [{s.width - 1}:0] all_{s.port} [0:{count}];" for s in scalars]
    lines[2:2] = state
    for number, (values, _) in enumerate(calls):
        lines += [f"all_{s.port}[{number}] = {_word(s.width, values[s.name])};" for s in scalars]
    lines += _contents(arrays, calls[0][1])
    given = " ".join(f"{s.port} = ap_start ? all_{s.port}[next__] : $random;" for s in scalars)
    shown = '$display("RETURN %h", ap_return);' if compiled.interface.return_width else ""
    pause = "wait__ = $random & 3;" if pauses else ""
    begins = "start__[next__] = cycles__;"
    # A rewound loop says that it has taken a call when the last iteration has begun.
    offered = f"if (ap_start && !on__) begin {begins} on__ = 1; end"
    offered, begins = (offered, "on__ = 0;") if compiled.interface.rewound else ("", begins)
    lines += [
        f"cycles__ = 0; while (over__ < {count} && cycles__ < {limit}) begin",
        f"ap_start = next__ < {count} && wait__ == 0; {given} #1;",
        offered,
        "took__ = ap_ready; done__ = ap_done;",
        'if (took__ && !ap_start) $display("CYCLES -1");',
        f'if (done__) begin {shown} $display("CYCLES %0d", cycles__ - start__[over__] + 1); end',
        "if (wait__ > 0) wait__ = wait__ - 1;",
        f"if (took__) begin {begins} next__ = next__ + 1; {pause} end",
        "if (done__) over__ = over__ + 1;",
        "@(posedge ap_clk); #1; end",
        *_shown(arrays),
    ]
    return "\n".join([*lines, "$finish;", "end", "endmodule", ""])


def _word(width: int, value: int) -> str:
    return f"{width}'h{value & ((1 << width) - 1):x}"


def _one_call(face, arrays, scalars, contents, limit):  # type: ignore[no-untyped-def]
    lines = [f"{s.port} = {_word(s.width, scalars[s.name])};" for s in face.scalars]
    lines += _contents(arrays, contents)
    lines.append("cycles__ = 0; ap_start = 1; #1;")
    # A pipelined function would take the next call.
    taken = "took__ = ap_ready; @(posedge ap_clk); #1; if (took__) ap_start = 0; #1;"
    lines.append(f"while (!ap_done && cycles__ < {limit}) begin {taken} end")
    if face.return_width:
        lines.append('$display("RETURN %h", ap_return);')
    lines.append('$display("CYCLES %0d", cycles__ + 1); @(posedge ap_clk); #1 ap_start = 0;')
    return [*lines, *_shown(arrays), "@(posedge ap_clk); #1;"]


def _contents(arrays: Sequence[ArrayArg], contents: Mapping[str, bytes]) -> list[str]:
    lines = []
    for array in arrays:
        unit = array.element_width // 8
        data = contents.get(array.port, b"").ljust(array.depth * unit, b"\0")
        for index in range(array.depth):
            word = int.from_bytes(data[index * unit : index * unit + unit], "little")
            lines.append(f"mem_{array.port}[{index}] = {array.element_width}'h{word:x};")
    return lines


def _shown(arrays: Sequence[ArrayArg]) -> list[str]:
    return [
        f'$write("ARRAY {array.port}"); for (i__ = 0; i__ < {array.depth}; i__ = i__ + 1) '
        f'$write(" %h", mem_{array.port}[i__]); $display("");'
        for array in arrays
    ]
