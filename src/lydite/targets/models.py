# SPDX-License-Identifier: Apache-2.0
"""What the cells of a family do: simulation models as data, for the proof of a mapped netlist.

A family's file is `cells/<family>.toml`, by cell type, and `cells/<family>-routed.toml` for the
cells that place and route makes of these (`tools.routed`). A cell of logic or a register is told in
expressions over its pins; a block RAM or a multiplier is a Verilog module of ours beside the file.
What a model does not do is refused by name (docs/targets.md).
"""

from __future__ import annotations

import fnmatch
import functools
from collections.abc import Mapping
from pathlib import Path

import msgspec

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data

FOLDER = Path(__file__).parent / "cells"
# Families whose cells after place and route have models, too.
ROUTED = tuple(sorted(path.stem.removesuffix("-routed") for path in FOLDER.glob("*-routed.toml")))


class Register(Data, frozen=True, kw_only=True):
    """A flip-flop, in expressions over the cell's pins and settings.

    Attributes
    ----------
    q, clock : str
        Pins.
    next : str
        What it takes at the clock's edge.
    falling : str
        1 where that edge is the falling one.
    clear : str
        While this is 1, and without a clock, it holds `value`.
    value, init : str
        What it holds then, and after configuration.
    """

    q: str
    clock: str
    next: str
    falling: str = "0"
    clear: str = "0"
    value: str = "0"
    init: str = "0"


class Cell(Data, frozen=True, kw_only=True):
    """The model of a cell type.

    Attributes
    ----------
    logic : tuple of str
        Lines `net = expression`, over at most four pins and nets of earlier lines each. A net of a
        pin's name is that pin, `CO_2` bit 2 of a pin CO of several. `TABLE[A, B, C, D]` is the bit
        of a parameter, A the lowest digit of its number.
    register : Register, optional
        Its flip-flop.
    model : tuple of str
        Verilog files, instead of both: the first has a module of the cell's name.
    settings : mapping
        Name in expressions to `{of = parameter, VALUE = 0 or 1, ...}`; the first value stands where
        the cell does not say. A value that is not listed is not simulated.
    allowed : mapping
        Parameters of a `model` to the values that it simulates.
    content : tuple of str
        Parameters (shell patterns) with any value, to be handed to a `model`.
    ignored : tuple of str
        Parameters without a meaning for what the cell does.
    absent : tuple of str
        Pins (shell patterns) that a `model` has not: outputs read 0, inputs must be constants.
    through : tuple of str
        Input pins (shell patterns) of a `model` that its outputs follow without a clock: a netlist
        is right without, but slow to simulate.
    unconnected : mapping
        Input pin (a shell pattern) to what it reads where nothing drives it.
    """

    logic: tuple[str, ...] = ()
    register: Register | None = None
    model: tuple[str, ...] = ()
    settings: dict[str, dict[str, str | int]] = msgspec.field(default_factory=dict)
    allowed: dict[str, tuple[str, ...]] = msgspec.field(default_factory=dict)
    content: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ("GSR",)
    absent: tuple[str, ...] = ()
    through: tuple[str, ...] = ()
    unconnected: dict[str, int] = msgspec.field(default_factory=dict)

    def open_pin(self, pin: str) -> int | None:
        """Give what an input pin reads that nothing drives; None if that is not known."""
        for pattern, value in self.unconnected.items():
            if fnmatch.fnmatchcase(pin, pattern):
                return value
        return None


class Models(msgspec.Struct, frozen=True):
    """The models of a family, by cell type, and the file that they stand in."""

    cells: Mapping[str, Cell]
    path: Path

    @property
    def files(self) -> tuple[Path, ...]:
        """All files that they are made of."""
        named = {name for cell in self.cells.values() for name in cell.model}
        return (self.path, *(FOLDER / name for name in sorted(named)))


@functools.cache
def models(family: str) -> Models:
    """Give the models of a family.

    Raises
    ------
    InputError
        It has none, or its file breaks the contract.
    """
    path = FOLDER / f"{family}.toml"
    if not path.exists():
        raise InputError(
            f"targets/cells/{family}.toml",
            "this family has no models of its cells",
            "without them no netlist can be proven: write them, or see --prove-netlist",
        )
    cells = schema.load(path, dict[str, Cell], "a family's models")
    return Models(cells, path)
