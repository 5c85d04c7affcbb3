# SPDX-License-Identifier: Apache-2.0
"""Turns divisions by constants into products, which need no sequential divider.

For a divisor d and operands of w bits, the quotient is the high part of a product with a rounded-up
reciprocal of w+1 bits (Granlund and Montgomery, 1994, section 4: exact for every operand); the
remainder is what the quotient leaves.
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining
from lydite.hls.passes.context import Context

DOC = "turn divisions by constants into products"

# Wider operands keep the divider: the product would need more than four hardware multipliers.
_MAX_WIDTH = pipelining.MAX_CONSTANT_DIVISION


def run(module: Module, _: Context) -> None:
    """Rewrite every division whose divisor is a constant above 0."""
    for function in module.functions.values():
        values: dict[Op, Op] = {}
        build = Builder([])
        for block in function.blocks:
            if not any(op.kind == "divmod" for op in block.ops):
                continue
            old, block.ops = block.ops, []
            build.ops = block.ops
            for op in old:
                divisor = op.args[1] if op.kind == "divmod" else None
                if (
                    divisor is None
                    or divisor.kind != "const"
                    or not divisor.attr
                    or (divisor.width > _MAX_WIDTH)
                ):
                    block.ops.append(op)
                    continue
                build.where, build.name = op.where, op.name
                values[op] = _divide(build, op.args[0], divisor.attr)
        ir_graph.replace(function, values)


def _divide(build: Builder, value: Op, divisor: int) -> Op:
    width = value.width
    shift = (divisor - 1).bit_length()
    reciprocal = -(-(1 << (width + shift)) // divisor)
    size = width + reciprocal.bit_length()
    product = build.binary("mul", build.resize(value, size), const(size, reciprocal))
    low = width + shift
    quotient = build.resize(build.slice(product, low, max(size - low, 1)), width)
    back = build.binary("mul", quotient, const(width, divisor))
    return build.concat(build.binary("sub", value, back), quotient)
