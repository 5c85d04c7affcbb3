# SPDX-License-Identifier: Apache-2.0
"""Takes local structures apart: a variable a field, so that each is a memory of its own.

LLVM does so where constants alone index a structure; one with an array in it that a variable
indexes stays one object, in one memory with two ports, counters and positions beside the array
included. Here a structure, or an array of them, becomes its fields wherever nothing sees more of it
than that: it is accessed by field, set or copied as a whole, or given by address to functions that
do no more; these get the addresses of the fields. C lets no pointer go from one field to another
(C11, 6.5.6p8). Works on LLVM's text ahead of optimisation, where an access still says its field. A
structure in a structure comes next, when it is a variable itself.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import llvmlite.binding

from lydite.hls.frontend import debug_info
from lydite.hls.frontend.library_stubs import split_parameters
from lydite.hls.frontend.llvm_ast import Array, Struct, Type, field_offset, size_of
from lydite.hls.frontend.llvm_lexer import Cursor

llvm: Any = llvmlite.binding

_NAME = r'%(?:"[^"]*"|[\w.$-]+)'
_LOCAL = re.compile(_NAME)
_FUNCTION = re.compile(r"^(define [^\n]*?@([\w.$]+)\()([^\n]*)\{\n(.*?)^\}", re.M | re.S)
_ALLOCA = re.compile(rf"  ({_NAME}) = alloca (?:\[(\d+) x ({_NAME})\]|({_NAME})), align (\d+)(.*)")
# Of an element of an array of structures, and of a field.
_ELEMENT = re.compile(
    rf"  ({_NAME}) = getelementptr (?:(?:inbounds|nuw|nusw) )*\[\d+ x ({_NAME})\], "
    rf"ptr ({_NAME}), i\d+ 0, (i\d+ [^,\n]+)"
)
_FIELD = re.compile(
    rf"  ({_NAME}) = getelementptr (?:(?:inbounds|nuw|nusw) )*({_NAME}), "
    rf"ptr ({_NAME}), i\d+ 0, i\d+ (\d+)(?![^,\n])(.*)"
)
_CALL = re.compile(r"(  (?:%\S+ = )?(?:(?:tail|musttail|notail) )?call [^@\n]*@([\w.$]+)\()(.*)")
_DEBUG = re.compile(rf"\s+#dbg_\w+\(ptr ({_NAME}), (?:!(\d+))?")
_WHOLE = {
    "llvm.memset.p0.i64": 1,
    "llvm.memcpy.p0.p0.i64": 2,
    "llvm.memmove.p0.p0.i64": 2,
    "llvm.lifetime.start.p0": 1,
    "llvm.lifetime.end.p0": 1,
}

# A pointer: the function and the name in it.
_Key = tuple[str, str]


@dataclass(slots=True)
class _Class:
    """Pointers to structures that are taken apart together, since calls or copies join them.

    Attributes
    ----------
    type : str
        The structure.
    count : int
        Elements of an array of them; 0 if it is none.
    align : int
        Bytes, of the variables.
    """

    type: str = ""
    count: int = 0
    align: int = 0


@dataclass(frozen=True, slots=True)
class _Part:
    """A field: its number, its variable, LLVM's type, bytes to where it begins, and of it."""

    number: int
    name: str
    type: str
    offset: int
    size: int


@dataclass(slots=True)
class _Function:
    """A function's text, and the pointers in it that may be to structures."""

    head: str
    name: str
    parameters: list[str]
    tail: str
    lines: list[str]
    pointers: set[str] = field(default_factory=set)
    # Of an element of an array: the array, and the index.
    elements: dict[str, tuple[str, str]] = field(default_factory=dict)
    # References to the C types of variables.
    types: dict[str, str] = field(default_factory=dict)


def are_left(text: str) -> bool:
    """Whether a module has a local structure, or an array of them, in memory."""
    return re.search(r"^  \S+ = alloca (?:\[\d+ x )?%", text, re.MULTILINE) is not None


def apart(text: str, symbol: str, kept: Collection[str], machine: Any) -> str:
    """Give a module with structures taken apart; one that has none to be is given as it is.

    `symbol` and `kept` are functions whose arguments stay as they are, `machine` LLVM's target.
    """
    module = llvm.parse_assembly(text)
    tuning = llvm.create_pipeline_tuning_options()
    manager = llvm.create_new_module_pass_manager()
    manager.add_sroa_pass()  # arguments are values, and no variables any more
    manager.run(module, llvm.create_pass_builder(machine, tuning))
    promoted, types = str(module), dict[_Key, str]()
    while True:
        step = _Step(promoted, {symbol, *kept}, types)
        if not step.classes:
            return promoted if types else text
        promoted = step.rewritten()


class _Step:
    """Takes the outermost structures apart.

    Parameters
    ----------
    types : dict
        References to the C types of variables that were fields; those of this step are added.
    """

    def __init__(self, text: str, fixed: set[str], types: dict[_Key, str]) -> None:
        self._text = text
        self._types = types
        self._debug = debug_info.of_text(text)
        bodies = re.findall(r"^(%\S+) = type (.*)$", text, re.MULTILINE)
        named: dict[str, Type] = dict(bodies)
        self._structs = {name: Cursor(name, named).type() for name, _ in bodies}
        self._bodies = dict(bodies)
        self._parent: dict[_Key, _Key] = {}
        self._blocked: set[_Key] = set()
        self._found: dict[_Key, _Class] = {}
        self._wholes: list[tuple[_Key, str]] = []
        self._functions = {one.name: one for one in _functions(text)}
        self._seen_as_values = {
            name
            for name in self._functions
            if len(re.findall(rf"@{re.escape(name)}\b", text))
            > len(
                re.findall(rf"^(?:define|  [^\n]*\bcall) [^@\n]*@{re.escape(name)}\(", text, re.M)
            )
        }
        for function in self._functions.values():
            self._collect(function, callable_=function.name not in fixed | self._seen_as_values)
        for function in self._functions.values():
            for line in function.lines:
                self._read(function, line)
        self.classes = {
            root: one for root, one in self._joined().items() if one.align and self._worth(one.type)
        }

    def _collect(self, function: _Function, *, callable_: bool) -> None:
        for parameter in function.parameters:
            if parameter.startswith("ptr ") and "byval(" not in parameter and callable_:
                self._add(function, parameter.split()[-1], _Class())
        for line in function.lines:
            if match := _ALLOCA.fullmatch(line):
                name, count, element, plain, align, _ = match.groups()
                one = _Class(element or plain, int(count or 0), int(align))
                self._add(function, name, one)
        for line in function.lines:
            match = _ELEMENT.match(line)
            if match and match[3] in function.pointers:
                function.elements[match[1]] = (match[3], match[4])

    def _add(self, function: _Function, name: str, one: _Class) -> None:
        key = (function.name, name)
        function.pointers.add(name)
        self._parent[key] = key
        self._found[key] = one
        if name[1:].isdigit():
            self._blocked.add(key)

    def _root(self, key: _Key) -> _Key:
        while self._parent[key] != key:
            key = self._parent[key]
        return key

    def _joined(self) -> dict[_Key, _Class]:
        """Give the classes that nothing forbids, by their roots."""
        found: dict[_Key, _Class] = {}
        blocked = {self._root(key) for key in self._blocked}
        for key, one in self._found.items():
            root = self._root(key)
            known = found.setdefault(root, one)
            if one.type and known.type:
                if (one.type, one.count) != (known.type, known.count):
                    blocked.add(root)
                known.align = max(known.align, one.align)
            elif one.type:
                found[root] = one
        for key, size in self._wholes:
            root = self._root(key)
            if size != f"i64 {self._size(found[root])}":
                blocked.add(root)
        return {root: one for root, one in found.items() if root not in blocked}

    def _worth(self, type_: str) -> bool:
        """Whether a structure has several fields, one of them no single value."""
        struct = self._structs.get(type_)
        if not isinstance(struct, Struct) or len(struct.fields) < 2:
            return False
        return any(isinstance(one, Array | Struct) for one in struct.fields)

    def _read(self, function: _Function, line: str) -> None:
        """Learn from a line what becomes of the pointers in it."""
        names = function.pointers.union(function.elements).intersection(_LOCAL.findall(line))
        if match := _CALL.match(line):
            names -= self._call(function, match)
        if not names or _ALLOCA.fullmatch(line):
            return
        if (match := _DEBUG.match(line)) and match[1] in function.pointers:
            if match[2]:
                fields = self._debug.fields(int(match[2]))
                function.types[match[1]] = fields.get("type", "")
                if "annotations" in fields:  # a directive speaks of it as a whole
                    self._blocked.add((function.name, match[1]))
            return
        if (match := _ELEMENT.match(line)) and match[1] in function.elements:
            one = self._found[(function.name, match[3])]
            if one.count and one.type == match[2]:
                names.discard(match[1])
                names.discard(match[3])
        elif match := _FIELD.fullmatch(line):
            names -= {match[3]} if self._is_field(function, match[3], match[2]) else set()
        for name in names:
            self._blocked.add((function.name, function.elements.get(name, (name,))[0]))

    def _is_field(self, function: _Function, name: str, type_: str) -> bool:
        """Whether a pointer is one to such a structure, as far as is known."""
        if name in function.elements:
            return self._found[(function.name, function.elements[name][0])].type == type_
        one = self._found[(function.name, name)]
        if not one.type:
            one.type = type_
        return one.type == type_ and not one.count

    def _call(self, function: _Function, match: re.Match[str]) -> set[str]:
        """Learn from a call; give the pointers that it may have."""
        arguments, _ = split_parameters(match[3])
        given = [one.split()[-1] if one.startswith("ptr ") else "" for one in arguments]
        if match[2] in _WHOLE:
            whole = [one for one in given[: _WHOLE[match[2]]] if one in function.pointers]
            if len(whole) == 2:
                self._join((function.name, whole[0]), (function.name, whole[1]))
            for name in whole:
                key = (function.name, name)
                if len(arguments) > 2:
                    self._wholes.append((key, arguments[2]))
                # Elements of an array that lies elsewhere are not side by side by fields.
                if self._found[key].count and len(whole) < _WHOLE[match[2]]:
                    self._blocked.add(key)
            return set(whole)
        called = self._functions.get(match[2])
        if called is None:
            return set()
        taken: set[str] = set()
        for argument, parameter in zip(given, called.parameters, strict=False):
            key = (called.name, parameter.split()[-1])
            if key not in self._parent:
                continue
            if argument in function.pointers:
                self._join(key, (function.name, argument))
                taken.add(argument)
            else:
                self._blocked.add(key)
        return taken if len(given) == len(called.parameters) else set()

    def _join(self, first: _Key, second: _Key) -> None:
        self._parent[self._root(first)] = self._root(second)

    def _size(self, one: _Class) -> int:
        struct = self._structs.get(one.type)
        return size_of(struct) * max(1, one.count) if isinstance(struct, Struct) else 0

    def rewritten(self) -> str:
        """Give the module with them taken apart."""

        def replace(match: re.Match[str]) -> str:
            function = self._functions[match[2]]
            return _Rewriter(function, self._parts_of(function)).text()

        return _FUNCTION.sub(replace, self._text)

    def _parts_of(self, function: _Function) -> dict[str, tuple[_Class, list[_Part]]]:
        """Give the fields of each pointer of a function that is taken apart."""
        taken = set(_LOCAL.findall("\n".join([*function.lines, *function.parameters])))
        found: dict[str, tuple[_Class, list[_Part]]] = {}
        for name in sorted(function.pointers):
            one = self.classes.get(self._root((function.name, name)))
            if one is None:
                continue
            struct = self._structs[one.type]
            assert isinstance(struct, Struct), one.type
            kinds = split_parameters(f"{self._bodies[one.type].strip('<{} >')})")[0]
            reference = self._types.get((function.name, name), function.types.get(name, ""))
            members = self._members(reference, len(kinds))
            parts: list[_Part] = []
            for number, (kind, (label, inner)) in enumerate(zip(kinds, members, strict=True)):
                part = _unused(f"{name.strip('%').strip(chr(34))}.{label}", taken)
                size, offset = size_of(struct.fields[number]), field_offset(struct, number)
                parts.append(_Part(number, part, kind, offset, size))
                self._types[(function.name, part)] = inner
            found[name] = (one, parts)
        return found

    def _members(self, reference: str, count: int) -> list[tuple[str, str]]:
        """Give the names of fields and references to their C types, where these are known."""
        fields = self._debug.fields(int(reference[1:])) if reference.startswith("!") else {}
        if fields.get("tag") not in (None, "DW_TAG_structure_type", "DW_TAG_class_type"):
            return self._members(fields.get("baseType", ""), count)
        elements = fields.get("elements", "")
        members = [
            self._debug.fields(one)
            for one in (self._debug.operands(int(elements[1:])) if elements else [])
        ]
        if len(members) != count or any("name" not in one for one in members):
            return [(str(number), "") for number in range(count)]
        return [(one["name"], one.get("baseType", "")) for one in members]


class _Rewriter:
    """Writes a function anew.

    Parameters
    ----------
    parts : dict
        Of each pointer that is taken apart: its class and its fields.
    """

    def __init__(
        self, function: _Function, parts: Mapping[str, tuple[_Class, list[_Part]]]
    ) -> None:
        self._function = function
        self._parts = parts
        self._renamed: dict[str, str] = {}
        self._places = 0

    def text(self) -> str:
        """Give it."""
        function = self._function
        parameters = ", ".join(self._arguments(function.parameters))
        lines = [made for line in function.lines for made in self._line(line)]
        body = _LOCAL.sub(lambda one: self._renamed.get(one[0], one[0]), "\n".join(lines))
        return f"{function.head}{parameters}){function.tail}{{\n{body}\n}}"

    def _arguments(self, given: list[str]) -> Iterator[str]:
        for one in given:
            name = one.split()[-1]
            if one.startswith("ptr ") and name in self._parts:
                yield from (f"ptr {part.name}" for part in self._parts[name][1])
            else:
                yield one

    def _line(self, line: str) -> Iterator[str]:
        if (match := _ALLOCA.fullmatch(line)) and match[1] in self._parts:
            one, parts = self._parts[match[1]]
            for part in parts:
                kind = f"[{one.count} x {part.type}]" if one.count else part.type
                yield f"  {part.name} = alloca {kind}, align {one.align}{match[6]}"
        elif (match := _DEBUG.match(line)) and match[1] in self._parts:
            return
        elif (match := _ELEMENT.match(line)) and match[3] in self._parts:
            yield from self._placeholder(match[1], self._parts[match[3]][1][0])
        elif match := _FIELD.fullmatch(line):
            yield from self._field(match, line)
        elif match := _CALL.match(line):
            yield from self._call(match, line)
        else:
            yield line

    def _field(self, match: re.Match[str], line: str) -> Iterator[str]:
        result, _, pointer, number, rest = match.groups()
        array, index = self._function.elements.get(pointer, ("", ""))
        if array in self._parts:
            one, parts = self._parts[array]
            part = parts[int(number)]
            kind = f"[{one.count} x {part.type}]"
            yield f"  {result} = getelementptr {kind}, ptr {part.name}, i64 0, {index}{rest}"
        elif pointer in self._parts:
            part = self._parts[pointer][1][int(number)]
            made = list(self._placeholder(result, part))
            if not made:
                self._renamed[result] = part.name
            yield from made
        else:
            yield line

    def _placeholder(self, name: str, part: _Part) -> Iterator[str]:
        """Keep the number of a value that has no name: LLVM wants all of them."""
        if name[1:].isdigit():
            yield f"  {name} = getelementptr i8, ptr {part.name}, i64 0"

    def _call(self, match: re.Match[str], line: str) -> Iterator[str]:
        head, callee, rest = match.groups()
        arguments, tail = split_parameters(rest)
        if callee not in _WHOLE:
            yield f"{head}{', '.join(self._arguments(arguments))}){tail}"
            return
        places = arguments[: _WHOLE[callee]]
        owned = [self._parts.get(one.split()[-1]) for one in places]
        found = next((one for one in owned if one is not None), None)
        if found is None:
            yield line
            return
        for at, part in enumerate(found[1]):
            given: list[str] = []
            for place, own in zip(places, owned, strict=True):
                if own is not None:
                    given.append(f"ptr align {own[0].align} {own[1][at].name}")
                else:
                    step, text = self._beside(place, part)
                    yield from step
                    given.append(text)
            more = arguments[len(places) :]
            if len(places) == 1 and more:
                given += [more[0], f"i64 {part.size * max(1, found[0].count)}", *more[2:]]
            elif more:
                given += [f"i64 {part.size * max(1, found[0].count)}", *more[1:]]
            elif given:
                given = [f"ptr {own[1][at].name}" for own in owned if own is not None]
            yield f"{head}{', '.join(given)}){tail}"

    def _beside(self, place: str, part: _Part) -> tuple[list[str], str]:
        """Give the field of a structure that stays whole: instructions, and an argument."""
        match = re.fullmatch(
            r"ptr ((?:\w+(?:\(\d+\))? )*?)(?:align (\d+) )?(\S+|\w+ \(.*\))", place
        )
        assert match is not None, place
        align = math.gcd(int(match[2] or 1), part.offset)
        if match[3][0] != "%":
            return [], f"ptr align {align} getelementptr (i8, ptr {match[3]}, i64 {part.offset})"
        self._places += 1
        name = f"%lydite.field.{self._places}"
        made = f"  {name} = getelementptr i8, ptr {match[3]}, i64 {part.offset}"
        return [made], f"ptr align {align} {name}"


def _functions(text: str) -> Iterator[_Function]:
    for match in _FUNCTION.finditer(text):
        parameters, tail = split_parameters(match[3])
        yield _Function(match[1], match[2], parameters, tail, match[4].rstrip("\n").split("\n"))


def _unused(stem: str, taken: set[str]) -> str:
    """Give a name that a function does not have yet, and take it."""
    plain = f"%{stem}" if re.fullmatch(r"[\w.$-]+", stem) else f'%"{stem}"'
    name, number = plain, 1
    while name in taken:
        number += 1
        name = f'{plain[:-1]}.{number}"' if plain.endswith('"') else f"{plain}.{number}"
    taken.add(name)
    return name
