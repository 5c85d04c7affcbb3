# SPDX-License-Identifier: Apache-2.0
"""`latency min= max=`: states that only wait, and what takes longer than it may.

A function's minimum is met by its entry block, which each call runs once, a loop iteration's by the
loop's head. A maximum adds nothing: the schedule is as short as this compiler makes it, and what
is longer is said.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls import bind, ir, latency, schedule
from lydite.hls.bind import Binding
from lydite.hls.delay_model import DelayModel
from lydite.hls.directives import Latency, of
from lydite.hls.interface import Warn
from lydite.hls.ir import Block, Function, Module
from lydite.hls.schedule import Schedule


def bind_all(
    schedules: Mapping[str, Schedule], module: Module, model: DelayModel
) -> tuple[dict[str, Binding], list[Warn]]:
    """Bind every function, callees first, and give what `latency` asked and did not get."""
    bindings: dict[str, Binding] = {}
    warnings: list[Warn] = []
    known: dict[Function, tuple[int | None, int | None]] = {}
    asked = any(isinstance(item, Latency) for item in module.pragmas)
    for name, plan in schedules.items():
        bindings[name] = bind.bind(plan, model, is_top=name == module.top)
        if asked:
            _meet(plan, bindings, known, module, model, warnings)
    return bindings, warnings


def _meet(
    plan: Schedule,
    bindings: dict[str, Binding],
    known: dict[Function, tuple[int | None, int | None]],
    module: Module,
    model: DelayModel,
    warnings: list[Warn],
) -> None:
    """Lengthen one function and its loops to their minima, and check the maxima."""
    function = plan.function

    def timing() -> latency.Timing:
        return latency.of_function(bindings[function.name], known, module.pragmas)

    def lengthen(block: Block, states: int) -> None:
        plan.plans[block].states += states
        schedule.verify(plan.problems[block], plan.plans[block])
        is_top = function is module.top_function
        bindings[function.name] = bind.bind(plan, model, is_top=is_top)

    loops = ir.find_loops(function)
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


def _check(item: Latency, what: str, most: int | None, warnings: list[Warn]) -> None:
    if item.max < 0 or (most is not None and most <= item.max):
        return
    reached = "has no static bound" if most is None else f"takes up to {most}"
    warnings.append(Warn(item.where, f"latency max={item.max} of {what}: it {reached}"))
