# SPDX-License-Identifier: Apache-2.0
"""LLVM IR as plain data: what `llvm_parser` reads and `lower.translate` turns into our IR.

Only what a C program of integers can contain. Types are values: an int is an integer type of that
width, "ptr" and "void" are themselves, arrays and structs are `Array` and `Struct`, and all else is
`Other`, which is refused where it is used. Sizes are those of x86-64 (LP64).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from typing import TypeAlias

from lydite.hls.frontend.llvm_text import FLOAT_BYTES


@dataclass(frozen=True, slots=True)
class Array:
    """`[count x element]`."""

    count: int
    element: Type


@dataclass(frozen=True, slots=True)
class Struct:
    """`{ ... }` or, packed, `<{ ... }>`."""

    fields: tuple[Type, ...]
    packed: bool = False


@dataclass(frozen=True, slots=True)
class Other:
    """A type that no integer program has: float, vector, label..."""

    text: str


Type: TypeAlias = int | str | Array | Struct | Other


@dataclass(frozen=True, slots=True)
class Local:
    """`%name`."""

    name: str


@dataclass(frozen=True, slots=True)
class Number:
    """An integer constant, not negative, below 2**width; null, undef, poison and zero are 0."""

    value: int


@dataclass(frozen=True, slots=True)
class Address:
    """The address of a global or function plus a number of bytes."""

    name: str
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Expression:
    """A constant expression that is no plain address: computed where it is used."""

    op: str
    type: Type
    args: tuple[tuple[Type, Operand], ...]


@dataclass(frozen=True, slots=True)
class Aggregate:
    """A constant array or struct."""

    items: tuple[tuple[Type, Operand], ...]


@dataclass(frozen=True, slots=True)
class Bytes:
    """A constant string `c"..."`."""

    data: bytes


Operand: TypeAlias = Local | Number | Address | Expression | Aggregate | Bytes


@dataclass(slots=True)
class Instruction:
    """One instruction, mutable because memory intrinsics are expanded in place.

    Attributes
    ----------
    op : str
        Opcode; `icmp` has its predicate in `detail`, casts their source in `args`.
    result : str
        Name without `%`; empty if there is none.
    type : Type
        Type of the result; of the stored value for `store`; `void` if none.
    args : list of (Type, Operand)
        Operands in order. `phi` has the incoming values, with their blocks in `labels`; `gep` has
        base and indices, with the indexed type in `source`; `call` has the arguments, with the
        callee in `callee`.
    labels : list of str
        Blocks of `phi` and of terminators.
    align : int
        Alignment in bytes of `load`, `store` and `alloca`.
    location : int
        Number of the debug location; -1 if none.
    byval, aligns : tuple
        For each argument of a call: the type that is copied, and the alignment that is promised.
    loop : int
        Number of the `!llvm.loop` node; -1 if none.
    """

    op: str
    result: str = ""
    type: Type = "void"
    args: list[tuple[Type, Operand]] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)
    detail: str = ""
    source: Type = "void"
    callee: Operand | None = None
    indices: tuple[int, ...] = ()
    align: int = 1
    byval: tuple[Type | None, ...] = ()
    aligns: tuple[int, ...] = ()
    location: int = -1
    loop: int = -1


@dataclass(slots=True)
class Block:
    """A basic block; the last instruction is the terminator."""

    name: str
    code: list[Instruction] = field(default_factory=list)


@dataclass(slots=True)
class Param:
    """A formal parameter; `byval` is the type that the caller copies, if it does."""

    name: str
    type: Type
    byval: Type | None = None
    sret: bool = False


@dataclass(slots=True)
class Function:
    """A function with a body, or a declaration (`blocks` empty).

    `names` are the debug variables of values, `declared` those that live where a value points to.
    """

    name: str
    result: Type
    params: list[Param]
    varargs: bool
    subprogram: int = -1
    blocks: list[Block] = field(default_factory=list)
    names: dict[str, int] = field(default_factory=dict)
    declared: dict[str, int] = field(default_factory=dict)


@dataclass(slots=True)
class Global:
    """A global variable; `init` is None for a declaration."""

    name: str
    type: Type
    init: Operand | None
    constant: bool
    align: int
    debug: int = -1


@dataclass(slots=True)
class Module:
    """A whole module; `metadata` has the text of each numbered node."""

    globals: dict[str, Global] = field(default_factory=dict)
    functions: dict[str, Function] = field(default_factory=dict)
    metadata: dict[int, str] = field(default_factory=dict)


@cache
def size_of(type_: Type) -> int:
    """Give the size in bytes that an object of a type takes in an array."""
    if isinstance(type_, int):
        return -(-((type_ + 7) // 8) // align_of(type_)) * align_of(type_)
    if type_ == "ptr":
        return 8
    if isinstance(type_, Array):
        return type_.count * size_of(type_.element)
    if isinstance(type_, Struct):
        end = field_offset(type_, len(type_.fields))
        unit = align_of(type_)
        return -(-end // unit) * unit
    if isinstance(type_, Other) and type_.text in FLOAT_BYTES:
        return FLOAT_BYTES[type_.text]
    raise ValueError(f"type {type_} has no size")


@cache
def align_of(type_: Type) -> int:
    """Give the ABI alignment of a type in bytes."""
    if isinstance(type_, int):
        return next(unit for unit in (1, 2, 4, 8, 16) if type_ <= unit * 8 or unit == 16)
    if type_ == "ptr":
        return 8
    if isinstance(type_, Array):
        return align_of(type_.element)
    if isinstance(type_, Struct):
        return 1 if type_.packed else max([align_of(t) for t in type_.fields], default=1)
    return FLOAT_BYTES.get(type_.text, 1) if isinstance(type_, Other) else 1


def field_offset(struct: Struct, index: int) -> int:
    """Give the byte offset of a field; with `index` one past the last, the end without padding."""
    return _offsets(struct)[index]


@cache
def _offsets(struct: Struct) -> tuple[int, ...]:
    offsets: list[int] = []
    at = 0
    for type_ in struct.fields:
        if not struct.packed:
            unit = align_of(type_)
            at = -(-at // unit) * unit
        offsets.append(at)
        at += size_of(type_)
    return (*offsets, at)


def width_of(type_: Type) -> int:
    """Give the bits of a value of a type in a register; structs are their fields side by side."""
    if isinstance(type_, int):
        return type_
    if type_ == "ptr":
        return 64
    if type_ == "void":
        return 0
    if isinstance(type_, Struct):
        return sum(width_of(t) for t in type_.fields)
    if isinstance(type_, Array):
        return type_.count * width_of(type_.element)
    raise ValueError(f"type {type_} has no width")


def references(operand: Operand | None) -> list[str]:
    """Give the globals and functions whose addresses an operand holds."""
    if isinstance(operand, Address):
        return [operand.name]
    if isinstance(operand, Aggregate):
        return [name for _, item in operand.items for name in references(item)]
    if isinstance(operand, Expression):
        return [name for _, item in operand.args for name in references(item)]
    return []
