# SPDX-License-Identifier: Apache-2.0
"""Random C programs in which values wait while branches decide, with random directives.

Registers are shared where copies join values, and written at the ends of states: this goes wrong,
if it does, where what one way out of a branch keeps meets what another way brings. So there are
chains of decisions over loaded elements, searches that end early with what they found, state
machines, values that move up a row of variables or change places, and helpers with many returns.
"""

from __future__ import annotations

import itertools
import random

from directive_programs import DirectiveGenerator
from vocabulary import INT, STANDARD, Array, Function, Scope, Type, Var

_NARROW = STANDARD[:4]


class BranchGenerator(DirectiveGenerator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.dice = random.Random(f"lydite hls directives of branches {seed}")
        self.random = random.Random(f"lydite hls branches {seed}")
        self.density = self.dice.choice((0.1, 0.3, 0.6))
        self.max_trips = self.random.choice((8, 16, 30))
        self.deepest = self.random.choice((1, 1, 2, 3))

    def array(self, stem: str) -> Array:
        """Choose an array, mostly of narrow elements in one dimension."""
        made = super().array(stem)
        if self.chance(0.7):
            made.type, made.shape = self.random.choice(_NARROW), made.shape[:1]
        return made

    def expression(self, scope: Scope, depth: int) -> str:
        """Write an expression, a short one in most programs: schedules are to be tight."""
        return super().expression(scope, min(depth, self.deepest))

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement."""
        shapes = (self.chain, self.chain, self.search, self.machine, self.row)
        if depth > 1 and scope.arrays and self.chance(0.7):
            return self.random.choice(shapes)(scope, depth)
        return super().statement(scope, depth)

    def variable(
        self, scope: Scope, stem: str, lines: list[str], *, kind: Type | None = None
    ) -> Var:
        """Declare a variable with an element, or an expression, as its value."""
        var = Var(self.name(stem), kind or self.random.choice(_NARROW))
        lines.append(f"{var.type.name} {var.name} = {self.leaf(scope)};")
        return var

    def condition(self, scope: Scope, values: list[Var]) -> str:
        """Compare one of some values."""
        operator = self.random.choice(("<", ">", "<=", "==", "!=", "&"))
        known = [var.name for var in (*values, *scope.scalars)]
        other = self.random.choice(known) if self.chance(0.6) else self.leaf(scope)
        return f"{self.random.choice(values).name} {operator} ({other})"

    def keep(self, scope: Scope, value: str) -> list[str]:
        """Write a value into some array."""
        arrays = [array for array in scope.arrays if array.writable]
        if not arrays:
            return self.assignment(scope)
        return [f"{self.element(self.random.choice(arrays), scope, 1)} = {value};"]

    def chain(self, scope: Scope, depth: int) -> list[str]:
        """Write elements read beforehand, and nested decisions about which is the result."""
        lines: list[str] = []
        loaded = [self.variable(scope, "v", lines) for _ in range(self.random.randrange(2, 5))]
        result = self.variable(scope, "r", lines, kind=loaded[0].type)
        lines[-1] = f"{result.type.name} {result.name} = {loaded[0].name};"
        inner = scope.inner()
        inner.scalars += [Var(var.name, var.type, writable=False) for var in loaded]
        ends = 0
        for var in (*loaded[1:], result):
            lines.append(f"{'  ' * ends}if ({self.condition(inner, loaded)}) {{")
            ends += 1
            body = self.keep(inner, var.name) if self.chance(0.7) else self.assignment(inner)
            if self.chance(0.2):
                body += self.statement(inner.inner(), depth - 2)
            value = var.name if var is not result else self.leaf(inner)
            body.insert(self.random.randrange(len(body) + 1), f"{result.name} = {value};")
            lines += ["  " * ends + line for line in body]
        while ends:
            ends -= 1
            if self.chance(0.4):
                lines.append("  " * ends + "} else {")
                value = self.random.choice([*loaded, result]).name
                lines.append("  " * (ends + 1) + f"{result.name} = {value};")
                lines += ["  " * (ends + 1) + line for line in self.assignment(inner)]
            lines.append("  " * ends + "}")
        scope.scalars.append(result)
        return lines

    def trips(self, scope: Scope) -> int:
        """Choose how often a loop runs."""
        return self.random.randrange(2, max(3, min(12, self.max_trips // scope.trips + 1)))

    def search(self, scope: Scope, depth: int) -> list[str]:
        """Write a loop that ends with what it found, and knows what came before."""
        if scope.trips > self.max_trips:
            return self.chain(scope, depth)
        lines: list[str] = []
        found = self.variable(scope, "w", lines)
        before = self.variable(scope, "b", lines)
        trips = self.trips(scope)
        place = Var(self.name("i"), INT, writable=False)
        inner = scope.inner(in_loop=True, trips=scope.trips * trips)
        inner.scalars += [place, Var(found.name, found.type, writable=False), before]
        body: list[str] = []
        here = self.variable(inner, "h", body)
        for _ in range(self.random.randrange(1, 4)):
            kept = self.random.choice((here.name, before.name, place.name, self.leaf(inner)))
            way = self.random.choice(("break;", "break;", "continue;", ""))
            then = [f"{found.name} = {kept};", *self.assignment(inner), way]
            if self.chance(0.3):
                then[1:1] = self.statement(inner.inner(), depth - 2)
            body += self.braced(f"if ({self.condition(inner, [here, before])})", then)
        body.append(f"{before.name} = {self.random.choice((here.name, found.name))};")
        head = f"for ({INT.name} {place.name} = 0; {place.name} < {trips}; {place.name}++)"
        lines += self.braced(head, body)
        scope.scalars += [found, before]
        return lines

    def machine(self, scope: Scope, depth: int) -> list[str]:
        """Write a state machine over a few steps."""
        if scope.trips > self.max_trips:
            return self.chain(scope, depth)
        lines: list[str] = []
        held = [self.variable(scope, "m", lines) for _ in range(self.random.randrange(1, 4))]
        state, step = self.name("z"), self.name("i")
        states, trips = self.random.randrange(2, 5), self.trips(scope)
        lines.append(f"unsigned {state} = ({self.leaf(scope)}) & 1;")
        inner = scope.inner(trips=scope.trips * trips)
        inner.scalars += held
        body = []
        for number in range(states):
            body.append(f"case {number}:")
            then, other = self.random.randrange(states), self.random.randrange(states + 1)
            case = [f"{state} = {self.condition(inner, held)} ? {then} : {other};"]
            to, of = self.random.choice(held), self.random.choice(held)
            case.append(f"{to.name} = {self.random.choice((of.name, self.leaf(inner)))};")
            case += self.assignment(inner)
            if self.chance(0.2):
                case += self.statement(inner.inner(), depth - 2)
            body += [f"  {line}" for line in case]
            body += ["  break;"] if self.chance(0.8) or number == states - 1 else []
        body = self.braced(f"switch ({state})", body)
        if self.chance(0.5):
            body.append(f"if ({state} == {states}) break;")
        lines += self.braced(f"for (int {step} = 0; {step} < {trips}; {step}++)", body)
        scope.scalars += held
        return lines

    def row(self, scope: Scope, depth: int) -> list[str]:
        """Write a loop that moves values up a row of variables, or lets two change places."""
        if scope.trips > self.max_trips:
            return self.chain(scope, depth)
        lines: list[str] = []
        kind = self.random.choice(_NARROW)
        row = [
            self.variable(scope, "q", lines, kind=kind) for _ in range(self.random.randrange(2, 5))
        ]
        trips = self.trips(scope)
        step, other = Var(self.name("i"), INT, writable=False), self.name("t")
        inner = scope.inner(trips=scope.trips * trips)
        inner.scalars += [step, *row]
        moves = [f"{kind.name} {other} = {row[0].name};"]
        moves += [f"{a.name} = {b.name};" for a, b in itertools.pairwise(row)]
        last = self.random.choice((other, f"{other} ^ {self.leaf(inner)}", self.leaf(inner)))
        moves.append(f"{row[-1].name} = {last};")
        if self.chance(0.6):
            moves = self.braced(f"if ({self.condition(inner, row)})", moves)
        if self.chance(0.5):
            moves += self.assignment(inner)
        head = f"for (int {step.name} = 0; {step.name} < {trips}; {step.name}++)"
        lines += self.braced(head, moves)
        scope.scalars += row
        return lines

    def helper(self, scope: Scope) -> Function:
        """Write a helper function, often one with many returns, and give its head."""
        if self.chance(0.4):
            return super().helper(scope)
        name, returns = self.name("f"), self.type()
        params: list[Var | Array] = [Var(self.name("x"), self.type()) for _ in range(2)]
        kinds = [array.type for array in scope.arrays if len(array.shape) == 1]
        if kinds:
            params.append(Array(self.name("a"), self.random.choice(kinds), (2,)))
        inner = self.inside_helper(scope, params, 4)
        self.in_helper = True
        body: list[str] = []
        read = [self.variable(inner, "v", body) for _ in range(2)]
        for _ in range(self.random.randrange(1, 4)):
            way = [*self.assignment(inner), f"return {self.random.choice(read).name};"]
            body += self.braced(f"if ({self.condition(inner, read)})", way)
            body += self.assignment(inner)
        place = self.name("i")
        inside = inner.inner(in_loop=True)
        inside.scalars.append(Var(place, INT, writable=False))
        way = [*self.assignment(inside), f"return {self.expression(inside, 2)};"]
        loop = self.braced(f"if ({self.condition(inside, read)})", way)
        loop += self.assignment(inside)
        body += self.braced(f"for (int {place} = 0; {place} < 3; {place}++)", loop)
        body.append(f"return {self.expression(inner, 2)};")
        self.in_helper = False
        self.define("static ", name, returns, params, body)
        return Function(name, returns, params, cost=8)


def program(seed: int, *, extra: int = 0) -> str:
    """Give the program of a seed."""
    return BranchGenerator(seed, extra).program()
