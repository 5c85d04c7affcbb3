# SPDX-License-Identifier: Apache-2.0
"""Gives every static object a memory and an address, and every access the memories it may touch.

Pointers are plain integers, so that arithmetic, comparison, null, and pointers kept in memory mean
what they mean in C. Objects that one access may not tell apart share a memory; argument arrays of
the top function are memories outside, and never share. A memory's base address is aligned to its
size rounded up to a power of two: the low bits of a pointer are the place in the memory, without a
subtraction.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from lydite.base import InputError
from lydite.hls.contract.directives import ArrayPartition, ArrayReshape, Directive
from lydite.hls.contract.directives import Stream as StreamDirective
from lydite.hls.frontend import points_to, stream_calls, variable_directives
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.llvm_ast import (
    Address,
    Aggregate,
    Array,
    Bytes,
    Expression,
    Function,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    Struct,
    Type,
    align_of,
    field_offset,
    references,
    size_of,
    width_of,
)
from lydite.hls.ir.graph import Memory
from lydite.hls.lower import alignment

# A vote: an access that takes one piece costs 1, a mux or byte enable behind it a little more.
_LANE_LOAD_COST = 0.3
_LANE_STORE_COST = 0.5
# The first addresses belong to no object, so that null, and null plus a little, is nowhere.
_FIRST_ADDRESS = 64


@dataclass(frozen=True, slots=True)
class Port:
    """An array argument of the top function.

    Attributes
    ----------
    size, element : int
        Bytes, and bytes of an element (0: by vote of the accesses).
    variable : int
        Node of its debug information; -1 if there is none.
    """

    name: str
    size: int
    element: int
    where: str
    variable: int = -1


@dataclass(slots=True)
class _Object:
    name: str
    label: str
    size: int
    align: int
    constant: bool
    init: tuple[Type, Operand] | None
    where: str
    port: Port | None = None
    variable: int = -1


@dataclass(slots=True)
class Layout:
    """Where everything is.

    Attributes
    ----------
    memories : list of Memory
        In order of their first objects.
    address : dict
        Address of each object and function.
    size : dict
        Bytes of each object.
    stream_of : dict
        Name of the stream that an object is.
    inside : dict
        Of a stream that is no argument of the top function: the beats that it holds in hardware.
    sized : set of int
        Numbers of the directives that say so.
    """

    memories: list[Memory] = field(default_factory=list)
    address: dict[str, int] = field(default_factory=dict)
    size: dict[str, int] = field(default_factory=dict)
    memory_of: dict[str, Memory] = field(default_factory=dict)
    stream_of: dict[str, str] = field(default_factory=dict)
    inside: dict[str, int] = field(default_factory=dict)
    sized: set[int] = field(default_factory=set)
    width: int = 0
    solution: points_to.PointsTo = field(default_factory=points_to.PointsTo)

    def targets(self, function: str, pointer: Operand) -> list[Memory]:
        """Give the memories that an access through a pointer may touch."""
        names = self.solution.of(function, pointer)
        found = [self.memory_of[name] for name in names if name in self.memory_of]
        return list(dict.fromkeys(found))

    def only_streams(self, function: str, pointer: Operand) -> bool:
        """Whether a pointer leads to streams inside and nothing else."""
        names = self.solution.of(function, pointer)
        return bool(names) and all(self.stream_of.get(name) in self.inside for name in names)


def lay_out(
    module: Module,
    symbol: str,
    ports: Mapping[str, Port],
    debug: DebugInfo,
    streams: Mapping[str, str],
    directives: Sequence[Directive] = (),
) -> Layout:
    """Decide memories and addresses for a legalised module; streams only get an address.

    An array that directives cut gets the elements of its C type as words.
    """
    layout = Layout(solution=points_to.solve(module, symbol))
    alignment.prove(module, symbol, layout.solution)
    objects = _collect(module, symbol, ports, debug)
    inside = _streams_inside(module, layout.solution, objects)
    objects = [item for item in objects if item not in inside]
    groups = _group(module, layout.solution, objects)
    stored, shapes = _survey(module, layout.solution, objects)
    names = {port.name for port in ports.values()} | set(streams.values())
    address = _FIRST_ADDRESS
    placed: list[tuple[Memory, list[tuple[_Object, int]]]] = []
    for members in groups:
        offsets, size = _pack(members)
        port = members[0].port
        shape, element = _shape(offsets, size, directives, debug)
        votes = [s for m in members for s in shapes.get(m.name, ())]
        width = element if element in (1, 2, 4, 8) else _word_bytes(members, votes)
        memory = Memory(
            name=port.name if port else _unique(members[0].label, names),
            width=8 * width,
            depth=max(1, -(-size // width)),
            lanes=width if _writes_lanes(members, shapes, width) else 1,
            port=port is not None,
            constant=not any(m.name in stored for m in members),
            objects=tuple((m.label, offset) for m, offset in offsets),
            where=members[0].where,
            pragmas=tuple(
                dict.fromkeys(
                    number
                    for member in members
                    for number in variable_directives.numbers(debug, member.variable)
                )
            ),
            shape=shape if math.prod(shape) * element == -(-size // width) * width else (),
        )
        span = 1 << max(size - 1, 15).bit_length()
        address = -(-address // span) * span
        memory.base = address
        address += span
        for member, offset in offsets:
            layout.address[member.name] = memory.base + offset
            layout.size[member.name] = member.size
            layout.memory_of[member.name] = memory
        layout.memories.append(memory)
        placed.append((memory, offsets))
    for name in module.functions:
        layout.address[name] = address
        address += 16
    for item in inside:
        layout.address[item.name] = address
        # A static is `function.variable`.
        layout.stream_of[item.name] = name = _unique(item.label.rpartition(".")[2], names)
        layout.inside[name] = _depth(item, directives, debug, layout.sized)
        address += 16
    for param, stream in streams.items():
        name = f"{symbol}({param})"
        layout.address[name] = address
        layout.stream_of[name] = stream
        address += 16
    layout.width = max(1, address.bit_length())
    for memory, offsets in placed:
        memory.init = _contents(memory, offsets, layout.address)
    return layout


# Beats that a stream between processes holds, unless a directive says how many.
_DEPTH = 2


def _streams_inside(
    module: Module, solution: points_to.PointsTo, objects: list[_Object]
) -> list[_Object]:
    """Give the objects that are streams: whose address a read or write takes."""
    found: dict[str, None] = {}
    for function in module.functions.values():
        for block in function.blocks:
            for code in block.code:
                if (
                    code.op == "call"
                    and isinstance(code.callee, Address)
                    and code.callee.name.startswith(stream_calls.STEM)
                ):
                    found.update(dict.fromkeys(solution.of(function.name, code.args[0][1])))
    # A stream is a name only: one byte. One in an array or a structure is told by nothing.
    return [item for item in objects if item.name in found and item.size == 1 and not item.port]


def _depth(
    item: _Object, directives: Sequence[Directive], debug: DebugInfo, sized: set[int]
) -> int:
    """Give the beats that a stream inside holds; adds the directives that say so to `sized`."""
    depth = _DEPTH
    for number in variable_directives.numbers(debug, item.variable):
        directive = directives[number]
        if isinstance(directive, StreamDirective):
            sized.add(number)
            depth = directive.depth or depth
    return depth


def _shape(
    offsets: list[tuple[_Object, int]],
    size: int,
    directives: Sequence[Directive],
    debug: DebugInfo,
) -> tuple[tuple[int, ...], int]:
    """Give dimensions, and bytes of an element, of an array that a directive cuts.

    Several arrays in one memory are one of two dimensions if their rows are as long, and if all are
    told the same, about their rows.
    """
    shapes = [debug.shape(member.variable, member.size) for member, _ in offsets]
    asked = [
        [
            (directives[number], len(shape))
            for number in variable_directives.numbers(debug, member.variable)
            if isinstance(directives[number], ArrayPartition | ArrayReshape)
        ]
        for (member, _), (shape, _) in zip(offsets, shapes, strict=True)
    ]
    (shape, element), *others = shapes
    if not asked[0]:
        return (), 0
    if not others:
        return shape, element
    rows = {(shape[-1:], element) for shape, element in shapes}
    cuts = {tuple(_of_rows(*one) for one in each) for each in asked}
    row = shape[-1] * element if shape else 0
    if len(rows) > 1 or len(cuts) > 1 or (None,) in cuts or not row:
        return (), 0
    if any(at % row for at in (size, *(at for _, at in offsets))):
        return (), 0
    return (size // row, shape[-1]), element


def _of_rows(directive: Directive, rank: int) -> tuple[object, ...] | None:
    """Give what a directive does to the rows of an array; None if it concerns more than those."""
    assert isinstance(directive, ArrayPartition | ArrayReshape), directive.kind
    if directive.dim != rank and (directive.dim, rank) != (0, 1):
        return None
    return directive.kind, directive.type, directive.factor, directive.off


# Bytes of the largest memory inside: twice what the largest devices have; and of the largest
# argument, which lies outside: what simulation can hold.
_LARGEST = 1 << 26
_LARGEST_OUTSIDE = 1 << 28


def _first_use(module: Module, name: str, debug: DebugInfo) -> str:
    """Give `file:line` of the first instruction that names a variable; empty if none has a line."""
    for function in module.functions.values():
        for block in function.blocks:
            for code in block.code:
                if any(name in references(value) for _, value in code.args) and (
                    where := debug.where(code.location)
                ):
                    return where
    return ""


def _collect(
    module: Module, symbol: str, ports: Mapping[str, Port], debug: DebugInfo
) -> list[_Object]:
    """List all objects, in source order."""
    objects: list[_Object] = []
    for name, variable in module.globals.items():
        if name.startswith("llvm."):
            continue
        where = debug.where(_variable(debug, variable.debug))
        if variable.init is None:
            raise InputError(
                _first_use(module, name, debug) or where or name,
                f"the program uses {name}, which it does not define",
                "add the file that defines it",
            )
        init = (variable.type, variable.init)
        label = debug.name(variable.debug) if variable.debug >= 0 else ""
        if "." in name and label:
            label = name  # static locals and copies: keep them apart
        size = max(1, size_of(variable.type))
        align = max(variable.align, align_of(variable.type))
        made = _Object(name, label or name, size, align, variable.constant, init, where)
        made.variable = _variable(debug, variable.debug)
        objects.append(made)
    for function in module.functions.values():
        for block in function.blocks:
            objects += [_local(function, c, debug) for c in block.code if c.op == "alloca"]
    for param in module.functions[symbol].params:
        if param.type == "ptr" and param.name in ports:
            port = ports[param.name]
            name = f"{symbol}({param.name})"
            made = _Object(name, port.name, max(1, port.size), 16, False, None, port.where)
            made.port, made.variable = port, port.variable
            objects.append(made)
    for item in objects:
        most = _LARGEST if item.port is None else _LARGEST_OUTSIDE
        if item.size > most:
            raise InputError(
                item.where or item.label,
                f"{item.label} has {item.size} bytes, more than the {most} that a memory may",
                "make it smaller: hardware would have to hold all of it"
                if item.port is None
                else "make it smaller, or let it come as a stream",
            )
    return objects


def _variable(debug: DebugInfo, number: int) -> int:
    """Give the variable behind a global's expression node."""
    fields = debug.fields(number)
    return int(fields["var"][1:]) if "var" in fields else number


def _local(function: Function, code: Instruction, debug: DebugInfo) -> _Object:
    count = code.args[0][1].value if code.args and isinstance(code.args[0][1], Number) else 1
    variable = function.names.get(code.result, -1)
    label = debug.name(variable) if variable >= 0 else code.result
    where = debug.where(variable if variable >= 0 else function.subprogram)
    size = max(1, count * size_of(code.source))
    align = max(code.align, align_of(code.source))
    made = _Object(
        f"{function.name}/{code.result}", label or "local", size, align, False, None, where
    )
    made.variable = function.declared.get(code.result, variable)
    return made


def _group(
    module: Module, solution: points_to.PointsTo, objects: list[_Object]
) -> list[list[_Object]]:
    """Put objects together that one access may touch; ports stay alone."""
    parent: dict[str, str] = {o.name: o.name for o in objects if o.port is None}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for function in module.functions.values():
        for block in function.blocks:
            for code in block.code:
                if code.op in ("load", "store"):
                    targets = solution.of(function.name, code.args[-1][1])
                    inside = [root(name) for name in targets if name in parent]
                    for other in inside[1:]:
                        parent[root(other)] = root(inside[0])
    groups: dict[str, list[_Object]] = {}
    for item in objects:
        key = root(item.name) if item.port is None else item.name
        groups.setdefault(key, []).append(item)
    return list(groups.values())


# How an access looks: bytes, alignment, and whether it writes.
_Shape = tuple[int, int, bool]


def _survey(
    module: Module, solution: points_to.PointsTo, objects: list[_Object]
) -> tuple[set[str], dict[str, list[_Shape]]]:
    """Find which objects are written, and how each is accessed."""
    stored: set[str] = set()
    shapes: dict[str, list[_Shape]] = {}
    known = {o.name for o in objects}
    for function in module.functions.values():
        for block in function.blocks:
            for code in block.code:
                if code.op not in ("load", "store"):
                    continue
                type_, writes = (code.type, False) if code.op == "load" else (code.source, True)
                size = access_bytes(type_)
                for name in solution.of(function.name, code.args[-1][1]):
                    if name in known:
                        shapes.setdefault(name, []).append((size, code.align, writes))
                        if writes:
                            stored.add(name)
    return stored, shapes


def access_bytes(type_: Type) -> int:
    """Give the bytes that a load or store of a type touches, which may be fewer than it takes."""
    return -(-width_of(type_) // 8)


def pieces(size: int, align: int, word: int) -> list[tuple[int, int]]:
    """Give offset and bytes of the aligned pieces, none over a word, that an access is made of."""
    result: list[tuple[int, int]] = []
    offset = 0
    while offset < size:
        left = size - offset
        piece = min(align, offset & -offset or align, word, 1 << (left.bit_length() - 1))
        result.append((offset, piece))
        offset += piece
    return result


def _word_bytes(members: list[_Object], shapes: list[_Shape]) -> int:
    """Choose the bytes of a memory's word: the argument's element, or by vote of the accesses."""
    port = members[0].port
    if port is not None and port.element in (1, 2, 4, 8):
        return port.element

    def cost(word: int) -> tuple[float, int]:
        total = 0.0
        for size, align, writes in shapes:
            lane = _LANE_STORE_COST if writes else _LANE_LOAD_COST
            total += sum(1 + (piece < word) * lane for _, piece in pieces(size, align, word))
        return total, word

    return min((1, 2, 4, 8), key=cost)


def _writes_lanes(members: list[_Object], shapes: Mapping[str, list[_Shape]], word: int) -> bool:
    return any(
        writes and any(piece < word for _, piece in pieces(size, align, word))
        for member in members
        for size, align, writes in shapes.get(member.name, ())
    )


def _pack(members: list[_Object]) -> tuple[list[tuple[_Object, int]], int]:
    """Give each object its offset in their memory, and the bytes of all."""
    offsets: list[tuple[_Object, int]] = []
    at = 0
    for member in sorted(members, key=lambda m: -m.align):
        unit = max(member.align, alignment.OBJECT_BYTES)
        at = -(-at // unit) * unit
        offsets.append((member, at))
        at += member.size
    return offsets, at


def _unique(label: str, names: set[str]) -> str:
    clean = "".join(c if c.isalnum() and c.isascii() else "_" for c in label).strip("_") or "mem"
    if clean[0].isdigit():
        clean = f"m_{clean}"
    name, number = clean, 1
    while name in names:
        number += 1
        name = f"{clean}_{number}"
    names.add(name)
    return name


def _contents(
    memory: Memory, offsets: list[tuple[_Object, int]], addresses: Mapping[str, int]
) -> tuple[int, ...]:
    """Give the words that a memory holds at power-up."""
    word = memory.width // 8
    given = [(m, offset) for m, offset in offsets if m.init and m.init[1] != Number(0)]
    data = bytearray(-(-max([offset + m.size for m, offset in given], default=0) // word) * word)
    for member, offset in given:
        if member.init is not None:
            try:
                _write(data, offset, *member.init, addresses)
            except InputError as error:
                raise InputError(member.where or member.label, error.what, error.hint) from None
    end = len(data.rstrip(b"\0"))
    return tuple(int.from_bytes(data[at : at + word], "little") for at in range(0, end, word))


def _write(
    data: bytearray, at: int, type_: Type, value: Operand, addresses: Mapping[str, int]
) -> None:
    """Put an initialiser into bytes."""
    if isinstance(value, Bytes):
        data[at : at + len(value.data)] = value.data
    elif isinstance(value, Aggregate):
        for index, (item_type, item) in enumerate(value.items):
            if isinstance(type_, Struct):
                offset = field_offset(type_, index)
            else:
                assert isinstance(type_, Array)
                offset = index * size_of(type_.element)
            _write(data, at + offset, item_type, item, addresses)
    elif isinstance(value, Number) and value.value == 0:
        return
    else:
        size = size_of(type_)
        number = constant_value(type_, value, addresses)
        data[at : at + size] = number.to_bytes(size, "little")


def constant_value(type_: Type, value: Operand, addresses: Mapping[str, int]) -> int:
    """Give the number that a constant operand is, addresses included.

    Raises
    ------
    InputError
        It is an expression that is not computed at link time.
    """
    if isinstance(value, Number):
        return value.value
    if isinstance(value, Address):
        return (addresses[value.name] + value.offset) & (2**64 - 1)
    if isinstance(value, Expression):
        numbers = [constant_value(t, v, addresses) for t, v in value.args]
        width = type_ if isinstance(type_, int) else 64
        if value.op in ("ptrtoint", "inttoptr", "trunc", "bitcast"):
            return numbers[0] & ((1 << width) - 1)
        if value.op in ("add", "sub", "xor"):
            first, second = numbers
            result = {"add": first + second, "sub": first - second, "xor": first ^ second}
            return result[value.op] & ((1 << width) - 1)
        raise InputError("initialiser", f"constant expression {value.op} is not supported")
    assert not isinstance(value, Local), "constants hold no locals"
    raise InputError("initialiser", "a constant aggregate stands where a number is needed")
