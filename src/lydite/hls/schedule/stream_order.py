# SPDX-License-Identifier: Apache-2.0
"""What a schedule must know of streams: the order of accesses, their time, who makes them.

A state with accesses holds until all of them can go, and then all go at once. So a read may not
share a state with a write before it, which the other side may be waiting for; and a call or a
division, whose end lasts a cycle, may not share one with any access.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lydite.hls.ir.graph import STREAMING, Function, Op, Stream
from lydite.hls.ir.module import Module


def functions(module: Module) -> frozenset[Function]:
    """Give the functions that access streams, or call one that does."""
    found: set[Function] = set()
    for function in module.callees_first():
        if any(
            op.kind in STREAMING or (op.kind == "call" and op.attr in found)
            for op in function.ops()
        ):
            found.add(function)
    return frozenset(found)


def order(ops: Sequence[Op], streaming: frozenset[Function]) -> Iterator[tuple[Op, Op, int]]:
    """Give pairs of accesses of a block in program order, and the states between them at least."""
    last: Op | None = None
    last_of: dict[Stream, Op] = {}
    for op in ops:
        if op.kind == "call" and op.attr in streaming:
            if last is not None:
                yield last, op, 1
            # All that was before lies before the call.
            last, last_of = op, {}
        elif op.kind in STREAMING:
            if last is not None:
                apart = last.kind == "call" or (last.kind == "write" and op.kind == "read")
                yield last, op, int(apart)
            before = last_of.get(op.attr)
            if before is not None:
                yield before, op, 1
            last = last_of[op.attr] = op
