# SPDX-License-Identifier: Apache-2.0
"""What is to be scheduled, a block at a time, and what a schedule says: the times of operations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.ir import memory_ports
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import STREAMING, Block, Function, Memory, Op, Stream
from lydite.hls.passes import allocation, pipelining
from lydite.hls.schedule import multipliers as schedule_multipliers


@dataclass(frozen=True, slots=True)
class Pipeline:
    """What a modulo schedule has beside the times of operations, which count from 0.

    An iteration of a pipelined function is a call of it.

    Attributes
    ----------
    ii : int
        Cycles from the start of an iteration to that of the next.
    decide : int or None
        Time of the loop's test, in the last cycle of a stage of `ii` cycles; None if there is none.
    moves : dict
        Time at which each phi's register takes the next iteration's value.
    outs : dict
        Time at which each value that is read after the loop is kept for that.
    bypassed : frozenset of Op
        Phis that can be read in the cycle of their move, by the next iteration.
    result : int or None
        Time at which a function gives its result and is done: its last cycle; None for a loop.
    claims : tuple of Dependence
        Directives that the order of accesses relies on.
    multipliers : mapping
        How many multipliers serve the products of a shape; those of other shapes have their own.
    """

    ii: int
    decide: int | None
    moves: Mapping[Op, int]
    outs: Mapping[Op, int]
    claims: tuple[directives.Dependence, ...] = ()
    bypassed: frozenset[Op] = frozenset()
    result: int | None = None
    multipliers: Mapping[schedule_multipliers.Shape, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Precedence:
    """`after` may not stand less than `states` states behind `before`."""

    before: Op
    after: Op
    states: int
    distance: int = 0


EPSILON = 1e-6


@dataclass(frozen=True, slots=True)
class Problem:
    """What a schedule of one block must obey; nothing changes it while it is solved.

    Attributes
    ----------
    block : Block
    clock_ns : float
        Time from a clock edge to the next.
    order : list of Op
        The operations without phis, in program order.
    memory_order : list of Precedence
        Between accesses and calls that must not change places.
    cuts : list of Precedence
        Between loads of LUT RAM that must not be chained.
    ports, footprint : mapping
        What each memory can do in a cycle, and which memories each function touches.
    contention, units : mapping
        How many accesses of the function share each memory, and products each kind of multiplier.
    limits, limited : mapping
        How many operations of a kind a state may have, where directives say so, and how many of
        that kind the function has.
    accesses : mapping
        How many accesses the function has to each stream.
    claims : sequence
        What directives say of accesses in different iterations.
    learnt : mapping
        What placements have taught: how much longer an operation takes than the model says.
    dedicated_units : bool
        Whether each product has a unit of its own, where no directive limits them.
    multipliers : mapping
        In a pipeline: how many multipliers serve the products of a shape, where some share.
    partners : mapping
        Which functions may be at work beside each.
    """

    block: Block
    clock_ns: float
    model: DelayModel
    order: list[Op]
    memory_order: list[Precedence]
    ports: Mapping[Memory, memory_ports.Ports]
    footprint: Mapping[Function, frozenset[Memory]]
    contention: Mapping[Memory, int]
    units: Mapping[schedule_multipliers.Shape, int]
    limits: Mapping[str, int] = field(default_factory=dict)
    limited: Mapping[str, int] = field(default_factory=dict)
    accesses: Mapping[Stream, int] = field(default_factory=dict)
    claims: Sequence[pipelining.Claim] = ()
    learnt: Mapping[Op, float] = field(default_factory=dict)
    dedicated_units: bool = False
    cuts: Sequence[Precedence] = ()
    multipliers: Mapping[schedule_multipliers.Shape, int] = field(default_factory=dict)
    partners: Mapping[Function, frozenset[Function]] = field(default_factory=dict)

    @property
    def budget_ns(self) -> float:
        """The time at which a value must be ready for a register."""
        return self.clock_ns - self.model.setup_ns

    def delay_ns(self, op: Op) -> float:
        """Give the time from operands to the result, or to the port that takes them."""
        return self._modelled_ns(op) * self.learnt.get(op, 1.0)

    def _modelled_ns(self, op: Op) -> float:
        if op.kind in WAITING:
            return self.model.lut_ns
        if self.limits and (kind := self.limited_kind(op)) and kind not in ("mul", "not"):
            inputs = -(-self.limited[kind] // self.limits[kind])
            return self.model.delay_ns(op) + self.model.select_ns(inputs)
        if op.kind in STREAMING:
            return stream_delay_ns(op, self.model, self.accesses)
        if op.kind == "mul":
            return self.model.delay_ns(op) + (self._choice_ns(op) if self.may_share(op) else 0.0)
        if op.kind not in ("load", "store"):
            return self.model.delay_ns(op)
        memory: Memory = op.attr
        port = self.ports[memory]
        if op.kind == "store" or port.latency:
            return self.access_ns(memory)
        read = memory_ports.read_ns(memory, self.model, constant_index=op.args[0].kind == "const")
        return read + (self.access_ns(memory) if memory.kind == "lutram" else 0.0)

    def may_share(self, op: Op) -> bool:
        """Whether a product is worth a shared unit, and has time for its multiplexers."""
        if self.limits and self.limited_kind(op) == "mul":
            return True
        if self.multipliers and self.in_turn(op) is not None:
            return True
        if self.dedicated_units or not schedule_multipliers.is_candidate(op, self.model):
            return False
        whole = self.model.delay_ns(op) + self._choice_ns(op)
        return self.model.register_ns + whole * self.learnt.get(op, 1.0) <= self.budget_ns

    def in_turn(self, op: Op) -> schedule_multipliers.Shape | None:
        """Give the shape of a product of a pipeline that shares multipliers; None for others."""
        if not self.multipliers or not schedule_multipliers.is_candidate(op, self.model):
            return None
        shape = schedule_multipliers.shape(op)
        return shape if shape in self.multipliers else None

    def limited_kind(self, op: Op) -> str:
        """Give the kind of an operation that directives limit; empty for one that is free."""
        kind = allocation.kind_of(op) if self.limits else ""
        return kind if kind in self.limits else ""

    def stands_alone(self, op: Op) -> bool:
        """Whether an operation may take nothing that a limited one makes in its state."""
        if not self.limits:
            return False
        asynchronous = op.kind == "load" and op.attr.kind == "lutram"
        return asynchronous or self.limited_kind(op) != ""

    def _choice_ns(self, op: Op) -> float:
        return self.model.select_ns(self.units.get(schedule_multipliers.shape(op), 1))

    def access_ns(self, memory: Memory) -> float:
        """Give the time of the multiplexer before a memory's port."""
        if memory.kind in ("registers", "lutrom"):
            return 0.0
        return self.model.select_ns(-(-self.contention[memory] // 2))

    def may_wait_beside(self, one: Op, two: Op) -> bool:
        """Whether a state may wait for two units: calls with nothing in common, or of a burst."""
        if one.kind != "call" or two.kind != "call":
            return False
        if one.attr is two.attr:
            return bool(one.attr.interval)  # it takes a call while it works (`bursts`)
        return two.attr in self.partners.get(one.attr, ())

    def latency(self, op: Op) -> int:
        """Give the states after which the result is there: 0 for one that may be chained."""
        if op.kind in WAITING:
            return 1
        return self.ports[op.attr].latency if op.kind == "load" else 0

    def start_ns(self, op: Op) -> float:
        """Give the time within a state at which a result of latency 1 is there."""
        if op.kind == "load":
            return self.model.bram_read_ns
        return self.model.register_ns


@dataclass(frozen=True, slots=True)
class Plan:
    """The schedule of one block; nothing changes it once it is there.

    Attributes
    ----------
    states : int
        At least 1; 0 for an exit, which ends the function in its predecessors' last states.
    state : mapping
        State in which each operation starts; phis are not in it.
    finish_ns : mapping
        Time at which its result is ready, in the state `state + latency`.
    pipeline : Pipeline or None
        Of a loop whose iterations overlap: `states` are then the cycles of one.
    ii : int or None
        Of a pipelined loop: cycles from the start of an iteration to that of the next.
    """

    block: Block
    states: int = 1
    state: Mapping[Op, int] = field(default_factory=dict)
    finish_ns: Mapping[Op, float] = field(default_factory=dict)
    pipeline: Pipeline | None = None
    ii: int | None = None

    @property
    def critical_ns(self) -> float:
        """The longest chain of any of its states, up to the register's input."""
        return max(self.finish_ns.values(), default=0.0)


@dataclass(frozen=True, slots=True)
class Schedule:
    """The schedule of one function."""

    function: Function
    problems: Mapping[Block, Problem]
    plans: Mapping[Block, Plan]
    warnings: tuple[Diagnostic, ...] = ()


def exits(function: Function) -> set[Block]:
    """Give the blocks that only return: they take no cycle of their own."""
    return {block for block in function.blocks[1:] if returns_at_once(block)}


def edge_values(block: Block) -> Iterator[Op]:
    """Walk what a block's last state gives to its successors' phis, or to an exit to return."""
    for target in dict.fromkeys(block.targets):
        for phi in target.phis():
            yield phi.args[phi.attr.index(block)]
        if (value := _returned(target)) is not None:
            yield value


def _returned(target: Block) -> Op | None:
    """Give what a block that only chooses what to return returns, unless it chooses it itself."""
    return target.arg if returns_at_once(target) and target.arg not in target.ops else None


def returns_at_once(block: Block) -> bool:
    """Whether a block only chooses what the function returns."""
    return block.end == "ret" and all(op.kind == "phi" for op in block.ops)


def leaving(problem: Problem) -> list[tuple[Op, float]]:
    """Give the values that the block's end needs, and the time that it needs them early."""
    block = problem.block
    needed: list[tuple[Op, float]] = []
    if block.arg is not None:
        slack = 0.0 if block.end == "ret" else problem.model.lut_ns
        if any(returns_at_once(target) for target in block.targets):
            slack += problem.model.lut_ns  # it decides `ap_done`, which the caller waits for
        if block.end == "switch":
            slack += problem.model.at("equal", block.arg.width)
        needed.append((block.arg, slack))
    for target in block.targets:
        for phi in target.phis():
            value = phi.args[phi.attr.index(block)]
            needed.append((value, problem.model.lut_ns if len(target.targets) > 1 else 0.0))
        if (value := _returned(target)) is not None:
            needed.append((value, problem.model.lut_ns))
    return needed


# Units that take many cycles and hold their state until they are done.
WAITING = frozenset(("call", "divmod"))


def copies_late(cycles: int, ii: int) -> int:
    """Give the number of the copy that has a value so many cycles after it is on its wire."""
    return -(-cycles // ii) if cycles > 0 else 0


def stream_delay_ns(op: Op, model: DelayModel, accesses: Mapping[Stream, int]) -> float:
    """Give the time from an access's operands to its beat, or to the port that takes them."""
    choice = model.select_ns(accesses.get(op.attr, 1)) if op.kind == "write" else 0.0
    return choice + (0.0 if op.args[-1].kind == "const" else model.lut_ns)
