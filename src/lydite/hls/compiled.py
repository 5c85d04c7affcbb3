# SPDX-License-Identifier: Apache-2.0
"""What comes out of the compiler: files, report, schedules, the IR that was scheduled."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.interface import Interface
from lydite.hls.contract.report import Report, Timeline, VerilogFile
from lydite.hls.emit.signals import Signals
from lydite.hls.ir.module import Module
from lydite.hls.schedule.problem import Schedule


@dataclass(frozen=True, slots=True)
class Compiled:
    """The result of a compilation.

    Attributes
    ----------
    files : tuple of VerilogFile
        One module each, the top module first; read them all together.
    interface : Interface
        The ports, and the C function they stand for.
    report : Report
        Latency, states, units, registers, memories, area estimate.
    warnings : tuple of Diagnostic
        Notes for the user, in source order.
    dumps : tuple of (str, str)
        IR text after the passes that `Options.dump_after` names.
    module : Module
        The IR that was scheduled; `lydite.hls.ir.interpret.Machine` runs it.
    source_digest : str
        SHA-256 over the preprocessed sources and the options that matter.
    timelines : tuple of Timeline
        The schedules for drawing, in the order of `Report.functions`.
    documents : tuple of VerilogFile
        Beside the Verilog: of a register map its C header and its page.
    claims : tuple of Diagnostic
        `dependence` directives that the hardware relies on: it is wrong where they are.
    schedules : mapping
        Function to its schedule; `lydite.hls.schedule.reanalyse` times it by another model.
    signals : mapping
        Function to what the names in its Verilog stand for.
    """

    files: tuple[VerilogFile, ...]
    interface: Interface
    report: Report
    warnings: tuple[Diagnostic, ...]
    dumps: tuple[tuple[str, str], ...]
    module: Module = field(repr=False)
    source_digest: str
    timelines: tuple[Timeline, ...] = field(default=(), repr=False)
    documents: tuple[VerilogFile, ...] = ()
    claims: tuple[Diagnostic, ...] = ()
    schedules: Mapping[str, Schedule] = field(default_factory=dict, repr=False)
    signals: Mapping[str, Signals] = field(default_factory=dict, repr=False)

    @property
    def verilog(self) -> str:
        """All files in one text, the top module first."""
        return "\n".join(file.text for file in self.files)
