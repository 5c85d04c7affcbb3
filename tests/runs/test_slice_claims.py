# SPDX-License-Identifier: Apache-2.0
"""Accelerators of a core whose time varies: their claims are ranges, which a bench holds."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

import pytest
from small_cores import of

from lydite.base import CheckFailed
from lydite.cores import Design
from lydite.runs.generated import slices
from lydite.runs.generated.slice_queue import Queue
from lydite.sim.stream import message
from lydite.sim.verify import open_model, verify

Replace = Callable[[Path, str, str], None]
Waits = Callable[[str, str], Design]
SLICES = 3
# What the core waits for after a byte: the data, or that few bytes have come.
DATA, START = "crc_d[0]", "count_q < 4'd9"
CLAIMS = """cycles_per_block = [1, 2]
latency_cycles = [5, 6]
cycles_per_message = [5, 6]
"""


@pytest.fixture
def waits(crc32: Path, replace: Replace) -> Waits:
    """Give a function that makes the example wait a cycle after bytes for which something holds,
    with claims that say so.
    """

    def make(when: str, claims: str) -> Design:
        verilog, told = crc32 / "crc32.v", crc32 / "core.toml"
        ready = "assign s_axis_tready = !giving_q"
        replace(
            verilog,
            f"  {ready};\n",
            f"  reg waits_q;\n  reg [3:0] count_q;\n  {ready} && !waits_q;\n"
            "  always @(posedge clk) begin\n"
            f"    waits_q <= !rst && take && !s_axis_tlast && {when};\n"
            "    if (rst || giving_q) count_q <= 4'd0;\n"
            "    else if (take && count_q != 4'd15) count_q <= count_q + 4'd1;\n"
            "  end\n",
        )
        replace(
            told,
            'claims.hash = { cycles_per_block = "1", latency_cycles = "1 + 4" }\n',
            f"[design.claims.hash]\n{claims}",
        )
        return of(told)

    return make


@pytest.mark.parametrize("queue", [None, Queue(by="round-robin"), Queue(by="hash")])
def test_time_that_depends_on_data_is_claimed_as_ranges(
    waits: Waits, tmp_path: Path, queue: Queue | None
) -> None:
    design = waits(DATA, CLAIMS)
    made = of(slices.write(design, SLICES, tmp_path / "a", queue=queue))
    # A byte in one or two cycles of a slice, as the core claims.
    lanes = 1 if queue else SLICES
    assert made.claim("hash", "cycles_per_block") == (Fraction(1, lanes), Fraction(2, lanes))
    [found] = verify(made).operations
    assert found.timing.cycles_per_block is not None
    assert found.timing.cycles_per_block.least < found.timing.cycles_per_block.most


def test_range_that_no_measured_message_fills_is_claimed(waits: Waits, tmp_path: Path) -> None:
    design = waits(START, CLAIMS.replace("[5, 6]", "5"))
    path = slices.write(design, SLICES, tmp_path / "a")
    made = of(path)
    # All messages of a length take as long, which is still told as a range: it is measured as one.
    assert "latency_cycles = [" in path.read_text()
    [found] = verify(made).operations
    measured, claim = found.timing.cycles_per_block, made.claim("hash", "cycles_per_block")
    assert measured is not None and measured.least == measured.most
    assert claim == (Fraction(1, SLICES), Fraction(2, SLICES))
    # A long one takes less for a byte than any that was measured, as claimed.
    size = 900
    with open_model(made) as model:
        ends = model.cycles_of([message(bytes(size), bytes(4))] * SLICES)
    each = max(one.last_out for one in ends) / (SLICES * size)
    assert claim[0] < each < measured.least


def test_range_of_one_value_says_that_time_varies(waits: Waits, tmp_path: Path) -> None:
    # Of a byte nothing is claimed, and a call of one takes as long whatever it is.
    design = waits("count_q == 4'd7", "latency_cycles = [5, 5]\n")
    made = of(slices.write(design, SLICES, tmp_path / "a"))
    assert made.claim("hash", "latency_cycles") is not None
    assert isinstance(made.claims["hash"].latency_cycles, tuple)


def test_range_holds_the_accelerator(waits: Waits, tmp_path: Path, replace: Replace) -> None:
    path = slices.write(waits(DATA, CLAIMS), SLICES, tmp_path / "a")
    # One that waits two cycles is slower under some data than the range has it.
    twice = "  reg again_q;\n  always @(posedge clk) again_q <= waits_q;\n"
    replace(path.parent / "crc32.v", "  reg waits_q;\n", f"  reg waits_q;\n{twice}")
    replace(path.parent / "crc32.v", "&& !waits_q;", "&& !waits_q && !again_q;")
    with pytest.raises(CheckFailed, match=r"rtl-x3: cycles_per_block\n") as caught:
        verify(of(path))
    assert caught.value.expected.endswith("as core.toml claims")


def test_range_that_a_slice_does_not_keep_is_told(waits: Waits, tmp_path: Path) -> None:
    design = waits(DATA, CLAIMS.replace("[1, 2]", '[1, "5 / 4"]'))
    with pytest.raises(CheckFailed, match="crc32/rtl: cycles_per_block") as caught:
        slices.write(design, SLICES, tmp_path / "a")
    assert caught.value.expected == "1 to 1.25 as core.toml claims"
    assert not (tmp_path / "a" / "core.toml").exists()
