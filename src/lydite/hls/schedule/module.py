# SPDX-License-Identifier: Apache-2.0
"""Schedules all functions of a module, those that are called first."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from lydite.hls.contract import directives
from lydite.hls.contract.delay_factors import DelayFactors
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Latency, of
from lydite.hls.ir import clone, memory_ports
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import STREAMING, Block, Function
from lydite.hls.ir.module import Module
from lydite.hls.passes import allocation, pipelining
from lydite.hls.schedule import lutram_order, side_by_side, stream_order
from lydite.hls.schedule import multipliers as schedule_multipliers
from lydite.hls.schedule.delay_factors import factors_of
from lydite.hls.schedule.list_scheduler import list_schedule
from lydite.hls.schedule.memory_order import memory_order
from lydite.hls.schedule.problem import Plan, Precedence, Problem, Schedule, exits

LoopScheduler = Callable[[Problem, Function, directives.Pipeline], tuple[Plan, list[Diagnostic]]]


@dataclass(frozen=True, slots=True)
class Scheduled:
    """A module with the schedules of all functions that its top one reaches, callees first.

    Its pipelined functions say what they turned out to take: their latency and their interval.
    """

    module: Module
    functions: Mapping[str, Schedule]


def schedule_module(
    module: Module,
    model: DelayModel,
    clock_ns: float,
    loops: LoopScheduler | None = None,
    *,
    known: DelayFactors | None = None,
) -> Scheduled:
    """Schedule every function that the top one reaches.

    The module stays as it is: if it has pipelined functions, of which callers must know how long
    they take, a copy is scheduled. `loops` schedules and verifies the loops that are to be
    pipelined; without it none is. `known` corrects the model.
    """
    if any(function.is_pipelined for function in module.functions.values()):
        module = clone.module(module)
    footprint = memory_ports.footprint(module)
    ports = {memory: memory_ports.ports(memory, model) for memory in module.memories.values()}
    streaming = stream_order.functions(module)
    partners = side_by_side.partners(module, footprint, streaming)
    contention = {m: use.loads + use.stores for m, use in memory_ports.uses(module).items()}
    cuts = lutram_order.precedences(module, ports)
    result: dict[str, Schedule] = {}
    for function in module.callees_first():
        problems: dict[Block, Problem] = {}
        plans: dict[Block, Plan] = {}
        units = schedule_multipliers.crowds(function.ops(), model)
        limits = allocation.limits(function, module.pragmas)
        limited = allocation.counts(function.ops(), limits)
        pipelined = pipelining.pipelined_blocks(function, module.pragmas) if loops else {}
        wanted = pipelining.pipelined_function(module, function) if loops else None
        if wanted is not None:
            pipelined = {function.blocks[0]: wanted}
        ends = exits(function)
        notes: list[Diagnostic] = []
        period_ns = directives.period_ns(clock_ns, function.pragmas, module.pragmas)
        accesses = Counter(op.attr for op in function.ops() if op.kind in STREAMING)
        learnt = factors_of(known, function) if known is not None else {}
        for block in function.blocks:
            order = [op for op in block.ops if op.kind != "phi"]
            problem = Problem(
                block=block,
                clock_ns=period_ns,
                model=model,
                order=order,
                memory_order=memory_order(order, ports, footprint, partners)
                + [Precedence(*edge) for edge in stream_order.order(order, streaming)],
                ports=ports,
                footprint=footprint,
                contention=contention,
                units=units,
                limits=limits,
                limited=limited,
                accesses=accesses,
                learnt=learnt,
                cuts=cuts.get(block, ()),
                partners=partners,
            )
            if block in ends:
                plan = Plan(block, states=0)
            elif loops is not None and block in pipelined:
                problem, plan, warnings = _pipelined(
                    problem, function, module, pipelined[block], loops
                )
                notes += warnings
                if function.is_pipelined:
                    plan = settle(module, function, plan)
            else:
                plan = list_schedule(problem)
            problems[block], plans[block] = problem, plan
        result[function.name] = Schedule(function, problems, plans, tuple(notes))
    return Scheduled(module, result)


def _pipelined(
    problem: Problem,
    function: Function,
    module: Module,
    wanted: directives.Pipeline,
    loops: LoopScheduler,
) -> tuple[Problem, Plan, list[Diagnostic]]:
    """Schedule a block that is to be pipelined; give the problem with the units that it shares."""
    pragmas = [*function.pragmas, *problem.block.pragmas]
    longest = directives.of(pragmas, module.pragmas, directives.Latency)
    problem = replace(
        problem,
        claims=pipelining.claims(function, problem.block, module.pragmas),
        dedicated_units=any(item.max >= 0 for item in longest),
    )
    plan, warnings = loops(problem, function, wanted)
    pipe = plan.pipeline
    solved = replace(
        problem,
        # With an interval of one, all operations are at work in every cycle.
        limits={} if plan.ii == 1 else problem.limits,
        dedicated_units=pipe is not None,
        multipliers=problem.multipliers if pipe is None else pipe.multipliers,
    )
    return solved, plan, warnings


def settle(module: Module, function: Function, plan: Plan) -> Plan:
    """Enter the latency and the interval of a scheduled function, for its callers; give its plan.

    `latency min=` holds here already: what comes later would change what callers rely on.
    """
    assert plan.pipeline is not None, f"{function.name} has no pipeline"
    least = (item.min for item in of(function.pragmas, module.pragmas, Latency))
    states = max([plan.states, *least])
    for one in module.functions.values():
        if one is function or one.replica_of is function:
            one.latency, one.interval = states - 1, plan.ii or 1
    return replace(plan, states=states, pipeline=replace(plan.pipeline, result=states - 1))
