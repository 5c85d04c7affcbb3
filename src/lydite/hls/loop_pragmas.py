# SPDX-License-Identifier: Apache-2.0
"""Puts the directives of the source onto the functions and loops of the imported IR."""

from __future__ import annotations

import re
from collections.abc import Sequence

from lydite.hls import ir
from lydite.hls.debuginfo import DebugInfo
from lydite.hls.interface import Warn
from lydite.hls.llvm_ast import Function
from lydite.hls.pragmas import HONOURED, Pragma


def as_text(pragma: Pragma) -> str:
    """Give a directive in one canonical line: `unroll factor=4`."""
    words = [pragma.kind, *pragma.flags]
    return " ".join([*words, *(f"{key}={value}" for key, value in pragma.options)])


def attach_to_loops(
    source: Function,
    blocks: dict[str, ir.Block],
    order: Sequence[ir.Block],
    debug: DebugInfo,
    pragmas: Sequence[Pragma],
) -> list[Warn]:
    """Give each loop's head the numbers of its directives; name those that LLVM did not obey."""
    position = {block: index for index, block in enumerate(order)}
    warnings: list[Warn] = []
    for block in source.blocks:
        made = blocks[block.name]
        code = block.code[-1]
        if code.loop < 0 or made not in position:
            continue
        texts = [debug.text(node) for node in debug.operands(code.loop)]
        found = [int(m[1]) for t in texts if (m := re.match(r'!\{!"lydite.pragma", i32 (\d+)', t))]
        heads = [t for t in made.targets if position[t] <= position[made]]
        for head in heads:
            head.pragmas = tuple(dict.fromkeys([*head.pragmas, *found]))
        if any("llvm.loop.unroll.full" in text for text in texts):
            for number in found:
                if pragmas[number].kind == "unroll":
                    what = "loop not unrolled: its number of iterations is not known, or too large"
                    warnings.append(Warn(pragmas[number].where, what))
    return warnings


def not_honoured(pragmas: Sequence[Pragma]) -> list[Warn]:
    """Name the directives that this version only keeps."""
    return [
        Warn(pragma.where, f"pragma HLS {pragma.kind} is not honoured yet")
        for pragma in pragmas
        if pragma.kind not in HONOURED
    ]
