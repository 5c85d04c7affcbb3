# SPDX-License-Identifier: Apache-2.0
"""The harness: what it asks of a core's ports, what it measures, and every fault that it must see.

The faulty cores are the example, broken in one place each: a test of the tests.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from lydite.base import CheckFailed, InputError, ToolFailed
from lydite.base.errors import waveform
from lydite.cores import Design, load
from lydite.sim import elaborate
from lydite.sim.build import Sources, sources_of
from lydite.sim.framing import face
from lydite.sim.stream import STALL_MODES, Cycles, Face, StreamModel, Wire, message
from lydite.sim.timing import Range
from lydite.sim.verify import open_model, verify
from lydite.tools.yosys import Port

ROOT = Path(__file__).resolve().parent.parent.parent
Replace = Callable[[Path, str, str], None]
NINE = b"123456789"
CRC = bytes.fromhex("2639f4cb")

PORTS = (
    *(Port("clk", "input", 1), Port("rst", "input", 1)),
    *(Port("s_axis_tdata", "input", 64), Port("s_axis_tkeep", "input", 8)),
    *(Port("s_axis_tlast", "input", 1), Port("s_axis_tvalid", "input", 1)),
    Port("s_axis_tready", "output", 1),
    *(Port("m_axis_tdata", "output", 32), Port("m_axis_tkeep", "output", 4)),
    *(Port("m_axis_tlast", "output", 1), Port("m_axis_tvalid", "output", 1)),
    Port("m_axis_tready", "input", 1),
)
HINT = "\n  an axi4-stream core has the ports that docs/cores.md lists"


def changed(name: str, direction: str, width: int) -> tuple[Port, ...]:
    return tuple(Port(name, direction, width) if port.name == name else port for port in PORTS)


def test_ports_give_the_widths() -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    source = Wire(name="m_axis_t", bytes=4)
    plain = Wire(name="s_axis_t", bytes=8)
    assert face(PORTS, design) == Face(sinks=(plain,), sources=(source,))
    tuser = (*PORTS, Port("s_axis_tuser", "input", 16))
    told = Wire(name="s_axis_t", bytes=8, has_user=True)
    assert face(tuser, design) == Face(sinks=(told,), sources=(source,))


@pytest.mark.parametrize(
    ("ports", "message"),
    [
        (PORTS[1:], "port clk is missing" + HINT),
        (PORTS[:-1], "port m_axis_tready is missing" + HINT),
        (changed("m_axis_tready", "output", 1), "port m_axis_tready is an output" + HINT),
        (changed("s_axis_tdata", "inout", 64), "port s_axis_tdata is an inout" + HINT),
        ((*PORTS, Port("mode", "input", 1)), "port mode is not part of the interface" + HINT),
        (
            changed("s_axis_tdata", "input", 60),
            "s_axis_tdata has 60 bits and s_axis_tkeep 8\n"
            "  tdata has 8 bits for each of tkeep, 8 to 512 in all",
        ),
        (
            (
                *changed("m_axis_tdata", "output", 24)[:-5],
                Port("m_axis_tdata", "output", 24),
                Port("m_axis_tkeep", "output", 3),
                *PORTS[-3:],
            ),
            "m_axis_tdata has 24 bits and m_axis_tkeep 3\n"
            "  tdata has 8 bits for each of tkeep, 8 to 512 in all",
        ),
        (changed("m_axis_tlast", "output", 2), "port m_axis_tlast has 2 bits, not 1" + HINT),
        (
            (*PORTS, Port("s_axis_tuser", "output", 16)),
            "port s_axis_tuser is an output" + HINT,
        ),
    ],
)
def test_wrong_ports_are_refused(ports: tuple[Port, ...], message: str) -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    with pytest.raises(InputError) as raised:
        face(ports, design)
    assert str(raised.value) == f"crc32/rtl: crc32: {message}"


@pytest.fixture(scope="module")
def model() -> Iterator[StreamModel]:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    with open_model(design) as opened:
        yield opened


def test_answer_is_the_cores(model: StreamModel) -> None:
    assert model.answer(message(NINE, bytes(4))) == (CRC,)
    assert model.answer(message(b"", b"none")) == (bytes(4),)


def test_no_messages_are_no_work(model: StreamModel) -> None:
    assert model.run([]) == ()


def test_cycles_are_counted_from_reset(model: StreamModel) -> None:
    # A byte a cycle in, four out, and the next message right after.
    jobs = [message(NINE, CRC), message(b"12", bytes(4))]
    assert model.cycles_of(jobs) == (Cycles(0, 8, 9, 12), Cycles(13, 14, 15, 18))


@pytest.mark.parametrize("stalls", STALL_MODES, ids=lambda stalls: stalls.name)
def test_every_stall_mode_keeps_the_answer(model: StreamModel, stalls: object) -> None:
    messages = [message(NINE, CRC), message(b"", bytes(4)), message(NINE, CRC)]
    for seed in range(1, 20):
        cycles = model.run(messages, stalls=stalls, seed=seed)  # type: ignore[arg-type]
        assert len(cycles) == 3


def test_stalls_pause_their_side_and_no_other(model: StreamModel) -> None:
    none, sink, source, both, *_ = STALL_MODES
    [free] = model.run([message(NINE, CRC)], stalls=none)
    [slow_in] = model.run([message(NINE, CRC)], stalls=sink)
    [slow_out] = model.run([message(NINE, CRC)], stalls=source)
    [slow] = model.run([message(NINE, CRC)], stalls=both)

    def lengths(cycles: Cycles) -> tuple[int, int]:
        return cycles.last_in - cycles.first_in, cycles.last_out - cycles.first_out

    assert lengths(free) == (8, 3)
    assert lengths(slow_in) == (4 * 8, 3)
    assert lengths(slow_out) == (8, 4 * 3)
    assert lengths(slow) == (4 * 8, 4 * 3)


def test_same_seed_gives_the_same_run(model: StreamModel) -> None:
    [random] = [mode for mode in STALL_MODES if mode.name == "random"]
    runs = [model.run([message(NINE, CRC)] * 9, stalls=random, seed=seed) for seed in (5, 5, 6)]
    assert runs[0] == runs[1] != runs[2]


def test_reset_in_mid_message_leaves_no_trace(model: StreamModel) -> None:
    for cycle in range(1, 40):
        model.run([message(NINE, CRC)], cut_off=[message(NINE, CRC)] * 3, reset_at=cycle)


def test_wrong_byte_is_shown_with_its_place(model: StreamModel) -> None:
    wrong = bytes.fromhex("2639f5cb")
    with pytest.raises(CheckFailed) as raised:
        model.run([message(b"", bytes(4)), message(NINE, wrong, "a.rsp:7")], label="known answers")
    assert str(raised.value) == (
        "crc32, known answers, stalls none, message 1 (a.rsp:7): byte 2 of the output\n"
        "  expected 2639f5cb\n"
        "  got      2639f4cb"
    )


def test_seed_of_random_stalls_is_named(model: StreamModel) -> None:
    with pytest.raises(CheckFailed) as raised:
        model.run([message(NINE, bytes(4))], stalls=STALL_MODES[-1], seed=42, label="x")
    assert raised.value.at == (
        "crc32, x, stalls patient (seed 42), message 0 (9 bytes): byte 0 of the output"
    )


RIGHT = "a right output in time, and the rules of the streams kept"
# Each: what is replaced in crc32.v by what, where the fault is seen, and as what.
FAULTS = {
    "another polynomial": (
        ("32'hedb88320", "32'hedb88321"),
        "known answers, stalls none, message 1 (crc32.json: record 2): byte 0 of the output",
        None,
    ),
    "last byte wrong for long messages": (
        ("~crc_q[7:0];", "~crc_q[7:0] ^ {7'd0, given_q == 2'd3 && crc_q[31:8] == 24'hffffff};"),
        "known answers, stalls none, message 0 (crc32.json: record 1): byte 3 of the output",
        None,
    ),
    "tready looks at tvalid": (
        ("s_axis_tready = !giving_q;", "s_axis_tready = !giving_q && s_axis_tvalid;"),
        "known answers, stalls random",
        "s_axis_tready depends on s_axis_tvalid in the same cycle",
    ),
    "data move on without tready": (
        ("give = m_axis_tvalid && m_axis_tready;", "give = m_axis_tvalid;"),
        "known answers, stalls output, message 0 (crc32.json: record 1)",
        "the output changed while m_axis_tvalid was high and m_axis_tready low",
    ),
    "tvalid comes and goes": (
        (
            "m_axis_tvalid = giving_q;",
            "m_axis_tvalid = giving_q && !pause_q;\n"
            "  reg pause_q;\n"
            "  always @(posedge clk) pause_q <= m_axis_tvalid;",
        ),
        "known answers, stalls output, message 0 (crc32.json: record 1)",
        "m_axis_tvalid fell before m_axis_tready came",
    ),
    "hangs in the third byte": (
        ("m_axis_tvalid = giving_q;", "m_axis_tvalid = giving_q && given_q != 2'd2;"),
        "known answers, stalls none, message 0 (crc32.json: record 1)",
        "hangs: no transfer for 100000 cycles, with 0 bytes of packet 1 of s_axis_tdata taken, "
        "2 bytes of packet 0 of m_axis_tdata given",
    ),
    "gives the output twice": (
        ("giving_q <= !m_axis_tlast;", "giving_q <= 1'b1;"),
        "known answers, stalls none, message 1 (crc32.json: record 2)",
        "output for a message of which no beat was taken",
    ),
    "ends a byte early": (
        ("m_axis_tlast  = given_q == 2'd3;", "m_axis_tlast  = given_q[1];"),
        "known answers, stalls none, message 0 (crc32.json: record 1)",
        "the output has 3 bytes, not 4",
    ),
    "never ends": (
        ("m_axis_tlast  = given_q == 2'd3;", "m_axis_tlast  = 1'b0;"),
        "known answers, stalls none, message 0 (crc32.json: record 1)",
        "the output has more than 4 bytes, not 4",
    ),
    "says that bytes are missing": (
        ("m_axis_tkeep  = 1'b1;", "m_axis_tkeep  = given_q != 2'd1;"),
        "known answers, stalls none, message 0 (crc32.json: record 1)",
        "m_axis_tkeep is partial before the last beat",
    ),
    "takes bytes without tkeep": (
        ("if (s_axis_tkeep) crc_q", "if (s_axis_tkeep || 1'b1) crc_q"),
        "known answers, stalls none, message 0 (crc32.json: record 1): byte 0 of the output",
        None,
    ),
    "relies on its power-up value": (
        ("      crc_q    <= 32'hffffffff;\n", ""),
        "known answers, stalls none, message 0 (crc32.json: record 1): byte 0 of the output",
        None,
    ),
    "keeps its state over a reset": (
        ("      giving_q <= 1'b0;\n", ""),
        "reset at cycle 9 of long messages, stalls none, message 0 (crc32.json: record 1)",
        "m_axis_tvalid is high in a reset",
    ),
    "fails an assertion": (
        (
            "wire take =",
            "`ifdef LYDITE_ASSERT\n"
            "  always @(posedge clk) if (giving_q && given_q == 2'd2) $stop;\n"
            "`endif\n  wire take =",
        ),
        "known answers, stalls none, message 0 (crc32.json: record 1)",
        "assertion at crc32.v:37 failed",
    ),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_seen(crc32: Path, replace: Replace, fault: str) -> None:
    (old, new), at, got = FAULTS[fault]
    replace(crc32 / "crc32.v", old, new)
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(CheckFailed) as raised:
        verify(design)
    error = raised.value
    assert error.at.startswith(f"crc32, {at}"), error
    if got is not None:
        assert error.expected == RIGHT
        assert error.got.partition(" (cycle ")[0] == got


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            'latency_cycles = "1 + 4"',
            'latency_cycles = "6"',
            "crc32/rtl: latency_cycles\n  expected 6 as core.toml claims\n  got      5 measured",
        ),
        (
            'cycles_per_block = "1"',
            'cycles_per_block = "2"',
            "crc32/rtl: cycles_per_block\n  expected 2 as core.toml claims\n  got      1 measured",
        ),
    ],
)
def test_wrong_claim_is_seen(
    crc32: Path, replace: Replace, old: str, new: str, message: str
) -> None:
    replace(crc32 / "core.toml", old, new)
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(CheckFailed) as raised:
        verify(design)
    assert str(raised.value) == message


def test_blocks_of_uneven_length_have_no_steady_state(crc32: Path, replace: Replace) -> None:
    # Every 17th byte waits a cycle, whatever the message.
    replace(
        crc32 / "crc32.v",
        "s_axis_tready = !giving_q;",
        "s_axis_tready = !giving_q && !(count_q == 5'd16);\n"
        "  reg [4:0] count_q;\n"
        "  always @(posedge clk)\n"
        "    if (rst || count_q == 5'd16) count_q <= 5'd0;\n"
        "    else if (take) count_q <= count_q + 5'd1;",
    )
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(CheckFailed) as raised:
        verify(design)
    assert str(raised.value) == (
        "crc32/rtl: hash: steady state\n"
        "  expected the same number of cycles for each block\n"
        "  got      6 cycles for 6 blocks, 7 for the next 6"
    )


def test_specification_finds_what_vectors_do_not(crc32: Path, replace: Replace) -> None:
    # Wrong for messages of 11 bytes only, of which no vector is.
    replace(
        crc32 / "crc32.v",
        "m_axis_tdata  = ~crc_q[7:0];",
        "m_axis_tdata  = ~crc_q[7:0] ^ {7'd0, bytes_q == 8'd11};\n"
        "  reg [7:0] bytes_q;\n"
        "  always @(posedge clk)\n"
        "    if (rst || (give && m_axis_tlast)) bytes_q <= 8'd0;\n"
        "    else if (take && s_axis_tkeep) bytes_q <= bytes_q + 8'd1;",
    )
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(CheckFailed) as raised:
        verify(design)
    assert raised.value.at == (
        "crc32, block boundaries, stalls none, message 11 (11 bytes in, 4 out): "
        "byte 0 of the output"
    )


def test_waveform_of_the_failing_run_is_left(crc32: Path, replace: Replace) -> None:
    (old, new), _, _ = FAULTS["ends a byte early"]
    replace(crc32 / "crc32.v", old, new)
    [design] = load(crc32 / "core.toml").designs
    wave = crc32 / "failure.vcd"
    with pytest.raises(CheckFailed) as raised:
        verify(design, wave=wave)
    assert str(raised.value).endswith(waveform(wave))
    text = wave.read_text()
    assert "$enddefinitions" in text
    assert "given_q" in text


def test_waveform_of_a_claim_that_does_not_hold_is_short(crc32: Path, replace: Replace) -> None:
    replace(crc32 / "core.toml", '"1 + 4"', '"1 + 5"')
    [design] = load(crc32 / "core.toml").designs
    wave = crc32 / "failure.vcd"
    with pytest.raises(CheckFailed, match="latency_cycles"):
        verify(design, wave=wave)
    # It shows the run that was measured, and none of those before.
    times = [int(line[1:]) for line in wave.read_text().splitlines() if line.startswith("#")]
    assert 100 < len(times) < 2_000 and times[0] > 1_000


def test_no_waveform_is_left_of_a_run_that_passes(tmp_path: Path) -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    verify(design, wave=tmp_path / "failure.vcd")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.all_messages
def test_example_verifies() -> None:
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    shown = verify(design)
    assert (shown.vectors, shown.boundary_messages) == (4, 12)
    assert shown.modes == ("none", "input", "output", "both", "random", "patient")
    # Four words a message, and five times as many as a fault in one of 65,536 needs.
    [hashing] = shown.operations
    assert (hashing.random_messages, hashing.random_words) == (81_920, 327_680)
    assert shown.proof_seed == 1
    timing = hashing.timing
    assert timing.cycles_per_block == Range(1, 1, 1)
    assert timing.cycles_per_message == timing.latency_cycles == Range(5, 5, 5)
    assert [(n, found.mean) for n, found in timing.total_cycles] == [
        *((1, 5), (2, 6), (3, 7), (6, 10), (18, 22))
    ]
    assert shown.resets == 27


def test_data_that_a_core_loads_are_those_of_its_folder(
    crc32: Path, replace: Replace, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = crc32 / "crc32.v"
    replace(path, "localparam [31:0] POLYNOMIAL = 32'hedb88320;", "reg [31:0] POLYNOMIAL [0:0];")
    replace(path, "POLYNOMIAL : 32'd0", "POLYNOMIAL[0] : 32'd0")
    replace(path, "  integer    i;\n", '  integer i; initial $readmemh("poly.hex", POLYNOMIAL);\n')
    (crc32 / "data").mkdir()
    (crc32 / "data" / "poly.hex").write_text("edb88320\n")
    (crc32 / "rtl").mkdir()
    # Another file of that name lies where the process stands.
    (crc32 / "poly.hex").write_text("00000000\n")
    monkeypatch.chdir(crc32)
    path.rename(crc32 / "data" / "crc32.v")
    replace(crc32 / "core.toml", '["crc32.v"]', '["data/crc32.v", "data/poly.hex"]')
    [design] = load(crc32 / "core.toml").designs
    assert verify(design).vectors == 4
    (crc32 / "data" / "poly.hex").write_text("edb88321\n")
    with pytest.raises(CheckFailed, match="byte 0 of the output"):
        verify(design)


def sources(design: Design, **changes: object) -> Sources:
    made = sources_of(design)
    values = {"files": made.files, "top": made.top, "parameters": made.parameters, **changes}
    return Sources(**values)  # type: ignore[arg-type]


def test_syntax_error_has_yosys_file_and_line(crc32: Path, replace: Replace) -> None:
    replace(crc32 / "crc32.v", "giving_q <= s_axis_tlast;", "giving_q <= s_axis_tlast")
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        verify(design)
    assert str(raised.value) == (
        "crc32: Yosys says\n  crc32.v:53: ERROR: syntax error, unexpected TOK_END"
    )


def test_top_that_is_not_there_is_refused(crc32: Path) -> None:
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        elaborate.ports(sources(design, top="crc33"))
    assert str(raised.value) == "crc33: Yosys says\n  ERROR: Module `crc33' not found!"


def test_unknown_parameter_is_refused(crc32: Path) -> None:
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(InputError) as raised:
        elaborate.ports(sources(design, parameters={"WIDTH": 3}))
    assert str(raised.value) == (
        "crc32: Yosys says\n  ERROR: Module `crc32' referenced in module `lydite_elaborate' in "
        "cell `u' does not have a parameter named 'WIDTH'."
    )


def test_ports_follow_parameters(tmp_path: Path) -> None:
    path = tmp_path / "a b.v"
    path.write_text(
        "module top #(parameter W = 3) (input [(W < 0 ? 7 : W):0] \\a.b , output q);\n"
        "assign q = ^\\a.b ;\nendmodule\n"
    )
    for value, width in ((-1, 8), (5, 6)):
        made = Sources(files={path.name: path}, top="top", parameters={"W": value})
        assert elaborate.ports(made) == (Port("a.b", "input", width), Port("q", "output", 1))


def test_verilators_refusal_is_shown(crc32: Path, replace: Replace) -> None:
    # Yosys looks at ports only, and lets this pass.
    replace(crc32 / "crc32.v", "wire take =", "wire two = 1'b0 == missing.x;\n  wire take =")
    [design] = load(crc32 / "core.toml").designs
    with pytest.raises(ToolFailed) as raised:
        verify(design)
    assert str(raised.value) == (
        "verilator failed with exit status 1\n"
        "  %Error: crc32.v:36:22: Can't find definition of scope/variable: 'missing'"
    )


def test_speed_of_the_harness(model: StreamModel, capsys: pytest.CaptureFixture[str]) -> None:
    begun, before = time.perf_counter(), model.cycles
    model.cycles_of([message(bytes(100_000), CRC)] * 10)
    cycles, seconds = model.cycles - before, time.perf_counter() - begun
    assert cycles == 10 * 100_004
    with capsys.disabled():
        print(f"\n  harness, example core, quick build: {cycles / seconds / 1e6:.1f} M cycles/s")


def test_core_that_claims_to_take_long_may_be_silent() -> None:
    """One that signs works for longer than the harness waits for others; the claim says so."""
    [design] = load(ROOT / "examples" / "crc32" / "core.toml").designs
    assert face(PORTS, design).silent_cycles == 0
    for cycles, silent in ((10_000, 0), (42_000, 42_000), (2_000_000, 2_000_000)):
        claims = msgspec.structs.replace(design.claims["hash"], latency_cycles=(1, cycles))
        slow = msgspec.structs.replace(design, claims={"hash": claims})
        assert face(PORTS, slow).silent_cycles == silent
