# SPDX-License-Identifier: Apache-2.0
"""Random C programs with `pipeline` and `unroll` directives at random loops, or in functions.

The programs are of the kind that `generate` writes; loops that are to be pipelined mostly hold what
can be: no divisions, few calls, and loops inside of few trips.
"""

from __future__ import annotations

import re

import dataflow_programs
from generate import Generator
from vocabulary import Array, Scope, Var


class Pipelines(Generator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz pipe {seed}")
        self.exact = self.chance(0.3)
        self.max_trips = self.random.choice((20, 60, 200))
        self.directives: list[str] = []
        self.inside = 0

    def directive(self) -> str:
        """Choose a directive for a loop, or nothing."""
        pick = self.random.random()
        if self.inside:
            return "unroll factor=2" if pick < 0.1 else "pipeline" if pick < 0.2 else ""
        if pick < 0.6:
            return self.random.choice(
                ("pipeline", "pipeline", "PIPELINE II=1", "pipeline ii=2", "pipeline II=3 rewind")
            )
        if pick < 0.65:
            return "pipeline off"
        return self.random.choice(("unroll factor=2", "unroll factor=3", "unroll", "", ""))

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement, more often a loop than elsewhere."""
        if not self.inside and depth > 0 and scope.trips < 8 and self.chance(0.35):
            return self.loop(scope, depth)
        return super().statement(scope, depth)

    def loop(self, scope: Scope, depth: int) -> list[str]:
        """Write a loop, mostly with a directive."""
        if self.inside and (self.inside > 2 or self.chance(0.6)):
            return self.assignment(scope)
        directive = self.directive()
        pipelined = directive.lower().startswith("pipeline") and "off" not in directive
        known = len(self.directives)
        self.directives.append(directive)
        trips = self.max_trips
        if self.inside:
            self.max_trips = min(trips, 4 * scope.trips)
        if pipelined or self.inside:
            self.inside += 1
        lines = super().loop(scope, depth)
        if pipelined or self.inside:
            self.inside -= 1
        self.max_trips = trips
        del self.directives[known:]
        return lines

    def braced(self, head: str, body: list[str], tail: str = "}") -> list[str]:
        """Indent a body between a head and a tail; a loop's directive is its first line."""
        lines = super().braced(head, body, tail)
        if self.directives and head.split(" ")[0] in ("for", "while", "do"):
            directive = self.directives.pop()
            if directive:
                lines.insert(1, f"#pragma HLS {directive}")
        return lines

    def binary(self, scope: Scope, depth: int) -> str:
        """Write two operands and an operator, seldom a division where it would hold up."""
        text = super().binary(scope, depth)
        while self.inside and text.startswith("SAFE(") and self.chance(0.95):
            text = super().binary(scope, depth)
        return text

    def call(self, scope: Scope) -> list[str]:
        """Write a call, seldom where it must be inlined."""
        if self.inside and self.chance(0.9):
            return self.assignment(scope)
        return super().call(scope)


class Calls(Pipelines):
    """Writes one program whose top function is pipelined, and called more often."""

    most_calls = 24

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz calls {seed}")
        self.exact = self.chance(0.3)
        self.keeps_arrays = self.chance(0.6)
        self.max_trips = self.random.choice((4, 8, 16))
        self.interval = self.random.choice(("", "", " II=1", " II=2", " II=3", " II=7"))

    def top(self, scope: Scope) -> list[Var | Array]:
        """Write the top function as the inside of a pipeline."""
        self.inside = 1
        params = super().top(scope)
        self.inside = 0
        return params

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function, that of the top one with its directive."""
        if name == "top":
            body = [f"#pragma HLS pipeline{self.interval}", *body]
        return super().directed(name, params, body)


_LIMITED = ("add", "sub", "mul", "mul", "xor", "xor", "and", "or", "shl", "lshr", "ashr", "icmp")


class Limited(Pipelines):
    """Writes one program whose functions have limits of units."""

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function with limits; all but the top one become part of it."""
        if name != "main" and not self.chance(0.1):
            kinds = self.random.sample(_LIMITED, self.random.randrange(1, 7))
            limits = [
                f"#pragma HLS allocation operation instances={kind} "
                f"limit={self.random.choice((1, 1, 2))}"
                for kind in dict.fromkeys(kinds)
            ]
            body = [*(["#pragma HLS inline"] * (name != "top")), *limits, *body]
        return super().directed(name, params, body)


class UnitsInTurn(Limited):
    """Writes one program whose pipelines have longer intervals, and limits of units."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz units {seed}")

    def directive(self) -> str:
        """Choose a directive for a loop: outer ones mostly become pipelines."""
        if self.inside or self.chance(0.2):
            return super().directive()
        return f"pipeline II={self.random.choice((2, 2, 3, 4))}"


class CallsInTurn(Limited, Calls):
    """Writes one program whose top function is pipelined with a longer interval, and limits."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz units of calls {seed}")
        self.interval = f" II={self.random.choice((2, 3, 4, 7))}"


class Rewinds(Pipelines):
    """Writes one program whose top function is mostly one loop that rewinds, and called more often.

    Before the loop and behind it stand assignments, sometimes with a branch; state lives on from
    call to call in statics.
    """

    most_calls = 24

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz rewind {seed}")
        self.exact = self.chance(0.3)
        self.keeps_arrays = self.chance(0.6)
        self.max_trips = self.random.choice((4, 12, 30))
        self.interval = self.random.choice(("", "", " II=1", " II=2", " II=3", " II=7"))

    def directive(self) -> str:
        """Give the directive of the one loop; those inside are mostly left alone."""
        return super().directive() if self.inside else f"pipeline{self.interval} rewind"

    def top(self, scope: Scope) -> list[Var | Array]:
        """Write the top function around its loop."""
        params: list[Var | Array] = [self.array("a") for _ in range(self.random.randrange(0, 3))]
        params += [Var(self.name("x"), self.port()) for _ in range(self.random.randrange(0, 4))]
        inner = scope.inner()
        inner.scalars += [p for p in params if isinstance(p, Var)]
        inner.arrays += [p for p in params if isinstance(p, Array)]
        body: list[str] = []
        for _ in range(self.random.randrange(0, 2)):
            local = self.array("l")
            brackets = "".join(f"[{size}]" for size in local.shape)
            body.append(f"static {local.type.name} {local.name}{brackets};")
            inner.arrays.append(local)
        if self.chance(0.3):
            static = Var(self.name("s"), self.type())
            body.append(f"static {static.type.name} {static.name};")
            inner.scalars.append(static)
        returns = self.port() if self.chance(0.8) else None
        for _ in range(self.random.randrange(1, 4)):
            local_value = Var(self.name("v"), self.type())
            start = self.expression(inner, 2) if self.chance(0.4) else "0"
            body.append(f"{local_value.type.name} {local_value.name} = {start};")
            inner.scalars.append(local_value)
        self.inside = 1
        body += self._beside(inner)
        self.inside = 0
        body += self.loop(inner, 3)
        self.inside = 1
        body += self._beside(inner)
        if returns is not None:
            body.append(f"return {self.expression(inner, 3)};")
        self.inside = 0
        self.define("", "top", returns, params, body)
        self.returns = returns
        return params

    def _beside(self, scope: Scope) -> list[str]:
        """Write what stands before or behind the loop: mostly nothing."""
        lines: list[str] = []
        while self.chance(0.35):
            lines += self.assignment(scope)
        if self.chance(0.15):
            test = self.expression(scope, 2)
            lines += super().braced(f"if ({test})", self.assignment(scope))
        return lines


def program(seed: int) -> str:
    """Give the program of a seed."""
    return Pipelines(seed).program()


def calls(seed: int) -> str:
    """Give the program of a seed whose top function is pipelined."""
    return Calls(seed).program()


def units(seed: int) -> str:
    """Give the program of a seed with units that are shared inside pipelines."""
    return (CallsInTurn if is_of_calls(seed) else UnitsInTurn)(seed).program()


def is_of_calls(seed: int) -> bool:
    """Whether a seed's program of units has a pipelined top function."""
    return seed % 3 == 0


def rewinds(seed: int) -> str:
    """Give the program of a seed whose loops rewind: the top function's, or those of processes."""
    if seed % 3:
        return Rewinds(seed).program()
    return re.sub(r"(#pragma HLS pipeline II=\d+)", r"\1 rewind", dataflow_programs.program(seed))
