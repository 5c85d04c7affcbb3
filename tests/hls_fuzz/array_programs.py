# SPDX-License-Identifier: Apache-2.0
"""Random C programs whose pipelined helpers are given arrays, of which they know the words.

The programs are those of `module_programs`, but helpers have arrays among their arguments, most
indices are constants, and arrays are of few types, so that calls find some: whole ones and parts of
them, local, static, of the top function, the same one twice, those of the helper that calls.
"""

from __future__ import annotations

from module_programs import Modules
from vocabulary import STANDARD, Array, Function, Scope, Var

_SIZES = (2, 3, 4, 8)


class Arrays(Modules):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls fuzz arrays {seed}")
        self.exact = False
        self.kinds = self.random.sample(STANDARD, 2)

    def array(self, stem: str) -> Array:
        """Choose an array's type and shape."""
        return Array(self.name(stem), self.random.choice(self.kinds), (self.random.choice(_SIZES),))

    def index(self, size: int, scope: Scope, depth: int) -> str:
        """Write an index below `size`, mostly a constant."""
        if self.chance(0.01 if self.in_helper else 0.2):
            return super().index(size, scope, depth)
        return str(self.random.randrange(size))

    def helper(self, scope: Scope) -> Function:
        """Write a helper that is given arrays, and give its head."""
        name = self.name("f")
        arrays = [
            Array(self.name("p"), self.random.choice(self.kinds), (self.random.choice((2, 3, 4)),))
            for _ in range(self.random.choice((1, 1, 1, 2, 2, 3)))
        ]
        values = [Var(self.name("x"), self.type()) for _ in range(self.random.randrange(0, 3))]
        inner = Scope(
            scalars=[*values],
            arrays=[*arrays],
            functions=self.written if self.chance(0.4) else [],
            trips=max(1, self.max_trips // 8),
        )
        self.in_helper = True
        self.inside += 1
        body = self.block(inner, 4, 1)
        for array in arrays:
            if self.chance(0.7):
                text = f"{self.element(array, inner, 1)} ^= {self.expression(inner, 2)};"
                body.append(f"if ({self.expression(inner, 2)}) {text}" * self.chance(0.5) or text)
        self.inside -= 1
        self.in_helper = False
        returns = self.type() if self.chance(0.5) else None
        if returns is not None:
            body.append(f"return {self.expression(inner, 2)};")
        interval = self.random.choice(("", "", " II=1", " II=2", " II=3"))
        head = [f"#pragma HLS pipeline{interval}", "#pragma HLS inline off"]
        params = self.random.sample([*arrays, *values], len(arrays) + len(values))
        self.define("static ", name, returns, params, [*head, *body])
        made = Function(name, returns, params, cost=1)
        self.written.append(made)
        self.helpers.append(name)
        return made


def program(seed: int) -> str:
    """Give the program of a seed."""
    return Arrays(seed).program()


def is_whole(seed: int) -> bool:
    """Whether the top function of a seed's program is pipelined."""
    return Arrays(seed).whole
