# SPDX-License-Identifier: Apache-2.0
"""Random C programs of structures with arrays in them, and unions, with directives at their fields.

Structures lie in structures and in arrays, are packed or have bit-fields, are arguments and results
by value, arguments of the top function by pointer, copied, written as compound literals, and seen
through unions as words, halves and bytes. No byte that is compared is padding: what the top
function takes has none, and all members of a union are of one size.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from directive_programs import DirectiveGenerator
from vocabulary import INT, STANDARD, U32, Array, Function, Records, Scope, Type, Var

_UNSIGNED = tuple(kind for kind in STANDARD if not kind.signed)


@dataclass(frozen=True)
class Layout:
    """A structure or union: its name in C, its fields, whether it has no padding.

    The name of a field has a hole `{n}` for each index below n. `initial` is how its initialiser
    is written, with `@` for each value; `arrays` are its members that are arrays.
    """

    name: str
    fields: tuple[Var, ...]
    initial: str
    arrays: tuple[str, ...]
    width: int
    packed: bool


def braced(initial: str, hole: str) -> str:
    """Write the initialiser of an array by that of its first element."""
    return "{" * hole.count("[") + initial + "}" * hole.count("[")


class StructGenerator(DirectiveGenerator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.dice = random.Random(f"lydite hls directives of structures {seed}")
        self.random = random.Random(f"lydite hls structures {seed}")
        self.density = self.dice.choice((0.3, 0.6, 0.9))
        self.max_trips = self.random.choice((8, 16, 30))
        self.exact = False
        self.layouts: list[Layout] = []
        self.made: dict[str, Layout] = {}
        self.by_value: list[tuple[str, Layout]] = []

    # Structures.

    def tables(self, scope: Scope) -> None:
        """Write constant tables, behind the structures that the program has."""
        for _ in range(self.random.randrange(1, 4)):
            self.layouts.append(self.union() if self.chance(0.3) else self.layout())
        self.made = {layout.name: layout for layout in self.layouts}
        super().tables(scope)

    def layout(self) -> Layout:
        """Define a structure; a third of them have fields of one width only, a third are packed."""
        tag, pick = self.name("t"), self.random.randrange(3)
        width = self.random.choice((8, 16, 32, 64)) if pick == 0 else 0
        kinds = [kind for kind in STANDARD if width in (0, kind.width)]
        texts, fields, initial, arrays = [], [], [], []
        for _ in range(self.random.randrange(1, 5)):
            name, kind = self.name("m"), self.random.choice(kinds)
            inner = [one for one in self.layouts if not width or one.width == width]
            if inner and self.chance(0.35):
                nested = self.random.choice(inner)
                hole, brackets = self.brackets(0.5)
                texts.append(f"{nested.name} {name}{brackets};")
                fields += [Var(f"{name}{hole}.{f.name}", f.type) for f in nested.fields]
                initial.append(f".{name} = {braced(nested.initial, hole)}")
            elif pick == 1 and self.chance(0.3):
                bits = self.random.randrange(1, kind.width + 1)
                texts.append(f"{kind.name} {name} : {bits};")
                fields.append(Var(name, kind))
                initial.append(f".{name} = @")
            else:
                hole, brackets = self.brackets(0.7)
                texts.append(f"{kind.name} {name}{brackets};")
                fields.append(Var(f"{name}{hole}", kind))
                initial.append(f".{name} = {braced('@', hole)}")
                arrays += [name] * bool(hole)
        packed = pick == 2
        text = "__attribute__((packed)) " * packed
        self.lines.append(f"struct {text}{tag} {{ {' '.join(texts)} }};")
        # An inner structure may have padding.
        whole = packed and not any("." in field.name for field in fields)
        start = "{" + ", ".join(self.random.sample(initial, len(initial))) + "}"
        return Layout(f"struct {tag}", tuple(fields), start, tuple(arrays), width, whole)

    def brackets(self, probability: float) -> tuple[str, str]:
        """Choose the dimensions of a member: its holes for indices, and its declaration."""
        if not self.chance(probability):
            return "", ""
        shape = [self.random.choice((2, 3, 4, 5, 8))]
        if self.chance(0.2):
            shape.append(self.random.choice((2, 3)))
        return "".join(f"[{{{n}}}]" for n in shape), "".join(f"[{n}]" for n in shape)

    def union(self) -> Layout:
        """Define a union of 4 to 16 bytes, all of whose members are as large."""
        tag, size = self.name("u"), self.random.choice((4, 8, 16))
        texts, fields, arrays = [], [], []
        first = ""
        for kind in self.random.sample(_UNSIGNED, self.random.randrange(2, 4)):
            count, name = 8 * size // kind.width, self.name("m")
            if not count:
                continue
            texts.append(f"{kind.name} {name}[{count}];")
            fields.append(Var(f"{name}[{{{count}}}]", kind))
            arrays.append(name)
            first = first or f"{{.{name} = {{@}}}}"
        if self.chance(0.6):
            name, low = self.name("m"), self.random.randrange(1, 31)
            parts = f"uint32_t low : {low}; uint32_t high : {32 - low};"
            if self.chance(0.5):
                parts = "uint16_t low; int16_t high;"
            texts.append(f"struct {{ {parts} }} {name}[{size // 4}];")
            fields += [Var(f"{name}[{{{size // 4}}}].{part}", U32) for part in ("low", "high")]
        self.lines.append(f"union {tag} {{ {' '.join(texts)} }};")
        named = tuple(arrays)
        return Layout(f"union {tag}", tuple(fields), first, named, 0, packed=True)

    def struct(self, scope: Scope) -> None:
        """Write an array of structures, or a single one, that keeps its contents."""
        if self.chance(0.3):
            super().struct(scope)
            return
        layout, name = self.random.choice(self.layouts), self.name("r")
        size = self.random.choice((0, 1, 2, 3, 4, 8))
        start = ""
        if self.chance(0.3):
            value = re.sub("@", lambda _: self.constant(U32), layout.initial)
            start = f" = {{{value}}}" if size else f" = {value}"
        brackets = f"[{size}]" * bool(size)
        self.lines.append(f"static {layout.name} {name}{brackets}{start};")
        scope.records.append(Records(name, layout.name, size, list(layout.fields)))

    def place(self, records: Records, scope: Scope, depth: int) -> str:
        """Write one of some structures; those of which there is a single one have no size."""
        if not records.size:
            return records.name
        return f"{records.name}[{self.index(records.size, scope, depth)}]"

    def filled(self, text: str, scope: Scope, depth: int) -> str:
        """Write indices into the holes of a name."""
        return re.sub(r"\{(\d+)\}", lambda hole: self.index(int(hole[1]), scope, depth), text)

    def member(self, scope: Scope, depth: int) -> tuple[str, Type]:
        """Write a field of some structure, and give its type."""
        records = self.random.choice(scope.records)
        field = self.random.choice(records.fields)
        text = f"{self.place(records, scope, depth)}.{field.name}"
        return self.filled(text, scope, depth), field.type

    # Arguments.

    def array(self, stem: str) -> Array:
        """Choose an array: of the top function's arguments, often one of structures."""
        fitting = [one for one in self.layouts if one.width or one.packed]
        if stem == "a" and fitting and self.chance(0.5):
            kind = Type(self.random.choice(fitting).name, 0, False)
            made = Array(self.name(stem), kind, (self.random.choice((1, 1, 2, 4)),))
            self.shapes[made.name] = made
            return made
        return super().array(stem)

    def enter(self, scope: Scope, params: list[Var | Array]) -> None:
        """Let the body of the top function use its parameters."""
        plain = [p for p in params if p.type.name not in self.made]
        super().enter(scope, plain)
        for param in params:
            if isinstance(param, Array) and param not in plain:
                param.writable = True
                fields = list(self.made[param.type.name].fields)
                scope.records.append(Records(param.name, param.type.name, param.shape[0], fields))

    def helper(self, scope: Scope) -> Function:
        """Write a helper; half of them take a structure by value, and give one."""
        layout = self.random.choice(self.layouts)
        if self.chance(0.5):
            return super().helper(scope)
        name, given, other = self.name("f"), self.name("x"), self.name("y")
        number = Var(self.name("k"), self.random.choice(STANDARD))
        inner = self.inside_helper(scope, [number], 8)
        inner.records.append(Records(given, layout.name, 0, list(layout.fields)))
        self.in_helper = True
        body = self.block(inner, 4, 2)
        inner.records = [Records(f"(*{other})", layout.name, 0, list(layout.fields))]
        body.append(f"{given}.{self.filled(layout.fields[0].name, inner, 1)} ^= ")
        body[-1] += f"{self.member(inner, 1)[0]};"
        self.in_helper = False
        params = f"{layout.name} {given}, const {layout.name} *{other}, {number.type.name}"
        head = f"static {layout.name} {name}({params} {number.name})"
        body = [*self.of_function(name), *self.of_fields(given, layout), *body, f"return {given};"]
        self.lines += [*self.braced(head, body), ""]
        self.by_value.append((name, layout))
        self.helpers.append(name)
        return Function(name, None, [Array("none", Type(layout.name, 0, False), (1,))], cost=8)

    # Statements.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement."""
        if depth > 0 and self.chance(0.3):
            shapes = (self.local, self.literal, self.struct_copy, self.sweep, self.handed)
            return self.random.choice(shapes)(scope)
        return super().statement(scope, depth)

    def of_layout(self, records: Records) -> Layout | None:
        """Give the layout of some structures."""
        return self.made.get(records.struct)

    def alike(self, scope: Scope, layout: Layout) -> list[Records]:
        """Give all structures of a layout."""
        return [records for records in scope.records if records.struct == layout.name]

    def local(self, scope: Scope) -> list[str]:
        """Write a structure of its own, with directives at its fields, or a pointer to one."""
        layout = self.random.choice(self.layouts)
        alike, name = self.alike(scope, layout), self.name("s")
        fields = list(layout.fields)
        if alike and self.chance(0.3):
            place = self.place(self.random.choice(alike), scope, 2)
            scope.records.append(Records(f"(*{name})", layout.name, 0, fields))
            return [f"{layout.name} *{name} = &{place};"]
        start = self.initial(layout, scope)
        if alike and self.chance(0.3):
            start = self.place(self.random.choice(alike), scope, 2)
        scope.records.append(Records(name, layout.name, 0, fields))
        return [f"{layout.name} {name} = {start};", *self.of_fields(name, layout)]

    def of_fields(self, name: str, layout: Layout) -> list[str]:
        """Choose directives for the members of a structure that are arrays, or for all of it."""
        lines = []
        for array in (*layout.arrays, ""):
            if self.dice.random() < self.density * 0.5:
                how = self.dice.choice(("complete", "cyclic factor=2", "block factor=3"))
                kind = self.dice.choice(("array_partition", "array_partition", "array_reshape"))
                whole = f"{name}.{array}".rstrip(".")
                dim = self.dice.choice(("", " dim=0", " dim=1"))
                lines.append(f"#pragma HLS {kind} variable={whole} {how}{dim}")
        return lines

    def initial(self, layout: Layout, scope: Scope) -> str:
        """Write an initialiser."""
        return re.sub("@", lambda _: self.expression(scope, 2), layout.initial)

    def literal(self, scope: Scope) -> list[str]:
        """Write an assignment of a compound literal."""
        records = self.random.choice(scope.records) if scope.records else None
        layout = records and self.of_layout(records)
        if records is None or layout is None:
            return self.local(scope)
        value = f"({layout.name}){self.initial(layout, scope)}"
        return [f"{self.place(records, scope, 2)} = {value};"]

    def struct_copy(self, scope: Scope) -> list[str]:
        """Write a copy of a structure, by assignment or by memcpy or memmove."""
        if not scope.records:
            return self.local(scope)
        records = self.random.choice(scope.records)
        alike = [other for other in scope.records if other.struct == records.struct]
        to, by = (self.place(r, scope, 2) for r in (records, self.random.choice(alike)))
        if self.of_layout(records) is None or self.chance(0.7):
            return [f"{to} = {by};"]
        return [f"memmove(&{to}, &{by}, sizeof({records.struct}));"]

    def sweep(self, scope: Scope) -> list[str]:
        """Write a loop over a member that is an array."""
        held = [(r, f) for r in scope.records for f in r.fields if f.name.endswith("}]")]
        if not held or scope.trips > self.max_trips:
            return self.assignment(scope)
        records, field = self.random.choice(held)
        before, _, last = field.name[:-2].rpartition("[{")
        if not last.isdigit():
            return self.assignment(scope)
        counter = Var(self.name("i"), INT, writable=False)
        inner = scope.inner(in_loop=True, trips=scope.trips * int(last))
        inner.scalars.append(counter)
        text = f"{self.place(records, scope, 1)}.{self.filled(before, scope, 1)}[{counter.name}]"
        operator = self.random.choice(("", "+", "^", "-"))
        head = f"for (int {counter.name} = 0; {counter.name} < {last}; {counter.name}++)"
        return self.braced(head, [f"{text} {operator}= {self.expression(inner, 2)};"])

    def handed(self, scope: Scope) -> list[str]:
        """Write a call that takes a structure and gives one."""
        known = [(name, layout) for name, layout in self.by_value if self.alike(scope, layout)]
        if not known or 8 * scope.trips > 4 * self.max_trips or not scope.functions:
            return self.sweep(scope)
        name, layout = self.random.choice(known)
        alike = self.alike(scope, layout)
        to, by, with_ = (self.place(self.random.choice(alike), scope, 1) for _ in range(3))
        return [f"{to} = {name}({by}, &{with_}, {self.expression(scope, 1)});"]

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function, with directives at the fields of what it takes."""
        lines = []
        for param in params:
            if isinstance(param, Array) and param.type.name in self.made and name != "main":
                lines += self.of_fields(f"{param.name}[0]", self.made[param.type.name])
        return [*lines, *super().directed(name, params, body)]


def program(seed: int) -> str:
    """Give the program of a seed."""
    return StructGenerator(seed).program()
