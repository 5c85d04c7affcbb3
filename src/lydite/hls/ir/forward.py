# SPDX-License-Identifier: Apache-2.0
"""A fact about each value of a module, from those of its operands: the solver of such analyses.

Facts flow forward, through phis, memories, arguments and results, optimistically: a value has no
fact before its operands have, and then one that only gets weaker, to a fixed point.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from typing import Generic, TypeVar

from lydite.hls.ir import cfg
from lydite.hls.ir import graph as ir_graph
from lydite.hls.ir.graph import Function, Memory, Op
from lydite.hls.ir.module import Module

# Visits after which what still changes of a fact is given up, of one of each circle.
_PATIENCE = 6
_CIRCLE = frozenset(("phi", "load", "call"))

Fact = TypeVar("Fact")


class Forward(ABC, Generic[Fact]):
    """The solver; `solve` runs it, and `of` gives its result."""

    def __init__(self, module: Module) -> None:
        self.module = module
        self.values: dict[Op, Fact | None] = {}
        self.words: dict[Memory, Fact | None] = {}
        self.results: dict[Function, Fact | None] = {}
        self.visits: dict[Op, int] = {}
        self.users: dict[Op, list[Op]] = {}
        self.loads: dict[Memory, list[Op]] = {}
        self.calls: dict[Function, list[Op]] = {}
        self.returns: dict[Op, list[Function]] = {}
        self.work: deque[Op] = deque()

    @abstractmethod
    def unknown(self, width: int) -> Fact:
        """Give what holds of any value."""

    @abstractmethod
    def constant(self, width: int, number: int) -> Fact:
        """Give what is known of a constant."""

    @abstractmethod
    def join(self, first: Fact, second: Fact) -> Fact:
        """Give what holds of a value that is one of two."""

    @abstractmethod
    def widened(self, op: Op, old: Fact, new: Fact) -> Fact:
        """Give up what changed of a fact that changed too often."""

    @abstractmethod
    def initial(self, memory: Memory) -> Fact:
        """Give what is known of the words of a memory at power-up."""

    @abstractmethod
    def transfer(self, op: Op, args: list[Fact]) -> Fact:
        """Give what is known of a result without memory, from what is known of the operands."""

    def looked_at(self, op: Op) -> Sequence[Op]:
        """Give the values whose facts `transfer` of an operation goes by."""
        return op.args

    def arriving(self, op: Op, place: int, fact: Fact) -> Fact | None:
        """Add what else is known of an operand of a phi where control comes with it.

        None where it cannot come there, as far as is known so far.
        """
        return fact

    def phi(self, op: Op, joined: Fact) -> Fact:
        """Add what else is known of a phi."""
        return joined

    def of(self, op: Op) -> Fact:
        """Give what is known of a value."""
        found = self._now(op)
        return self.unknown(op.width) if found is None else found

    def solve(self) -> None:
        """Find the fixed point."""
        self._prepare()
        while self.work:
            op = self.work.popleft()
            if op.kind == "store":
                self._store(op)
                continue
            if op.kind == "call":
                self._call(op)
            new = self.values.get(op) if op.kind == "param" else self._transfer(op)
            if new is None or not op.width:
                continue
            old = self.values.get(op)
            if op.kind != "param":
                if old is not None:
                    new = self.join(old, new)
                    if new == old:
                        continue
                    count = self.visits[op] = self.visits.get(op, 0) + 1
                    if count > _PATIENCE and op.kind in _CIRCLE:
                        new = self.widened(op, old, new)
                self.values[op] = new
            self.work.extend(self.users.get(op, ()))
            for function in self.returns.get(op, ()):
                self._result(function, new)

    def tighten(self, times: int) -> None:
        """Compute all facts again from what was found, which a circle may have been too weak for.

        Whatever follows from facts that hold does hold.
        """
        for _ in range(times):
            for function in self.module.functions.values():
                for block in cfg.reverse_postorder(function):
                    for op in block.ops:
                        if op in self.values and op.kind not in ("load", "call"):
                            self.values[op] = self._transfer(op)

    def _now(self, op: Op) -> Fact | None:
        return self.constant(op.width, op.attr) if op.kind == "const" else self.values.get(op)

    def _met(self, first: Fact | None, second: Fact | None) -> Fact | None:
        if first is None:
            return second
        return first if second is None else self.join(first, second)

    def _prepare(self) -> None:
        for memory in self.module.memories.values():
            self.words[memory] = self.unknown(memory.width) if memory.port else self.initial(memory)
        for function in self.module.functions.values():
            self.results[function] = None
            top = function is self.module.top_function
            for param in function.params:
                self.values[param] = self.unknown(param.width) if top else None
                self.work.append(param)
            for op in function.ops():
                for arg in dict.fromkeys(self.looked_at(op)):
                    if arg.kind != "const":
                        self.users.setdefault(arg, []).append(op)
                if op.kind == "load":
                    self.loads.setdefault(op.attr, []).append(op)
                elif op.kind == "call":
                    self.calls.setdefault(op.attr, []).append(op)
                self.work.append(op)
            for block in function.blocks:
                if block.end == "ret" and block.arg is not None:
                    if block.arg.kind == "const":
                        self._result(function, self.constant(block.arg.width, block.arg.attr))
                    else:
                        self.returns.setdefault(block.arg, []).append(function)

    def _result(self, function: Function, fact: Fact) -> None:
        merged = self._met(self.results[function], fact)
        if merged != self.results[function]:
            self.results[function] = merged
            self.work.extend(self.calls.get(function, ()))

    def _store(self, op: Op) -> None:
        memory: Memory = op.attr
        fact = self._now(op.args[1])
        if fact is None or memory.port:
            return
        merged = self._met(self.words[memory], fact)
        if merged != self.words[memory]:
            self.words[memory] = merged
            self.work.extend(self.loads.get(memory, ()))

    def _call(self, op: Op) -> None:
        # The call of one that pipelines start may have a condition as well.
        for param, arg in zip(op.attr.params, op.args, strict=not op.attr.interval):
            merged = self._met(self.values.get(param), self._now(arg))
            if merged != self.values.get(param):
                self.values[param] = merged
                self.work.append(param)

    def _transfer(self, op: Op) -> Fact | None:
        if op.kind == "load":
            return self.words[op.attr]
        if op.kind == "call":
            started = ir_graph.condition(op) is None
            return self.results[op.attr] if started else self.unknown(op.width)
        if op.kind in ir_graph.STREAMING:
            return self.unknown(op.width)
        if op.kind == "phi":
            joined: Fact | None = None
            for place, arg in enumerate(op.args):
                fact = self._now(arg)
                if fact is not None:
                    joined = self._met(joined, self.arriving(op, place, fact))
            return None if joined is None else self.phi(op, joined)
        facts: list[Fact] = []
        for arg in self.looked_at(op):
            fact = self._now(arg)
            if fact is None:
                return None
            facts.append(fact)
        return self.transfer(op, facts[: len(op.args)])
