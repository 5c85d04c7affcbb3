# SPDX-License-Identifier: Apache-2.0
"""Makes handshakes of arguments that a directive gives one: reads and writes of streams.

A scalar is taken once, at the start. So is what a pointer points to, if the program reads it, and
it is given once, at the end, if the program writes it; in between it is a value
(`promote_pointers`). An array's words are taken or given one by one where the program has the
accesses: what they index is not looked at, so that the program must touch every element once, in
order, which co-simulation shows.
"""

from __future__ import annotations

import dataclasses

from lydite.base import InputError
from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directives import STORED
from lydite.hls.contract.interface import HANDSHAKES, Mode
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Block, Memory, Op, Stream, const
from lydite.hls.ir.module import Module
from lydite.hls.lower import promote_pointers
from lydite.hls.lower.port_protocols import Protocols
from lydite.hls.lower.signature import TopArg, TopArgs


def apply(
    module: Module, top_args: TopArgs, protocols: Protocols
) -> tuple[TopArgs, list[Diagnostic]]:
    """Rewrite a freshly imported module; give the arguments as they are then.

    Warnings name directives of arrays that are arrays no longer.

    Raises
    ------
    InputError
        An array is accessed in a way that its protocol cannot serve.
    """
    warnings: list[Diagnostic] = []
    result: list[TopArg] = []
    scalars = [arg for arg in top_args.args if arg.is_scalar]
    params = dict(zip((arg.name for arg in scalars), module.top_function.params, strict=True))
    for arg in top_args.args:
        mode = protocols.args.get(arg.name)
        if mode and not arg.is_stream:
            if arg.is_scalar:
                _scalar(module, arg, params[arg.name], mode)
            elif arg.is_pointer:
                _pointer(module, arg, mode)
            else:
                warnings += _array(module, arg, mode)
            arg = dataclasses.replace(arg, protocol=mode)
        registers = protocols.registers.get(arg.name, "both")
        for stream in (module.streams[n] for n in arg.stream_names if n in module.streams):
            # Valid must not wait for ready, and a state waits for all of its streams.
            stream.registers = "forward" if registers == "off" and stream.writes else registers
        result.append(arg)
    return dataclasses.replace(top_args, args=tuple(result)), warnings


def _add(
    module: Module, name: str, bits: int, protocol: Mode, where: str, *, writes: bool
) -> Stream:
    assert protocol in HANDSHAKES, f"{name}: {protocol} moves no values one by one"
    stream = Stream(name, 0, 0, writes, where, bits, protocol)
    module.streams[name] = stream
    return stream


def _head(block: Block, ops: list[Op]) -> None:
    """Put operations at the start of a block that has no phis."""
    block.ops = [*ops, *block.ops]


def _scalar(module: Module, arg: TopArg, param: Op, mode: Mode) -> None:
    function = module.top_function
    stream = _add(module, arg.port, param.width, mode, function.where, writes=False)
    read = Op("read", param.width, [const(1, 1)], attr=stream, name=param.name)
    read.where = function.where
    function.params = [other for other in function.params if other is not param]
    for number, other in enumerate(function.params):
        other.attr = number
    ir_graph.replace(function, {param: read})
    _head(function.blocks[0], [read])


def _accesses(
    module: Module, memory: Memory, kind: ir_graph.OpKind
) -> list[tuple[ir_graph.Function, Op]]:
    return [
        (function, op)
        for function in module.functions.values()
        for op in function.ops()
        if op.kind == kind and op.attr is memory
    ]


def _pointer(module: Module, arg: TopArg, mode: Mode) -> None:
    memory, top = module.memories[arg.port], module.top_function
    memory.port = memory.constant = False
    name = f"{arg.port}_word"
    while name in module.memories or name in module.functions:
        name += "_"
    # Streams and memories have names of their own.
    module.memories = {
        name if other is memory else key: other for key, other in module.memories.items()
    }
    memory.name = name
    loads, stores = _accesses(module, memory, "load"), _accesses(module, memory, "store")
    assert memory.depth == 1, f"{arg.name} points to one word"
    both = bool(loads and stores)
    first = const(memory.index_width, 0)
    if loads:
        port = f"{arg.port}_i" if both else arg.port
        given: Mode = "ap_none" if mode == "ap_ovld" else mode
        stream = _add(module, port, memory.width, given, loads[0][1].where, writes=False)
        read = Op("read", memory.width, [const(1, 1)], attr=stream, name=arg.name)
        keep = Op("store", 0, [first, read, const(memory.lanes, -1)], attr=memory)
        read.where = keep.where = top.where
        if stores or any(function is not top for function, _ in loads):
            _head(top.blocks[0], [read, keep])
        else:
            for _, load in loads:
                _become(top, load, read)
            for block in top.blocks:
                block.ops = [op for op in block.ops if op is not read]
            _head(top.blocks[0], [read])
            del module.memories[name]
    if stores:
        port = f"{arg.port}_o" if both else arg.port
        given = "ap_vld" if mode == "ap_ovld" else mode
        stream = _add(module, port, memory.width, given, stores[0][1].where, writes=True)
        for block in top.blocks:
            if block.end == "ret":
                load = Op("load", memory.width, [first], attr=memory, name=arg.name)
                write = Op("write", 0, [load, const(1, 1)], attr=stream)
                load.where = write.where = block.where
                block.ops += [load, write]
    if name in module.memories:
        promote_pointers.promote(module, memory)


def _array(module: Module, arg: TopArg, mode: Mode) -> list[Diagnostic]:
    memory = module.memories[arg.port]
    loads, stores = _accesses(module, memory, "load"), _accesses(module, memory, "store")
    if not loads and not stores:
        return []
    where = (loads or stores)[0][1].where
    if loads and stores:
        raise InputError(
            stores[0][1].where,
            f"array {arg.name} is written here and read at {where}, and {mode} has one direction",
            "use an array of its own for each, or ap_memory",
        )
    if memory.lanes > 1:
        raise InputError(
            where,
            f"array {arg.name} is accessed in parts of its words, which {mode} moves as a whole",
            "access it by whole elements, or use ap_memory",
        )
    stream = _add(module, arg.port, memory.width, mode, where, writes=bool(stores))
    for function, op in loads:
        _become(function, op, Op("read", memory.width, [const(1, 1)], attr=stream))
    for function, op in stores:
        _become(function, op, Op("write", 0, [op.args[1], op.args[2]], attr=stream))
    del module.memories[memory.name]
    return [
        Diagnostic(item.where, f"{item.kind} of {arg.name}: it is {mode}, which moves word by word")
        for item in (module.pragmas[number] for number in memory.pragmas)
        if isinstance(item, STORED)
    ]


def _become(function: ir_graph.Function, old: Op, new: Op) -> None:
    new.name, new.where = new.name or old.name, new.where or old.where
    for block in function.blocks:
        block.ops = [new if op is old else op for op in block.ops]
    ir_graph.replace(function, {old: new})
