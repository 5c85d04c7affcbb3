# SPDX-License-Identifier: Apache-2.0
"""One cell of a mapped netlist, brought down to tables, a bit of state, or an instance."""

from __future__ import annotations

import ast
import fnmatch
import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from lydite.base import syntax
from lydite.base.errors import InputError
from lydite.targets.models import Cell, Models, Register

# A net of the netlist (a number), a constant ("0", "1"), or a net of ours inside of a cell.
Signal = int | str
_INPUTS = 4


@dataclass(frozen=True)
class Table:
    """A function of at most four nets; bit i of `bits` is its value at inputs of the number i.

    `name` is the pin of its output, or what the model calls it inside of the cell; `pins` are those
    of its inputs, the same way.
    """

    output: Signal
    inputs: tuple[Signal, ...]
    bits: int
    cell: str
    name: str = ""
    pins: tuple[str, ...] = ()

    def reduced(self) -> Table:
        """Give the table without inputs that it ignores."""
        kept = [at for at in range(len(self.inputs)) if self._reads(at)]
        if len(kept) == len(self.inputs):
            return self
        bits = 0
        for number in range(1 << _INPUTS):
            whole = sum((number >> new & 1) << at for new, at in enumerate(kept))
            bits |= (self.bits >> whole & 1) << number
        inputs = tuple(self.inputs[at] for at in kept)
        pins = tuple(self.pins[at] for at in kept)
        return replace(self, inputs=inputs, bits=bits, pins=pins)

    def _reads(self, at: int) -> bool:
        return any(
            (self.bits >> number & 1) != (self.bits >> (number ^ 1 << at) & 1)
            for number in range(1 << _INPUTS)
        )


@dataclass(frozen=True)
class State:
    """A flip-flop: at the edge of `clock` it takes `next`; while `clear` is 1 it holds `value`."""

    q: Signal
    clock: Signal
    next: Signal
    falling: bool
    clear: Signal
    value: int
    init: int
    pin: str = ""
    clock_pin: str = ""


@dataclass(frozen=True)
class Instance:
    """An instance of a Verilog model.

    `outputs` are the nets of all output pins, one by one; `through` those of inputs that outputs
    follow without a clock.
    """

    model: str
    parameters: Mapping[str, str]
    inputs: Mapping[str, tuple[Signal, ...]]
    outputs: tuple[Signal, ...]
    widths: Mapping[str, int]
    through: tuple[Signal, ...]


@dataclass(frozen=True)
class Lowered:
    """What a cell became."""

    tables: tuple[Table, ...] = ()
    state: State | None = None
    instance: Instance | None = None


def lower(name: str, cell: Mapping[str, Any], models: Models) -> Lowered:
    """Bring a cell of Yosys' JSON down.

    Raises
    ------
    InputError
        There is no model of it, or the model does not do what its parameters say.
    """
    kind = cell["type"]
    model = models.cells.get(kind)
    if model is None:
        raise InputError(
            f"cell {name}",
            f"no simulation model of {kind}",
            f"the netlist cannot be proven without one in targets/cells/{models.path.name};"
            " --prove-netlist none places it unproven",
        )
    return _Lowering(name, cell, model).lowered()


class _Lowering:
    def __init__(self, name: str, cell: Mapping[str, Any], model: Cell) -> None:
        self.name = name
        self.kind: str = cell["type"]
        self.model = model
        self.parameters = {key: _value(text) for key, text in cell["parameters"].items()}
        # The others are numbers, as bits.
        self.texts = {
            key for key, text in cell["parameters"].items() if not re.fullmatch(r"[01xz]+", text)
        }
        self.connections: dict[str, list[Signal]] = cell["connections"]
        self.directions: dict[str, str] = cell["port_directions"]
        self.settings = self._settings()
        self.nets: dict[str, Signal] = {}

    def _refuse(self, what: str) -> InputError:
        return InputError(
            f"cell {self.name} ({self.kind})",
            what,
            "the netlist cannot be proven with it; --prove-netlist none places it unproven",
        )

    def _settings(self) -> dict[str, int]:
        found = {}
        for name, choice in self.model.settings.items():
            parameter = str(choice["of"])
            default = next(value for value in choice if value != "of")
            value = self.parameters.get(parameter, default)
            if value not in choice or value == "of":
                raise self._refuse(f"{parameter} = {value} is not simulated")
            found[name] = int(choice[value])
        return found

    def lowered(self) -> Lowered:
        if self.model.model:
            return Lowered(instance=self._instance())
        self._check_parameters()
        tables = []
        for line in self.model.logic:
            target, _, text = line.partition(" = ")
            made = self._table(self._output(target), target, text)
            tables.append(made)
            self.nets[target] = made.output
        if self.model.register is None:
            return Lowered(tuple(tables))
        state = self._state(self.model.register, tables)
        return Lowered(tuple(tables), state)

    def _check_parameters(self) -> None:
        known = {str(choice["of"]) for choice in self.model.settings.values()}
        known |= {name for line in self.model.logic for name in re.findall(r"(\w+)\[", line)}
        for parameter in self.parameters.keys() - known:
            if not any(fnmatch.fnmatchcase(parameter, name) for name in self.model.ignored):
                raise self._refuse(f"the model knows no parameter {parameter}")

    def _bit(self, pin: str) -> Signal | None:
        """Give the net of a pin, or of a bit of one (`CO_2`); None if there is none."""
        bits = self.connections.get(pin)
        if bits is not None:
            return bits[0] if bits else None
        name, _, index = pin.rpartition("_")
        bits = self.connections.get(name, [])
        return bits[int(index)] if index.isdecimal() and int(index) < len(bits) else None

    def _output(self, target: str) -> Signal:
        net = self._bit(target)
        return net if isinstance(net, int) else f"{self.name}/{target}"

    def _pin(self, pin: str) -> Signal:
        """Give the net of an input pin, or of an earlier line."""
        if pin in self.nets:
            return self.nets[pin]
        net = self._bit(pin)
        return self._driven(pin, "x" if net is None else net)

    def _driven(self, pin: str, bit: Signal) -> Signal:
        if bit not in ("x", "z"):
            return bit
        value = self.model.open_pin(pin)
        if value is None:
            raise self._refuse(f"nothing drives its pin {pin}")
        return str(value)

    def _table(self, output: Signal, name: str, text: str) -> Table:
        found = expression(text)
        contents = tuple((name, self._content(name)) for name in found.contents)
        fixed = tuple((name, self.settings[name]) for name in found.names if name in self.settings)
        free = tuple(name for name in found.names if name not in self.settings)
        nets = tuple(self._pin(name) for name in free)
        bits = _bits(text, free, fixed, contents)
        return Table(output, nets, bits, self.name, name, free)

    def _content(self, name: str) -> int:
        text = self.parameters.get(name, "")
        if not re.fullmatch(r"[01]+", text):
            raise self._refuse(f"{name} = {text or 'nothing'} is no table of bits")
        return int(text, 2)

    def _constant(self, text: str) -> int:
        found = expression(text)
        fixed = tuple((name, self.settings[name]) for name in found.names)
        return _bits(text, (), fixed, ()) & 1

    def _state(self, register: Register, tables: list[Table]) -> State:
        def net(text: str, local: str) -> Signal:
            made = self._table(f"{self.name}/{local}", local, text)
            if made.bits in (0, 0xFFFF):
                return "1" if made.bits else "0"
            tables.append(made)
            return made.output

        q = self._output(register.q)
        self.nets[register.q] = q
        return State(
            q=q,
            clock=self._pin(register.clock),
            next=net(register.next, "next"),
            falling=bool(self._constant(register.falling)),
            clear=net(register.clear, "clear"),
            value=self._constant(register.value),
            init=self._constant(register.init),
            pin=register.q,
            clock_pin=register.clock,
        )

    def _instance(self) -> Instance:
        handed = {}
        for name, value in self.parameters.items():
            if name in self.model.allowed:
                shown = value if name in self.texts else str(int(value, 2))
                if shown not in self.model.allowed[name]:
                    raise self._refuse(f"{name} = {shown} is not simulated")
                handed[name] = f'"{shown}"' if name in self.texts else shown
            elif any(fnmatch.fnmatchcase(name, pattern) for pattern in self.model.content):
                handed[name] = f"{len(value)}'b{value.replace('x', '0')}"
            elif not any(fnmatch.fnmatchcase(name, pattern) for pattern in self.model.ignored):
                raise self._refuse(f"the model knows no parameter {name}")
        inputs, outputs, widths = {}, [], {}
        for pin, bits in self.connections.items():
            if any(fnmatch.fnmatchcase(pin, pattern) for pattern in self.model.absent):
                if self.directions[pin] != "output" and any(isinstance(bit, int) for bit in bits):
                    raise self._refuse(f"the model has no pin {pin}")
            elif self.directions[pin] == "output":
                outputs += [
                    bit if isinstance(bit, int) else f"{self.name}/{pin}{index}"
                    for index, bit in enumerate(bits)
                ]
                widths[pin] = len(bits)
            else:
                inputs[pin] = tuple(self._driven(pin, bit) for bit in bits)
        through = [
            net
            for pin, nets in inputs.items()
            if any(fnmatch.fnmatchcase(pin, pattern) for pattern in self.model.through)
            for net in nets
        ]
        return Instance(self.kind, handed, inputs, tuple(outputs), widths, tuple(through))


def _value(text: str) -> str:
    """Give a parameter as its bits or its text.

    A text that could be bits (`10`, and `0x00`) ends with a space more in Yosys' JSON. Nexus has
    its tables as texts `0x...`.
    """
    if re.fullmatch(r"[01xz]+", text):
        return text
    text = text.removesuffix(" ") if re.fullmatch(r"[01xz]+ +", text) else text
    if re.fullmatch(r"0x[0-9a-fA-F]+", text):
        return f"{int(text, 16):0{4 * (len(text) - 2)}b}"
    return text


@dataclass(frozen=True)
class Expression:
    """An expression of a model: the names that it reads, and those of parameters."""

    tree: ast.expr
    names: tuple[str, ...]
    contents: tuple[str, ...]


@functools.cache
def expression(text: str) -> Expression:
    """Read an expression: names, 0, 1, `~ & ^ |`, `A if B else C`, `TABLE[A, B]`.

    Raises
    ------
    InputError
        It is none, or says something else.
    """
    try:
        tree = syntax.expression(text)
    except SyntaxError as error:
        raise InputError(f"model {text!r}", "not an expression") from error
    names: dict[str, None] = {}
    contents: dict[str, None] = {}

    def walk(node: ast.expr) -> None:
        match node:
            case ast.Name(id=name):
                names[name] = None
            case ast.Constant(value=0 | 1):
                pass
            case ast.UnaryOp(op=ast.Invert(), operand=operand):
                walk(operand)
            case ast.BinOp(left=left, op=ast.BitAnd() | ast.BitOr() | ast.BitXor(), right=right):
                walk(left)
                walk(right)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                for part in (test, body, orelse):
                    walk(part)
            case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=digits)):
                contents[name] = None
                for digit in digits:
                    walk(digit)
            case _:
                raise InputError(f"model {text!r}", f"cannot use {ast.unparse(node)}")

    walk(tree)
    return Expression(tree, tuple(names), tuple(contents))


def _evaluate(node: ast.expr, values: Mapping[str, int], contents: Mapping[str, int]) -> int:
    def of(part: ast.expr) -> int:
        return _evaluate(part, values, contents)

    match node:
        case ast.Name(id=name):
            return values[name]
        case ast.Constant(value=int(value)):
            return value
        case ast.UnaryOp(operand=operand):
            return 1 - of(operand)
        case ast.BinOp(left=left, op=ast.BitAnd(), right=right):
            return of(left) & of(right)
        case ast.BinOp(left=left, op=ast.BitOr(), right=right):
            return of(left) | of(right)
        case ast.BinOp(left=left, right=right):
            return of(left) ^ of(right)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return of(body) if of(test) else of(orelse)
        case ast.Subscript(value=ast.Name(id=name), slice=ast.Tuple(elts=digits)):
            return contents[name] >> sum(of(digit) << at for at, digit in enumerate(digits)) & 1
    raise AssertionError(f"expression() lets {ast.dump(node)} through")


@functools.cache
def _bits(
    text: str,
    free: tuple[str, ...],
    fixed: Sequence[tuple[str, int]],
    contents: Sequence[tuple[str, int]],
) -> int:
    """Give the 16 bits of an expression as a table over its free names."""
    if len(free) > _INPUTS:
        raise InputError(f"model {text!r}", f"reads {len(free)} nets, not at most {_INPUTS}")
    tree, constants, tables = expression(text).tree, dict(fixed), dict(contents)
    bits = 0
    for number in range(1 << _INPUTS):
        values = {name: number >> at & 1 for at, name in enumerate(free)}
        bits |= _evaluate(tree, values | constants, tables) << number
    return bits
