# SPDX-License-Identifier: Apache-2.0
"""Random IR modules for property tests: loops, branches, switches, memories and a callee."""

from __future__ import annotations

import random

from lydite.hls.contract.directives import Pipeline
from lydite.hls.ir import verify as ir_verify
from lydite.hls.ir.graph import Block, Function, Memory, Op, Stream, const
from lydite.hls.ir.module import Module

_WIDTHS = (1, 2, 3, 7, 8, 13, 16, 32, 33, 64)


class _Maker:
    """Fills blocks with operations on what is known there."""

    def __init__(
        self,
        rng: random.Random,
        memories: list[Memory],
        streams: list[Stream] | None = None,
        without: frozenset[str] = frozenset(),
    ) -> None:
        self.rng = rng
        self.memories = memories
        self.streams = streams or []
        self.without = without

    def fill(self, block: Block, known: list[Op], count: int) -> None:
        for _ in range(count):
            made = self.one(known)
            block.ops += made
            known += [op for op in made if op.width and op.kind != "read"]

    def pick(self, known: list[Op], width: int, made: list[Op]) -> Op:
        """Give a value of a width: a constant, or something resized."""
        rng = self.rng
        if rng.random() < 0.25:
            value = rng.choice([0, 1, -1, 1 << (width - 1), rng.getrandbits(width)])
            return const(width, value)
        op = rng.choice(known)
        if op.width == width:
            return op
        if op.width > width:
            low = rng.randrange(op.width - width + 1)
            made.append(Op("slice", width, [op], attr=low))
        else:
            made.append(Op(rng.choice(["zext", "sext"]), width, [op]))
        return made[-1]

    def access(self, known: list[Op], made: list[Op]) -> list[Op]:
        stream = self.rng.choice(self.streams)
        beat = [self.pick(known, stream.width, made)] * stream.writes
        condition = const(1, 1) if self.rng.random() < 0.5 else self.pick(known, 1, made)
        kind = "write" if stream.writes else "read"
        op = Op(kind, 0 if stream.writes else stream.width, [*beat, condition], attr=stream)
        made.append(op)
        if kind == "read":
            # What a read gives that does not happen is not defined.
            made.append(Op("mux", stream.width, [condition, op, const(stream.width, 0)]))
        return made

    def one(self, known: list[Op]) -> list[Op]:
        rng = self.rng
        made: list[Op] = []
        if self.streams and rng.random() < 0.25:
            return self.access(known, made)
        width = rng.choice(_WIDTHS)

        def pick(size: int = width) -> Op:
            return self.pick(known, size, made)

        kind = rng.choice(
            [
                "add",
                "sub",
                "mul",
                "and",
                "or",
                "xor",
                "shl",
                "lshr",
                "ashr",
                "eq",
                "ne",
                "ult",
                "ule",
                "slt",
                "sle",
                "mux",
                "slice",
                "concat",
                "divmod",
                "load",
                "store",
                "load",
                "store",
            ]
        )
        if kind in self.without:
            kind = "add"
        if kind in ("shl", "lshr", "ashr"):
            made.append(Op(kind, width, [pick(), pick(rng.choice((1, 3, 6, width)))]))
        elif kind in ("eq", "ne", "ult", "ule", "slt", "sle"):
            made.append(Op(kind, 1, [pick(), pick()]))
        elif kind == "mux":
            made.append(Op(kind, width, [pick(1), pick(), pick()]))
        elif kind == "slice":
            pick()
        elif kind == "concat":
            parts = [pick(rng.choice(_WIDTHS)) for _ in range(rng.randint(1, 4))]
            made.append(Op(kind, sum(part.width for part in parts), parts))
        elif kind == "divmod":
            made.append(Op(kind, 2 * width, [pick(), pick()]))
        elif kind == "load":
            memory = rng.choice(self.memories)
            made.append(Op(kind, memory.width, [pick(memory.index_width)], attr=memory))
        elif kind == "store":
            memory = rng.choice([m for m in self.memories if not m.constant])
            args = [pick(memory.index_width), pick(memory.width), pick(memory.lanes)]
            made.append(Op(kind, 0, args, attr=memory))
        else:
            made.append(Op(kind, width, [pick(), pick()]))
        return made


def _phi(maker: _Maker, width: int, values: list[tuple[Block, list[Op]]]) -> Op:
    """Join values of several predecessors; what must be resized is made at their ends."""
    args = [maker.pick(known, width, block.ops) for block, known in values]
    return Op("phi", width, args, attr=[block for block, _ in values])


def _callee(maker: _Maker) -> Function:
    width = maker.rng.choice((8, 32))
    function = Function("g", [Op("param", width, attr=0, name="x")], width)
    block = Block("entry")
    known = [*function.params, const(8, 5)]
    maker.fill(block, known, 4)
    block.arg = maker.pick(known, width, block.ops)
    function.blocks = [block]
    return function


def module(seed: int, *, streaming: bool = False, pipelined: bool = False) -> Module:
    """Give a verified module; equal seeds give equal modules. With streams, if wanted.

    A pipelined one has the directive on its loop, and nothing in it that would forbid it but
    streams.
    """
    rng = random.Random(seed)
    streams = [
        Stream("in", 2),
        Stream("aux", 1, 3),
        Stream("out", 2, 0, True),
        Stream("log", 1, 5, True),
    ]
    memories = [
        Memory("m", 16, rng.choice((4, 8)), lanes=rng.choice((1, 2)), init=(7, 0xFFFF)),
        Memory("p", 32, rng.choice((2, 8)), lanes=rng.choice((1, 4)), port=True),
        Memory("t", 8, 8, init=tuple(rng.getrandbits(8) for _ in range(5)), constant=True),
    ]
    without = frozenset(["divmod"] if pipelined else [])
    maker = _Maker(rng, memories, streams if streaming else [], without)
    callee = _callee(maker)
    widths = [rng.choice(_WIDTHS) for _ in range(3)]
    function = Function("f", [Op("param", w, attr=i, name=f"a{i}") for i, w in enumerate(widths)])
    entry, head, left, right, latch, done = (
        Block(name) for name in ("entry", "head", "left", "right", "latch", "done")
    )
    known: list[Op] = [*function.params, const(8, 77)]
    maker.fill(entry, known, rng.randint(1, 6))
    entry.end, entry.targets = "jump", [head]
    # The counter, and something carried around the loop.
    size = rng.choice((3, 8))
    index = Op("phi", size, attr=[entry, latch], name="i")
    carried = Op("phi", rng.choice(_WIDTHS), attr=[entry, latch], name="c")
    start = maker.pick(known, carried.width, entry.ops)
    head.ops = [index, carried]
    inside = [*known, index, carried]
    maker.fill(head, inside, rng.randint(1, 6))
    if rng.random() < 0.3 and not pipelined:
        call = Op("call", callee.width, [], attr=callee)
        call.args = [maker.pick(inside, callee.params[0].width, head.ops)]
        head.ops.append(call)
        inside.append(call)
    sides: list[tuple[Block, list[Op]]] = []
    for side in (left, right):
        values = list(inside)
        maker.fill(side, values, rng.randint(0, 3))
        side.end, side.targets = "jump", [latch]
        sides.append((side, values))
    if rng.random() < 0.3:
        head.end, head.arg = "switch", maker.pick(inside, 3, head.ops)
        head.targets, head.cases = [left, right, left], [1, 6]
    else:
        head.end, head.arg = "branch", maker.pick(inside, 1, head.ops)
        head.targets = [left, right]
    joined = _phi(maker, rng.choice(_WIDTHS), sides)
    latch.ops = [joined]
    after = [*inside, joined]
    maker.fill(latch, after, rng.randint(1, 4))
    step = Op("add", size, [index, const(size, 1)])
    more = Op("ult", 1, [step, const(size, rng.randint(1, 6))])
    again = maker.pick(after, carried.width, latch.ops)
    latch.ops += [step, more]
    latch.end, latch.arg, latch.targets = "branch", more, [head, done]
    index.args, carried.args = [const(size, 0), step], [start, again]
    maker.fill(done, after, 2)
    function.width = 32
    done.arg = maker.pick(after, 32, done.ops)
    function.blocks = [entry, head, left, right, latch, done]
    result = Module("f", {m.name: m for m in memories}, {"f": function, "g": callee})
    if streaming:
        result.streams = {stream.name: stream for stream in streams}
    if pipelined:
        result.pragmas, head.pragmas = (Pipeline(),), (0,)
    ir_verify.verify(result)
    return result
