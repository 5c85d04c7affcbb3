# SPDX-License-Identifier: Apache-2.0
"""Makes wide products whose number `allocation` limits calls of one pipelined function.

A product that `multiply` would split is products and sums. To share these one by one takes a choice
of operands in front of each, and leaves the sums. So it is shared as a whole: the widest factors of
a function's wide products, with a sign if one of them has it, are the arguments of a function that
multiplies them, which is a module that takes a pair every cycle. Where a pipeline begins its rounds
every cycle nothing can be shared, and products stay.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.contract.directives import Pipeline
from lydite.hls.contract.names import free_name
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.ir.module import Module
from lydite.hls.passes import allocation, pipelined_functions, pipelining, wide_products
from lydite.hls.passes.context import Context


@dataclass(frozen=True, slots=True)
class _Factor:
    """What is multiplied, and whether it is extended by its sign; None: nobody sees how."""

    value: Op
    signed: bool | None


def run(module: Module, context: Context) -> None:
    """Share the wide products of every function that has a limit of `mul`."""
    for function in module.callees_first():
        limit = allocation.limits(function, module.pragmas).get("mul")
        if limit is None:
            continue
        wide = _wide(function, module, context)
        if wide:
            callee = _multiplier(module, function, wide, limit)
            _call(function, wide, callee)


def _wide(
    function: Function, module: Module, context: Context
) -> dict[Op, tuple[_Factor, _Factor]]:
    """Give the products that are to be shared, with their factors, the wider one first."""
    if _every_cycle(pipelining.pipelined_function(module, function)):
        return {}
    loops = pipelining.pipelined_blocks(function, module.pragmas)
    is_slow = wide_products.slow(function, module, context)
    wanted = wide_products.wanted(function, module, context)
    found: dict[Op, tuple[_Factor, _Factor]] = {}
    for block in function.blocks:
        if _every_cycle(loops.get(block)):
            continue
        for op in block.ops:
            if allocation.kind_of(op) == "mul" and op.name not in wanted and is_slow(op):
                first, second = (_factor(arg) for arg in op.args)
                turned = first.value.width < second.value.width
                found[op] = (second, first) if turned else (first, second)
    return found


def _every_cycle(asked: Pipeline | None) -> bool:
    return asked is not None and asked.ii < 2


def _factor(arg: Op) -> _Factor:
    if arg.kind in ("zext", "sext"):
        return _Factor(arg.args[0], arg.kind == "sext")
    return _Factor(arg, None)


def _multiplier(
    module: Module,
    function: Function,
    wide: dict[Op, tuple[_Factor, _Factor]],
    limit: int,
) -> Function:
    """Make the function whose result has all products in its low bits."""
    width = max(op.width for op in wide)
    build = Builder([])
    where = next(iter(wide)).where
    params: list[Op] = []
    factors: list[Op] = []
    for position, name in enumerate("ab"):
        own = [pair[position] for pair in wide.values()]
        signed = any(factor.signed for factor in own)
        size = min(width, max(_size(factor, signed) for factor in own))
        param = Op("param", size, attr=position, name=name)
        params.append(param)
        factors.append(build.resize(param, width, signed=signed))
    build.where = where
    product = build.binary("mul", *factors)
    name = free_name(f"{function.name}_product", module.functions)
    made = Function(name, params=params, width=width, where=where)
    made.blocks = [Block("entry", ops=build.ops, arg=product, where=where)]
    made.pragmas = (len(module.pragmas),)
    module.pragmas += (Pipeline(where=where, ii=1),)
    module.functions[name] = made
    pipelined_functions.become(made, stateful=False, limit=limit)
    return made


def _size(factor: _Factor, signed: bool) -> int:
    """Give the bits of a factor where others beside it have a sign, or have none."""
    return factor.value.width + (signed and factor.signed is False)


def _call(function: Function, wide: dict[Op, tuple[_Factor, _Factor]], callee: Function) -> None:
    values: dict[Op, Op] = {}
    for block in function.blocks:
        if wide.keys().isdisjoint(block.ops):
            continue
        old, block.ops = block.ops, []
        build = Builder(block.ops)
        for op in old:
            if op not in wide:
                block.ops.append(op)
                continue
            build.where, build.name = op.where, op.name
            arguments = [
                build.resize(factor.value, param.width, signed=bool(factor.signed))
                for factor, param in zip(wide[op], callee.params, strict=True)
            ]
            product = build.make("call", callee.width, arguments, callee)
            values[op] = build.slice(product, 0, op.width)
    ir_graph.replace(function, values)
