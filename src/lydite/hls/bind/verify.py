# SPDX-License-Identifier: Apache-2.0
"""The independent check of a binding: against IR and schedule, without knowing how it came about.

What must hold follows from the hardware that a binding stands for. A wire has its value in its home
state only; a register has it from the state behind that on; phis and arguments have registers of
their own; wiring has what its parts have. So each operand that a state reads must be there, in that
state, on every path that leads to it. A port, a divider and a multiplier do one thing in a state.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from itertools import pairwise

from lydite.hls.bind.binding import Binding, State, comes_from_ports, cycles, rebuilt, within
from lydite.hls.ir import cfg, memory_ports
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import WIRES, Block, Function, Memory, Op
from lydite.hls.schedule import multipliers
from lydite.hls.schedule.problem import WAITING, returns_at_once

# Memories that lie in the function's own module and have no ports.
_INSIDE = frozenset(("registers", "lutrom"))


def verify(binding: Binding, model: DelayModel) -> None:
    """Check a function's binding.

    Raises
    ------
    AssertionError
        A value is read where it is not, or something does two things at once; the message names
        function, state, and value or unit.
    """
    start = _check_states(binding)
    _check_registers(binding)
    _Values(binding, start).check()
    _check_ports(binding, start, model)
    _check_waiting(binding, start)
    _check_multipliers(binding, start)
    _check_shared(binding, start)
    _check_circles(binding, start)


def _check_shared(binding: Binding, start: dict[Op, State]) -> None:
    """Check the units whose number directives limit: one operation a state, none on another's."""
    name = binding.function.name
    listed = [op for unit in binding.shared for op, _ in unit.ops]
    assert set(listed) == set(binding.shared_by), f"{name}: units and their operations differ"
    assert len(set(listed)) == len(listed), f"{name}: an operation has two units"
    behind: set[Op] = set()
    for op in binding.function.ops() if listed else ():
        if op.kind == "phi":
            continue
        chained = any(arg in behind and start[arg] is start[op] for arg in op.args)
        unit = binding.shared_by.get(op)
        assert not (unit and chained), f"{name}: {op} hangs on another unit"
        if unit or (chained and op.kind not in WAITING and op.kind != "load"):
            behind.add(op)
    for unit in binding.shared:
        states: set[State] = set()
        for op, swapped in unit.ops:
            assert binding.shared_by[op] is unit, f"{name}: {op} is not its unit's"
            assert op.kind == unit.kind, f"{name}: {op} in a unit of {unit.kind}"
            assert op.args[0].width <= unit.width, f"{name}: {op} is wider than its unit"
            assert not swapped or op.kind in ir_graph.COMMUTATIVE, f"{name}: {op} changes operands"
            turn = _turn(start[op])
            assert turn not in states, f"{name} {start[op].name}: a unit does two things"
            states.add(turn)


def _check_states(binding: Binding) -> dict[Op, State]:
    """Check that states are the schedule's; give the state in which each operation starts."""
    name = binding.function.name
    blocks = binding.function.blocks
    own: dict[Block, list[State]] = {block: [] for block in blocks}
    for state in binding.states:
        assert state.block in own, f"{name} {state.name}: belongs to no block"
        own[state.block].append(state)
    assert binding.states == [state for block in blocks for state in own[block]], (
        f"{name}: states are not in the order of blocks"
    )
    start: dict[Op, State] = {}
    for block in blocks:
        states, plan = own[block], binding.schedule.plans[block]
        pipe = binding.pipes.get(block)
        count = plan.states if pipe is None else 1
        assert len(states) == count, f"{name} {block.name}: {len(states)} states"
        if not states:
            assert block not in binding.first, f"{name} {block.name}: starts without a state"
            assert returns_at_once(block) and block in binding.exits, (
                f"{name} {block.name}: has no states"
            )
            continue
        first, last = binding.first[block], binding.last[block]
        assert first is states[0], f"{name} {block.name}: starts in {first.name}"
        assert last is states[-1], f"{name} {block.name}: ends in {last.name}"
        for index, state in enumerate(states):
            assert state.index == index, f"{name} {state.name}: is number {index} of its block"
            assert state.last == (state is last), f"{name} {state.name}: last of its block or not"
            for one in within(state):
                for op in one.ops:
                    at = index if pipe is None else one.time
                    assert op not in start, f"{name} {one.name}: {op} starts twice"
                    assert plan.state.get(op) == at, f"{name} {one.name}: {op} starts elsewhere"
                    start[op] = one
        for op in block.ops:
            assert op.kind == "phi" or op in start, f"{name} {block.name}: {op} starts nowhere"
            if op.kind != "phi":
                _check_home(binding, op, start[op])
    return start


def _check_home(binding: Binding, op: Op, start: State) -> None:
    """Check that a result is on its wire in the state in which it comes."""
    late = 0
    if op.kind == "load":
        late = binding.schedule.problems[start.block].ports[op.attr].latency
    elif op.kind == "call" and start.pipe is not None and op.width:
        late = op.attr.latency
    home = binding.home[op]
    there = home.block is start.block and home.index == start.index + late
    assert there, f"{binding.function.name} {home.name}: is not the state in which {op} is ready"


def _check_registers(binding: Binding) -> None:
    """Check that every register has one owner, of this function, that is written in one state."""
    name = binding.function.name
    mine = set(binding.function.ops())
    seen: set[Op] = set()
    for op in binding.registers:
        assert op in mine and op.width and op.kind != "phi", f"{name}: {op} can have no register"
        assert op not in seen, f"{name}: {op} has two registers"
        seen.add(op)


class _Values:
    """Where each value is, by states; and whether every use finds what it reads."""

    def __init__(self, binding: Binding, start: Mapping[Op, State]) -> None:
        self.binding = binding
        self.name = binding.function.name
        self.start = start
        self.registers = set(binding.registers)
        self.internal = binding.internal
        self.spans = cfg.dominator_spans(cfg.immediate_dominators(binding.function))
        self.phi_block = {phi: block for block in binding.function.blocks for phi in block.phis()}

    def check(self) -> None:
        """Check all uses: by operations, by the ends of blocks, by phis."""
        for op in self.binding.stable:
            self._check_stable(op)
        for state in cycles(self.binding):
            for op in state.ops:
                self._check_operands(op, state)
        for block, last in self.binding.last.items():
            if block.arg is not None:
                self._use(block.arg, last, f"the end of {block.name}")
            for target in block.targets:
                for phi in target.phis():
                    self._use(phi.args[phi.attr.index(block)], last, f"{phi}")
                if target not in self.binding.exits or target.arg is None:
                    continue
                if target.arg not in target.ops:
                    self._use(target.arg, last, f"the end of {target.name}")

    def _check_stable(self, op: Op) -> None:
        if op.kind in ("param", "phi"):
            return
        wired = op.kind in WIRES and all(
            arg.kind in ("const", "param", "phi") or arg in self.binding.stable for arg in op.args
        )
        assert wired, f"{self.name}: {op} is taken for wiring of what is kept, and is not"

    def _check_operands(self, op: Op, state: State) -> None:
        number = self.binding.unit_of.get(op)
        if number is not None:
            for arg in op.args:
                value = multipliers.factor(arg)[0]
                # What hangs on what in a pipeline, `_check_circles` looks at.
                assert self._there(value, state, wire=state.pipe is not None), (
                    f"{self.name} {state.name}: mul{number} takes {value} for {op}, "
                    "which is in no register"
                )
            return
        # A part of a value is taken from a name, which a value that is put together has not.
        named = op.kind in ("slice", "sext")
        if op.kind == "store":
            memory: Memory = op.attr
            named = memory.kind in _INSIDE and memory.lanes > 1
        for index, arg in enumerate(op.args):
            bare = named and not (op.kind == "store" and (index == 0 or _written_in_place(arg)))
            self._use(arg, state, f"{op}", named=bare)

    def _use(self, value: Op, state: State, user: str, *, named: bool = False) -> None:
        assert self._there(value, state, parts=not named), (
            f"{self.name} {state.name}: {user} reads {value}, which is not there"
        )

    def _there(self, value: Op, state: State, *, wire: bool = True, parts: bool = True) -> bool:
        """Whether a state finds a value: on its wire, in a register, or in its parts."""
        if value.kind == "const":
            return True
        if value in self.internal:
            return True  # `verify_pipeline` checks these
        if value.kind == "param":
            return state is self.binding.starts or value in self.binding.kept_params
        if value.kind == "phi":
            return cfg.dominates(self.spans, self.phi_block[value], state.block)
        home = self.binding.home[value]
        if value in self.registers and self._before(home, state):
            return True
        if state is self.binding.starts and comes_from_ports(value):
            return True
        if wire and home is state and value.kind not in WAITING:
            return True
        if value in self.binding.stable:
            return all(self._there(arg, state, wire=False) for arg in value.args)
        again = rebuilt(value)
        if not again or not parts or not self._before(home, state):
            return False
        inner = value.kind != "sext"
        return all(self._there(arg, state, wire=wire, parts=inner) for arg in value.args)

    def _before(self, first: State, second: State) -> bool:
        """Whether every path to the second state passes the first one before."""
        if first.block is second.block:
            return first.index < second.index
        return cfg.dominates(self.spans, first.block, second.block)


def _written_in_place(op: Op) -> bool:
    return op.kind in ("slice", "zext")


def _check_ports(binding: Binding, start: Mapping[Op, State], model: DelayModel) -> None:
    """Check that each access has a port that exists, can do it, and does nothing else."""
    name = binding.function.name
    taken: dict[tuple[Memory, State, int], Op] = {}
    for op, state in start.items():
        if op.kind not in ("load", "store"):
            assert op not in binding.port, f"{name} {state.name}: {op} has a memory port"
            continue
        memory: Memory = op.attr
        at = f"{name} {state.name}"
        if memory.kind in _INSIDE:
            assert op not in binding.port, f"{at}: {op} has a port, {memory.name} has none"
            continue
        assert op in binding.port, f"{at}: {op} has no port of {memory.name}"
        port = binding.port[op]
        limit = memory_ports.ports(memory, model)
        split = limit.total > 1 and limit.reads == 1
        most = 2 if memory.kind == "lutram" else limit.total
        assert 0 <= port < most, f"{at}: {op} has port {port} of {memory.name}"
        # With one port of each kind, port 0 reads and port 1 writes; with one that writes, port 1.
        if memory.kind == "lutram" or split:
            fits = port == int(op.kind == "store")
        else:
            fits = op.kind == "load" or limit.writes > 1 or port == limit.total - 1
        assert fits, f"{at}: port {port} of {memory.name} cannot do {op}"
        state = _turn(state)
        other = taken.setdefault((memory, state, port), op)
        assert other is op, f"{at}: port {port} of {memory.name} does {other} and {op}"
        for busy in state.waits_for:
            if busy.kind != "call":
                continue
            touched = binding.schedule.problems[state.block].footprint[busy.attr]
            assert memory not in touched, f"{at}: {op} uses {memory.name} while {busy} does"


def _turn(state: State) -> State:
    """Give a state, of a pipeline one that stands for all cycles of a phase."""
    return state if state.pipe is None else state.pipe.slot(state.time)


def _check_circles(binding: Binding, start: Mapping[Op, State]) -> None:
    """Check that no unit hangs on itself, through wires of whatever states.

    A port of a LUT RAM, with all that is read from it, is a unit like others.
    """
    if not binding.units and not binding.shared:
        return
    after: dict[Hashable, list[Hashable]] = {}
    waiting: dict[Hashable, int] = {}
    for op, state in start.items():
        late = op.kind in WAITING or (op.kind == "load" and binding.home[op] is not state)
        for arg in () if late else op.args:
            if arg in start and binding.home[arg] is state and arg.kind not in WAITING:
                one, two = _gates(binding, arg), _gates(binding, op)
                after.setdefault(one, []).append(two)
                waiting[two] = waiting.get(two, 0) + 1
    ready = [item for item in after if item not in waiting]
    while ready:
        for item in after.get(ready.pop(), ()):
            waiting[item] -= 1
            if not waiting[item]:
                ready.append(item)
    stuck = [op for op in start if waiting.get(_gates(binding, op))]
    name = binding.function.name
    assert not stuck, f"{name}: {stuck[0]} hangs on itself through units that others share"


def _gates(binding: Binding, op: Op) -> Hashable:
    """Give what computes an operation, with all that it computes besides."""
    if op.kind == "load" and op.attr.kind == "lutram":
        return op.attr, binding.port[op]
    unit = binding.unit(op)
    return ("mul", unit) if op in binding.unit_of else unit


def _check_waiting(binding: Binding, start: Mapping[Op, State]) -> None:
    """Check that a state waits for the units that it starts, and dividers fit."""
    name = binding.function.name
    waits: dict[State, list[Op]] = {}
    for op, state in start.items():
        at = f"{name} {state.name}"
        if op.kind in WAITING and state.pipe is None:
            others = waits.setdefault(state, [])
            problem = binding.schedule.problems[state.block]
            assert all(problem.may_wait_beside(op, other) for other in others), (
                f"{at}: starts {others} and {op}"
            )
            others.append(op)
        if op.kind != "divmod":
            assert op not in binding.divider, f"{at}: {op} has a divider"
            continue
        unit = binding.divider.get(op, -1)
        assert 0 <= unit < len(binding.divider_widths), f"{at}: {op} has no divider"
        width = binding.divider_widths[unit]
        assert op.args[0].width == width, f"{at}: div{unit} has {width} bits, not those of {op}"
    for state in binding.states:
        started = waits.get(state, [])
        assert state.waits_for == started, (
            f"{name} {state.name}: waits for {state.waits_for}, not for {started}"
        )
        _check_bursts(state, f"{name} {state.name}")


def _check_bursts(state: State, at: str) -> None:
    """Check that calls of one module begin whole intervals apart, and that the last one is awaited.

    Those of one with state begin in the order of the program.
    """
    calls: dict[Function, list[Op]] = {}
    for op in state.waits_for:
        if op.kind == "call":
            calls.setdefault(op.attr, []).append(op)
    several = [op for ops in calls.values() if len(ops) > 1 for op in ops]
    assert set(state.turns) == set(several), f"{at}: calls of one module have no turns"
    for callee, ops in calls.items():
        turns = [state.turns[op] for op in ops if op in state.turns]
        assert turns == sorted(turns) or not callee.stateful, f"{at}: {callee.name} loses its order"
        assert min(turns, default=0) >= 0, f"{at}: {callee.name} is called before the state"
        for one, two in pairwise(sorted(turns)):
            gap = two - one
            apart = gap >= callee.interval and not (callee.takes_turns and gap % callee.interval)
            assert apart, f"{at}: calls of {callee.name} begin {gap} cycles apart"
    for op, turn in state.turns.items():
        assert turn + op.attr.latency <= state.until, f"{at}: ends before the result of {op} comes"


def _check_multipliers(binding: Binding, start: Mapping[Op, State]) -> None:
    """Check that shared multipliers have the shape of all their products, one in a state."""
    name = binding.function.name
    listed: dict[Op, int] = {}
    for number, unit in enumerate(binding.units):
        taken: dict[State, Op] = {}
        for op in unit.ops:
            assert op in start, f"{name}: mul{number} serves {op}, which is not in the function"
            at = f"{name} {start[op].name}"
            assert op not in listed, f"{at}: {op} has two multipliers"
            listed[op] = number
            assert op.kind == "mul", f"{at}: mul{number} cannot do {op}"
            other = taken.setdefault(_turn(start[op]), op)
            assert other is op, f"{at}: mul{number} does {other} and {op}"
            shape = unit.shape
            assert shape.width == op.width, f"{at}: mul{number} has not the width of {op}"
            for arg, width, signed in (
                (op.args[0], shape.first, shape.first_signed),
                (op.args[1], shape.second, shape.second_signed),
            ):
                value, extended = multipliers.factor(arg)
                fits = value.width == width and (extended == signed or width == shape.width)
                assert fits, f"{at}: mul{number} has not the shape of {value} for {op}"
    assert listed == binding.unit_of, f"{name}: units and products disagree"
