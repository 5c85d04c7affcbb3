# SPDX-License-Identifier: Apache-2.0
"""Copies and fills of memory as loads and stores: written out when short, else as a loop."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydite.hls.frontend.llvm_ast import Address, Block, Instruction, Local, Number, Operand, Type

Fresh = Callable[[str], str]

# Copies up to this many pieces are written out; longer ones loop.
_STRAIGHT_PIECES = 8


@dataclass(frozen=True, slots=True)
class Copy:
    """A loop that copies or fills memory, in pieces of `piece` bytes.

    `backward` is a value of 1 bit that asks for descending addresses, or None.
    """

    origin: Instruction
    target: Operand
    source: Operand | None
    fill: Operand | None
    length: Operand
    piece: int
    before: tuple[Instruction, ...] = ()
    move: bool = False


def rewrite(call: Instruction, fresh: Fresh) -> list[Instruction] | Copy:
    """Give what replaces a call of memcpy, memmove or memset: instructions, or a loop to make."""
    assert isinstance(call.callee, Address)
    kind = call.callee.name.split(".")[1]
    (_, target), (source_type, source), (_, length) = call.args[:3]
    fill = kind == "memset"
    limits = [call.aligns[0]] if fill else [call.aligns[0], call.aligns[1]]
    constant = isinstance(length, Number)
    if isinstance(length, Number):
        if length.value == 0:
            return []
        limits.append(length.value & -length.value)
    piece = min([8, *limits]) if constant else 1
    before: list[Instruction] = []
    value: Operand | None = None
    if fill:
        assert source_type == 8
        value = _spread(source, piece, call, before, fresh)
    if isinstance(length, Number) and length.value // piece <= _STRAIGHT_PIECES:
        return before + _straight(call, target, source, value, length.value, piece, fresh)
    return Copy(
        call,
        target,
        None if fill else source,
        value,
        length,
        piece,
        tuple(before),
        kind == "memmove",
    )


def _spread(
    byte: Operand, piece: int, call: Instruction, code: list[Instruction], fresh: Fresh
) -> Operand:
    """Give `piece` copies of a byte side by side."""
    pattern = sum(1 << (8 * index) for index in range(piece))
    if isinstance(byte, Number):
        return Number(byte.value * pattern)
    if piece == 1:
        return byte
    wide, result = fresh("wide"), fresh("fill")
    type_ = 8 * piece
    code.append(Instruction("zext", wide, type_, [(8, byte)], location=call.location))
    args: list[tuple[Type, Operand]] = [(type_, Local(wide)), (type_, Number(pattern))]
    code.append(Instruction("mul", result, type_, args, location=call.location))
    return Local(result)


def _straight(
    call: Instruction,
    target: Operand,
    source: Operand,
    fill: Operand | None,
    length: int,
    piece: int,
    fresh: Fresh,
) -> list[Instruction]:
    """Write a short copy out: all loads, then all stores, which also serves memmove."""
    loads: list[Instruction] = []
    stores: list[Instruction] = []
    type_ = 8 * piece
    for offset in range(0, length, piece):
        value = fill
        if value is None:
            address, loaded = fresh("from"), fresh("piece")
            loads.append(_offset(address, source, Number(offset), call))
            load = Instruction("load", loaded, type_, [("ptr", Local(address))], align=piece)
            load.location = call.location
            loads.append(load)
            value = Local(loaded)
        address = fresh("to")
        stores.append(_offset(address, target, Number(offset), call))
        store = Instruction("store", args=[(type_, value), ("ptr", Local(address))], align=piece)
        store.location, store.source = call.location, type_
        stores.append(store)
    return loads + stores


def _offset(result: str, base: Operand, offset: Operand, call: Instruction) -> Instruction:
    return Instruction(
        "getelementptr",
        result,
        "ptr",
        [("ptr", base), (64, offset)],
        source=8,
        location=call.location,
    )


def loop(block: Block, rest: str, copy: Copy, fresh: Fresh) -> list[Block]:
    """Close `block` with a jump into a copy loop that ends in `rest`; give the loop's blocks."""
    block.code += copy.before
    origin = copy.origin
    here = origin.location

    def make(op: str, type_: Type, *args: tuple[Type, Operand], detail: str = "") -> Operand:
        result = fresh(op)
        block_code.append(Instruction(op, result, type_, list(args), detail=detail, location=here))
        return Local(result)

    block_code = block.code
    loop = Block(fresh("copy"))
    backward: Operand | None = None
    if copy.move:
        assert copy.source is not None
        backward = make("icmp", 1, ("ptr", copy.source), ("ptr", copy.target), detail="ult")
    empty = make("icmp", 1, (64, copy.length), (64, Number(0)), detail="eq")
    block_code.append(Instruction("br", args=[(1, empty)], labels=[rest, loop.name], location=here))
    block_code = loop.code
    index, following = fresh("index"), fresh("next")
    phi = Instruction("phi", index, 64, [(64, Number(0)), (64, Local(following))], location=here)
    phi.labels = [block.name, loop.name]
    block_code.append(phi)
    offset: Operand = Local(index)
    if backward is not None:
        last = make("sub", 64, (64, copy.length), (64, Number(copy.piece)))
        mirrored = make("sub", 64, (64, last), (64, offset))
        offset = make("select", 64, (1, backward), (64, mirrored), (64, offset))
    value = copy.fill
    type_ = 8 * copy.piece
    if value is None:
        assert copy.source is not None
        address = fresh("from")
        block_code.append(_offset(address, copy.source, offset, origin))
        loaded = fresh("piece")
        load = Instruction("load", loaded, type_, [("ptr", Local(address))], align=copy.piece)
        load.location = here
        block_code.append(load)
        value = Local(loaded)
    address = fresh("to")
    block_code.append(_offset(address, copy.target, offset, origin))
    store = Instruction("store", args=[(type_, value), ("ptr", Local(address))], align=copy.piece)
    store.location, store.source = here, type_
    block_code.append(store)
    step: list[tuple[Type, Operand]] = [(64, Local(index)), (64, Number(copy.piece))]
    block_code.append(Instruction("add", following, 64, step, location=here))
    more = make("icmp", 1, (64, Local(following)), (64, copy.length), detail="ult")
    block_code.append(Instruction("br", args=[(1, more)], labels=[loop.name, rest], location=here))
    return [loop]
