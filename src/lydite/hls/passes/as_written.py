# SPDX-License-Identifier: Apache-2.0
"""Where sums and logic are to stay as the program has them."""

from __future__ import annotations

from lydite.hls.contract.directives import ExpressionBalance, of
from lydite.hls.ir import cfg
from lydite.hls.ir.graph import Block, Function
from lydite.hls.ir.module import Module


def blocks(function: Function, module: Module) -> set[Block]:
    """Give the blocks for which `expression_balance off` stands."""

    def off(numbers: tuple[int, ...]) -> bool:
        return any(item.off for item in of(numbers, module.pragmas, ExpressionBalance))

    if off(function.pragmas):
        return set(function.blocks)
    if not any(block.pragmas for block in function.blocks):
        return set()
    loops = [loop for loop in cfg.find_loops(function) if off(loop.header.pragmas)]
    return {block for loop in loops for block in loop.blocks}
