# SPDX-License-Identifier: Apache-2.0
"""What random programs are made of: integer types, variables, and expressions without effects."""

from __future__ import annotations

import random
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Type:
    """An integer type: its C name, its bits, whether it is signed, whether it is a _BitInt."""

    name: str
    width: int
    signed: bool
    exact: bool = False


@dataclass
class Var:
    """A scalar variable."""

    name: str
    type: Type
    writable: bool = True


@dataclass
class Array:
    """An array of one or two dimensions, or a pointer to one."""

    name: str
    type: Type
    shape: tuple[int, ...]
    writable: bool = True


@dataclass
class Records:
    """An array of structs: its name, length and fields."""

    name: str
    struct: str
    size: int
    fields: list[Var]


@dataclass
class Function:
    """A helper: its parameters in order, scalars and arrays."""

    name: str
    returns: Type | None
    params: list[Var | Array]
    cost: int


STANDARD = [
    Type(f"{'' if signed else 'u'}int{width}_t", width, signed)
    for width in (8, 16, 32, 64)
    for signed in (True, False)
]
BOOL = Type("_Bool", 1, False)
INT, U32, U64 = Type("int32_t", 32, True), Type("uint32_t", 32, False), Type("uint64_t", 64, False)
BINARY = ("+", "-", "*", "&", "|", "^", "<<", ">>", "/", "%", "<", ">", "<=", "==", "!=", "&&")
SIZES = (1, 2, 3, 4, 5, 7, 8, 13, 16, 32)


def bit_int(width: int, *, signed: bool) -> Type:
    """Give an exact-width type."""
    name = f"{'s' if signed else 'u'}b{width}"
    return Type(name, width, signed, exact=True)


@dataclass
class Scope:
    """What an expression or statement may use, and what it may still cost."""

    scalars: list[Var]
    arrays: list[Array]
    functions: list[Function]
    loops: int = 0
    trips: int = 1
    in_loop: bool = False
    pointers: list[tuple[str, Type, int]] = field(default_factory=list)
    records: list[Records] = field(default_factory=list)

    def inner(self, **changes: object) -> Scope:
        """Give a scope of a block inside this one."""
        values = {name: getattr(self, name) for name in self.__dataclass_fields__}
        for name in ("scalars", "arrays", "pointers", "records"):
            values[name] = list(values[name])
        return Scope(**{**values, **changes})  # type: ignore[arg-type]


class Expressions:
    """Writes expressions; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        self.extra = extra
        self.random = random.Random(f"lydite hls fuzz {seed}")
        self.count = 0
        self.used_types: dict[str, Type] = {}
        self.lines: list[str] = []
        self.exact = self.random.random() < 0.4
        self.in_helper = False
        self.max_trips = self.random.choice((8, 30, 120))

    def chance(self, probability: float) -> bool:
        """Throw a coin."""
        return self.random.random() < probability

    def name(self, stem: str) -> str:
        """Give a name that is not in use."""
        self.count += 1
        return f"{stem}{self.count}"

    def type(self) -> Type:
        """Choose an integer type."""
        if self.exact and self.chance(0.4):
            width = self.random.choice((1, 2, 3, 5, 7, 9, 12, 17, 24, 31, 33, 40, 48, 63, 65, 100))
            if width > 64 and self.chance(0.6):
                width = 6
            found = bit_int(width, signed=self.chance(0.5) and width > 1)
            self.used_types[found.name] = found
            return found
        if self.chance(0.05):
            return BOOL
        return self.random.choice(STANDARD)

    def constant(self, kind: Type) -> str:
        """Write a constant, often one at the edge of something."""
        width = min(kind.width, 64)
        pick = self.random.randrange(6)
        if pick == 0:
            value = self.random.choice((0, 1, 2, 3, 7, 8, 10))
        elif pick == 1:
            value = (1 << self.random.randrange(width)) - self.random.randrange(2)
        elif pick == 2:
            value = (1 << width) - 1 - self.random.randrange(3)
        else:
            value = self.random.getrandbits(self.random.randrange(1, width + 1))
        value &= (1 << width) - 1
        return f"(({kind.name})0x{value:x}ULL)"

    def leaf(self, scope: Scope) -> str:
        """Write a variable, an element or a constant."""
        if scope.arrays and self.chance(0.35):
            return self.element(self.random.choice(scope.arrays), scope, 1)
        if scope.pointers and self.chance(0.2):
            name, _, size = self.random.choice(scope.pointers)
            return f"{name}[{self.index(size, scope, 1)}]"
        if scope.records and self.chance(0.3):
            return self.member(scope, 1)[0]
        if scope.scalars and self.chance(0.8):
            return self.random.choice(scope.scalars).name
        return self.constant(self.type())

    def index(self, size: int, scope: Scope, depth: int) -> str:
        """Write an index below `size`."""
        if size == 1:
            return "0"
        if self.chance(0.2):
            return str(self.random.randrange(size))
        text = self.expression(scope, depth - 1)
        if size & (size - 1) == 0:
            return f"({text}) & {size - 1}"
        return f"(uint32_t)({text}) % {size}u"

    def element(self, array: Array, scope: Scope, depth: int) -> str:
        """Write an element of an array."""
        return array.name + "".join(f"[{self.index(n, scope, depth)}]" for n in array.shape)

    def member(self, scope: Scope, depth: int) -> tuple[str, Type]:
        """Write a field of a struct of an array, and give its type."""
        records = self.random.choice(scope.records)
        member = self.random.choice(records.fields)
        text = f"{records.name}[{self.index(records.size, scope, depth)}].{member.name}"
        return text, member.type

    def expression(self, scope: Scope, depth: int) -> str:
        """Write an expression without side effects."""
        if depth <= 0 or self.chance(0.15):
            return self.leaf(scope)
        pick = self.random.random()
        if pick < 0.12:
            kind = self.type()
            return f"(({kind.name}){self.expression(scope, depth - 1)})"
        if pick < 0.2:
            operator = self.random.choice(("-", "~", "!"))
            return f"({operator}({self.expression(scope, depth - 1)}))"
        if pick < 0.27:
            parts = [self.expression(scope, depth - 1) for _ in range(3)]
            return f"(({parts[0]}) ? ({parts[1]}) : ({parts[2]}))"
        if pick < 0.31:
            return self.builtin(scope, depth)
        if pick < 0.35:
            left, right = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
            wide = self.random.choice(("uint64_t", "int64_t", "unsigned __int128"))
            shift = self.random.choice((0, 16, 31, 32, 40, 63))
            return f"((uint64_t)(({wide})({left}) * ({wide})({right}) >> {shift}))"
        return self.binary(scope, depth)

    def builtin(self, scope: Scope, depth: int) -> str:
        """Write something that becomes an LLVM intrinsic."""
        inner = self.expression(scope, depth - 1)
        pick = self.random.randrange(6)
        if pick == 0:
            return f"__builtin_popcountll((uint64_t)({inner}))"
        if pick == 1:
            return f"__builtin_bswap32((uint32_t)({inner}))"
        if pick == 2:
            return f"ROTL32((uint32_t)({inner}), {self.random.randrange(1, 32)})"
        if pick == 3:
            return f"ROTL64((uint64_t)({inner}), (({self.leaf(scope)}) & 63))"
        if pick == 4:
            return f"__builtin_clz((uint32_t)({inner}) | 1)"
        return f"abs((int32_t)({inner}))"

    def binary(self, scope: Scope, depth: int) -> str:
        """Write two operands and an operator."""
        left, right = self.expression(scope, depth - 1), self.expression(scope, depth - 1)
        operator = self.random.choice(BINARY)
        kind = self.random.choice(STANDARD)
        if operator in ("<<", ">>"):
            amount = f"(({right}) & {max(kind.width, 32) - 1})"
            if self.exact and self.chance(0.3):
                kind = self.type()
                amount = f"((uint32_t)({right}) % {kind.width if kind.exact else 32}u)"
            return f"(({kind.name})({left}) {operator} {amount})"
        if operator in ("/", "%"):
            # Signed division traps on overflow, so -1 is kept away, too.
            return f"SAFE({operator}, {kind.name}, {left}, {right})"
        return f"(({left}) {operator} ({right}))"
