# SPDX-License-Identifier: Apache-2.0
"""The asynchronous FIFO, proven by induction for any two clocks (Yosys' SAT solver).

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
Replace = Callable[[Path, str, str], None]
SCRIPT = """read_verilog -sv -formal -DLYDITE_FORMAL crossing.v fifo_async.v
chparam -set WIDTH 1 -set DEPTH_BITS {bits} fifo_async
prep -top fifo_async -flatten
memory_map
clk2fflogic
opt -fast
sat -tempinduct -prove-asserts -set-assumes -set-init-zero -maxsteps 4 -timeout 60 -verify
"""


@pytest.fixture
def rtl(tmp_path: Path) -> Path:
    for name in ("crossing.v", "fifo_async.v"):
        shutil.copyfile(RTL / name, tmp_path / name)
    return tmp_path


def proven(folder: Path, bits: int) -> bool:
    (folder / "prove.ys").write_text(SCRIPT.format(bits=bits))
    tool = yosys.find()
    run = proc.run(yosys.command(tool, "prove.ys"), cwd=folder, timeout_s=120, name=tool.name)
    assert "Import proof for assert" in run.output, run.output
    return run.rc == 0 and "Induction step proven: SUCCESS!" in run.output


@pytest.mark.parametrize("bits", [2, pytest.param(4, marks=pytest.mark.slow)])
def test_no_word_is_lost_or_made(rtl: Path, bits: int) -> None:
    assert proven(rtl, bits)


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
