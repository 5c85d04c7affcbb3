# SPDX-License-Identifier: Apache-2.0
"""Random C++ programs: templates, classes, references, lambdas, constexpr tables, std::array.

Their statements are those of `directives`. Functions are templates, take references to scalars and
to arrays, lie in namespaces, are methods, operators and lambdas with captures; classes have static
members, bases and default arguments; tables are computed by the compiler; loops run over ranges.
"""

from __future__ import annotations

import random

from directive_programs import DirectiveGenerator
from vocabulary import STANDARD, U32, Array, Function, Scope, Type, Var

_WORD = """\
template <int W> class word {
  uint64_t v;
  static constexpr uint64_t mask = W == 64 ? ~0ull : (1ull << W % 64) - 1;
 public:
  template <typename T> constexpr explicit word(T x) : v((uint64_t)x & mask) {}
  constexpr uint64_t value() const { return v; }
  constexpr word operator~() const { return word(~v); }
  constexpr word operator-() const { return word(-v); }
  constexpr word operator<<(int n) const { return n >= W ? word(0) : word(v << n); }
  constexpr word operator>>(int n) const { return n >= W ? word(0) : word(v >> n); }
  constexpr bool operator<(const word &o) const { return v < o.v; }
  constexpr bool operator==(const word &o) const { return v == o.v; }
  constexpr bool operator[](int i) const { return v >> i % W & 1; }
  word &operator++() { v = (v + 1) & mask; return *this; }
  word operator++(int) { word old = *this; ++*this; return old; }
#define OPERATOR(op) \\
  friend constexpr word operator op(const word &a, const word &b) { return word(a.v op b.v); } \\
  word &operator op##=(const word &o) { return *this = *this op o; }
  OPERATOR(+) OPERATOR(-) OPERATOR(*) OPERATOR(&) OPERATOR(|) OPERATOR(^)
#undef OPERATOR
};
"""
_FOLD = """\
template <typename... A> static constexpr uint64_t folded(A... a) {
  return (uint64_t{0} ^ ... ^ ((uint64_t)a * 5 + 1));
}
"""


class CxxGenerator(DirectiveGenerator):
    """Writes one program; everything follows from the seed."""

    def __init__(self, seed: int, extra: int = 0) -> None:
        super().__init__(seed, extra)
        self.dice = random.Random(f"lydite hls directives of c++ {seed}")
        self.random = random.Random(f"lydite hls c++ {seed}")
        self.density = self.dice.choice((0.0, 0.2, 0.5))
        self.max_trips = self.random.choice((8, 16, 30))
        self.exact = self.chance(0.15)
        # Arrays whose names are no pointers; templates that take these, or references.
        self.whole: set[str] = set()
        self.of_arrays: list[str] = []
        self.of_scalars: list[tuple[str, Type | None]] = []
        self.words = self.chance(0.6)
        self.folds = self.chance(0.3)
        self.sorts = self.chance(0.2)

    def tables(self, scope: Scope) -> None:
        """Write constant tables, some of them computed, behind what the program is made of."""
        self.lines += ["#define _Bool bool", "#include <array>", "#include <utility>"]
        self.lines += ["#include <algorithm>"] * self.sorts
        self.lines += [_WORD] * self.words + [_FOLD] * self.folds
        super().tables(scope)
        self.whole |= {array.name for array in scope.arrays}
        for _ in range(self.random.randrange(3)):
            table = Array(self.name("rom"), self.random.choice(STANDARD), (0,), writable=False)
            table.shape = (self.random.choice((2, 4, 5, 16, 64)),)
            kind, size = table.type.name, table.shape[0]
            inner = Scope([Var("i", U32, writable=False)], [], [])
            body = f"t[i] = ({kind})({self.expression(inner, 3)});"
            if self.chance(0.5):
                body = f"{body} if (i) t[i] ^= ({kind})(t[i - 1] * 3u);"
            loop = f"for (uint32_t i = 0; i < {size}; i++) {{ {body} }}"
            text = f"[] {{ std::array<{kind}, {size}> t{{}}; {loop} return t; }}()"
            self.lines.append(f"static constexpr auto {table.name} = {text};")
            scope.arrays.append(table)
        if self.chance(0.7):
            self.classes(scope)

    def builtin(self, scope: Scope, depth: int) -> str:
        """Write something that becomes an LLVM intrinsic, but where a constant must come of it."""
        if not scope.arrays and not scope.functions:
            return f"ROTL32((uint32_t)({self.leaf(scope)}), {self.random.randrange(1, 32)})"
        return super().builtin(scope, depth)

    # Functions.

    def helper(self, scope: Scope) -> Function:
        """Write a helper, or a template that stands for several."""
        self.whole |= {array.name for array in scope.arrays}
        if self.chance(0.6):
            self.random.choice((self.template, self.reference, self.over_array))(scope)
        space = self.name("n") if self.chance(0.3) else ""
        self.lines += [f"namespace {space} {{"] * bool(space)
        made = super().helper(scope)
        if space:
            self.lines.append("}")
            made.name = f"{space}::{made.name}"
        return made

    def written(self, name: str, head: str, inner: Scope, returns: str) -> None:
        """Write a function that is no helper of its own: a template, or one with references."""
        self.in_helper = True
        body = self.block(inner, 3, 1)
        body += [f"return ({returns})({self.expression(inner, 2)});"] * bool(returns)
        self.in_helper = False
        self.lines += [*self.braced(head, [*self.of_function(name), *body]), ""]

    def template(self, scope: Scope) -> None:
        """Write a template of a type and a number."""
        name, kind = self.name("f"), Type("T", 32, True)
        params: list[Var | Array] = [Var(self.name("x"), kind), Var(self.name("y"), kind)]
        params[1].writable = False
        inner = self.inside_helper(scope, params, 8)
        inner.scalars.append(Var("K", U32, writable=False))
        head = f"T {name}(T {params[0].name}, const T &{params[1].name})"
        if self.chance(0.5):
            self.lines.append("template <typename T, int K = 3>")
            self.of_scalars.append((f"{name}<>", None))
        else:
            self.lines.append("template <int K, typename T>")
            self.of_scalars.append((f"{name}<{self.random.randrange(1, 50)}>", None))
        self.written(name, f"static {head}", inner, "T")

    def reference(self, scope: Scope) -> None:
        """Write a function that changes a scalar, or an element, of its caller."""
        name, kind = self.name("f"), self.random.choice(STANDARD)
        params: list[Var | Array] = [Var(self.name("x"), kind), Var(self.name("y"), kind)]
        params[1].writable = False
        inner = self.inside_helper(scope, params, 8)
        head = f"{kind.name} &{params[0].name}, const {kind.name} &{params[1].name}"
        self.of_scalars.append((name, kind))
        self.written(name, f"static void {name}({head})", inner, "")

    def over_array(self, scope: Scope) -> None:
        """Write a template that takes a whole array."""
        name, element = self.name("f"), Type("T", 32, True)
        inner = self.inside_helper(scope, [Var("k", U32)], 8)
        inner.scalars += [Var("e", element), Var("N", U32, writable=False)]
        body = self.block(inner, 2, 1)
        loop = self.braced("for (T &e : a)", [*body, f"e ^= (T)({self.expression(inner, 2)});"])
        head = f"template <typename T, size_t N> static T {name}(T (&a)[N], uint32_t k)"
        self.lines += [*self.braced(head, [*loop, "return a[k % N];"]), ""]
        self.of_arrays.append(name)

    def classes(self, scope: Scope) -> None:
        """Write a class with state, and objects of it, whose methods are functions."""
        name, element = self.name("c"), self.array("m")
        member, kept = Var(self.name("m"), self.type()), Var(self.name("m"), self.type())
        brackets = "".join(f"[{size}]" for size in element.shape)
        body = [f"{member.type.name} {member.name} = {self.constant(member.type)};"]
        body += [f"{element.type.name} {element.name}{brackets} = {{}};"]
        body += [f"static {kept.type.name} {kept.name};", f"constexpr {name}() {{}}"]
        body.append(f"constexpr explicit {name}({member.type.name} x) : {member.name}(x) {{}}")
        methods = []
        for const in (False, self.chance(0.5)):
            method, param = self.name("f"), Var(self.name("x"), self.type())
            inner = self.inside_helper(Scope([], list(scope.arrays), []), [param], 8)
            inner.scalars += [Var(member.name, member.type, writable=not const), kept]
            held = Array(element.name, element.type, element.shape, writable=not const)
            inner.arrays = [*inner.arrays, held, held]
            self.in_helper = True
            lines = self.block(inner, 3, 1)
            self.in_helper = False
            returns = self.type()
            lines.append(f"return ({returns.name})({self.expression(inner, 2)});")
            more = " = 7" * self.chance(0.2)
            head = f"{returns.name} {method}({param.type.name} {param.name}{more})"
            body += self.braced(head + " const" * const, lines)
            methods.append(Function(method, returns, [param], cost=8))
        self.lines += [*self.braced(f"class {name}", ["public:", *body], "};")]
        self.lines.append(f"{kept.type.name} {name}::{kept.name} = {self.constant(kept.type)};")
        if self.chance(0.5):
            derived, method = self.name("c"), self.name("f")
            text = f"return (uint32_t)({methods[0].name}(({methods[0].params[0].type.name})x)"
            text += f" + {member.name} * 3u + {self.random.randrange(99)});"
            self.lines += self.braced(
                f"struct {derived} : {name}",
                [f"using {name}::{name};", *self.braced(f"uint32_t {method}(uint32_t x)", [text])],
                "};",
            )
            methods.append(Function(method, U32, [Var("x", U32)], cost=8))
            name = derived
        for _ in range(self.random.randrange(1, 3)):
            made = self.name("o")
            start = f"{{({member.type.name})3}}" if self.chance(0.5) else ""
            self.lines.append(f"static {name} {made}{start};")
            scope.functions += [
                Function(f"{made}.{method.name}", method.returns, method.params, cost=8)
                for method in methods
            ]

    # Statements.

    def statement(self, scope: Scope, depth: int) -> list[str]:
        """Write a statement."""
        if depth > 0 and self.chance(0.25):
            shapes = (self.lent, self.swept, self.lamb, self.standard, self.ranged)
            return self.random.choice(shapes)(scope)
        return super().statement(scope, depth)

    def expression(self, scope: Scope, depth: int) -> str:
        """Write an expression without side effects."""
        if depth > 1 and self.words and self.chance(0.12):
            return self.on_words(scope, depth)
        if depth > 1 and self.folds and self.chance(0.05):
            parts = [self.expression(scope, depth - 1) for _ in range(self.random.randrange(1, 4))]
            return f"folded({', '.join(parts)})"
        if depth > 1 and self.chance(0.06):
            kind = self.random.choice(STANDARD).name
            one, two = (self.expression(scope, depth - 1) for _ in range(2))
            if self.sorts:
                return f"std::{self.random.choice(('min', 'max'))}<{kind}>({one}, {two})"
            return f"static_cast<{kind}>({one} ^ {two})"
        return super().expression(scope, depth)

    def on_words(self, scope: Scope, depth: int) -> str:
        """Write an expression of the class that has operators of its own."""
        width = self.random.choice((1, 5, 8, 13, 32, 33, 64))
        one, two = (f"word<{width}>({self.expression(scope, depth - 1)})" for _ in range(2))
        operator = self.random.choice(("+", "-", "*", "&", "|", "^", "<", "==", "<<", ">>", "[]"))
        if operator in ("<", "=="):
            return f"({one} {operator} {two})"
        if operator in ("<<", ">>"):
            two = str(self.random.randrange(70))
        if operator == "[]":
            return f"{one}[{self.random.randrange(64)}]"
        sign = self.random.choice(("", "~", "-"))
        return f"({sign}({one} {operator} {two})).value()"

    def lent(self, scope: Scope) -> list[str]:
        """Write a call of a template, or of a function that changes what it is lent."""
        if not self.of_scalars or 8 * scope.trips > 4 * self.max_trips or self.in_helper:
            return self.assignment(scope)
        name, kind = self.random.choice(self.of_scalars)
        if kind is None:
            found, given = self.target(scope), self.random.choice(STANDARD).name
            if found is None:
                return []
            one, two = (f"({given})({self.expression(scope, 2)})" for _ in range(2))
            return [f"{found[0]} ^= {name}({one}, {two});"]
        lent = [var.name for var in scope.scalars if var.type == kind and var.writable]
        fitting = [a for a in scope.arrays if a.type == kind and a.writable]
        lent += [self.element(array, scope, 2) for array in fitting]
        if not lent:
            return self.assignment(scope)
        value = self.random.choice(lent) if self.chance(0.3) else self.expression(scope, 2)
        return [f"{name}({self.random.choice(lent)}, {value});"]

    def swept(self, scope: Scope) -> list[str]:
        """Write a call of a template that works on a whole array."""
        fitting = [a for a in scope.arrays if a.name in self.whole and a.writable]
        fitting = [a for a in fitting if len(a.shape) == 1 and a.type.name != "_Bool"]
        found = self.target(scope)
        if not self.of_arrays or not fitting or found is None or self.in_helper:
            return self.assignment(scope)
        array = self.random.choice(fitting)
        if array.shape[0] * scope.trips > 4 * self.max_trips:
            return self.assignment(scope)
        text = f"{self.random.choice(self.of_arrays)}({array.name}, {self.expression(scope, 1)})"
        return [f"{found[0]} = {text};"]

    def lamb(self, scope: Scope) -> list[str]:
        """Write a lambda, which statements behind it may call."""
        name, param, returns = self.name("f"), Var(self.name("x"), self.type()), self.type()
        how = self.random.choice(("[&]", "[&]", "[=]"))
        inner = scope.inner(trips=min(self.max_trips, 4 * scope.trips), in_loop=False)
        inner.functions = []
        if how == "[=]":
            inner = Scope([Var(v.name, v.type, writable=False) for v in scope.scalars], [], [])
        inner.scalars.append(param)
        body = self.block(inner, 2, 1)
        body.append(f"return ({returns.name})({self.expression(inner, 2)});")
        head = f"auto {name} = {how}({param.type.name} {param.name}) -> {returns.name}"
        lines = self.braced(head, body, "};")
        if any("#pragma" in line for line in lines):
            return self.assignment(scope)
        scope.functions = [*scope.functions, *[Function(name, returns, [param], cost=4)] * 2]
        # One line: a loop around may put an exit of its own between two.
        return [" ".join(line.strip() for line in lines)]

    def standard(self, scope: Scope) -> list[str]:
        """Write a std::array, a pair taken apart, or an exchange of two variables."""
        pick = self.random.randrange(3)
        if pick == 0:
            kind, size = self.random.choice(STANDARD), self.random.choice((2, 3, 4, 8))
            name = self.name("l")
            values = ", ".join(self.constant(kind) for _ in range(self.random.randrange(size)))
            scope.arrays.append(Array(f"{name}.data()", kind, (size,)))
            return [f"std::array<{kind.name}, {size}> {name}{{{values}}};"]
        if pick == 1:
            kind, first, second = self.random.choice(STANDARD), self.name("v"), self.name("v")
            one, two = self.expression(scope, 2), self.expression(scope, 2)
            scope.scalars += [Var(first, kind), Var(second, U32)]
            text = f"std::pair<{kind.name}, uint32_t>({one}, {two})"
            return [f"auto [{first}, {second}] = {text};"]
        lent = [var for var in scope.scalars if var.writable and not var.type.exact]
        alike = [(a, b) for a in lent for b in lent if a is not b and a.type == b.type]
        if not alike:
            return self.assignment(scope)
        one_var, two_var = self.random.choice(alike)
        return [f"std::swap({one_var.name}, {two_var.name});"]

    def ranged(self, scope: Scope) -> list[str]:
        """Write a loop over an array, or over a list."""
        fitting = [a for a in scope.arrays if a.name in self.whole and len(a.shape) == 1]
        fitting = [a for a in fitting if a.shape[0] * scope.trips <= 2 * self.max_trips]
        name = self.name("e")
        if self.chance(0.3) or not fitting:
            values = ", ".join(str(self.random.randrange(200)) for _ in range(3))
            head, element = f"for (int {name} : {{{values}}})", Var(name, STANDARD[4])
            inner = scope.inner(trips=3 * scope.trips, in_loop=True)
        else:
            array = self.random.choice(fitting)
            element = Var(name, array.type)
            how = self.random.choice(("auto", "auto &", "const auto &"))
            element.writable = how != "const auto &" and (array.writable or how == "auto")
            head = f"for ({how.strip(' ')} {name} : {array.name})"
            inner = scope.inner(trips=array.shape[0] * scope.trips, in_loop=True)
        if scope.trips > self.max_trips:
            return self.assignment(scope)
        inner.scalars.append(element)
        return self.braced(head, self.block(inner, 2, 1))

    def define(
        self,
        prefix: str,
        name: str,
        returns: Type | None,
        params: list[Var | Array],
        body: list[str],
    ) -> None:
        """Write a function definition; the arrays of the top function may be references."""
        super().define(prefix, name, returns, params, body)
        if name != "top":
            return
        at = max(
            n for n, line in enumerate(self.lines) if f" top({'' if params else 'void'}" in line
        )
        for param in params:
            if isinstance(param, Array) and param.name in self.whole:
                plain = f"{param.type.name} {param.name}["
                lent = f"{param.type.name} (&{param.name})["
                self.lines[at] = self.lines[at].replace(plain, lent)

    def enter(self, scope: Scope, params: list[Var | Array]) -> None:
        """Let the body of the top function use its parameters."""
        self.whole |= {p.name for p in params if isinstance(p, Array) and self.chance(0.5)}
        super().enter(scope, params)

    def array(self, stem: str) -> Array:
        """Choose an array; a local or global one is no pointer."""
        made = super().array(stem)
        if stem in ("l", "state"):
            self.whole.add(made.name)
        return made


def program(seed: int) -> dict[str, str]:
    """Give the program of a seed."""
    return {".cpp": CxxGenerator(seed).program()}
