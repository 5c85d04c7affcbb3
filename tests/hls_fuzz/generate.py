# SPDX-License-Identifier: Apache-2.0
"""Random C programs aimed at where HLS compilers go wrong.

Odd widths, shifts, divisions, wide products, arrays behind variable indices and several pointers,
loops with breaks, switch, goto, state over calls, functions with array arguments, overlapping
moves. No undefined behaviour beyond signed overflow (which wraps): indices are masked, divisors and
shift amounts guarded, all variables set. Each program has a function `top` and a `main` that calls
it a few times and returns a checksum, so that both can be made hardware.
"""

from __future__ import annotations

from vocabulary import (
    BOOL,
    INT,
    SIZES,
    STANDARD,
    U32,
    Array,
    Expressions,
    Function,
    Records,
    Scope,
    Type,
    Var,
)


class Generator(Expressions):
    """Writes one program; everything follows from the seed.

    `main` calls the top function up to `most_calls` times, less one, and fills the arrays before
    the first call only if it `keeps_arrays`.
    """

    most_calls = 6
    keeps_arrays = False

    def block(self, scope: Scope, budget: int, depth: int) -> list[str]:
        """Write a few statements."""
        lines: list[str] = []
        for _ in range(self.random.randrange(1, budget + 1)):
            lines += self.statement(scope, depth)
        return lines

    def target(self, scope: Scope) -> tuple[str, Type] | None:
        """Choose something that can be assigned to."""
        if scope.pointers and self.chance(0.3):
            name, kind, size = self.random.choice(scope.pointers)
            return f"{name}[{self.index(size, scope, 2)}]", kind
        if scope.records and self.chance(0.3):
            return self.member(scope, 2)
        arrays = [array for array in scope.arrays if array.writable]
        if arrays and self.chance(0.5):
            array = self.random.choice(arrays)
            return self.element(array, scope, 2), array.type
        scalars = [var for var in scope.scalars if var.writable]
        if scalars:
            var = self.random.choice(scalars)
            return var.name, var.type
        return None

    def assignment(self, scope: Scope) -> list[str]:
        """Write an assignment, plain or compound."""
        found = self.target(scope)
        if found is None:
            return []
        text, kind = found
        operator = self.random.choice(("", "", "", "+", "-", "^", "|", "&", "*"))
        value = self.expression(scope, 3)
        if kind.name == "_Bool" and operator == "*":
            operator = ""
        return [f"{text} {operator}= {value};"]

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement."""
        pick = self.random.random()
        if depth <= 0 or pick < 0.4:
            return self.assignment(scope)
        if pick < 0.48:
            kind = self.type()
            name = self.name("v")
            line = f"{kind.name} {name} = {self.expression(scope, 3)};"
            scope.scalars.append(Var(name, kind))
            return [line]
        if pick < 0.60:
            return self.conditional(scope, depth)
        if pick < 0.76:
            return self.loop(scope, depth)
        if pick < 0.82:
            return self.switch(scope, depth)
        if pick < 0.86:
            return self.jump(scope, depth)
        if pick < 0.89:
            return self.pointer(scope)
        if pick < 0.91:
            return self.struct_copy(scope)
        if pick < 0.95:
            return self.move(scope)
        return self.call(scope)

    def braced(self, head: str, body: list[str], tail: str = "}") -> list[str]:
        """Indent a body between a head and a tail."""
        return [f"{head} {{", *(f"  {line}" for line in body), tail]

    def conditional(self, scope: Scope, depth: int) -> list[str]:
        """Write an if, half of the time with an else."""
        then = self.block(scope.inner(), 3, depth - 1)
        lines = self.braced(f"if ({self.expression(scope, 2)})", then)
        if self.chance(0.5):
            lines[-1] = "} else {"
            lines += [f"  {line}" for line in self.block(scope.inner(), 3, depth - 1)] + ["}"]
        return lines

    def loop(self, scope: Scope, depth: int) -> list[str]:
        """Write a loop that ends after few trips, whatever happens."""
        most = max(2, min(17, self.max_trips // scope.trips))
        if scope.trips > self.max_trips:
            return self.assignment(scope)
        trips = self.random.randrange(1, most)
        counter = Var(self.name("i"), self.random.choice((INT, U32, STANDARD[1])), writable=False)
        inner = scope.inner(in_loop=True, trips=scope.trips * trips)
        inner.scalars.append(counter)
        body = self.block(inner, 3, depth - 1)
        if self.chance(0.25):
            exit_word = self.random.choice(("break", "continue"))
            body.insert(
                self.random.randrange(len(body) + 1), f"if ({self.leaf(scope)}) {exit_word};"
            )
        name = counter.name
        bound = str(trips)
        if self.chance(0.3):
            bound = f"(int)(({self.leaf(scope)}) & {trips}) + {self.random.randrange(2)}"
        shape = self.random.randrange(4)
        if shape == 0:
            lines = self.braced("do", body, f"}} while ({name}++ < {trips - 1});")
            return ["{", f"  {counter.type.name} {name} = 0;", *(f"  {x}" for x in lines), "}"]
        if shape == 1:
            start = trips * self.random.randrange(1, 4)
            step = start // trips
            head = f"for ({counter.type.name} {name} = {start}; {name} > 0; {name} -= {step})"
            return self.braced(head, body)
        declaration = f"{counter.type.name} {name} = 0"
        if shape == 2:
            lines = self.braced(f"while ({name} < {trips})", [f"{name}++;", *body])
            return ["{", f"  {declaration};", *(f"  {line}" for line in lines), "}"]
        # The bound is taken once: the body may change what it is made of.
        limit = self.name("n")
        head = f"for (int {limit} = {bound}, {name} = 0; {name} < {limit}; {name}++)"
        return self.braced(head, body)

    def switch(self, scope: Scope, depth: int) -> list[str]:
        """Write a switch with some cases that fall through."""
        cases = self.random.sample(range(-2, 12), self.random.randrange(2, 6))
        body: list[str] = []
        for value in cases:
            body.append(f"case {value}:")
            inner = self.block(scope.inner(), 2, depth - 1)
            body += self.braced("", inner)
            if self.chance(0.7):
                body.append("break;")
        if self.chance(0.6):
            body += ["default:", *self.braced("", self.block(scope.inner(), 2, depth - 1))]
        return self.braced(f"switch ((int)({self.expression(scope, 2)}) % 13)", body)

    def jump(self, scope: Scope, depth: int) -> list[str]:
        """Write a goto, forward or, a few times only, backward."""
        label = self.name("l")
        body = self.braced("", self.block(scope.inner(), 2, depth - 1))
        if self.chance(0.5):
            return [f"if ({self.expression(scope, 2)}) goto {label};", *body, f"{label}:;"]
        counter = self.name("g")
        body = self.braced("", self.block(scope.inner(trips=scope.trips * 3), 2, depth - 1))
        back = f"  if (++{counter} < 3 && ({self.leaf(scope)})) goto {label};"
        return ["{", f"  int {counter} = 0;", f"{label}:;", *(f"  {x}" for x in body), back, "}"]

    def pointer(self, scope: Scope) -> list[str]:
        """Write a pointer that may point into one of two arrays of a type."""
        flat = [array for array in scope.arrays if array.writable and len(array.shape) == 1]
        if not flat:
            return self.assignment(scope)
        first = self.random.choice(flat)
        same = [array for array in flat if array.type == first.type]
        second = self.random.choice(same)
        name = self.name("p")
        first_at = self.random.randrange(max(first.shape[0] // 2, 1))
        second_at = self.random.randrange(max(second.shape[0] // 2, 1))
        size = min(first.shape[0] - first_at, second.shape[0] - second_at)
        choice = f"({self.leaf(scope)}) ? {first.name} + {first_at} : {second.name} + {second_at}"
        if self.chance(0.3):
            choice, size = f"&{first.name}[{first_at}]", first.shape[0] - first_at
        scope.pointers.append((name, first.type, size))
        return [f"{first.type.name} *{name} = {choice};"]

    def struct_copy(self, scope: Scope) -> list[str]:
        """Write a copy of a struct, half of the time through a pointer."""
        if not scope.records:
            return self.assignment(scope)
        records = self.random.choice(scope.records)
        places = [f"{records.name}[{self.index(records.size, scope, 2)}]" for _ in range(2)]
        if self.chance(0.5):
            return [f"{places[0]} = {places[1]};"]
        name = self.name("q")
        field = self.random.choice(records.fields)
        value = self.expression(scope, 2)
        body = [
            f"struct {records.struct} *{name} = &{places[0]};",
            f"{name}->{field.name} = {value};",
        ]
        return self.braced("", body)

    def move(self, scope: Scope) -> list[str]:
        """Write a memcpy, memmove, memset or memcmp."""
        flat = [array for array in scope.arrays if array.writable and len(array.shape) == 1]
        if not flat:
            return self.assignment(scope)
        to = self.random.choice(flat)
        count = self.random.randrange(1, to.shape[0] + 1)
        pick = self.random.randrange(4)
        if pick == 0:
            value = self.random.choice((0, 0xFF, 0x5A)) if not to.type.exact else 0
            if to.type.name == "_Bool":
                value = 0
            return [f"memset({to.name}, {value}, {count} * sizeof({to.type.name}));"]
        if pick == 1 and to.shape[0] > 1:
            shift = self.random.randrange(1, to.shape[0])
            count = to.shape[0] - shift
            places = [f"{to.name} + {shift}", to.name]
            self.random.shuffle(places)
            return [f"memmove({places[0]}, {places[1]}, {count} * sizeof({to.type.name}));"]
        others = [a for a in flat if a.type == to.type and a is not to and not a.type.exact]
        if not others:
            return self.assignment(scope)
        other = self.random.choice(others)
        count = min(count, other.shape[0])
        size = f"{count} * sizeof({to.type.name})"
        if pick == 2:
            # A helper's arguments may be parts of one array, and of a global that it sees.
            copy = "memmove" if self.in_helper else "memcpy"
            return [f"{copy}({to.name}, {other.name}, {size});"]
        return [f"if (memcmp({to.name}, {other.name}, {size}) > 0) {to.name}[0] ^= 1;"]

    def call(self, scope: Scope) -> list[str]:
        """Write a call of a helper."""
        callable_now = [f for f in scope.functions if f.cost * scope.trips <= 4 * self.max_trips]
        if not callable_now:
            return self.assignment(scope)
        function = self.random.choice(callable_now)
        given = []
        taken: set[str] = set()
        for param in function.params:
            if isinstance(param, Var):
                given.append(self.expression(scope, 2))
                continue
            fitting = [
                array
                for array in scope.arrays
                if array.type == param.type and array.writable and len(array.shape) == 1
                if array.shape[0] >= param.shape[0]
            ]
            if not fitting:
                return self.assignment(scope)
            array = self.random.choice(fitting)
            taken.add(array.name)
            extra = array.shape[0] - param.shape[0]
            offset = self.random.randrange(extra + 1) if extra else 0
            given.append(f"{array.name} + {offset}" if offset else array.name)
        text = f"{function.name}({', '.join(given)})"
        found = self.target(scope)
        if function.returns is None or found is None:
            return [f"{text};"]
        return [f"{found[0]} ^= {text};" if self.chance(0.5) else f"{found[0]} = {text};"]

    # The program.

    def values(self, kind: Type, count: int) -> str:
        """Write an initialiser of a table."""
        return "{" + ", ".join(self.constant(kind) for _ in range(count)) + "}"

    def inside_helper(self, scope: Scope, params: list[Var | Array], part: int) -> Scope:
        """Give the scope of a helper's body, with a part of the trips that a program has."""
        return Scope(
            scalars=[p for p in params if isinstance(p, Var)] + scope.scalars,
            arrays=[p for p in params if isinstance(p, Array)] + scope.arrays,
            functions=[],
            records=list(scope.records),
            trips=max(1, self.max_trips // part),
        )

    def helper(self, scope: Scope) -> Function:
        """Write a helper function and give its head."""
        name = self.name("f")
        params: list[Var | Array] = []
        for _ in range(self.random.randrange(1, 4)):
            if self.chance(0.4):
                kind = self.random.choice([array.type for array in scope.arrays] or [U32])
                size = self.random.choice((2, 3, 4, 8))
                params.append(Array(self.name("a"), kind, (size,)))
            else:
                params.append(Var(self.name("x"), self.type()))
        returns = self.type() if self.chance(0.7) else None
        inner = self.inside_helper(scope, params, 8)
        if self.chance(0.3):
            static = Var(self.name("s"), self.type())
            self.lines.append(f"static {static.type.name} {static.name}_;")
            inner.scalars.append(Var(f"{static.name}_", static.type))
        self.in_helper = True
        body = self.block(inner, 4, 2)
        self.in_helper = False
        if returns is not None:
            body.append(f"return {self.expression(inner, 2)};")
        self.define("static ", name, returns, params, body)
        return Function(name, returns, params, cost=8)

    def define(
        self,
        prefix: str,
        name: str,
        returns: Type | None,
        params: list[Var | Array],
        body: list[str],
    ) -> None:
        """Write a function definition."""
        texts = []
        for param in params:
            brackets = ""
            const = ""
            if isinstance(param, Array):
                brackets = "".join(f"[{size}]" for size in param.shape)
                const = "" if param.writable else "const "
            texts.append(f"{const}{param.type.name} {param.name}{brackets}")
        head = f"{prefix}{returns.name if returns else 'void'} {name}({', '.join(texts) or 'void'})"
        self.lines += [*self.braced(head, self.directed(name, params, body)), ""]

    def directed(self, name: str, params: list[Var | Array], body: list[str]) -> list[str]:
        """Give the body of a function with the directives that stand in it: none here."""
        return body

    def port(self) -> Type:
        """Choose a type for an argument or result of the top function, mostly of one register."""
        kind = self.type()
        return kind if kind.width <= 64 or self.chance(0.05) else U32

    def array(self, stem: str) -> Array:
        """Choose an array's type and shape."""
        shape: tuple[int, ...] = (self.random.choice(SIZES),)
        if self.chance(0.2):
            shape = (self.random.choice((2, 3, 4)), self.random.choice((2, 3, 5)))
        # Bits that pad a _BitInt in memory are not specified: arrays that are compared have none.
        kind = self.random.choice([*STANDARD, BOOL])
        return Array(self.name(stem), kind, shape)

    def tables(self, scope: Scope) -> None:
        """Write constant tables."""
        for _ in range(self.random.randrange(0, 3)):
            rom = self.array("rom")
            rom.writable = False
            count = rom.shape[0] * (rom.shape[1] if len(rom.shape) > 1 else 1)
            brackets = "".join(f"[{size}]" for size in rom.shape)
            values = self.values(rom.type, count)
            if len(rom.shape) > 1:
                values = values.replace("{", "{{", 1)
                rows = [self.values(rom.type, rom.shape[1]) for _ in range(rom.shape[0])]
                values = "{" + ", ".join(rows) + "}"
            self.lines.append(f"static const {rom.type.name} {rom.name}{brackets} = {values};")
            scope.arrays.append(rom)

    def program(self) -> str:
        """Write the whole program."""
        scope = Scope([], [], [])
        self.tables(scope)
        for _ in range(self.random.randrange(0, 4)):
            state = self.array("state")
            brackets = "".join(f"[{size}]" for size in state.shape)
            start = "" if self.chance(0.5) or len(state.shape) > 1 else None
            values = "" if start is not None else f" = {self.values(state.type, state.shape[0])}"
            self.lines.append(f"static {state.type.name} {state.name}{brackets}{values};")
            scope.arrays.append(state)
        for _ in range(self.random.choice((0, 0, 1, 2))):
            self.struct(scope)
        for _ in range(self.random.randrange(0, 3)):
            var = Var(self.name("g"), self.type())
            value = f" = {self.constant(var.type)}" if self.chance(0.5) else ""
            self.lines.append(f"static {var.type.name} {var.name}{value};")
            scope.scalars.append(var)
        self.lines.append("")
        for _ in range(self.random.randrange(0, 4) + self.extra // 4):
            scope.functions.append(self.helper(scope.inner(functions=[])))
        params = self.top(scope)
        self.main(params)
        typedefs = [
            f"typedef {'signed' if t.signed else 'unsigned'} _BitInt({t.width}) {t.name};"
            for t in self.used_types.values()
        ]
        return "\n".join([HEAD, *typedefs, *self.lines]) + "\n"

    def struct(self, scope: Scope) -> None:
        """Write a struct, some fields of which may be bit-fields, and an array of it."""
        struct, fields, texts = self.name("t"), [], []
        for _ in range(self.random.randrange(1, 5)):
            member = Var(self.name("m"), self.random.choice(STANDARD))
            bits = f" : {self.random.randrange(1, member.type.width)}" if self.chance(0.2) else ""
            fields.append(member)
            texts.append(f"{member.type.name} {member.name}{bits};")
        size = self.random.choice((1, 2, 3, 4, 8))
        name = self.name("r")
        self.lines.append(f"struct {struct} {{ {' '.join(texts)} }};")
        self.lines.append(f"static struct {struct} {name}[{size}];")
        scope.records.append(Records(name, struct, size, fields))

    def top(self, scope: Scope) -> list[Var | Array]:
        """Write the top function and give its parameters."""
        params: list[Var | Array] = [self.array("a") for _ in range(self.random.randrange(0, 4))]
        params += [Var(self.name("x"), self.port()) for _ in range(self.random.randrange(0, 4))]
        self.random.shuffle(params)
        for param in params:
            if isinstance(param, Array) and len(param.shape) == 1 and self.chance(0.3):
                param.writable = False
        inner = scope.inner()
        self.enter(inner, params)
        body: list[str] = []
        for _ in range(self.random.randrange(0, 3)):
            local = self.array("l")
            brackets = "".join(f"[{size}]" for size in local.shape)
            body.append(f"{local.type.name} {local.name}{brackets} = {{{0}}};")
            inner.arrays.append(local)
        if self.chance(0.4):
            static = Var(self.name("s"), self.type())
            body.append(f"static {static.type.name} {static.name};")
            inner.scalars.append(static)
        returns = self.port() if self.chance(0.7) else None
        for _ in range(self.random.randrange(1, 4) + self.extra):
            body += self.block(inner, 5, 3)
        if returns is not None:
            body.append(f"return {self.expression(inner, 3)};")
        self.define("", "top", returns, params, body)
        self.returns = returns
        return params

    def enter(self, scope: Scope, params: list[Var | Array]) -> None:
        """Let the body of the top function use its parameters."""
        scope.scalars += [p for p in params if isinstance(p, Var)]
        scope.arrays += [p for p in params if isinstance(p, Array)]

    def main(self, params: list[Var | Array]) -> None:
        """Write main: fill the arguments, call, add up what comes out."""
        body = ["uint64_t seed = 88172645463325252u, sum = 0;"]
        given = []
        fill, add = [], []
        for param in params:
            if isinstance(param, Var):
                given.append(f"({param.type.name})NEXT")
                continue
            brackets = "".join(f"[{size}]" for size in param.shape)
            self.lines.append(f"static {param.type.name} {param.name}_in{brackets};")
            # What has no width is a structure, which is bytes here.
            unit = param.type.name if param.type.width else "uint8_t"
            size = f"sizeof {param.name}_in / sizeof({unit})"
            flat = f"(({unit} *){param.name}_in)[i]"
            once = "if (n == 0) " * self.keeps_arrays
            loop = f"for (unsigned i = 0; i < {size}; i++)"
            fill.append(f"{once}{loop} {flat} = ({unit})NEXT;")
            add.append(f"for (unsigned i = 0; i < {size}; i++) sum = sum * 31 + (uint64_t){flat};")
            given.append(f"{param.name}_in")
        # The order in which C evaluates arguments is open, so they get names first.
        names = []
        for number, text in enumerate(given):
            if "NEXT" in text:
                kind = text[1 : text.index(")")]
                fill.append(f"{kind} y{number} = {text};")
                names.append(f"y{number}")
            else:
                names.append(text)
        call = f"top({', '.join(names)})"
        call = f"sum = sum * 31 + (uint64_t){call};" if self.returns else f"{call};"
        calls = self.random.randrange(1, self.most_calls)
        body += self.braced(f"for (int n = 0; n < {calls}; n++)", [*fill, call, *add])
        body.append("return (int)(uint32_t)(sum ^ sum >> 32);")
        self.define("", "main", Type("int", 32, True), [], body)


HEAD = """#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#define ROTL32(x, n) ((x) << (n) | (x) >> (32 - (n)))
#define ROTL64(x, n) ((x) << (n) | (x) >> (63 & -(n)))
#define SAFE(op, T, a, b) ((T)(b) == 0 || (T)(b) == (T)-1 ? (T)(a) : (T)(a) op (T)(b))
#define NEXT (seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17)
"""


def program(seed: int, *, extra: int = 0) -> str:
    """Give the program of a seed, with `extra` blocks more than usual, of some 40 lines each."""
    return Generator(seed, extra).program()
