# SPDX-License-Identifier: Apache-2.0
"""Narrows values to the bits that are not known and make a difference.

A result whose upper bits are known or never looked at is computed narrower, and the known bits are
put back as constants; phis, arguments and results of functions shrink alike. Comparisons and
divisions of values with known zeros on top are done without those, signed ones become unsigned.
"""

from __future__ import annotations

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import known_bits
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.known_bits import Known, KnownBits
from lydite.hls.ir.module import Module
from lydite.hls.passes import narrow_streams
from lydite.hls.passes.context import Context

DOC = "narrow values to their unknown and demanded bits, across phis, memories and calls"

_SHRINKING = frozenset(("add", "sub", "mul", "and", "or", "xor", "shl", "mux"))


def run(module: Module, _: Context) -> None:
    """Narrow every function of a module."""
    narrow_streams.narrow(module)
    known = KnownBits(module)
    wanted = known_bits.demanded(module, known)
    for function in module.functions.values():
        _Narrower(function, known, wanted).run()
    for function in module.functions.values():
        if function is not module.top_function and not function.macro:
            _narrow_params(module, function, wanted, known)
            _narrow_result(module, function, wanted, known)


def _effective(op: Op, known: KnownBits, wanted: dict[Op, int]) -> int:
    """Give the bits of a value that must be computed: demanded and not known."""
    fixed = known.of(op)
    return wanted.get(op, 0) & ~(fixed.zeros | fixed.ones)


class _Narrower:
    """Rewrites the operations of one function."""

    def __init__(self, function: Function, known: KnownBits, wanted: dict[Op, int]) -> None:
        self.function = function
        self.known = known
        self.wanted = wanted
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
        if _effective(op, self.known, self.wanted):
            return None
        return const(op.width, self.known.of(op).ones)

    def _padded(self, op: Op, narrow: Op) -> Op:
        """Put the known upper bits back onto a narrowed value."""
        count = op.width - narrow.width
        return self.build.concat(const(count, self.known.of(op).ones >> narrow.width), narrow)

    def _phi(self, op: Op, head: list[Op], phis: list[tuple[Op, Op]]) -> Op | None:
        width = _effective(op, self.known, self.wanted).bit_length()
        if width == op.width:
            return None
        new = Op("phi", width, [], attr=list(op.attr), name=op.name, where=op.where)
        head.append(new)
        phis.append((op, new))
        return self._padded(op, new)

    def _narrow(self, op: Op) -> Op | None:
        kind = op.kind
        build = self.build
        if kind in ir_graph.COMPARES:
            return self._compare(op)
        if kind == "divmod":
            return self._divide(op)
        if kind in _SHRINKING:
            width = _effective(op, self.known, self.wanted).bit_length()
            if width < op.width:
                args = [
                    arg
                    if (kind == "shl" and index == 1)
                    or (arg.width == 1 and kind == "mux" and index == 0)
                    else build.slice(arg, 0, width)
                    for index, arg in enumerate(op.args)
                ]
                return self._padded(op, build.make(kind, width, args))
            if kind in ("add", "sub"):
                return self._split_low(op)
        if kind == "and" or kind == "or":
            return self._transparent(op)
        if kind in ("lshr", "ashr"):
            return self._shift_right(op)
        if kind == "sext" and self.known.of(op.args[0]).zeros >> (op.args[0].width - 1):
            return build.make("zext", op.width, list(op.args))
        return None

    def _transparent(self, op: Op) -> Op | None:
        """Drop an and, or whose other operand leaves all demanded bits alone."""
        wanted = self.wanted.get(op, 0)
        for arg, other in ((op.args[0], op.args[1]), (op.args[1], op.args[0])):
            fixed, mine = self.known.of(other), self.known.of(arg)
            passes = fixed.ones | mine.zeros if op.kind == "and" else fixed.zeros | mine.ones
            if not wanted & ~passes:
                return arg
        return None

    def _split_low(self, op: Op) -> Op | None:
        """Add only above the zeros that an operand ends in."""
        first, second = op.args
        zeros = self.known.of(second).zeros
        low = ((zeros + 1) & ~zeros).bit_length() - 1
        if low == 0 and op.kind == "add":
            zeros = self.known.of(first).zeros
            low = ((zeros + 1) & ~zeros).bit_length() - 1
            first, second = second, first
        if not 0 < low < op.width:
            return None
        build = self.build
        count = op.width - low
        high = build.make(
            op.kind, count, [build.slice(first, low, count), build.slice(second, low, count)]
        )
        return build.concat(high, build.slice(first, 0, low))

    def _shift_right(self, op: Op) -> Op | None:
        known = self.known.of(op.args[0])
        if op.kind == "ashr":
            if known.zeros >> (op.width - 1):
                return self.build.make("lshr", op.width, list(op.args))
            return None
        width = known.high(op.width).bit_length()
        if width < op.width and width > 0:
            narrow = self.build.slice(op.args[0], 0, width)
            return self.build.resize(self.build.make("lshr", width, [narrow, op.args[1]]), op.width)
        return None

    def _compare(self, op: Op) -> Op | None:
        first, second = op.args
        width = first.width
        a, b = self.known.of(first), self.known.of(second)
        kind = op.kind
        if kind in ("slt", "sle") and (a.zeros & b.zeros) >> (width - 1):
            kind = "ult" if kind == "slt" else "ule"
        if kind not in ("slt", "sle"):
            top = _common_top(a, b, width)
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


def _common_top(first: Known, second: Known, width: int) -> int:
    """Give the bits below those that are known and equal on top of two values; at least 1."""
    same = first.zeros & second.zeros | first.ones & second.ones
    top = width
    while top > 1 and same >> (top - 1) & 1:
        top -= 1
    return top


def _narrow_params(
    module: Module, function: Function, wanted: dict[Op, int], known: KnownBits
) -> None:
    """Drop the upper bits of arguments that are known or not looked at, and unused arguments."""
    calls = [op for f in module.functions.values() for op in f.ops() if op.kind == "call"]
    calls = [op for op in calls if op.attr is function]
    values: dict[Op, Op] = {}
    params: list[Op] = []
    head: list[Op] = []
    build = Builder(head)
    keep: list[int] = []
    for param in function.params:
        width = _effective(param, known, wanted).bit_length()
        fixed = known.of(param).ones
        if width == 0:
            values[param] = const(param.width, fixed)
            keep.append(0)
            continue
        keep.append(width)
        new = param
        if width < param.width:
            new = Op("param", width, attr=0, name=param.name, where=param.where)
            values[param] = build.concat(const(param.width - width, fixed >> width), new)
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
                        build.slice(arg, 0, width)
                        for arg, width in zip(given, keep, strict=True)
                        if width
                    ] + more
                made.append(op)
            block.ops = made


def _narrow_result(
    module: Module, function: Function, wanted: dict[Op, int], known: KnownBits
) -> None:
    """Drop the upper bits of a result that no caller looks at or that are known."""
    if not function.width:
        return
    calls = [
        (caller, op)
        for caller in module.functions.values()
        for op in caller.ops()
        if op.kind == "call" and op.attr is function
    ]
    fixed = known.results.get(function) or known_bits.UNKNOWN
    demanded = 0
    for _, op in calls:
        demanded |= wanted.get(op, 0)
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
