# SPDX-License-Identifier: Apache-2.0
"""Schedules the operations of each block into states, chained up to the clock period.

A `Problem` says what must hold between operations: precedence with a least distance in states, time
within a state, and resources. Solvers fill a `Schedule`; `schedule_verify` checks it. Here is the
list scheduler: operations by priority, each into the first state where its operands are ready and
its resources free. `modulo` schedules pipelined loops.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lydite.hls import (
    allocation,
    directives,
    lutram_order,
    memories,
    piped,
    pipeline,
    share,
    stream_schedule,
)
from lydite.hls.delay_model import WIRING, DelayModel
from lydite.hls.interface import Warn
from lydite.hls.ir import STREAMING, Block, Function, Memory, Module, Op, Stream
from lydite.hls.learnt import Learnt
from lydite.hls.memory_order import Precedence, memory_order
from lydite.hls.schedule_table import WAITING, Table

EPSILON = 1e-6


@dataclass(slots=True)
class Problem:
    """What a schedule of one block must obey.

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
    crowd, units : mapping
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
    apart : bool
        Whether each product has a unit of its own, where no directive limits them.
    multipliers : mapping
        In a pipeline: how many multipliers serve the products of a shape, where some share.
    """

    block: Block
    clock_ns: float
    model: DelayModel
    order: list[Op]
    memory_order: list[Precedence]
    ports: Mapping[Memory, memories.Ports]
    footprint: Mapping[Function, frozenset[Memory]]
    crowd: Mapping[Memory, int]
    units: Mapping[share.Shape, int]
    limits: Mapping[str, int] = field(default_factory=dict)
    limited: Mapping[str, int] = field(default_factory=dict)
    accesses: Mapping[Stream, int] = field(default_factory=dict)
    claims: Sequence[pipeline.Claim] = ()
    learnt: Mapping[Op, float] = field(default_factory=dict)
    apart: bool = False
    cuts: Sequence[Precedence] = ()
    multipliers: Mapping[share.Shape, int] = field(default_factory=dict)

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
            return stream_schedule.delay_ns(op, self.model, self.accesses)
        if op.kind == "mul":
            return self.model.delay_ns(op) + (self._choice_ns(op) if self.may_share(op) else 0.0)
        if op.kind not in ("load", "store"):
            return self.model.delay_ns(op)
        memory: Memory = op.attr
        port = self.ports[memory]
        if op.kind == "store" or port.latency:
            return self.access_ns(memory)
        read = memories.read_ns(memory, self.model, constant_index=op.args[0].kind == "const")
        return read + (self.access_ns(memory) if memory.kind == "lutram" else 0.0)

    def may_share(self, op: Op) -> bool:
        """Whether a product is worth a shared unit, and has time for its multiplexers."""
        if self.limits and self.limited_kind(op) == "mul":
            return True
        if self.multipliers and self.in_turn(op) is not None:
            return True
        if self.apart or not share.is_candidate(op, self.model):
            return False
        whole = self.model.delay_ns(op) + self._choice_ns(op)
        return self.model.register_ns + whole * self.learnt.get(op, 1.0) <= self.budget_ns

    def in_turn(self, op: Op) -> share.Shape | None:
        """Give the shape of a product of a pipeline that shares multipliers; None for others."""
        if not self.multipliers or not share.is_candidate(op, self.model):
            return None
        shape = share.shape(op)
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
        return self.model.select_ns(self.units.get(share.shape(op), 1))

    def access_ns(self, memory: Memory) -> float:
        """Give the time of the multiplexer before a memory's port."""
        if memory.kind in ("registers", "lutrom"):
            return 0.0
        return self.model.select_ns(-(-self.crowd[memory] // 2))

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


@dataclass(slots=True)
class Plan:
    """The schedule of one block.

    Attributes
    ----------
    states : int
        At least 1; 0 for an exit, which ends the function in its predecessors' last states.
    state : dict
        State in which each operation starts; phis are not in it.
    finish_ns : dict
        Time at which its result is ready, in the state `state + latency`.
    pipeline : Pipeline or None
        Of a loop whose iterations overlap: `states` are then the cycles of one.
    ii : int or None
        Of a pipelined loop: cycles from the start of an iteration to that of the next.
    """

    block: Block
    states: int = 1
    state: dict[Op, int] = field(default_factory=dict)
    finish_ns: dict[Op, float] = field(default_factory=dict)
    pipeline: pipeline.Pipeline | None = None
    ii: int | None = None

    @property
    def critical_ns(self) -> float:
        """The longest chain of any of its states, up to the register's input."""
        return max(self.finish_ns.values(), default=0.0)


@dataclass(slots=True)
class Schedule:
    """The schedule of one function."""

    function: Function
    problems: dict[Block, Problem]
    plans: dict[Block, Plan]
    warnings: list[Warn] = field(default_factory=list)


LoopScheduler = Callable[[Problem, Function, directives.Pipeline], tuple[Plan, list[Warn]]]


def schedule_module(
    module: Module,
    model: DelayModel,
    clock_ns: float,
    loops: LoopScheduler | None = None,
    *,
    known: Learnt | None = None,
) -> dict[str, Schedule]:
    """Schedule every function that the top one reaches.

    `loops` schedules and verifies the loops that are to be pipelined; without it none is. `known`
    corrects the model.
    """
    footprint = memories.footprint(module)
    ports = {memory: memories.ports(memory, model) for memory in module.memories.values()}
    streaming = stream_schedule.functions(module)
    crowd = {m: use.loads + use.stores for m, use in memories.uses(module).items()}
    cuts = lutram_order.precedences(module, ports)
    result: dict[str, Schedule] = {}
    for function in module.callees_first():
        problems: dict[Block, Problem] = {}
        plans: dict[Block, Plan] = {}
        units = share.crowds(function.ops(), model)
        limits = allocation.limits(function, module.pragmas)
        limited = allocation.counts(function.ops(), limits)
        pipelined = pipeline.pipelined_blocks(function, module.pragmas) if loops else {}
        wanted = pipeline.pipelined_function(module, function) if loops else None
        if wanted is not None:
            pipelined = {function.blocks[0]: wanted}
        ends = exits(function)
        made = result[function.name] = Schedule(function, problems, plans)
        accesses = Counter(op.attr for op in function.ops() if op.kind in STREAMING)
        learnt = known.of(function) if known is not None else {}
        for block in function.blocks:
            order = [op for op in block.ops if op.kind != "phi"]
            problem = Problem(
                block=block,
                clock_ns=clock_ns,
                model=model,
                order=order,
                memory_order=memory_order(order, ports, footprint)
                + [Precedence(*edge) for edge in stream_schedule.order(order, streaming)],
                ports=ports,
                footprint=footprint,
                crowd=crowd,
                units=units,
                limits=limits,
                limited=limited,
                accesses=accesses,
                learnt=learnt,
                cuts=cuts.get(block, ()),
            )
            if block in ends:
                plan = Plan(block, states=0)
            elif loops is not None and block in pipelined:
                plan, warnings = _pipelined(problem, function, module, pipelined[block], loops)
                made.warnings += warnings
                if function.piped:
                    piped.settle(module, function, plan)
            else:
                plan = list_schedule(problem)
            problems[block], plans[block] = problem, plan
    return result


def _pipelined(
    problem: Problem,
    function: Function,
    module: Module,
    wanted: directives.Pipeline,
    loops: LoopScheduler,
) -> tuple[Plan, list[Warn]]:
    """Schedule a block that is to be pipelined, and leave in its problem which units it shares."""
    problem.claims = pipeline.claims(function, problem.block, module.pragmas)
    pragmas = [*function.pragmas, *problem.block.pragmas]
    longest = directives.of(pragmas, module.pragmas, directives.Latency)
    problem.apart = any(item.max >= 0 for item in longest)
    plan, warnings = loops(problem, function, wanted)
    if plan.ii == 1:
        problem.limits = {}  # all operations are at work in every cycle
    problem.apart = plan.pipeline is not None
    if plan.pipeline is not None:
        problem.multipliers = plan.pipeline.multipliers
    return plan, warnings


def exits(function: Function) -> set[Block]:
    """Give the blocks that only return: they take no cycle of their own."""
    return {block for block in function.blocks[1:] if returns_at_once(block)}


def edge_values(block: Block) -> Iterator[Op]:
    """Walk what a block's last state gives to its successors' phis, or to an exit to return."""
    for target in dict.fromkeys(block.targets):
        for phi in target.phis():
            yield phi.args[phi.attr.index(block)]
        if returns_at_once(target) and target.arg is not None and target.arg.kind != "phi":
            yield target.arg


def returns_at_once(block: Block) -> bool:
    """Whether a block only chooses what the function returns."""
    return block.end == "ret" and all(op.kind == "phi" for op in block.ops)


# The list scheduler.


def list_schedule(problem: Problem) -> Plan:
    """Schedule a block: by priority, each operation as early as may be."""
    plan = Plan(problem.block)
    inside = set(problem.order)
    preds: dict[Op, list[Precedence]] = {op: [] for op in problem.order}
    succs: dict[Op, list[Op]] = {op: [] for op in problem.order}
    count = dict.fromkeys(problem.order, 0)
    for op in problem.order:
        for arg in dict.fromkeys(op.args):
            if arg in inside:
                succs[arg].append(op)
                count[op] += 1
    for edge in (*problem.memory_order, *problem.cuts):
        preds[edge.after].append(edge)
        succs[edge.before].append(edge.after)
        count[edge.after] += 1
    priority = _priorities(problem, succs)
    position = {op: index for index, op in enumerate(problem.order)}
    ready = [(-priority[op], position[op]) for op in problem.order if count[op] == 0]
    heapq.heapify(ready)
    table = Table(problem)
    while ready:
        op = problem.order[heapq.heappop(ready)[1]]
        _place(problem, plan, table, op, preds[op], inside)
        for after in succs[op]:
            count[after] -= 1
            if count[after] == 0:
                heapq.heappush(ready, (-priority[after], position[after]))
    plan.states = _states(problem, plan, inside)
    return plan


def _priorities(problem: Problem, succs: Mapping[Op, list[Op]]) -> dict[Op, float]:
    """Give the time from each operation to the end of the block."""
    result: dict[Op, float] = {}
    for op in reversed(problem.order):
        own = problem.delay_ns(op) + problem.latency(op) * problem.clock_ns
        result[op] = own + max((result[after] for after in succs[op]), default=0.0)
    return result


def _place(
    problem: Problem,
    plan: Plan,
    table: Table,
    op: Op,
    preds: list[Precedence],
    inside: set[Op],
) -> None:
    start = problem.model.register_ns
    state, at = 0, start
    for arg in op.args:
        if arg in inside:
            there = plan.state[arg] + problem.latency(arg)
            if there > state:
                state, at = there, max(start, plan.finish_ns[arg])
            elif there == state:
                at = max(at, plan.finish_ns[arg])
    if op.kind in WAITING and any(arg in inside and problem.latency(arg) for arg in op.args):
        # What holds its state needs operands that hold too: memory data must be in registers.
        held = [a for a in op.args if a in inside and a.kind == "load" and problem.latency(a)]
        latest = max((plan.state[a] + 2 for a in held), default=0)
        if latest > state:
            state, at = latest, start
    if problem.limited_kind(op) == "mul":
        # A shared multiplier takes its factors from registers.
        factors = [share.factor(arg)[0] for arg in op.args]
        latest = max(
            (plan.state[a] + problem.latency(a) + 1 for a in factors if a in inside), default=0
        )
        if latest > state:
            state, at = latest, start
    for edge in preds:
        least = plan.state[edge.before] + edge.states
        if least > state:
            state, at = least, start
    delay = problem.delay_ns(op)
    if at + delay > problem.budget_ns + EPSILON and at > start:
        state, at = state + 1, start
    while not table.fits(op, state):
        state, at = state + 1, start
    table.take(op, state)
    plan.state[op] = state
    latency = problem.latency(op)
    plan.finish_ns[op] = problem.start_ns(op) if latency else at + delay


def _states(problem: Problem, plan: Plan, inside: set[Op]) -> int:
    """Give the number of states: all results in registers, the terminator's argument in time."""
    last = 0
    for op in problem.order:
        extra = problem.latency(op) if op.kind == "load" else 0
        last = max(last, plan.state[op] + extra)
    for value, slack in leaving(problem):
        if value in inside:
            there = plan.state[value] + problem.latency(value)
            if plan.finish_ns[value] + slack > problem.budget_ns + EPSILON:
                late = plan.finish_ns[value] > problem.model.register_ns + EPSILON
                there += 1 if late else 0
            last = max(last, there)
    return last + 1


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
        if returns_at_once(target) and target.arg is not None and target.arg.kind != "phi":
            needed.append((target.arg, problem.model.lut_ns))
    return needed


def late(schedules: Mapping[str, Schedule], clock_ns: float) -> list[Warn]:
    """Name the kinds of operations that alone take longer than the clock, each by its slowest."""
    worst: dict[str, tuple[float, Op]] = {}
    for item in schedules.values():
        for block, plan in item.plans.items():
            problem = item.problems[block]
            for op, finish in plan.finish_ns.items():
                needed = finish + problem.model.setup_ns
                if op.kind not in WIRING and needed > clock_ns + EPSILON:
                    known = worst.get(op.kind)
                    if known is None or needed > known[0]:
                        worst[op.kind] = (needed, op)
    result: list[Warn] = []
    for kind, (needed, op) in worst.items():
        width = max([op.width, *[arg.width for arg in op.args]])
        what = (
            f"{kind} of {width} bits needs {needed:.2f} ns, the clock period is {clock_ns:.2f} ns"
        )
        result.append(Warn(op.where, what))
    return result
