# SPDX-License-Identifier: Apache-2.0
"""Makes one loop of a nest whose inner loop is pipelined, so that it does not drain in between.

What stands in the outer loop before the inner one is copied to before both; the outer loop then
begins at the inner one's head, where it can be made one block. This is done if every iteration of
the outer loop comes to the inner one, and nothing that is loaded between them decides where it
goes: that would hold every iteration up; nor does a `dependence` directive speak of the inner loop
alone, or `latency` of the outer one. `loop_flatten` asks for it even so, `loop_flatten off` forbids
it (Vitis HLS guide, "pragma HLS loop_flatten").
"""

from __future__ import annotations

from collections.abc import Sequence

from lydite.hls.contract import directives
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.diagnostics import place as shown
from lydite.hls.contract.directives import Directive
from lydite.hls.contract.names import free_name
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.graph import Block, Function, Op
from lydite.hls.passes import pipelining


def flatten(
    function: Function, header: Block, known: Sequence[Directive], log: Diagnostics
) -> bool:
    """Let the loop around a loop of one block begin at its head; give whether that was possible."""
    loops = cfg.find_loops(function)
    inner = next((loop for loop in loops if loop.header is header), None)
    outer = inner.parent if inner is not None else None
    if inner is None or outer is None or inner.blocks != [header]:
        return False
    asked = _asked(inner, known) or _asked(outer, known)
    if asked is not None and asked.off:
        return False
    if pipelining.read(outer.header.pragmas, known) is not None:
        return False  # it is to be pipelined itself, and could not
    before = _before(outer, header)
    if before is None or not _fits(function, loops, outer, header):
        return False
    if asked is None and _decides(outer, header):
        return False
    if asked is None and directives.of(outer.header.pragmas, known, directives.Latency):
        return False  # of an iteration of the outer loop, which there would be no more
    alone = pipelining.claims_alone(function, header, outer.header, known)
    if asked is None and alone:
        lines = " and ".join(shown(pipelining.place(loop)) for loop in (outer, inner))
        what = (
            f"dependence: it speaks of the inner loop, so the loops at {lines} stay a nest, which "
            "drains: indices of counters need no directive; loop_flatten has it hold for all"
        )
        log.add(Diagnostic(alone[0].directive.where, what))
        return False
    _rotate(function, outer, header, before)
    header.pragmas = _of_both(header, outer.header, known)
    return True


def _of_both(header: Block, outer: Block, known: Sequence[Directive]) -> tuple[int, ...]:
    """Give the directives that hold for a nest that is one loop now.

    The iterations of both loops are as many as their product, which `latency` makes of them, and
    unknown if only one of them is known.
    """
    counts = [directives.of(b.pragmas, known, directives.LoopTripcount) for b in (header, outer)]
    gone = () if all(counts) else (directives.LoopTripcount,)
    numbers = [
        *(n for n in header.pragmas if not isinstance(known[n], gone)),
        *(n for n in outer.pragmas if not isinstance(known[n], (*gone, directives.Latency))),
    ]
    return tuple(dict.fromkeys(numbers))


def rejoin(function: Function, known: Sequence[Directive]) -> None:
    """Make a pipelined loop of C one loop again where LLVM made a nest of its ways round."""
    while True:
        loops = cfg.find_loops(function)
        found = next((item for item in loops if _is_split(item, known)), None)
        if found is None:
            return
        assert found.parent is not None
        _rejoin(function, found.parent.header, found)


def _is_split(inner: Loop, known: Sequence[Directive]) -> bool:
    outer = inner.parent
    return (
        outer is not None
        and pipelining.read(outer.header.pragmas, known) is not None
        and outer.header.targets == [inner.header]
        and all(op.kind == "phi" or op.kind in ir_graph.WIRES for op in outer.header.ops)
        and bool(pipelining.place(outer))
        and pipelining.place(inner) == pipelining.place(outer)
        # A way that led to both heads would need a choice between values.
        and not any(outer.header in latch.targets for latch in inner.latches)
    )


def _rejoin(function: Function, entry: Block, inner: Loop) -> None:
    """Let the ways that lead to the outer head lead to the inner one."""
    header = inner.header
    ways = [block for block in function.blocks if entry in block.targets]
    _bring_wires(function, entry, ways)
    old = list(entry.phis())
    rounds = list(inner.latches)

    def into(value: Op) -> list[Op]:
        if value not in old:
            return [value for _ in ways]
        return [value.args[value.attr.index(way)] for way in ways]

    for phi in header.phis():
        at = phi.attr.index(entry)
        given = into(phi.args.pop(at))
        phi.attr.pop(at)
        phi.args += given
        phi.attr += ways
    values: dict[Op, Op] = {}
    for phi in old:
        carried = Op("phi", phi.width, name=phi.name, where=phi.where)
        carried.args = [*into(phi), *[carried for _ in rounds]]
        carried.attr = [*ways, *rounds]
        values[phi] = carried
    header.ops[:0] = values.values()
    for way in ways:
        way.targets = [header if target is entry else target for target in way.targets]
    header.pragmas = tuple(dict.fromkeys([*header.pragmas, *entry.pragmas]))
    header.loop = header.loop or entry.loop
    function.blocks.remove(entry)
    ir_graph.replace(function, values)


def _bring_wires(function: Function, entry: Block, ways: Sequence[Block]) -> None:
    """Make wires of a head's phis on each way there, and choose between them instead."""
    values: dict[Op, Op] = {}
    for wire in [op for op in entry.ops if op.kind != "phi"]:
        phi = Op("phi", wire.width, attr=list(ways), name=wire.name, where=wire.where)
        for way in ways:
            build = Builder(way.ops)
            build.where, build.name = wire.where, wire.name
            args = [values.get(arg, arg) for arg in wire.args]
            came = [
                arg.args[arg.attr.index(way)] if arg.kind == "phi" and arg in entry.ops else arg
                for arg in args
            ]
            phi.args.append(build.make(wire.kind, wire.width, came, wire.attr))
        entry.ops[entry.ops.index(wire)] = phi
        values[wire] = phi
    ir_graph.replace(function, values)


def _asked(loop: Loop, known: Sequence[Directive]) -> directives.LoopFlatten | None:
    found = directives.of(loop.header.pragmas, known, directives.LoopFlatten)
    return found[-1] if found else None


def _fits(function: Function, loops: Sequence[Loop], outer: Loop, header: Block) -> bool:
    """Whether the rest of the outer loop can be part of a pipeline."""
    inside = [loop for loop in loops if loop.header in outer.blocks and loop is not outer]
    if len(inside) != 1 or any(
        op.kind == "call" or pipelining.variable_latency(op) for b in outer.blocks for op in b.ops
    ):
        return False
    spans = cfg.dominator_spans(cfg.immediate_dominators(function))
    return all(cfg.dominates(spans, header, latch) for latch in outer.latches)


def _before(outer: Loop, header: Block) -> list[Block] | None:
    """Give the blocks of the outer loop before the inner one; None if it can be left there."""
    inside = set(outer.blocks)
    found: dict[Block, None] = {}
    pending = [outer.header]
    while pending:
        block = pending.pop()
        if block is header or block in found:
            continue
        found[block] = None
        if any(target not in inside for target in block.targets):
            return None
        pending += block.targets
    return [block for block in outer.blocks if block in found]


def _decides(outer: Loop, header: Block) -> bool:
    """Whether something that is loaded in the outer loop alone decides where the loop goes."""
    users: dict[Op, list[Op]] = {}
    for block in outer.blocks:
        for op in block.ops:
            for arg in op.args:
                users.setdefault(arg, []).append(op)
    loads = [
        op for block in outer.blocks if block is not header for op in block.ops if op.kind == "load"
    ]
    ends = {block.arg for block in outer.blocks}
    reached: set[Op] = set()
    pending = [user for load in loads for user in users.get(load, ())] + [
        load for load in loads if load in ends
    ]
    while pending:
        op = pending.pop()
        if op in reached:
            continue
        reached.add(op)
        pending += users.get(op, ())
    return any(op in ends for op in reached) or any(load in reached for load in loads)


def _rotate(function: Function, outer: Loop, header: Block, before: list[Block]) -> None:
    """Copy what stands before the inner loop to before both; values of it become phis."""
    old = set(before)
    blocks, values = _copies(function, before)
    entry = outer.header
    for block in function.blocks:
        if block not in outer.blocks and entry in block.targets:
            block.targets = [blocks[entry] if t is entry else t for t in block.targets]
    _split_phis(entry, blocks[entry], set(outer.blocks), values)
    for phi in header.phis():
        for arg, source in list(zip(phi.args, phi.attr, strict=True)):
            if source in old:
                phi.args.append(values.get(arg, arg))
                phi.attr.append(blocks[source])
    _carry(function, header, before, blocks, values)
    at = function.blocks.index(entry)
    function.blocks[at:at] = [blocks[block] for block in before]


def _copies(function: Function, before: Sequence[Block]) -> tuple[dict[Block, Block], dict[Op, Op]]:
    """Copy blocks: those that follow each other go to each other's copies."""
    names = {block.name for block in function.blocks}
    blocks: dict[Block, Block] = {}
    values: dict[Op, Op] = {}
    for block in before:
        name = free_name(f"{block.name}_first", names)
        names.add(name)
        blocks[block] = Block(name, end=block.end, cases=list(block.cases), where=block.where)
        for op in block.ops:
            made = Op(op.kind, op.width, list(op.args), attr=op.attr, name=op.name, where=op.where)
            values[op] = made
            blocks[block].ops.append(made)
    for block, copy in blocks.items():
        copy.targets = [blocks.get(target, target) for target in block.targets]
        copy.arg = values.get(block.arg, block.arg) if block.arg is not None else None
        for op in copy.ops:
            op.args = [values.get(arg, arg) for arg in op.args]
            if op.kind == "phi":
                op.attr = [blocks.get(source, source) for source in op.attr]
    return blocks, values


def _split_phis(entry: Block, copy: Block, inside: set[Block], values: dict[Op, Op]) -> None:
    """Let the phis of the outer head know the ways round, and those of its copy the ways in."""
    for phi in list(entry.phis()):
        made = values[phi]
        ways = list(zip(phi.args, phi.attr, strict=True))
        made.args = [arg for arg, source in ways if source not in inside]
        made.attr = [source for _, source in ways if source not in inside]
        phi.args = [arg for arg, source in ways if source in inside]
        phi.attr = [source for _, source in ways if source in inside]


def _carry(
    function: Function,
    header: Block,
    before: Sequence[Block],
    blocks: dict[Block, Block],
    values: dict[Op, Op],
) -> None:
    """Give a phi in the head to each value of the copied blocks that is read behind them."""
    old = set(before)
    made = {op for block in before for op in block.ops if op.width}
    phis: dict[Op, Op] = {}
    into = [source for source in before if header in source.targets]

    def carried(value: Op) -> Op:
        if value not in phis:
            phi = Op("phi", value.width, name=value.name, where=value.where)
            phis[value] = phi
            phi.args = [phi, *[value for _ in into], *[values[value] for _ in into]]
            phi.attr = [header, *into, *[blocks[source] for source in into]]
        return phis[value]

    new = set(blocks.values())
    for block in function.blocks:
        if block in new:
            continue
        for op in block.ops:
            for index, arg in enumerate(op.args):
                if arg not in made:
                    continue
                read_in = op.attr[index] if op.kind == "phi" else block
                if read_in not in old and read_in not in new:
                    op.args[index] = carried(arg)
        if block not in old and block.arg in made:
            assert block.arg is not None
            block.arg = carried(block.arg)
    header.ops[:0] = phis.values()
