# SPDX-License-Identifier: Apache-2.0
"""`latency min= max=`: states that only wait, and what takes longer than it may.

A function's minimum is met by its entry block, which each call runs once, a loop iteration's by the
loop's head. Where a maximum is exceeded, products get units of their own, without multiplexers
before them, if that saves states; what is longer all the same is said.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from lydite.hls.bind import binder, latency
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Directive, Latency, of
from lydite.hls.ir import cfg
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Function
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining
from lydite.hls.schedule import list_scheduler, modulo
from lydite.hls.schedule import verify as schedule_verify
from lydite.hls.schedule.problem import Plan, Schedule


def bind_all(
    schedules: Mapping[str, Schedule], module: Module, model: DelayModel
) -> tuple[dict[str, Binding], list[Diagnostic]]:
    """Bind every function, callees first, and give what `latency` asked and did not get.

    A binding has the schedule that it is of: the one given, or one that is longer or shorter.
    """
    bindings: dict[str, Binding] = {}
    warnings: list[Diagnostic] = []
    known: dict[Function, tuple[int | None, int | None]] = {}
    asked = any(isinstance(item, Latency) for item in module.pragmas)
    for name, schedule in schedules.items():
        bindings[name] = binder.bind(schedule, model, is_top=name == module.top)
        if asked:
            _meet(schedule.function, bindings, known, module, model, warnings)
    return bindings, warnings


def _meet(
    function: Function,
    bindings: dict[str, Binding],
    known: dict[Function, tuple[int | None, int | None]],
    module: Module,
    model: DelayModel,
    warnings: list[Diagnostic],
) -> None:
    """Bring one function and its loops to their limits, and say which are exceeded."""

    def timing() -> latency.Timing:
        return latency.of_function(bindings[function.name], known, module.pragmas)

    def now() -> Schedule:
        return bindings[function.name].schedule

    def bind(schedule: Schedule) -> None:
        is_top = function is module.top_function
        bindings[function.name] = binder.bind(schedule, model, is_top=is_top)

    def lengthen(block: Block, states: int) -> None:
        schedule = now()
        plan = _extended(schedule.plans[block], states)
        if plan.pipeline is None:
            schedule_verify.verify(schedule.problems[block], plan)
        else:
            modulo.check(schedule.problems[block], function, plan)
        bind(replace(schedule, plans={**schedule.plans, block: plan}))

    loops = cfg.find_loops(function)
    # What is too long is shortened before anything is lengthened.
    for blocks in _too_long(function, loops, timing, module.pragmas):
        bind(_apart(now(), blocks))
    for number in reversed(range(len(loops))):
        header = loops[number].header
        for item in of(header.pragmas, module.pragmas, Latency):
            low = timing().loops[number].iteration_min or 0
            if item.min > low:
                lengthen(header, item.min - low)
            found = timing().loops[number]
            what = f"an iteration of {found.name}"
            _check(item, what, found.iteration_max, warnings)
    for item in of(function.pragmas, module.pragmas, Latency):
        # With more states, the first one may work while the function is idle: look again.
        while item.min > (least := timing().minimum or 0):
            lengthen(function.blocks[0], item.min - least)
        _check(item, function.name, timing().maximum, warnings)
    done = timing()
    known[function] = (done.minimum, done.maximum)


def _too_long(
    function: Function,
    loops: Sequence[Loop],
    timing: Callable[[], latency.Timing],
    known: tuple[Directive, ...],
) -> Iterator[Sequence[Block]]:
    """Give the blocks of loops, then of the function, if they exceed a maximum at that time."""
    for number, loop in enumerate(loops):
        for item in of(loop.header.pragmas, known, Latency):
            if _exceeds(item, timing().loops[number].iteration_max):
                yield loop.blocks
    for item in of(function.pragmas, known, Latency):
        if _exceeds(item, timing().maximum):
            yield function.blocks


def _apart(schedule: Schedule, blocks: Iterable[Block]) -> Schedule:
    """Schedule blocks without sharing of products, where that saves states."""
    problems, plans = dict(schedule.problems), dict(schedule.plans)
    for block in blocks:
        old = plans[block]
        if old.states < 2 or old.pipeline is not None or old.ii is not None:
            continue
        problem = replace(problems[block], dedicated_units=True)
        new = list_scheduler.list_schedule(problem)
        if new.states < old.states:
            schedule_verify.verify(problem, new)
            problems[block], plans[block] = problem, new
    return replace(schedule, problems=problems, plans=plans)


def _exceeds(item: Latency, most: int | None) -> bool:
    return item.max >= 0 and (most is None or most > item.max)


def _extended(plan: Plan, states: int) -> Plan:
    """Let a block take more states; of a pipelined function, results come in the new last one."""
    last, end = plan.states - 1, plan.states + states - 1
    if plan.pipeline is None or plan.pipeline.result is None:
        return replace(plan, states=end + 1)
    moved = {
        op: end
        for op, state in plan.state.items()
        if op.kind == "write" and state == last and not pipelining.is_valid_said(op.attr)
    }
    return replace(
        plan,
        states=end + 1,
        state={**plan.state, **moved},
        pipeline=replace(plan.pipeline, result=end),
    )


def _check(item: Latency, what: str, most: int | None, warnings: list[Diagnostic]) -> None:
    if not _exceeds(item, most):
        return
    reached = "has no static bound" if most is None else f"takes up to {most}"
    warnings.append(Diagnostic(item.where, f"latency max={item.max} of {what}: it {reached}"))
