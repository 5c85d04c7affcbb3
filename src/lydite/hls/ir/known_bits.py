# SPDX-License-Identifier: Apache-2.0
"""Which bits of each value are known, and which are demanded: two analyses of a whole module.

Known bits flow forward (`forward`); counters of loops with constant bounds are run, so that their
bits are exact. Demanded bits flow backward from stores, branches and results. Both are used by
`passes.narrow`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir import induction
from lydite.hls.ir.fold import evaluate
from lydite.hls.ir.forward import Forward
from lydite.hls.ir.graph import Function, Memory, Op
from lydite.hls.ir.module import Module


@dataclass(frozen=True, slots=True)
class Known:
    """Bits that are surely 0 and surely 1."""

    zeros: int
    ones: int

    def high(self, width: int) -> int:
        """Give the largest value that fits."""
        return ((1 << width) - 1) & ~self.zeros

    @property
    def low(self) -> int:
        """The smallest value that fits."""
        return self.ones


UNKNOWN = Known(0, 0)


def of_number(width: int, value: int) -> Known:
    """Give what is known of a constant: all."""
    return Known(((1 << width) - 1) & ~value, value)


class KnownBits(Forward[Known]):
    """The forward analysis; `of` gives its result."""

    def __init__(self, module: Module) -> None:
        super().__init__(module)
        self.exact = induction.exact_bits(module)
        self.solve()

    def unknown(self, width: int) -> Known:
        """Give no bit."""
        return UNKNOWN

    def constant(self, width: int, number: int) -> Known:
        """Give all bits."""
        return of_number(width, number)

    def join(self, first: Known, second: Known) -> Known:
        """Give the bits that are known and equal of both."""
        return Known(first.zeros & second.zeros, first.ones & second.ones)

    def widened(self, op: Op, old: Known, new: Known) -> Known:
        """Give up all bits from the lowest that changed on."""
        changed = (old.zeros ^ new.zeros) | (old.ones ^ new.ones)
        keep = (changed & -changed) - 1
        return Known(new.zeros & keep, new.ones & keep)

    def initial(self, memory: Memory) -> Known:
        """Give the bits that all words share."""
        everything = 0
        always = (1 << memory.width) - 1
        for word in memory.init:
            everything |= word
            always &= word
        if len(memory.init) < 1 << memory.index_width:
            always = 0
        return Known(((1 << memory.width) - 1) & ~everything, always)

    def transfer(self, op: Op, args: list[Known]) -> Known:
        """Give what is known of a result, from what is known of the operands."""
        width = op.width
        mask = (1 << width) - 1
        for known, arg in zip(args, op.args, strict=True):
            if known.zeros | known.ones != (1 << arg.width) - 1:
                break
        else:
            numbers = [k.ones for k in args]
            widths = [a.width for a in op.args]
            return of_number(width, evaluate(op.kind, width, numbers, widths, op.attr))
        rule = _RULES.get(op.kind)
        result = rule(op, args, mask) if rule else UNKNOWN
        assert not result.zeros & result.ones, f"{op}: a bit is known to be both"
        return result

    def phi(self, op: Op, joined: Known) -> Known:
        """Add the bits of a counter, which are exact."""
        exact = self.exact.get(op)
        if exact is None:
            return joined
        return Known(joined.zeros | exact[0], joined.ones | exact[1])


def _sum(first: Known, second: Known, carry: int, mask: int) -> Known:
    most = (~first.zeros & mask) + (~second.zeros & mask) + carry
    least = first.ones + second.ones + carry
    carry_zero = ~(most ^ first.zeros ^ second.zeros)
    carry_one = least ^ first.ones ^ second.ones
    known = (first.zeros | first.ones) & (second.zeros | second.ones) & (carry_zero | carry_one)
    return Known(~most & known & mask, least & known & mask)


def _add(op: Op, args: list[Known], mask: int) -> Known:
    return _sum(args[0], args[1], 0, mask)


def _sub(op: Op, args: list[Known], mask: int) -> Known:
    second = args[1]
    return _sum(args[0], Known(second.ones, second.zeros), 1, mask)


def _mul(op: Op, args: list[Known], mask: int) -> Known:
    trailing = _trailing(args[0], op.width) + _trailing(args[1], op.width)
    low = (1 << min(trailing, op.width)) - 1
    top = (args[0].high(op.width) * args[1].high(op.width)).bit_length()
    high = mask & ~((1 << top) - 1) if top < op.width else 0
    return Known(low | high, 0)


def _trailing(known: Known, width: int) -> int:
    rest = ~known.zeros & ((1 << width) - 1)
    return (rest & -rest).bit_length() - 1 if rest else width


def _and(op: Op, args: list[Known], mask: int) -> Known:
    return Known(args[0].zeros | args[1].zeros, args[0].ones & args[1].ones)


def _or(op: Op, args: list[Known], mask: int) -> Known:
    return Known(args[0].zeros & args[1].zeros, args[0].ones | args[1].ones)


def _xor(op: Op, args: list[Known], mask: int) -> Known:
    first, second = args
    return Known(
        first.zeros & second.zeros | first.ones & second.ones,
        first.zeros & second.ones | first.ones & second.zeros,
    )


def _shl(op: Op, args: list[Known], mask: int) -> Known:
    trailing = _trailing(args[0], op.width) + args[1].low
    return Known((1 << min(trailing, op.width)) - 1, 0)


def _lshr(op: Op, args: list[Known], mask: int) -> Known:
    top = (args[0].high(op.width) >> min(args[1].low, op.width)).bit_length()
    return Known(mask & ~((1 << top) - 1), 0)


def _mux(op: Op, args: list[Known], mask: int) -> Known:
    if args[0].ones:
        return args[1]
    if args[0].zeros:
        return args[2]
    return Known(args[1].zeros & args[2].zeros, args[1].ones & args[2].ones)


def _slice(op: Op, args: list[Known], mask: int) -> Known:
    return Known(args[0].zeros >> op.attr & mask, args[0].ones >> op.attr & mask)


def _concat(op: Op, args: list[Known], mask: int) -> Known:
    zeros = ones = 0
    for known, arg in zip(args, op.args, strict=True):
        zeros = zeros << arg.width | known.zeros
        ones = ones << arg.width | known.ones
    return Known(zeros, ones)


def _zext(op: Op, args: list[Known], mask: int) -> Known:
    inner = (1 << op.args[0].width) - 1
    return Known(args[0].zeros | (mask & ~inner), args[0].ones)


def _sext(op: Op, args: list[Known], mask: int) -> Known:
    width = op.args[0].width
    above = mask & ~((1 << width) - 1)
    sign = 1 << (width - 1)
    return Known(
        args[0].zeros | (above if args[0].zeros & sign else 0),
        args[0].ones | (above if args[0].ones & sign else 0),
    )


def _compare(op: Op, args: list[Known], mask: int) -> Known:
    width = op.args[0].width
    first, second = args
    kind = op.kind
    if kind in ("eq", "ne"):
        differ = first.zeros & second.ones | first.ones & second.zeros
        if not differ:
            return UNKNOWN
        return of_number(1, int(kind == "ne"))
    if kind[0] == "s":
        sign = 1 << (width - 1)
        first, second = _flip(first, sign), _flip(second, sign)
    strict = kind[1:] == "lt"
    if first.high(width) < second.low or (not strict and first.high(width) <= second.low):
        return of_number(1, 1)
    if first.low > second.high(width) or (strict and first.low >= second.high(width)):
        return of_number(1, 0)
    return UNKNOWN


def _flip(known: Known, sign: int) -> Known:
    zeros = known.zeros & ~sign | (sign if known.ones & sign else 0)
    return Known(zeros, known.ones & ~sign | (sign if known.zeros & sign else 0))


def _divmod(op: Op, args: list[Known], mask: int) -> Known:
    half = op.args[0].width
    ones = (1 << half) - 1
    divisor = args[1]
    if divisor.low == 0:
        remainder = args[0].high(half)  # by zero: the dividend stays
        return Known((ones & ~((1 << remainder.bit_length()) - 1)) << half, 0)
    quotient = args[0].high(half) // divisor.low
    remainder = min(args[0].high(half), divisor.high(half) - 1)
    low = ones & ~((1 << quotient.bit_length()) - 1)
    high = ones & ~((1 << remainder.bit_length()) - 1)
    return Known(high << half | low, 0)


_RULES: dict[str, Callable[[Op, list[Known], int], Known]] = {
    "add": _add,
    "sub": _sub,
    "mul": _mul,
    "and": _and,
    "or": _or,
    "xor": _xor,
    "shl": _shl,
    "lshr": _lshr,
    "mux": _mux,
    "slice": _slice,
    "concat": _concat,
    "zext": _zext,
    "sext": _sext,
    "divmod": _divmod,
    **dict.fromkeys(("eq", "ne", "ult", "ule", "slt", "sle"), _compare),
}


def demanded(module: Module, known: KnownBits) -> dict[Op, int]:
    """Give, for each value, the bits that can make a difference."""
    result: dict[Op, int] = {}
    work: list[Op] = []
    results: dict[Function, int] = dict.fromkeys(module.functions.values(), 0)
    returned: dict[Function, list[Op]] = {f: [] for f in module.functions.values()}
    calls: dict[Op, list[tuple[Op, int]]] = {}

    def demand(op: Op, bits: int) -> None:
        if op.kind == "const":
            return
        old = result.get(op, 0)
        if bits & ~old:
            result[op] = old | bits
            work.append(op)

    results[module.top_function] = (1 << module.top_function.width) - 1
    for function in module.functions.values():
        for block in function.blocks:
            if block.end == "ret" and block.arg is not None:
                returned[function].append(block.arg)
                demand(block.arg, results[function])
            elif block.arg is not None:
                demand(block.arg, (1 << block.arg.width) - 1)
            for op in block.ops:
                if (
                    op.kind == "store"
                    or op.kind in ir_graph.STREAMING
                    or (op.kind == "call" and op.attr.macro)
                ):
                    for arg in op.args:
                        demand(arg, (1 << arg.width) - 1)
                elif op.kind == "call":
                    count = len(op.attr.params)
                    for index, arg in enumerate(op.args[:count]):
                        calls.setdefault(op.attr.params[index], []).append((arg, index))
                    for arg in op.args[count:]:
                        demand(arg, 1)
    while work:
        op = work.pop()
        bits = result[op]
        if op.kind == "param":
            for arg, _ in calls.get(op, ()):
                demand(arg, bits)
        elif op.kind == "call":
            callee = op.attr
            if bits & ~results[callee]:
                results[callee] |= bits
                for value in returned[callee]:
                    demand(value, results[callee])
        else:
            _demand_args(op, bits, known, demand)
    return result


def _below(bits: int) -> int:
    """Give all bits up to the highest of some."""
    return (1 << bits.bit_length()) - 1


def _demand_args(op: Op, bits: int, known: KnownBits, demand: Callable[[Op, int], None]) -> None:
    kind, args = op.kind, op.args
    if kind in ("add", "sub", "mul"):
        for arg in args:
            demand(arg, _below(bits))
    elif kind in ("and", "or"):
        # A bit that both settle is asked of both: the one may be gone because of the other.
        for arg, other in ((args[0], args[1]), (args[1], args[0])):
            mine, fixed = known.of(arg), known.of(other)
            settled = fixed.zeros & ~mine.zeros if kind == "and" else fixed.ones & ~mine.ones
            demand(arg, bits & ~settled)
    elif kind in ("xor", "phi"):
        for arg in args:
            demand(arg, bits)
    elif kind in ir_graph.SHIFTS:
        demand(args[1], (1 << args[1].width) - 1)
        full = (1 << op.width) - 1
        demand(args[0], _below(bits) if kind == "shl" else full & ~((bits & -bits) - 1))
    elif kind == "mux":
        demand(args[0], 1)
        demand(args[1], bits)
        demand(args[2], bits)
    elif kind == "slice":
        demand(args[0], bits << op.attr)
    elif kind == "concat":
        for arg in reversed(args):
            demand(arg, bits & ((1 << arg.width) - 1))
            bits >>= arg.width
    elif kind == "zext":
        demand(args[0], bits & ((1 << args[0].width) - 1))
    elif kind == "sext":
        width = args[0].width
        low = bits & ((1 << width) - 1)
        demand(args[0], low | (1 << (width - 1) if bits >> width else 0))
    else:
        for arg in args:
            demand(arg, (1 << arg.width) - 1)
