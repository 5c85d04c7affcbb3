# SPDX-License-Identifier: Apache-2.0
"""When a state ends: after a cycle, when a unit is done, when all its stream accesses can go.

All that a state does, to registers, memories and streams, and that it ends, depends on this one
condition: a state that holds does nothing.
"""

from __future__ import annotations

from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.verilog import comment


def lines(emitter: FunctionEmitter) -> list[str]:
    """Write the conditions that are not just a signal."""
    wires = [
        f"  wire {name} = {text};{comment(next((op.where for op in state.ops if op.where), ''))}"
        for state, (name, text) in emitter.body.holds.items()
        if text
    ]
    return ["", *wires] if wires else []
