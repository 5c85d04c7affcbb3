# SPDX-License-Identifier: Apache-2.0
"""Puts the directives of loops, and their labels, onto the blocks of the imported IR."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import Directive, Unroll
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.llvm_ast import Function
from lydite.hls.frontend.llvm_text import plain
from lydite.hls.ir import graph as ir_graph


def attach_to_loops(
    source: Function,
    blocks: dict[str, ir_graph.Block],
    order: Sequence[ir_graph.Block],
    debug: DebugInfo,
    pragmas: Sequence[Directive],
) -> list[Diagnostic]:
    """Give each loop's head the numbers of its directives; name those that LLVM did not obey."""
    position = {block: index for index, block in enumerate(order)}
    warnings: list[Diagnostic] = []
    for block in source.blocks:
        made = blocks[block.name]
        code = block.code[-1]
        if code.loop < 0 or made not in position:
            continue
        texts = [debug.text(node) for node in debug.operands(code.loop)]
        found = [int(m[1]) for t in texts if (m := re.match(r'!\{!"lydite.pragma", i32 (\d+)', t))]
        label = next((m[1] for t in texts if (m := re.match(r'!\{!"lydite.loop", !"(.*)"', t))), "")
        heads = [t for t in made.targets if position[t] <= position[made]]
        for head in heads:
            head.pragmas = tuple(dict.fromkeys([*head.pragmas, *found]))
            head.loop = head.loop or plain(label)
        if any("llvm.loop.unroll.full" in t or "llvm.loop.unroll.count" in t for t in texts):
            for number in found:
                if isinstance(pragmas[number], Unroll):
                    what = "loop not unrolled: its number of iterations is not known, or too large"
                    warnings.append(Diagnostic(pragmas[number].where, what))
    return warnings
