# SPDX-License-Identifier: Apache-2.0
"""What a modulo schedule must obey, and the check that one does.

Times are cycles from the start of an iteration. All that must hold between operations is a
difference of two times: operands and the order of memory accesses, within an iteration or from one
to a later one. Beside its operations, an iteration has

* a `move` for each phi, which puts the next iteration's value into the phi's register;
* a `decide` in the last cycle of some stage of `ii` cycles: the loop's test. Younger iterations
  that have started by then are dropped if it says so; nothing of them may have had an effect: what
  has, stands in that stage at the earliest;
* an `out` for each value that is read after the loop, which keeps the last one.

A pipelined function is a loop of its calls: it has neither phis nor a test; its arguments are there
in the first cycle of a call, and in the last one it has a `result`, in which all is done. One that
is a rewound loop (`rewind`) has phis as well, and a `start` in the first cycle of each iteration,
which must know whether it begins a call. In one that others call, arguments are
read from the second cycle on, and the result is then in a register.

A phi whose next value is what a memory answers can have a bypass: in the cycle in which its
register takes that value, the next iteration reads the memory's own register instead.

`verify` checks a schedule without knowing how it came about.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lydite.hls.contract import directives
from lydite.hls.ir import cfg
from lydite.hls.ir.delay_model import WIRING
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.graph import STREAMING, WIRES, Function, Op, Stream
from lydite.hls.passes import pipelining
from lydite.hls.schedule import resources
from lydite.hls.schedule.problem import EPSILON, Plan, Precedence, Problem

PSEUDO = frozenset(("move", "decide", "out", "result", "start"))
# By what comes first: read after write, and so on.
_DIRECTION = {
    ("store", "load"): "raw",
    ("load", "store"): "war",
    ("store", "store"): "waw",
}


@dataclass(slots=True)
class LoopProblem:
    """What a modulo schedule must obey: a block's problem, and what goes around the loop.

    Attributes
    ----------
    base : Problem
        Operations, delays and ports of the block; its `memory_order` is not used.
    nodes : list of Op
        Operations in program order, then moves, the decision, outs.
    edges : list of Precedence
        Operands and memory order, within and between iterations.
    moves, outs : dict
        The move of each phi, the out of each value.
    claims : list of Dependence
        Directives without which more edges would be there.
    decide : Op or None
        None for a loop without end.
    result : Op or None
        Of a function; None for a loop.
    late : frozenset of Op
        What reads arguments, and may not in the first cycle.
    start : Op or None
        Of a function that is a rewound loop.
    bypassed : frozenset of Op
        Phis that the next iteration may read in the cycle in which their registers are written.
    bypass_ns : dict
        Time within that cycle at which each of them is there: behind the choice between the
        memory's answer and the register.
    """

    base: Problem
    nodes: list[Op] = field(default_factory=list)
    edges: list[Precedence] = field(default_factory=list)
    moves: dict[Op, Op] = field(default_factory=dict)
    outs: dict[Op, Op] = field(default_factory=dict)
    decide: Op | None = None
    claims: list[directives.Dependence] = field(default_factory=list)
    result: Op | None = None
    late: frozenset[Op] = frozenset()
    start: Op | None = None
    bypassed: frozenset[Op] = frozenset()
    bypass_ns: dict[Op, float] = field(default_factory=dict)

    def delay_ns(self, op: Op) -> float:
        """Give the time from operands to the result, or to the register's input."""
        if op.kind in PSEUDO:
            return self.base.model.lut_ns if op.kind in ("move", "decide") else 0.0
        return self.base.delay_ns(op)

    def latency(self, op: Op) -> int:
        """Give the cycles after which the result is there.

        A macro without a clock answers through a register: nothing is known of its delay.
        """
        if op.kind == "call":
            macro: Function = op.attr
            return max(1, macro.latency)
        return 0 if op.kind in PSEUDO else self.base.latency(op)

    def start_ns(self, op: Op) -> float:
        """Give the time within its cycle at which a result of latency 1 is there."""
        return self.base.start_ns(op)

    @property
    def round(self) -> str:
        """What a new one of begins every interval."""
        return "iteration" if self.result is None or self.start is not None else "call"

    def at_end(self) -> list[Op]:
        """Give what must be in the last cycle: results that are looked at when a call is done."""
        if self.result is None:
            return []
        outputs = [op for op in self.base.order if op.kind == "write"]
        return [self.result, *(op for op in outputs if not pipelining.is_valid_said(op.attr))]

    def at_start(self) -> list[Op]:
        """Give what must be in the first cycle: inputs that nobody holds for longer."""
        if self.result is None:
            return []
        taken = [op for op in self.base.order if pipelining.is_taken_at_start(op)]
        return taken if self.start is None else [self.start, *taken]


def answers(base: Problem, phi: Op) -> list[Op]:
    """Give the loads that a phi's next value is wires of; empty if it has anything else in it."""
    block = base.block
    inside = set(block.ops)
    found: dict[Op, None] = {}
    pending = [phi.args[phi.attr.index(block)]]
    seen: set[Op] = set()
    while pending:
        op = pending.pop()
        if op in seen or op.kind == "const":
            continue
        seen.add(op)
        if op in inside and op.kind in WIRES:
            pending += op.args
        elif op in inside and op.kind == "load" and base.latency(op):
            found[op] = None
        else:
            return []
    return list(found)


def formulate(
    base: Problem, function: Function, bypassed: frozenset[Op] = frozenset()
) -> LoopProblem:
    """State the problem of a loop, or a function, of one block."""
    block = base.block
    loop = LoopProblem(base, list(base.order), bypassed=bypassed)
    for phi in bypassed:
        first = max(loop.start_ns(load) for load in answers(base, phi))
        loop.bypass_ns[phi] = first + base.model.lut_ns
    for phi in block.phis():
        back = phi.args[phi.attr.index(block)]
        loop.moves[phi] = Op("move", phi.width, [back], attr=phi, name=phi.name, where=phi.where)
    test, _ = cfg.loop_condition(block)
    if test is not None:
        loop.decide = Op("decide", 0, [test], where=block.where)
    for value in _read_after(base, function):
        loop.outs[value] = Op("out", value.width, [value], name=value.name, where=value.where)
    loop.nodes += loop.moves.values()
    loop.nodes += [loop.decide] if loop.decide is not None else []
    loop.nodes += loop.outs.values()
    if block.end == "ret" or function.rewind is not None:
        given = [] if block.arg is None else [block.arg]
        if function.rewind is not None:
            given.append(function.rewind.last)
            loop.start = Op("start", 0, [function.rewind.first], where=block.where)
            # Nothing of an iteration is earlier.
            loop.edges += [Precedence(loop.start, op, 0) for op in base.order]
            loop.nodes.insert(0, loop.start)
        loop.result = Op("result", 0, given, where=block.where)
        loop.nodes.append(loop.result)
    inside = set(base.order)
    for node in loop.nodes:
        for arg in dict.fromkeys(node.args):
            if arg in loop.moves:
                loop.edges.append(Precedence(loop.moves[arg], node, _behind(loop, arg, node), 1))
            elif arg in inside:
                loop.edges.append(Precedence(arg, node, loop.latency(arg)))
        if loop.decide is not None and pipelining.has_effect(node):
            loop.edges.append(Precedence(loop.decide, node, 1, 1))
    if function.is_pipelined:
        _apart(loop, function)
    loop.edges += base.cuts
    _memory_edges(loop, function)
    loop.edges += _ordered_edges(base)
    return loop


def _behind(loop: LoopProblem, phi: Op, node: Op) -> int:
    """Give the least cycles from a phi's move to what reads the phi in the next iteration."""
    return int(phi not in loop.bypassed or node.kind in ("decide", "out"))


def _apart(loop: LoopProblem, function: Function) -> None:
    """Keep callers' chains out of a function, and its own out of theirs."""
    arguments = set(function.params)
    loop.late = frozenset(op for op in loop.nodes if arguments & set(op.args))
    assert loop.result is not None, f"{function.name} is no pipelined function"
    inside = set(loop.base.order)
    for value in loop.result.args:
        if value in inside:
            loop.edges.append(Precedence(value, loop.result, loop.latency(value) + 1))


def _ordered_edges(base: Problem) -> list[Precedence]:
    """Give the order of accesses to each stream, in an iteration and to the next one.

    The same holds for the calls of a macro with state. Accesses of different streams are not held
    to the order in which C has them: a loop that overlaps its iterations reads before it has
    written what the one before computes.
    """
    result: list[Precedence] = []
    first: dict[Stream | Function, Op] = {}
    last: dict[Stream | Function, Op] = {}
    for op in base.order:
        if op.kind in STREAMING or (op.kind == "call" and op.attr.stateful):
            if op.attr in last:
                result.append(Precedence(last[op.attr], op, _pause(op)))
            first.setdefault(op.attr, op)
            last[op.attr] = op
    result += [Precedence(last[item], op, _pause(op), 1) for item, op in first.items()]
    return result


def _pause(op: Op) -> int:
    """Give the least cycles from one access or call to the next."""
    return int(op.attr.interval) if op.kind == "call" else 1


def _read_after(base: Problem, function: Function) -> list[Op]:
    """Give the values of the block that are read outside of it, in order."""
    block = base.block
    found: set[Op] = set()
    for other in function.blocks:
        if other is block:
            continue
        found.update(*(op.args for op in other.ops if op.kind != "phi"))
        if other.arg is not None:
            found.add(other.arg)
        for phi in other.phis():
            found.update(phi.args)
    return [op for op in block.ops if op in found]


def _memory_edges(loop: LoopProblem, function: Function) -> None:
    """Enter the order of accesses, within an iteration and from one to a later one."""
    base = loop.base
    accesses = [op for op in base.order if op.kind in ("load", "store")]
    written = {op.attr for op in accesses if op.kind == "store"}
    accesses = [op for op in accesses if op.attr in written]
    if not accesses:
        return
    answers = Dependence(
        base.block,
        loop.outs,
        calls=loop.result is not None and function.rewind is None,
        last=None if function.rewind is None else function.rewind.last,
    )
    for index, second in enumerate(accesses):
        for first in accesses[: index + 1]:
            if first.attr is not second.attr or first.kind == second.kind == "load":
                continue
            if first is not second:
                _enter(loop, answers, first, second, 0)
                _enter(loop, answers, second, first, 1)


def _enter(loop: LoopProblem, answers: Dependence, first: Op, second: Op, at_least: int) -> None:
    """Enter the edge from an access to a later one, unless they never meet, or are said not to."""
    latency = loop.base.ports[first.attr].latency
    states = 0 if first.kind == "load" and latency == 0 else 1
    distance = answers.between(first, second, at_least)
    if distance == 0 and _claimed(loop, first, second, "intra") is not None:
        distance = answers.between(first, second, 1)
    if distance:
        nearest = _claimed(loop, first, second, "inter")
        distance = distance if nearest is None else max(distance, nearest)
    if distance is not None and distance < pipelining.NEVER:
        loop.edges.append(Precedence(first, second, states, distance))


def _claimed(loop: LoopProblem, first: Op, second: Op, kind: str) -> int | None:
    """Give the least distance at which two accesses meet as the user says; None if that is open."""
    if loop.start is not None:
        return None  # it was said of the loop's iterations in one call, and of nothing beside them
    direction = _DIRECTION[first.kind, second.kind]
    for claim in loop.base.claims:
        said = claim.directive
        if said.type != kind or (said.variable and claim.number not in first.attr.pragmas):
            continue
        if said.direction and said.direction != direction:
            continue
        if said not in loop.claims:
            loop.claims.append(said)
        return claim.least
    return None


# The independent check.


def verify(loop: LoopProblem, plan: Plan) -> None:
    """Check a modulo schedule against its problem.

    Raises
    ------
    AssertionError
        It breaks a precedence, a port, the clock without need, or what the test must guard.
    """
    here = plan.block.name
    pipe = plan.pipeline
    assert pipe is not None and pipe.ii >= 1, f"{here}: no pipeline"
    times = dict(plan.state)
    times.update({loop.moves[phi]: at for phi, at in pipe.moves.items()})
    times.update({loop.outs[value]: at for value, at in pipe.outs.items()})
    if loop.decide is not None:
        assert pipe.decide is not None, f"{here}: nothing decides"
        times[loop.decide] = pipe.decide
    if loop.result is not None:
        assert pipe.result is not None, f"{here}: nothing ends a call"
        times[loop.result] = pipe.result
        if loop.start is not None:
            times[loop.start] = 0
        assert plan.states > 1, f"{here}: a path leads through it"
    for op in loop.at_end():
        assert times[op] == plan.states - 1, f"{here}: {op} is not in the last cycle"
    for op in loop.at_start():
        assert times[op] == 0, f"{here}: {op} is not in the first cycle"
    for op in loop.late:
        assert times[op] > 0, f"{here}: {op} reads an argument in the first cycle"
    assert set(times) == set(loop.nodes), f"{here}: operations are missing"
    for op, at in times.items():
        assert at >= 0 and at + loop.latency(op) < plan.states, f"{here}: {op} is out of range"
    for edge in loop.edges:
        gap = times[edge.after] + pipe.ii * edge.distance - times[edge.before]
        assert gap >= edge.states, f"{here}: {edge.after} passes {edge.before}"
    _verify_values(loop, times, pipe.ii, here)
    _verify_ports(loop, times, pipe.ii, here)
    _verify_units(loop, times, pipe.ii, here)
    if pipe.decide is not None:
        assert pipe.decide % pipe.ii == pipe.ii - 1, f"{here}: the test is within a stage"
        first = pipe.decide - pipe.ii + 1
        for op, at in times.items():
            effect = pipelining.has_effect(op)
            assert not effect or at >= first, f"{here}: {op} may be of an iteration that is not"


def _verify_values(loop: LoopProblem, times: Mapping[Op, int], ii: int, here: str) -> None:
    """Check that operands are there, and that no chain passes the clock."""
    block = loop.base.block
    inside = set(block.ops)
    register, budget = loop.base.model.register_ns, loop.base.budget_ns
    arrival: dict[Op, float] = {}
    for op in loop.nodes:
        at = register
        late_data = False
        for arg in op.args:
            if arg not in inside:
                continue
            if arg.kind == "phi":
                first = times[loop.moves[arg]] + _behind(loop, arg, op) - ii
                assert times[op] >= first, f"{here}: {op} reads {arg} before it is there"
                if times[op] == times[loop.moves[arg]] - ii:
                    at, late_data = max(at, loop.bypass_ns[arg]), True
                continue
            there = times[arg] + loop.latency(arg)
            assert there <= times[op], f"{here}: {op} starts before {arg} is there"
            if there == times[op]:
                at = max(at, arrival[arg])
                late_data |= bool(loop.latency(arg))
        end = at + loop.delay_ns(op)
        alone = at <= register + EPSILON or op.kind in WIRING or not loop.delay_ns(op)
        assert end <= budget + EPSILON or alone or late_data, (
            f"{here}: {op} is chained past the clock"
        )
        arrival[op] = loop.start_ns(op) if loop.latency(op) else end


def _verify_ports(loop: LoopProblem, times: Mapping[Op, int], ii: int, here: str) -> None:
    """Check that no memory has more accesses in a cycle, of all iterations, than ports."""
    phase = {op: times[op] % ii for op in loop.base.order}
    for group in resources.ports(loop.base):
        over = any(list(resource.exceeded(phase)) for resource in group)
        assert not over, f"{here}: ports of {group[-1].name}"
    for stream in resources.streams(loop.base):
        over = bool(list(stream.exceeded(phase)))
        assert not over, f"{here}: two accesses of {stream.name} at once"
    busy: set[tuple[Function, int]] = set()
    turns: dict[Function, int] = {}
    for op in loop.base.order:
        if op.kind == "call":
            assert op.attr.interval <= ii, f"{here}: {op.attr.name} takes no call so often"
            if op.attr.takes_turns:
                turn = times[op] % op.attr.interval
                whole = ii % op.attr.interval == 0
                whole &= not op.attr.shared or turns.setdefault(op.attr, turn) == turn
                assert whole, f"{here}: calls of {op.attr.name} are no whole intervals apart"
            for cycle in range(op.attr.interval if op.attr.shared else 0):
                slot = op.attr, (times[op] + cycle) % ii
                assert slot not in busy, f"{here}: two calls of {op.attr.name} at once"
                busy.add(slot)


def _verify_units(loop: LoopProblem, times: Mapping[Op, int], ii: int, here: str) -> None:
    """Check that no cycle, of all iterations, needs more units than there are.

    What shares a unit hangs on no other one in its cycle, nor does a product on a LUT RAM.
    """
    units = resources.units(loop.base)
    if not units:
        return
    phase = {op: times[op] % ii for op in loop.base.order}
    for unit in units:
        for slot, _ in unit.exceeded(phase):
            what = f"more than {unit.limit} {unit.name} in cycle {slot}"
            raise AssertionError(f"{here}: {what}")
    limited = {op for unit in units for op in unit.ops}
    behind: set[Op] = set()
    behind_ram: set[Op] = set()
    for op in loop.base.order:
        chained = [arg for arg in op.args if times.get(arg) == times[op] and not loop.latency(arg)]
        ram = op.kind == "load" and not loop.latency(op) and op.attr.kind == "lutram"
        alone = op in limited
        hangs = any(arg in behind for arg in chained)
        assert not (hangs and (alone or ram)), f"{here}: {op} hangs on a unit"
        reads = any(arg in behind_ram for arg in chained)
        product = op.kind == "mul" and alone
        assert not (reads and product), f"{here}: {op} hangs on a memory's port"
        if alone or hangs:
            behind.add(op)
        if ram or reads:
            behind_ram.add(op)
