# SPDX-License-Identifier: Apache-2.0
"""Narrows values to the bits that are not known and make a difference.

A result whose upper bits are known or never looked at is computed narrower, and the known bits are
put back as constants; one whose upper bits are all its sign is, too, and the sign is put back.
Phis, arguments and results of functions shrink alike. Comparisons and divisions of values with
known zeros on top are done without those, signed ones become unsigned.
"""

from __future__ import annotations

from dataclasses import dataclass

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import known_bits
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import significant
from lydite.hls.ir.graph import Block, Function, Op, OpKind, const
from lydite.hls.ir.known_bits import Known, KnownBits
from lydite.hls.ir.module import Module
from lydite.hls.ir.signed_ranges import Range, SignedRanges
from lydite.hls.passes import narrow_streams
from lydite.hls.passes.context import Context

DOC = "narrow values to the bits that are unknown, demanded, and more than copies of a sign"

_SHRINKING = frozenset(("add", "sub", "mul", "and", "or", "xor", "shl", "mux"))
# Logic of copies of a sign costs nothing where it is made, and mapping finds it: what is kept in
# registers are choices, and masks, whose bits are all the same, are left as they are. Of a product
# the factors decide what it costs, and those of one width share a multiplier.
_AS_WIDE = frozenset(("and", "or", "xor", "mul"))
# Copies of a sign that are worth leaving out: of one bit less nothing else can share a unit.
_WORTH = 2


def run(module: Module, _: Context) -> None:
    """Narrow every function of a module."""
    narrow_streams.narrow(module)
    known = KnownBits(module)
    facts = _Facts(known, SignedRanges(module, known), known_bits.demanded(module, known))
    for function in module.functions.values():
        _Narrower(function, facts).run()
    for function in module.functions.values():
        if function is not module.top_function and not function.macro:
            _narrow_params(module, function, facts)
            _narrow_result(module, function, facts)


@dataclass(frozen=True, slots=True)
class _Kept:
    """The lowest bits of a value that are computed, and what stands above them."""

    width: int
    signed: bool
    above: int

    def of(self, build: Builder, value: Op) -> Op:
        """Give these bits of a value."""
        return build.slice(value, 0, self.width)

    def padded(self, build: Builder, narrow: Op, width: int) -> Op:
        """Put the others back."""
        if self.signed:
            return build.resize(narrow, width, signed=True)
        return build.concat(const(width - self.width, self.above), narrow)


@dataclass(frozen=True, slots=True)
class _Facts:
    """What is known of the values of a module, and asked of them."""

    known: KnownBits
    ranges: SignedRanges
    wanted: dict[Op, int]

    def effective(self, op: Op) -> int:
        """Give the bits of a value that must be computed: demanded and not known."""
        fixed = self.known.of(op)
        return self.wanted.get(op, 0) & ~(fixed.zeros | fixed.ones)

    def kept(self, op: Op) -> _Kept:
        """Give the bits to compute, of which the last one may be the sign of all above."""
        width = self.effective(op).bit_length()
        between = self.ranges.of(op)
        least = 2 if op.kind == "mux" else 0
        if op.kind not in _AS_WIDE and least <= between.width <= width - _WORTH:
            return _Kept(between.width, between.low < 0, 0)
        return _Kept(width, signed=False, above=self.known.of(op).ones >> width)


class _Narrower:
    """Rewrites the operations of one function."""

    def __init__(self, function: Function, facts: _Facts) -> None:
        self.function = function
        self.facts = facts
        self.known = facts.known
        self.wanted = facts.wanted
        self.values: dict[Op, Op] = {}
        self.build = Builder([])

    def run(self) -> None:
        phis: list[tuple[Op, Op]] = []
        for block in self.function.blocks:
            self._block(block, phis)
        ends: dict[Block, list[Op]] = {}
        for old, new in phis:
            for arg, source in zip(old.args, old.attr, strict=True):
                self.build.ops = ends.setdefault(source, [])
                self.build.where, self.build.name = new.where, ""
                new.args.append(self.build.slice(arg, 0, new.width))
        for block, made in ends.items():
            block.ops += made
        ir_graph.replace(self.function, self.values)

    def _block(self, block: Block, phis: list[tuple[Op, Op]]) -> None:
        old, block.ops = block.ops, []
        head: list[Op] = []
        for op in old:
            self.build.ops = block.ops
            self.build.where, self.build.name = op.where, op.name
            new: Op | None = None
            if op.width and op.kind not in ("load", "call", "read"):
                new = self._constant(op)
            if new is None and op.kind == "phi":
                new = self._phi(op, head, phis)
            elif new is None:
                new = self._narrow(op)
            if new is None:
                (head if op.kind == "phi" else block.ops).append(op)
            else:
                self.values[op] = new
        block.ops = head + block.ops

    def _constant(self, op: Op) -> Op | None:
        """Give a constant for a value without a bit to compute."""
        between = self.facts.ranges.of(op)
        if between.low == between.high:
            return const(op.width, between.low)
        if self.facts.effective(op):
            return None
        return const(op.width, self.known.of(op).ones)

    def _phi(self, op: Op, head: list[Op], phis: list[tuple[Op, Op]]) -> Op | None:
        kept = self.facts.kept(op)
        if kept.width == op.width:
            return None
        new = Op("phi", kept.width, [], attr=list(op.attr), name=op.name, where=op.where)
        head.append(new)
        phis.append((op, new))
        return kept.padded(self.build, new, op.width)

    def _narrow(self, op: Op) -> Op | None:
        kind = op.kind
        build = self.build
        if kind in ir_graph.COMPARES:
            return self._compare(op)
        if kind == "divmod":
            return self._divide(op)
        if kind in _SHRINKING:
            kept = self.facts.kept(op)
            if kept.width < op.width:
                if kind in ("add", "sub") and (split := self._split_low(op, kept.width)):
                    return kept.padded(build, split, op.width)
                args = [
                    arg
                    if (kind == "shl" and index == 1)
                    or (arg.width == 1 and kind == "mux" and index == 0)
                    else kept.of(build, self._tight(arg) if kind == "mul" else arg)
                    for index, arg in enumerate(op.args)
                ]
                return kept.padded(build, build.make(kind, kept.width, args), op.width)
            if kind in ("add", "sub"):
                return self._split_low(op, op.width)
            if kind == "mul":
                args = [self._tight(arg) for arg in op.args]
                return build.make(kind, op.width, args) if args != op.args else None
        if kind == "and" or kind == "or":
            return self._transparent(op)
        if kind in ("lshr", "ashr"):
            return self._shift_right(op)
        if kind == "sext" and self.facts.ranges.of(op.args[0]).low >= 0:
            return build.make("zext", op.width, list(op.args))
        return None

    def _tight(self, arg: Op) -> Op:
        """Give a factor whose extension shows how few bits it has."""
        between = self.facts.ranges.of(arg)
        if between.low == between.high:
            return const(arg.width, between.low)
        if between.width >= significant(arg):
            return arg
        low = self.build.slice(arg, 0, between.width)
        return self.build.resize(low, arg.width, signed=between.low < 0)

    def _transparent(self, op: Op) -> Op | None:
        """Drop an and, or whose other operand leaves all demanded bits alone."""
        wanted = self.wanted.get(op, 0)
        for arg, other in ((op.args[0], op.args[1]), (op.args[1], op.args[0])):
            fixed, mine = self.known.of(other), self.known.of(arg)
            passes = fixed.ones | mine.zeros if op.kind == "and" else fixed.zeros | mine.ones
            if not wanted & ~passes:
                return arg
        return None

    def _split_low(self, op: Op, width: int) -> Op | None:
        """Give the lowest bits of a sum, added only above the zeros that an operand ends in."""
        first, second = op.args
        zeros = self.known.of(second).zeros
        low = ((zeros + 1) & ~zeros).bit_length() - 1
        if low == 0 and op.kind == "add":
            zeros = self.known.of(first).zeros
            low = ((zeros + 1) & ~zeros).bit_length() - 1
            first, second = second, first
        if not 0 < low < width:
            return None
        build = self.build
        count = width - low
        high = build.make(
            op.kind, count, [build.slice(first, low, count), build.slice(second, low, count)]
        )
        return build.concat(high, build.slice(first, 0, low))

    def _shift_right(self, op: Op) -> Op | None:
        value, amount = op.args
        between = self.facts.ranges.of(value)
        if op.kind == "ashr" and between.low < 0:
            if between.width >= op.width:
                return None
            narrow = self.build.slice(value, 0, between.width)
            shifted = self.build.make("ashr", between.width, [narrow, amount])
            return self.build.resize(shifted, op.width, signed=True)
        width = self.known.of(value).high(op.width).bit_length()
        if between.low >= 0:
            width = min(width, between.width)
        if 0 < width < op.width:
            narrow = self.build.slice(value, 0, width)
            return self.build.resize(self.build.make("lshr", width, [narrow, amount]), op.width)
        return self.build.make("lshr", op.width, [value, amount]) if op.kind == "ashr" else None

    def _compare(self, op: Op) -> Op | None:
        first, second = op.args
        width = first.width
        between = [self.facts.ranges.of(arg) for arg in op.args]
        kind = op.kind
        positive = all(one.low >= 0 for one in between)
        if kind in ("slt", "sle") and positive:
            kind = "ult" if kind == "slt" else "ule"
        if kind in ("slt", "sle") or positive:
            settled = _settled(kind, *between)
            if settled is not None:
                return const(1, settled)
        top = width
        if kind not in ("slt", "sle"):
            top = _common_top(self.known.of(first), self.known.of(second), width)
        # What is above a sign is as the sign, of either.
        top = min(top, max(1, *(one.width + (one.low >= 0 and not positive) for one in between)))
        if top < width:
            build = self.build
            return build.compare(kind, build.slice(first, 0, top), build.slice(second, 0, top))
        return self.build.compare(kind, first, second) if kind != op.kind else None

    def _divide(self, op: Op) -> Op | None:
        first, second = op.args
        half = first.width
        width = max(
            self.known.of(first).high(half).bit_length(),
            self.known.of(second).high(half).bit_length(),
            2,
        )
        if width >= half or self.known.of(second).low == 0:
            # By zero, the quotient is all ones of the full width: keep it unless excluded.
            return None
        build = self.build
        narrow = build.make(
            "divmod", 2 * width, [build.slice(first, 0, width), build.slice(second, 0, width)]
        )
        return build.concat(
            build.resize(build.slice(narrow, width, width), half),
            build.resize(build.slice(narrow, 0, width), half),
        )


def _settled(kind: OpKind, first: Range, second: Range) -> bool | None:
    """Give what a comparison of numbers in these ranges gives, if it is always the same."""
    apart = first.high < second.low or first.low > second.high
    if kind in ("eq", "ne"):
        return (kind == "ne") if apart else None
    if first.high < second.low or (kind[1:] == "le" and first.high == second.low):
        return True
    if first.low > second.high or (kind[1:] == "lt" and first.low == second.high):
        return False
    return None


def _common_top(first: Known, second: Known, width: int) -> int:
    """Give the bits below those that are known and equal on top of two values; at least 1."""
    same = first.zeros & second.zeros | first.ones & second.ones
    top = width
    while top > 1 and same >> (top - 1) & 1:
        top -= 1
    return top


def _narrow_params(module: Module, function: Function, facts: _Facts) -> None:
    """Drop the upper bits of arguments that are known or not looked at, and unused arguments."""
    calls = [op for f in module.functions.values() for op in f.ops() if op.kind == "call"]
    calls = [op for op in calls if op.attr is function]
    values: dict[Op, Op] = {}
    params: list[Op] = []
    head: list[Op] = []
    build = Builder(head)
    keep: list[_Kept] = []
    for param in function.params:
        kept = facts.kept(param)
        keep.append(kept)
        if kept.width == 0:
            values[param] = const(param.width, kept.above)
            continue
        new = param
        if kept.width < param.width:
            new = Op("param", kept.width, attr=0, name=param.name, where=param.where)
            values[param] = kept.padded(build, new, param.width)
        new.attr = len(params)
        params.append(new)
    if not values:
        return
    ir_graph.replace(function, values)
    entry = function.blocks[0]
    entry.ops = head + entry.ops
    function.params = params
    for caller in module.functions.values():
        for block in caller.blocks:
            made: list[Op] = []
            build.ops = made
            for op in block.ops:
                if op.kind == "call" and op.attr is function:
                    given, more = op.args[: len(keep)], op.args[len(keep) :]
                    op.args = [
                        kept.of(build, arg)
                        for arg, kept in zip(given, keep, strict=True)
                        if kept.width
                    ] + more
                made.append(op)
            block.ops = made


def _narrow_result(module: Module, function: Function, facts: _Facts) -> None:
    """Drop the upper bits of a result that no caller looks at or that are known."""
    if not function.width:
        return
    calls = [
        (caller, op)
        for caller in module.functions.values()
        for op in caller.ops()
        if op.kind == "call" and op.attr is function
    ]
    fixed = facts.known.results.get(function) or known_bits.UNKNOWN
    demanded = 0
    for _, op in calls:
        demanded |= facts.wanted.get(op, 0)
    width = (demanded & ~(fixed.zeros | fixed.ones)).bit_length()
    if width == function.width:
        return
    old = function.width
    function.width = width
    for block in function.blocks:
        if block.end == "ret" and block.arg is not None:
            build = Builder(block.ops)
            block.arg = build.slice(block.arg, 0, width) if width else None
    for caller in dict.fromkeys(caller for caller, _ in calls):
        values: dict[Op, Op] = {}
        for block in caller.blocks:
            made: list[Op] = []
            build = Builder(made)
            for op in block.ops:
                made.append(op)
                if op.kind == "call" and op.attr is function:
                    new = Op("call", width, op.args, attr=function, name=op.name, where=op.where)
                    made[-1] = new
                    top = const(old - width, fixed.ones >> width)
                    values[op] = build.concat(top, new) if width else top
            block.ops = made
        ir_graph.replace(caller, values)
