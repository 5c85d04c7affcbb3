# SPDX-License-Identifier: Apache-2.0
"""The whole compiler in one function: read `compile` from top to bottom."""

from __future__ import annotations

import contextlib
import gc
import time
from collections.abc import Callable, Iterator, Mapping
from typing import TypeVar

from lydite.base import InputError, digest
from lydite.hls import passes, report
from lydite.hls.bind import instances, latency_limits, timeline, verify_pipeline, verify_registers
from lydite.hls.bind import verify as bind_verify
from lydite.hls.compiled import Compiled
from lydite.hls.contract import directive_text, register_map
from lydite.hls.contract import names as contract_names
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import VerilogFile
from lydite.hls.emit import design as emit_design
from lydite.hls.emit import signals, unique_names
from lydite.hls.emit import top as emit_top
from lydite.hls.frontend import llvm_parser
from lydite.hls.frontend import program as frontend_program
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.ir import delay_model
from lydite.hls.ir import text as ir_text
from lydite.hls.ir import verify as ir_verify
from lydite.hls.lower import (
    clone_processes,
    handshake_ports,
    legalise,
    lost_directives,
    memory_layout,
    port_protocols,
    signature,
    translate,
)
from lydite.hls.passes import dataflow, pipelined_functions, pipelining, rtl_macros, verify_network
from lydite.hls.schedule import limits, list_scheduler, modulo, rewind
from lydite.hls.schedule import module as schedule_module
from lydite.hls.schedule import problem as schedule_problem
from lydite.hls.schedule import verify as schedule_verify

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
    program = clock.run("front end", lambda: frontend_program.build(options))
    source = clock.run("parse", lambda: llvm_parser.parse(program.text))
    debug = DebugInfo(source.metadata)
    warnings = list(program.warnings)

    # LLVM IR to ours: pointers become memories and indices.
    with clock("import"):
        symbol, top = program.symbol, options.top
        warnings += legalise.legalise(
            source, debug, symbol=symbol, top=top, unoptimised=program.types
        )
        program = clone_processes.isolate(
            source, symbol, program, debug, [macro.function for macro in options.macros]
        )
        warnings += signature.drop_pointer(source.functions[symbol], debug)
        top_args = signature.read(source.functions[symbol], program, options, debug)
        modes, notes = port_protocols.resolve(program, top_args)
        warnings += notes
        places = memory_layout.lay_out(
            source, symbol, top_args.ports, debug, top_args.streams(), program.directives
        )
        module, notes = translate.import_module(
            source,
            symbol,
            top,
            places,
            debug,
            scalars=top_args.scalar_types(),
            program=program,
        )
        warnings += [*notes, *lost_directives.of_functions(program, source.functions)]
        warnings += lost_directives.of_variables(module, program.ignored)
        told = lost_directives.of_loops(module)
        top_args, notes = handshake_ports.apply(module, top_args, modes)
        warnings += notes
        rtl_macros.mark(module, options.macros)
        warnings += pipelined_functions.mark(module)
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

    warnings += [*context.warnings, *lost_directives.gone(told, module)]

    # IR to states, registers, ports and units.
    with clock("schedule"):
        if not options.check:
            ir_verify.verify(module, after="passes")
        apart = bool(options.macros) or pipelined_functions.are_several(module)
        modelled, module = module, rtl_macros.separate(module) if apart else module
        restarts = modes.block == "ap_ctrl_none"
        module, notes = dataflow.separate(module, restarts=restarts, ignored=program.ignored)
        warnings += notes
        pipelined_functions.distribute(module)
        verify_network.verify(module, restarts=restarts)
        module, notes = rewind.apply(module, model, options.clock_ns, modulo.schedule_loop)
        warnings += notes
        unique_names.settle(module, top_args, options.macros)
        schedules = schedule_module.schedule_module(
            module, model, options.clock_ns, modulo.schedule_loop, known=options.learnt
        )
        schedule_verify.verify_all(schedules)
        warnings += pipelining.not_met(module)
        warnings += [note for plan in schedules.values() for note in plan.warnings]
        warnings += list_scheduler.late(schedules, options.clock_ns)
        warnings += limits.unknown(module.pragmas)
        bindings, notes = latency_limits.bind_all(schedules, module, model)
        warnings += notes
        for binding in bindings.values():
            bind_verify.verify(binding, model)
            verify_registers.verify(binding)
            verify_pipeline.verify(binding)
            plans = binding.schedule.plans
            unshared = [block for block, plan in plans.items() if plan.ii == 1]
            warnings += limits.exceeded(binding.function, module.pragmas, binding.unit, unshared)
        called = (*options.macros, *instances.called_modules(module, bindings))

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
        emitters = emit_design.prepare(design)
        files = emit_design.emit(design, emitters)
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
    if options.top in contract_names.VERILOG_KEYWORDS:
        raise InputError("--top", f"{options.top} is a word of Verilog", "rename the function")
    if not options.clock_ns > 0:
        raise InputError("--clock-ns", f"{options.clock_ns} is no clock period", "give nanoseconds")
    known = {"import", "all", *passes.BY_NAME}
    for name in options.dump_after:
        if name not in known:
            raise InputError(
                "--dump-after", f"unknown pass {name}", f"known: {', '.join(sorted(known))}"
            )


def _claims(schedules: Mapping[str, schedule_problem.Schedule]) -> tuple[Diagnostic, ...]:
    """Give the directives that schedules rely on and nothing has shown."""
    plans = (plan for item in schedules.values() for plan in item.plans.values())
    found = [claim for plan in plans if plan.pipeline for claim in plan.pipeline.claims]
    return _distinct(
        [Diagnostic(item.where, f"pragma HLS {directive_text.text(item)}") for item in found]
    )


def _distinct(warnings: list[Diagnostic]) -> tuple[Diagnostic, ...]:
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
