# SPDX-License-Identifier: Apache-2.0
"""The whole compiler in one function: read `compile` from top to bottom."""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import replace

from lydite.base import InputError, digest
from lydite.hls import bind, effort, emit, lower, passes, report, schedule
from lydite.hls.bind import instances, timeline
from lydite.hls.compiled import Compiled
from lydite.hls.contract import directive_text, register_map
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.names import VERILOG_KEYWORDS
from lydite.hls.contract.options import Options
from lydite.hls.contract.report import VerilogFile
from lydite.hls.emit import unique_names
from lydite.hls.frontend import llvm_parser
from lydite.hls.frontend import program as frontend_program
from lydite.hls.frontend.program import Program
from lydite.hls.ir import delay_model
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.lower import lost_directives
from lydite.hls.lower.stage import Lowered
from lydite.hls.passes import hardware
from lydite.hls.schedule import modulo, rewind
from lydite.hls.schedule.problem import Schedule


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
    log, heard, clock = Diagnostics(), Diagnostics(), _Stopwatch()
    model = delay_model.load(options.target)
    with clock("front end"):  # C to LLVM IR, optimised as any compiler does
        program = frontend_program.build(options, heard)
    with clock("parse"):
        source = llvm_parser.parse(program.text)
    with clock("import"):  # LLVM IR to ours: pointers become memories and indices
        lowered = lower.run(source, program, options, heard)
        hardware.mark(lowered.module, options.macros, heard)
    if options.effort != "area":
        with clock("effort"):  # what becomes of loops that no directive speaks of
            program, lowered, again = effort.settle(
                lambda copied: _imported(options, copied), program, lowered, options, model
            )
            heard = again or heard
    log.add(*heard)
    module = lowered.module
    with clock("passes"):  # our IR to better IR
        dumps = passes.run(module, passes.Context(model, options.clock_ns, log), options)
        log.add(*lost_directives.gone(lowered.loop_directives - {*program.numbered}, module))
        made = hardware.split(
            module,
            options.macros,
            log,
            free_running=lowered.protocols.block == "ap_ctrl_none",
            ignored=program.ignored,
        )
        # The last that changes a module: stages have its objects by their names.
        unique_names.settle(made, lowered.signature, options.macros)
    with clock("schedule"):  # IR to states, registers, ports and units
        made = rewind.apply(made, model, options.clock_ns, modulo.schedule_loop, log)
        scheduled = schedule.run(made, model, options, log)
        made = scheduled.module  # pipelined functions say there what they take
        bindings = bind.run(scheduled.functions, made, model, log)
        # As `latency` wants them.
        schedules = {name: binding.schedule for name, binding in bindings.items()}
    with clock("emit"):  # states to Verilog
        source_digest = _digest(options, program, model)
        macros = (*options.macros, *instances.called_modules(made, bindings))
        result = report.summarise(made, bindings, model, options.clock_ns, macros)
        registers = report.registers(made, lowered.signature, lowered.protocols)
        design = emit.Design(
            made,
            bindings,
            model,
            lowered.signature,
            report.head(made, result, source_digest, passes.PIPELINE),
            lowered.protocols,
            registers,
            macros,
        )
        files, names = emit.run(design)
        interface = report.interface(
            made, bindings, lowered.signature, program, lowered.protocols, options.macros
        )
        timelines = timeline.draw_all(bindings)
    return Compiled(
        files=files,
        documents=_documents(options.top, registers),
        interface=interface,
        report=report.with_seconds(result, clock.seconds),
        warnings=log.distinct(),
        dumps=dumps,
        module=module,
        source_digest=source_digest,
        timelines=timelines,
        claims=_claims(schedules),
        schedules=schedules,
        signals=names,
    )


def _imported(options: Options, copied: Collection[int]) -> tuple[Program, Lowered, Diagnostics]:
    """Take a program to our IR once more, some of its loops unrolled."""
    log = Diagnostics()
    program = frontend_program.build(options, log, copied)
    lowered = lower.run(llvm_parser.parse(program.text), program, options, log)
    hardware.mark(lowered.module, options.macros, log)
    return program, lowered, log


def _digest(options: Options, program: Program, model: DelayModel) -> str:
    """Give the digest of all that decides what comes out; what is not said has no part."""
    placed = [
        [item.directive, item.function, item.loop, item.variable] for item in options.directives
    ]
    return digest.of_value(
        [program.digest, options.top, repr(options.clock_ns), model.family, list(options.depths)]
        + placed
        + [repr(replace(macro, where="")) for macro in options.macros]
        + ([options.learnt.digest] if options.learnt is not None else [])
        + ([f"-std={options.std}"] if options.std else [])
        + ([f"effort {options.effort}"] if options.effort != "area" else [])
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
    if options.top in VERILOG_KEYWORDS:
        raise InputError("--top", f"{options.top} is a word of Verilog", "rename the function")
    if not options.clock_ns > 0:
        raise InputError("--clock-ns", f"{options.clock_ns} is no clock period", "give nanoseconds")
    known = {"import", "all", *passes.BY_NAME}
    for name in options.dump_after:
        if name not in known:
            raise InputError(
                "--dump-after", f"unknown pass {name}", f"known: {', '.join(sorted(known))}"
            )


def _claims(schedules: Mapping[str, Schedule]) -> tuple[Diagnostic, ...]:
    """Give the directives that schedules rely on and nothing has shown."""
    plans = (plan for item in schedules.values() for plan in item.plans.values())
    found = [claim for plan in plans if plan.pipeline for claim in plan.pipeline.claims]
    log = Diagnostics()
    log.add(*(Diagnostic(item.where, f"pragma HLS {directive_text.text(item)}") for item in found))
    return log.distinct()


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
