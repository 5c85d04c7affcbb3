# SPDX-License-Identifier: Apache-2.0
"""Claims of an accelerator, measured; as ranges where the time of what it has several of varies.

What is measured shows only a part of such a range: a chunk of BLAKE3 takes `rtl-ring` 178.5 cycles
at the beginning of a message and 128 later on, and only the first is seen. So one slice is measured
under the same calls. What its own claim leaves below and above that, the accelerator may take less
and more, too.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from pathlib import Path

from lydite.cores import Design
from lydite.cores.design import CLAIMS, Bounds
from lydite.runs.generated.description import (
    MEASURED,
    Measured,
    claims_of,
    exact,
    plain,
    timed,
    timings,
)
from lydite.sim import timing
from lydite.sim.timing import Timing


def measured(
    design: Design, lanes: int, document: Callable[[Measured], str], folder: Path
) -> Measured:
    """Measure the claims of an accelerator.

    Parameters
    ----------
    design : Design
        What it has several of.
    lanes : int
        Calls that it has at once.
    document : callable
        Gives the text of its `core.toml` with claims.
    folder : Path
        Where it is written.

    Raises
    ------
    CheckFailed, ToolFailed
        Simulation finds no steady state, something that breaks the rules of the streams, or a
        slice whose ranges do not hold.
    """
    ranges = {name: _ranges(design, name) for name in design.operations}
    # What claims a range is measured under many data; what it may take at most is waited for.
    together = timed(document([*ranges.items()]), folder)
    alone = {one.operation: one for one in timings(design, [n for n in ranges if ranges[n]])}
    for one in alone.values():
        timing.hold(design, one)
    return [
        (one.operation, _around(design, alone[one.operation], one, lanes))
        if one.operation in alone
        else (one.operation, claims_of(one))
        for one in together
    ]


def _ranges(design: Design, operation: str) -> dict[str, Bounds]:
    """Give the claims of a design that are ranges, perhaps of one value."""
    claims = design.claims[operation]
    names = [name for name in CLAIMS if isinstance(getattr(claims, name), tuple)]
    bounds = {name: design.claim(operation, name) for name in names}
    return {name: (plain(b[0]), plain(b[1])) for name, b in bounds.items() if b}


def _around(design: Design, alone: Timing, together: Timing, lanes: int) -> dict[str, Bounds]:
    """Give what an accelerator took as ranges, each as much wider as a slice's claim is wider than
    what the slice took.
    """
    told: dict[str, Bounds] = {}
    for name in MEASURED:
        found, own = getattr(together, name), getattr(alone, name)
        if found is None:
            continue
        bounds = design.claim(alone.operation, name)
        # What is told of all calls together is shared by as many as there are at once.
        share = 1 if name == "latency_cycles" else lanes
        below = (exact(own.least) - bounds[0]) / share if bounds else Fraction(0)
        above = (bounds[1] - exact(own.most)) / share if bounds else Fraction(0)
        # Two formulas even where they are equal: they say that time varies, so that whoever holds
        # them measures as it was done here.
        least = max(exact(found.least) - below, Fraction(0))
        told[name] = (plain(least), plain(exact(found.most) + above))
    return told
