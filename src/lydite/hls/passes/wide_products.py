# SPDX-License-Identifier: Apache-2.0
"""Which products do not fit a clock period, and what `bind_op` wants products to be made of."""

from __future__ import annotations

from collections.abc import Callable

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import CORES, BindOp, Resource, of
from lydite.hls.ir.delay_model import significant
from lydite.hls.ir.graph import Function, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes.context import Context


def slow(function: Function, module: Module, context: Context) -> Callable[[Op], bool]:
    """Give what says whether a product of a function is to be split."""
    model = context.model
    room = context.period_ns(function, module) - model.setup_ns - model.register_ns

    def splits(op: Op) -> bool:
        width = max(significant(op.args[0]), significant(op.args[1]))
        return width > model.dsp_width and model.delay_ns(op) > room

    return splits


def wanted(function: Function, module: Module, context: Context) -> dict[str, str]:
    """Give what `bind_op`, or the older `resource`, wants a product to be made of, by its name."""
    asked = [
        item
        for item in of(function.pragmas, module.pragmas, BindOp)
        if item.op == "mul" and item.impl
    ]
    for old in of(function.pragmas, module.pragmas, Resource):
        impl = CORES.get(old.core.lower())
        if impl is not None:
            asked.append(BindOp(variable=old.variable, op="mul", impl=impl, where=old.where))
    products = [op for op in function.ops() if op.kind == "mul"]
    result: dict[str, str] = {}
    for item in asked:
        named = [op for op in products if op.name == item.variable]
        result[item.variable] = item.impl
        head = f"bind_op of {item.variable}"
        small = context.model.dsp_threshold
        if item.latency > 0:
            context.log.add(
                Diagnostic(
                    item.where, f"{head}: latency={item.latency} is not made; a product has none"
                )
            )
        for op in named:
            width = min(significant(op.args[0]), significant(op.args[1]))
            if item.impl == "dsp" and width < small:
                what = f"a product of {width} bits is logic; multipliers begin at {small} bits"
                context.log.add(Diagnostic(item.where, f"{head}: {what}"))
    return result
