# SPDX-License-Identifier: Apache-2.0
"""When a state ends: after a cycle, when a unit is done, when all its stream accesses can go.

All that a state does, to registers, memories and streams, and that it ends, depends on this one
condition: a state that holds does nothing.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from lydite.hls.bind import State
from lydite.hls.ir import STREAMING
from lydite.hls.verilog import comment

if TYPE_CHECKING:
    from lydite.hls.emit_function import FunctionEmitter


def done(emitter: FunctionEmitter, state: State) -> str:
    """Give the signal that ends a waiting state; empty for a state of one cycle."""
    if state is emitter.binding.starts:
        return "ap_start"
    op = state.waits_for
    if op is not None and op.kind == "call":
        return emitter.input_signal(f"{op.attr.name}_done", 1).all()
    if op is not None:
        return f"div{emitter.binding.divider[op]}_done"
    holds = emitter.body.holds
    if state not in holds:
        holds[state] = _streams(emitter, state)
    return holds[state][0]


def _streams(emitter: FunctionEmitter, state: State) -> tuple[str, str]:
    """Give name and text of the condition that all stream accesses of a state can go."""
    terms = []
    for op in state.ops:
        if op.kind not in STREAMING:
            continue
        suffix = "free" if op.kind == "write" else "valid"
        ready = emitter.input_signal(f"{op.attr.name}_{suffix}", 1).all()
        condition = op.args[-1]
        if condition.kind != "const":
            ready = f"({ready} | ~{emitter.ref(condition, state)})"
        terms.append(ready)
    if len(terms) < 2 and not any("|" in term for term in terms):
        return "".join(terms), ""
    return emitter.body.names.give(f"go_{state.name}"), " & ".join(terms)


def lines(emitter: FunctionEmitter) -> list[str]:
    """Write the conditions that are not just a signal."""
    wires = [
        f"  wire {name} = {text};{comment(next((op.where for op in state.ops if op.where), ''))}"
        for state, (name, text) in emitter.body.holds.items()
        if text
    ]
    return ["", *wires] if wires else []
