# SPDX-License-Identifier: Apache-2.0
"""What of a program can be told something by a directive: its functions, loops and arrays.

They are read from the program as it was written, before LLVM optimises: names are those that a file
of directives uses. How often loops run, and which operations there are, is what the compiler finds
when nothing is inlined or unrolled. It changes nothing, and decides nothing.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from lydite.base import LyditeError
from lydite.hls import compiler
from lydite.hls.compiled import Compiled
from lydite.hls.contract.diagnostics import Diagnostics
from lydite.hls.contract.directive_text import Placed
from lydite.hls.contract.options import Options
from lydite.hls.frontend import clang, debug_info, llvm_loops, program
from lydite.hls.frontend.debug_info import DebugInfo
from lydite.hls.frontend.library_stubs import DEFINE
from lydite.hls.frontend.program import Program
from lydite.hls.ir.graph import SHIFTS

_CALLEE = re.compile(r"\bcall [^\n]*?@([\w.$]+)\(")
_DECLARE = re.compile(r'#dbg_declare\(ptr %(?:"[^"]*"|[\w.$-]+), !(\d+), !DIExpression\(\)')
_GLOBAL = re.compile(
    r'^@("[^"]*"|[\w.$-]+) = ((?:[a-z_]+(?:\(\d+\))? )*).*?, !dbg !(\d+)', re.MULTILINE
)
_NODE = re.compile(r"^!(\d+) = (?:distinct )?!\{(.*)\}$", re.MULTILINE)
_LABEL = re.compile(r'!"lydite\.loop", !"([^"]*)"')
_INSTRUCTION = re.compile(r"^  [^#\s]", re.MULTILINE)
# What `allocation` knows, by the compiler's own kinds, and the least bits worth a thought.
_SHARED = ("add", "sub", "mul", "and", "or", "xor", *sorted(SHIFTS))
_LEAST_BITS = 8


@dataclass(frozen=True, slots=True)
class Routine:
    """A C function that the top function reaches, or itself.

    Attributes
    ----------
    name, where : str
        As in C; `file:line`.
    calls : tuple of str
        The routines that it calls.
    operations : tuple of (str, int)
        Operations of each kind that `allocation` knows, of 8 bits and more, none with a constant
        where that makes them wires; empty where the compiler could not keep the function apart.
    size : int
        Instructions of its body as written, what it calls and loops not counted again.
    """

    name: str
    where: str
    calls: tuple[str, ...]
    operations: tuple[tuple[str, int], ...]
    size: int


@dataclass(frozen=True, slots=True)
class Loop:
    """A loop.

    Attributes
    ----------
    function, name : str
        As a file of directives names them.
    where : str
        `file:line`.
    outer : str
        The loop around it in the same function; empty for none.
    trips : int or None
        How often its body runs at most; None if the compiler finds no bound.
    calls : tuple of str
        The routines that are called in it, inner loops left out.
    size : int
        Instructions of one round as written, without inner loops and what is called.
    """

    function: str
    name: str
    where: str
    outer: str
    trips: int | None
    calls: tuple[str, ...]
    size: int


@dataclass(frozen=True, slots=True)
class Array:
    """An array: local, static or global, or an argument of the top function.

    `function` is where a directive names it; `dims` counts elements, of `bits` each. A constant
    one is a table.
    """

    function: str
    name: str
    where: str
    dims: tuple[int, ...]
    bits: int
    is_argument: bool
    is_constant: bool = False

    @property
    def words(self) -> int:
        """Elements in all."""
        return math.prod(self.dims)


@dataclass(frozen=True, slots=True)
class Places:
    """All of a program, in the order of its text; the top function first."""

    top: str
    routines: tuple[Routine, ...]
    loops: tuple[Loop, ...]
    arrays: tuple[Array, ...]

    def routine(self, name: str) -> Routine:
        """Give the routine of a name."""
        return next(one for one in self.routines if one.name == name)

    def inner(self, loop: Loop) -> tuple[Loop, ...]:
        """Give the loops right inside of a loop."""
        return tuple(
            one for one in self.loops if (one.function, one.outer) == (loop.function, loop.name)
        )


def find(options: Options) -> Places:
    """List the places of a program.

    Raises
    ------
    InputError, ToolFailed
        As `compiler.compile`: it does not compile, or there is no such top function.
    """
    built = program.build(options, Diagnostics())
    found = _Reader(built, options).places()
    known = _apart(options, found)
    return found if known is None else _measured(found, known)


class _Reader:
    """Reads unoptimised LLVM IR."""

    def __init__(self, built: Program, options: Options) -> None:
        self.options = options
        self.text = built.types
        self.symbol = built.symbol
        self.sizes = dict(built.sizes)
        self.debug: DebugInfo = debug_info.of_text(self.text)
        self.nodes = dict(_NODE.findall(self.text))
        bodies: dict[str, str] = {}
        self.shown: dict[str, str] = {}
        self.heads: dict[str, int] = {}
        for match in DEFINE.finditer(self.text):
            subprogram = re.search(r" !dbg !(\d+) \{", match[0].split("\n", 1)[0])
            if subprogram is None or self._is_ours(int(subprogram[1])):
                continue
            bodies[match[1]] = match[2]
            self.heads[match[1]] = int(subprogram[1])
            self.shown[match[1]] = self.debug.name(int(subprogram[1])) or match[1]
        reached = llvm_loops.reached({self.symbol}, llvm_loops.mentions(bodies))
        macros = {macro.function for macro in options.macros}
        # As they stand in the text, the top one first.
        order = sorted(reached, key=lambda name: (name != self.symbol, list(bodies).index(name)))
        self.bodies = {name: bodies[name] for name in order if self.shown[name] not in macros}

    def _is_ours(self, subprogram: int) -> bool:
        """Whether a function is of the compiler's own headers and library, and not the user's."""
        where = self.debug.where(subprogram)
        beside = (str(clang.INCLUDE.parent), "<lydite")
        return not where or where.startswith(beside) or "/ziglang/lib/" in where

    def places(self) -> Places:
        """List all; operations and how often loops run are not known yet."""
        routines: list[Routine] = []
        loops: list[Loop] = []
        arrays: list[Array] = []
        for name, body in self.bodies.items():
            blocks, successors = llvm_loops.blocks(body)
            bodies = llvm_loops.loop_bodies(blocks, successors) if blocks else {}
            home = llvm_loops.innermost_loops(bodies)
            outside = [line for label in blocks if label not in home for line in blocks[label]]
            routines.append(
                Routine(
                    name=self.shown[name],
                    where=self.debug.where(self.heads[name]),
                    calls=self._calls(body),
                    operations=(),
                    size=_size("".join(outside)),
                )
            )
            loops += self._loops(name, blocks, successors, bodies, home)
            arrays += self._local(name, body)
        return Places(
            top=self.shown[self.symbol],
            routines=tuple(routines),
            loops=tuple(loops),
            arrays=tuple(dict.fromkeys((*arrays, *self._global()))),
        )

    def _calls(self, code: str) -> tuple[str, ...]:
        found = (name for name in _CALLEE.findall(code) if name in self.bodies)
        return tuple(dict.fromkeys(self.shown[name] for name in found))

    def _loops(
        self,
        function: str,
        blocks: dict[str, list[str]],
        successors: dict[str, list[str]],
        bodies: dict[str, set[str]],
        home: dict[str, str],
    ) -> Iterator[Loop]:
        names = {
            head: self._name(head, blocks, successors, inside) for head, inside in bodies.items()
        }
        known: set[str] = set()
        for head in sorted(bodies, key=list(blocks).index):
            name, where = names[head]
            # Without a name, or with that of another one, no directive can mean it alone.
            if not name or name in known:
                continue
            known.add(name)
            around = [other for other in bodies if other != head and head in bodies[other]]
            outer = min(around, key=lambda other: len(bodies[other]), default="")
            own = "".join(
                line for label in blocks if home.get(label) == head for line in blocks[label]
            )
            yield Loop(
                function=self.shown[function],
                name=name,
                where=where,
                outer=names[outer][0] if outer else "",
                trips=None,
                calls=self._calls(own),
                size=_size(own),
            )

    def _name(
        self,
        head: str,
        blocks: dict[str, list[str]],
        successors: dict[str, list[str]],
        inside: set[str],
    ) -> tuple[str, str]:
        """Give the name of a loop, as directives from outside have it, and its place."""
        for label in blocks:
            if label not in inside or head not in successors[label]:
                continue
            found = re.search(r", !llvm\.loop !(\d+)", llvm_loops.terminator(blocks[label]))
            nodes = re.findall(r"!(\d+)", self.nodes.get(found[1], "")) if found else []
            places = [
                node
                for node in map(int, nodes)
                if {"line", "column"} <= self.debug.fields(node).keys()
            ]
            if not places:
                continue
            named = (_LABEL.search(self.nodes.get(node, "")) for node in nodes)
            label_of = next((match[1] for match in named if match), "")
            line = self.debug.fields(places[0])["line"]
            return label_of or f"loop_{line}", self.debug.where(places[0])
        return "", ""

    def _local(self, function: str, body: str) -> Iterator[Array]:
        for node in map(int, _DECLARE.findall(body)):
            is_argument = self.debug.variable_type(node).kind == "pointer"
            name = self.debug.name(node)
            if is_argument and function != self.symbol:
                continue  # what it points to is listed where it is
            kind = self.debug.variable_type(node)
            size = self.sizes.get(name, 0) if is_argument else kind.size
            if size < 0:  # in elements, from --depth
                size = -size * (kind.inner.size if kind.inner is not None else 0)
            yield from self._array(node, size, self.shown[function], is_argument=is_argument)

    def _global(self) -> Iterator[Array]:
        """Give the global and static arrays that some routine names, where the first one does."""
        for symbol, words, expression in _GLOBAL.findall(self.text):
            pattern = re.compile(rf"@{re.escape(symbol)}(?![\w.$-])")
            user = next((name for name, body in self.bodies.items() if pattern.search(body)), None)
            variable = self.debug.fields(int(expression)).get("var", "")
            if user is not None and variable.startswith("!"):
                node = int(variable[1:])
                size = self.debug.variable_type(node).size
                for array in self._array(node, size, self._home(node, user), is_argument=False):
                    yield replace(array, is_constant="constant" in words.split())

    def _home(self, node: int, user: str) -> str:
        """Give the function that a static variable is in, else one that uses the global."""
        scope = self.debug.fields(node).get("scope", "")
        inside = int(scope[1:]) if scope.startswith("!") else -1
        owner = next((name for name, head in self.heads.items() if head == inside), user)
        return self.shown[owner]

    def _array(self, node: int, size: int, function: str, *, is_argument: bool) -> Iterator[Array]:
        name = self.debug.name(node)
        kind = self.debug.variable_type(node)
        element = kind.inner
        while element is not None and element.kind in ("array", "pointer"):
            element = element.inner
        if size <= 0 or name.startswith("__lydite") or element is None or element.kind == "struct":
            return
        dims, size = self.debug.shape(node, size)
        if dims and math.prod(dims) > 1:
            where = self.debug.where(node)
            yield Array(function, name, where, dims, 8 * size, is_argument)


def _size(code: str) -> int:
    return len(_INSTRUCTION.findall(code))


def _apart(options: Options, found: Places) -> Compiled | None:
    """Compile with nothing inlined, unrolled or pipelined; None where that cannot be done."""
    kept = [Placed("inline off", one.name) for one in found.routines if one.name != found.top]
    rolled = [
        Placed(text, one.function, one.name)
        for one in found.loops
        for text in ("unroll off", "pipeline off")
    ]
    for directives in ((*kept, *rolled), tuple(rolled), ()):
        try:
            return compiler.compile(replace(options, directives=directives, check=False))
        except LyditeError:
            continue
    return None


def _measured(found: Places, known: Compiled) -> Places:
    """Add how often loops run, and the operations of functions."""
    by_name = {
        (f.name, loop.name): loop.trip_max for f in known.report.functions for loop in f.loops
    }
    by_place = {loop.where: loop.trip_max for f in known.report.functions for loop in f.loops}
    loops = tuple(
        replace(one, trips=by_name.get((one.function, one.name), by_place.get(one.where)))
        for one in found.loops
    )
    operations = _operations(known)
    routines = tuple(
        replace(one, operations=operations.get(one.name, ())) for one in found.routines
    )
    return replace(found, loops=loops, routines=routines)


def _operations(known: Compiled) -> Mapping[str, tuple[tuple[str, int], ...]]:
    result = {}
    for name, function in known.module.functions.items():
        counts: Counter[str] = Counter()
        for op in function.ops():
            shared = op.kind in _SHARED and op.width >= _LEAST_BITS
            if shared and not any(arg.kind == "const" for arg in op.args):
                counts[op.kind] += 1
        result[name] = tuple(sorted(counts.items()))
    return result
