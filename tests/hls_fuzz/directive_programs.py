# SPDX-License-Identifier: Apache-2.0
"""Random C programs with random directives at legal places.

The programs are those of `generate`, from seeds of their own. Directives go into functions, behind
the declarations of the arrays that they name, and into loops.
"""

from __future__ import annotations

import random
import re

from generate import HEAD, Generator
from vocabulary import Array, Var

_OPERATIONS = ("add", "sub", "mul", "xor", "and", "or", "shl", "lshr", "icmp")
_STORAGE = ("ram_1p", "ram_2p", "ram_s2p", "ram_t2p", "rom_1p", "rom_2p", "rom_np")
_IMPL = ("", "", " impl=bram", " impl=lutram", " impl=registers", " impl=auto")


class DirectiveGenerator(Generator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.dice = random.Random(f"lydite hls directives {seed}")
        self.random = random.Random(f"lydite hls directive programs {seed}")
        self.shapes: dict[str, Array] = {}
        self.helpers: list[str] = []
        self.density = self.dice.choice((0.3, 0.6, 0.9))

    def array(self, stem: str) -> Array:
        """Choose an array, and remember it."""
        made = super().array(stem)
        self.shapes[made.name] = made
        return made

    def braced(self, head: str, body: list[str], tail: str = "}") -> list[str]:
        """Indent a body, with a directive if it is a loop's."""
        lines = super().braced(head, body, tail)
        if re.match(r"(?:for|while|do)\b", head) and self.dice.random() < 0.4 * self.density:
            lines.insert(1, f"#pragma HLS {self.of_loop()}")
        return lines

    def of_loop(self) -> str:
        """Choose a directive for a loop."""
        pick = self.dice.random()
        if pick < 0.25:
            return f"pipeline II={self.dice.choice((1, 1, 2, 3))}"
        if pick < 0.5:
            return f"unroll factor={self.dice.choice((2, 3, 4, 5))}"
        if pick < 0.7:
            return "unroll"
        if pick < 0.8:
            return f"latency min={self.dice.randrange(1, 6)}"
        return f"loop_tripcount min=1 max={self.dice.randrange(1, 20)}"

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function, with directives behind the declarations they concern."""
        if name != "main":
            declared = {p.name: p for p in params if isinstance(p, Array)}
            globals_ = [array for array in self.shapes.values() if array.name not in declared]
            lines: list[str] = []
            local: set[str] = set()
            for line in body:
                lines.append(line)
                match = re.match(r"\w+ (\w+)\[[^=]*= \{0\};$", line)
                if match and match[1] in self.shapes:
                    local.add(match[1])
                    lines += self.of_array(self.shapes[match[1]])
            # A local of another function is no variable here; those of this one come later.
            seen = [a for a in globals_ if re.match(r"rom|state", a.name)]
            first = [text for a in (*declared.values(), *seen) for text in self.of_array(a)]
            body = [*first, *self.of_function(name), *lines]
            if name != "top":
                self.helpers.append(name)
        return super().directed(name, params, body)

    def of_array(self, array: Array) -> list[str]:
        """Choose directives for an array."""
        lines = []
        if self.dice.random() < self.density * 0.7:
            kind = self.dice.choice(("array_partition", "array_partition", "array_reshape"))
            for dim in self.dice.sample((0, *range(1, len(array.shape) + 1)), 1):
                how = self.dice.choice(("complete", "cyclic", "block"))
                factor = f" factor={self.dice.choice((2, 2, 3, 4, 5, 8))}" * (how != "complete")
                text = f"#pragma HLS {kind} variable={array.name} {how}{factor}"
                lines.append(text + f" dim={dim}" * (dim != 1 or self.dice.random() < 0.5))
        if self.dice.random() < self.density * 0.3:
            text = f"type={self.dice.choice(_STORAGE)}{self.dice.choice(_IMPL)}"
            lines.append(f"#pragma HLS bind_storage variable={array.name} {text}")
        return lines

    def of_function(self, name: str) -> list[str]:
        """Choose directives for a function."""
        lines = []
        if name != "top" and self.dice.random() < 0.5:
            how = self.dice.choice(("", " off", " recursive", " off"))
            lines.append(f"#pragma HLS inline{how}")
        for _ in range(self.dice.randrange(3)):
            if self.dice.random() < self.density:
                operation = self.dice.choice(_OPERATIONS)
                limit = self.dice.choice((1, 1, 2, 3))
                text = f"instances={operation} limit={limit}"
                lines.append(f"#pragma HLS allocation operation {text}")
        if name == "top" and self.helpers and self.dice.random() < 0.3:
            text = f"instances={self.dice.choice(self.helpers)} limit=1 function"
            lines.append(f"#pragma HLS allocation {text}")
        if self.dice.random() < 0.2:
            lines.append(f"#pragma HLS latency min={self.dice.randrange(1, 12)}")
        if self.dice.random() < 0.2:
            lines.append("#pragma HLS expression_balance off")
        return lines


def program(seed: int, *, extra: int = 0) -> str:
    """Give the program of a seed."""
    text = DirectiveGenerator(seed, extra).program()
    assert text.startswith(HEAD.split("\n", 1)[0])
    return text
