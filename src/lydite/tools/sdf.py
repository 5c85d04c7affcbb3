# SPDX-License-Identifier: Apache-2.0
"""Reads the delays that nextpnr annotates (SDF, IEEE 1497) and times every register by them.

nextpnr's report has the worst path of a clock; this has the worst one into every register, which
tells what else would have to be faster. Maximum delays, clock wires without delay, as in the
report: the slowest end is the report's.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Mapping
from dataclasses import dataclass, field

DELAYS_FILE = "routed.sdf"
_PS = 1000.0
_NAME = r"((?:[^\s\\()]|\\.)+)"
_TRIPLE = r"\((-?\d+):(-?\d+):(-?\d+)\s*\)"
_LINE = re.compile(
    rf"\s*\((?:INTERCONNECT {_NAME} {_NAME} {_TRIPLE} {_TRIPLE}\s*\)"
    rf"|INSTANCE {_NAME}\s*\)"
    rf"|IOPATH {_NAME} {_NAME} {_TRIPLE} {_TRIPLE}\s*\)"
    rf"|SETUPHOLD \(\w+ {_NAME}\) \((\w+) {_NAME}\) {_TRIPLE} {_TRIPLE}\s*\))"
)
Pin = tuple[str, str]


@dataclass(slots=True)
class Delays:
    """What an SDF file says, in ns: wires, ways through cells, set-up before a clock pin.

    `checks` has the clock pin by which a pin is sampled, `falling` the clock pins of which the
    falling edge counts.
    """

    wires: list[tuple[Pin, Pin, float]] = field(default_factory=list)
    arcs: list[tuple[Pin, Pin, float]] = field(default_factory=list)
    setups: dict[Pin, float] = field(default_factory=dict)
    clock_pins: set[Pin] = field(default_factory=set)
    checks: dict[Pin, Pin] = field(default_factory=dict)
    falling: set[Pin] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class End:
    """The slowest path into a pin that a clock samples.

    Attributes
    ----------
    cell, pin : str
        Where it ends.
    cells : tuple of str
        The cells that it goes through, from the one whose clock it starts at.
    delay_ns : float
        From clock edge to clock edge, set-up included.
    """

    cell: str
    pin: str
    cells: tuple[str, ...]
    delay_ns: float


def parse(text: str) -> Delays:
    """Read a file as nextpnr writes it; lines of other kinds are passed over."""
    found = Delays()
    cell = ""
    for match in map(_LINE.match, text.splitlines()):
        if match is None:
            continue
        field_of = match.groups()
        if field_of[0] is not None:
            delay = max(int(field_of[4]), int(field_of[7])) / _PS
            found.wires.append((_pin(field_of[0]), _pin(field_of[1]), delay))
        elif field_of[8] is not None:
            cell = _plain(field_of[8])
        elif field_of[9] is not None:
            delay = max(int(field_of[13]), int(field_of[16])) / _PS
            ends = (cell, _plain(field_of[9])), (cell, _plain(field_of[10]))
            found.arcs.append((*ends, delay))
        else:
            pin = cell, _plain(field_of[17])
            clock = cell, _plain(field_of[19])
            setup = max(int(value) for value in field_of[20:23]) / _PS
            found.setups[pin] = max(setup, found.setups.get(pin, setup))
            found.clock_pins.add(clock)
            found.checks[pin] = clock
            if field_of[18] == "negedge":
                found.falling.add(clock)
    return found


def _plain(name: str) -> str:
    return re.sub(r"\\(.)", r"\1", name)


def _pin(path: str) -> Pin:
    # The divider is the last plain slash: those of names are escaped.
    cell, _, pin = path.rpartition("/")
    return _plain(cell), _plain(pin)


def ends(delays: Delays) -> tuple[End, ...]:
    """Give the slowest path into every sampled pin that some register reaches, slowest first."""
    clocks = clocked(delays)
    after: dict[Pin, list[tuple[Pin, float]]] = defaultdict(list)
    waits: dict[Pin, int] = defaultdict(int)
    arrival: dict[Pin, float] = {}
    for source, sink, delay in delays.arcs:
        if source in clocks:
            arrival[sink] = max(delay, arrival.get(sink, 0.0))
    for source, sink, delay in (*delays.wires, *delays.arcs):
        if source not in clocks and sink not in clocks:
            after[source].append((sink, delay))
            waits[sink] += 1
    before: dict[Pin, Pin] = {}
    ready = deque(pin for pin in (*after, *arrival) if not waits[pin])
    seen: set[Pin] = set()
    while ready:
        pin = ready.popleft()
        if pin in seen:
            continue
        seen.add(pin)
        for sink, delay in after[pin]:
            if pin in arrival and arrival[pin] + delay > arrival.get(sink, -1.0):
                arrival[sink], before[sink] = arrival[pin] + delay, pin
            waits[sink] -= 1
            if not waits[sink]:
                ready.append(sink)
    found = [
        End(*pin, _cells(pin, before), round(arrival[pin] + setup, 3))
        for pin, setup in delays.setups.items()
        if pin in arrival and pin in seen
    ]
    return tuple(sorted(found, key=lambda end: (-end.delay_ns, end.cell, end.pin)))


def clocked(delays: Delays) -> set[Pin]:
    """Give all pins on the nets of clocks: some cells have no check that names theirs."""
    drivers = {source for source, sink, _ in delays.wires if sink in delays.clock_pins}
    return delays.clock_pins | {sink for source, sink, _ in delays.wires if source in drivers}


def _cells(pin: Pin, before: Mapping[Pin, Pin]) -> tuple[str, ...]:
    found = [pin[0]]
    while pin in before:
        pin = before[pin]
        if pin[0] != found[-1]:
            found.append(pin[0])
    return tuple(reversed(found))
