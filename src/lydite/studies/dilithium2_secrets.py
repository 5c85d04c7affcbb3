# SPDX-License-Identifier: Apache-2.0
"""Whether cycles of Dilithium2 depend on secrets: parts of calls, and the table of their tests.

Names of points: `compile OPERATION`, `secrets OPERATION CALLS PART`. Threshold: |t| > 4.5, as
customary in leakage assessment (T. Schneider, A. Moradi: Leakage Assessment Methodology, CHES
2015).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from lydite import cores
from lydite.cores import Design
from lydite.report.page import Tabled
from lydite.report.table import Column, figure
from lydite.runs.kinds import compilation
from lydite.runs.kinds.compilation import Compile
from lydite.runs.kinds.leakage import MeasureLeakage
from lydite.search import statistics
from lydite.studies.study import Asked, Found, Points

# Operation, what of its inputs is secret, and the loop whose rounds are counted beside. All that
# verification takes is public.
SECRETS = {
    "keygen": ("seed", "bytes of ExpandS"),
    "sign": ("secret_key", "attempts"),
}
# Calls of a part, which takes minutes, and parts of the whole; the quick study has one of FEW.
CALLS, PARTS, FEW = 100, 10, 40
THRESHOLD = 4.5


def compiles() -> Points:
    """Give the compilations of the cores."""
    return {f"compile {name}": Compile(_design(name)) for name in SECRETS}


def points(asked: Asked, found: Mapping[str, Any]) -> Iterator[tuple[str, MeasureLeakage]]:
    """Give the parts of the operations whose core could be compiled."""
    calls, parts = (FEW, 1) if asked.quick else (CALLS, PARTS)
    for name, (secret, _) in SECRETS.items():
        record = Found(found).get(f"compile {name}")
        if record is not None:
            made = compilation.compiled(_design(name), record, asked.store)
            for part in range(parts):
                job = MeasureLeakage(made, name, (secret,), calls, part)
                yield f"secrets {name} {calls} {part}", job


def _design(operation: str) -> Design:
    """Give a design of the catalogue."""
    [selection] = cores.select(f"dilithium2/hls-{operation}", every=True)
    [design] = selection.designs
    return design


class _Row:
    """What was found of an operation."""

    def __init__(self, found: Found, name: str) -> None:
        self.name, (self.secret, self.loop) = name, SECRETS[name]
        # A part of the quick study has the calls of one of the whole: one or the other is taken.
        for calls, parts in ((CALLS, PARTS), (FEW, 1)):
            named = [found.result(f"secrets {name} {calls} {part}") for part in range(parts)]
            results = [one for one in named if one is not None]
            if results:
                break
        calls_of = [
            (fixed, cycles, loops)
            for one in results
            for fixed, cycles, loops in zip(one["fixed"], one["cycles"], one["loops"], strict=True)
        ]
        self.sides = tuple(
            [(cycles, loops) for fixed, cycles, loops in calls_of if fixed is which]
            for which in (True, False)
        )

    def calls(self) -> str | None:
        """Tell how many were fixed, and how many random."""
        return " + ".join(str(len(side)) for side in self.sides) if any(self.sides) else None

    def mean(self, side: int) -> float | None:
        """Give the mean cycles of a class."""
        values = [cycles for cycles, _ in self.sides[side]]
        return sum(values) / len(values) if values else None

    def raw(self) -> tuple[float, float] | None:
        """Give t and freedom of the cycles."""
        one, other = ([Fraction(cycles) for cycles, _ in side] for side in self.sides)
        return statistics.welch(one, other)

    def conditioned(self) -> tuple[float, float] | None:
        """Give t and freedom of the cycles less what the loop's rounds explain."""
        return statistics.welch(*statistics.without(*self.sides))

    def of_loops(self) -> tuple[float, float] | None:
        """Give t and freedom of the loop's rounds."""
        one, other = ([Fraction(loops) for _, loops in side] for side in self.sides)
        return statistics.welch(one, other)


_Ask: TypeAlias = Callable[[_Row], tuple[float, float] | None]


def tested(found: Found) -> Tabled:
    """Give the table."""
    fields: list[tuple[Column, Callable[[_Row], Any]]] = [
        (Column("operation", "operation"), lambda row: row.name),
        (Column("secret", "secret"), lambda row: row.secret),
        (Column("calls", "calls,\nfixed + random"), _Row.calls),
        (figure("fixed", "cycles\nfixed", "{:,.0f}"), lambda row: row.mean(0)),
        (figure("random", "cycles\nrandom", "{:,.0f}"), lambda row: row.mean(1)),
        (Column("loop", "loop counted"), lambda row: row.loop),
    ]
    tests: tuple[tuple[str, str, _Ask], ...] = (
        ("raw", "all cycles", _Row.raw),
        ("loops", "its rounds", _Row.of_loops),
        ("conditioned", "cycles beyond it", _Row.conditioned),
    )
    for name, head, ask in tests:
        fields += [
            (figure(f"{name}_t", f"{head}\nt", "{:+.2f}"), partial(_part, ask, 0)),
            (figure(f"{name}_freedom", "\nfreedom", "{:.0f}"), partial(_part, ask, 1)),
            (Column(f"{name}_verdict", "\ndepends"), partial(_verdict, ask)),
        ]
    notes = (
        "Welch's t of a fixed secret against random ones, in a seeded random order; messages are "
        f"random in both, rho of signing keys is one; depends: |t| > {THRESHOLD:g}. That it does "
        "not is no proof: more calls see smaller differences. Every answer is compared",
        "verify takes nothing secret",
    )
    title = "Cycles that depend on secrets, simulated"
    return found.table("secrets", title, fields, (_Row(found, name) for name in SECRETS), notes)


def _part(ask: _Ask, which: int, row: _Row) -> float | None:
    found = ask(row)
    return found[which] if found else None


def _verdict(ask: _Ask, row: _Row) -> str | None:
    found = ask(row)
    if found is None:
        return None
    return "yes" if abs(found[0]) > THRESHOLD else "not seen"
