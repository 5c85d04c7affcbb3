# SPDX-License-Identifier: Apache-2.0
"""What every pass is given beside the module."""

from __future__ import annotations

from dataclasses import dataclass, field

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Function
from lydite.hls.ir.module import Module


@dataclass(frozen=True, slots=True)
class Context:
    """What passes may ask of the target: its delays, and the clock period in nanoseconds.

    `log` takes what the user should know.
    """

    model: DelayModel
    clock_ns: float
    log: Diagnostics = field(default_factory=Diagnostics)

    def period_ns(self, function: Function, module: Module) -> float:
        """Give what of the clock period the states of a function may take."""
        return directives.period_ns(self.clock_ns, function.pragmas, module.pragmas)
