# SPDX-License-Identifier: Apache-2.0
"""Narrows the counter of a pipelined loop to the width of the bound that it is compared with.

LLVM counts in 64 bits whatever the program says, and a test that adds and compares 64 bits comes a
cycle late. A counter that goes up by one from a constant, and is surely left when it meets a bound,
has no more bits than the bound, if it starts below; that follows from a test before the loop.
"""

from __future__ import annotations

from collections.abc import Iterator

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Op, const


def narrow(function: Function, block: Block) -> None:
    """Narrow the counters of a loop of one block."""
    values: dict[Op, Op] = {}
    for test in list(_ends(block)):
        step, bound = test.args
        for one, other in ((step, bound), (bound, step)):
            phi = _counted(one, block)
            if phi is None or phi in values:
                continue
            start = next(a for a, s in zip(phi.args, phi.attr, strict=True) if s is not block)
            width = _width(function, block, other, start.attr)
            if width is not None and width < phi.width:
                following = _replace(block, phi, one, width, values)
                test.args = [following, _narrowed(other, width)]
                break
    ir_graph.replace(function, values)


def _ends(block: Block) -> Iterator[Op]:
    """Walk the comparisons for equality each of which ends the loop, whatever else holds."""
    test, goes_on = cfg.loop_condition(block)
    pending = [] if test is None else [test]
    inside = set(block.ops)
    while pending:
        op = pending.pop()
        if op not in inside:
            continue
        if op.kind == ("and" if goes_on else "or") and op.width == 1:
            pending += op.args
        elif op.kind == ("ne" if goes_on else "eq"):
            yield op


def _counted(op: Op, block: Block) -> Op | None:
    """Give the phi that a value is the next one of, if that counts up by one from a constant."""
    if op.kind != "add" or op.args[1] is not const(op.width, 1) or op.args[0].kind != "phi":
        return None
    phi = op.args[0]
    if block not in phi.attr or len(phi.args) != 2 or phi not in block.ops:
        return None
    at = phi.attr.index(block)
    return phi if phi.args[at] is op and phi.args[1 - at].kind == "const" else None


def _width(function: Function, block: Block, bound: Op, start: int) -> int | None:
    """Give the bits of a bound that is above the start for certain."""
    if bound.kind == "const":
        return int(bound.attr).bit_length() if start < bound.attr else None
    if bound.kind != "zext" or bound in block.ops or start != 0:
        return None
    inner = bound.args[0]
    return inner.width if _is_positive(function, block, (inner, bound)) else None


def _is_positive(function: Function, block: Block, values: tuple[Op, Op]) -> bool:
    """Whether a test on the only way to the loop says that a value is not 0."""
    dominators = cfg.immediate_dominators(function)
    predecessors = function.predecessors()
    at = block
    while dominators[at] is not at:
        above = dominators[at]
        before = [p for p in predecessors[at] if not (at is block and p is block)]
        if before == [above] and above.end == "branch" and len(set(above.targets)) == 2:
            assert above.arg is not None
            if _says_not_zero(above.arg, values, holds=above.targets[0] is at):
                return True
        at = above
    return False


def _says_not_zero(test: Op, values: tuple[Op, Op], *, holds: bool) -> bool:
    if test.kind not in ir_graph.COMPARES:
        return False
    first, second = test.args
    if first.kind == "const" and second in values:
        # 0 is not above a constant.
        return holds and (test.kind in ("ult", "slt") and first.attr == 0)
    if second.kind != "const" or first not in values:
        return False
    value = second.attr
    if test.kind == "eq":
        return not holds and value == 0
    if test.kind == "ne":
        return holds and value == 0
    if holds or value >> (second.width - 1):
        return False
    # Not below or at a constant that is not negative.
    return value > 0 or test.kind in ("ule", "sle")


def _narrowed(bound: Op, width: int) -> Op:
    return bound.args[0] if bound.kind == "zext" else const(width, bound.attr)


def _replace(block: Block, phi: Op, step: Op, width: int, values: dict[Op, Op]) -> Op:
    """Count in fewer bits; what reads the counter gets it with zeros on top.

    Gives the counter's next value.
    """
    at = phi.attr.index(block)
    start = phi.args[1 - at]
    small = Op("phi", width, attr=list(phi.attr), name=phi.name, where=phi.where)
    made: list[Op] = []
    build = Builder(made)
    build.where, build.name = step.where, step.name
    wide = build.resize(small, phi.width)
    values[phi] = wide
    following = build.binary("add", small, const(width, 1))
    values[step] = build.resize(following, step.width)
    small.args = [following, following]
    small.args[1 - at] = const(width, start.attr)
    phis = [op for op in block.ops if op.kind == "phi" and op is not phi]
    rest = [op for op in block.ops if op.kind != "phi" and op is not step]
    block.ops = [*phis, small, *made, *rest]
    return following
