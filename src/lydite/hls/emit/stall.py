# SPDX-License-Identifier: Apache-2.0
"""When a state ends: after a cycle, when a unit is done, when all its stream accesses can go.

All that a state does, to registers, memories and streams, and that it ends, depends on this one
condition: a state that holds does nothing.
"""

from __future__ import annotations

from functools import partial

from lydite.hls.contract.diagnostics import place
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Declare, Group, Note, Offer, wire


def conditions(emitter: FunctionEmitter) -> Group:
    """Write the conditions that are not just a signal."""
    offers = []
    for state, (name, text) in emitter.body.holds.items():
        if text:
            where = place(next((op.where for op in state.ops if op.where), ""))
            offers.append(Offer(name, partial(_wire, name, text, where)))
    return Group((Note(),), tuple(offers))


def _wire(name: str, text: str, where: str) -> tuple[Declare]:
    return (wire(name, 1, text, where),)
