# SPDX-License-Identifier: Apache-2.0
"""Random C programs whose helpers are pipelined functions that stay modules, or nearly so.

The programs are of the kind that `pipes` writes, with loops or the top function pipelined. Helpers
take values only; some keep state, read tables, or call each other; some have `inline off`, some
`allocation`, some neither, and now and then one cannot be such a module.
"""

from __future__ import annotations

from pipes import Calls, Pipelines

from generate import Generator
from vocabulary import Array, Function, Scope, Var


class Modules(Calls):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz modules {seed}")
        self.exact = self.chance(0.3)
        self.max_trips = self.random.choice((8, 16, 40))
        self.whole = self.chance(0.3)
        self.most_calls = 24 if self.whole else 6
        self.keeps_arrays = self.whole and self.chance(0.6)
        self.helpers: list[str] = []

    def helper(self, scope: Scope) -> Function:
        """Write a helper that takes values, and give its head."""
        if self.chance(0.1):
            return super().helper(scope)
        name = self.name("f")
        params: list[Var | Array] = [
            Var(self.name("x"), self.type()) for _ in range(self.random.randrange(0, 4))
        ]
        inner = Scope(
            scalars=[p for p in params if isinstance(p, Var)],
            arrays=[array for array in scope.arrays if not array.writable],
            functions=self.written if self.chance(0.4) else [],
            trips=max(1, self.max_trips // 8),
        )
        state = self.chance(0.35) or not params
        if state:
            static = Var(self.name("s"), self.type())
            self.lines.append(f"static {static.type.name} {static.name}_;")
            inner.scalars.append(Var(f"{static.name}_", static.type))
        if state and self.chance(0.3):
            array = self.array("h")
            brackets = "".join(f"[{size}]" for size in array.shape)
            self.lines.append(f"static {array.type.name} {array.name}{brackets};")
            inner.arrays.append(array)
        self.in_helper = True
        self.inside += 1
        body = self.block(inner, 3, 1)
        self.inside -= 1
        self.in_helper = False
        returns = self.type()
        body.append(f"return {self.expression(inner, 2)};")
        interval = self.random.choice(("", "", " II=1", " II=2", " II=3"))
        head = [f"#pragma HLS pipeline{interval}"]
        head += ["#pragma HLS inline off"] * self.chance(0.6)
        head += [f"#pragma HLS latency min={self.random.randrange(12)}"] * self.chance(0.15)
        self.define("static ", name, returns, params, [*head, *body])
        made = Function(name, returns, params, cost=1)
        self.written.append(made)
        self.helpers.append(name)
        return made

    def program(self) -> str:
        """Write the whole program."""
        self.written: list[Function] = []
        self.extra = max(self.extra, 8)  # so that there are helpers
        return super().program()

    def block(self, scope: Scope, budget: int, depth: int) -> list[str]:
        """Write a few statements, calls among them."""
        lines = super().block(scope, budget, depth)
        if scope.functions and self.chance(0.5):
            lines += self.call(scope)
        return lines

    def call(self, scope: Scope) -> list[str]:
        """Write a call, wherever it is."""
        return Generator.call(self, scope)

    def top(self, scope: Scope) -> list[Var | Array]:
        """Write the top function, as the inside of a pipeline if it is one."""
        self.extra = 0
        return super().top(scope) if self.whole else Pipelines.top(self, scope)

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function, that of the top one with what it says of modules."""
        if name == "top":
            for helper in self.helpers:
                if self.chance(0.5):
                    limit = self.random.choice((1, 1, 1, 2, 3))
                    text = f"allocation instances={helper} limit={limit} function"
                    body = [f"#pragma HLS {text}", *body]
            if not self.whole:
                return body
        return super().directed(name, params, body)


def program(seed: int) -> str:
    """Give the program of a seed."""
    return Modules(seed).program()


def is_whole(seed: int) -> bool:
    """Whether the top function of a seed's program is pipelined."""
    return Modules(seed).whole
