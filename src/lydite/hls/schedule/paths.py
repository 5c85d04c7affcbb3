# SPDX-License-Identifier: Apache-2.0
"""Which operations lie between two registers of a schedule, and how long the model says they take.

A path that tools have timed has two ends, each a register or a memory. Between them lie the chains
of all states that read the one and write the other; the longest by the model is what is taken for
the path.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from lydite.hls.ir.graph import STREAMING, WIRES, Block, Memory, Op, Owner
from lydite.hls.schedule.problem import WAITING, Plan, Problem, Schedule, leaving, returns_at_once


@dataclass(frozen=True, slots=True)
class Chain:
    """Operations that follow each other in one state.

    Attributes
    ----------
    delay_ns : float
        From the clock edge to where the register's set-up begins.
    fixed_ns : float
        What of that is none of the operations': a register's or a memory's output, the choice of
        the next state.
    outside_ns : float
        What of that is more than a register's output: for data that come from memories outside.
    ops : tuple of Op
        In order, those that take time.
    """

    delay_ns: float
    fixed_ns: float
    outside_ns: float = 0.0
    ops: tuple[Op, ...] = ()

    def then(self, op: Op, delay_ns: float) -> Chain:
        """Give the chain with one more operation."""
        if not delay_ns:
            return self
        return replace(self, delay_ns=self.delay_ns + delay_ns, ops=(*self.ops, op))

    def chosen(self, slack_ns: float) -> Chain:
        """Give the chain with what the controller makes of its end."""
        return replace(self, delay_ns=self.delay_ns + slack_ns, fixed_ns=self.fixed_ns + slack_ns)


@dataclass(frozen=True, slots=True)
class Ends:
    """What a name of the netlist stands for in a function.

    Attributes
    ----------
    owners : frozenset
        Values and memories.
    control : bool
        Whether it is (also) the controller.
    outside : bool
        Whether it is (also) what lies at the function's ports: arguments, their memories, streams.
    """

    owners: frozenset[Owner] = frozenset()
    control: bool = False
    outside: bool = False

    def holds(self, value: Op) -> bool:
        """Whether a value may come from here, if it is read from a register."""
        return self.control or value in self.owners or (self.outside and value.kind == "param")

    def answers(self, load: Op) -> bool:
        """Whether a load's data may come from here."""
        memory: Memory = load.attr
        return self.control or memory in self.owners or (self.outside and bool(memory.port))


class Chains:
    """The chains of one function."""

    def __init__(self, schedule: Schedule) -> None:
        self._schedule = schedule
        self._states: dict[tuple[Block, Ends], _State] = {}

    def _state(self, block: Block, source: Ends) -> _State:
        key = block, source
        if key not in self._states:
            problem, plan = self._schedule.problems[block], self._schedule.plans[block]
            self._states[key] = _State(problem, plan, source)
        return self._states[key]

    def longest(self, source: Ends, sink: Ends) -> Chain | None:
        """Give the longest chain from one place to another; None if there is none."""
        found: Chain | None = None
        for block, plan in self._schedule.plans.items():
            if not plan.states:
                continue
            state = self._state(block, source)
            for chain in _into(state, self._schedule, block, sink):
                if found is None or chain.delay_ns > found.delay_ns:
                    found = chain
        return found


def _into(state: _State, schedule: Schedule, block: Block, sink: Ends) -> Iterator[Chain]:
    """Give the chains of a block that end at a place."""
    problem, plan = state.problem, state.plan
    for op in problem.order:
        if _asks(op, sink):
            found = state.request(op)
        elif op in sink.owners and op.kind not in WAITING:
            found = state.value(op, plan.state[op] + problem.latency(op))
        else:
            continue
        if found is not None:
            yield found
    for target in dict.fromkeys(block.targets):
        for phi in target.phis() if target in schedule.plans else ():
            wanted = phi in sink.owners or (sink.outside and returns_at_once(target))
            value = phi.args[phi.attr.index(block)]
            found = state.value(value, _move(plan, phi, value)) if wanted else None
            if found is not None:
                yield found
    if _decides(block, sink) and block.arg is not None:
        slack = next((ns for value, ns in leaving(problem) if value is block.arg), 0.0)
        found = state.value(block.arg, _decide(plan))
        if found is not None:
            yield found.chosen(slack)
    if sink.outside and block.end == "ret" and block.arg is not None:
        found = state.value(block.arg, plan.states - 1)
        if found is not None:
            yield found


def _asks(op: Op, sink: Ends) -> bool:
    """Whether an operation ends at a place as a request: an address, data to be written."""
    if op.kind in STREAMING:
        return sink.outside
    if op.kind not in ("load", "store"):
        return False
    memory: Memory = op.attr
    if op.kind == "load" and memory.kind in ("registers", "lutrom"):
        return False
    return memory in sink.owners or (sink.outside and bool(memory.port))


def _decides(block: Block, sink: Ends) -> bool:
    """Whether the way that a block goes on decides what a place takes."""
    if block.end == "ret":
        return False
    targets = dict.fromkeys(block.targets)
    done = sink.outside and any(returns_at_once(target) for target in targets)
    return sink.control or done or any(p in sink.owners for t in targets for p in t.phis())


def _move(plan: Plan, phi: Op, value: Op) -> int:
    """Give the state in which a phi's register takes a value of a block."""
    if plan.pipeline is None:
        return plan.states - 1
    if phi in plan.pipeline.moves:
        return plan.pipeline.moves[phi]
    return plan.pipeline.outs.get(value, plan.states - 1)


def _decide(plan: Plan) -> int:
    decide = None if plan.pipeline is None else plan.pipeline.decide
    return plan.states - 1 if decide is None else decide


class _State:
    """Looks for the longest ways from a source to the values of a block."""

    def __init__(self, problem: Problem, plan: Plan, source: Ends) -> None:
        self.problem = problem
        self.plan = plan
        self._source = source
        self._ready: dict[Op, Chain | None] = {}
        for op in problem.order:
            self._ready[op] = self._result(op)

    def value(self, op: Op, state: int) -> Chain | None:
        """Give the longest chain to a value as it is read in a state."""
        pending, found, seen = [op], [], set()
        while pending:
            op = pending.pop()
            if op in seen or op.kind == "const":
                continue
            seen.add(op)
            if op in self._ready and self._there(op) == state:
                found.append(self._ready[op])
            elif self._source.holds(op):
                register_ns = self.problem.model.register_ns
                found.append(Chain(register_ns, register_ns))
            elif op.kind in WIRES:
                pending += op.args
        return _longest(found)

    def request(self, op: Op) -> Chain | None:
        """Give the longest chain to where an access is asked for."""
        state = self.plan.state[op]
        before = [self.value(arg, state) for arg in dict.fromkeys(op.args)]
        if op.kind == "load" and not self.problem.latency(op) and self._source.answers(op):
            register_ns = self.problem.model.register_ns
            before.append(Chain(register_ns, register_ns))
        found = _longest(before)
        return None if found is None else found.then(op, self.problem.delay_ns(op))

    def _there(self, op: Op) -> int:
        return -1 if op.kind in WAITING else self.plan.state[op] + self.problem.latency(op)

    def _result(self, op: Op) -> Chain | None:
        """Give the longest chain to a result, in the state in which it is there."""
        if op.kind in WAITING:
            return None
        if not self.problem.latency(op):
            return self.request(op)
        if not self._source.answers(op):
            return None
        start_ns = self.problem.start_ns(op)
        if op.attr.port:
            # In the measuring wrapper it is a register that answers.
            return Chain(start_ns, start_ns, start_ns - self.problem.model.register_ns)
        return Chain(start_ns, start_ns)


def _longest(chains: Iterable[Chain | None]) -> Chain | None:
    found = [chain for chain in chains if chain is not None]
    return max(found, key=lambda chain: chain.delay_ns, default=None)
