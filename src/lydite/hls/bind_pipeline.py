# SPDX-License-Identifier: Apache-2.0
"""Decides what a pipelined loop is made of: valid bits, and copies of values that live long.

A value that is read after the cycle of its wire is in a row of copies: each lasts `ii` cycles,
until the next iteration's value comes, and hands over to the next copy. A phi's register takes the
next value at the time of its `move`; before that it is the phi itself, after it the phi is in
copies. What is read after the loop is kept in a register that only valid iterations write.

The arguments of a pipelined function are on its ports in the first cycle of a call, and in copies
after it.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Set
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from lydite.hls import share
from lydite.hls.ir import REBUILT, Block, Function, Op, Rewind
from lydite.hls.schedule import Plan, returns_at_once

if TYPE_CHECKING:
    from lydite.hls.bind import State

# They read parts of an operand, which then needs a name.
_NAMES = frozenset(("slice", "sext", "store"))


@dataclass(slots=True, eq=False)
class Pipe:
    """A pipelined loop, or a pipelined function: a loop of its calls.

    Attributes
    ----------
    block : Block
    plan : Plan
        Its modulo schedule.
    state : State
        The controller's state for it.
    times : list of State
        The cycles of an iteration.
    ready : dict
        Time at which each operation's result is on its wire.
    copies : dict
        Number of copies of each value that needs some.
    in_phi : dict
        Values whose first copy is the register of a phi that takes them.
    gated : set
        Values whose first copy is also what is read after the loop.
    kept : list
        Values that have a register of their own for that.
    params : list
        Arguments, of a function.
    module : Function or None
        A function that others call, whose calls start at least an interval apart, and which
        stands still as a whole.
    shares_to : int
        The last time at which such a function uses a unit that others of its operations use.
    rewind : Rewind or None
        Of a function whose calls are loops of it: what begins and ends them.
    """

    block: Block
    plan: Plan
    state: State
    times: list[State]
    ready: dict[Op, int] = field(default_factory=dict)
    copies: dict[Op, int] = field(default_factory=dict)
    in_phi: dict[Op, Op] = field(default_factory=dict)
    gated: set[Op] = field(default_factory=set)
    kept: list[Op] = field(default_factory=list)
    params: list[Op] = field(default_factory=list)
    rewind: Rewind | None = None
    module: Function | None = None
    shares_to: int = 0

    @property
    def by_time(self) -> bool:
        """Whether each cycle of a call has a valid bit, instead of phases and stages."""
        return self.module is not None and self.ii > 1

    @property
    def guarded(self) -> bool:
        """Whether what is no call must do nothing: not so in a module without state or turns."""
        if self.module is None or self.module.stateful or self.ii > 1:
            return True
        # What a macro answers while the rest stands still is kept, call by call.
        return any(op.kind == "call" and not op.attr.stands for op in self.block.ops)

    @property
    def calls(self) -> bool:
        """Whether it is a function."""
        return self.plan.pipeline is not None and self.plan.pipeline.result is not None

    @property
    def results(self) -> list[Op]:
        """What the last cycle of a call, or of an iteration that may end one, reads."""
        given = [] if not self.calls or self.block.arg is None else [self.block.arg]
        return given if self.rewind is None else [*given, self.rewind.last]

    @property
    def told(self) -> int:
        """Time by which it is known whether an iteration is a call's last."""
        assert self.rewind is not None
        return self.moves.get(self.rewind.first, 0)

    @property
    def values(self) -> list[Op]:
        """What iterations have of their own."""
        return [*self.params, *self.block.ops]

    @property
    def ii(self) -> int:
        """Cycles between starts of iterations."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.ii

    @property
    def depth(self) -> int:
        """Cycles of one iteration."""
        return self.plan.states

    @property
    def stages(self) -> int:
        """Iterations that may be at work at once."""
        return -(-self.depth // self.ii)

    @property
    def moves(self) -> dict[Op, int]:
        """Time at which each phi takes its next value."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.moves

    @property
    def outs(self) -> dict[Op, int]:
        """Time at which each value is kept for after the loop."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.outs

    @property
    def decide(self) -> int | None:
        """Time of the loop's test."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.decide

    @property
    def valid_bits(self) -> int:
        """Registers that say which stages have an iteration.

        A loop with one stage has none. A call is in its first cycle if it is started then.
        """
        if self.module is not None:
            return max(self.shares_to, *self._acts(), 0) if self.guarded else 0
        if self.calls:
            return self.stages - (self.ii == 1)
        return self.stages if self.stages > 1 else 0

    def _acts(self) -> Iterator[int]:
        """Walk the times at which a function that others call does what only calls may do."""
        for op in self.block.ops:
            local = op.kind == "load" and op.attr.kind in ("registers", "lutrom")
            if op.kind in ("load", "store", "call") and not local:
                yield self.plan.state[op]
            if op.kind == "call" and not op.attr.stands:
                yield self.ready[op]
        for op, count in self.copies.items() if self.by_time else ():
            yield self.written(op) + (count - 1) * self.ii

    @property
    def register_bits(self) -> int:
        """Bits of copies, of what is read after the loop, and of the control."""
        bits = sum(count * op.width for op, count in self.copies.items())
        bits -= sum(op.width for op in self.in_phi if op in self.copies)
        bits += sum(op.width for op in self.kept)
        phase = 0 if self.module is not None else (self.ii - 1).bit_length()
        return bits + phase + self.valid_bits

    def slot(self, time: int) -> State:
        """Give what stands for all cycles that are a whole number of intervals apart."""
        return self.times[time % self.ii]

    def rigid(self) -> list[tuple[int, int]]:
        """Give first and last times between which macros stand still as a whole.

        A call need not go into a macro that goes on.
        """
        calls = [op for op in self.block.ops if op.kind == "call" and op.attr.stands]
        spans = [(self.plan.state[op] + 1, self.plan.state[op] + op.attr.latency) for op in calls]
        return sorted((first, end - 1) for first, end in spans if end - 1 > first)

    def stands_from(self, time: int) -> int:
        """Give the first time at which what waits holds up a time as well."""
        for first, last in reversed(self.rigid()):
            if first <= time <= last:
                time = first
        return time

    def stands_to(self, time: int) -> int:
        """Give the last time that what waits at a time holds up."""
        return max(t for t in range(self.depth) if self.stands_from(t) <= time)

    def written(self, op: Op) -> int:
        """Give the time at the end of which the first copy takes a value."""
        return self.moves[op] if op.kind == "phi" else self.ready[op]

    def copy(self, op: Op, time: int) -> int:
        """Give the number of the copy that has a value at a time; 0 for wire or phi register."""
        late = time - self.written(op)
        if op.kind == "phi":
            assert late > -self.ii, f"{op} is read before it is there"
        else:
            assert late >= 0, f"{op} is read before it is there"
        return copies_late(late, self.ii)


def copies_late(cycles: int, ii: int) -> int:
    """Give the number of the copy that has a value so many cycles after it is on its wire."""
    return -(-cycles // ii) if cycles > 0 else 0


def keep(pipe: Pipe, function: Function, stable: Set[Op], shared: Container[Op] = ()) -> None:
    """Find the copies that are needed.

    Products with a shared multiplier take factors without their extension.
    """
    inside = set(pipe.values)
    # What is read after the loop is in a register, which is then read in the loop, too.
    named = {v for v in pipe.outs if v.kind in REBUILT and _read_late(pipe, v, function)}

    def use(value: Op, time: int, *, name: bool) -> None:
        if value not in inside or value in stable:
            return
        count = pipe.copy(value, time)
        if count == 0:
            return
        if value.kind in REBUILT and not name and value not in named:
            for arg in value.args:
                use(arg, time, name=value.kind == "sext")
            return
        if value.kind in REBUILT:
            named.add(value)
        pipe.copies[value] = max(pipe.copies.get(value, 0), count)

    def walk() -> None:
        pipe.copies.clear()
        for state in pipe.times:
            for op in state.ops:
                for arg in op.args:
                    value = share.factor(arg)[0] if op in shared else arg
                    use(value, state.time, name=op.kind in _NAMES)
        for phi, time in pipe.moves.items():
            use(phi.args[phi.attr.index(pipe.block)], time, name=False)
        for value, time in pipe.outs.items():
            use(value, time, name=True)
        if pipe.decide is not None and pipe.block.arg is not None:
            use(pipe.block.arg, pipe.decide, name=True)
        for value in pipe.results:
            use(value, pipe.depth - 1, name=False)

    before = -1
    while before != len(named):
        before = len(named)
        walk()
    for phi, time in pipe.moves.items():
        value = phi.args[phi.attr.index(pipe.block)]
        rebuilt = value.kind in REBUILT and value not in pipe.copies
        shares = value.kind != "phi" and value in inside and not rebuilt
        shares = shares and pipe.ready[value] == time
        if shares and value not in stable and pipe.outs.get(value, time) == time:
            pipe.in_phi.setdefault(value, phi)
    for value, time in pipe.outs.items():
        if value in stable or value in pipe.in_phi or not _read_late(pipe, value, function):
            continue
        if value.kind != "phi" and pipe.ready[value] == time:
            pipe.gated.add(value)
            pipe.copies.setdefault(value, 1)
        else:
            pipe.kept.append(value)


def _read_late(pipe: Pipe, value: Op, function: Function) -> bool:
    """Whether a value is read after the cycle in which the loop is left."""
    predecessors = function.predecessors()
    for block in function.blocks:
        if block is pipe.block:
            continue
        if any(value in op.args for op in block.ops if op.kind != "phi"):
            return True
        if block.arg is value:
            # What only returns does so in the cycle in which the loop is left.
            at_once = returns_at_once(block) and predecessors[block] == [pipe.block]
            if not at_once or pipe.outs[value] < pipe.depth - 1:
                return True
        for phi in block.phis():
            for arg, source in zip(phi.args, phi.attr, strict=True):
                if arg is value and (source is not pipe.block or pipe.outs[value] < pipe.depth - 1):
                    return True
    return False
