# SPDX-License-Identifier: Apache-2.0
"""What a core is given and answers, cycle by cycle, recorded from the simulation of its source.

A run is some messages back to back from reset. Its record is replayed to the routed netlist as it
stands: a core that answers wrongly is not answered in turn.
"""

from __future__ import annotations

import random
import re
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.operation import Operation
from lydite.sim import framing, verify
from lydite.sim.framing import Job
from lydite.sim.stream import NO_STALLS, STALL_MODES, Face
from lydite.sim.suites import Oracle
from lydite.tools.yosys import Port

Kind = Literal["random", "known", "long", "stalled"]
KINDS: tuple[Kind, ...] = ("random", "known", "long", "stalled")
# How the streams pause: one word in four cycles on both sides, or never.
_STALLS = {"stalled": STALL_MODES[3]}
# Blocks of a random message at most, and of a long one.
_RANDOM_BLOCKS, _LONG_BLOCKS = 3, 16


@dataclass(frozen=True, slots=True)
class Run:
    """Some messages from reset.

    Attributes
    ----------
    given, right, cared : tuple of int
        Of each cycle the bits of all inputs, and of all outputs: what stands there, and what of it
        means something. Ports in the order of `Stimulus`, the lowest bit first.
    ends : tuple of int
        The cycle in which the last output of each message is taken.
    """

    given: tuple[int, ...]
    right: tuple[int, ...]
    cared: tuple[int, ...]
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Stimulus:
    """Runs of a core, and its ports with their widths in bits."""

    inputs: tuple[tuple[str, int], ...]
    outputs: tuple[tuple[str, int], ...]
    runs: tuple[Run, ...]

    @property
    def messages(self) -> int:
        """Messages of all runs."""
        return sum(len(run.ends) for run in self.runs)

    @property
    def cycles(self) -> int:
        """Cycles of all runs."""
        return sum(len(run.given) for run in self.runs)


def jobs(design: Design, kind: Kind, count: int, seed: int) -> list[Job]:
    """Give messages of a design's first operation.

    Raises
    ------
    InputError
        There is no specification to answer them, or no vector.
    """
    operation = design.primitive.operation(design.operations[0])
    if kind == "known":
        vectors = [v for v in design.primitive.vectors() if v.operation == operation.name]
        found = [framing.job_of(operation, vector) for vector in vectors if vector.accepted]
        if not found:
            raise InputError(design.label, "has no known answers", "choose other stimuli")
        return [found[number % len(found)] for number in range(count)]
    with Oracle(design.primitive, [operation.name]) as oracle:
        if not oracle.knows(operation):
            raise InputError(design.label, "has no specification that answers random messages")
        drawn = "random" if kind == "stalled" else kind  # the same messages
        draw = random.Random(hashed(f"stimulus {drawn} {design.primitive.name}", seed))
        return oracle.accepted(operation, [_drawn(operation, kind, draw) for _ in range(count)])


def _drawn(
    operation: Operation, kind: Kind, draw: random.Random
) -> tuple[tuple[bytes, ...], int | None]:
    block = max(operation.block_bytes, 16)
    inputs = []
    for field in operation.inputs:
        length = field.bytes
        if length is None:
            least = _LONG_BLOCKS * block if kind == "long" else 0
            length = draw.randint(least, least or _RANDOM_BLOCKS * block)
            length = -(-length // field.multiple) * field.multiple
        inputs.append(draw.randbytes(length))
    return tuple(inputs), draw.randint(1, block) if operation.free is not None else None


def record(
    design: Design, ports: Sequence[Port], messages: Sequence[Job], runs: int, kind: Kind
) -> Stimulus:
    """Simulate the source with messages, in so many runs of as many messages each.

    Raises
    ------
    CheckFailed
        The source answers wrongly.
    """
    each = -(-len(messages) // runs)
    groups = [messages[at : at + each] for at in range(0, len(messages), each)]
    inputs = tuple((p.name, p.width) for p in ports if _is(p, "input", design))
    outputs = tuple((p.name, p.width) for p in ports if _is(p, "output", design))
    with tempfile.TemporaryDirectory(prefix="lydite-") as folder:
        wave = Path(folder) / "stimulus.vcd"
        ends = []
        with verify.open_model(design, wave=wave, ports_only=True) as model:
            face = model.face
            for number, group in enumerate(groups):
                calls = [framing.call(design, job) for job in group]
                stalls = _STALLS.get(kind, NO_STALLS)
                ends.append(model.run(calls, stalls=stalls, label=f"stimulus {number}"))
        cycles = _cycles(wave, design, (*inputs, *outputs))
        found = list(_split(cycles, design.reset))
    assert len(found) == len(groups), "each run begins with a reset"
    made = []
    for values, stamps in zip(found, ends, strict=True):
        reset = sum(cycle[design.reset] for cycle in values)
        made.append(_run(values, inputs, outputs, face, reset, [one.last_out for one in stamps]))
    return Stimulus(inputs, outputs, tuple(made))


def _is(port: Port, direction: str, design: Design) -> bool:
    return port.direction == direction and port.name != design.clock


def _run(
    values: Sequence[Mapping[str, int]],
    inputs: Sequence[tuple[str, int]],
    outputs: Sequence[tuple[str, int]],
    face: Face,
    reset: int,
    last: Sequence[int],
) -> Run:
    ends = tuple(reset + cycle for cycle in last)
    values = values[: max(ends) + 1]
    cared = [_cared(cycle, outputs, face) if at >= reset else 0 for at, cycle in enumerate(values)]
    return Run(
        given=tuple(_packed(cycle, inputs) for cycle in values),
        right=tuple(_packed(cycle, outputs) for cycle in values),
        cared=tuple(cared),
        ends=ends,
    )


def _packed(cycle: Mapping[str, int], ports: Sequence[tuple[str, int]]) -> int:
    bits = at = 0
    for name, width in ports:
        bits |= cycle[name] << at
        at += width
    return bits


def _cared(cycle: Mapping[str, int], outputs: Sequence[tuple[str, int]], face: Face) -> int:
    """Give the bits of the outputs that mean something: of data, where they are valid."""
    masks = {f"{wire.name}ready": 1 for wire in face.sinks}
    for wire in face.sources:
        masks[f"{wire.name}valid"] = 1
        if not cycle[f"{wire.name}valid"]:
            continue
        masks |= {f"{wire.name}{name}": -1 for name in ("keep", "last", "user", "id")}
        keep = cycle[f"{wire.name}keep"] if wire.has_keep else -1
        data = sum(0xFF << 8 * byte for byte in range(wire.bytes) if keep >> byte & 1)
        masks[f"{wire.name}data"] = data
    bits = at = 0
    for name, width in outputs:
        bits |= (masks.get(name, 0) & ((1 << width) - 1)) << at
        at += width
    return bits


def _split(cycles: Iterator[dict[str, int]], reset: str) -> Iterator[list[dict[str, int]]]:
    """Give the cycles of each run, its reset first."""
    run: list[dict[str, int]] = []
    for cycle in cycles:
        if cycle[reset] and run and not run[-1][reset]:
            yield run
            run = []
        run.append(cycle)
    if run:
        yield run


_VARIABLE = re.compile(r"\s*\$var\s+\w+\s+\d+\s+(\S+)\s+(\S+)")


def _cycles(
    wave: Path, design: Design, ports: Sequence[tuple[str, int]]
) -> Iterator[dict[str, int]]:
    """Give the values of ports right before each rising edge of the clock."""
    names = {name for name, _ in ports} | {design.clock}
    ids: dict[str, str] = {}
    values = dict.fromkeys(names, 0)
    with wave.open() as lines:
        for line in lines:
            if match := _VARIABLE.match(line):
                # The ports of the top module come before what is inside of it.
                name = match[2].lstrip("\\")
                if name in names and name not in ids.values():
                    ids[match[1]] = name
            elif line.startswith("$enddefinitions"):
                break
        clock = next(code for code, name in ids.items() if name == design.clock)
        before = dict(values)
        for line in lines:
            line = line.strip()
            if not line:
                continue
            if line[0] == "#":
                before = dict(values)
            elif line[0] in "01":
                code = line[1:]
                if code == clock and line[0] == "1" and not values[design.clock]:
                    yield dict(before)
                if code in ids:
                    values[ids[code]] = int(line[0])
            elif line[0] == "b":
                bits, _, code = line[1:].partition(" ")
                if code in ids:
                    values[ids[code]] = int(bits, 2)
