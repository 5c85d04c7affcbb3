# SPDX-License-Identifier: Apache-2.0
"""Reads what LLVM's debug metadata says of C: places, names of variables, types of arguments."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, TypeAlias

from lydite.hls.contract.names import words
from lydite.hls.frontend.llvm_text import plain

_FIELD = re.compile(r'(\w+): ("(?:[^"\\]|\\.)*"|[^,()]+)')


CTypeKind: TypeAlias = Literal["integer", "float", "pointer", "array", "struct", "void", "other"]


@dataclass(frozen=True, slots=True)
class CType:
    """A C type as the debug information describes it.

    Attributes
    ----------
    kind : str
        `integer`, `float`, `pointer`, `array`, `struct`, `void` or `other`.
    name : str
        As C spells it.
    size : int
        Bytes; 0 if unknown.
    width : int
        Bits of value, for integers.
    signed : bool
        For integers.
    inner : CType or None
        What a pointer points to, the innermost element of an array.
    tag : str
        A structure's own name, behind any typedef.
    """

    kind: CTypeKind
    name: str
    size: int = 0
    width: int = 0
    signed: bool = False
    inner: CType | None = None
    tag: str = ""


VOID = CType("void", "void")
# Where the headers of the wheel lie.
_HEADERS = "/ziglang/lib/"
_TRANSPARENT = words(
    """DW_TAG_typedef DW_TAG_const_type DW_TAG_volatile_type DW_TAG_restrict_type
    DW_TAG_atomic_type DW_TAG_reference_type DW_TAG_rvalue_reference_type"""
)


class DebugInfo:
    """Lazy view of a module's metadata."""

    def __init__(self, metadata: Mapping[int, str]) -> None:
        self._metadata = metadata
        self._fields: dict[int, dict[str, str]] = {}
        self._where = cache(self._find_where)

    def fields(self, number: int) -> dict[str, str]:
        """Give the fields of a node; strings without quotes."""
        found = self._fields.get(number)
        if found is None:
            text = self._metadata.get(number, "")
            found = {key: plain(value.strip('"')) for key, value in _FIELD.findall(text)}
            self._fields[number] = found
        return found

    def operands(self, number: int) -> list[int]:
        """Give the nodes that a tuple node lists; 0-based positions of `null` hold -1."""
        text = self._metadata.get(number, "")
        body = text[text.find("{") + 1 : text.rfind("}")]
        items = [item.strip() for item in body.split(",") if item.strip()]
        return [int(item[1:]) if re.fullmatch(r"!\d+", item) else -1 for item in items]

    def text(self, number: int) -> str:
        """Give the text of a node."""
        return self._metadata.get(number, "")

    def where(self, location: int) -> str:
        """Give `file:line` of a debug location, a subprogram or a variable; empty if unknown."""
        return self._where(location)

    def where_called(self, location: int) -> str:
        """Give `where`, of what the compiler's own headers hold the place that called it."""
        place = self.where(location)
        for _ in range(100):
            outer = self.fields(location).get("inlinedAt", "")
            if _HEADERS not in place or not outer.startswith("!"):
                break
            location = int(outer[1:])
            place = self.where(location)
        return place

    def _find_where(self, location: int) -> str:
        fields = self.fields(location)
        line = fields.get("line", "0")
        file = self._file(location)
        if not file or line == "0":
            return ""
        return f"{file}:{line}"

    def in_braces(self, location: int) -> bool:
        """Whether a debug location is in braces inside those of its function."""
        number = location
        for _ in range(100):
            text = self.text(number)
            if "DILexicalBlock(" in text:
                return True
            scope = self.fields(number).get("scope", "")
            if "DISubprogram(" in text or not scope.startswith("!"):
                return False
            number = int(scope[1:])
        return False

    def _file(self, number: int) -> str:
        for _ in range(100):
            fields = self.fields(number)
            if "filename" in fields:
                return fields["filename"]
            step = fields.get("file") or fields.get("scope")
            if step is None or not step.startswith("!"):
                return ""
            number = int(step[1:])
        return ""

    def name(self, variable: int) -> str:
        """Give the name of a variable or function; of a global's expression, that of the global."""
        fields = self.fields(variable)
        if "var" in fields:
            return self.name(int(fields["var"][1:]))
        return fields.get("name", "")

    def variable_type(self, variable: int) -> CType:
        """Give the type of a variable."""
        return self.type(self.fields(variable).get("type", ""))

    def shape(self, variable: int, size: int) -> tuple[tuple[int, ...], int]:
        """Give the dimensions of an array variable of `size` bytes, and the bytes of an element.

        A parameter is declared as a pointer to what its first dimension counts; a structure with
        one member is that member. No dimensions if it is no array, or a dimension is not a
        constant.
        """
        reference = self.fields(variable).get("type", "")
        dims: list[int] = []
        pointer = False
        while reference.startswith("!"):
            number = int(reference[1:])
            fields = self.fields(number)
            tag = fields.get("tag", "")
            if tag == "DW_TAG_pointer_type" and not dims and not pointer:
                pointer = True
            elif tag == "DW_TAG_array_type":
                for item in self.operands(int(fields.get("elements", "!-1")[1:])):
                    count = self.fields(item).get("count", "")
                    if not count.isdigit():
                        return (), 0
                    dims.append(int(count))
            elif tag == "DW_TAG_structure_type":
                members = self.operands(int(fields.get("elements", "!-1")[1:]))
                if len(members) != 1:
                    break
                fields = self.fields(members[0])
            elif tag not in _TRANSPARENT:
                break
            reference = fields.get("baseType", "")
        element = self.type(reference).size
        inner = math.prod(dims) * element
        if pointer:
            if not inner or size % inner:
                return (), 0
            dims.insert(0, size // inner)
        return (tuple(dims), element) if dims and element else ((), 0)

    def subprogram_types(self, subprogram: int) -> list[CType]:
        """Give the result type of a function and those of its parameters."""
        routine = self.fields(subprogram).get("type", "")
        if not routine.startswith("!"):
            return []
        types = self.fields(int(routine[1:])).get("types", "")
        if not types.startswith("!"):
            return [VOID]
        return [
            VOID if number < 0 else self.type(f"!{number}")
            for number in self.operands(int(types[1:]))
        ]

    def type(self, reference: str) -> CType:
        """Resolve a type reference like `!12`."""
        if not reference.startswith("!"):
            return VOID
        number = int(reference[1:])
        fields = self.fields(number)
        text = self._metadata.get(number, "")
        size = int(fields.get("size", "0")) // 8
        name = fields.get("name", "")
        if "!DIBasicType" in text:
            return _basic(name, size, fields.get("encoding", ""))
        tag = fields.get("tag", "")
        inner = self.type(fields.get("baseType", "null"))
        if tag in ("DW_TAG_typedef", "DW_TAG_const_type", "DW_TAG_volatile_type") or tag in (
            "DW_TAG_restrict_type",
            "DW_TAG_atomic_type",
        ):
            word = {"DW_TAG_const_type": "const ", "DW_TAG_volatile_type": "volatile "}.get(tag, "")
            spelled = name or f"{word}{inner.name}"
            return replace(inner, name=spelled)
        if tag in ("DW_TAG_pointer_type", "DW_TAG_reference_type", "DW_TAG_rvalue_reference_type"):
            return CType("pointer", f"{inner.name} *", 8, inner=inner)
        if tag == "DW_TAG_enumeration_type":
            return CType("integer", f"enum {name}", size, size * 8, inner.signed)
        if tag == "DW_TAG_array_type":
            base = inner.inner if inner.kind == "array" and inner.inner else inner
            return CType("array", f"{base.name}[]", size, inner=base)
        if tag in ("DW_TAG_structure_type", "DW_TAG_union_type", "DW_TAG_class_type"):
            word = {"DW_TAG_union_type": "union"}.get(tag, "struct")
            return CType("struct", f"{word} {name}", size, tag=name)
        if "!DISubroutineType" in text:
            return CType("other", "a function")
        return CType("other", name or tag or "unknown type", size)


def _basic(name: str, size: int, encoding: str) -> CType:
    if encoding in ("DW_ATE_float", "DW_ATE_complex_float"):
        return CType("float", name, size)
    exact = re.search(r"_BitInt\((\d+)\)", name)
    width = int(exact[1]) if exact else 1 if encoding == "DW_ATE_boolean" else size * 8
    signed = encoding in ("DW_ATE_signed", "DW_ATE_signed_char")
    return CType("integer", name, size, width, signed)


def of_text(text: str) -> DebugInfo:
    """Read the debug information in LLVM's text."""
    nodes = re.findall(r"^!(\d+) = (.*)$", text, re.MULTILINE)
    return DebugInfo({int(number): node for number, node in nodes})


def first_call(text: str, name: str) -> str:
    """Give `file:line` of the first call of a function in LLVM's text; empty if there is none."""
    call = re.search(rf"call [^\n]*@{re.escape(name)}\([^\n]*!dbg !(\d+)", text)
    return of_text(text).where(int(call[1])) if call else ""


def name_of(text: str, symbol: str) -> str:
    """Give the name that a function's linker symbol has in the source, with those around it."""
    found = re.search(rf'^!(\d+) = [^\n]*linkageName: "{re.escape(symbol)}"', text, re.MULTILINE)
    if found is None:
        return symbol
    debug = of_text(text)
    number, names = int(found[1]), [""]
    while True:
        if name := debug.name(number):
            names.append(name.partition("<")[0])
        scope = debug.fields(number).get("scope", "")
        if not scope.startswith("!") or "DIFile(" in debug.text(int(scope[1:])):
            return "::".join(part for part in reversed(names) if part not in ("", "__1"))
        number = int(scope[1:])


def definition(text: str, name: str) -> str:
    """Give `file:line` of a function or variable in LLVM's text; empty if it is not defined there.

    A function without a line of its own, which C++ makes, has that of its first statement.
    """
    name = re.escape(name)
    variable = re.search(rf'^@"?{name}"? = [^\n]*!dbg !(\d+)', text, re.MULTILINE)
    function = re.search(rf'^define [^\n]*@"?{name}"?\([^\n]*\n.*?^}}', text, re.M | re.S)
    found = variable or function
    debug = of_text(text)
    numbers = re.findall(r"!dbg !(\d+)", found[0]) if found else []
    places = (debug.where(_of_variable(debug, int(number))) for number in numbers)
    return next((place for place in places if place), "")


def _of_variable(debug: DebugInfo, number: int) -> int:
    """Give the variable that a global's expression is of, or the node itself."""
    reference = debug.fields(number).get("var", "")
    return int(reference[1:]) if reference.startswith("!") else number
