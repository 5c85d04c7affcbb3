# SPDX-License-Identifier: Apache-2.0
"""Boards as data: part and package, crystal, pins of the UART, who packs and who programs.

A board is one TOML file of `boards/`, or a user's own; each fact has its source in the file. None
of them was ever used by us: see docs/boards.md.
"""

from __future__ import annotations

import functools
import os
import re
from fractions import Fraction
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.targets import pll
from lydite.targets.family import FOLDER, Target
from lydite.targets.family import find as find_target
from lydite.targets.pll import Kind

BOARDS = FOLDER / "boards"
UNTRIED = "never run on a real board by us"


class Pin(Data, frozen=True, kw_only=True):
    """A pin of the package, and what its pad is.

    Attributes
    ----------
    site : str
        Where it is: `G2`, `35`.
    io : str
        I/O type, as the constraints of the family name it; empty where it has no choice.
    pull : str
        `up`, `down` or none.
    low : bool
        Whether it is active low: a button, a light.
    """

    site: str
    io: str = ""
    pull: Literal["", "up", "down"] = ""
    low: bool = False


class Variant(Data, frozen=True, kw_only=True):
    """A part that the board comes with: its target with speed grade, as `--target` takes it."""

    name: str
    target: str


class Board(Data, frozen=True, kw_only=True):
    """A board.

    Attributes
    ----------
    name, title, source : str
        On the command line; in full; where pins, part and crystal are told.
    variant : tuple of Variant
        The parts it comes with; the name on the command line is that of the variant.
    package : str
        As nextpnr names it.
    clock_mhz : str
        Of the crystal, exact: `25`, `14.318`.
    clock, rx, tx, led : Pin
        Crystal; the UART's lines as the FPGA sees them; a light that is on while the PLL is locked.
    clock_through_pll : bool
        Whether the crystal's pin belongs to the PLL's pad, so that all has its clock through it.
    button : Pin, optional
        Resets the bridge.
    tied : tuple of Pin
        Pins to be driven, high unless they are active low.
    uart : str
        How the host reaches the UART.
    baud : int
        Of the UART: divides the crystal.
    packer : str
        What makes the bitstream.
    loader : tuple of str
        Arguments of openFPGALoader, in front of the file.
    words : int
        Words of a FIFO: a power of two, what a block RAM of the part holds.
    note : str
        What else to know.
    """

    schema: int
    name: str
    title: str
    source: str
    variant: tuple[Variant, ...]
    package: str
    clock_mhz: str
    clock: Pin
    clock_through_pll: bool = False
    rx: Pin
    tx: Pin
    led: Pin
    button: Pin | None = None
    tied: tuple[Pin, ...] = ()
    uart: str
    baud: int
    packer: Literal["ecppack", "icepack"]
    loader: tuple[str, ...]
    words: int
    note: str = ""

    @property
    def crystal_mhz(self) -> Fraction:
        """Frequency of the crystal in MHz."""
        return Fraction(self.clock_mhz)

    @property
    def divider(self) -> int:
        """Cycles of the crystal that a bit of the UART takes."""
        return round(self.crystal_mhz * 1_000_000 / self.baud)


class Fitted(msgspec.Struct, frozen=True):
    """A board with one of its parts."""

    board: Board
    name: str
    target: Target

    @property
    def kind(self) -> Kind:
        """Which PLL it has."""
        return "ecp5" if self.target.family.name == "ecp5" else "ice40"

    @property
    def settings(self) -> tuple[pll.Setting, ...]:
        """The clocks that its PLL can make, rising."""
        return pll.reachable(self.kind, self.board.crystal_mhz)

    def nearest(self, wanted_mhz: float) -> pll.Setting:
        """Give the setting whose clock is nearest to one that is wanted."""
        return pll.nearest(self.kind, self.board.crystal_mhz, wanted_mhz)

    def middle(self, wanted_mhz: float | None) -> pll.Setting:
        """Give a setting for a first bitstream: the wanted clock, else one of about 50 MHz."""
        return self.nearest(50.0 if wanted_mhz is None else wanted_mhz)

    @property
    def flags(self) -> tuple[str, ...]:
        """Flags of nextpnr that choose part, package and speed grade.

        Unlike those of a target they let no port be where it likes: on a board it would be some
        pin.
        """
        target = self.target
        part = list(target.part.flags)
        part[part.index("--package") + 1] = self.board.package
        return (*part, *target.family.speeds.get(target.speed, ()))

    @property
    def constraints(self) -> str:
        """The constraints file: where each port is, and what its pad is."""
        board = self.board
        pins = {"clk_i": board.clock, "rx_i": board.rx, "tx_o": board.tx, "led_o": board.led}
        pins |= {"button_i": board.button} if board.button is not None else {}
        pins |= {f"tied_{n}_o": pin for n, pin in enumerate(board.tied)}
        write = _lpf if self.kind == "ecp5" else _pcf
        return "".join(f"{line}\n" for port, pin in pins.items() for line in write(port, pin))


def _lpf(port: str, pin: Pin) -> list[str]:
    pull = pin.pull.upper() or "NONE"
    return [
        f'LOCATE COMP "{port}" SITE "{pin.site}";',
        f'IOBUF PORT "{port}" IO_TYPE={pin.io} PULLMODE={pull};',
    ]


def _pcf(port: str, pin: Pin) -> list[str]:
    return [f"set_io {'-pullup yes ' if pin.pull == 'up' else ''}{port} {pin.site}"]


def load(path: Path) -> tuple[Fitted, ...]:
    """Read a board's file; one for each of its variants.

    Raises
    ------
    InputError
        The file cannot be read or says what cannot be.
    """
    board = schema.load(path, Board, "a board description")
    if board.schema != 1:
        raise InputError(f"{path}: schema", f"version {board.schema} is not known", "this is 1")
    if not re.fullmatch(r"\d+(\.\d+)?", board.clock_mhz) or not board.crystal_mhz:
        raise InputError(f"{path}: clock_mhz", f"not a frequency in MHz: {board.clock_mhz!r}")
    if board.words < 16 or board.words & (board.words - 1):
        raise InputError(f"{path}: words", f"a power of two of at least 16, not {board.words}")
    cycles = board.crystal_mhz * 1_000_000 / board.baud if board.baud > 0 else Fraction(0)
    # A receiver that samples ten bits has half a bit of room: 2 % leave most of it to the cable.
    if cycles < 4 or abs(cycles / board.divider - 1) > Fraction(2, 100):
        what = f"{board.baud} baud are {float(cycles):.2f} cycles of {board.clock_mhz} MHz a bit"
        raise InputError(f"{path}: baud", what, "at least 4, and within 2 % of a whole number")
    found = []
    for one in board.variant:
        target = find_target(one.target, where=f"{path}: variant.{one.name}")
        if target.family.name not in pll.LIMITS:
            what = f"{target.family.title} has no PLL that is known here"
            raise InputError(f"{path}: variant.{one.name}", what, f"one of {', '.join(pll.LIMITS)}")
        found.append(Fitted(board, one.name, target))
    if not found:
        raise InputError(f"{path}: variant", "a board has at least one")
    try:
        _ = found[0].settings
    except InputError as error:
        raise InputError(f"{path}: {error.where}", error.what, error.hint) from error
    return tuple(found)


@functools.cache
def boards() -> tuple[Fitted, ...]:
    """Give all boards of the project with each of their parts, by name of the file."""
    return tuple(one for path in sorted(BOARDS.glob("*.toml")) for one in load(path))


def find(name: str, *, where: str = "--board") -> Fitted:
    """Give the board of a name, or of a user's file (`my.toml`, or `my.toml:VARIANT`).

    Raises
    ------
    InputError
        There is none; the message lists those that there are.
    """
    path, _, variant = name.partition(":")
    if path.endswith(".toml") or os.sep in path:
        found = load(Path(path))
        if not variant:
            return found[0]
        name = variant
    else:
        found = boards()
    for one in found:
        if one.name == name.lower():
            return one
    known = ", ".join(one.name for one in found)
    raise InputError(where, f"no such board: {name!r}", f"there are: {known}")
