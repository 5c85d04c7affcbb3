# SPDX-License-Identifier: Apache-2.0
"""Dataflow regions end to end: C, interpreter and hardware agree, under stalls."""

from __future__ import annotations

from pathlib import Path

import native
import pytest
import rtl

from lydite import hls
from lydite.base import CheckFailed, proc
from lydite.base.errors import waveform
from lydite.hls.compiled import Compiled
from lydite.hls.contract.options import Options
from lydite.hls.frontend.clang import INCLUDE
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim.flow import Fill
from lydite.sim.cosim.native import Recording

ROOT = Path(__file__).parents[3]
PROGRAMS = ROOT / "tests" / "hls" / "dataflow"
SOURCES = sorted(PROGRAMS.glob("*.c"))
SHA3 = ROOT / "examples" / "streams" / "sha3_256_dataflow.c"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Wno-unknown-pragmas")


def options_of(source: Path, clock_ns: float = 10.0) -> Options:
    return Options(sources=(source,), top=source.stem, clock_ns=clock_ns)


def interpret(compiled: Compiled, recording: Recording) -> None:
    machine = hls.Machine(compiled.module)
    face = compiled.interface
    for call in recording.calls():
        got = machine.call(
            call.scalars,
            {arg.port: call.before[arg.name] for arg in face.arrays},
            {s.port: call.streams[s.port] for s in face.streams if s.direction == "in"},
        )
        assert got.value == call.result
        for arg in face.arrays:
            assert got.arrays[arg.port] == call.after[arg.name]
        for stream in face.streams:
            if stream.direction == "out":
                assert got.streams[stream.port] == call.streams[stream.port]
    assert not any(machine.inside.values())


@pytest.mark.parametrize(
    "clock_ns",
    [pytest.param(4.0, marks=pytest.mark.slow), 10.0, pytest.param(30.0, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize(
    "name",
    ["chain", *(pytest.param(name, marks=pytest.mark.slow) for name in ("blocks", "nested"))],
)
def test_program_is_right_in_interpreter_and_hardware(
    name: str, clock_ns: float, tmp_path: Path
) -> None:
    options = options_of(PROGRAMS / f"{name}.c", clock_ns)
    compiled = hls.compile(options)
    assert not [item for item in compiled.warnings if "dataflow" in item.what]
    interpret(compiled, cosim_native.record(options, compiled.interface, tmp_path))
    result = cosim.run(options, compiled, tmp_path, gaps=True, timeout_cycles=20_000)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())


@pytest.mark.native
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_program_compiles_natively_without_a_warning(source: Path, tmp_path: Path) -> None:
    program = tmp_path / "program"
    flags = ["-std=c11", "-fsanitize=address,undefined", *WARNINGS, f"-I{INCLUDE}"]
    proc.run([native.program("gcc"), *flags, str(source), "-o", str(program)]).checked()
    assert proc.run([str(program)]).rc == 0


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_verilog_is_lint_clean(source: Path, tmp_path: Path) -> None:
    compiled = hls.compile(options_of(source))
    assert rtl.lint(compiled, tmp_path / "lint") == ""


def test_sha3_takes_a_block_every_24_cycles(tmp_path: Path) -> None:
    options = Options(sources=(SHA3,), top="sha3_256", clock_ns=10.0)
    compiled = hls.compile(options)
    assert compiled.warnings == ()
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.calls == 14
    # Messages of one block and of three.
    assert (result.latency_min, result.latency_max) == (28, 28 + 2 * 24)
    assert result.fills == (Fill("blocks", 1, 1), Fill("digests", 1, 1))


_DEADLOCK = """\
#include <lydite_stream.h>
static void split(lydite_stream32 *in, lydite_stream32 *a, lydite_stream32 *b) {
  for (int i = 0; i < 8; i++) lydite_stream32_write(a, lydite_stream32_read(in));
  lydite_stream32_beat end = {.data = 5};
  lydite_stream32_write(b, end);
}
static uint32_t join(lydite_stream32 *a, lydite_stream32 *b) {
  uint32_t sum = lydite_stream32_read(b).data;
  for (int i = 0; i < 8; i++) sum += lydite_stream32_read(a).data;
  return sum;
}
uint32_t f(lydite_stream32 *in) {
#pragma HLS dataflow
  lydite_stream32 a = {0};
#pragma HLS stream variable=a depth=DEPTH
  lydite_stream32 b = {0};
  split(in, &a, &b);
  return join(&a, &b);
}
int main(void) {
  lydite_stream32 in = {0};
  for (uint32_t i = 0; i < 8; i++) {
    lydite_stream32_beat beat = {.data = i};
    lydite_stream32_write(&in, beat);
  }
  return f(&in) != 33;
}
"""


def test_processes_that_wait_for_each_other_are_named_with_the_remedy(tmp_path: Path) -> None:
    source = tmp_path / "d.c"
    source.write_text(_DEADLOCK.replace("DEPTH", "4"))
    options = Options(sources=(source,), top="f")
    with pytest.raises(CheckFailed) as caught:
        cosim.run(options, hls.compile(options), tmp_path, timeout_cycles=500).check()
    assert str(caught.value) == (
        "co-simulation of f, call 1 of 1\n"
        "  expected ap_done and right values\n"
        "  got      no ap_done, ever: it stands still\n"
        "  split (d.c:17) waits at d.c:3 to write to a, which is full (4 of 4)\n"
        "  join (d.c:18) waits at d.c:8 to read b, which is empty (0 of 2)\n"
        "  remedy: a deeper FIFO: `#pragma HLS stream variable=a depth=8` holds all that C puts "
        "into it before it is read\n"
        f"  {waveform(tmp_path / 'f_call1.vcd')}"
    )


@pytest.mark.slow
def test_remedy_for_a_deadlock_is_one(tmp_path: Path) -> None:
    source = tmp_path / "d.c"
    source.write_text(_DEADLOCK.replace("DEPTH", "8"))
    options = Options(sources=(source,), top="f")
    cosim.run(options, hls.compile(options), tmp_path, timeout_cycles=500).check()
