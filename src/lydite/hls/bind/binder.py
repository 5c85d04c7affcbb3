# SPDX-License-Identifier: Apache-2.0
"""Decides what a scheduled function is made of: states, registers, memory ports, units.

A value gets a register if it is used in a later state than the one that computes it. Values made of
phis and arguments by wiring alone are there in every state without one.
"""

from __future__ import annotations

from collections.abc import Hashable

from lydite.hls.bind import pipeline as bind_pipeline
from lydite.hls.bind import registers as bind_registers
from lydite.hls.bind.binding import Binding, Pipe, State, comes_from_ports, cycles, rebuilt, turn
from lydite.hls.ir import memory_ports
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import STREAMING, WIRES, Block, Memory, Op
from lydite.hls.schedule import bursts, multipliers
from lydite.hls.schedule import limits as schedule_limits
from lydite.hls.schedule.problem import WAITING, Plan, Schedule, edge_values


def bind(schedule: Schedule, model: DelayModel, *, is_top: bool = False) -> Binding:
    """Bind one scheduled function.

    The top function does the work of its first state while it is idle; what calls the others is
    logic, whose time is not known here.
    """
    function = schedule.function
    binding = Binding(function, schedule)
    names: set[str] = set()
    for block in function.blocks:
        if schedule.plans[block].states:
            _states(binding, block, schedule.plans[block], names)
        else:
            binding.exits.add(block)
    if binding.calls or (is_top and _may_start_at_once(binding)):
        binding.starts = binding.states[0]
    _stable(binding)
    _multipliers(binding)
    _registers(binding)
    binding.storage = bind_registers.assign(binding)
    binding.idle = bind_registers.idle(binding)
    for block in function.blocks:
        _ports(binding, block, model)
    for loop in binding.pipes.values():
        bind_pipeline.hold(binding, loop)
    _dividers(binding)
    _limited(binding)
    pipe = binding.calls
    if pipe is not None and pipe.module is not None:
        shared = [*binding.unit_of, *binding.shared_by]
        pipe.shares_to = max((binding.home[op].time for op in shared), default=0)
    return binding


def _unique(name: str, taken: set[str]) -> str:
    """Give a name of its own: blocks may be called as states of others are."""
    number, result = 1, name
    while result in taken:
        number += 1
        result = f"{name}_{number}"
    taken.add(result)
    return result


def _states(binding: Binding, block: Block, plan: Plan, names: set[str]) -> None:
    if plan.pipeline is not None:
        _pipeline(binding, block, plan, names)
        return
    listed = [
        f"{block.name}_{index}" if plan.states > 1 else block.name for index in range(plan.states)
    ]
    states = [State(_unique(name, names), block, index, False) for index, name in enumerate(listed)]
    states[-1].last = True
    problem = binding.schedule.problems[block]
    for op in problem.order:
        start = states[plan.state[op]]
        start.ops.append(op)
        if op.kind in WAITING:
            start.waits_for.append(op)
            binding.home[op] = start
        else:
            binding.home[op] = states[plan.state[op] + problem.latency(op)] if op.width else start
    for state in states:
        state.turns = bursts.turns(state.waits_for)
        state.until = max(map(state.answered, state.turns), default=0)
    binding.states += states
    binding.first[block] = states[0]
    binding.last[block] = states[-1]


def _pipeline(binding: Binding, block: Block, plan: Plan, names: set[str]) -> None:
    """Make one state for a pipelined loop, and one for each cycle of an iteration."""
    problem = binding.schedule.problems[block]
    state = State(_unique(block.name, names), block, 0, True)
    times = [State(f"{block.name}_{t}", block, t, False, time=t) for t in range(plan.states)]
    pipe = Pipe(block, plan, state, times)
    for one in (state, *times):
        one.pipe = pipe
    if pipe.calls:
        pipe.params = list(binding.function.params)
        pipe.ready = dict.fromkeys(pipe.params, 0)
        pipe.module = binding.function if binding.function.is_pipelined else None
        pipe.rewind = binding.function.rewind
    for op in problem.order:
        times[plan.state[op]].ops.append(op)
        late = op.attr.latency if op.kind == "call" else problem.latency(op)
        pipe.ready[op] = plan.state[op] + (late if op.width else 0)
        binding.home[op] = times[pipe.ready[op]]
    binding.states.append(state)
    binding.first[block] = binding.last[block] = state
    binding.pipes[block] = pipe


def _may_start_at_once(binding: Binding) -> bool:
    """Whether the first state takes a cycle, waits for nothing, and does not end the function."""
    state = binding.states[0]
    if state.pipe is not None or any(op.kind in WAITING | STREAMING for op in state.ops):
        return False
    block = state.block
    ends = block.end == "ret" or any(target in binding.exits for target in block.targets)
    return not (state.last and ends)


def _stable(binding: Binding) -> None:
    stable = binding.stable
    if binding.calls is not None:
        return  # with each call, all values are others
    stable.update(binding.function.params)
    for block in binding.function.blocks:
        if block not in binding.pipes and block not in binding.exits:
            stable.update(block.phis())
    for block in binding.function.blocks:
        for op in block.ops:
            # In the first state arguments come from ports, which do not last.
            if op.kind != "phi" and binding.home[op] is binding.starts:
                continue
            if op.kind in WIRES and all(a.kind == "const" or a in stable for a in op.args):
                stable.add(op)


def _registers(binding: Binding) -> None:
    """Find the values that some user needs after the state in which they are on their wire."""
    kept: dict[Op, None] = {}
    inside = binding.internal
    if binding.starts is None:
        binding.kept_params.update(binding.function.params)

    def use(value: Op, state: State, *, named: bool = False) -> None:
        if value in inside:
            return  # kept by its pipeline
        if value.kind == "param" and state is not binding.starts:
            binding.kept_params.add(value)  # also through wiring below
        if value.kind in ("const", "param"):
            return
        if value in binding.stable:
            for arg in value.args if value.kind != "phi" else ():
                use(arg, state)
            return
        if value.kind not in WAITING and binding.home[value] is state:
            return
        if rebuilt(value) and not named:
            # Its parts are kept instead, and put together again where they are read.
            for arg in value.args:
                use(arg, state, named=value.kind == "sext")
        else:
            kept[value] = None

    for state in cycles(binding):
        for op in state.ops:
            # A wire belongs to its home state, which is where its operands are read. A shared
            # multiplier takes factors without their extension.
            named = op.kind in ("slice", "sext", "store")
            for arg in op.args:
                factor = multipliers.factor(arg)[0] if op in binding.unit_of else arg
                use(factor, state, named=named)
    for block, last in binding.last.items():
        if block.arg is not None:
            use(block.arg, last)
        for value in edge_values(block):
            use(value, last)
    binding.registers = [op for op in binding.function.ops() if op in kept]
    for pipe in binding.pipes.values():
        bind_pipeline.keep(pipe, binding.function, binding.stable, binding.unit_of)


def _ports(binding: Binding, block: Block, model: DelayModel) -> None:
    """Give each access of a state a port of its memory."""
    taken: dict[tuple[Memory, int], int] = {}
    plan = binding.schedule.plans[block]
    for op in binding.schedule.problems[block].order:
        if op.kind not in ("load", "store"):
            continue
        memory: Memory = op.attr
        limit = memory_ports.ports(memory, model)
        if memory.kind in ("registers", "lutrom"):
            continue
        if memory.kind == "lutram" or (limit.total > 1 and limit.reads == 1):
            binding.port[op] = int(op.kind == "store")
            continue
        if limit.total > 1 and limit.writes == 1 and op.kind == "store" and not memory.constant:
            binding.port[op] = 1
            continue
        state = plan.state[op]
        key = (memory, state if plan.pipeline is None else state % plan.pipeline.ii)
        binding.port[op] = taken.get(key, 0)
        taken[key] = binding.port[op] + 1


def _dividers(binding: Binding) -> None:
    """Share one divider for all divisions of a width: each has a state of its own."""
    for op in binding.function.ops():
        if op.kind == "divmod":
            width = op.args[0].width
            assert width > 1, "divisions of single bits are folded"
            if width not in binding.divider_widths:
                binding.divider_widths.append(width)
            binding.divider[op] = binding.divider_widths.index(width)


def _limited(binding: Binding) -> None:
    """Share the units whose number directives limit."""
    problems = binding.schedule.problems.values()
    limits = {kind: limit for problem in problems for kind, limit in problem.limits.items()}
    if not limits:
        return
    kept = set(binding.registers)

    def source(op: Op, arg: Op) -> Hashable:
        """Say where an operand comes from: a memory's port, or a value of its own."""
        state = binding.home[op]
        late = 0
        if state.pipe is not None and arg in state.pipe.values and arg not in binding.stable:
            late = state.pipe.copy(arg, state.time)
        if late:
            return arg, late
        if arg in binding.port and (arg not in kept or binding.home[arg] is state):
            return arg.attr.name, binding.port[arg]
        return arg

    # Where an iteration begins in each cycle, no limit holds, and nothing is shared.
    ops = [
        op
        for state in cycles(binding)
        for op in state.ops
        if binding.schedule.problems[state.block].limited_kind(op)
    ]
    binding.shared = schedule_limits.share(ops, limits, lambda op: turn(binding, op), source)
    for unit in binding.shared:
        for op, _ in unit.ops:
            binding.shared_by[op] = unit


def _multipliers(binding: Binding) -> None:
    """Share multipliers whose factors are in registers."""

    def may_share(op: Op) -> bool:
        state = binding.home[op]
        if not binding.schedule.problems[state.block].may_share(op):
            return False
        # In a pipeline, the schedule sees to it that none hangs on another.
        factors = [multipliers.factor(arg)[0] for arg in op.args]
        return state.pipe is not None or all(_is_held(binding, f, state) for f in factors)

    binding.units = multipliers.share(
        binding.function.ops(), lambda op: turn(binding, op), may_share
    )
    for number, unit in enumerate(binding.units):
        for op in unit.ops:
            binding.unit_of[op] = number


def _is_held(binding: Binding, value: Op, state: State) -> bool:
    # A phi that is not stable is a pipelined loop's, which keeps what is read after it.
    if value.kind in ("const", "phi") or value in binding.stable:
        return True
    return binding.home[value] is not state or comes_from_ports(value)
