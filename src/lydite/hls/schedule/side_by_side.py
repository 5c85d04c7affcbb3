# SPDX-License-Identifier: Apache-2.0
"""Which functions may be at work at once: a state that calls two of them waits for both.

Each function is one module, whoever calls it, and memories answer one of them at a time. So two may
run side by side if they have no function and no memory with ports in common, with all that they
call, and one of them at most accesses streams, whose order is that of the program.
"""

from __future__ import annotations

from collections.abc import Mapping

from lydite.hls.ir.graph import Function, Memory, called
from lydite.hls.ir.module import Module


def partners(
    module: Module,
    footprint: Mapping[Function, frozenset[Memory]],
    streaming: frozenset[Function],
) -> dict[Function, frozenset[Function]]:
    """Give for each function those that may be at work beside it."""
    within: dict[Function, frozenset[Function]] = {}
    for function in module.callees_first():
        callees = {callee for op in function.ops() if (callee := called(op)) is not None}
        within[function] = frozenset({function}.union(*(within[callee] for callee in callees)))

    def apart(one: Function, two: Function) -> bool:
        return not (
            {one, two} <= streaming or within[one] & within[two] or footprint[one] & footprint[two]
        )

    return {one: frozenset(two for two in within if apart(one, two)) for one in within}
