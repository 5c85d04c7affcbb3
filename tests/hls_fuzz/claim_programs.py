# SPDX-License-Identifier: Apache-2.0
"""Random C programs with `dependence` directives that are true, at pipelines that need them.

The indices of a loop come from arrays and numbers that `main` hands over, so that the compiler
cannot know them; the generator does, since it writes them out. It runs the indices of each loop
for every call, finds at which distances accesses meet, and claims what holds: `inter` and `intra`,
by direction or of all, false or with a distance, of one array or of all, of a loop, of its nest, or
of the function; also of calls of a pipelined function, whose iterations are its calls.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from generate import HEAD, Generator
from vocabulary import INT, STANDARD, Array, Scope, Type, Var

_NEVER = 1 << 30
_DIRECTIONS = ("RAW", "WAR", "WAW")
_BYTE = STANDARD[1]
# An index: the number of the call, that of the outer loop, that of the loop, to the index.
Place = Callable[[int, int, int], int]


@dataclass(frozen=True)
class Access:
    """An access of a loop's body to an array: where, and whether it is written."""

    array: str
    write: bool
    place: Place


@dataclass
class Facts:
    """At which distances, in iterations, accesses of each direction meet.

    `inter` is the least distance above 0, `intra` whether they meet within one.
    """

    inter: dict[str, int] = field(default_factory=lambda: dict.fromkeys(_DIRECTIONS, _NEVER))
    intra: dict[str, bool] = field(default_factory=lambda: dict.fromkeys(_DIRECTIONS, False))

    def learn(self, iterations: Sequence[Sequence[tuple[bool, int]]]) -> None:
        """Run a loop's iterations, each a row of accesses: whether it writes, and where."""
        for number, first in enumerate(iterations):
            for at, one in enumerate(first):
                self._meet(one, first[at + 1 :], 0)
                for later in range(number + 1, len(iterations)):
                    self._meet(one, iterations[later], later - number)

    def _meet(self, one: tuple[bool, int], others: Iterable[tuple[bool, int]], far: int) -> None:
        for other in others:
            direction = direction_of(one[0], other[0])
            if one[1] != other[1] or not direction:
                continue
            if far:
                self.inter[direction] = min(self.inter[direction], far)
            else:
                self.intra[direction] = True

    def join(self, other: Facts) -> None:
        """Take in what holds elsewhere, too."""
        for direction in _DIRECTIONS:
            self.inter[direction] = min(self.inter[direction], other.inter[direction])
            self.intra[direction] |= other.intra[direction]


def direction_of(first: bool, second: bool) -> str:
    """Name the order of two accesses, given whether each writes; nothing for two reads."""
    return {(True, False): "RAW", (False, True): "WAR", (True, True): "WAW"}.get(
        (first, second), ""
    )


class ClaimGenerator(Generator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.random.seed(f"lydite hls claims {seed}")
        self.exact = False
        self.whole = self.chance(0.2)
        self.calls = self.random.randrange(4, 20) if self.whole else self.random.randrange(1, 5)
        self.tables_in: dict[str, list[list[int]]] = {}
        self.numbers_in: dict[str, list[int]] = {}
        self.held: list[Array] = []
        self.given: list[Array] = []
        # Of the iterations of all loops; and whether one of them has a loop inside.
        self.facts: dict[str, Facts] = {}
        self.outer = False

    # What the compiler cannot know.

    def table_in(self, size: int, length: int) -> str:
        """Make an argument of indices below `size`, and choose what each call hands over.

        Mostly the same index comes again after some distance only, or never.
        """
        name, rows = self.name("p"), []
        pick = self.random.randrange(4)
        for _ in range(self.calls):
            if pick == 0:
                rows.append([self.random.randrange(size) for _ in range(length)])
                continue
            period = size if pick == 1 else self.random.randrange(1, size + 1)
            low = self.random.randrange(size - period + 1)
            order = self.random.sample(range(low, low + period), period)
            rows.append(list(itertools.islice(itertools.cycle(order), length)))
        self.tables_in[name] = rows
        return name

    def number_in(self, size: int) -> str:
        """Make an argument that is a number below `size`, and choose what each call hands over."""
        name = self.name("k")
        start, step = self.random.randrange(size), self.random.choice((1, 1, 3, size // 2))
        values = [(start + step * n) % size for n in range(self.calls)]
        if self.chance(0.3):
            values = [self.random.randrange(size) for _ in range(self.calls)]
        self.numbers_in[name] = values
        return name

    def place(self, size: int, inner: int, outer: int) -> tuple[str, Place]:
        """Choose an index below `size`, a power of two: its text, and its value."""
        pick = self.random.randrange(5)
        if inner * outer == 1 or pick == 0:
            name, step = self.number_in(size), self.random.choice((0, 1, 1, 3, 5))
            numbers = self.numbers_in[name]
            text = f"({name} + i * {step} + j) & {size - 1}"
            return text, lambda n, j, i: (numbers[n] + i * step + j) % size
        if pick == 1:
            name = self.table_in(size, inner * outer)
            rows = self.tables_in[name]
            return f"{name}[j * {inner} + i]", lambda n, j, i: rows[n][j * inner + i]
        known = [name for name, rows in self.tables_in.items() if len(rows[0]) >= inner]
        name = self.random.choice(known) if known and self.chance(0.4) else ""
        name = name or self.table_in(size, inner)
        rows = self.tables_in[name]
        other = self.random.randrange(size)
        if pick == 2:
            return (
                f"({name}[i] ^ {other}) & {size - 1}",
                lambda n, j, i: (rows[n][i] ^ other) % size,
            )
        if pick == 3:
            text = f"({name}[i] + j * {other}) & {size - 1}"
            return text, lambda n, j, i: (rows[n][i] + j * other) % size
        half = size // 2
        text = f"{name}[i] % {half} + {half}" if other < half else f"{name}[i] % {half}"
        more = half * (other < half)
        return text, lambda n, j, i: rows[n][i] % half + more

    # Loops, and what is true of them.

    def accesses(self, scope: Scope, inner: int, outer: int) -> tuple[list[str], list[Access]]:
        """Write the body of a loop: loads, stores of what follows from them, and what goes on."""
        lines, found = [], []
        chosen = self.random.sample(self.held, min(len(self.held), self.random.choice((1, 1, 2))))
        for _ in range(self.random.randrange(2, 6)):
            array = self.random.choice(chosen)
            text, place = self.place(array.shape[0], inner, outer)
            write = self.chance(0.5)
            found.append(Access(array.name, write, place))
            if not write:
                value = Var(self.name("v"), array.type)
                lines.append(f"{value.type.name} {value.name} = {array.name}[{text}];")
                scope.scalars.append(value)
                continue
            store = f"{array.name}[{text}] = {self.expression(scope, 2)};"
            lines.append(f"if ({self.leaf(scope)}) {store}" if self.chance(0.25) else store)
        lines.append(f"sum = sum * 3 + {self.leaf(scope)};")
        if self.chance(0.2):
            lines.append(f"if (({self.leaf(scope)}) == 77) break;" if not self.whole else ";")
        return lines, found

    def learnt(
        self, found: Sequence[Access], calls: Iterable[Sequence[tuple[int, int, int]]]
    ) -> dict[str, Facts]:
        """Give the facts of each array, from what runs there are of which iterations."""
        facts = {access.array: Facts() for access in found}
        for run in calls:
            for name, known in facts.items():
                mine = [access for access in found if access.array == name]
                known.learn([[(a.write, a.place(*at)) for a in mine] for at in run])
        return facts

    def unrolled(self, found: Sequence[Access], inner: int) -> list[Access]:
        """Give the accesses of an iteration that has a whole inner loop in it."""
        return [
            Access(a.array, a.write, lambda n, j, _, a=a, i=i: a.place(n, j, i))  # type: ignore[misc]
            for i in range(inner)
            for a in found
        ]

    def claims(self, facts: dict[str, Facts]) -> list[str]:
        """Choose directives that say what is true."""
        lines = []
        for name, known in facts.items():
            for _ in range(self.random.randrange(4)):
                lines += self.claim(f"variable={name} ", known)
        if facts and self.chance(0.15):
            every = Facts()
            for known in facts.values():
                every.join(known)
            lines += self.claim("", every)
        return lines

    def claim(self, variable: str, known: Facts) -> list[str]:
        """Choose a true claim, or none."""
        one = self.random.choice(("", *_DIRECTIONS))
        spoken = self.random.choice((str.upper, str.lower))(one)
        directions = [one] if one else list(_DIRECTIONS)
        kind = "class=array " if self.chance(0.1) and variable else ""
        head = f"#pragma HLS dependence {variable}{kind}"
        if self.chance(0.3):
            if any(known.intra[direction] for direction in directions):
                return []
            return [" ".join(f"{head}intra {spoken} false".split())]
        least = min(known.inter[direction] for direction in directions)
        inter = self.random.choice(("inter", "type=inter"))
        if least == _NEVER and self.chance(0.6):
            return [" ".join(f"{head}{inter} {spoken} false".split())]
        least = min(least, 9)
        far = least if self.chance(0.6) else self.random.randrange(1, least + 1)
        words = [f"{inter}", spoken, f"distance={far}", "true"]
        return [" ".join(f"{head}{' '.join(words)}".split())]

    def segment(self, scope: Scope) -> list[str]:
        """Write a loop, or a nest of two, with a pipeline and claims in it."""
        inner, outer = self.random.randrange(2, 14), 1
        shape = self.random.choice(("one", "one", "one", "unroll", "nest", "flat", "outer"))
        if shape in ("nest", "flat", "outer"):
            outer = self.random.randrange(2, 5)
        if shape == "outer":
            inner, outer = self.random.randrange(2, 4), self.random.randrange(2, 9)
        inside = scope.inner(trips=inner * outer)
        inside.scalars += [Var("i", INT, writable=False), Var("j", INT, writable=False)]
        body, found = self.accesses(inside, inner, outer)
        every = [[(n, j, i) for j in range(outer) for i in range(inner)] for n in range(self.calls)]
        facts = self.learnt(found, every)
        for name, known in facts.items():
            self.facts.setdefault(name, Facts()).join(known)
        directive = f"#pragma HLS pipeline{self.random.choice(('', '', ' II=1', ' II=2'))}"
        if shape == "outer":
            body = [line.replace("break;", "continue;") for line in body]
            turns = [[(n, j, 0) for j in range(outer)] for n in range(self.calls)]
            facts = self.learnt(self.unrolled(found, inner), turns)
            self.outer = True
        elif shape == "nest":
            turns = [
                [(n, j, i) for i in range(inner)] for n in range(self.calls) for j in range(outer)
            ]
            facts = self.learnt(found, turns)
        said = [directive, *self.claims(facts)]
        said += ["#pragma HLS loop_flatten"] * (shape == "flat" and self.chance(0.5))
        if shape == "unroll":
            said.append(f"#pragma HLS unroll factor={self.random.choice((2, 3))}")
        self.random.shuffle(said)
        bound = str(inner)
        if shape == "one" and self.chance(0.3):
            bound = f"{self.number_in(inner)} + 1"
        head = f"for (int i = 0; i < {bound}; i++)"
        if shape == "outer":
            body = [*said, *self.braced(head, body)]
        else:
            body = self.braced(head, [*said, *body])
        if outer > 1:
            return self.braced(f"for (int j = 0; j < {outer}; j++)", body)
        return ["{", "  const int j = 0;", *(f"  {line}" for line in body), "}"]

    # The program.

    def array_held(self) -> tuple[list[str], list[str]]:
        """Make an array that loops work on; give what fills it first, and its directives."""
        kind, size = self.random.choice(STANDARD), self.random.choice((4, 8, 16, 32))
        array = Array(self.name("a"), kind, (size,))
        self.held.append(array)
        text = f"{kind.name} {array.name}[{size}]"
        where = self.random.randrange(3)
        if where == 1:
            self.lines.append(f"static {text};")
        first, said = [], []
        if where == 2 and not self.whole:
            first = [f"{text};", f"for (int i = 0; i < {size}; i++) {array.name}[i] = i * 37 + 5;"]
        elif where != 1:
            self.given.append(array)
        if self.chance(0.3):
            how = self.random.choice(("cyclic factor=2", "block factor=2", "complete"))
            kind_of = self.random.choice(("array_partition", "array_reshape"))
            said.append(f"#pragma HLS {kind_of} variable={array.name} {how}")
        elif self.chance(0.3):
            how = self.random.choice(("ram_1p", "ram_2p", "ram_s2p impl=lutram", "ram_t2p"))
            said.append(f"#pragma HLS bind_storage variable={array.name} type={how}")
        return first, said

    def program(self) -> str:
        """Write the whole program."""
        scope = Scope([], [], [])
        self.tables(scope)
        body, directives = [], []
        for _ in range(self.random.randrange(1, 4)):
            first, of_array = self.array_held()
            body += first
            directives += of_array
        head = ["uint32_t sum = 1;"]
        scope.scalars.append(Var("sum", STANDARD[5], writable=False))
        if self.whole:
            inner = scope.inner()
            inner.scalars += [Var("i", INT, writable=False), Var("j", INT, writable=False)]
            text, found = self.accesses(inner, 1, 1)
            calls = [[(n, 0, 0) for n in range(self.calls)]]
            interval = self.random.choice(("", "", " II=1", " II=2"))
            said = [f"#pragma HLS pipeline{interval}", *self.claims(self.learnt(found, calls))]
            rest = ["const int i = 0, j = 0;", *text]
        else:
            rest = [
                line for _ in range(self.random.randrange(1, 4)) for line in self.segment(scope)
            ]
            more = not self.outer and self.chance(0.3)
            said = self.claims(self.facts) if more else []
        # Directives stand behind the declarations of what they name.
        arrays = [line for line in body if "[" in line and "for" not in line]
        fills = [line for line in body if line not in arrays]
        self.finish([*arrays, *directives, *said, *head, *fills, *rest])
        return "\n".join([HEAD, *self.lines]) + "\n"

    def finish(self, body: list[str]) -> None:
        """Write the top function and main, which hands over what was chosen."""
        u32 = Type("uint32_t", 32, False)
        length = {name: len(rows[0]) for name, rows in self.tables_in.items()}
        params: list[Var | Array] = [*self.given]
        params += [Array(name, _BYTE, (n,), writable=False) for name, n in length.items()]
        params += [Var(name, _BYTE) for name in self.numbers_in]
        self.define("", "top", u32, params, [*body, "return sum;"])
        for name, rows in self.tables_in.items():
            text = ", ".join("{" + ", ".join(map(str, row)) + "}" for row in rows)
            self.lines.append(f"static const uint8_t {name}_in[][{length[name]}] = {{{text}}};")
        for name, values in self.numbers_in.items():
            self.lines.append(
                f"static const uint8_t {name}_in[] = {{{', '.join(map(str, values))}}};"
            )
        main = ["uint64_t seed = 88172645463325252u, sum = 0;"]
        once = "if (n == 0) " if self.whole else ""
        inside, after = [], []
        for array in self.given:
            name, size = f"{array.name}_in", array.shape[0]
            self.lines.append(f"static {array.type.name} {name}[{size}];")
            loop = f"for (int i = 0; i < {size}; i++)"
            inside.append(f"{once}{loop} {name}[i] = ({array.type.name})NEXT;")
            after.append(f"{loop} sum = sum * 31 + (uint64_t){name}[i];")
        given = [f"{p.name}_in" + "[n]" * (p.type is _BYTE and p not in self.given) for p in params]
        inside.append(f"sum = sum * 31 + top({', '.join(given)});")
        main += self.braced(f"for (int n = 0; n < {self.calls}; n++)", [*inside, *after])
        self.define("", "main", Type("int", 32, True), [], [*main, "return (int)(uint32_t)sum;"])


def program(seed: int) -> str:
    """Give the program of a seed."""
    return ClaimGenerator(seed).program()


def is_whole(seed: int) -> bool:
    """Whether the top function of a seed's program is pipelined."""
    return ClaimGenerator(seed).whole
