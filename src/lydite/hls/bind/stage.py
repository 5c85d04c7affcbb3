# SPDX-License-Identifier: Apache-2.0
"""The stage: verified bindings of all functions."""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.bind import latency_limits, verify, verify_pipeline, verify_registers
from lydite.hls.bind.binding import Binding
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.module import Module
from lydite.hls.schedule import limits
from lydite.hls.schedule.problem import Schedule


def run(
    schedules: Mapping[str, Schedule], module: Module, model: DelayModel, log: Diagnostics
) -> dict[str, Binding]:
    """Bind every scheduled function, callees first."""
    bindings, notes = latency_limits.bind_all(schedules, module, model)
    log.add(*notes)
    for binding in bindings.values():
        verify.verify(binding, model)
        verify_registers.verify(binding)
        verify_pipeline.verify(binding)
        plans = binding.schedule.plans
        unshared = [block for block, plan in plans.items() if plan.ii == 1]
        log.add(*limits.exceeded(binding.function, module.pragmas, binding.unit, unshared))
    return bindings
