# SPDX-License-Identifier: Apache-2.0
"""Which objects each pointer may point to: inclusion-based (Andersen), flow- and field-insensitive.

Every value takes part, not only pointers, since C lets an address pass through integers and bytes;
only a difference of two addresses, a comparison and a condition are taken as plain numbers. So an
access whose set is empty has no defined meaning in C.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lydite.hls.contract.names import words
from lydite.hls.frontend import stream_calls
from lydite.hls.frontend.llvm_ast import (
    Address,
    Function,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    references,
)

_TRANSPARENT = words(
    """add mul udiv sdiv urem srem shl lshr ashr and or xor trunc zext sext ptrtoint inttoptr
    bitcast ptrtoaddr freeze insertvalue extractvalue phi getelementptr"""
)


@dataclass(slots=True)
class PointsTo:
    """The solution.

    Attributes
    ----------
    objects : list of str
        Names: of globals and functions as they are, `function/local` for a local array, and
        `function(parameter)` for an argument array of the top function.
    """

    objects: list[str] = field(default_factory=list)
    _number: dict[str, int] = field(default_factory=dict)
    _node: dict[tuple[str, str], int] = field(default_factory=dict)
    _sets: list[int] = field(default_factory=list)

    def of(self, function: str, operand: Operand) -> list[str]:
        """Give the objects that an operand may point to, in order of their discovery."""
        if isinstance(operand, Local):
            bits = self._sets[self._node[function, operand.name]]
            return [self.objects[index] for index in _bits(bits)]
        return [name for name in references(operand) if name in self._number]


def _bits(value: int) -> Iterator[int]:
    while value:
        low = value & -value
        yield low.bit_length() - 1
        value ^= low


class _Solver:
    """Collects constraints, then propagates sets until nothing changes."""

    def __init__(self, module: Module, symbol: str) -> None:
        self.module = module
        self.result = PointsTo()
        self.sets = self.result._sets
        self.edges: list[set[int]] = []
        self.loads: dict[int, list[int]] = {}
        self.stores: dict[int, list[int]] = {}
        self.calls: dict[int, list[tuple[str, Instruction]]] = {}
        self.contents: dict[int, int] = {}
        self.returns: dict[str, int] = {}
        self.differences: list[tuple[int, int, int]] = []
        self.work: list[int] = []
        for name in [*module.globals, *module.functions]:
            self.object(name)
        for name, variable in module.globals.items():
            for target in references(variable.init):
                if target in self.result._number:
                    self.add(self.content(self.object(name)), self.object(target))
        for param in module.functions[symbol].params:
            if param.type == "ptr":
                made = self.object(f"{symbol}({param.name})")
                self.add(self.node(symbol, param.name), made)
        for function in module.functions.values():
            for block in function.blocks:
                for instruction in block.code:
                    self.constrain(function, instruction)

    def object(self, name: str) -> int:
        numbers = self.result._number
        if name not in numbers:
            numbers[name] = len(self.result.objects)
            self.result.objects.append(name)
        return numbers[name]

    def fresh(self) -> int:
        self.sets.append(0)
        self.edges.append(set())
        return len(self.sets) - 1

    def node(self, function: str, name: str) -> int:
        key = (function, name)
        nodes = self.result._node
        if key not in nodes:
            nodes[key] = self.fresh()
        return nodes[key]

    def content(self, number: int) -> int:
        if number not in self.contents:
            self.contents[number] = self.fresh()
        return self.contents[number]

    def returned(self, name: str) -> int:
        if name not in self.returns:
            self.returns[name] = self.fresh()
        return self.returns[name]

    def add(self, node: int, number: int) -> None:
        bit = 1 << number
        if not self.sets[node] & bit:
            self.sets[node] |= bit
            self.work.append(node)

    def edge(self, source: int, target: int) -> None:
        if target not in self.edges[source]:
            self.edges[source].add(target)
            if self.sets[source] & ~self.sets[target]:
                self.sets[target] |= self.sets[source]
                self.work.append(target)

    def flow(self, function: str, operand: Operand, target: int) -> None:
        """Let what an operand points to flow into a node."""
        if isinstance(operand, Local):
            self.edge(self.node(function, operand.name), target)
            return
        for name in references(operand):
            if name in self.result._number:
                self.add(target, self.object(name))

    def pointer(self, function: str, operand: Operand) -> int:
        if isinstance(operand, Local):
            return self.node(function, operand.name)
        made = self.fresh()
        self.flow(function, operand, made)
        return made

    def constrain(self, function: Function, instruction: Instruction) -> None:
        op, name = instruction.op, function.name
        args = [operand for _, operand in instruction.args]
        result = self.node(name, instruction.result) if instruction.result else -1
        if op in _TRANSPARENT:
            for operand in args:
                self.flow(name, operand, result)
        elif op == "select":
            self.flow(name, args[1], result)
            self.flow(name, args[2], result)
        elif op == "sub":
            # A difference of two addresses is a number; `0 - p` still carries p.
            self.flow(name, args[0], result)
            if isinstance(args[0], Number):
                self.flow(name, args[1], result)
            elif isinstance(args[1], Local):
                first = self.pointer(name, args[0])
                self.differences.append((first, self.pointer(name, args[1]), result))
        elif op == "alloca":
            self.add(result, self.object(f"{name}/{instruction.result}"))
        elif op == "load":
            self.loads.setdefault(self.watched(name, args[0]), []).append(result)
        elif op == "store":
            value = self.pointer(name, args[0])
            self.stores.setdefault(self.watched(name, args[1]), []).append(value)
        elif op == "ret" and args:
            self.flow(name, args[0], self.returned(name))
        elif op == "call":
            self.call(name, instruction)

    def watched(self, function: str, operand: Operand) -> int:
        node = self.pointer(function, operand)
        if self.sets[node]:
            self.work.append(node)
        return node

    def call(self, function: str, instruction: Instruction) -> None:
        callee = instruction.callee
        if isinstance(callee, Address):
            target_function = self.module.functions.get(callee.name)
            if target_function is not None and target_function.blocks:
                self.bind(function, instruction, callee.name)
            elif instruction.result and not callee.name.startswith(stream_calls.STEM):
                # Intrinsics compute; what comes out of a stream is no address.
                target = self.node(function, instruction.result)
                for _, operand in instruction.args:
                    self.flow(function, operand, target)
        else:
            assert callee is not None
            node = self.watched(function, callee)
            self.calls.setdefault(node, []).append((function, instruction))

    def bind(self, function: str, instruction: Instruction, callee: str) -> None:
        target = self.module.functions[callee]
        for param, (_, operand) in zip(target.params, instruction.args, strict=False):
            self.flow(function, operand, self.node(callee, param.name))
        if instruction.result:
            self.edge(self.returned(callee), self.node(function, instruction.result))

    def solve(self) -> PointsTo:
        while True:
            self.propagate()
            # An integer minus an address, which C does not define, may still be an address.
            again = [
                (second, result)
                for first, second, result in self.differences
                if not self.sets[first] and self.sets[second] & ~self.sets[result]
            ]
            if not again:
                return self.result
            for second, result in again:
                self.edge(second, result)

    def propagate(self) -> None:
        seen: dict[int, int] = {}
        while self.work:
            node = self.work.pop()
            current = self.sets[node]
            fresh = current & ~seen.get(node, 0)
            seen[node] = current
            for number in _bits(fresh) if node in self.loads or node in self.stores else ():
                content = self.content(number)
                for target in self.loads.get(node, ()):
                    self.edge(content, target)
                for source in self.stores.get(node, ()):
                    self.edge(source, content)
            for function, instruction in self.calls.get(node, ()):
                for number in _bits(fresh):
                    name = self.result.objects[number]
                    if name in self.module.functions:
                        self.bind(function, instruction, name)
            for target in tuple(self.edges[node]):
                if self.sets[node] & ~self.sets[target]:
                    self.sets[target] |= self.sets[node]
                    self.work.append(target)


def solve(module: Module, symbol: str) -> PointsTo:
    """Give what every value of a legalised module may point to."""
    return _Solver(module, symbol).solve()
