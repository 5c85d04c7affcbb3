# SPDX-License-Identifier: Apache-2.0
"""The testbed: what it measures, and every fault of a core or a host that it must see."""

from __future__ import annotations

import random
import re
import threading
from collections.abc import Callable
from pathlib import Path

import compiled
import msgspec
import pytest
from testbeds import CLOCKS, LINK, ROOT, changed, crc_design, crc_of, run

from lydite.base import CheckFailed, InputError
from lydite.cores import Design, catalog, load
from lydite.sim.testbed import measure, model, registers, wrapper
from lydite.sim.testbed.measure import Measured, Setting
from lydite.sim.testbed.model import Access, Clocks, Kind, TestbedModel
from lydite.sim.testbed.wrapper import Wrapped
from lydite.targets import links

Replace = Callable[[Path, str, str], None]
CATALOGUE = [one for core in catalog.cores() for one in core.designs]


def toy(label: str) -> Design:
    designs = load(ROOT / "tests" / "sim" / "toy" / "core.toml").designs
    return next(design for design in designs if design.label == label)


@pytest.fixture(scope="module")
def wrapped() -> Wrapped:
    return wrapper.wrap(crc_design(), 8)


def at(size: int, core_mhz: float, dma_mhz: float = 100) -> Measured:
    setting = Setting(core_mhz=core_mhz, dma_mhz=dma_mhz, link=LINK)
    return measure.measure(crc_design(), "hash", size, setting)


def over_claim(found: Measured, core_mhz: float) -> float:
    cycles = measure.claimed(crc_design(), "hash", calls=found.calls, blocks=found.blocks)
    assert cycles is not None
    return found.hardware_ns * core_mhz / 1000 / cycles


def test_overhead_of_a_core_slower_than_its_dma_goes_away() -> None:
    """F. Farahmand's thesis (George Mason University, 2016), 4.3.2: 20 to 50 % at 10 kB, below 5 %
    at 100 kB, about nothing from 500 kB.
    """
    # 566 MB/s, as Keccak of a round a cycle at 100 MHz; the DMA moves 800.
    ratios = [over_claim(at(size, 566), 566) for size in (10_000, 100_000, 500_000)]
    assert 1.2 < ratios[0] < 1.5
    assert 1 < ratios[1] < 1.05
    assert 1 < ratios[2] < 1.01


def test_overhead_of_a_core_faster_than_its_dma_stays() -> None:
    """The same for Luffa: 2.2 at 10 kB, and 1.55 for ever; a faster DMA mends it."""
    ratios = [over_claim(at(size, 1240), 1240) for size in (10_000, 100_000, 500_000)]
    assert ratios[0] > ratios[1] > ratios[2] > 1.54
    # 1240 bytes a microsecond through 8 a cycle of 100 MHz.
    assert ratios[2] == pytest.approx(1240 / 800, rel=0.01)


def test_parts_make_up_the_whole() -> None:
    found = at(10_000, 566)
    parts = found.to_device_ns + found.compute_ns + found.from_device_ns
    assert parts == pytest.approx(found.hardware_ns)
    # A byte a cycle, four more for the output; both ends are counted.
    assert found.alone_cycles == 10_004
    assert found.compute_ns == pytest.approx(10_003 * 1000 / 566, rel=1e-3)
    # The timer knows nothing of the host: eleven words of registers, a read, an interrupt.
    assert found.timer_cycles * 10 < found.hardware_ns - LINK.interrupt_ns
    assert found.queued_ns < found.hardware_ns - LINK.interrupt_ns


def test_double_buffering_hides_the_host() -> None:
    found = at(10_000, 566)
    assert found.queued_ns == pytest.approx(found.compute_ns, rel=0.02)


def test_operations_with_forgeries_run() -> None:
    setting = Setting(core_mhz=77, dma_mhz=100, link=LINK)
    found = measure.measure(toy("toy/rtl"), "open", 500, setting)
    assert found.proof_rejected >= 8
    assert found.alone_cycles == 4 + 2 * 500


def test_held_values_headers_and_several_streams_run() -> None:
    setting = Setting(core_mhz=133, dma_mhz=100, link=LINK)
    found = measure.measure(toy("pair/streams"), "encrypt", 500, setting)
    assert found.proof_jobs >= 32


def test_other_testbeds_at_the_same_time_change_nothing(wrapped: Wrapped) -> None:
    """The random numbers of Verilator are of all models that a process has."""
    over = threading.Event()

    def others() -> None:
        while not over.is_set():
            with TestbedModel(wrapped, effort="once", doubt=True):
                pass

    calls = [crc_of(bytes(range(size))) for size in (1, 17, 64, 200)] * 4

    def cycles() -> int:
        return run(wrapped, calls, doubt=True, traffic=True).core_cycles

    alone = cycles()
    thread = threading.Thread(target=others)
    thread.start()
    try:
        assert {cycles() for _ in range(20)} == {alone}
    finally:
        over.set()
        thread.join()


@pytest.mark.parametrize("seed", range(12))
def test_clocks_of_any_phase_and_jitter_lose_nothing(wrapped: Wrapped, seed: int) -> None:
    source = random.Random(seed)
    dma, core = source.randrange(900, 9_000), source.randrange(900, 9_000)
    clocks = Clocks(
        dma_ps=dma,
        core_ps=core,
        dma_phase_ps=source.randrange(dma),
        core_phase_ps=source.randrange(core),
        jitter_ps=min(dma, core) // 4,
    )
    calls = [crc_of(source.randbytes(source.randrange(1, 400))) for _ in range(8)]
    run(wrapped, calls, clocks=clocks, doubt=True, traffic=seed % 2 == 0, seed=seed + 1)


@pytest.mark.slow
@pytest.mark.parametrize("design", CATALOGUE, ids=lambda design: design.label)
def test_every_design_of_the_catalogue_runs(design: Design) -> None:
    setting = Setting(core_mhz=90, dma_mhz=110, link=LINK)
    design = compiled.design(design)
    for name in design.operations:
        unit = measure.unit_of(design.primitive.operation(name)) * design.interleaved
        found = measure.measure(design, name, -(-2_048 // unit) * unit, setting)
        cycles = measure.claimed(design, name, calls=found.calls, blocks=found.blocks)
        assert cycles is None or found.alone_cycles <= cycles * 1.02
        assert found.hardware_ns > found.compute_ns > 0


def test_doubt_breaks_what_crosses_in_several_bits(
    wrapped: Wrapped, tmp_path: Path, replace: Replace
) -> None:
    """A reader that goes as far as it saw when it was last empty: right in Gray code alone."""
    lazy, copy = changed(wrapped, tmp_path, "fifo_async.v")
    replace(copy, "(rd_gray != wr_gray_seen) & ", "(rd_gray != limit_q) & ")
    limit = "if (rd_rst | (rd_gray == limit_q)) limit_q <= rd_rst ? 0 : wr_gray_seen;"
    reader = "  assign rd_valid_o = valid_q;\n"
    replace(copy, reader, f"  always @(posedge rd_clk) {limit}\n{reader}")
    replace(copy, "  reg [TOP:0] rd_q;\n", "  reg [TOP:0] rd_q;\n  reg [TOP:0] limit_q;\n")
    calls = [crc_of(bytes(range(256)) * 8)]
    clocks = msgspec.structs.replace(CLOCKS, core_ps=1_250)
    run(lazy, calls, clocks=clocks, doubt=True)
    replace(copy, "wr_gray_d = wr_d ^ (wr_d >> 1)", "wr_gray_d = wr_d")
    replace(copy, "rd_gray_d = rd_d ^ (rd_d >> 1)", "rd_gray_d = rd_d")
    replace(copy, "rd_gray = rd_q ^ (rd_q >> 1)", "rd_gray = rd_q")
    full = "wr_gray_d == {~rd_gray_seen[TOP:TOP-1], rd_gray_seen[TOP-2:0]}"
    replace(copy, full, "wr_gray_d == {~rd_gray_seen[TOP], rd_gray_seen[TOP-1:0]}")
    run(lazy, calls, clocks=clocks)  # without doubt nobody sees it
    with pytest.raises(CheckFailed):
        run(lazy, calls, clocks=clocks, doubt=True)


def test_a_core_that_never_answers_is_told_with_every_handshake(
    crc32: Path, replace: Replace
) -> None:
    replace(crc32 / "crc32.v", "assign m_axis_tvalid = giving_q;", "assign m_axis_tvalid = 1'b0;")
    broken = wrapper.wrap(crc_design(crc32), 8)
    with pytest.raises(CheckFailed) as raised:
        run(broken, [crc_of(bytes(20))])
    assert re.search(
        r"no answer: nothing moved for \d+ us, with all of s_axis_tdata given, 0 bytes of packet 0 "
        r"of m_axis_tdata taken; at the DMA, s_axis_tvalid 0 ready 1, m_axis_tvalid 0 ready 1; at "
        r"the core, s_axis_tcore_valid 0 ready 0, m_axis_tcore_valid 0 ready 1; interrupt 0",
        str(raised.value),
    )


def test_a_wrong_output_is_told_with_word_and_cycle(crc32: Path, replace: Replace) -> None:
    replace(crc32 / "crc32.v", "32'hedb88320", "32'hedb88321")
    design, wave = crc_design(crc32), crc32 / "failure.vcd"
    setting = Setting(core_mhz=100, dma_mhz=100, link=LINK)
    with pytest.raises(CheckFailed) as raised:
        measure.measure(design, "hash", 100, setting, wave=wave)
    assert re.search(
        r"word 0 of packet \d+ of m_axis_tdata is [0-9a-f]{8}, not [0-9a-f]{8} \(cycle \d+ of the "
        r"core\)",
        str(raised.value),
    )
    assert "$enddefinitions" in wave.read_text()


def test_an_overflow_by_a_core_that_does_not_wait_is_told(crc32: Path, replace: Replace) -> None:
    """It gives its bytes whether they are taken or not; the FIFO is full after 64 words."""
    text = crc32 / "crc32.v"
    replace(text, "wire give = m_axis_tvalid && m_axis_tready;", "wire give = m_axis_tvalid;")
    broken = wrapper.wrap(crc_design(crc32), 8)
    calls = [[crc_of(bytes([n])) for n in range(100)]]
    steps = [
        *model.arguments(broken, calls[0], 0, delay=5_000),
        *(model.start(), *model.enable(), *model.collect(broken)),
    ]
    with pytest.raises(CheckFailed) as raised:
        run(broken, calls, accesses=steps)
    assert "a word overflowed: the core did not wait for tready" in str(raised.value)


def test_the_code_tells_a_word_that_was_taken_back(crc32: Path, replace: Replace) -> None:
    """A word that changes while it waits, though as many come as should."""
    text = crc32 / "crc32.v"
    blink = "assign m_axis_tlast  = given_q == 2'd3;\n  assign m_axis_tkeep  = m_axis_tready;"
    replace(text, "assign m_axis_tlast  = given_q == 2'd3;", blink)
    replace(text, "assign m_axis_tkeep  = 1'b1;", "")
    broken = wrapper.wrap(crc_design(crc32), 8)
    calls = [[crc_of(bytes([n])) for n in range(100)]]
    steps = [
        *(*model.arguments(broken, calls[0], 0, delay=5_000), *model.enable(), model.start()),
        *model.collect(broken),
    ]
    ran = run(broken, calls, accesses=steps)
    [code] = [v for step, v in zip(steps, ran.values, strict=True) if step.kind == Kind.READ]
    assert code == 1


def test_registers_written_in_mid_job_are_of_the_next(wrapped: Wrapped) -> None:
    calls = [crc_of(bytes(3_000)), crc_of(b"the next")]
    rubbish = [
        Access(Kind.WRITE, step.address, 0xDEADBEEF)
        for step in model.arguments(wrapped, [calls[0]], 0)
    ]
    steps = [*model.arguments(wrapped, [calls[0]], 0), *model.enable(), model.start(), *rubbish]
    steps += [*model.arguments(wrapped, [calls[1]], 1), model.start()]
    steps += model.collect(wrapped) * 2
    run(wrapped, calls, accesses=steps)


def test_a_start_with_wrong_registers_is_told(wrapped: Wrapped) -> None:
    call = crc_of(b"some")
    steps = [*model.arguments(wrapped, [call, call], 0), *model.enable(), model.start()]
    with pytest.raises(CheckFailed, match="the DMA was told 8 bytes at address 0 as the source of"):
        run(wrapped, [call], accesses=[*steps, *model.collect(wrapped)])


def test_the_start_delay_delays(wrapped: Wrapped) -> None:
    times = []
    for delay in (0, 1_000):
        steps = [*model.enable(), *model.arguments(wrapped, [crc_of(b"x")], 0, delay=delay)]
        steps += [model.start(), *model.collect(wrapped), Access(Kind.MARK)]
        times.append(run(wrapped, [crc_of(b"x")], accesses=steps).values[-1])
    assert times[1] - times[0] == 1_000 * CLOCKS.dma_ps


def test_registers_have_one_description(wrapped: Wrapped) -> None:
    folder = wrapped.sources.files
    header = folder[f"{registers.TOP}_regs.h"].read_text()
    page = folder[f"{registers.TOP}_regs.md"].read_text()
    for item in wrapped.registers.registers:
        assert f"0x{item.offset:02x}" in header
        assert f"| 0x{item.offset:02x} |" in page
        assert item.what in page


@pytest.mark.parametrize(
    ("core", "dma", "message"),
    [
        (0, 100, "--core-mhz: must be 0.1 to 2000, not 0"),
        (100, float("nan"), "--dma-mhz: must be 0.1 to 2000, not nan"),
        (1000, 1, "--core-mhz, --dma-mhz: one clock is 1000 times the other\n  at most 50 times"),
    ],
)
def test_clocks_that_are_none_are_refused(core: float, dma: float, message: str) -> None:
    with pytest.raises(InputError) as raised:
        measure.check(Setting(core_mhz=core, dma_mhz=dma, link=LINK))
    assert str(raised.value) == message


def test_sizes_that_are_none_are_refused() -> None:
    operation = crc_design().primitive.operation("hash")
    with pytest.raises(InputError, match=r"--sizes: must be above 0, not 0"):
        measure.calls_of(operation, 0)
    [field] = operation.inputs
    words = msgspec.structs.replace(field, multiple=16)
    whole = msgspec.structs.replace(operation, inputs=(words,))
    with pytest.raises(InputError) as raised:
        measure.calls_of(whole, 1001)
    told = "hash takes multiples of 16 bytes, not 1001\n  the nearest: 992 or 1008"
    assert str(raised.value) == f"--sizes: {told}"
    # Without a field of any length a payload is many calls.
    fixed = msgspec.structs.replace(field, bytes=16)
    assert measure.calls_of(msgspec.structs.replace(operation, inputs=(fixed,)), 160) == (10, 16)


def test_what_no_simulation_reaches_is_refused() -> None:
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("uart"))
    operation = crc_design().primitive.operation("hash")
    with pytest.raises(InputError, match=r"--sizes: 5000000 bytes take 1\.3e\+10 cycles of sim"):
        measure.check_size(operation, 5_000_000, setting)
