# SPDX-License-Identifier: Apache-2.0
"""Pieces of Verilog text: literals, names, signals that know which of their bits are used."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from lydite.hls.topargs import VERILOG_KEYWORDS


def literal(width: int, value: int) -> str:
    """Give a sized constant: decimal when short, else hexadecimal."""
    if width == 1:
        return f"1'b{value}"
    if value < 10:
        return f"{width}'d{value}"
    return f"{width}'h{value:x}"


def span(width: int) -> str:
    """Give a range with a trailing space, nothing for a single bit."""
    return f"[{width - 1}:0] " if width > 1 else ""


def place(where: str) -> str:
    """Give `file:line` without folders, since output does not depend on where sources lie."""
    if not where:
        return ""
    file, _, line = where.rpartition(":")
    return f"{PurePosixPath(file).name}:{line}"


def comment(where: str) -> str:
    """Give a trailing comment with a place, or nothing."""
    return f"  // {place(where)}" if where else ""


@dataclass(slots=True)
class Names:
    """Hands out names that are unique in a module."""

    taken: set[str] = field(default_factory=lambda: set(VERILOG_KEYWORDS))

    def give(self, wanted: str, ends: Collection[str] = ()) -> str:
        """Give a legal name, the wanted one if it is free, and so with each of these ends."""
        clean = "".join(c if (c.isalnum() and c.isascii()) or c == "_" else "_" for c in wanted)
        if not clean or clean[0].isdigit():
            clean = f"v{clean}"
        name, number = clean, 1
        while not self.taken.isdisjoint((name, *(f"{name}{end}" for end in ends))):
            number += 1
            name = f"{clean}_{number}"
        self.taken |= {name, *(f"{name}{end}" for end in ends)}
        return name


@dataclass(slots=True)
class Signal:
    """A named signal; `used` has a bit for each of its bits that something reads."""

    name: str
    width: int
    used: int = 0

    def all(self) -> str:
        """Read all of it."""
        self.used |= (1 << self.width) - 1
        return self.name

    def bits(self, low: int, width: int) -> str:
        """Read some of its bits."""
        if width == self.width:
            return self.all()
        self.used |= ((1 << width) - 1) << low
        if width == 1:
            return f"{self.name}[{low}]"
        return f"{self.name}[{low + width - 1}:{low}]"

    @property
    def waiver(self) -> tuple[str, str]:
        """What goes before and after its declaration if some bits are never read."""
        if self.used == (1 << self.width) - 1:
            return "", ""
        reason = "  // some bits have no reader" if self.used else "  // no reader"
        return (
            "/* verilator lint_off UNUSEDSIGNAL */ ",
            f" /* verilator lint_on UNUSEDSIGNAL */{reason}",
        )
