# SPDX-License-Identifier: Apache-2.0
"""Designs of the study of SHA-3 candidates, read from what was found of them.

Throughput is of long messages: bits of a block by cycles a block, at the routed clock, ports
included.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lydite.runs.record import Record
from lydite.studies.study import Found
from lydite.studies.theirs import Theirs

TARGET = "ecp5-85k"
DESIGNS = ("rtl", "hls")
# Of a design, at most.
SEEDS = 5
HEADS = {"rtl": "RTL", "hls": "HLS"}
# Variants that stand for a function: of BMW as the thesis has it no routing ends.
VARIANTS = {"bmw-256": "-fold8"}

# Of the second round and not of the thesis: name and bits of a block.
_OTHERS = {"simd-256": ("SIMD", 512)}


def functions(theirs: Theirs) -> dict[str, tuple[str, int]]:
    """Give the functions: of each primitive the name and the bits of a block."""
    tables = (theirs.named("table-2-2"), theirs.named("table-4-2"))
    rows = [row for one in tables for row in one.records()]
    of = {str(row["primitive"]): (str(row["algorithm"]), int(row["block_bits"])) for row in rows}
    return of | _OTHERS


def label_of(name: str, design: str) -> str:
    """Give the label of the design that stands for `rtl` or `hls` of a primitive."""
    return f"{name}/{design}{VARIANTS.get(name, '')}"


@dataclass(frozen=True)
class Mapped:
    """A design that was proven and mapped, and placed if it has clocks: only then has it rates."""

    found: Found
    primitive: str
    design: str
    block_bits: int

    @property
    def _timing(self) -> dict[str, Any]:
        timing: dict[str, Any] = self._result("verify")["operations"][0]["timing"]
        return timing

    def _result(self, kind: str) -> dict[str, Any]:
        found = self.found.result(f"{kind} {label_of(self.primitive, self.design)}")
        assert found is not None, "it was proven and mapped"
        return found

    @property
    def cycles(self) -> float:
        """From block to block of a long message."""
        return float(self._timing["cycles_per_block"]["mean"])

    @property
    def totals(self) -> Mapping[int, int]:
        """Cycles of whole messages of so many blocks."""
        return {blocks: int(one["mean"]) for blocks, one in self._timing["total_cycles"] or ()}

    def area(self, unit: str) -> float:
        """Give how many of a unit the core alone takes: `lut4`, `ff`, `bram`, `dsp`."""
        return float(self._result("map")["area"][unit])

    @property
    def lut4(self) -> float:
        """Look-up tables, of the core alone."""
        return self.area("lut4")

    @property
    def mhz(self) -> tuple[float, ...]:
        """Its clock under each seed, ports included."""
        return clocks(self.found, label_of(self.primitive, self.design))

    @property
    def key(self) -> str:
        """Of the run behind the first clock."""
        return _placements(self.found, label_of(self.primitive, self.design))[0].key

    @property
    def median_mhz(self) -> float:
        """Median of the clocks."""
        return statistics.median(self.mhz)

    @property
    def rates(self) -> tuple[float, ...]:
        """Mb/s under each seed."""
        cycles = self.cycles
        return tuple(self.block_bits * mhz / cycles for mhz in self.mhz)

    @property
    def rate(self) -> float:
        """Mb/s at the median clock."""
        return self.block_bits * self.median_mhz / self.cycles

    @property
    def efficiency(self) -> float:
        """Mb/s a thousand LUT4."""
        return 1000 * self.rate / self.lut4


def _placements(found: Found, label: str) -> list[Record]:
    """Give the placements of a design that there are."""
    tried = (found.get(f"place {label} {index}") for index in range(SEEDS))
    return [one for one in tried if one is not None]


def clocks(found: Found, label: str) -> tuple[float, ...]:
    """Give the clocks of a design, in MHz, under the seeds that a routing ended under."""
    return tuple(float(one.result["fmax_mhz"]) for one in _placements(found, label))


def read(found: Found, name: str, design: str, block_bits: int) -> Mapped | None:
    """Read a design of a primitive; None if it was not proven or not mapped."""
    label = label_of(name, design)
    if any(found.get(f"{kind} {label}") is None for kind in ("verify", "map")):
        return None
    return Mapped(found, name, design, block_bits)
