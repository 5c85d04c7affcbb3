# SPDX-License-Identifier: Apache-2.0
"""Conditions under which stages of a pipeline may go on."""

from __future__ import annotations

from lydite.hls.bind.binding import Pipe
from lydite.hls.emit.function import FunctionEmitter
from lydite.hls.emit.pipe_names import PipeNames
from lydite.hls.emit.structure import Item, wire
from lydite.hls.ir.graph import STREAMING


def pipes_of(emitter: FunctionEmitter) -> list[PipeNames]:
    """Give the names of all pipelines of a function."""
    return emitter.all_pipes


def of_calls(emitter: FunctionEmitter) -> PipeNames:
    """Give the names of the pipeline that a function is."""
    (mine,) = emitter.all_pipes
    return mine


def waits_at(emitter: FunctionEmitter, mine: PipeNames, time: int, active: str) -> list[str]:
    """Write the conditions that each access to a stream at a time can go, if it is active."""
    terms: list[str] = []
    for op in mine.pipe.times[time].ops:
        if op.kind in STREAMING:
            suffix = "free" if op.kind == "write" else "valid"
            ready = [f"{op.attr.name}_{suffix}"]
            ready += [f"~({active})"] if active else []
            if op.args[-1].kind != "const":
                ready.append(f"~{emitter.ref(op.args[-1], mine.pipe.times[time])}")
            terms.append(f"({' | '.join(ready)})")
    return terms


def go(emitter: FunctionEmitter, mine: PipeNames) -> list[Item]:
    """Write the conditions that accesses to streams can go."""
    pipe = mine.pipe
    items: list[Item] = []
    whole: list[str] = []
    for time in reversed(mine.waits):
        if time == 0 and pipe.calls and pipe.ii > 1:
            continue  # part of what starts a call
        terms = waits_at(emitter, mine, time, mine.at(time))
        whole += terms
        if pipe.ii == 1:
            later = mine.go_behind(time)
            text = " & ".join(filter(None, [*terms, later]))
            items.append(wire(f"{mine.stem}_go{time}", 1, text))
    if pipe.ii > 1 and whole:
        items.append(wire(f"{mine.stem}_go", 1, " & ".join(whole)))
    return items


def names_of(emitter: FunctionEmitter, pipe: Pipe) -> PipeNames:
    return next(names for names in pipes_of(emitter) if names.pipe is pipe)
