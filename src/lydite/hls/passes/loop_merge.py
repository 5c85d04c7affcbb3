# SPDX-License-Identifier: Apache-2.0
"""Makes one loop of two that follow each other, where `loop_merge` asks for it.

Vitis HLS guide (UG1399), "pragma HLS loop_merge": the loops of a scope, a function or a loop, that
stand one behind the other on its own level. Both must run as often, for certain; nothing but values
may stand between them; and no iteration of the second may need, or change, what a later one of the
first makes or reads. Memory is told apart word by word if the number of iterations is constant.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Sequence
from dataclasses import dataclass

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.diagnostics import place as shown
from lydite.hls.contract.directives import Directive
from lydite.hls.ir import cfg, induction
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.dependence import Dependence
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.passes import pipelining

Convert = Callable[[Function, Loop], None]
_MOVED = (
    ir_graph.BINARY
    | ir_graph.SHIFTS
    | ir_graph.COMPARES
    | {"mux", "slice", "concat", "zext", "sext"}
)


@dataclass(slots=True)
class _Pair:
    """Two loops of one block each, and the blocks between them."""

    function: Function
    first: Block
    second: Block
    between: list[Block]


def run(
    function: Function, known: tuple[Directive, ...], log: Diagnostics, convert: Convert
) -> None:
    """Merge the loops of every scope of a function that asks for it.

    `convert` makes one block of a loop.
    """
    if not any(isinstance(item, directives.LoopMerge) for item in known):
        return
    refused: set[tuple[Block, Block]] = set()
    numbers = [*function.pragmas, *(n for block in function.blocks for n in block.pragmas)]
    idle = dict.fromkeys(directives.of(numbers, known, directives.LoopMerge))
    while True:
        found = next((p for p in _pairs(function, known) if p[:2] not in refused), None)
        if found is None:
            break
        first, second, wanted = found
        idle.pop(wanted, None)
        why = _merge(function, first, second, convert, force=wanted.force)
        if why is None:
            _keep_directives(function, first, second, known, log)
            continue
        refused.add((first, second))
        lines = [shown(pipelining.place(loop)) for loop in _loops(function, first, second)]
        what = f"loop_merge: the loops at {' and '.join(lines)} stay apart: {why}"
        log.add(Diagnostic(wanted.where, what))
    what = "loop_merge: no two loops that follow each other are left here"
    log.add(*(Diagnostic(item.where, what) for item in idle))


def _keep_directives(
    function: Function,
    first: Block,
    second: Block,
    known: Sequence[Directive],
    log: Diagnostics,
) -> None:
    """Give a loop the directives of the one that was merged into it, as far as they hold."""
    alone = [
        *pipelining.claims_alone(function, first, second, known),
        *pipelining.claims_alone(function, second, first, known),
    ]
    both = dict.fromkeys((*first.pragmas, *second.pragmas))
    counts = [n for n in both if isinstance(known[n], directives.LoopTripcount)]
    gone = {*(claim.number for claim in alone), *counts[1:]}  # they run equally often
    first.pragmas = tuple(number for number in both if number not in gone)
    what = "dependence: it is of one of two loops that were merged, and not believed of both"
    log.add(*(Diagnostic(claim.directive.where, what) for claim in alone))


def _loops(function: Function, *headers: Block) -> list[Loop]:
    loops = {loop.header: loop for loop in cfg.find_loops(function)}
    return [loops[header] for header in headers]


def _pairs(
    function: Function, known: tuple[Directive, ...]
) -> Iterator[tuple[Block, Block, directives.LoopMerge]]:
    """Walk the loops that follow each other in scopes that ask for it."""
    loops = cfg.find_loops(function)
    for first in loops:
        numbers = function.pragmas if first.parent is None else first.parent.header.pragmas
        wanted = next((w for w in directives.of(numbers, known, directives.LoopMerge)), None)
        if wanted is None:
            continue
        heads = {loop.header: loop for loop in loops}
        after = _after(first, heads)
        if after is not None and heads[after].parent is first.parent:
            yield first.header, after, wanted


def _after(loop: Loop, heads: Container[Block]) -> Block | None:
    """Give the head of the loop that one leads to, past blocks that only go on."""
    inside = set(loop.blocks)
    ways = {target for block in loop.blocks for target in block.targets} - inside
    if len(ways) != 1:
        return None
    (block,) = ways
    seen: set[Block] = set()
    while block not in heads:
        if block.end != "jump" or block in seen:
            return None
        seen.add(block)
        block = block.targets[0]
    return block


def _merge(
    function: Function, first: Block, second: Block, convert: Convert, *, force: bool
) -> str | None:
    """Merge two loops, or say why not."""
    for loop in _loops(function, first, second):
        found = pipelining.obstacle(function, loop)
        if found is not None:
            return f"of the one at {shown(pipelining.place(loop))}: {found[1]}"
        convert(function, loop)
    one, two = _loops(function, first, second)
    pair = _Pair(function, first, second, _between(first, second))
    why = _unlike(one, two) or _tied(pair) or (None if force else _ordered(pair))
    if why is None:
        _join(pair)
    return why


def _between(first: Block, second: Block) -> list[Block]:
    """Give the blocks from the end of one loop to the next, in order."""
    result: list[Block] = []
    block = next(target for target in first.targets if target is not first)
    while block is not second:
        result.append(block)
        block = block.targets[0]
    return result


def _unlike(one: Loop, two: Loop) -> str | None:
    """Say why two loops may run differently often."""
    counts = [induction.counter(loop) for loop in (one, two)]
    first, second = counts
    if first is not None and second is not None:
        if first.trips == second.trips:
            return None
        return f"they run {first.trips} and {second.trips} times"
    if _same_test(one.header, two.header):
        return None
    return "nothing shows that they run equally often"


def _same_test(one: Block, two: Block) -> bool:
    """Whether two loops of one block have the same test, of the same counters."""
    if one.end != "branch" or two.end != "branch" or one.arg is None or two.arg is None:
        return False
    if (one.targets[0] is one) != (two.targets[0] is two):
        return False
    inside = [set(one.ops), set(two.ops)]
    seen: set[tuple[Op, Op]] = set()
    pending = [(one.arg, two.arg)]
    while pending:
        a, b = pending.pop()
        if (a, b) in seen or a is b:
            continue
        seen.add((a, b))
        if a not in inside[0] or b not in inside[1] or a.kind != b.kind or a.width != b.width:
            return False
        if a.kind == "phi":
            if len(a.args) != 2 or len(b.args) != 2:
                return False
            here, there = a.attr.index(one), b.attr.index(two)
            pending += [(a.args[here], b.args[there]), (a.args[1 - here], b.args[1 - there])]
        elif a.kind in _MOVED and a.attr == b.attr:
            pending += zip(a.args, b.args, strict=True)
        else:
            return False
    return True


def _tied(pair: _Pair) -> str | None:
    """Say what of the first loop the second one needs at its start, or stands between them."""
    predecessors = pair.function.predecessors()
    outside = [block for block in predecessors[pair.first] if block is not pair.first]
    last = pair.between[-1] if pair.between else pair.first
    if len(outside) != 1 or set(predecessors[pair.second]) != {last, pair.second}:
        return "one of them is reached on several ways"
    made = set(pair.first.ops)
    same: dict[Op, Op] = {}
    for block in pair.between:
        if len(predecessors[block]) != 1:
            return "one of them is reached on several ways"
        for op in block.ops:
            if op.kind == "phi":
                same[op] = op.args[0]
            elif op.kind not in _MOVED:
                return f"something stands between them: {op.kind} ({shown(op.where)})"
            elif any(same.get(arg, arg) in made for arg in op.args):
                made.add(op)
    for op in pair.second.ops:
        for arg in op.args:
            if same.get(arg, arg) in made:
                value = same.get(arg, arg)
                name = value.name or value.kind
                at = f" ({shown(value.where)})" if value.where else ""
                return f"the second needs {name}{at}, which the first computes"
    return None


def _ordered(pair: _Pair) -> str | None:
    """Say which accesses would change their order."""
    both = [[op for op in block.ops if _is_access(op)] for block in (pair.first, pair.second)]
    answers: list[Dependence] | None = None
    for one in both[0]:
        for two in both[1]:
            if one.attr is not two.attr or one.kind == two.kind == "load":
                continue
            where = f"({shown(one.where)}, {shown(two.where)})"
            if one.kind in ir_graph.STREAMING:
                return f"both use stream {one.attr.name} {where}"
            answers = answers or [Dependence(block) for block in (pair.first, pair.second)]
            if _meet(answers, one, two):
                name = next((label for label, _ in one.attr.objects), one.attr.name)
                return (
                    f"a {two.kind} of {name} in the second would come before a {one.kind} in a "
                    f"later iteration of the first {where}"
                )
    return None


def _is_access(op: Op) -> bool:
    return op.kind in ("load", "store") or op.kind in ir_graph.STREAMING


def _meet(answers: Sequence[Dependence], one: Op, two: Op) -> bool:
    """Whether a later iteration of the first loop may touch a word of an earlier of the second."""
    rows = [answer.words(op) for answer, op in zip(answers, (one, two), strict=True)]
    first, second = rows
    if first is None or second is None or first[0] != second[0]:
        return True
    seen: set[int | None] = set()
    for mine, other in zip(first[1], second[1], strict=True):
        # `seen` has the words of all earlier iterations of the second loop.
        if mine is not None and mine in seen:
            return True
        seen.add(other)
    return False


def _join(pair: _Pair) -> None:
    """Append the second loop's iteration to the first one's."""
    function, first, second = pair.function, pair.first, pair.second
    (before,) = (b for b in function.predecessors()[first] if b is not first)
    values: dict[Op, Op] = {}
    for block in pair.between:
        values.update({op: op.args[0] for op in block.ops if op.kind == "phi"})
        own = set(first.ops)
        for op in block.ops:
            if op.kind == "phi":
                continue
            # What the first loop makes is for after both.
            late = any(values.get(arg, arg) in own for arg in op.args)
            (first if late else before).ops.append(op)
            if late:
                own.add(op)
    last = pair.between[-1] if pair.between else first
    phis = first.phis()
    for phi in second.phis():
        at = phi.attr.index(second)
        phi.args = [phi.args[at], phi.args[1 - at]]
        phi.attr = [first, before]
        assert last is not second, f"{second.name} is no loop of its own"
    rest = [op for op in first.ops if op.kind != "phi"]
    more = [op for op in second.ops if op.kind != "phi"]
    first.ops = [*phis, *second.phis(), *rest, *more]
    leave = next(target for target in second.targets if target is not second)
    first.targets = [first if target is first else leave for target in first.targets]
    for phi in leave.phis():
        phi.attr = [first if source is second else source for source in phi.attr]
    gone = {second, *pair.between}
    function.blocks = [block for block in function.blocks if block not in gone]
    ir_graph.replace(function, values)
