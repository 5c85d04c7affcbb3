# SPDX-License-Identifier: Apache-2.0
"""Stream arguments end to end: C, interpreter and hardware agree, under stalls, beat by beat."""

from __future__ import annotations

import dataclasses
import re
from pathlib import Path

import native
import pytest
import rtl

from lydite import hls
from lydite.base import CheckFailed, InputError, proc
from lydite.base.errors import waveform
from lydite.hls.compiled import Compiled
from lydite.hls.contract.interface import StreamArg
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import VerilogFile
from lydite.hls.emit import axi_stream
from lydite.hls.frontend.clang import INCLUDE
from lydite.hls.ir.text import parse_module, print_module
from lydite.sim import cosim
from lydite.sim.cosim import native as cosim_native
from lydite.sim.cosim.native import Recording
from lydite.tools import compiler

PROGRAMS = Path(__file__).parents[2] / "hls" / "streams"
SOURCES = sorted(PROGRAMS.glob("*.c*"))
RUNNING_SUM = PROGRAMS / "running_sum.c"
WARNINGS = ("-Wall", "-Wextra", "-Wpedantic", "-Wconversion", "-Werror", "-Wno-unknown-pragmas")


LIKE_NAMES = """
#include <lydite_stream.h>
int f(lydite_stream8 *a_i, int a) {
#pragma HLS interface mode=axis port=a_i register_mode=forward
  return lydite_stream8_read(a_i).data + a;
}
"""


def options_of(source: Path, clock_ns: float = 10.0) -> Options:
    return Options(sources=(source,), top=source.stem, clock_ns=clock_ns)


def interpret(compiled: Compiled, recording: Recording) -> None:
    machine = hls.Machine(compiled.module)
    face = compiled.interface
    ports = (*face.streams, *face.handshakes)
    found = face.registers.registers if face.registers is not None else ()
    pointers = [item for item in found if item.signal in compiled.module.streams]
    for call in recording.calls():
        beats = {port.port: call.streams[port.port] for port in ports if port.direction == "in"}
        for item in pointers:
            if not item.writes:
                beats[item.signal] = (int.from_bytes(call.before[item.name], "little"),)
        got = machine.call(
            call.scalars,
            {a.port: call.before[a.name] for a in face.arrays if a.protocol == "ap_memory"},
            beats,
        )
        assert got.value == call.result
        for item in pointers:
            if item.writes:
                wanted = int.from_bytes(call.after[item.name], "little")
                assert got.streams[item.signal] == (wanted,)
        for port in ports:
            if port.direction == "out":
                assert got.streams[port.port] == call.streams[port.port]
    assert not any(len(machine.streams[p.port]) for p in ports if p.direction == "in")


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


@pytest.mark.parametrize(
    ("mode", "ways"),
    [
        ("forward", {axi_stream.FORWARD}),
        ("reverse", {axi_stream.REVERSE}),
        # An output has a register all the same: valid may not wait for ready.
        ("off", {axi_stream.FORWARD}),
    ],
)
@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_program_is_right_whatever_registers_its_streams_have(
    source: Path, mode: str, ways: set[str], tmp_path: Path
) -> None:
    before = hls.compile(options_of(source))
    face = before.interface
    streams = [arg for arg in (*face.streams, *face.handshakes) if arg.protocol == "axis"]
    pragmas = "".join(
        f"\n#pragma HLS interface mode=axis register_mode={mode} port={arg.name}" for arg in streams
    )
    head = re.compile(rf"\b{source.stem}\([^;{{}}]*\)\s*{{")
    written, count = head.subn(lambda found: found[0] + pragmas, source.read_text())
    assert count == 1
    changed = tmp_path / source.name
    changed.write_text(written)
    options = options_of(changed)
    compiled = hls.compile(options)
    assert not [one for one in compiled.warnings if "register_mode" in str(one)]
    inputs_alone = all(arg.direction == "in" for arg in streams)
    files = {file.name for file in compiled.files}
    used = {name for name in axi_stream.MODULES if f"{name}.v" in files}
    assert used == (set() if not streams or (mode == "off" and inputs_alone) else ways)
    assert rtl.lint(compiled, tmp_path / "lint") == ""
    interpret(compiled, cosim_native.record(options, compiled.interface, tmp_path))
    result = cosim.run(options, compiled, tmp_path, gaps=True)
    result.check()
    assert result.calls > 0


def test_registers_are_those_of_the_stream_and_of_no_name_like_it(tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(LIKE_NAMES)
    compiled = hls.compile(Options(sources=(source,), top="f"))
    assert {name: one.registers for name, one in compiled.module.streams.items()} == {
        "a_i": "forward"
    }
    again = parse_module(print_module(compiled.module))
    assert again.streams["a_i"].registers == "forward"


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
@pytest.mark.parametrize("by", [pytest.param("gcc", marks=pytest.mark.native), "zig"])
def test_header_compiles_natively_without_a_warning(source: Path, by: str, tmp_path: Path) -> None:
    plus = source.suffix == ".cpp"
    if by == "gcc":
        argv = [native.program("g++" if plus else "gcc"), "-fsanitize=address,undefined"]
    else:
        # The library of C++, which the header does not need, is compiled for a minute, and what
        # tells of undefined behaviour before the trap for half of one.
        zig = compiler.zig("c++" if plus else "c")
        argv = [*zig.argv, *(["-nostdlib++"] if plus else []), "-fsanitize-trap=undefined"]
    for standard in ("c++11", "c++20") if plus else ("c11", "c2x"):
        program = tmp_path / standard
        flags = [f"-std={standard}", *WARNINGS, f"-I{INCLUDE}", str(source), "-o", str(program)]
        proc.run([*argv, *flags], cwd=tmp_path).checked()
        assert proc.run([str(program)]).rc == 0


def test_loop_of_one_state_moves_a_beat_every_cycle(tmp_path: Path) -> None:
    options = options_of(RUNNING_SUM)
    compiled = hls.compile(options)
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    # Messages of 1, 14, 27 and 40 beats, and a cycle in which each is started.
    assert (result.latency_min, result.latency_max) == (2, 41)
    assert result.cycles == sum(length + 1 for length in (1, 14, 27, 40))


@pytest.mark.parametrize("source", SOURCES, ids=lambda path: path.stem)
def test_verilog_is_lint_clean(source: Path, tmp_path: Path) -> None:
    compiled = hls.compile(options_of(source))
    assert rtl.lint(compiled, tmp_path / "lint") == ""


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
        "  got      out changes a beat while it waits to be taken\n" + STALLS,
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
        "call 2 of 4: out, beat 13: tdata differs\n"
        "  expected 0x000000000016c000\n  got      0x00000000001a4000\n" + STALLS,
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
    assert text == f"{message}  {waveform(result.mismatch.wave)}"


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
        "no ap_done, ever: it stands still; waits for a beat on in, "
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


def test_ports_of_each_protocol_are_those_of_vitis() -> None:
    compiled = hls.compile(options_of(PROGRAMS / "protocols.c"))
    assert compiled.warnings == ()
    head = compiled.files[0].text.partition(");")[0].partition("(\n")[2]
    ports = [line.split("*/")[-1].split("/*")[0].strip(" ,") for line in head.splitlines()]
    assert ports == [
        "input  wire ap_clk",
        "input  wire ap_rst",
        "input  wire ap_start",
        "output wire ap_done",
        "output wire ap_idle",
        "output wire ap_ready",
        "input  wire [7:0] plain",
        "output wire [31:0] ap_return",
        "input  wire [15:0] valid",
        "input  wire valid_ap_vld",
        "input  wire both",
        "input  wire both_ap_vld",
        "output wire both_ap_ack",
        "input  wire [31:0] acknowledged",
        "output wire acknowledged_ap_ack",
        "input  wire [31:0] source",
        "input  wire source_ap_vld",
        "output wire source_ap_ack",
        "input  wire [31:0] sum_i",
        "input  wire sum_i_ap_vld",
        "output wire [31:0] sum_o",
        "output wire sum_o_ap_vld",
        "output wire [15:0] kept",
        "output wire [7:0] flag",
        "output wire flag_ap_vld",
        "input  wire flag_ap_ack",
        "input  wire [63:0] total_i",
        "output wire [63:0] total_o",
        "output wire total_o_ap_vld",
        "input  wire [31:0] words_dout",
        "input  wire words_empty_n",
        "output wire words_read",
        "output wire [15:0] halves_din",
        "output wire halves_write",
        "input  wire halves_full_n",
        "input  wire [7:0] stream_in_tdata",
        "input  wire stream_in_tvalid",
        "output wire stream_in_tready",
        "output wire [31:0] stream_out_tdata",
        "output wire stream_out_tvalid",
        "input  wire stream_out_tready",
    ]


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "assign sum_o = sum_o_beat;",
            "assign sum_o = sum_o_beat ^ 32'd1;",
            "sum differs\n  expected 0xfc82cfba\n  got      0xfc82cfbb",
        ),
        (
            "assign kept = kept_put ? kept_beat : kept_value_q;",
            "assign kept = kept_value_q;",
            "kept differs\n  expected 0x",
        ),
        (
            "assign words_read = words_take;",
            "assign words_read = words_take & ap_start & ~words_dout[0];",
            "halves[",
        ),
        (
            "assign acknowledged_ap_ack = acknowledged_take;",
            "assign acknowledged_ap_ack = 1'b0;",
            "got      acknowledged is taken 0 times in 1 calls",
        ),
    ],
)
@pytest.mark.slow
def test_broken_protocol_is_found(old: str, new: str, message: str, tmp_path: Path) -> None:
    options = options_of(PROGRAMS / "protocols.c")
    compiled = broken(hls.compile(options), "protocols.v", (old, new))
    result = cosim.run(options, compiled, tmp_path, timeout_cycles=2000)
    with pytest.raises(CheckFailed) as caught:
        result.check()
    assert message in str(caught.value)


DIRECTIVES = """
#include <lydite_stream.h>
static __attribute__((noinline)) int other(int x) {
#pragma HLS interface ap_vld port=x
  return x * 3;
}
int f(int n, int *p, int a[8], lydite_stream8 *s) {
#pragma HLS interface m_axi port=a
#pragma HLS interface ap_fifo port=s
#pragma HLS interface ap_vld port=q
#pragma HLS interface port=n
#pragma HLS interface ap_ctrl_chain port=return
#pragma HLS interface ap_none register_mode=off port=n
#pragma HLS interface ap_memory port=n
  return other(n) + other(*p) + a[n & 7] + lydite_stream8_read(s).data;
}
"""


def test_directive_that_is_not_had_says_what_stands_instead(tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(DIRECTIVES)
    found = hls.compile(Options(sources=(source,), top="f")).warnings
    texts = [str(warning).removeprefix(str(source)) for warning in found]
    stays = "pragma HLS interface: mode {} is not had for {}: it stays {}; had: {}"
    assert sorted(texts) == sorted(
        [
            ":4: pragma HLS interface: it stands in a function that is not the top one: ignored",
            ":8: "
            + stays.format(
                "m_axi", "a, which is an array", "ap_memory", "ap_memory, ap_fifo, axis, ap_hs"
            ),
            ":9: " + stays.format("ap_fifo", "s, which is a stream", "axis", "axis"),
            ":10: pragma HLS interface: there is no argument q: ignored; known: n, p, a, s, return",
            ":11: pragma HLS interface: without a mode: ignored",
            ":13: pragma HLS interface: option register_mode=off is not honoured",
            ":14: "
            + stays.format(
                "ap_memory",
                "n, which is a scalar",
                "ap_none",
                "ap_none, ap_stable, ap_vld, ap_ack, ap_hs, ap_fifo, axis, s_axilite",
            ),
            ":12: pragma HLS interface: mode ap_ctrl_chain on return is not had: "
            "it stays ap_ctrl_hs",
        ]
    )


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            "void f(int a[4]) {\n#pragma HLS interface ap_fifo port=a\n"
            "for (int i = 0; i < 4; i++)\na[i] = a[i] + 1;\n}\n",
            ":5: array a is written here and read at SOURCE:5, and ap_fifo has one direction\n"
            "  use an array of its own for each, or ap_memory",
        ),
        (
            "void f(lydite_stream8 *s) {\nlydite_stream8_write(s,\nlydite_stream8_read(s));\n}\n",
            ":3: a write to stream s, which is read at SOURCE:4\n"
            "  use a stream of its own for each direction",
        ),
        (
            "unsigned long f(lydite_stream8 *s) {\nreturn lydite_stream8_count(s);\n}\n",
            ":3: how many beats wait in a stream depends on time, which the C run does not have\n"
            "  read until a beat with last, or pass the number of beats",
        ),
        (
            "static lydite_stream8 inner;\nint f(int n) {\nreturn lydite_stream8_read(&inner).data"
            " + n;\n}\n",
            ":4: stream inner is never written and read at t.c:4, and not between two processes "
            "of a dataflow region\n  let one function write it and a later one read it, "
            "both called in a function or loop with `#pragma HLS dataflow`",
        ),
        (
            "int f(lydite_stream8 s[2]) {\nreturn lydite_stream8_read(s).data;\n}\n",
            ":2: argument s is an array of streams\n  pass each as its own argument",
        ),
        (
            "typedef struct { char c[65]; } big;\nLYDITE_STREAM(wide, big)\n"
            "int f(wide *s) {\nreturn wide_read(s).data.c[3];\n}\n",
            ":5: a stream argument of the top function of 65 bytes\n  data have 1 to 64 bytes",
        ),
    ],
)
def test_stream_that_cannot_be_is_refused(body: str, message: str, tmp_path: Path) -> None:
    source = tmp_path / "t.c"
    source.write_text(f"#include <lydite_stream.h>\n{body}")
    with pytest.raises(InputError) as caught:
        hls.compile(Options(sources=(source,), top="f"))
    assert str(caught.value).removeprefix(str(source)) == message.replace("SOURCE", str(source))


def test_register_map_is_that_of_vitis(tmp_path: Path) -> None:
    compiled = hls.compile(options_of(PROGRAMS / "registers.c"))
    found = compiled.interface.registers
    assert found is not None and found.control
    rows = [(r.name, r.signal, r.bits, r.writes, r.offset) for r in found.registers]
    assert rows == [
        ("return", "ap_return", 64, True, 0x10),
        ("small", "small_", 8, False, 0x1C),
        ("wide", "wide", 64, False, 0x24),
        ("bit", "bit_", 1, False, 0x30),
        ("source", "source", 32, False, 0x38),
        ("result", "result", 16, True, 0x40),
        ("both", "both_i", 32, False, 0x48),
        ("both", "both_o", 32, True, 0x50),
    ]
    texts = {item.name: item.text for item in compiled.documents}
    assert sorted(texts) == ["registers_regs.h", "registers_regs.md"]
    assert (
        "| 0x28 | 31:0 | `wide` | R/W | argument `wide`, bits from 32 |\n"
        in (texts["registers_regs.md"])
    )
    program = tmp_path / "use.c"
    header = tmp_path / "registers_regs.h"
    header.write_text(texts[header.name])
    program.write_text(
        f'#include "{header.name}"\nint main(void) {{ return REGISTERS_BOTH_O_CTRL != 0x54 || '
        "REGISTERS_AP_CTRL_START != 1 || REGISTERS_SMALL_BITS != 8; }\n"
    )
    # A trap for what is undefined needs no library, which would be compiled.
    argv = [*compiler.zig("c").argv, "-std=c11", "-fsanitize-trap=undefined", *WARNINGS]
    proc.run([*argv, str(program), "-o", str(tmp_path / "use")], cwd=tmp_path).checked()
    assert proc.run([str(tmp_path / "use")]).rc == 0


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("wide_q[63:32] <= (s_axi_control_WDATA", "wide_q[63:32] <= (~s_axi_control_WDATA"),
        ("both_o_q <= both_o;", "both_o_q <= both_i;"),
        ("assign s_axi_control_BVALID = write_q == ST_ANSWER;", "assign s_axi_control_BVALID = 0;"),
    ],
)
@pytest.mark.slow
def test_broken_register_is_found(old: str, new: str, tmp_path: Path) -> None:
    options = options_of(PROGRAMS / "registers.c")
    changed = broken(hls.compile(options), "registers_control_s_axi.v", (old, new))
    assert cosim.run(options, changed, tmp_path, timeout_cycles=3000).mismatch is not None
