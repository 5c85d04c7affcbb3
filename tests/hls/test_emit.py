# SPDX-License-Identifier: Apache-2.0
"""The Verilog: stable, lint clean, and equal to the interpreter on whole programs.

The golden files are what becomes of `golden/*.c`; LYDITE_UPDATE_GOLDEN=1 makes new ones.
"""

from __future__ import annotations

import os
import random
import re
from collections.abc import Callable
from pathlib import Path

import pytest
import rtl

from lydite import hls
from lydite.hls import Compiled, Machine, Options

GOLDEN = Path(__file__).parent / "golden"
PROGRAMS = sorted(GOLDEN.glob("*.c"))


def options(source: Path) -> Options:
    """Read the options that the second line of a golden source gives: `// top=f clock_ns=8`."""
    given = dict(re.findall(r"(\w+)=(\S+)", source.read_text().split("\n")[1]))
    return Options(
        sources=(source,),
        top=given["top"],
        clock_ns=float(given.get("clock_ns", "10")),
        target=given.get("target", "ecp5"),
        dump_after=("clean",),
    )


def whole(compiled: Compiled) -> str:
    """Give the last IR and all Verilog in one text."""
    files = "\n".join(f"==== {file.name}\n{file.text}" for file in compiled.files)
    # The IR names sources as they were given.
    dump = re.sub(r'"[^"\n]*/(\w+\.c:\d+)"', r'"\1"', compiled.dumps[-1][1])
    return f"==== IR\n{dump}\n{files}"


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_golden(source: Path) -> None:
    text = whole(hls.compile(options(source)))
    expected = source.with_suffix(".expect")
    if os.environ.get("LYDITE_UPDATE_GOLDEN"):
        expected.write_text(text)
    assert text == expected.read_text()


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
def test_golden_does_in_simulation_what_the_interpreter_does(
    source: Path, simulate: Callable[..., list[object]]
) -> None:
    compiled = hls.compile(options(source))
    rng = random.Random(1)
    face = compiled.interface
    calls = [
        (
            {s.name: rng.getrandbits(s.width) for s in face.scalars},
            {a.port: rng.randbytes(a.depth * a.element_width // 8) for a in face.arrays},
        )
        for _ in range(4)
    ]
    machine = Machine(compiled.module)
    for call, got in zip(calls, simulate(compiled, calls), strict=True):
        wanted = machine.call(*call)
        assert got.value == wanted.value
        for array in face.arrays:
            if not array.unused:
                assert got.arrays[array.port] == wanted.arrays[array.port]
        report = compiled.report.functions[0]
        assert report.latency_min is None or got.cycles >= report.latency_min
        assert report.latency_max is None or got.cycles <= report.latency_max


@pytest.mark.parametrize("source", PROGRAMS, ids=lambda path: path.stem)
@pytest.mark.parametrize("target", ["ecp5", "ice40"])
def test_verilator_finds_nothing(source: Path, target: str, tmp_path: Path) -> None:
    given = options(source)
    compiled = hls.compile(Options(sources=given.sources, top=given.top, target=target))
    assert rtl.lint(compiled, tmp_path / "lint") == ""


def test_output_does_not_depend_on_where_the_source_lies(tmp_path: Path) -> None:
    texts = []
    for name in ("one", "two/three"):
        folder = tmp_path / name
        folder.mkdir(parents=True)
        source = folder / "same.c"
        source.write_text(PROGRAMS[0].read_text())
        texts.append(hls.compile(Options(sources=(source,), top=options(PROGRAMS[0]).top)))
    assert texts[0].verilog == texts[1].verilog
    assert texts[0].source_digest == texts[1].source_digest
    assert str(tmp_path) not in texts[0].verilog


def test_head_says_digest_passes_and_schedule(compile_c: Callable[..., Compiled]) -> None:
    compiled = compile_c("int f(int n) { return n * 3; }\n")
    lines = compiled.files[0].text.split("\n")
    digest = compiled.source_digest[:16]
    assert lines[0] == f"// Made by Lydite from C, source digest {digest}; do not edit."
    assert lines[1].startswith("// Passes: clean, cfg, ")
    assert re.fullmatch(
        r"// Schedule of f: 1 states, latency 2 cycles, \d\.\d\d of 10\.00 ns\.", lines[2]
    )


def test_names_that_clash_are_kept_apart(
    compile_c: Callable[..., Compiled], tmp_path: Path
) -> None:
    text = (
        "static int wire[200];\n"
        "__attribute__((noinline)) static int sum(int n) { wire[n & 127] += n; return wire[5]; }\n"
        "int f(int state_q, int always, int ap_start, int out[4]) {\n"
        "  int mem[150], sum_q = sum(always);\n"
        "  { int sum[130]; for (int i = 0; i < 130; i++) sum[i] = i ^ state_q;\n"
        "    for (int i = 0; i < 130; i++) mem[i] = sum[(i * 7) % 130]; }\n"
        "  out[1] = mem[ap_start & 127];\n"
        "  return sum_q + sum(out[0]);\n}\n"
    )
    compiled = compile_c(text)
    names = [file.name for file in compiled.files]
    assert len(set(names)) == len(names)
    ports = [arg.port for arg in compiled.interface.args]
    assert ports == ["state_q_", "always_", "ap_start_", "out"]
    assert "sum_2" in [function.name for function in compiled.report.functions]
    assert rtl.lint(compiled, tmp_path / "lint") == ""
