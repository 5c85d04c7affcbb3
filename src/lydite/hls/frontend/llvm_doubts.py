# SPDX-License-Identifier: Apache-2.0
"""Which values of unoptimised LLVM IR may be undefined: never written, or from outside an array.

Works on text, before any pass, where every variable of C has its slot. A value is in doubt if it is
loaded from a slot that may not have been written on some way, from a local array or structure, from
a global array at a place that is not seen to be inside, through a pointer to who knows what, or if
it is computed from such a value. Arguments of the top function are inputs of hardware: defined, and
so are its arrays, until a value in doubt is stored there. Flow-insensitive but for what is written
first; monotone over the whole module.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding

from lydite.hls.frontend.llvm_bounds import Bounds, Code, successors

# llvmlite has no annotations.
llvm: Any = llvmlite.binding

_NAME = r'[%@](?:"[^"]*"|[\w.$-]+)'
_TOKEN = re.compile(_NAME)
_LINE = re.compile(rf"^  (?:({_NAME}) = )?(?:(?:tail|musttail|notail) )?(\w+) ?(.*)$")
_DEFINE = re.compile(r'^define [^@]*@("[^"]*"|[\w.$-]+)\(')
_LABEL = re.compile(r'^("[^"]*"|[\w.$-]+):')
_ARRAY = re.compile(r"\[(\d+) x ")
_CALLEE = re.compile(r"(@(?:\"[^\"]*\"|[\w.$-]+)|%(?:\"[^\"]*\"|[\w.$-]+))\(")
_GLOBAL = re.compile(r'^(@(?:"[^"]*"|[\w.$-]+)) = ')
_UNDEFINED = re.compile(r"\b(?:undef|poison)\b")
# What a pointer may lead to, beside objects.
_ANYTHING = "?"


def split_functions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Give the lines of each function with its name, and what is between with an empty one."""
    name = ""
    lines: list[str] = []
    for line in text.split("\n"):
        if not name and (found := _DEFINE.match(line)):
            yield "", lines
            name, lines = found[1].strip('"'), []
        lines.append(line)
        if name and line == "}":
            yield name, lines
            name, lines = "", []
    yield "", lines


@dataclass(slots=True)
class _Body:
    """A function: parameters, blocks, slots of scalars, and what is known of its values."""

    name: str
    params: list[str]
    code: list[Code] = field(default_factory=list)
    blocks: dict[str, list[Code]] = field(default_factory=dict)
    local: set[str] = field(default_factory=set)
    places: dict[str, str] = field(default_factory=dict)
    tables: set[str] = field(default_factory=set)
    wide: set[str] = field(default_factory=set)
    shown: set[str] = field(default_factory=set)
    bounds: Bounds = field(default_factory=lambda: Bounds({"": []}, set()))
    by_result: dict[str, Code] = field(default_factory=dict)
    doubtful: set[str] = field(default_factory=set)
    unsure: set[str] = field(default_factory=set)
    outside: set[str] = field(default_factory=set)
    leads: dict[str, frozenset[str]] = field(default_factory=dict)
    returns: bool = False
    result_leads: frozenset[str] = frozenset()


class Doubts:
    """Solves the question for a module.

    Parameters
    ----------
    text : str
        Unoptimised LLVM IR, linked.
    symbol : str
        The top function.
    arrays : bool
        Whether a word of a local array, at a place that is computed, may be one not yet written.
    """

    def __init__(self, text: str, symbol: str, *, arrays: bool) -> None:
        self.symbol = symbol
        self.arrays = arrays
        everything = {n: _parsed(n, lines) for n, lines in split_functions(text) if n}
        self.bodies = {name: everything[name] for name in _reached(everything, symbol)}
        self.objects: set[str] = set()
        # Local variables that are handed on before they are seen to be written.
        self.early: set[str] = set()
        self.bits = _sizes(text, self.bodies)
        self.everywhere = False
        self.changed = False
        self.leading = True
        for body in self.bodies.values():
            self._start(body, text)
        # Where pointers lead is known whole before anything is concluded from it.
        for self.leading in (True, False):
            self.changed = True
            while self.changed:
                self.changed = False
                for body in self.bodies.values():
                    for code in body.code:
                        self._visit(body, code)

    def of(self, name: str) -> set[str]:
        """Give the values of a function, `%name`, that are in doubt; it counts if it is reached."""
        return self.bodies[name].doubtful if name in self.bodies else set()

    def bound(self, name: str, value: str) -> int | None:
        """Give the largest number that a value of a function may be; None if that is not seen."""
        return self.bodies[name].bounds.of(value) if name in self.bodies else None

    def only_inputs(self, name: str) -> set[str]:
        """Give the pointers of a function that lead to arrays of the top function, if anywhere."""
        leads = self.bodies[name].leads.items() if name in self.bodies else ()
        return {value for value, to in leads if to and all(_is_input(item) for item in to)}

    def _start(self, body: _Body, text: str) -> None:
        unwritten, early = _unwritten(body, arrays=self.arrays)
        body.unsure |= unwritten
        self.early |= {f"{body.name} {place.split('|')[0]}" for place in early}
        if body.name == self.symbol:
            for param in body.params:
                body.leads[param] = frozenset((f"input {param}",))
        elif len(re.findall(rf'@"?{re.escape(body.name)}"?\b(?!\()', text)):
            # Its address is taken: anyone may call it.
            body.doubtful.update(body.params)
            body.leads.update(dict.fromkeys(body.params, frozenset((_ANYTHING,))))

    def _doubt(self, body: _Body, value: str) -> None:
        if value and value not in body.doubtful and not self.leading:
            body.doubtful.add(value)
            self.changed = True

    def _lead(self, body: _Body, value: str, to: frozenset[str]) -> None:
        known = body.leads.get(value, frozenset())
        if not to <= known:
            body.leads[value] = known | to
            self.changed = True

    def _to(self, body: _Body, value: str) -> frozenset[str]:
        if value.startswith("@"):
            return frozenset((value,))
        if value in body.local:
            return frozenset((f"{body.name} {value}",))
        return body.leads.get(value, frozenset())

    def _visit(self, body: _Body, code: Code) -> None:
        op = code.op
        if op == "load":
            self._load(body, code)
        elif op == "store":
            self._store(body, code)
        elif op in ("call", "invoke"):
            self._call(body, code)
        elif op == "ret":
            if any(name in body.doubtful for name in code.names) and not body.returns:
                body.returns = self.changed = True
            for name in code.names:
                body.result_leads |= self._to(body, name)
        elif code.result and op != "alloca":
            if any(name in body.doubtful for name in code.names) or _UNDEFINED.search(code.rest):
                self._doubt(body, code.result)
            to = frozenset(item for name in code.names for item in self._to(body, name))
            self._lead(body, code.result, to)
            away = op == "getelementptr" and not self._inside(body, code)
            if not self.leading and (away or any(name in body.outside for name in code.names)):
                body.outside.add(code.result)

    def _inside(self, body: _Body, code: Code) -> bool:
        """Whether an address stays in the array of its type, or in all that its base may be.

        The latter, for a base that is the first byte of something, counts where words of arrays
        that are not yet written do not count either.
        """
        if _inside(body, code):
            return True
        found = re.search(r"\bi(\d+), ptr \S+, i\d+ (\S+)$", code.rest)
        most = body.bounds.of(found[2]) if found and not self.arrays else None
        to = self._to(body, code.names[0]) if code.names else ()
        if found is None or most is None or not to:
            return False
        end = (most + 1) * int(found[1])
        return all(_is_input(item) or end <= self.bits.get(item, 0) for item in to)

    def _load(self, body: _Body, code: Code) -> None:
        pointer = code.names[-1] if code.names else ""
        if self._reads_doubt(body, pointer):
            self._doubt(body, code.result)
        if not code.rest.startswith("ptr"):
            return
        variable = body.places.get(pointer, "").split("|")[0]
        self._lead(body, code.result, body.leads.get(variable, frozenset()))
        if not variable or variable in body.shown:
            self._lead(body, code.result, frozenset((_ANYTHING,)))

    def _reads_doubt(self, body: _Body, pointer: str) -> bool:
        """Whether what lies behind a pointer may be undefined."""
        outside = pointer in body.outside
        place = body.places.get(pointer)
        if place is None:
            to = self._to(body, pointer) or frozenset((_ANYTHING,))
            return any(self._in_doubt(item, outside=outside) for item in to)
        variable = f"{body.name} {place.split('|')[0]}"
        return outside or self._holds_doubt(body, place) or variable in self.objects

    def _holds_doubt(self, body: _Body, place: str) -> bool:
        """Whether a place, what it is a part of, or a part of it is in doubt."""
        return _covers(body.unsure, place) or any(
            item.startswith(f"{place}|") for item in body.unsure
        )

    def _in_doubt(self, item: str, *, outside: bool) -> bool:
        if self.everywhere:
            return True
        if _is_input(item):
            return item in self.objects
        return item == _ANYTHING or outside or item in self.objects or item in self.early

    def _store(self, body: _Body, code: Code) -> None:
        if not code.names:
            return
        pointer, values = code.names[-1], code.names[:-1]
        doubtful = any(n in body.doubtful for n in values) or _UNDEFINED.search(code.rest)
        place = body.places.get(pointer)
        if place is not None:
            if doubtful and place not in body.unsure and not self.leading:
                body.unsure.add(place)
                self.changed = True
            for name in values:
                self._lead(body, place.split("|")[0], self._to(body, name))
        elif doubtful:
            self._spoil(self._to(body, pointer))

    def _spoil(self, to: frozenset[str]) -> None:
        """Note that a value in doubt was stored."""
        if self.leading:
            return
        if (not to or _ANYTHING in to) and not self.everywhere:
            self.everywhere = self.changed = True
        if not to <= self.objects:
            self.objects |= to
            self.changed = True

    def _call(self, body: _Body, code: Code) -> None:
        found = _CALLEE.search(code.rest)
        callee = self.bodies.get(found[1].lstrip("@").strip('"')) if found else None
        arguments = _arguments(code.rest[found.end() :]) if found else []
        if callee is not None:
            for param, argument in zip(callee.params, arguments, strict=False):
                names = _TOKEN.findall(argument)
                if any(n in body.doubtful for n in names) or _UNDEFINED.search(argument):
                    self._doubt(callee, param)
                for name in names:
                    self._lead(callee, param, self._to(body, name))
            if callee.returns:
                self._doubt(body, code.result)
            if code.result:
                self._lead(body, code.result, callee.result_leads)
            return
        name = found[1] if found else ""
        if name.startswith(("@llvm.memcpy.", "@llvm.memmove.")):
            source, target = (_TOKEN.findall(arguments[at])[-1] for at in (1, 0))
            if self._reads_doubt(body, source):
                self._spoil(self._to(body, target))
        if code.result and (
            name.startswith("%") or any(n in body.doubtful for n in code.names if n != name)
        ):
            self._doubt(body, code.result)
        if code.result:
            self._lead(body, code.result, frozenset((_ANYTHING,)))


def _sizes(text: str, bodies: dict[str, _Body]) -> dict[str, int]:
    """Give the bits of globals, and of local integers and arrays of them."""
    module = llvm.parse_assembly(text)
    data = llvm.create_target_data(module.data_layout)
    sizes = {
        f"@{variable.name}": 8 * data.get_abi_size(variable.global_value_type)
        for variable in module.global_variables
    }
    for body in bodies.values():
        for code in body.code:
            kind = re.match(r"(?:\[\d+ x )*i\d+", code.rest) if code.op == "alloca" else None
            if kind is not None:
                numbers = re.findall(r"\d+", kind[0])
                sizes[f"{body.name} {code.result}"] = math.prod(int(number) for number in numbers)
    return sizes


def _reached(bodies: dict[str, _Body], symbol: str) -> list[str]:
    """Give the functions that the top one may reach: any whose name is said there."""
    found, pending = {symbol: None}, [symbol]
    while pending:
        for code in bodies[pending.pop()].code:
            for name in (n[1:].strip('"') for n in code.names if n.startswith("@")):
                if name in bodies and name not in found:
                    found[name] = None
                    pending.append(name)
    return list(found)


def _is_input(item: str) -> bool:
    return item.startswith("input ")


def _arguments(rest: str) -> list[str]:
    """Cut what stands behind a call's opening bracket into arguments."""
    result, depth, start = [], 0, 0
    for at, char in enumerate(rest):
        if char in "([{<":
            depth += 1
        elif char in ")]}>":
            if depth == 0:
                result.append(rest[start:at])
                break
            depth -= 1
        elif char == "," and depth == 0:
            result.append(rest[start:at])
            start = at + 1
    return result


def _parsed(name: str, lines: list[str]) -> _Body:
    head = lines[0]
    start = _DEFINE.match(head)
    assert start is not None, "a function begins with its definition"
    # A parameter's name stands behind its type and attributes.
    tokens = [_TOKEN.findall(text) for text in _arguments(head[start.end() :])]
    params = [names[-1] for names in tokens if names]
    body = _Body(name, params)
    block: list[Code] = []
    body.blocks[""] = block
    for line in lines[1:]:
        if label := _LABEL.match(line):
            block = body.blocks.setdefault(label[1].strip('"'), [])
            continue
        found = _LINE.match(line)
        if found is None or line.startswith("    "):
            continue
        rest = re.split(r", !(?:dbg|llvm|tbaa|srcloc|heapallocsite)\b", found[3])[0]
        # What stands ahead of an address's base is a type.
        said = rest.split(", ptr ", 1)[-1] if found[2] == "getelementptr" else rest
        code = Code(found[1] or "", found[2], rest, _TOKEN.findall(said))
        block.append(code)
        body.code.append(code)
        if code.result:
            body.by_result[code.result] = code
    _find_places(body)
    body.bounds = Bounds(body.blocks, body.local - body.shown)
    return body


def _find_places(body: _Body) -> None:
    """Name the places in local variables that addresses mean: a variable, or a part of one.

    A part has the indices that lead to it behind its variable's name. An index that is computed
    may mean all of the array.
    """
    for code in body.code:
        if code.op == "alloca":
            body.local.add(code.result)
            if code.rest.startswith("["):
                body.tables.add(code.result)
            body.places[code.result] = code.result
        elif code.op == "getelementptr" and code.names and code.names[0] in body.places:
            base = body.places[code.names[0]]
            fixed = len(code.names) == 1 or not any("%" in i for i in _indices(code))
            path = "|".join(_indices(code)[1:])
            # An index ahead of the path that is not 0 steps to a neighbour of the variable.
            if fixed and _indices(code)[0].endswith(" 0"):
                body.places[code.result] = f"{base}|{path}" if path else base
            else:
                body.places[code.result] = base
            if not fixed:
                body.wide.add(code.result)
        if code.result and any(name in body.wide for name in code.names):
            body.wide.add(code.result)
    for code in body.code:
        used = code.names
        if code.op == "load" or "@llvm.lifetime." in code.rest:
            used = []
        elif code.op == "store":
            used = code.names[:-1]
        elif code.op == "getelementptr" and code.names[:1]:
            used = code.names[1:] if code.result in body.places else code.names
        body.shown.update(body.places[name].split("|")[0] for name in used if name in body.places)


def _indices(code: Code) -> list[str]:
    return [text.strip() for text in _arguments(code.rest + ")")[2:]]


def _covers(writes: frozenset[str] | set[str], place: str) -> bool:
    """Whether a place, or what it is a part of, is among those written."""
    parts = place.split("|")
    return any("|".join(parts[:end]) in writes for end in range(1, len(parts) + 1))


def _writes(body: _Body, code: Code) -> list[str]:
    """Give the places that an instruction writes for sure; a call fills what it is given."""
    if code.op == "store" and code.names:
        exact = code.names[-1] in body.places and code.names[-1] not in body.wide
        return [body.places[code.names[-1]]] if exact else []
    if code.op in ("call", "invoke") and "@llvm.lifetime." not in code.rest:
        return [body.places[n] for n in code.names if n in body.places and n not in body.wide]
    return []


def _read(code: Code) -> str:
    """Give the pointer through which an instruction reads; empty if it does not."""
    if code.op == "load" and code.names:
        return code.names[-1]
    if code.op == "call" and re.search(r"@llvm\.mem(?:cpy|move)\.", code.rest):
        return code.names[-1] if len(code.names) == 3 else ""
    return ""


def _unwritten(body: _Body, *, arrays: bool) -> tuple[set[str], set[str]]:
    """Find what may be used on some way from the start without having been written.

    Returns
    -------
    tuple of set, set
        Places that are read so, and places whose address is handed on so.
    """
    first = next((name for name in body.blocks if body.blocks[name]), "")
    writes = {n: {w for c in code for w in _writes(body, c)} for n, code in body.blocks.items()}
    fills = body.bounds.fills()
    written: dict[str, set[str]] = {first: set()}
    pending = [first]
    while pending:
        name = pending.pop()
        for target in (label for code in body.blocks[name][-1:] for label in successors(code)):
            filled = {body.places.get(address, "") for address in fills.get((name, target), ())}
            after = written[name] | writes[name] | filled
            before = written.get(target)
            merged = after if before is None else before & after
            if merged != before:
                written[target] = set(merged)
                pending.append(target)
    used: set[str] = set()
    handed: set[str] = set()
    for name, before in written.items():
        known = set(before)
        for code in body.blocks[name]:
            read = _read(code)
            for pointer in [read] if read else _handed(code):
                place = body.places.get(pointer)
                if place is None or (not arrays and place.split("|")[0] in body.tables):
                    continue
                if not _covers(known, place):
                    (used if read else handed).add(place)
            known.update(_writes(body, code))
    return used, handed


def _handed(code: Code) -> list[str]:
    """Give the values that others get: those of a call, and what a store keeps."""
    if code.op in ("call", "invoke"):
        return [] if "@llvm." in code.rest else code.names
    return code.names[:-1] if code.op == "store" else []


def _inside(body: _Body, code: Code) -> bool:
    """Whether a `getelementptr` is seen to stay in the arrays of its type."""
    operands = _arguments(code.rest + ")")
    sizes = [int(size) for size in _ARRAY.findall(operands[0].split("{")[0])]
    indices = [text.split()[-1] for text in operands[2:]]
    if not indices or indices[0] != "0":
        return False
    # Behind the dimensions there are fields of structures, which have fixed numbers.
    bounds = [body.bounds.of(index) for index in indices[1 : 1 + len(sizes)]]
    fits = all(b is not None and b < size for b, size in zip(bounds, sizes, strict=False))
    return fits and not any("%" in index for index in indices[1 + len(sizes) :])
