# SPDX-License-Identifier: Apache-2.0
"""When a state ends: after a cycle, when units are done, when all its stream accesses can go.

All that a state does, to registers, memories and streams, and that it ends, depends on this one
condition: a state that holds does nothing.
"""

from __future__ import annotations

from functools import partial

from lydite.hls.bind.binding import State
from lydite.hls.contract.diagnostics import place
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Declare, Group, Note, Offer, wire
from lydite.hls.ir.graph import STREAMING


def conditions(emitter: FunctionEmitter) -> Group:
    """Write the conditions that are not just a signal, in the order of the first requests."""
    held = [(state, *found) for state, found in emitter.body.holds.items() if found[1]]
    offers: list[Offer] = []
    for state, name, text in sorted(held, key=lambda item: _first_request(emitter, item[0])):
        where = place(next((op.where for op in state.ops if op.where), ""))
        offers.append(Offer(name, partial(_wire, name, text, where)))
    return Group((Note(),), tuple(offers))


def _first_request(emitter: FunctionEmitter, state: State) -> int:
    """Give the number of the first memory port or stream that a state asks."""
    ports = [(port.memory, port.number) for port in emitter.body.memory_ports]
    asked = [(op.attr, emitter.binding.port[op]) for op in state.ops if op in emitter.binding.port]
    streams = [op.attr for op in state.ops if op.kind in STREAMING]
    found = [number for number, port in enumerate(ports) if port in asked]
    listed = enumerate(emitter.body.streams, len(ports))
    asked_streams = [number for number, stream in listed if stream in streams]
    return min((*found, *asked_streams), default=0)


def _wire(name: str, text: str, where: str) -> tuple[Declare]:
    return (wire(name, 1, text, where),)
