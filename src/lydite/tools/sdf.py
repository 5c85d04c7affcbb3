# SPDX-License-Identifier: Apache-2.0
"""Reads the delays that nextpnr annotates (SDF, IEEE 1497) and times every register by them.

nextpnr's report has the worst path of a clock; this has the worst one into every register, which
tells what else would have to be faster. Maximum delays, clock wires without delay, as in the
report: the slowest end is the report's. Whole picoseconds, in which nextpnr writes.
"""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from lydite.base.errors import InputError

DELAYS_FILE = "routed.sdf"
_PS = 1000.0
_NAME = r"((?:[^\s\\()]|\\.)+)"
_TRIPLE = r"\(\s*(-?\d+):(-?\d+):(-?\d+)\s*\)"
_LINE = re.compile(
    rf"\s*\((?:INTERCONNECT {_NAME} {_NAME} {_TRIPLE} {_TRIPLE}\s*\)"
    rf"|INSTANCE {_NAME}\s*\)"
    rf"|IOPATH {_NAME} {_NAME} {_TRIPLE} {_TRIPLE}\s*\)"
    rf"|SETUPHOLD \(\w+ {_NAME}\) \((\w+) {_NAME}\) {_TRIPLE} {_TRIPLE}\s*\))"
)
# What else stands on a line of its own: the head of the file, kinds of cells, ends of lists.
_FRAME = re.compile(
    r"\s*(?:\((?:DELAYFILE|CELL|DELAY|ABSOLUTE|TIMINGCHECK|INSTANCE \))"
    r"|\((?:SDFVERSION|DESIGN|VENDOR|PROGRAM|DIVIDER|CELLTYPE) .*\)|\)*)\s*$"
)
_TIMESCALE = re.compile(r"\s*\(TIMESCALE 1\s*ps\)\s*$")
Pin = tuple[str, str]
# Of each three values of a file: the fastest chip that it speaks of, one between, the slowest.
Column = Literal["min", "typ", "max"]
COLUMNS: tuple[Column, ...] = ("min", "typ", "max")


@dataclass(slots=True)
class Delays:
    """What an SDF file says, in ns: wires, ways through cells, set-up before a clock pin.

    `checks` has the clock pin by which a pin is sampled, `falling` the clock pins of which the
    falling edge counts, `holds` the time after that edge in which a pin must not change, `uneven`
    the numbers of lines that have another delay up than down (the longer one counts).
    """

    wires: list[tuple[Pin, Pin, float]] = field(default_factory=list)
    arcs: list[tuple[Pin, Pin, float]] = field(default_factory=list)
    setups: dict[Pin, float] = field(default_factory=dict)
    clock_pins: set[Pin] = field(default_factory=set)
    checks: dict[Pin, Pin] = field(default_factory=dict)
    falling: set[Pin] = field(default_factory=set)
    holds: dict[Pin, float] = field(default_factory=dict)
    uneven: list[int] = field(default_factory=list)


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


def parse(text: str, *, column: Column = "max") -> Delays:
    """Read a file as nextpnr writes it.

    Parameters
    ----------
    column : str
        Which of each three values counts.

    Raises
    ------
    InputError
        A line says what nextpnr does not write; the message has its number.
    """
    at = COLUMNS.index(column)
    found = Delays()
    cell = ""
    for number, line in enumerate(text.splitlines(), 1):
        match = _LINE.match(line)
        if match is None:
            if not (_FRAME.match(line) or _TIMESCALE.match(line)):
                what = f"cannot be read: {line.strip()[:80]}"
                hint = "delays are read as nextpnr writes them, in picoseconds"
                raise InputError(f"{DELAYS_FILE}:{number}", what, hint)
            continue
        fields = match.groups()
        if fields[0] is not None:
            delay = _delay(found, number, fields[2:8], at)
            found.wires.append((_pin(fields[0]), _pin(fields[1]), delay))
        elif fields[8] is not None:
            cell = _plain(fields[8])
        elif fields[9] is not None:
            delay = _delay(found, number, fields[11:17], at)
            ends = (cell, _plain(fields[9])), (cell, _plain(fields[10]))
            found.arcs.append((*ends, delay))
        else:
            pin = cell, _plain(fields[17])
            clock = cell, _plain(fields[19])
            setup, hold = int(fields[20 + at]) / _PS, int(fields[23 + at]) / _PS
            found.setups[pin] = max(setup, found.setups.get(pin, setup))
            found.holds[pin] = max(hold, found.holds.get(pin, hold))
            found.clock_pins.add(clock)
            found.checks[pin] = clock
            if fields[18] == "negedge":
                found.falling.add(clock)
    return found


def _delay(found: Delays, number: int, fields: Sequence[str], column: int) -> float:
    up, down = int(fields[column]), int(fields[3 + column])
    if up != down:
        found.uneven.append(number)
    return max(up, down) / _PS


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
