# SPDX-License-Identifier: Apache-2.0
"""What the study of BLAKE3 reads out of its records: cycles over sizes, times of jobs, software.

Cycles of a message of n chunks, n a power of two, are a n + b log2 n + c: each chunk and each
parent takes its own, and the way up to the root some a level. Where blocks take turns, what a level
takes hangs on the turn in which the last chunk ends, which comes again after so many doublings:
cycles are a n, and as many more for each three of them. Where a core is a loop in C, cycles are a t
+ c of its turns t, which are counted by running it natively. The first simulations give the line,
and it counts only where all others agree with it to the cycle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Self, TypeAlias

from lydite.studies.study import Found

PRIMITIVE, OPERATION = "blake3", "hash"
TARGET = "ecp5-85k"
MB, CHUNK = 1 << 20, 1 << 10
SHORT_BYTES = (64, 128, 256, 512, 1024)
LONG_BYTES = tuple(CHUNK << k for k in (6, 7, 8, 9))
# Doublings after which turns may come again: 2^3 = 1 modulo 7, the turns of a ring.
_PERIODS = (1, 3)
NOMINAL_MHZ, DMA_MHZ = 90.0, 100.0
# That of the document's board first.
LINK = "pcie3-x8"
# What is placed for a design: the same source with cells of the family, and the same cycles, which
# the proof of its netlist holds. Simulated is the one without: cells are 20 times as slow.
PLACED_AS = {"rtl-pipe": "rtl-pipe-ecp5", "rtl-ring": "rtl-ring-ecp5"}
LINKS = (LINK, "pcie1-x1", "pcie2-x4", "pcie3-x4", "pcie4-x8")


def placed_as(design: str) -> str:
    """Give the design that is placed for one that is simulated."""
    return PLACED_AS.get(design, design)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Line(ABC):
    """Cycles of messages, through some simulations and held against all others.

    Attributes
    ----------
    period : int
        Doublings of a message after which the line comes again: each must be held.
    given : tuple of int
        Sizes in bytes whose simulation gave the line.
    held : tuple of int
        Other sizes whose simulation agrees to the cycle.
    missed : tuple of (int, int, int)
        Those that do not: bytes, cycles simulated, cycles of the line.
    """

    period: int = 1
    given: tuple[int, ...]
    held: tuple[int, ...] = ()
    missed: tuple[tuple[int, int, int], ...] = ()

    @abstractmethod
    def at(self, size: int) -> int:
        """Give the cycles of a message of so many bytes; -1 where they are no whole number."""

    @property
    def holds(self) -> bool:
        """Whether all sizes agree, and one at least of each doubling of the period."""
        turns = {(size // CHUNK).bit_length() % self.period for size in self.held}
        return len(turns) == self.period and not self.missed

    def against(self, ran: Mapping[int, int]) -> Self:
        """Give the line, held against what was simulated beside the sizes that gave it."""
        others = [
            (size, ran[size], self.at(size)) for size in sorted(ran) if size not in self.given
        ]
        return replace(
            self,
            held=tuple(size for size, got, wanted in others if got == wanted),
            missed=tuple((size, got, wanted) for size, got, wanted in others if got != wanted),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Growth(_Line):
    """Cycles over chunks, of powers of two.

    Attributes
    ----------
    chunk : Fraction
        Cycles of each chunk.
    gain : Fraction
        By how much the rest grows in the doublings of a period.
    rests : tuple of (int, Fraction)
        Of so many neighbouring powers of two: the exponent, and what is not of chunks.
    """

    chunk: Fraction
    gain: Fraction
    rests: tuple[tuple[int, Fraction], ...]

    def at(self, size: int) -> int:
        """Give the cycles of a message of so many bytes, a power of two of chunks."""
        chunks = size // CHUNK
        assert chunks * CHUNK == size and chunks & (chunks - 1) == 0, f"{size} is no such size"
        doublings = chunks.bit_length() - 1
        [(base, rest)] = [one for one in self.rests if (doublings - one[0]) % self.period == 0]
        found = self.chunk * chunks + rest + self.gain * ((doublings - base) // self.period)
        return int(found) if found.denominator == 1 else -1

    def __str__(self) -> str:
        taken = f"n chunks take {float(self.chunk):g} n"
        if self.period > 1:
            return f"{taken}, and {float(self.gain):g} more each {self.period} doublings"
        [(base, rest)] = self.rests
        return f"{taken}{_more(self.gain, ' log2 n')}{_more(rest - self.gain * base)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class InTurns(_Line):
    """Cycles over turns of a core's loop.

    Attributes
    ----------
    turn : Fraction
        Cycles of each turn.
    rest : Fraction
        What is not of turns.
    turns : mapping
        Of messages by their bytes.
    """

    turn: Fraction
    rest: Fraction
    turns: Mapping[int, int]

    @property
    def chunk(self) -> Fraction:
        """Give the cycles that a chunk more takes, from the largest size but one on."""
        less, most = sorted(self.turns)[-2:]
        return self.turn * (self.turns[most] - self.turns[less]) / Fraction(most - less, CHUNK)

    def at(self, size: int) -> int:
        """Give the cycles of a message of so many bytes, one of those whose turns are counted."""
        found = self.turn * self.turns[size] + self.rest
        return int(found) if found.denominator == 1 else -1

    def __str__(self) -> str:
        taken = (
            f"t turns of the loop, counted where its C runs natively, take {float(self.turn):g} t"
        )
        return f"{taken}{_more(self.rest)}"


Law: TypeAlias = Growth | InTurns


@dataclass(frozen=True, slots=True)
class Times:
    """Seconds of one message in a testbed.

    Attributes
    ----------
    how : str
        `simulated`, or `by cycles`.
    """

    to_device: float
    compute: float
    from_device: float
    mhz: float
    how: str

    @property
    def total(self) -> float:
        """From the host's first access to its last."""
        return self.to_device + self.compute + self.from_device


class Figures:
    """Cycles, times and rates, by the names of points."""

    def __init__(self, found: Found) -> None:
        self.found = found

    def mhz(self, design: str) -> float | None:
        """Give the clock of a placement, as testbeds are run with it."""
        placed = self.found.result(f"place {placed_as(design)}")
        return round(float(placed["fmax_mhz"]), 3) if placed else None

    def message(self, design: str, size: int) -> dict[str, Any] | None:
        """Give the cycles of a message of the simulation of sizes."""
        ran = self.found.result(f"cycles {design}")
        return next((one for one in ran["messages"] if one["bytes"] == size), None) if ran else None

    def line(self, design: str) -> Law | None:
        """Give the cycles over sizes; None where too few were simulated."""
        ran = {n: one["alone_cycles"] for n in LONG_BYTES if (one := self.message(design, n))}
        ran |= dict(self._simulated(design))
        lines: list[Law] = [line for period in _PERIODS if (line := _growth(ran, period))]
        if (counted := self.found.result(f"turns {design}")) and len(ran) > 1:
            turns = {one["bytes"]: one["turns"] for one in counted["messages"]}
            lines.insert(0, _in_turns(ran, turns))
        return next((line for line in lines if line.holds), lines[0] if lines else None)

    def _simulated(self, design: str) -> Iterator[tuple[int, int]]:
        """Give sizes behind the testbed, with the cycles of the core alone."""
        for name in self.found.records:
            kind, _, rest = name.partition(" ")
            if kind not in ("nominal", "routed") or rest.split(" ")[0] != design:
                continue
            if (ran := self.found.result(name)) is not None:
                yield ran["bytes"], ran["alone_cycles"]

    def times(self, design: str, mb: int, link: str = LINK) -> Times | None:
        """Give the time of a message: at the clock of the placement, or where there is none at the
        nominal one; simulated, or by the cycles that simulations have shown.
        """
        for kind, mhz in (("routed", self.mhz(design)), ("nominal", NOMINAL_MHZ)):
            ran = self._ran(kind, design, link)
            if mhz is None or not ran:
                continue
            if mb in ran:
                return _times(ran[mb], mhz)
            return self._extended(design, ran, mb, mhz)
        return None

    def _ran(self, kind: str, design: str, link: str) -> dict[int, dict[str, Any]]:
        named = [name.split(" ") for name in self.found.records if name.startswith(f"{kind} ")]
        return {
            int(mb): ran
            for _, which, mb, over in sorted(named, key=lambda words: int(words[2]))
            if (which, over) == (design, link)
            and (ran := self.found.result(f"{kind} {which} {mb} {over}"))
        }

    def _extended(
        self, design: str, ran: dict[int, dict[str, Any]], mb: int, mhz: float
    ) -> Times | None:
        """Give the time of a larger message: cycles of the core by its line, waits for the link by
        what they grow between the two largest that are simulated.
        """
        line = self.line(design)
        if line is None or not line.holds or mb < max(ran):
            return None
        most = max(ran)
        largest = _times(ran[most], mhz)
        wait = largest.to_device
        if len(ran) > 1:
            before = sorted(ran)[-2]
            slope = (wait - _times(ran[before], mhz).to_device) / (most - before)
            wait += max(slope, 0.0) * (mb - most)
        elif not _hides(largest):
            return None
        period = round(1e6 / mhz) * 1e-12
        compute = (line.at(MB * mb) - 1) * period
        return Times(wait, compute, largest.from_device, mhz, "by cycles")

    def software(self, who: str, threads: str) -> dict[int, float]:
        """Give the seconds of a message by its bytes, the median."""
        return self._totals(f"software {who} {threads}")

    def gpu_total(self) -> dict[int, float]:
        """Give the seconds of a message by its bytes on a GPU, the median of all together."""
        return self._totals("gpu")

    def gpu(self) -> dict[int, dict[str, float]]:
        """Give the seconds of a message by its bytes: `total`, and of each part by itself."""
        return self._sizes("gpu")

    def _totals(self, point: str) -> dict[int, float]:
        return {size: one["total"] for size, one in self._sizes(point).items()}

    def _sizes(self, point: str) -> dict[int, dict[str, float]]:
        ran = self.found.result(point)
        if not ran or not ran["available"]:
            return {}
        return {
            one["bytes"]: {
                name: 1e-9 * ns
                for name, ns in {"total": one["median_ns"], **one.get("parts_ns", {})}.items()
            }
            for one in ran["sizes"]
        }


def _more(value: Fraction, of: str = "") -> str:
    """Give a term of a sum in words, with its sign; nothing of none."""
    return f" {'-' if value < 0 else '+'} {abs(float(value)):g}{of}" if value else ""


def _growth(ran: dict[int, int], period: int) -> Growth | None:
    """Give the line of a period through the first sizes; None where there are not so many."""
    sizes = sorted(ran)
    given = sizes[: period + 2]
    first = given[0] // CHUNK if given else 0
    if len(given) < period + 2 or given != [CHUNK * first << more for more in range(period + 2)]:
        return None
    # Cycles that a period's doublings add, from the first size and from the second.
    added, added_next = (ran[given[period + at]] - ran[given[at]] for at in (0, 1))
    chunk = Fraction(added_next - added, first * ((1 << period) - 1))
    gain = added - chunk * first * ((1 << period) - 1)
    rests = tuple(
        ((size // CHUNK).bit_length() - 1, ran[size] - chunk * (size // CHUNK))
        for size in given[:period]
    )
    line = Growth(chunk=chunk, period=period, gain=gain, rests=rests, given=tuple(given))
    return line.against(ran)


def _in_turns(ran: dict[int, int], turns: dict[int, int]) -> InTurns:
    """Give the line through the first two sizes."""
    given = sorted(ran)[:2]
    less, more = ((ran[size], turns[size]) for size in given)
    turn = Fraction(more[0] - less[0], more[1] - less[1])
    line = InTurns(turn=turn, rest=less[0] - turn * less[1], turns=turns, given=tuple(given))
    return line.against(ran)


def _times(ran: dict[str, Any], mhz: float) -> Times:
    to, compute, back = (
        ran[f"{name}_ns"] * 1e-9 for name in ("to_device", "compute", "from_device")
    )
    return Times(to, compute, back, mhz, "simulated")


def _hides(times: Times) -> bool:
    """Whether the link is so much quicker than the core that it only waits for its first word."""
    return times.to_device < times.compute / 50
