# SPDX-License-Identifier: Apache-2.0
"""The stage: verified schedules of all functions, pipelines included."""

from __future__ import annotations

from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.options import Options
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.module import Module
from lydite.hls.passes import allocation, pipelining
from lydite.hls.schedule import list_scheduler, modulo, verify
from lydite.hls.schedule.module import Scheduled, schedule_module


def run(module: Module, model: DelayModel, options: Options, log: Diagnostics) -> Scheduled:
    """Schedule every function that the top one reaches, callees first."""
    clock_ns = options.clock_ns
    made = schedule_module(module, model, clock_ns, modulo.schedule_loop, known=options.learnt)
    verify.verify_all(made.functions)
    log.add(*pipelining.not_met(made.module))
    log.add(*(note for each in made.functions.values() for note in each.warnings))
    log.add(*list_scheduler.late(made.functions, clock_ns))
    log.add(*allocation.unknown(made.module.pragmas))
    return made
