# SPDX-License-Identifier: Apache-2.0
"""Finds dataflow regions, and what speaks against running their calls side by side."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from lydite.hls.contract.diagnostics import place
from lydite.hls.contract.directives import Dataflow
from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.cfg import Loop
from lydite.hls.ir.graph import Block, Function, Memory, Op, Stream, called
from lydite.hls.ir.module import Module


@dataclass(slots=True)
class Region:
    """A function or loop with the directive.

    Attributes
    ----------
    function : Function
    number : int
        Of the directive.
    where : str
        `file:line` of the directive.
    loop : Loop or None
        None if the function's body is the region.
    calls : list of Op
        In program order; those of loops inside that are regions are theirs.
    home : Block
        Where the calls are, if they are in one block; else that of the first.
    """

    function: Function
    number: int
    where: str
    loop: Loop | None
    calls: list[Op] = field(default_factory=list)
    home: Block = field(default_factory=lambda: Block(""))

    @property
    def blocks(self) -> list[Block]:
        """What is run side by side with processes: the loop, or the block of the calls."""
        return self.loop.blocks if self.loop is not None else [self.home]


Item: TypeAlias = Memory | Stream


@dataclass(slots=True)
class Touched:
    """What functions reach, with all that they call: `file:line` of the first access each."""

    memories: dict[Function, dict[Item, str]] = field(default_factory=dict)
    stores: dict[Function, dict[Item, str]] = field(default_factory=dict)
    reads: dict[Function, dict[Item, str]] = field(default_factory=dict)
    writes: dict[Function, dict[Item, str]] = field(default_factory=dict)
    own: dict[Function, list[Op]] = field(default_factory=dict)

    def first(self, stream: Stream, kind: str) -> str:
        """Give the place of the first access of a kind to a stream; empty if there is none."""
        table = self.reads if kind == "read" else self.writes
        return next((found[stream] for found in table.values() if stream in found), "")


def touched(module: Module) -> Touched:
    """Survey a module."""
    result = Touched()
    for function in module.callees_first():
        tables: tuple[dict[Item, str], ...] = ({}, {}, {}, {})
        every = (result.memories, result.stores, result.reads, result.writes)
        result.own[function] = []
        for op in function.ops():
            callee = called(op)
            if callee is not None:
                for mine, known in zip(tables, every, strict=True):
                    for key, where in known[callee].items():
                        mine.setdefault(key, where)
            kinds = {"load": (0,), "store": (0, 1), "read": (2,), "write": (3,)}
            for index in kinds.get(op.kind, ()):
                tables[index].setdefault(op.attr, op.where)
                if index != 1:
                    result.own[function].append(op)
        for mine, known in zip(tables, every, strict=True):
            known[function] = mine
    return result


def find(module: Module) -> list[Region]:
    """Give the regions that have calls, callers before callees."""
    result: list[Region] = []
    for function in reversed(module.callees_first()):
        loops = cfg.find_loops(function)
        inside: set[Op] = set()
        found: list[Region] = []
        for loop in reversed(loops):
            for number in _numbers(loop.header.pragmas, module):
                region = Region(function, number, module.pragmas[number].where, loop)
                _collect(region, loop.blocks, inside)
                found.append(region)
        for number in _numbers(function.pragmas, module)[:1]:
            region = Region(function, number, module.pragmas[number].where, None)
            _collect(region, function.blocks, inside)
            found.append(region)
        result += [region for region in reversed(found) if region.calls]
    return result


def _numbers(numbers: tuple[int, ...], module: Module) -> list[int]:
    return [n for n in numbers if isinstance(module.pragmas[n], Dataflow)]


def _collect(region: Region, blocks: list[Block], inside: set[Op]) -> None:
    for block in blocks:
        for op in block.ops:
            if op.kind == "call" and op not in inside:
                if not region.calls:
                    region.home = block
                region.calls.append(op)
                inside.add(op)


def obstacle(module: Module, region: Region, usage: Touched) -> str | None:
    """Say why a region's calls may not run side by side; None if they may."""
    return next(_obstacles(module, region, usage), None)


def formed(module: Module, region: Region) -> bool:
    """Whether each run of a region makes each of its calls once."""
    return next(_form(module, region), None) is None


def _obstacles(module: Module, region: Region, usage: Touched) -> Iterator[str]:
    yield from _form(module, region)
    yield from _shared(region)
    names = {call.attr: call for call in region.calls}
    for memory in module.memories.values():
        users = [call for call in region.calls if memory in usage.memories[call.attr]]
        if len(users) > 1 and not memory.constant:
            yield from _memory(region, memory, users, usage)
    for stream in module.streams.values():
        users = [
            call
            for call in region.calls
            if stream in usage.reads[call.attr] or stream in usage.writes[call.attr]
        ]
        if stream.depth:
            yield from _inner_stream(module, region, stream, users, usage)
            continue
        both = [_at(call.attr, stream, usage) for call in users]
        if users and stream in _streams_of(region):
            yield f"{region.function.name} itself uses stream {stream.name}, as {both[0]} does"
        if len(users) > 1:
            yield f"stream {stream.name} is used by {both[0]} and by {both[1]}"
    assert len(names) == len(region.calls), "each call has a function of its own"


def _shared(region: Region) -> Iterator[str]:
    """Check that no function runs for two processes: an RTL macro has no copies."""
    seen: dict[Function, Op] = {}
    for call in region.calls:
        pending, mine = [call.attr], set()
        while pending:
            function = pending.pop()
            if function in mine:
                continue
            mine.add(function)
            if function in seen:
                yield f"{seen[function].attr.name} and {call.attr.name} both call {function.name}"
            pending += [callee for op in function.ops() if (callee := called(op)) is not None]
        seen |= dict.fromkeys(mine, call)


def _at(function: Function, item: Memory | Stream, usage: Touched) -> str:
    """Say where a function reaches something: `f (3)`."""
    tables = (usage.memories, usage.reads, usage.writes)
    where = next((t[function][item] for t in tables if item in t[function]), "")
    return f"{function.name} ({place(where)})" if where else function.name


def _form(module: Module, region: Region) -> Iterator[str]:
    """Check that each run of the region makes each call once."""
    function = region.function
    dominators = cfg.immediate_dominators(function)
    spans = cfg.dominator_spans(dominators)
    for block in region.blocks if region.loop is not None else function.blocks:
        for op in block.ops:
            if op not in region.calls or block is region.home:
                continue
            yield (
                f"{op.attr.name} ({place(op.where)}) is called under another condition than "
                f"{region.calls[0].attr.name} ({place(region.calls[0].where)})"
            )
    around = [loop for loop in cfg.find_loops(function) if region.home in loop.blocks]
    innermost = max(around, key=lambda loop: loop.depth, default=None)
    call = region.calls[0]
    if (innermost.header if innermost else None) is not (
        region.loop.header if region.loop else None
    ):
        yield f"{call.attr.name} ({place(call.where)}) is called in a loop inside of it"
    for latch in region.loop.latches if region.loop is not None else ():
        if not cfg.dominates(spans, region.home, latch):
            yield f"{call.attr.name} ({place(call.where)}) is not called in each iteration"
    for call in region.calls:
        if call.attr.macro:
            yield f"{call.attr.name} ({place(call.where)}) is an RTL macro"
        others = [
            op for f in module.functions.values() for op in f.ops() if called(op) is call.attr
        ]
        if len(others) > 1:
            yield f"{call.attr.name} is called at {place(others[0].where)} and elsewhere"


def _streams_of(region: Region) -> set[Stream]:
    """Give the streams that the region's function itself uses in it."""
    return {op.attr for block in region.blocks for op in block.ops if op.kind in ir_graph.STREAMING}


def _memory(region: Region, memory: Memory, users: list[Op], usage: Touched) -> Iterator[str]:
    """Check a memory that several processes reach: one fills it, a later one reads it."""
    label = ", ".join(name for name, _ in memory.objects) or memory.name
    writers = [call for call in users if memory in usage.stores[call.attr]]
    shown = [_at(call.attr, memory, usage) for call in users]
    if len(users) > 2:
        yield f"{label} is used by {', '.join(shown)}: only one may read what another one writes"
    if memory.port or region.number not in memory.pragmas:
        what = "is an argument" if memory.port else "keeps its value from run to run"
        yield f"{label} is used by {shown[0]} and by {shown[1]}, and {what}"
    if writers != users[:1]:
        late = _at(writers[-1].attr, memory, usage) if writers else shown[1]
        yield f"{label} goes back from {late} to {shown[0]}"
    for function, ops in usage.own.items():
        for op in ops:
            if op.attr is memory and not any(_belongs(function, call.attr) for call in users):
                yield (
                    f"{label} is used by {function.name} itself ({place(op.where)}), "
                    f"and by {shown[0]} and {shown[1]}"
                )


def _belongs(function: Function, root: Function) -> bool:
    if function is root:
        return True
    return any(
        _belongs(function, callee) for op in root.ops() if (callee := called(op)) is not None
    )


def _inner_stream(
    module: Module, region: Region, stream: Stream, users: list[Op], usage: Touched
) -> Iterator[str]:
    """Check a stream inside: one process writes it, a later one reads it."""
    writers = [call for call in users if stream in usage.writes[call.attr]]
    readers = [call for call in users if stream in usage.reads[call.attr]]
    for verb, several in (("written", writers), ("read", readers)):
        if len(several) > 1:
            both = " and by ".join(_at(call.attr, stream, usage) for call in several[:2])
            yield f"stream {stream.name} is {verb} by {both}"
    if stream in _streams_of(region):
        op = next(op for b in region.blocks for op in b.ops if op.attr is stream)
        yield (
            f"stream {stream.name} is used by {region.function.name} itself ({place(op.where)}), "
            "which is no process"
        )
    order = [region.calls.index(several[0]) for several in (writers, readers) if several]
    if order != sorted(order):
        first, second = (_at(c.attr, stream, usage) for c in (readers[0], writers[0]))
        yield f"stream {stream.name} goes back from {second} to {first}"
