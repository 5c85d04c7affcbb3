# SPDX-License-Identifier: Apache-2.0
"""Pieces of Verilog text: literals, signals that know which of their bits are used."""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.contract.diagnostics import place


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


def comment(where: str) -> str:
    """Give a trailing comment with a place, or nothing."""
    return f"  // {place(where)}" if where else ""


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
