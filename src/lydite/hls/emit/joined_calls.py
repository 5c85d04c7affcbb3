# SPDX-License-Identifier: Apache-2.0
"""Writes what a function remembers of calls that run side by side: which are over, and results.

A state that starts several ends when the last one is done. One that is done earlier is not started
again, and its result, which is there in that cycle alone, is kept.
"""

from __future__ import annotations

from collections.abc import Iterator

from lydite.hls.bind.binding import State
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.structure import Form, If, Item, Note, Process, Write, reg
from lydite.hls.emit.verilog import literal
from lydite.hls.ir.graph import Function


def _callees(emitter: FunctionEmitter) -> dict[Function, list[State]]:
    """Give the functions that are called beside others, and the states that do so."""
    found: dict[Function, list[State]] = {}
    for state in emitter.binding.states:
        for op in state.waits_for if len(state.waits_for) > 1 else ():
            if op in state.turns:
                continue
            found.setdefault(op.attr, []).append(state)
    return found


def registers(emitter: FunctionEmitter) -> Iterator[Item]:
    """Declare the registers."""
    for callee, (over, value) in emitter.body.joined.items():
        yield reg(over, 1, f"{callee.name} is done, another call is not")
        if callee.width:
            yield reg(value, callee.width)


def processes(emitter: FunctionEmitter) -> Iterator[Item]:
    """Write the registers."""
    for callee, states in _callees(emitter).items():
        over, value = emitter.body.joined[callee]
        done = f"{callee.name}_done"
        terms = [
            f"((state_q == {emitter.state_names[state]}) & ~{emitter.done(state)})"
            for state in states
        ]
        waits = terms[0] if len(terms) == 1 else f"({' | '.join(terms)})"
        ends = Write(over, f"{waits} & ({over} | {done})")
        reset = Write(over, literal(1, 0))
        yield Note()
        yield Process((If("ap_rst", (reset,), (ends,), Form.INLINE),))
        if callee.width:
            taken = (Write(value, f"{callee.name}_return"),)
            yield Process((If(done, taken, form=Form.INLINE),))
