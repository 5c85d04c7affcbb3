# SPDX-License-Identifier: Apache-2.0
"""Boards: each file fits together, and what cannot be is refused with its place."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lydite.base import InputError
from lydite.targets import boards
from lydite.targets.boards import BOARDS

NAMES = (
    *("ecpix5-45f", "ecpix5-85f", "hx8k", "icebreaker", "orangecrab-25f", "orangecrab-85f"),
    *("ulx3s-12f", "ulx3s-25f", "ulx3s-45f", "ulx3s-85f"),
)


def test_boards_are_those_of_the_files() -> None:
    assert tuple(one.name for one in boards.boards()) == NAMES
    assert {one.board.name for one in boards.boards()} == {p.stem for p in BOARDS.glob("*.toml")}


@pytest.mark.parametrize("name", NAMES)
def test_board_fits_together(name: str) -> None:
    one = boards.find(name)
    board = one.board
    assert board.source and board.uart and "by us" in boards.UNTRIED
    # Each of them divides its crystal to a bit of the UART, with nothing left.
    assert board.crystal_mhz * 1_000_000 == board.baud * board.divider
    sites = re.findall(r'SITE "(\w+)"|(?m:^set_io .* (\w+)$)', one.constraints)
    found = ["".join(pair) for pair in sites]
    pins = [board.clock, board.rx, board.tx, board.led, *board.tied]
    pins += [board.button] if board.button else []
    assert sorted(found) == sorted({pin.site for pin in pins})
    assert one.flags[one.flags.index("--package") + 1] == board.package
    assert not any("unconstrained" in flag for flag in one.flags)
    assert (board.packer == "ecppack") == (one.kind == "ecp5")


def test_constraints_are_as_tools_read_them() -> None:
    text = boards.find("ulx3s-12f").constraints
    assert 'LOCATE COMP "rx_i" SITE "M1";\nIOBUF PORT "rx_i" IO_TYPE=LVCMOS33 PULLMODE=UP;' in text
    assert "set_io -pullup yes rx_i B10\nset_io tx_o B12\n" in boards.find("hx8k").constraints


def test_unknown_board_is_refused() -> None:
    with pytest.raises(InputError) as raised:
        boards.find("ulx4s")
    known = ", ".join(NAMES)
    assert str(raised.value) == f"--board: no such board: 'ulx4s'\n  there are: {known}"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.toml"
    path.write_text((BOARDS / "ulx3s.toml").read_text())
    return path


def test_board_of_ones_own_is_found(own: Path) -> None:
    assert boards.find(str(own)).name == "ulx3s-12f"
    assert boards.find(f"{own}:ulx3s-85f").target.name == "ecp5-85k-6"
    with pytest.raises(InputError, match="no such board: 'x'"):
        boards.find(f"{own}:x")


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ("schema = 1", "schema = 2", "schema: version 2 is not known"),
        ('clock_mhz = "25"', 'clock_mhz = "fast"', "clock_mhz: not a frequency in MHz: 'fast'"),
        ('clock_mhz = "25"', 'clock_mhz = "0"', "clock_mhz: not a frequency in MHz: '0'"),
        ('clock_mhz = "25"', 'clock_mhz = "5"', "clock_mhz: the PLL takes 10 to 400 MHz, not 5"),
        ("words = 512", "words = 500", "words: a power of two of at least 16, not 500"),
        ("baud = 1_000_000", "baud = 0", "baud: 0 baud are 0.00 cycles of 25 MHz a bit"),
        ("baud = 1_000_000", "baud = 5_500_000", "baud: 5500000 baud are 4.55 cycles of 25 MHz"),
        ('target = "ecp5-12k-6"', 'target = "nexus-40k"', "variant.ulx3s-12f: no such part"),
        ('target = "ecp5-12k-6"', 'target = "nexus-40k-7"', "variant.ulx3s-12f: "),
        ("note =", "colour =", "unknown field `colour`"),
    ],
)
def test_wrong_file_is_refused(own: Path, before: str, after: str, message: str) -> None:
    text = own.read_text()
    assert before in text
    own.write_text(text.replace(before, after))
    with pytest.raises(InputError) as raised:
        boards.find(str(own))
    assert message in str(raised.value)
    assert str(own) in str(raised.value)
