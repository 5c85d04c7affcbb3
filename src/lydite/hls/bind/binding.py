# SPDX-License-Identifier: Apache-2.0
"""What a scheduled function is made of: states, pipelines, registers, units."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping
from dataclasses import dataclass, field

from lydite.hls.ir.graph import REBUILT, WIRES, Block, Function, Memory, Op, Owner, Rewind
from lydite.hls.schedule import limits as schedule_limits
from lydite.hls.schedule import multipliers
from lydite.hls.schedule.problem import Plan, Schedule, copies_late


@dataclass(slots=True, eq=False)
class Register:
    """A register and what lives in it, one after the other: at most one of them a memory."""

    width: int
    owners: list[Owner] = field(default_factory=list)

    @property
    def memory(self) -> Memory | None:
        """The one-word memory that lives in it."""
        return next((owner for owner in self.owners if isinstance(owner, Memory)), None)


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
    bypasses : dict
        Phis that are read from their bypass, and the last time at which they are read.
    held : dict
        Those that are in the memory's register alone, which keeps what it has until the next access
        of the port, and the time of these accesses.
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
    bypasses: dict[Op, int] = field(default_factory=dict)
    held: dict[Op, int] = field(default_factory=dict)
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
        return any(op.kind == "call" and not op.attr.stallable for op in self.block.ops)

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
    def moves(self) -> Mapping[Op, int]:
        """Time at which each phi takes its next value."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.moves

    @property
    def bypassed(self) -> frozenset[Op]:
        """Phis that can be read from a bypass."""
        assert self.plan.pipeline is not None
        return self.plan.pipeline.bypassed

    @property
    def answer_times(self) -> list[int]:
        """Times at which memories are read that then hold phis."""
        return sorted(set(self.held.values()))

    @property
    def outs(self) -> Mapping[Op, int]:
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
            if op.kind == "call" and not op.attr.stallable:
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
        calls = [op for op in self.block.ops if op.kind == "call" and op.attr.stallable]
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

    def passes_by(self, op: Op, time: int) -> bool:
        """Whether a value is that of a phi read from its bypass: while its register takes it."""
        return op in self.bypassed and time == self.moves[op] - self.ii

    def written(self, op: Op) -> int:
        """Give the time at the end of which the first copy takes a value."""
        return self.moves[op] if op.kind == "phi" else self.ready[op]

    def copy(self, op: Op, time: int) -> int:
        """Give the number of the copy that has a value at a time; 0 for wire or phi register."""
        late = time - self.written(op)
        if op.kind == "phi":
            there = late > -self.ii or self.passes_by(op, time)
            assert there, f"{op} is read before it is there"
        else:
            assert late >= 0, f"{op} is read before it is there"
        return copies_late(late, self.ii)


@dataclass(slots=True, eq=False)
class State:
    """One state of the controller, or one cycle of an iteration of a pipelined loop.

    Such a loop is one state of the controller, whose `pipe` has the cycles, which hold the
    operations; these states have their `time`, and are not among the binding's.

    Of the calls that a state waits for, `turns` has those in bursts (`schedule.bursts`), with the
    cycle of the state in which each begins; their last result comes in the cycle `until`.
    """

    name: str
    block: Block
    index: int
    last: bool
    ops: list[Op] = field(default_factory=list)
    waits_for: list[Op] = field(default_factory=list)
    turns: dict[Op, int] = field(default_factory=dict)
    until: int = 0
    pipe: Pipe | None = None
    time: int = 0

    def answered(self, call: Op) -> int:
        """Give the cycle in which the result of a call of a burst comes."""
        return self.turns[call] + int(call.attr.latency)


@dataclass(slots=True)
class Binding:
    """A function's hardware.

    Attributes
    ----------
    states : list of State
        In block order; the idle one is not among them, unless it is `starts`.
    starts : State or None
        The first state, if it is idle as well: it does its work in the cycle that takes `ap_start`,
        and reads the arguments from their ports.
    kept_params : set of Op
        Arguments that a later state reads.
    exits : set of Block
        Blocks without states: the last states of their predecessors end the function.
    first : dict
        First state of each block that has states.
    home : dict
        State in which a value is on its wire.
    registers : list of Op
        Values that are kept in a register, in order.
    stable : set of Op
        Values that need none, since they are wires from what is kept anyway.
    storage : dict
        Register of each argument, phi, kept value and one-word memory.
    idle : dict
        Registers that only one state reads, a loop by itself, by that state: what they have while
        another one is at work, but for what those put there that lead to it, is all one.
    port : dict
        Port number of each access to a memory with ports.
    divider : dict
        Unit of each division.
    divider_widths : list of int
        Width of each divider unit.
    pipes : dict
        What each pipelined loop of one block is made of.
    units, unit_of : list and dict
        Multipliers that serve several products, and the unit of each of these.
    shared, shared_by : list and dict
        Units of operations that directives limit, and the one of each of these.
    """

    function: Function
    schedule: Schedule
    states: list[State] = field(default_factory=list)
    starts: State | None = None
    kept_params: set[Op] = field(default_factory=set)
    exits: set[Block] = field(default_factory=set)
    first: dict[Block, State] = field(default_factory=dict)
    last: dict[Block, State] = field(default_factory=dict)
    home: dict[Op, State] = field(default_factory=dict)
    registers: list[Op] = field(default_factory=list)
    stable: set[Op] = field(default_factory=set)
    storage: dict[Op | Memory, Register] = field(default_factory=dict)
    idle: dict[State, frozenset[Register]] = field(default_factory=dict)
    port: dict[Op, int] = field(default_factory=dict)
    divider: dict[Op, int] = field(default_factory=dict)
    divider_widths: list[int] = field(default_factory=list)
    pipes: dict[Block, Pipe] = field(default_factory=dict)
    units: list[multipliers.Unit] = field(default_factory=list)
    unit_of: dict[Op, int] = field(default_factory=dict)
    shared: list[schedule_limits.Unit] = field(default_factory=list)
    shared_by: dict[Op, schedule_limits.Unit] = field(default_factory=dict)

    def unit(self, op: Op) -> Hashable:
        """Give what computes an operation: a unit of several, or the operation itself."""
        if op in self.unit_of:
            return self.unit_of[op]
        shared = self.shared_by.get(op)
        return id(shared) if shared is not None else op

    @property
    def internal(self) -> set[Op]:
        """The values that only their pipelined loop keeps, with what is read after it."""
        return {op for pipe in self.pipes.values() for op in pipe.values} - self.stable

    @property
    def calls(self) -> Pipe | None:
        """The pipeline that a whole pipelined function is; None for others."""
        return next((pipe for pipe in self.pipes.values() if pipe.calls), None)

    @property
    def register_bits(self) -> int:
        """Bits of data registers that are no memories: arguments, phis, kept values."""
        bits = sum(r.width for r in dict.fromkeys(self.storage.values()) if r.memory is None)
        return bits + sum(pipe.register_bits for pipe in self.pipes.values())


def rebuilt(op: Op) -> bool:
    """Whether wiring is put together again where it is read, and never kept."""
    return op.kind in REBUILT or (op.kind == "slice" and op.args[0].kind == "param")


def within(state: State) -> list[State]:
    """Give a state, or instead of that of a pipelined loop the cycles of an iteration."""
    return [state] if state.pipe is None else state.pipe.times


def turn(binding: Binding, op: Op) -> State:
    """Give the state in which an operation takes a unit; of a pipeline, one for each phase."""
    state = binding.home[op]
    return state if state.pipe is None else state.pipe.slot(state.time)


def cycles(binding: Binding) -> Iterator[State]:
    """Walk the states, and instead of those of pipelined loops the cycles of an iteration."""
    for state in binding.states:
        yield from within(state)


def comes_from_ports(value: Op) -> bool:
    """Whether a value is wiring from arguments alone."""
    if value.kind in ("const", "param"):
        return True
    return value.kind in WIRES and all(comes_from_ports(arg) for arg in value.args)
