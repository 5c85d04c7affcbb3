# SPDX-License-Identifier: Apache-2.0
"""The whole compiler in one function: read `compile` from top to bottom."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from lydite.base import InputError, digest
from lydite.hls import (
    account,
    allocation,
    bind_verify,
    dataflow,
    delay_model,
    directive_text,
    emit,
    emit_top,
    frontend,
    importer,
    ir_text,
    ir_verify,
    isolate,
    latency_limits,
    layout,
    legalise,
    llvm_parse,
    macros,
    modulo,
    network_verify,
    passes,
    piped,
    pipeline,
    pipeline_verify,
    port_modes,
    protocols,
    register_map,
    register_verify,
    report,
    rewind,
    schedule,
    schedule_verify,
    signals,
    spelling,
    timeline,
    topargs,
)
from lydite.hls.debuginfo import DebugInfo
from lydite.hls.interface import Compiled, Options, VerilogFile, Warn

_T = TypeVar("_T")


@contextlib.contextmanager
def _collector_paused() -> Iterator[None]:
    """Keep Python from looking for garbage in circles: the IR is large, and lives to the end."""
    if not gc.isenabled():
        yield
        return
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@_collector_paused()
def compile(options: Options) -> Compiled:
    """Compile C or C++ to Verilog.

    Raises
    ------
    InputError
        The program cannot become hardware; says where and why.
    ToolFailed
        The C compiler crashed.
    """
    _check(options)
    clock = _Stopwatch()
    model = delay_model.load(options.target)

    # C to LLVM IR, optimised as any compiler does.
    program = clock.run("front end", lambda: frontend.build(options))
    source = clock.run("parse", lambda: llvm_parse.parse(program.text))
    debug = DebugInfo(source.metadata)
    warnings = list(program.warnings)

    # LLVM IR to ours: pointers become memories and indices.
    with clock("import"):
        symbol, top = program.symbol, options.top
        warnings += legalise.legalise(
            source, debug, symbol=symbol, top=top, unoptimised=program.types
        )
        program = isolate.isolate(
            source, symbol, program, debug, [macro.function for macro in options.macros]
        )
        warnings += topargs.drop_pointer(source.functions[symbol], debug)
        top_args = topargs.read(source.functions[symbol], program, options, debug)
        modes, notes = protocols.resolve(program, top_args)
        warnings += notes
        places = layout.lay_out(
            source, symbol, top_args.ports, debug, top_args.streams(), program.directives
        )
        module, notes = importer.import_module(
            source,
            symbol,
            top,
            places,
            debug,
            scalars=top_args.scalar_types(),
            program=program,
        )
        warnings += [*notes, *account.of_functions(program, source.functions)]
        warnings += account.of_variables(module, program.ignored)
        told = account.of_loops(module)
        top_args, notes = port_modes.apply(module, top_args, modes)
        warnings += notes
        macros.mark(module, options.macros)
        warnings += piped.mark(module)
        ir_verify.verify(module, after="import")

    # Our IR to better IR.
    dumps: list[tuple[str, str]] = []
    context = passes.Context(model, options.clock_ns)
    wanted = set(options.dump_after)
    with clock("passes"):
        for name in ("import", *passes.PIPELINE):
            if name != "import":
                passes.BY_NAME[name].run(module, context)
                if options.check:
                    ir_verify.verify(module, after=name)
            if wanted & {name, "all"}:
                dumps.append((name, ir_text.print_module(module)))

    warnings += [*context.warnings, *account.gone(told, module)]

    # IR to states, registers, ports and units.
    with clock("schedule"):
        if not options.check:
            ir_verify.verify(module, after="passes")
        apart = bool(options.macros) or piped.are_several(module)
        modelled, module = module, macros.separate(module) if apart else module
        restarts = modes.block == "ap_ctrl_none"
        module, notes = dataflow.separate(module, restarts=restarts, ignored=program.ignored)
        warnings += notes
        piped.distribute(module)
        network_verify.verify(module, restarts=restarts)
        module, notes = rewind.apply(module, model, options.clock_ns, modulo.schedule_loop)
        warnings += notes
        spelling.settle(module, top_args, options.macros)
        schedules = schedule.schedule_module(
            module, model, options.clock_ns, modulo.schedule_loop, known=options.learnt
        )
        schedule_verify.verify_all(schedules)
        warnings += pipeline.not_met(module)
        warnings += [note for plan in schedules.values() for note in plan.warnings]
        warnings += schedule.late(schedules, options.clock_ns)
        warnings += allocation.unknown(module.pragmas)
        bindings, notes = latency_limits.bind_all(schedules, module, model)
        warnings += notes
        for binding in bindings.values():
            bind_verify.verify(binding, model)
            register_verify.verify(binding)
            pipeline_verify.verify(binding)
            plans = binding.schedule.plans
            unshared = [block for block, plan in plans.items() if plan.ii == 1]
            warnings += allocation.exceeded(
                binding.function, module.pragmas, binding.unit, unshared
            )
        called = (*options.macros, *piped.macros(module, bindings))

    # States to Verilog.
    with clock("emit"):
        source_digest = digest.of_value(
            [program.digest, top, repr(options.clock_ns), model.family, list(options.depths)]
            + [
                [placed.directive, placed.function, placed.loop, placed.variable]
                for placed in options.directives
            ]
            + [repr(macro.texts) for macro in options.macros]
            + ([options.learnt.digest] if options.learnt is not None else [])
        )
        result = report.summarise(module, bindings, model, options.clock_ns, called)
        head = report.head(module, result, source_digest, passes.PIPELINE)
        registers = report.registers(module, top_args, modes)
        design = emit_top.Design(module, bindings, model, top_args, head, modes, registers, called)
        emitters = emit.prepare(design)
        files = emit.emit(design, emitters)
        interface = report.interface(module, bindings, top_args, program, modes, options.macros)
        timelines = tuple(
            timeline.draw(binding)
            for binding in reversed(bindings.values())
            if not binding.function.macro
        )
    return Compiled(
        files=files,
        documents=_documents(options.top, registers),
        interface=interface,
        report=report.with_seconds(result, clock.seconds),
        warnings=_distinct(warnings),
        dumps=tuple(dumps),
        module=modelled,
        source_digest=source_digest,
        timelines=timelines,
        claims=_claims(schedules),
        schedules=schedules,
        signals=signals.of(emitters),
    )


def _documents(top: str, found: register_map.RegisterMap | None) -> tuple[VerilogFile, ...]:
    if found is None:
        return ()
    return (
        VerilogFile(f"{top}_regs.h", register_map.header(top, found)),
        VerilogFile(f"{top}_regs.md", register_map.document(top, found)),
    )


def _check(options: Options) -> None:
    if not options.sources:
        raise InputError("sources", "no C file given", "name at least one")
    if options.top in topargs.VERILOG_KEYWORDS:
        raise InputError("--top", f"{options.top} is a word of Verilog", "rename the function")
    if not options.clock_ns > 0:
        raise InputError("--clock-ns", f"{options.clock_ns} is no clock period", "give nanoseconds")
    known = {"import", "all", *passes.BY_NAME}
    for name in options.dump_after:
        if name not in known:
            raise InputError(
                "--dump-after", f"unknown pass {name}", f"known: {', '.join(sorted(known))}"
            )


def _claims(schedules: Mapping[str, schedule.Schedule]) -> tuple[Warn, ...]:
    """Give the directives that schedules rely on and nothing has shown."""
    plans = (plan for item in schedules.values() for plan in item.plans.values())
    found = [claim for plan in plans if plan.pipeline for claim in plan.pipeline.claims]
    return _distinct(
        [Warn(item.where, f"pragma HLS {directive_text.text(item)}") for item in found]
    )


def _distinct(warnings: list[Warn]) -> tuple[Warn, ...]:
    return tuple(dict.fromkeys(warnings))


class _Stopwatch:
    """Measures the stages; the figures go into the report, never into the Verilog."""

    def __init__(self) -> None:
        self.seconds: list[tuple[str, float]] = []
        self._name = ""
        self._start = 0.0

    def __call__(self, name: str) -> _Stopwatch:
        self._name = name
        return self

    def __enter__(self) -> None:
        self._start = time.monotonic()

    def __exit__(self, *_: object) -> None:
        self.seconds.append((self._name, time.monotonic() - self._start))

    def run(self, name: str, action: Callable[[], _T]) -> _T:
        with self(name):
            return action()
