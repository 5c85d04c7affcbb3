# SPDX-License-Identifier: Apache-2.0
"""Lets accesses of which never more than one counts share a port, in pipelined loops.

An array in banks that is accessed at two places, `a[p][i]` and `a[q][j]`, has two accesses of each
bank; where p and q always differ, each bank needs one, whose index is chosen. That they differ is
known from their conditions, or by running the loop's counters (`dependence`): so any schedule of
banks without conflicts will do, whatever its formula. Done for memories with too few ports.
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.hls.ir import memory_ports
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.graph import Block, Function, Memory, Op, const, replace
from lydite.hls.ir.module import Module
from lydite.hls.passes import pipelining
from lydite.hls.passes.context import Context

DOC = "let accesses of which never more than one counts share a port in pipelined loops"

# What brings data that the loop may have to wait for.
_DATA = frozenset(("load", "read", "call", "divmod"))


def run(module: Module, context: Context) -> None:
    """Join accesses in every loop that is to be pipelined and has too few ports."""
    for function in module.functions.values():
        for block, wanted in pipelining.pipelined_blocks(function, module.pragmas).items():
            crowded = _crowded(block, context.model, max(1, wanted.ii))
            if crowded:
                _join_all(function, block, crowded)


def _crowded(block: Block, model: DelayModel, ii: int) -> list[tuple[Memory, str]]:
    """Give the memories, and the kinds of accesses, that have not enough ports for an interval."""
    count: dict[tuple[Memory, str], int] = {}
    for op in block.ops:
        if op.kind in ("load", "store"):
            count[op.attr, op.kind] = count.get((op.attr, op.kind), 0) + 1
    result = []
    for memory, kind in count:
        loads, stores = count.get((memory, "load"), 0), count.get((memory, "store"), 0)
        limit = memory_ports.ports(memory, model)
        most = limit.reads if kind == "load" else limit.writes
        own = loads if kind == "load" else stores
        if own > 1 and (own > most * ii or loads + stores > limit.total * ii):
            result.append((memory, kind))
    return result


def _join_all(function: Function, block: Block, crowded: Sequence[tuple[Memory, str]]) -> None:
    others = [other for other in function.blocks if other is not block]
    read_after = {arg for other in others for op in other.ops for arg in op.args}
    read_after |= {other.arg for other in others if other.arg is not None}
    answers = Dependence(block, [op for op in block.ops if op in read_after])
    for memory, kind in crowded:
        accesses = [op for op in block.ops if op.kind in ("load", "store") and op.attr is memory]
        for group in _groups(block, accesses, kind, answers):
            if kind == "store":
                _join_stores(block, group)
            else:
                _join_loads(function, block, group, answers)


def _groups(block: Block, accesses: Sequence[Op], kind: str, answers: Dependence) -> list[list[Op]]:
    """Put accesses together of which never two count, and which may move to one place.

    That is the first one's for loads, the last one's for stores.
    """
    groups: list[list[Op]] = []
    for at, op in enumerate(accesses):
        if op.kind != kind:
            continue
        for group in groups:
            if not all(answers.never_both(other, op) for other in group):
                continue
            if kind == "load":
                passed = accesses[accesses.index(group[0]) : at]
                fits = _pass_by([op], passed, group, answers)
                fits = fits and not _waits(block, [*group, op], answers)
            else:
                fits = all(
                    _pass_by([other], accesses[accesses.index(other) : at], group, answers)
                    for other in group
                )
            if fits:
                group.append(op)
                break
        else:
            groups.append([op])
    return [group for group in groups if len(group) > 1]


def _pass_by(
    moved: Sequence[Op], passed: Sequence[Op], group: Sequence[Op], answers: Dependence
) -> bool:
    """Whether an access may change places with others that are not of its group."""
    return all(
        one.kind == other.kind == "load" or answers.never_both(one, other)
        for one in moved
        for other in passed
        if other not in group and other not in moved
    )


def _waits(block: Block, group: Sequence[Op], answers: Dependence) -> bool:
    """Whether loads would come too late: their choice by data, or an index that is read later."""
    choices = [condition for op in group for condition, _ in answers.conditions(op)]
    if any(_is_data(op) for op in _above(block, choices)):
        return True
    place = {op: number for number, op in enumerate(block.ops)}
    indices = _above(block, [op.args[0] for op in group])
    return any(_is_data(op) and place[op] >= place[group[0]] for op in indices)


def _is_data(op: Op) -> bool:
    return op.kind in _DATA and not (op.kind == "load" and op.attr.constant)


def _above(block: Block, values: Sequence[Op]) -> set[Op]:
    """Give what values are made of in an iteration, but for its phis."""
    inside = set(block.ops)
    found: set[Op] = set()
    pending = list(values)
    while pending:
        op = pending.pop()
        if op in inside and op.kind != "phi" and op not in found:
            found.add(op)
            pending += op.args
    return found


def _join_loads(function: Function, block: Block, group: Sequence[Op], answers: Dependence) -> None:
    """Make one load of several; the first one's index stands where no other counts."""
    first = group[0]
    made: list[Op] = []
    build = Builder(made)
    index = first.args[0]
    for op in group[1:]:
        build.where, build.name = op.where, ""
        counts = _all(build, answers.conditions(op))
        index = build.mux(counts, op.args[0], index)
    build.where, build.name = first.where, first.name
    load = build.make("load", first.width, [index], first.attr)
    at = block.ops.index(first)
    block.ops[at:at] = made
    block.ops = [op for op in block.ops if op not in set(group)]
    replace(function, dict.fromkeys(group, load))
    block.ops = _in_order(block)


def _all(build: Builder, conditions: Sequence[tuple[Op, bool]]) -> Op:
    """Give the truth of all conditions at once."""
    terms = [op if holds else build.invert(op) for op, holds in conditions]
    result = terms[0]
    for term in terms[1:]:
        result = build.binary("and", result, term)
    return result


def _join_stores(block: Block, group: Sequence[Op]) -> None:
    """Make one store of several, in the place of the last."""
    first = group[0]
    made: list[Op] = []
    build = Builder(made)
    index, word, mask = first.args
    for op in group[1:]:
        build.where, build.name = op.where, ""
        counts = _any(build, op.args[2])
        index = build.mux(counts, op.args[0], index)
        word = build.mux(counts, op.args[1], word)
        mask = build.binary("or", mask, op.args[2])
    made.append(Op("store", 0, [index, word, mask], attr=first.attr, where=first.where))
    at = block.ops.index(group[-1])
    block.ops[at:at] = made
    block.ops = [op for op in block.ops if op not in set(group)]


def _any(build: Builder, mask: Op) -> Op:
    """Give whether a mask has a bit set."""
    if mask.kind == "sext" and mask.args[0].width == 1:
        return mask.args[0]
    if mask.width == 1:
        return mask
    return build.compare("ne", mask, const(mask.width, 0))


def _in_order(block: Block) -> list[Op]:
    """Give the operations of a block, operands first, else as they stand."""
    inside = set(block.ops)
    done: set[Op] = set()
    result: list[Op] = []
    for root in block.ops:
        pending = [root]
        while pending:
            op = pending[-1]
            args = [] if op.kind == "phi" else op.args
            missing = [arg for arg in args if arg in inside and arg not in done]
            if op in done or not missing:
                pending.pop()
                if op not in done:
                    done.add(op)
                    result.append(op)
            else:
                pending += reversed(missing)
    return result
