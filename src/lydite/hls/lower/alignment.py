# SPDX-License-Identifier: Apache-2.0
"""Proves the alignment of every access, instead of believing what C's types claim.

A pointer into a packed structure may be less aligned than its type says. C leaves that undefined,
processors do what the programmer meant, and so must the hardware: an access is only as aligned as
the address is by construction. Optimistic data flow over the whole module, field-insensitive, as in
`frontend.points_to`; objects stand on multiples of 8.
"""

from __future__ import annotations

from collections.abc import Callable

from lydite.hls.frontend.llvm_ast import (
    Address,
    Array,
    Expression,
    Function,
    Instruction,
    Local,
    Module,
    Number,
    Operand,
    Struct,
    Type,
    field_offset,
    size_of,
)
from lydite.hls.frontend.points_to import PointsTo

# Powers of two: every object's place is a multiple of 2**_OBJECT; more than 2**_TOP is not told
# apart.
_OBJECT = 3
_TOP = 4
OBJECT_BYTES = 1 << _OBJECT


def _zeros(value: int) -> int:
    return _TOP if value == 0 else min(_TOP, (value & -value).bit_length() - 1)


class _Analysis:
    """Exponents of two that divide each value; they only fall until nothing changes."""

    def __init__(self, module: Module, symbol: str, solution: PointsTo) -> None:
        self.module = module
        self.solution = solution
        self.value: dict[tuple[str, str], int] = {}
        self.content: dict[str, int] = {}
        self.result: dict[str, int] = {}
        self.changed = True
        top = module.functions[symbol]
        for param in top.params:
            self.value[symbol, param.name] = _OBJECT if param.type == "ptr" else 0
        for name, variable in module.globals.items():
            if variable.init is not None:
                self._initial(name, variable.init)

    def _initial(self, name: str, init: Operand) -> None:
        for address in _addresses(init):
            self._lower(self.content, name, min(_OBJECT, _zeros(address.offset)))

    def _lower(self, table: dict[str, int], key: str, exponent: int) -> None:
        if exponent < table.get(key, _TOP):
            table[key] = exponent
            self.changed = True

    def run(self) -> None:
        while self.changed:
            self.changed = False
            for function in self.module.functions.values():
                for block in function.blocks:
                    for code in block.code:
                        self._visit(function, code)

    def of(self, function: str, operand: Operand) -> int:
        """Give the exponent that is proved for an operand."""
        if isinstance(operand, Local):
            return self.value.get((function, operand.name), _TOP)
        if isinstance(operand, Number):
            return _zeros(operand.value)
        if isinstance(operand, Address):
            return min(_OBJECT, _zeros(operand.offset))
        return 0

    def _visit(self, function: Function, code: Instruction) -> None:
        name = function.name
        if code.op == "store":
            value = code.args[0][1]
            if self.solution.of(name, value):
                for target in self.solution.of(name, code.args[1][1]):
                    self._lower(self.content, target, self.of(name, value))
            return
        if code.op == "ret" and code.args:
            self._lower(self.result, name, self.of(name, code.args[0][1]))
            return
        if code.op == "call" and isinstance(code.callee, Address):
            callee = self.module.functions.get(code.callee.name)
            if callee is not None and callee.blocks:
                for param, (_, operand) in zip(callee.params, code.args, strict=False):
                    self._set(callee.name, param.name, self.of(name, operand))
        if code.result:
            self._set(name, code.result, self._transfer(name, code))

    def _set(self, function: str, name: str, exponent: int) -> None:
        key = (function, name)
        if exponent < self.value.get(key, _TOP):
            self.value[key] = exponent
            self.changed = True

    def _transfer(self, function: str, code: Instruction) -> int:
        op = code.op
        args = [operand for _, operand in code.args]
        if op == "alloca":
            return _OBJECT
        if op == "load":
            if not self.solution.of(function, Local(code.result)):
                return 0
            targets = self.solution.of(function, args[0])
            return min((self.content.get(target, _TOP) for target in targets), default=0)
        if op == "call":
            if isinstance(code.callee, Address) and code.callee.name in self.module.functions:
                target = self.module.functions[code.callee.name]
                if target.blocks:
                    return self.result.get(target.name, _TOP)
            return 0
        if op == "getelementptr":
            return self._pointer(function, code)
        exponents = [self.of(function, operand) for operand in args]
        rule = _RULES.get(op)
        return min(_TOP, rule(exponents, args)) if rule else 0

    def _pointer(self, function: str, code: Instruction) -> int:
        exponent = self.of(function, code.args[0][1])
        current: Type = Array(0, code.source)
        for _, operand in code.args[1:]:
            if isinstance(current, Struct):
                assert isinstance(operand, Number)
                exponent = min(exponent, _zeros(field_offset(current, operand.value)))
                current = current.fields[operand.value]
                continue
            assert isinstance(current, Array)
            current = current.element
            scale = size_of(current)
            exponent = min(exponent, self.of(function, operand) + _zeros(scale))
        return exponent


def _addresses(operand: Operand) -> list[Address]:
    if isinstance(operand, Address):
        return [operand]
    if isinstance(operand, Expression):
        return [Address(a.name, 1) for _, item in operand.args for a in _addresses(item)]
    items = getattr(operand, "items", ())
    return [address for _, item in items for address in _addresses(item)]


_Rule = Callable[[list[int], list[Operand]], int]


def _shift_left(exponents: list[int], args: list[Operand]) -> int:
    amount = args[1]
    return exponents[0] + (amount.value if isinstance(amount, Number) else 0)


_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("add", "sub", "or", "xor", "phi"), lambda e, a: min(e)),
    "select": lambda e, a: min(e[1:]),
    "mul": lambda e, a: sum(e),
    "and": lambda e, a: max(e),
    "shl": _shift_left,
    **dict.fromkeys(
        (
            *("trunc", "zext", "sext", "ptrtoint", "inttoptr", "ptrtoaddr"),
            *("bitcast", "freeze", "extractvalue"),
        ),
        lambda e, a: e[0],
    ),
    "insertvalue": lambda e, a: min(e),
}


def prove(module: Module, symbol: str, solution: PointsTo) -> None:
    """Lower the alignment of each load and store to what is proved."""
    analysis = _Analysis(module, symbol, solution)
    analysis.run()
    for function in module.functions.values():
        for block in function.blocks:
            for code in block.code:
                if code.op in ("load", "store"):
                    proved = 1 << analysis.of(function.name, code.args[-1][1])
                    code.align = min(code.align, proved)
