# SPDX-License-Identifier: Apache-2.0
"""What becomes of loops that no directive speaks of: `--effort area|balanced|speed`.

With `area` they stay as they are. Else short loops are unrolled and innermost ones pipelined where
that pays by the compiler's own schedule and estimate: each way is taken to its end, and the best is
taken (docs/hls-effort.md). Loops with directives of their own that say how they run, those
around and inside of pipelines, and programs with `dataflow` are left as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from lydite.hls import passes, report
from lydite.hls.bind import expected, latency_limits
from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.directives import Directive, Pipeline
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import Area
from lydite.hls.frontend.program import Program
from lydite.hls.ir import cfg, clone, induction
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.delay_model import WIRING, DelayModel
from lydite.hls.ir.graph import STREAMING, Function
from lydite.hls.ir.module import Module
from lydite.hls.lower.stage import Lowered
from lydite.hls.passes import hardware, pipelining
from lydite.hls.schedule import modulo
from lydite.hls.schedule.module import schedule_module

# What one hardware multiplier, and one block RAM, is worth in look-up tables.
DSP_WORTH, BRAM_WORTH = 80, 200
# Iterations, and operations of all of them, up to which a loop without one inside is copied whole.
_SHORT = {"balanced": (16, 256), "speed": (64, 1024)}
# Area by time that may be reached, as share of what plain states take.
_MOST = {"balanced": 1.0, "speed": 4.0}
# Operations of a loop beyond which modulo scheduling is not tried.
_LARGEST = {"balanced": 1500, "speed": 4000}

Imported = Callable[[Collection[int]], tuple[Program, Lowered, Diagnostics]]


@dataclass(frozen=True, slots=True)
class _Trial:
    """A way that was taken to its end.

    Attributes
    ----------
    copied, pipelined : frozenset of int
        Numbers of the loops that are.
    cycles : float
        Of a call of the top function, by guess.
    area : float
        In look-up tables, by estimate.
    loops : mapping of int to float
        Cycles in each loop, by its number.
    """

    copied: frozenset[int]
    pipelined: frozenset[int]
    cycles: float
    area: float
    loops: Mapping[int, float]

    @property
    def product(self) -> float:
        return self.cycles * self.area


def settle(
    imported: Imported, program: Program, lowered: Lowered, options: Options, model: DelayModel
) -> tuple[Program, Lowered, Diagnostics | None]:
    """Decide how loops run: give the program and its module with that said in them.

    Diagnostics are those of the front end, if the program went through it again.
    """
    asked = any(isinstance(item, directives.Dataflow) for item in program.directives)
    if asked or options.effort == "area":
        _forget(lowered.module, program.numbered)
        return program, lowered, None
    made = {frozenset[int](): (program, lowered, None)}
    trials = list(_tried(program, lowered, frozenset(), options, model))
    short = frozenset(_short(lowered.module, program.numbered, options))
    if short:
        again, relowered, log = imported(short)
        made[short] = (again, relowered, log)
        trials += _tried(again, relowered, short, options, model)
    best = _best(trials, options)
    program, lowered, log = made[best.copied]
    lowered = replace(lowered, module=_told(lowered.module, program.numbered, best.pipelined))
    return program, lowered, log


def _best(trials: Sequence[_Trial], options: Options) -> _Trial:
    """Give the fastest trial whose area is worth it."""
    plain = trials[0]
    most = _MOST[options.effort] * plain.product
    fit = [trial for trial in trials if trial is plain or trial.product <= most]
    return min(fit, key=lambda trial: (trial.cycles, trial.area))


def _tried(
    program: Program,
    lowered: Lowered,
    copied: frozenset[int],
    options: Options,
    model: DelayModel,
) -> Iterator[_Trial]:
    """Try a program without pipelines, with all that can be, and with those that paid."""

    def tried(chosen: frozenset[int]) -> _Trial:
        return _run(program, lowered.module, copied, chosen, options, model)

    plain = tried(frozenset())
    yield plain
    candidates = frozenset(_candidates(lowered.module, program.numbered, options))
    if not candidates:
        return
    whole = tried(candidates)
    yield whole
    paid = frozenset(
        number
        for number in candidates
        if whole.loops.get(number, 0.0) < 0.9 * plain.loops.get(number, 0.0)
    )
    if paid and paid != candidates:
        yield tried(paid)


def _run(
    program: Program,
    module: Module,
    copied: frozenset[int],
    chosen: frozenset[int],
    options: Options,
    model: DelayModel,
) -> _Trial:
    """Take a module to its binding."""
    made = _told(module, program.numbered, chosen, plain=True)
    context = passes.Context(model, options.clock_ns, Diagnostics())
    passes.run(made, context, replace(options, dump_after=(), check=False))
    made = hardware.split(made, options.macros, Diagnostics(), free_running=False)
    scheduled = schedule_module(
        made, model, options.clock_ns, modulo.schedule_loop, known=options.learnt
    )
    bindings, _ = latency_limits.bind_all(scheduled.functions, scheduled.module, model)
    found = report.summarise(
        scheduled.module, bindings, model, options.clock_ns, options.macros
    ).area
    known: dict[Function, float] = {}
    loops: dict[int, float] = {}
    for one in scheduled.functions.values():
        taken = expected.of_function(one, known, scheduled.module.pragmas)
        known[one.function] = taken.cycles
        for head, cycles in taken.loops.items():
            for number in head.pragmas:
                if number in program.numbered:
                    loops[number] = loops.get(number, 0.0) + cycles
    top = known[scheduled.module.top_function]
    return _Trial(copied, chosen, top, worth(found), loops)


def worth(area: Area) -> float:
    """Give an estimate in look-up tables: a flip-flop is beside each, what is more counts, too."""
    return max(area.lut, area.ff) + DSP_WORTH * area.dsp + BRAM_WORTH * area.bram


def _told(
    module: Module, numbered: range, chosen: Collection[int], *, plain: bool = False
) -> Module:
    """Give a copy of a module in which the chosen loops are to be pipelined.

    The numbers of the others are kept if `plain`, to be found again.
    """
    made = clone.module(module)
    made.pragmas = tuple(
        replace(item, off=False) if number in chosen else item
        for number, item in enumerate(module.pragmas)
    )
    if not plain:
        _forget(made, [number for number in numbered if number not in chosen])
    return made


def _forget(module: Module, numbers: Collection[int]) -> None:
    """Take numbers from all loops."""
    for function in module.functions.values():
        for block in function.blocks:
            block.pragmas = tuple(n for n in block.pragmas if n not in numbers)


def _innermost(module: Module, numbered: range) -> Iterator[tuple[Function, Loop, list[int]]]:
    """Give the loops without one inside that nothing is asked of, with their numbers."""
    for function in module.callees_first():
        mine = [module.pragmas[number] for number in function.pragmas]
        if any(isinstance(item, Pipeline) and not item.off for item in mine):
            continue
        if function.macro:
            continue
        loops = cfg.find_loops(function)
        for loop in loops:
            if any(other.parent is loop for other in loops):
                continue
            around: Loop | None = loop
            asked = False
            while around is not None:
                asked |= any(
                    number not in numbered and _decides(module.pragmas[number])
                    for number in around.header.pragmas
                )
                around = around.parent
            numbers = [number for number in loop.header.pragmas if number in numbered]
            if numbers and not asked:
                yield function, loop, numbers


def _decides(item: Directive) -> bool:
    """Whether a directive of a loop says how it, or what is in it, runs."""
    kinds = (directives.LoopTripcount, directives.Dependence, directives.ExpressionBalance)
    return not isinstance(item, kinds)


def _candidates(module: Module, numbered: range, options: Options) -> Iterator[int]:
    """Give the numbers of loops that can be pipelined."""
    for function, loop, numbers in _innermost(module, numbered):
        ops = [op for block in loop.blocks for op in block.ops]
        streams = {op.attr for op in ops if op.kind in STREAMING}
        size = sum(op.kind not in WIRING for op in ops)
        # Accesses of different streams change places in a pipeline: who waits for one, waits.
        if len(streams) > 1 or size > _LARGEST[options.effort]:
            continue
        if pipelining.obstacle(function, loop) is None:
            yield from numbers


def _short(module: Module, numbered: range, options: Options) -> Iterator[int]:
    """Give the numbers of loops that are short enough to be copied whole."""
    most_trips, most = _SHORT[options.effort]
    for _, loop, numbers in _innermost(module, numbered):
        counter = induction.counter(loop)
        if counter is None or not 1 < counter.trips <= most_trips:
            continue
        size = sum(op.kind not in WIRING for block in loop.blocks for op in block.ops)
        if counter.trips * size <= most:
            yield from numbers
