# SPDX-License-Identifier: Apache-2.0
"""Takes long chains of exclusive ors apart, bit by bit: CRCs, LFSRs, scramblers.

In `crc = crc >> 1 ^ (POLYNOMIAL & -(crc & 1))`, done 64 times, each bit of the result is a sum
modulo 2 of bits of what the chain begins with. Each of those bits becomes one masked constant, the
column of a matrix over GF(2), and the sum of all of them a tree instead of the chain. What comes
late then passes the tree alone (`balance` orders it), however long the chain in C is. Columns cost
area that the chain may not, so this is done where speed is asked for: in functions with a pipeline.
And where the values of a chain share their sums, as the bytes of a product with a matrix do, trees
of their own are several times as many: these chains stay if half a clock period holds them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field

from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.delay_model import DelayModel
from lydite.hls.ir.graph import Block, Function, Op, const
from lydite.hls.ir.module import Module
from lydite.hls.passes import as_written, pipelining
from lydite.hls.passes.context import Context

DOC = "turn long chains of exclusive ors around pipelined loops into trees, bit by bit"

# Bits of what one chain begins with, at most: each becomes an operation.
_MAX_COLUMNS = 192
# Bits of all linear values of a loop, at most.
_MAX_BITS = 60_000
# Times by which a chain must be longer than the tree.
_GAIN = 1.5
# Times by which trees may have more sums than the chains, where half a clock period holds these.
_MOST_COPIES = 2
_KINDS = frozenset(("xor", "and", "or", "mux", "eq", "ne"))
# A sum modulo 2: bit 0 is the constant, the others stand for bits of values.
_Bits = list[int]


def run(module: Module, context: Context) -> None:
    """Rewrite the long chains of every function with a loop that is to be pipelined."""
    for function in module.functions.values():
        if not pipelining.pipelined_blocks(function, module.pragmas):
            continue
        left = as_written.blocks(function, module)
        for block in function.blocks:
            if block not in left:
                period_ns = context.period_ns(function, module)
                _Forms(function, block, context.model).rewrite(period_ns)


@dataclass(slots=True)
class _Forms:
    """The values of a block as sums of bits.

    Attributes
    ----------
    bits : dict
        Of each linear value, from the lowest.
    chain_ns : dict
        Time from those bits to the value.
    atoms : list
        The values and their bits that sums are made of; the one numbered n is bit n + 1 of a sum.
    """

    function: Function
    block: Block
    model: DelayModel
    bits: dict[Op, _Bits] = field(default_factory=dict)
    chain_ns: dict[Op, float] = field(default_factory=dict)
    atoms: list[tuple[Op, int]] = field(default_factory=list)
    first_atom: dict[Op, int] = field(default_factory=dict)

    def rewrite(self, clock_ns: float) -> None:
        """Replace the values at the ends of long chains."""
        linear = [op for op in self.block.ops if op.kind in _KINDS or op.kind in ir_graph.WIRES]
        if sum(op.width for op in linear) > _MAX_BITS:
            return
        for op in linear:
            self._enter(op)
        long = [op for op in linear if op in self.bits and op.kind in _KINDS and self._is_long(op)]
        if not long:
            return
        read = self._read_otherwise()
        plans = {op: columns for op in long if op in read and (columns := self._columns(op))}
        if not plans or (
            2 * max(self.chain_ns[op] for op in plans) <= clock_ns
            and self._sums_of_trees(plans) > _MOST_COPIES * self._sums_of_chains(plans)
        ):
            return
        values: dict[Op, Op] = {}
        old, self.block.ops = self.block.ops, []
        build = Builder(self.block.ops)
        for op in old:
            self.block.ops.append(op)
            if op in plans:
                values[op] = self._sum(build, op, plans[op])
        ir_graph.replace(self.function, values)

    def _bits_of(self, op: Op) -> _Bits:
        """Give the bits of any value."""
        if op.kind == "const":
            return [op.attr >> bit & 1 for bit in range(op.width)]
        if op in self.bits:
            return self.bits[op]
        if op not in self.first_atom:
            self.first_atom[op] = len(self.atoms)
            self.atoms += [(op, bit) for bit in range(op.width)]
        first = self.first_atom[op] + 1
        return [1 << (first + bit) for bit in range(op.width)]

    def _enter(self, op: Op) -> None:
        bits = self._combined(op)
        if bits is not None:
            self.bits[op] = bits
            before = max([self.chain_ns.get(arg, 0.0) for arg in op.args], default=0.0)
            self.chain_ns[op] = before + self.model.delay_ns(op)

    def _combined(self, op: Op) -> _Bits | None:
        """Give a value as sums of bits; None if some bit of it is no such sum."""
        if op.kind == "slice":
            return self._bits_of(op.args[0])[op.attr : op.attr + op.width]
        if op.kind == "concat":
            return [bit for arg in reversed(op.args) for bit in self._bits_of(arg)]
        if op.kind in ("zext", "sext"):
            bits = self._bits_of(op.args[0])
            top = bits[-1] if op.kind == "sext" else 0
            return bits + [top] * (op.width - len(bits))
        args = [self._bits_of(arg) for arg in op.args]
        if op.kind == "mux":
            condition = args[0][0]
            return _joined([_chosen(condition, a, b) for a, b in zip(*args[1:], strict=True)])
        if op.kind in ("eq", "ne"):
            return _joined([_equal(*args, inverted=op.kind == "ne")])
        rule = {"xor": _xor, "and": _and, "or": _or}[op.kind]
        return _joined([rule(a, b) for a, b in zip(*args, strict=True)])

    def _read_otherwise(self) -> set[Op]:
        """Give the values that something reads which is no part of a chain."""
        found: set[Op] = set()
        for block in self.function.blocks:
            for op in block.ops:
                if block is not self.block or op not in self.bits:
                    found.update(op.args)
            if block.arg is not None:
                found.add(block.arg)
        # What is wired to a value is read with it.
        for op in reversed(self.block.ops):
            if op in found and op in self.bits and op.kind in ir_graph.WIRES:
                found.update(op.args)
        return found

    def _is_long(self, op: Op) -> bool:
        return self.chain_ns[op] >= 4 * self.model.at("logic", op.width)

    def _columns(self, op: Op) -> list[int]:
        """Give the atoms that a value is a sum of; none if a tree of them is not much faster."""
        bits = self.bits[op]
        most = max((bit >> 1).bit_count() for bit in bits)
        levels = math.ceil(math.log2(most)) if most > 1 else 0
        tree_ns = self.model.lut_ns * 0.5 + levels * self.model.at("logic", op.width)
        union = 0
        for bit in bits:
            union |= bit >> 1
        if self.chain_ns[op] < _GAIN * tree_ns or union.bit_count() > _MAX_COLUMNS:
            return []
        return [number for number in range(union.bit_length()) if union >> number & 1]

    def _sums_of_trees(self, ends: Iterable[Op]) -> int:
        """Count the sums of two bits in the trees of values."""
        counts = ((bit >> 1).bit_count() for op in ends for bit in self.bits[op])
        return sum(max(count - 1, 0) for count in counts)

    def _sums_of_chains(self, ends: Iterable[Op]) -> int:
        """Count the bits in the chains to values that are no bit of what they are made of."""
        seen: set[Op] = set()
        left = list(ends)
        while left:
            op = left.pop()
            if op in self.bits and op not in seen:
                seen.add(op)
                left += op.args
        return sum(
            bit >> 1 not in known
            for op in seen
            for known in [{0, *(bit >> 1 for arg in op.args for bit in self._bits_of(arg))}]
            for bit in self.bits[op]
        )

    def _sum(self, build: Builder, op: Op, columns: list[int]) -> Op:
        """Build a value as the sum of its columns."""
        bits, width = self.bits[op], op.width
        build.where, build.name = op.where, ""
        terms: list[Op] = []
        for number in columns:
            column = sum((bit >> number + 1 & 1) << at for at, bit in enumerate(bits))
            value, place = self.atoms[number]
            spread = build.resize(build.slice(value, place, 1), width, signed=True)
            terms.append(build.binary("and", spread, const(width, column)))
        while len(terms) > 1:
            pairs = [
                build.binary("xor", a, b) for a, b in zip(terms[::2], terms[1::2], strict=False)
            ]
            terms = pairs + terms[2 * len(pairs) :]
        build.name = op.name
        constant = sum((bit & 1) << at for at, bit in enumerate(bits))
        return build.binary("xor", terms[0], const(width, constant))


def _joined(bits: list[int | None]) -> _Bits | None:
    known = [bit for bit in bits if bit is not None]
    return known if len(known) == len(bits) else None


def _xor(first: int, second: int) -> int | None:
    return first ^ second


def _and(first: int, second: int) -> int | None:
    if first <= 1:
        return second if first else 0
    if second <= 1:
        return first if second else 0
    return first if first == second else None


def _or(first: int, second: int) -> int | None:
    both = _and(first ^ 1, second ^ 1)
    return None if both is None else both ^ 1


def _equal(first: _Bits, second: _Bits, *, inverted: bool) -> int | None:
    """Give the truth of an equality that hangs on one bit alone."""
    differences = [a ^ b for a, b in zip(first, second, strict=True) if a != b]
    if 1 in differences:
        return int(inverted)
    if len(differences) > 1:
        return None
    return (differences[0] if differences else 0) ^ (not inverted)


def _chosen(condition: int, first: int, second: int) -> int | None:
    """Give `condition ? first : second`, where the two differ by a constant."""
    if condition <= 1:
        return first if condition else second
    difference = first ^ second
    if difference > 1:
        return None
    return second ^ condition if difference else second
