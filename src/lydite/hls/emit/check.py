# SPDX-License-Identifier: Apache-2.0
"""The independent check of modules: by what they say, without knowing how they came about.

Every bit of a net has one driver, and one if anything reads it. What meets has one width. Of two
statements that write the same bits, conditions that exclude each other or a `Priority` say which
one counts; what a process without a clock writes has a value whatever happens, so that it is no
latch, and is not read there. An instance has the ports that its module has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from lydite.hls.contract.names import VERILOG_KEYWORDS
from lydite.hls.emit import exclusive
from lydite.hls.emit.expression import Scope, Symbol
from lydite.hls.emit.structure import (
    CLOCK,
    Array,
    Assign,
    Body,
    Case,
    Constant,
    Declare,
    If,
    Initial,
    Instance,
    Module,
    Plain,
    Port,
    Priority,
    Process,
    Statement,
    Table,
    Write,
)

# Gives the ports of a module by the parameters of an instance.
Interface = Callable[[Mapping[str, str]], Iterable[Port]]


def verify(
    modules: Iterable[Module[Plain]], others: Mapping[str, Interface]
) -> dict[str, dict[str, int]]:
    """Check modules that may have each other inside, and `others`, of which the ports are known.

    Returns
    -------
    dict
        For each module, the bits of its nets that something reads.

    Raises
    ------
    AssertionError
        A net is driven twice or read undriven, widths differ, an instance has not the ports of its
        module, two things have one name, or it is not said which of two writes counts; the message
        names module and net.
    """
    checks: dict[str, _Check] = {}
    for module in modules:
        assert module.name not in checks, f"two modules {module.name}"
        checks[module.name] = _Check(module, checks, others)
    return {name: check.reads() for name, check in checks.items()}


def _symbols(module: Module[Plain]) -> dict[str, Symbol]:
    """Give what the names of a module stand for, those of instances apart."""
    found: dict[str, Symbol] = {}
    taken: set[str] = set()

    def enter(name: str, symbol: Symbol | None) -> None:
        assert name not in taken, f"{module.name}: two things called {name}"
        assert name not in VERILOG_KEYWORDS, f"{module.name}: {name} is a word of Verilog"
        taken.add(name)
        if symbol is not None:
            found[name] = symbol

    for port in module.ports:
        enter(port.name, Symbol(port.width))
    for item in module.items:
        if isinstance(item, Declare):
            for net in item.nets:
                enter(net.name, Symbol(net.width, net.low))
        elif isinstance(item, Array):
            enter(item.net.name, Symbol(item.net.width, words=item.depth))
            enter(item.index, None)
        elif isinstance(item, Table):
            enter(item.name, Symbol(len(item.words) * item.stride, constant=True))
        elif isinstance(item, Constant):
            enter(item.name, Symbol(item.width, constant=True))
        elif isinstance(item, Instance):
            enter(item.name, None)
    return found


class _Check:
    """Checks one module, item by item."""

    def __init__(
        self,
        module: Module[Plain],
        checks: Mapping[str, _Check],
        others: Mapping[str, Interface],
    ) -> None:
        self.module = module
        self.checks = checks
        self.others = others
        self.scope = Scope(module.name, _symbols(module))
        # What only goes to ports that nothing reads in their modules.
        self.idle = Scope(module.name, self.scope.symbols)
        self.done = False
        self.driven: dict[str, int] = {}
        self.registers = {port.name for port in module.ports if port.register}
        self.initial: set[str] = set()
        self.ports_of: dict[str, int] = {}

    def reads(self) -> dict[str, int]:
        """Check everything, once; give the bits that are read."""
        if not self.done:
            self.done = True
            self.run()
        return self.scope.reads

    def run(self) -> None:
        """Check everything."""
        for port in self.module.ports:
            if port.direction == "input":
                self.drive(port.name, (1 << port.width) - 1)
        for item in self.module.items:
            if isinstance(item, Declare) and item.kind == "reg":
                self.registers |= {net.name for net in item.nets}
            elif isinstance(item, Array):
                self.ports_of[item.net.name] = item.ports
        for item in self.module.items:
            self.item(item)
        for port in self.module.ports:
            if port.direction == "output":
                self.driven_at_least(port.name, (1 << port.width) - 1)
        for name, mask in (*self.scope.reads.items(), *self.idle.reads.items()):
            if name not in self.ports_of:
                self.driven_at_least(name, mask)

    def that(self, holds: bool, what: str) -> None:
        assert holds, f"{self.module.name}: {what}"

    def driven_at_least(self, name: str, mask: int) -> None:
        missing = 0 if name in self.initial else mask & ~self.driven.get(name, 0)
        self.that(not missing, f"nothing drives {name}, bits {missing:#x}")

    def drive(self, name: str, mask: int, *, process: bool = False) -> None:
        """Enter a driver of some bits."""
        if name in self.ports_of:
            self.ports_of[name] -= 1
            self.that(self.ports_of[name] >= 0, f"more processes write {name} than it has ports")
            return
        self.that(not self.scope.symbols[name].constant, f"something drives the constant {name}")
        kind = "a wire" if process else "a register"
        self.that((name in self.registers) == process, f"{name} is {kind} and driven otherwise")
        twice = self.driven.get(name, 0) & mask
        self.that(not twice, f"{name} is driven twice, bits {twice:#x}")
        self.driven[name] = self.driven.get(name, 0) | mask

    def item(self, item: Plain) -> None:
        """Check an item, and enter what it reads and drives."""
        match item:
            case Declare(nets=(net, *others), value=value) if value:
                self.that(not others, f"{net.name} has a value, and shares its declaration")
                self.same(net.name, net.width, value)
                self.drive(net.name, (1 << net.width) - 1)
            case Assign(target, value):
                name, mask, width = self.scope.target(target)
                self.same(name, width, value)
                self.drive(name, mask)
            case Initial(name, value):
                self.same(name, self.scope.symbols[name].width, value)
                self.initial.add(name)
            case Process():
                self.process(item)
            case Instance():
                self.instance(item)
            case _:
                pass

    def same(self, name: str, width: int, value: str, scope: Scope | None = None) -> None:
        found = (scope or self.scope).width(value)
        self.that(found == width, f"{name} has {width} bits and gets {found}: {value}")

    def instance(self, item: Instance) -> None:
        """Check the pins of an instance."""
        inside = self.checks.get(item.module)
        known = inside is not None or item.module in self.others
        self.that(known, f"{item.name} is of no known module {item.module}")
        found = inside.module.ports if inside else self.others[item.module](dict(item.parameters))
        ports = {port.name: port for port in found}
        self.connected(item, ports)
        for pin in item.pins:
            port = ports[pin.port]
            name = f"{item.name}.{port.name}"
            if port.direction == "input":
                read = inside is None or inside.reads().get(port.name)
                self.same(name, port.width, pin.text, self.scope if read else self.idle)
            elif pin.text:
                targets = self.scope.targets(pin.text)
                width = sum(width for _, _, width in targets)
                what = f"{name} has {port.width} bits and gives {width}: {pin.text}"
                self.that(width == port.width, what)
                for net, mask, _ in targets:
                    self.drive(net, mask)

    def connected(self, item: Instance, ports: Mapping[str, Port]) -> None:
        """Check that the pins of an instance are the ports of its module."""
        names = [pin.port for pin in item.pins]
        needed = {name for name, port in ports.items() if not port.optional}
        for name in sorted((needed - set(names)) | (set(names) - ports.keys())):
            what = "has no port" if name in names else "is not connected at"
            self.that(False, f"{item.name} of {item.module} {what} {name}")
        self.that(len(names) == len(set(names)), f"{item.name} has a port connected twice")

    def process(self, item: Process) -> None:
        """Check the statements of a process."""
        around, self.scope = self.scope, Scope(self.module.name, self.scope.symbols)
        written = self.writes(item.body)
        reads, self.scope = self.scope.reads, around
        _join(self.scope.reads, reads)
        for name, mask in written.items():
            self.drive(name, mask, process=True)
        if item.clocked:
            self.same("the clock", 1, CLOCK)
            return
        for name, mask in written.items():
            own = mask & reads.get(name, 0)
            self.that(not own, f"{name} is read by what gives it without a clock, bits {own:#x}")
        always = dict[str, int]()
        self.certain(item.body, always)
        for name, mask in written.items():
            missing = mask & ~always.get(name, 0)
            self.that(not missing, f"{name} may keep its value without a clock, bits {missing:#x}")

    def writes(self, body: Body) -> dict[str, int]:
        """Check statements whose order means nothing; give the bits that they may write."""
        found: dict[str, int] = {}
        earlier: list[tuple[Statement, dict[str, int]]] = []
        for statement in body:
            mine = self.statement(statement)
            if len(body) == 1:
                return mine
            for name, mask in mine.items():
                if not found.get(name, 0) & mask:
                    continue
                for other, theirs in earlier:
                    if theirs.get(name, 0) & mask:
                        apart = exclusive.statements(other, statement)
                        self.that(apart, f"nothing says which of two writes to {name} counts")
            _join(found, mine)
            earlier.append((statement, mine))
        return found

    def statement(self, statement: Statement) -> dict[str, int]:
        """Check a statement; give the bits that it may write."""
        found: dict[str, int] = {}
        match statement:
            case Write(target, value):
                name, mask, width = self.scope.target(target)
                self.same(name, width, value)
                found[name] = mask
            case If(condition, then, otherwise):
                self.same("a condition", 1, condition)
                _join(found, self.writes(then))
                _join(found, self.writes(otherwise))
            case Case(subject, arms, default):
                width = self.scope.width(subject)
                labels = [label for arm in arms for label in arm.labels]
                self.that(len(set(labels)) == len(labels), f"two arms of one value at {subject}")
                for label in labels:
                    self.same(subject, width, label)
                for body in (*(arm.body for arm in arms), default):
                    _join(found, self.writes(body))
            case Priority(levels):
                for level in levels:
                    _join(found, self.writes(level))
        return found

    def certain(self, body: Body, found: dict[str, int]) -> None:
        """Enter the bits that statements write whatever happens."""
        for statement in body:
            if isinstance(statement, Write):
                name, mask, _ = self.scope.target(statement.target)
                _join(found, {name: mask})
            elif isinstance(statement, Priority):
                for level in statement.levels:
                    self.certain(level, found)


def _join(found: dict[str, int], more: Mapping[str, int]) -> None:
    for name, mask in more.items():
        found[name] = found.get(name, 0) | mask
