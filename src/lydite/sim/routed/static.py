# SPDX-License-Identifier: Apache-2.0
"""Static analysis of a routed model: the slowest and fastest ways between registers.

It repeats on the model what place and route reported of the chip. Where the figures are the same to
0.01 MHz, the model has every arc that decides.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.base.errors import InputError
from lydite.sim.routed.model import Model

_NEVER = -1


@dataclass(frozen=True, slots=True)
class Path:
    """A way from register to register.

    Attributes
    ----------
    nodes : tuple of int
        From the output of the register that begins it to what the last one takes.
    delay_ps : int
        From clock edge to clock edge, set-up included.
    cell : str
        The register or memory that ends it.
    """

    nodes: tuple[int, ...]
    delay_ps: int
    cell: str


@dataclass(frozen=True)
class Timing:
    """When nodes change after a clock edge, in ps; -1 where they never do.

    Attributes
    ----------
    latest, earliest : tuple of int
        Of each node.
    before : tuple of int
        The node from which the latest change comes; -1 at registers.
    """

    latest: tuple[int, ...]
    earliest: tuple[int, ...]
    before: tuple[int, ...]


def analyse(model: Model) -> Timing:
    """Find out when each node changes.

    Raises
    ------
    InputError
        A register's hold is violated at any clock.
    """
    count = len(model.names)
    latest, earliest, before = [_NEVER] * count, [_NEVER] * count, [_NEVER] * count
    for node, launch, _ in model.launches:
        latest[node] = earliest[node] = launch
    for step in model.steps:
        node = step.output
        for arc in step.arcs:
            if latest[arc.source] == _NEVER:
                continue
            last = latest[arc.source] + arc.delay_ps
            if last > latest[node]:
                latest[node], before[node] = last, arc.source
            first = earliest[arc.source] + arc.delay_ps
            earliest[node] = first if earliest[node] == _NEVER else min(first, earliest[node])
    for hold in model.holds:
        first = earliest[hold.arc.source]
        if first != _NEVER and first + hold.arc.delay_ps < hold.least_ps:
            early = hold.least_ps - first - hold.arc.delay_ps
            what = f"hold of {hold.pin} is violated at any clock, by {early} ps"
            raise InputError(f"cell {hold.cell}", what, "nextpnr does not say so; nor can it work")
    return Timing(tuple(latest), tuple(earliest), tuple(before))


def paths(model: Model, timing: Timing) -> tuple[Path, ...]:
    """Give the slowest path into each register and memory, slowest first."""
    slowest: dict[str, tuple[int, int]] = {}
    for node, _, cell in model.captures:
        if timing.latest[node] > slowest.get(cell, (_NEVER, 0))[0]:
            slowest[cell] = timing.latest[node], node
    found = []
    for cell, (delay, node) in slowest.items():
        nodes = [node]
        while timing.before[nodes[-1]] != _NEVER:
            nodes.append(timing.before[nodes[-1]])
        found.append(Path(tuple(reversed(nodes)), delay, cell))
    return tuple(sorted(found, key=lambda path: (-path.delay_ps, path.cell)))
