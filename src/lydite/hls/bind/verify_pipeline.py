# SPDX-License-Identifier: Apache-2.0
"""The independent check of pipelined loops and functions: their registers are run with names.

The names stand for values. A loop runs for as many iterations as may be at work at once, and some
more. Each register holds a pair of value and iteration; a read must find the pair that the program
means, in the register that the Verilog takes it from. Where an iteration may wait for a stream
while older ones go on, it does so now and then; so does a call of a function before it is made.
No unit may serve two operations in one cycle, of whatever iterations. Nothing here knows why a
value has so many copies, nor how operations came to their units.
"""

from __future__ import annotations

import random
from collections.abc import Hashable, Iterator, Sequence
from typing import TypeAlias

from lydite.hls.bind.binding import Binding, Pipe
from lydite.hls.ir.graph import REBUILT, STREAMING, Memory, Op
from lydite.hls.schedule import multipliers
from lydite.hls.schedule.modulo_problem import answers

# A value of an iteration; that of a phi is its source's of the one before, -1 is before the loop.
_Tag: TypeAlias = tuple[Op, int]


def verify(binding: Binding) -> None:
    """Check the registers of every pipelined loop of a function, or of a pipelined function.

    Raises
    ------
    AssertionError
        A register does not hold what is read from it; the message names loop, value and time.
    """
    for pipe in binding.pipes.values():
        _Run(binding, pipe).run()


class _Run:
    """A loop's registers while some iterations go through."""

    def __init__(self, binding: Binding, pipe: Pipe) -> None:
        self.binding = binding
        self.pipe = pipe
        self.inside = set(pipe.values) - binding.stable
        self.iterations = pipe.stages + 3
        self.phis = {phi: (phi, 0) for phi in pipe.block.phis()}
        self.rows: dict[Op, list[_Tag | None]] = {
            op: [None] * count for op, count in pipe.copies.items()
        }
        self.later: dict[Op, _Tag] = {}
        self.at = [0]
        # Whose answers the registers of memories hold.
        self.answered: dict[Op, int] = {}
        self.ports: dict[tuple[Memory, int], Op] = {}
        # What is in macros that can stand still, the youngest first.
        self.macros: dict[Op, list[_Tag | None]] = {
            op: [None] * op.attr.latency
            for op in pipe.block.ops
            if op.kind == "call" and op.attr.stallable
        }

    def run(self) -> None:
        """Run until the last iteration is through; where there are streams, with stops."""
        pipe = self.pipe
        waits = sorted(
            pipe.plan.state[op] for op in pipe.block.ops if op.kind in STREAMING and pipe.ii == 1
        )
        rng = random.Random(pipe.block.name)
        at = self.at  # times at which iterations are; those behind the end are through
        cycle = 0
        while any(time < pipe.depth for time in at) or (pipe.calls and len(at) < self.iterations):
            stopped = rng.choice([-1, *waits]) if waits else -1
            stopped = pipe.stands_to(stopped) if stopped >= 0 else -1
            going = [time > stopped and time < pipe.depth for time in at]
            self._check_units([time for time, goes in zip(at, going, strict=True) if goes])
            for iteration, time in enumerate(at):
                if going[iteration]:
                    for value, name in self._reads(time):
                        self._read(value, time, iteration, name=name)
            self._clock(cycle, at, stopped)
            at[:] = [time + 1 if moves else time for time, moves in zip(at, going, strict=True)]
            cycle += 1
            due = at[-1] >= pipe.ii
            if pipe.calls:
                # The next call may come late, by whole intervals.
                due = at[-1] > 0 and cycle % pipe.ii == 0 and rng.random() < 0.7
            if due and len(at) < self.iterations:
                at.append(0)
        self._check_later(self.iterations - 1)

    def _check_units(self, times: Sequence[int]) -> None:
        """Check that in a cycle in which iterations are at these times no unit does two things."""
        busy: dict[Hashable, Op] = {}
        for time in times:
            for op in self.pipe.times[time].ops:
                other = busy.setdefault(self.binding.unit(op), op)
                here = f"{self.pipe.block.name}: a unit does {other} and {op} in one cycle"
                assert other is op, here

    def _reads(self, time: int) -> Iterator[tuple[Op, bool]]:
        pipe = self.pipe
        for op in pipe.times[time].ops:
            for arg in op.args:
                # A shared multiplier extends its factors itself.
                value = multipliers.factor(arg)[0] if op in self.binding.unit_of else arg
                yield value, op.kind in ("slice", "sext")
        for phi, at in pipe.moves.items():
            if at == time:
                yield phi.args[phi.attr.index(pipe.block)], False
        for value, at in pipe.outs.items():
            if at == time and (value in pipe.kept or value in pipe.gated or value in pipe.in_phi):
                yield value, True
        if pipe.decide == time and pipe.block.arg is not None:
            yield pipe.block.arg, True
        if time == pipe.depth - 1:
            yield from ((value, False) for value in pipe.results)
        if pipe.rewind is not None:
            yield from [(pipe.rewind.first, False)] * (time == 0)
            yield from [(pipe.rewind.last, False)] * (time == pipe.told)

    def _read(self, value: Op, time: int, iteration: int, *, name: bool) -> None:
        pipe = self.pipe
        if value not in self.inside:
            return
        if value.kind != "phi" and pipe.ready[value] == time:
            if value in self.macros:
                found = self.macros[value][-1]
                assert found == (value, iteration), f"{pipe.block.name}: {value} is gone at {time}"
            return  # on its wire
        kept = value in self.rows or value.kind == "phi" or value in pipe.in_phi
        if value.kind in REBUILT and not kept:
            here = f"{pipe.block.name}: {value} has no name at {time}"
            assert not name, here
            for arg in value.args:
                self._read(arg, time, iteration, name=value.kind == "sext")
            return
        number = pipe.copy(value, time)
        if value in pipe.held:
            self._read_answers(value, time, iteration)
            return
        if pipe.passes_by(value, time) and iteration and self.at[iteration - 1] == time + pipe.ii:
            source = value.args[value.attr.index(pipe.block)]
            self._read(source, time + pipe.ii, iteration - 1, name=name)
            return
        if number == 0:
            found = self.phis.get(value)
        elif number == 1 and value in pipe.in_phi:
            found = self._made(self.phis[pipe.in_phi[value]])
        else:
            row = self.rows.get(value, [])
            found = row[number - 1] if number <= len(row) else None
        assert found == (value, iteration), (
            f"{pipe.block.name}: {value} of iteration {iteration} is read at {time}, "
            f"and its register holds {found}"
        )

    def _read_answers(self, phi: Op, time: int, iteration: int) -> None:
        """Check that a memory's register has a phi, or nothing yet, and another one the first."""
        problem = self.binding.schedule.problems[self.pipe.block]
        for load in answers(problem, phi):
            found = self.answered.get(load, -1)
            assert found == iteration - 1, (
                f"{self.pipe.block.name}: {phi} of iteration {iteration} is read at {time}, "
                f"and its memory holds what iteration {found} has read"
            )

    def _made(self, tag: _Tag) -> _Tag:
        """Give the value that a phi's register holds, by its source."""
        phi, iteration = tag
        return phi.args[phi.attr.index(self.pipe.block)], iteration - 1

    def _clock(self, cycle: int, at: Sequence[int], stopped: int) -> None:
        """Let all registers take what they take at the end of a cycle."""
        pipe = self.pipe
        rows = {op: list(row) for op, row in self.rows.items()}
        phis = dict(self.phis)
        for op, row in self.rows.items():
            time = pipe.written(op)
            if (cycle - time) % pipe.ii and not pipe.by_time:
                continue
            here = next((iteration for iteration, t in enumerate(at) if t == time), None)
            made = self.phis[op] if op.kind == "phi" else None if here is None else (op, here)
            if op in pipe.in_phi:
                row = [self._made(self.phis[pipe.in_phi[op]]), *row[1:]]
            source: _Tag | None = made
            for number, held in enumerate(row):
                moves = not pipe.by_time or time + number * pipe.ii in at
                if time + number * pipe.ii > stopped and moves:
                    rows[op][number] = source
                source = held
        for op, inside in self.macros.items():
            time = pipe.plan.state[op]
            if time + 1 > stopped:
                enters = time in at and time > stopped
                self.macros[op] = [(op, at.index(time)) if enters else None, *inside[:-1]]
        for op, port in self.binding.port.items():
            time = pipe.plan.state.get(op, -1)
            if time in at and time > stopped:
                # Whatever a port answers, what it had is gone.
                self.answered.pop(self.ports.get((op.attr, port), op), None)
                self.ports[op.attr, port] = op
                self.answered[op] = at.index(time)
        for phi, time in pipe.moves.items():
            if time in at and time > stopped and phi not in pipe.held:
                phis[phi] = (phi, at.index(time) + 1)
        for op, time in pipe.outs.items():
            if time in at and time > stopped:
                self.later[op] = (op, at.index(time))
        self.rows, self.phis = rows, phis

    def _check_later(self, last: int) -> None:
        """Check what is there when the loop is left."""
        for op in self.pipe.outs:
            if op in self.inside:
                assert self.later.get(op) == (op, last), f"{self.pipe.block.name}: {op} is lost"
