# SPDX-License-Identifier: Apache-2.0
"""What becomes of loops and arrays that no directive speaks of: `--effort area|balanced|speed`.

With `area` they stay as they are. Else short loops are unrolled, innermost ones pipelined, and
small arrays kept in registers, where that pays by the compiler's own schedule and estimate: each
way is taken to its end, and the best is chosen (docs/hls-effort.md). What has directives of its own
that say how it runs, what is around and inside of a pipeline, and programs with `dataflow` stay as
they are.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from lydite.hls import passes, report
from lydite.hls.bind import expected, instances, latency_limits
from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.directives import BindStorage, Directive, Pipeline
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import Area
from lydite.hls.frontend.program import Program
from lydite.hls.ir import cfg, clone, induction, memory_ports
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
# A loop that is pipelined must take at most this share of the cycles that it takes otherwise.
_PAYS = 0.95


@dataclass(frozen=True, slots=True)
class _Limits:
    """How far an effort goes.

    Attributes
    ----------
    product : float
        Area by time that may be reached, as share of what plain states take.
    power : float
        Of all ways, that with the least time to this power by area is taken.
    short : tuple of (int, int)
        Steps of unrolling: iterations, and operations of all of them, of a loop that is copied.
    copies : int
        Operations of all copies together.
    loop_ops : int
        Operations of a loop up to which it may be pipelined.
    register_bits : int
        Bits of an array up to which it may be kept in registers.
    """

    product: float
    power: float
    short: tuple[tuple[int, int], ...]
    copies: int
    loop_ops: int
    register_bits: int


_LIMITS = {
    "balanced": _Limits(1.0, 2.0, ((16, 256), (64, 1024)), 4096, 1500, 2048),
    "speed": _Limits(4.0, 8.0, ((16, 256), (64, 1024), (64, 4096)), 8192, 4000, 4096),
}

Imported = Callable[[Collection[int]], tuple[Program, Lowered, Diagnostics]]


@dataclass(frozen=True, slots=True)
class _Way:
    """One way to make a program: its loops by their numbers, its arrays by the memories' names."""

    copied: frozenset[int] = frozenset()
    pipelined: frozenset[int] = frozenset()
    registers: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class _Trial:
    """A way that was taken to its end.

    Attributes
    ----------
    cycles : float
        Of a call of the top function, by guess.
    area : float
        In look-up tables, by estimate.
    loops : mapping of int to float
        Cycles in each loop, by its number.
    arrays : frozenset of str
        Memories that may become registers.
    """

    way: _Way
    cycles: float
    area: float
    loops: Mapping[int, float] = field(repr=False)
    arrays: frozenset[str] = frozenset()

    @property
    def product(self) -> float:
        """Area by time."""
        return self.cycles * self.area


def settle(
    imported: Imported, program: Program, lowered: Lowered, options: Options, model: DelayModel
) -> tuple[Program, Lowered, Diagnostics | None]:
    """Decide how loops run: give the program and its module with that said in them.

    Diagnostics are those of the front end, if the program went through it again.
    """
    if any(isinstance(item, directives.Dataflow) for item in program.directives):
        _forget(lowered.module, program.numbered)
        return program, lowered, None
    limits = _LIMITS[options.effort]
    made: dict[frozenset[int], tuple[Program, Lowered, Diagnostics | None]] = {}
    trials: list[_Trial] = []
    for copied, item in _unrolled(imported, program, lowered, limits):
        made[copied] = item
        bench = _Bench(item[0], item[1].module, options, model, limits)
        trials += bench.trials(copied)
    best = _best(trials, limits)
    program, lowered, log = made[best.way.copied]
    module = _told(lowered.module, program.numbered, best.way)
    _forget(module, {*program.numbered} - best.way.pipelined)
    return program, replace(lowered, module=module), log


def worth(area: Area) -> float:
    """Give an estimate in look-up tables: beside each is a flip-flop, and what is more counts."""
    return max(area.lut, area.ff) + DSP_WORTH * area.dsp + BRAM_WORTH * area.bram


def _best(trials: list[_Trial], limits: _Limits) -> _Trial:
    """Give the trial that is fastest for an area that is worth it."""
    plain = trials[0]
    most = limits.product * plain.product
    fit = [trial for trial in trials if trial is plain or trial.product <= most]
    return min(fit, key=lambda trial: trial.cycles**limits.power * trial.area)


def _unrolled(
    imported: Imported, program: Program, lowered: Lowered, limits: _Limits
) -> Iterator[tuple[frozenset[int], tuple[Program, Lowered, Diagnostics | None]]]:
    """Give the program as it is, then with ever more loops copied whole, inner ones first."""
    copied: frozenset[int] = frozenset()
    log: Diagnostics | None = None
    yield copied, (program, lowered, log)
    for trips, most in limits.short:
        more = frozenset(_short(lowered.module, program.numbered, trips, most, limits.copies))
        while more - copied:
            copied |= more
            program, lowered, log = imported(copied)
            yield copied, (program, lowered, log)
            more = frozenset(_short(lowered.module, program.numbered, trips, most, limits.copies))


@dataclass(frozen=True, slots=True)
class _Bench:
    """Tries ways of a program whose loops were unrolled as they are to be."""

    program: Program
    module: Module
    options: Options
    model: DelayModel
    limits: _Limits

    def trials(self, copied: frozenset[int]) -> Iterator[_Trial]:
        """Try it without pipelines, with all that can be, with those that paid, and registers."""
        plain = self.run(_Way(copied))
        yield plain
        best = whole = plain
        candidates = frozenset(self.candidates())
        if candidates:
            best = whole = self.run(_Way(copied, candidates))
            yield whole
            paid = frozenset(
                number
                for number in candidates
                if whole.loops.get(number, 0.0) < _PAYS * plain.loops.get(number, 0.0)
            )
            if paid != candidates:
                best = self.run(replace(whole.way, pipelined=paid)) if paid else plain
                yield best
        # A pipeline may pay with registers that does not with the ports of a memory.
        for way in dict.fromkeys((best.way, whole.way, plain.way) if best.arrays else ()):
            yield self.run(replace(way, registers=best.arrays))

    def run(self, way: _Way) -> _Trial:
        """Take a way to the binding."""
        options = self.options
        made = _told(self.module, self.program.numbered, way)
        context = passes.Context(self.model, options.clock_ns, Diagnostics())
        passes.run(made, context, replace(options, dump_after=(), check=False))
        made = hardware.split(made, options.macros, Diagnostics(), free_running=False)
        # Without what was learnt: that must not make another program of it.
        scheduled = schedule_module(made, self.model, options.clock_ns, modulo.schedule_loop)
        made = scheduled.module
        bindings, _ = latency_limits.bind_all(scheduled.functions, made, self.model)
        macros = (*options.macros, *instances.called_modules(made, bindings))
        area = report.summarise(made, bindings, self.model, options.clock_ns, macros).area
        known: dict[Function, float] = {}
        loops: dict[int, float] = {}
        for one in scheduled.functions.values():
            taken = expected.of_function(one, known, made.pragmas)
            known[one.function] = taken.cycles
            for head, cycles in taken.loops.items():
                for number in head.pragmas:
                    if number in self.program.numbered:
                        loops[number] = loops.get(number, 0.0) + cycles
        top = known[made.top_function]
        return _Trial(way, top, worth(area), loops, frozenset(self.arrays(made)))

    def candidates(self) -> Iterator[int]:
        """Give the numbers of loops that can be pipelined."""
        for function, loop, numbers in _innermost(self.module, self.program.numbered):
            ops = [op for block in loop.blocks for op in block.ops]
            streams = {op.attr for op in ops if op.kind in STREAMING}
            size = sum(op.kind not in WIRING for op in ops)
            # Accesses of different streams change places in a pipeline: who waits for one, waits.
            if len(streams) > 1 or size > self.limits.loop_ops:
                continue
            if pipelining.obstacle(function, loop) is None:
                yield from numbers

    def arrays(self, made: Module) -> Iterator[str]:
        """Give the memories of a module behind the passes that may become registers."""
        for memory, use in memory_ports.uses(made).items():
            known = self.module.memories.get(memory.name)
            small = memory.width * memory.depth <= self.limits.register_bits
            free = known is not None and not known.pragmas and not memory.array
            free &= len(memory.objects) == 1  # what several share is no array of the program's
            if free and small and memory.kind in ("lutram", "bram") and len(use.functions) == 1:
                yield memory.name


def _told(module: Module, numbered: range, way: _Way) -> Module:
    """Give a copy of a module in which it is said which way to go.

    Loops keep their numbers, to be found again.
    """
    made = clone.module(module)
    made.pragmas = (
        *(
            Pipeline(unasked=True) if number in way.pipelined else item
            for number, item in enumerate(module.pragmas)
        ),
        *(BindStorage(variable=name, impl="registers") for name in sorted(way.registers)),
    )
    for number, name in enumerate(sorted(way.registers), len(module.pragmas)):
        memory = made.memories[name]
        memory.pragmas = (*memory.pragmas, number)
    return made


def _forget(module: Module, numbers: Collection[int]) -> None:
    """Take numbers from all loops, and their directives out of the module."""
    kept = [number for number in range(len(module.pragmas)) if number not in numbers]
    new = {number: at for at, number in enumerate(kept)}

    def renumbered(old: Sequence[int]) -> tuple[int, ...]:
        return tuple(new[number] for number in old if number in new)

    for memory in module.memories.values():
        memory.pragmas = renumbered(memory.pragmas)
    for function in module.functions.values():
        function.pragmas = renumbered(function.pragmas)
        for block in function.blocks:
            block.pragmas = renumbered(block.pragmas)
    module.pragmas = tuple(module.pragmas[number] for number in kept)


def _innermost(module: Module, numbered: range) -> Iterator[tuple[Function, Loop, list[int]]]:
    """Give the loops without one inside that nothing is asked of, with their numbers."""
    for function in module.callees_first():
        mine = [module.pragmas[number] for number in function.pragmas]
        if function.macro or any(isinstance(item, Pipeline) and not item.off for item in mine):
            continue
        loops = cfg.find_loops(function)
        outer = {id(loop.parent) for loop in loops}
        for loop in loops:
            around: Loop | None = loop
            asked = id(loop) in outer
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


def _short(
    module: Module, numbered: range, most_trips: int, most: int, copies: int
) -> Iterator[int]:
    """Give the numbers of loops that are short enough to be copied whole, within a sum."""
    for _, loop, numbers in _innermost(module, numbered):
        counter = induction.counter(loop)
        if counter is None or not 1 < counter.trips <= most_trips:
            continue
        size = sum(op.kind not in WIRING for block in loop.blocks for op in block.ops)
        if counter.trips * size <= min(most, copies):
            copies -= counter.trips * size
            yield from numbers
