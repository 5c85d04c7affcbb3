# SPDX-License-Identifier: Apache-2.0
"""Copies of modules and of blocks, which share nothing with the original that may change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from lydite.hls.ir.graph import Block, Function, Memory, Op, Rewind, Stream
from lydite.hls.ir.module import Module


def module(original: Module) -> Module:
    """Give a copy of a module without processes."""
    assert original.network is None, "processes cannot be copied"
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
    return made


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
                copy.attr = [to[source] for source in op.attr]
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
