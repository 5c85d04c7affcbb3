# SPDX-License-Identifier: Apache-2.0
"""Tells paths between a core's own registers from those that begin or end in what measures it.

nextpnr reports the slowest path of a clock and no other. Here its delays (SDF) are added up again,
apart for paths that begin in the core and in the measuring wrapper, so that each class has a clock.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import msgspec

from lydite.tools.routes import Names
from lydite.tools.sdf import Delays, Pin, clocked

# Between the core's registers; from its inputs to them; from them to its outputs; from its inputs
# to its outputs; and what is the wrapper's own.
Class = Literal["core", "in", "out", "through", "wrapper"]
CLASSES: tuple[Class, ...] = ("core", "in", "out", "through")


class Path(msgspec.Struct, frozen=True, kw_only=True):
    """The slowest path of a class.

    Attributes
    ----------
    kind : str
        The class.
    fmax_mhz : float
        The clock that it allows: between two edges of a clock it has half a period.
    begin, end : str
        Cell and pin, as `cell.pin`.
    logic_ns, routing_ns : float
        Its delay in cells (with clock to output, and set-up) and in wires.
    levels : int
        Cells between its ends.
    """

    kind: Class
    fmax_mhz: float
    begin: str
    end: str
    logic_ns: float
    routing_ns: float
    levels: int


def classify(delays: Delays, names: Names, core: str) -> dict[Class, Path]:
    """Give the slowest path of each class that there is.

    Only paths between registers of the clock that the wrapper's own have are counted.

    Parameters
    ----------
    names : Names
        Cells of the netlist: nextpnr-ice40 calls a register after the table before it, and that may
        be the core's where the register is the wrapper's.
    core : str
        What the names of the core's cells begin with.
    """
    return _Timing(delays, names, core).slowest()


@dataclass(frozen=True, slots=True)
class _Begin:
    """Where a path begins: in the core or the wrapper, at which edge."""

    inside: bool
    falling: bool


class _Timing:
    def __init__(self, delays: Delays, names: Names, core: str) -> None:
        self._delays = delays
        self._known: dict[str, bool] = {}
        self._netlist = names
        self._core = core
        self._clocks = clocked(delays)
        self._after: dict[Pin, list[tuple[Pin, float]]] = defaultdict(list)
        for source, sink, delay in (*delays.wires, *delays.arcs):
            if source not in self._clocks and sink not in self._clocks:
                self._after[source].append((sink, delay))
        self._domain = self._measured()

    def _inside(self, cell: str) -> bool:
        """Say whether the register in a placed cell is the core's."""
        if cell not in self._known:
            self._known[cell] = self._netlist.mapped(cell).startswith(self._core)
        return self._known[cell]

    def _measured(self) -> set[Pin]:
        """Give the clock pins of the clock that the wrapper's registers have."""
        source = {sink: source for source, sink, _ in self._delays.wires if sink in self._clocks}
        checked = [pin for pin in self._delays.clock_pins if pin in source]
        drivers = {source[pin] for pin in checked if not self._inside(pin[0])}
        return {pin for pin in self._clocks if source.get(pin) in drivers}

    def _order(self) -> list[Pin]:
        """Give pins so that each stands after all before it; none behind a loop of gates."""
        waits: dict[Pin, int] = defaultdict(int)
        for sinks in self._after.values():
            for sink, _ in sinks:
                waits[sink] += 1
        starts = [sink for source, sink, _ in self._delays.arcs if source in self._clocks]
        ready = deque(pin for pin in dict.fromkeys((*self._after, *starts)) if not waits[pin])
        order = []
        while ready:
            pin = ready.popleft()
            order.append(pin)
            for sink, _ in self._after.get(pin, ()):
                waits[sink] -= 1
                if not waits[sink]:
                    ready.append(sink)
        return order

    def slowest(self) -> dict[Class, Path]:
        groups: dict[_Begin, list[tuple[Pin, Pin, float]]] = defaultdict(list)
        for arc in self._delays.arcs:
            if arc[0] in self._domain:
                begin = _Begin(self._inside(arc[0][0]), arc[0] in self._delays.falling)
                groups[begin].append(arc)
        order = self._order()
        found: dict[Class, Path] = {}
        for begin, arcs in groups.items():
            for path in self._paths(begin, arcs, order):
                if path.kind not in found or path.fmax_mhz < found[path.kind].fmax_mhz:
                    found[path.kind] = path
        return found

    def _paths(
        self, begin: _Begin, arcs: Iterable[tuple[Pin, Pin, float]], order: Iterable[Pin]
    ) -> list[Path]:
        """Give the slowest path of each class that begins there."""
        arrival: dict[Pin, float] = {}
        before: dict[Pin, Pin] = {}
        for clock, pin, delay in arcs:
            if delay > arrival.get(pin, -1.0):
                arrival[pin], before[pin] = delay, clock
        for pin in order:
            if pin in arrival:
                for sink, delay in self._after.get(pin, ()):
                    if arrival[pin] + delay > arrival.get(sink, -1.0):
                        arrival[sink], before[sink] = arrival[pin] + delay, pin
        worst: dict[Class, tuple[float, Pin]] = {}
        for pin, setup in self._delays.setups.items():
            clock = self._delays.checks[pin]
            if pin not in arrival or clock not in self._domain:
                continue
            half = begin.falling != (clock in self._delays.falling)
            period = (arrival[pin] + setup) * (2 if half else 1)
            # Which of the wrapper's paths lead through the core is worth asking of slow ones only.
            known = worst.get("through"), worst.get("wrapper")
            inner = self._inside(pin[0])
            if not begin.inside and not inner and all(k and period <= k[0] for k in known):
                continue
            kind = self._kind(begin.inside, inner, pin, before)
            if kind not in worst or period > worst[kind][0]:
                worst[kind] = period, pin
        return [self._path(kind, period, pin, before) for kind, (period, pin) in worst.items()]

    def _kind(self, begins: bool, ends: bool, pin: Pin, before: Mapping[Pin, Pin]) -> Class:
        if begins or ends:
            return "core" if begins and ends else "in" if ends else "out"
        # Of the first cell only its register counts, whatever it is called after.
        cells = {step[0] for step in _steps(pin, before)[2:]}
        return "through" if any(cell.startswith(self._core) for cell in cells) else "wrapper"

    def _path(self, kind: Class, period: float, pin: Pin, before: Mapping[Pin, Pin]) -> Path:
        steps = _steps(pin, before)
        pairs = set(pairwise(steps))
        wires = _longest(self._delays.wires, pairs)
        arcs = _longest(self._delays.arcs, pairs)
        return Path(
            kind=kind,
            fmax_mhz=1000 / period,
            begin=".".join(steps[1]),
            end=".".join(pin),
            logic_ns=round(sum(arcs.values()) + self._delays.setups[pin], 3),
            routing_ns=round(sum(wires.values()), 3),
            levels=len(arcs) - 1,
        )


def _longest(
    delays: Iterable[tuple[Pin, Pin, float]], pairs: set[tuple[Pin, Pin]]
) -> dict[tuple[Pin, Pin], float]:
    """Give the delay of each of some pairs that stands in a list."""
    found: dict[tuple[Pin, Pin], float] = {}
    for source, sink, delay in delays:
        if (source, sink) in pairs:
            found[source, sink] = max(delay, found.get((source, sink), 0.0))
    return found


def _steps(pin: Pin, before: Mapping[Pin, Pin]) -> list[Pin]:
    """Give the pins of a path, from its clock pin to its end."""
    steps = [pin]
    while steps[-1] in before:
        steps.append(before[steps[-1]])
    return steps[::-1]
