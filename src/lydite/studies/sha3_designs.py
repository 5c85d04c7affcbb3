# SPDX-License-Identifier: Apache-2.0
"""Designs of the study of SHA-3 candidates, read from what was found of them.

Throughput is of long messages: bits of a block by cycles a block, at the routed clock, ports
included.
"""

from __future__ import annotations

import statistics
from collections.abc import Mapping
from dataclasses import dataclass

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
    """A design that was proven and mapped, and placed if it has clocks.

    Attributes
    ----------
    cycles : float
        From block to block of a long message.
    totals : mapping of int to int
        Cycles of whole messages of so many blocks.
    mhz : tuple of float
        Its clock under each seed, ports included; only of one that has some is there a rate.
    key : str
        Of the run behind the first clock, or behind the area.
    """

    primitive: str
    design: str
    block_bits: int
    cycles: float
    totals: Mapping[int, int]
    lut4: float
    ff: float
    mhz: tuple[float, ...]
    key: str

    @property
    def median_mhz(self) -> float:
        """Median of the clocks."""
        return statistics.median(self.mhz)

    @property
    def rates(self) -> tuple[float, ...]:
        """Mb/s under each seed."""
        return tuple(self.block_bits * mhz / self.cycles for mhz in self.mhz)

    @property
    def rate(self) -> float:
        """Mb/s at the median clock."""
        return self.block_bits * self.median_mhz / self.cycles

    @property
    def efficiency(self) -> float:
        """Mb/s a thousand LUT4."""
        return 1000 * self.rate / self.lut4


def _placements(found: Found, label: str) -> dict[str, float]:
    """Give the placements of a design that there are: each one's clock in MHz, by its point."""
    results = {at: found.result(at) for at in (f"place {label} {index}" for index in range(SEEDS))}
    return {at: float(one["fmax_mhz"]) for at, one in results.items() if one is not None}


def clocks(found: Found, label: str) -> tuple[float, ...]:
    """Give the clocks of a design, in MHz, under the seeds that a routing ended under."""
    return tuple(_placements(found, label).values())


def read(found: Found, name: str, design: str, block_bits: int) -> Mapped | None:
    """Read a design of a primitive; None if it was not proven or not mapped."""
    label = label_of(name, design)
    proof, mapped = found.result(f"verify {label}"), found.result(f"map {label}")
    if proof is None or mapped is None:
        return None
    placements = _placements(found, label)
    timing = proof["operations"][0]["timing"]
    [key, *_] = found.keys(next(iter(placements), f"map {label}"))
    return Mapped(
        name,
        design,
        block_bits,
        float(timing["cycles_per_block"]["mean"]),
        {blocks: int(cycles["mean"]) for blocks, cycles in timing["total_cycles"] or ()},
        float(mapped["area"]["lut4"]),
        float(mapped["area"]["ff"]),
        tuple(placements.values()),
        key,
    )
