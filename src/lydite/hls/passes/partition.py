# SPDX-License-Identifier: Apache-2.0
"""Cuts memories into banks and wider words, as `array_partition` and `array_reshape` ask.

An index is taken apart into its digits (`banking`): by wiring where a digit's size is a power of
two, by the terms of the index's sum where their ranges prove it (`5 * i + j` with j below 5), else
by a division by a constant. An access goes to the bank that the digits say if they are constants;
else a load takes from all banks and chooses, a store is masked in all but one. This holds for any
index, so that it does not matter how the program came by it. What cannot be cut is refused with the
reason: a memory in which several objects lie, because one pointer may mean each of them, unless
all are told the same about rows that are as long.
"""

from __future__ import annotations

from dataclasses import replace
from math import prod

from lydite.hls.contract.banking import Digit, Role, Split, simplified, taken_apart
from lydite.hls.contract.diagnostics import Diagnostic, Diagnostics
from lydite.hls.contract.directives import ArrayPartition, ArrayReshape, of
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.builder import Builder
from lydite.hls.ir.graph import Function, Memory, Op, const
from lydite.hls.ir.known_bits import KnownBits
from lydite.hls.ir.module import Module
from lydite.hls.ir.signed_ranges import SignedRanges
from lydite.hls.passes.context import Context

DOC = "cut memories into banks and wider words, as directives ask"

MAX_BANKS = 1024
MAX_BITS = 4096


def run(module: Module, context: Context) -> None:
    """Cut every memory that has such directives."""
    cuts: dict[Memory, tuple[Split, list[Memory]]] = {}
    for memory in module.memories.values():
        split = _plan(memory, module, context.log)
        if split is not None:
            cuts[memory] = (split, [])
    if not cuts:
        return
    ranges = SignedRanges(module, KnownBits(module))
    memories: dict[str, Memory] = {}
    taken = {*module.memories, *module.functions, *(p.name for p in module.top_function.params)}
    for memory in module.memories.values():
        if memory not in cuts:
            memories[memory.name] = memory
            continue
        split, banks = cuts[memory]
        banks += _banks(memory, split, taken)
        memories |= {bank.name: bank for bank in banks}
        module.splits[memory.name] = replace(split, banks=tuple(bank.name for bank in banks))
    module.memories = memories
    for function in module.functions.values():
        _Rewriter(function, cuts, ranges).run()


# What to do.


def _plan(memory: Memory, module: Module, log: Diagnostics) -> Split | None:
    """Give how a memory is cut; None if no directive asks, or none can be obeyed."""
    asked: list[ArrayPartition | ArrayReshape] = [
        *of(memory.pragmas, module.pragmas, ArrayPartition),
        *of(memory.pragmas, module.pragmas, ArrayReshape),
    ]
    asked = [item for item in asked if not item.off]
    if not asked:
        return None
    if not memory.shape and memory.depth == 1 and not memory.port:
        return None  # an element that LLVM took out: a register, more than was asked for
    refused = _refusal(memory)
    if refused:
        log.add(*(_refuse(item, refused) for item in asked))
        return None
    rank = len(memory.shape)
    chosen: dict[int, ArrayPartition | ArrayReshape] = {}
    if len(memory.objects) > 1:
        chosen[rank - 1] = asked[0]  # all of them say the same of their rows
    for item in asked if not chosen else ():
        if item.dim > rank:
            log.add(_refuse(item, f"it has {rank} dimension{'s' * (rank > 1)}"))
        elif item.type != "complete" and not item.factor:
            log.add(_refuse(item, f"{item.type} needs factor="))
        else:
            for dim in range(rank) if item.dim == 0 else (item.dim - 1,):
                if chosen.setdefault(dim, item) is not item:
                    log.add(_refuse(item, f"dimension {dim + 1} is cut already"))
    digits: list[Digit] = []
    for dim, size in enumerate(memory.shape):
        digits += _digits(size, chosen[dim]) if dim in chosen else [Digit(size)]
    digits.append(Digit(memory.depth // prod(memory.shape)))
    split = Split(memory.name, memory.width, memory.depth, simplified(digits))
    if _is_table(memory, split):
        memory.storage = "lutrom"  # logic answers any number of loads at once
        return None
    banks, bits = split.count("bank"), memory.width * split.count("lane")
    last = asked[-1]
    if banks > MAX_BANKS:
        log.add(_refuse(last, f"{banks} banks are more than {MAX_BANKS}"))
    elif bits > MAX_BITS:
        log.add(_refuse(last, f"words of {bits} bits are wider than {MAX_BITS}"))
    elif banks > 1 or bits > memory.width:
        return split
    return None


def _refuse(item: ArrayPartition | ArrayReshape, reason: str) -> Diagnostic:
    return Diagnostic(item.where, f"{item.kind} of {item.variable} is not done: {reason}")


def _refusal(memory: Memory) -> str:
    """Say why a memory cannot be cut at all, or nothing."""
    if len(memory.objects) > 1 and not memory.shape:
        names = ", ".join(name for name, _ in memory.objects)
        return f"one access may mean any of {names}, so they share a memory"
    if not memory.shape:
        return "its memory is a structure, or a part of an array"
    if memory.depth % prod(memory.shape):
        return "accesses take several of its elements in a word"
    return ""


def _digits(size: int, item: ArrayPartition | ArrayReshape) -> list[Digit]:
    """Give the digits of a dimension that a directive cuts."""
    role: Role = "bank" if isinstance(item, ArrayPartition) else "lane"
    factor = size if item.type == "complete" else min(item.factor, size)
    rest = -(-size // factor)
    if item.type == "block":
        pair = (Digit(-(-size // rest), role), Digit(rest))
    else:
        pair = (Digit(rest), Digit(factor, role))
    parts = tuple(digit for digit in pair if digit.size > 1)
    if not parts or prod(digit.size for digit in parts) == size:
        return list(parts)
    return [Digit(size, "keep", parts)]


def _is_table(memory: Memory, split: Split) -> bool:
    """Whether each word of a constant memory would be a bank of its own."""
    return memory.constant and not memory.port and split.count("bank") == memory.depth


def _banks(memory: Memory, split: Split, taken: set[str]) -> list[Memory]:
    """Make the memories that one becomes, with their contents."""
    places = split.words()
    lanes = split.count("lane")
    result: list[Memory] = []
    for number, words in enumerate(places):
        name = memory.name if len(places) == 1 else f"{memory.name}_{number}"
        while len(places) > 1 and name in taken:
            name += "_"
        taken.add(name)
        init = [
            sum(
                (memory.init[index] if 0 <= index < len(memory.init) else 0) << lane * memory.width
                for lane, index in enumerate(word)
            )
            for word in words
        ]
        while init and init[-1] == 0:
            init.pop()
        bank = replace(
            memory,
            name=name,
            width=memory.width * lanes,
            depth=len(words),
            lanes=memory.lanes * lanes,
            init=tuple(init),
            shape=(),
            part=True,
        )
        result.append(bank)
    return result


# How accesses change.


class _Rewriter:
    """Rewrites the accesses of one function to memories that are cut."""

    def __init__(
        self,
        function: Function,
        cuts: dict[Memory, tuple[Split, list[Memory]]],
        ranges: SignedRanges,
    ) -> None:
        self.function = function
        self.cuts = cuts
        self.ranges = ranges
        self.build = Builder([])
        self.values: dict[Op, Op] = {}

    def run(self) -> None:
        for block in self.function.blocks:
            if not any(op.kind in ("load", "store") and op.attr in self.cuts for op in block.ops):
                continue
            old, block.ops = block.ops, []
            self.build.ops = block.ops
            for op in old:
                if op.kind not in ("load", "store") or op.attr not in self.cuts:
                    block.ops.append(op)
                    continue
                self.build.where, self.build.name = op.where, op.name
                split, banks = self.cuts[op.attr]
                leaves = list(taken_apart(op.args[0], split.digits, self.divide))
                where = [self.joined(leaves, role) for role in ("bank", "keep", "lane")]
                if op.kind == "load":
                    self.values[op] = self.load(op, banks, *where)
                else:
                    self.store(op, banks, *where)
        ir_graph.replace(self.function, self.values)

    def joined(self, leaves: list[tuple[Digit, Op]], role: str) -> Op:
        """Put the digits of a role together to one number; a constant 0 of one bit for none."""
        build = self.build
        result, count = const(1, 0), 1
        for digit, value in leaves:
            if digit.role != role:
                continue
            bits = max(1, (digit.size - 1).bit_length())
            if count == 1:
                result = build.resize(value, bits)
            elif digit.size & (digit.size - 1) == 0:
                result = build.concat(result, build.resize(value, bits))
            else:
                width = (count * digit.size - 1).bit_length()
                scaled = build.binary("mul", build.resize(result, width), const(width, digit.size))
                result = build.binary("add", scaled, build.resize(value, width))
            count *= digit.size
        return result

    def divide(self, value: Op, size: int) -> tuple[Op, Op]:
        """Give quotient and remainder of a value by a constant."""
        build, width = self.build, value.width
        bits = max(1, (size - 1).bit_length())
        if size & (size - 1) == 0:
            low = build.resize(value, bits) if size > 1 else const(1, 0)
            shift = size.bit_length() - 1
            high = build.slice(value, shift, width - shift) if shift < width else const(1, 0)
            return high, low
        if self.ranges.most(value) < size:
            return const(1, 0), build.resize(value, bits)
        found = self._by_terms(value, size)
        if found is not None:
            return found
        both = build.make("divmod", 2 * width, [value, const(width, size)])
        return build.slice(both, 0, width), build.resize(build.slice(both, width, width), bits)

    def _by_terms(self, value: Op, size: int) -> tuple[Op, Op] | None:
        """Divide a sum whose terms are multiples, or surely too small to count."""
        terms, total = _terms(value, self.ranges)
        width = value.width
        rest = [(op, scale) for op, scale in terms if scale % size]
        small = total % size + sum(scale * self.ranges.most(op) for op, scale in rest)
        if small >= size:
            return None
        multiples = [(op, scale // size) for op, scale in terms if scale % size == 0]
        bits = max(1, (size - 1).bit_length())
        return self._sum(multiples, total // size, width), self._sum(rest, total % size, bits)

    def _sum(self, terms: list[tuple[Op, int]], total: int, width: int) -> Op:
        build = self.build
        result = const(width, total)
        for op, scale in terms:
            scaled = build.binary("mul", build.resize(op, width), const(width, scale))
            result = build.binary("add", result, scaled)
        return result

    def load(self, op: Op, banks: list[Memory], bank: Op, index: Op, lane: Op) -> Op:
        """Load from the bank that is meant, or from all, and choose."""
        if bank.kind == "const":
            words = [self.word(op, banks[min(bank.attr, len(banks) - 1)], index)]
        else:
            words = [self.word(op, each, index) for each in banks]
        word = self.pick(words, bank)
        if word.width == op.width:
            return word
        lanes = [self.build.slice(word, low, op.width) for low in range(0, word.width, op.width)]
        return self.pick(lanes, lane)

    def word(self, op: Op, bank: Memory, index: Op) -> Op:
        if bank.constant and not bank.port and (index.kind == "const" or bank.depth == 1):
            at = int(index.attr) if bank.depth > 1 else 0
            return const(bank.width, bank.init[at] if at < len(bank.init) else 0)
        made = Op("load", bank.width, [self.place(bank, index)], attr=bank, where=op.where)
        made.name = op.name
        self.build.ops.append(made)
        return made

    def place(self, bank: Memory, index: Op) -> Op:
        return const(1, 0) if bank.depth == 1 else self.build.resize(index, bank.index_width)

    def pick(self, options: list[Op], which: Op) -> Op:
        """Choose by the bits of a number, the upper one first."""
        if len(options) == 1:
            return options[0]
        if which.kind == "const":
            return options[min(int(which.attr), len(options) - 1)]
        bit = (len(options) - 1).bit_length() - 1
        low, high = options[: 1 << bit], options[1 << bit :]
        if bit >= which.width:
            return self.pick(low, which)
        chosen = self.build.slice(which, bit, 1)
        return self.build.mux(chosen, self.pick(high, which), self.pick(low, which))

    def store(self, op: Op, banks: list[Memory], bank: Op, index: Op, lane: Op) -> None:
        """Store to all banks that may be meant, masked in all but the one that is."""
        build = self.build
        _, word, mask = op.args
        for number, each in enumerate(banks):
            chosen = self.same(bank, number)
            here = build.binary("and", mask, build.resize(chosen, mask.width, signed=True))
            lanes = each.width // word.width
            if lanes > 1:
                parts = [
                    build.binary(
                        "and",
                        here,
                        build.resize(self.same(lane, at), mask.width, signed=True),
                    )
                    for at in range(lanes)
                ]
                here = build.concat(*reversed(parts))
            if here.kind == "const" and here.attr == 0:
                continue
            data = build.concat(*[word] * lanes)
            args = [self.place(each, index), data, here]
            build.ops.append(Op("store", 0, args, attr=each, where=op.where))

    def same(self, value: Op, number: int) -> Op:
        """Give whether a number is the one that is meant."""
        if number >> value.width:
            return const(1, 0)
        return self.build.compare("eq", value, const(value.width, number))


def _terms(value: Op, ranges: SignedRanges, depth: int = 8) -> tuple[list[tuple[Op, int]], int]:
    """Give a value as a sum: values with factors, and a constant. What may wrap is one value."""
    if value.kind == "const":
        return [], int(value.attr)
    kind, args = value.kind, value.args
    if not depth:
        return [(value, 1)], 0
    if kind == "add" and not (ranges.most(args[0]) + ranges.most(args[1])) >> value.width:
        first, one = _terms(args[0], ranges, depth - 1)
        second, two = _terms(args[1], ranges, depth - 1)
        return first + second, one + two
    if kind == "mul" and args[1].kind == "const":
        scale = args[1].attr
        if not ranges.most(args[0]) * scale >> value.width:
            inner, total = _terms(args[0], ranges, depth - 1)
            return [(op, each * scale) for op, each in inner], total * scale
    if kind == "zext":
        return _terms(args[0], ranges, depth - 1)
    if kind == "concat":
        terms: list[tuple[Op, int]] = []
        total, low = 0, value.width
        for arg in args:
            low -= arg.width
            inner, more = _terms(arg, ranges, depth - 1)
            terms += [(op, scale << low) for op, scale in inner]
            total += more << low
        return terms, total
    return [(value, 1)], 0
