# SPDX-License-Identifier: Apache-2.0
"""The FIFOs between two clocks, proven by induction for any two clocks (Yosys' SAT solver).

Of `fifo_async` its own file says how pointers keep within a lap; `formal/fifo_data.vh` adds that
what goes in comes out, in order. `formal/fifo_transfer.vh` has the transfers of `fifo_out`: their
length, the delay of the first word, the end after the last. Induction makes them proofs of any
number of cycles; they are of FIFOs of 4 words (slow: 16) of 1 or 2 bits, out of reset.

Each proof is tried on broken FIFOs, too: it must fail there.
"""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.base import proc
from lydite.cores.catalog import FOLDER
from lydite.tools import yosys

RTL = FOLDER / "common" / "rtl"
FORMAL = Path(__file__).with_name("formal")
Replace = Callable[[Path, str, str], None]
FILES = ("crossing.v", "fifo_async.v", "fifo_out.v")
SCRIPT = """read_verilog -sv -formal -DLYDITE_FORMAL crossing.v fifo_async.v fifo_out.v
chparam -set WIDTH {width} -set DEPTH_BITS {bits} {top}
prep -top {top} -flatten
memory_map
clk2fflogic
opt -fast
sat -tempinduct -prove-asserts -set-assumes -set-init-zero -maxsteps 4 -timeout 60 -verify
"""


@pytest.fixture
def rtl(tmp_path: Path) -> Path:
    for name in FILES:
        shutil.copyfile(RTL / name, tmp_path / name)
    return tmp_path


@pytest.fixture
def data(rtl: Path, replace: Replace) -> Path:
    return added(rtl, "fifo_async.v", "fifo_data.vh", replace)


@pytest.fixture
def transfer(data: Path, replace: Replace) -> Path:
    return added(data, "fifo_out.v", "fifo_transfer.vh", replace)


def added(folder: Path, name: str, claims: str, replace: Replace) -> Path:
    """Put claims into a copy of a module, before its end."""
    replace(folder / name, "endmodule\n", (FORMAL / claims).read_text() + "endmodule\n")
    return folder


def proven(folder: Path, bits: int, *, top: str = "fifo_async", width: int = 1) -> bool:
    (folder / "prove.ys").write_text(SCRIPT.format(top=top, width=width, bits=bits))
    tool = yosys.find()
    run = proc.run(yosys.command(tool, "prove.ys"), cwd=folder, timeout_s=120, name=tool.name)
    assert "Import proof for assert" in run.output, run.output
    return run.rc == 0 and "Induction step proven: SUCCESS!" in run.output


BITS = [2, pytest.param(4, marks=pytest.mark.slow)]


@pytest.mark.parametrize("bits", BITS)
def test_no_word_is_lost_or_made(rtl: Path, bits: int) -> None:
    assert proven(rtl, bits)


@pytest.mark.parametrize("bits", BITS)
def test_what_goes_in_comes_out_in_order(data: Path, bits: int) -> None:
    assert proven(data, bits, width=2)


@pytest.mark.parametrize("bits", BITS)
def test_transfer_gives_its_packets_after_its_delay(transfer: Path, bits: int) -> None:
    assert proven(transfer, bits, top="fifo_out")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        # Pointers that cross in binary.
        ("wr_gray_d = wr_d ^ (wr_d >> 1)", "wr_gray_d = wr_d"),
        # Full a word too late.
        ("wire wr_push = wr_valid_i & ~full_q;", "wire wr_push = wr_valid_i;"),
        # Read though nothing is there.
        ("rd_fetch = (rd_gray != wr_gray_seen) & ", "rd_fetch = "),
    ],
    ids=["binary", "overflow", "underflow"],
)
def test_a_broken_fifo_is_not_proven(rtl: Path, replace: Replace, old: str, new: str) -> None:
    replace(rtl / "fifo_async.v", old, new)
    assert not proven(rtl, 2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("memory[wr_q[TOP-1:0]] <= wr_data_i", "memory[wr_q[TOP-1:0]] <= ~wr_data_i"),
        ("data_q <= memory[rd_q[TOP-1:0]]", "data_q <= memory[~rd_q[TOP-1:0]]"),
        ("(valid_q & ~rd_ready_i)", "1'b0"),
        ("& (~valid_q | rd_ready_i)", ""),
    ],
    ids=["changed", "out of order", "taken back", "written over"],
)
def test_broken_data_are_not_proven(data: Path, replace: Replace, old: str, new: str) -> None:
    replace(data / "fifo_async.v", old, new)
    assert not proven(data, 2, width=2)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("else if (pass & rd_last_o) left_q", "else if (pass) left_q"),
        ("else if (there & (wait_q != 32'd0)) wait_q", "else if (wait_q != 32'd0) wait_q"),
        ("(left_q != 32'd0) & (wait_q == 32'd0)", "(wait_q == 32'd0)"),
        ("(left_q != 32'd0) & (wait_q == 32'd0)", "(left_q != 32'd0)"),
        ("assign rd_valid_o = there & open;", "assign rd_valid_o = there & open & rd_ready_i;"),
        (".rd_ready_i(open & rd_ready_i)", ".rd_ready_i(rd_ready_i)"),
    ],
    ids=["words", "delay", "past its end", "no delay", "waits for ready", "lost before its start"],
)
def test_broken_transfers_are_not_proven(
    transfer: Path, replace: Replace, old: str, new: str
) -> None:
    replace(transfer / "fifo_out.v", old, new)
    assert not proven(transfer, 2, top="fifo_out")
