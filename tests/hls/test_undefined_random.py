# SPDX-License-Identifier: Apache-2.0
"""Random programs with undefined values that never matter give what they give without them.

Each statement adds a number that is known when it is written, and around it stands something that
C leaves undefined: reads, stores and branches outside of arrays, shifts too far, variables that
nobody wrote. Several programs are cases of one function, so that they are compiled at once.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from lydite.hls import Options
from lydite.hls.compiler import compile as compile_c
from lydite.hls.ir.interpret import Machine

X = 3
CASES = 8
HEAD = """static const int T[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static const unsigned char B[5] = {9, 8, 7, 6, 5};
static int m[64], spare[8];
"""


class Writer:
    """Writes statements; `total` is what they add to s, for x = 3."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self.total, self.count = 0, 0

    def statements(self, times: int, depth: int) -> str:
        """Write some statements that are done so many times."""
        kinds = [self.table, self.bytes, self.shift, self.unwritten, self.store, self.late]
        kinds += [self.loop, self.loop] if depth else []
        chosen = [self.random.choice(kinds) for _ in range(self.random.randint(1, 3))]
        return "\n".join(kind(times, depth) for kind in chosen)

    def fresh(self) -> str:
        self.count += 1
        return f"v{self.count}"

    def add(self, times: int) -> str:
        number = self.random.randint(1, 99)
        self.total += times * (number + X)
        return f"s += x + {number};"

    def loop(self, times: int, depth: int) -> str:
        name, count = self.fresh(), self.random.randint(2, 4)
        body = self.statements(times * count, depth - 1)
        return f"for (int {name} = 0; {name} < {count}; {name}++) {{ {body} }}"

    def table(self, times: int, depth: int) -> str:
        name, last = self.fresh(), self.random.randint(9, 60)
        self.total += times * 36 * X
        return (
            f"for (int {name} = 0; {name} < {last}; {name}++) m[{name}] = T[{name}];\n"
            f"for (int {name} = 0; {name} < 8; {name}++) s += m[{name}] * x;"
        )

    def bytes(self, times: int, depth: int) -> str:
        name, last = self.fresh(), self.random.randint(6, 12)
        self.total += times * 35
        return (
            f"for (int {name} = 0; {name} < {last}; {name}++) {{\n"
            f"  if (B[{name}] > {self.random.randint(0, 9)}) s += T[B[{name}]] & 0;\n"
            f"  if ({name} < 5) s += B[{name}]; }}"
        )

    def shift(self, times: int, depth: int) -> str:
        name, amount = self.fresh(), self.random.randint(29, 90)
        way = self.random.choice(["<<", ">>"])
        return f"int {name} = s {way} (x + {amount}); if ({name} != x) {name} = 0;\n" + self.add(
            times
        )

    def unwritten(self, times: int, depth: int) -> str:
        name = self.fresh()
        return (
            f"int {name}; if (x > 50) {name} = x;\n"
            f"if ({name} > {self.random.randint(-9, 9)}) s += x > 50;\n"
            f"s += (x > 50 ? {name} : x) - x; " + self.add(times)
        )

    def store(self, times: int, depth: int) -> str:
        first, second = self.random.randint(5, 60), self.random.randint(-60, 60)
        return f"spare[x + {first}] = s; m[0] += spare[x + {second}]; " + self.add(times)

    def late(self, times: int, depth: int) -> str:
        name, read = self.fresh(), self.fresh()
        self.total += times * 36
        return (
            f"for (int {name} = 0; ; {name}++) {{ int {read} = T[{name}]; "
            f"if ({name} >= 8) break; s += {read}; }}"
        )


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.slow) for n in range(4, 40))]
)
def test_undefined_values_that_never_matter_change_nothing(seed: int, tmp_path: Path) -> None:
    writers = [Writer(100 * seed + number) for number in range(CASES)]
    cases = "".join(
        f"case {number}: {{\n{writer.statements(1, 2)}\nbreak; }}\n"
        for number, writer in enumerate(writers)
    )
    path = tmp_path / "k.c"
    body = f"int s = 0;\nswitch (which) {{\n{cases}}}\nreturn s;"
    path.write_text(f"{HEAD}int top(int which, int x) {{\n{body}\n}}\n", encoding="utf-8")
    machine = Machine(compile_c(Options(sources=(path,), top="top")).module, limit=100_000)
    got = [machine.call({"which": number, "x": X}).value for number in range(CASES)]
    assert got == [writer.total for writer in writers]
