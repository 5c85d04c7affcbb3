# SPDX-License-Identifier: Apache-2.0
"""The stage: verified schedules of all functions, pipelines included."""

from __future__ import annotations

from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.options import Options
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining
from lydite.hls.schedule import limits, list_scheduler, modulo, verify
from lydite.hls.schedule.module import schedule_module
from lydite.hls.schedule.problem import Schedule


def run(
    module: Module, model: DelayModel, options: Options, log: Diagnostics
) -> dict[str, Schedule]:
    """Schedule every function that the top one reaches, callees first."""
    clock_ns = options.clock_ns
    schedules = schedule_module(module, model, clock_ns, modulo.schedule_loop, known=options.learnt)
    verify.verify_all(schedules)
    log.add(*pipelining.not_met(module))
    log.add(*(note for each in schedules.values() for note in each.warnings))
    log.add(*list_scheduler.late(schedules, clock_ns))
    log.add(*limits.unknown(module.pragmas))
    return schedules
