# SPDX-License-Identifier: Apache-2.0
"""Copies of modules, of processes and of blocks: these share nothing with the original that may
change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from lydite.hls.ir.graph import Block, Function, Memory, Op, Rewind, Stream
from lydite.hls.ir.module import Module
from lydite.hls.ir.network import Network

_OF_PROCESS = ("function", "region", "start", "idle")


def module(original: Module) -> Module:
    """Give a copy of a module."""
    owners: dict[object, Memory | Stream | Function] = {
        item: replace(item)
        for items in (original.memories, original.streams, original.functions)
        for item in items.values()
    }
    made = Module(original.top, pragmas=original.pragmas, splits=dict(original.splits))
    for kind in ("memories", "streams", "functions"):
        copies = {name: owners[item] for name, item in getattr(original, kind).items()}
        setattr(made, kind, copies)
    for function in made.functions.values():
        values = {param: _copy(param) for param in function.params}
        function.params = list(values.values())
        function.blocks = blocks(function.blocks, values, owners)
        if function.rewind is not None:
            first, last = (
                values.get(op, op) for op in (function.rewind.first, function.rewind.last)
            )
            resets = tuple(values[phi] for phi in function.rewind.resets)
            function.rewind = Rewind(first, last, resets)
        if function.replica_of is not None:
            base = owners[function.replica_of]
            assert isinstance(base, Function), f"{function.name} is a replica of no function"
            function.replica_of = base
    for stream in made.streams.values():
        if stream.process is not None:
            process = owners[stream.process]
            assert isinstance(process, Function), f"{stream.name} is of no function"
            stream.process = process
    if original.network is not None:
        made.network = _network(original.network, owners)
    return made


def _network(original: Network, owners: Mapping[object, object]) -> Network:
    """Give a copy of processes and channels, of the copies of what they are made of."""
    copies: dict[object, Any] = dict(owners)
    for process in original.processes:
        parts = {name: copies[getattr(process, name)] for name in _OF_PROCESS}
        copies[process] = replace(process, **parts)
    for result in original.results:
        stream = None if result.stream is None else copies[result.stream]
        copies[result] = replace(result, producer=copies[result.producer], stream=stream)
    for process in original.processes:
        sources = (None if item is None else copies[item] for item in process.sources)
        copies[process].sources = tuple(sources)
    for fifo in original.fifos:
        reader = None if fifo.reader is None else copies[fifo.reader]
        parts = {name: copies[getattr(fifo, name)] for name in ("into", "out", "writer")}
        copies[fifo] = replace(fifo, reader=reader, **parts)
    for buffer in original.buffers:
        parts = {name: copies[getattr(buffer, name)] for name in ("writer", "reader")}
        memories = tuple(copies[memory] for memory in buffer.memories)
        copies[buffer] = replace(buffer, memories=memories, **parts)
    return Network(
        *(
            [copies[item] for item in items]
            for items in (original.processes, original.fifos, original.results, original.buffers)
        )
    )


def blocks(
    originals: Sequence[Block],
    values: dict[Op, Op] | None = None,
    owners: Mapping[object, object] | None = None,
) -> list[Block]:
    """Give copies of all blocks of a function.

    Parameters
    ----------
    values : dict, optional
        Copies of values; those of the blocks' operations are entered. What has none is kept.
    owners : mapping, optional
        Copies of memories, streams and functions.
    """
    values = {} if values is None else values
    owners = {} if owners is None else owners
    to = {block: replace(block, ops=[], cases=list(block.cases)) for block in originals}
    for block in originals:
        for op in block.ops:
            copy = values[op] = _copy(op)
            if op.kind == "phi":
                # What a rewound loop begins from is no block any more.
                copy.attr = [to.get(source, source) for source in op.attr]
            else:
                copy.attr = owners.get(op.attr, op.attr)
            to[block].ops.append(copy)
    for block in to.values():
        block.targets = [to[target] for target in block.targets]
        block.arg = None if block.arg is None else values.get(block.arg, block.arg)
        for op in block.ops:
            op.args = [values.get(arg, arg) for arg in op.args]
    return list(to.values())


def _copy(op: Op) -> Op:
    return Op(op.kind, op.width, list(op.args), attr=op.attr, name=op.name, where=op.where)
