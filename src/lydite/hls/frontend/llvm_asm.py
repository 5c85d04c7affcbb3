# SPDX-License-Identifier: Apache-2.0
"""Inline assembler without instructions: barriers that keep a C compiler from knowing a value.

`__asm__("" : "+r"(x))` computes x again, and a clobber of memory concerns nobody where one thread
runs. So an empty template, or one of comments alone, becomes what it leaves in its outputs: each
output has the input that is tied to it, or 0, and memory what it had. What
has instructions stays, and is refused later.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lydite.hls.frontend.library_stubs import split_parameters
from lydite.hls.frontend.llvm_text import plain

_ASM = re.compile(
    r'^( *)(?:(%\S+) = )?((?:tail |notail )?call|callbr) ([^"\n]*?) asm ([\w ]*)"([^"\n]*)", '
    r'"([^"\n]*)"\(([^\n]*)\n(?: +to label (%\S+) \[[^\n]*\n)?',
    re.MULTILINE,
)
_COMMENT = re.compile(r"/\*.*?\*/|(?:#|//)[^\n]*", re.DOTALL)
_ARGUMENT = re.compile(
    r"(\S+) (?:\w+\([^()]*(?:\([^()]*\)[^()]*)*\) |(?:noundef|nonnull|nocapture) )*(.+)"
)


def without_barriers(text: str) -> str:
    """Replace inline assembler without instructions in LLVM's text."""
    if " asm " not in text:
        return text
    made = iter(range(len(text)))
    return _ASM.sub(lambda match: _replaced(match, made), text)


def is_empty(template: str) -> bool:
    """Whether a template, as LLVM has it between quotes, has no instructions."""
    return not _COMMENT.sub("", plain(template)).strip(" \t\r\n;")


def _replaced(match: re.Match[str], made: Iterator[int]) -> str:
    indent, result, call, type_, _, template, constraints, rest = match.groups()[:8]
    if not is_empty(template):
        return match[0]
    arguments, after = split_parameters(rest)
    debug = re.search(r", !dbg !\d+", after)
    end = (debug[0] if debug else "") + "\n"
    if call == "callbr":
        return f"{indent}br label {match[9]}{end}" if type_ == "void" else match[0]
    values, stores = _outputs(constraints, arguments)
    lines = [f"store {stored}, ptr {place}" for stored, place in stores]
    if result is not None:
        lines += _results(result, type_, values, made)
    return "".join(f"{indent}{line}{end}" for line in lines)


def _outputs(
    constraints: str, arguments: list[str]
) -> tuple[list[tuple[str, str] | None], list[tuple[str, str]]]:
    """Give what each output in a register has, as type and value, and what is stored where."""
    items = [item for item in constraints.split(",") if not item.startswith(("~", "!"))]
    given = iter(_split(argument) for argument in arguments)
    places: list[str | None] = []
    inputs: dict[int, tuple[str, str]] = {}
    for item in items:
        if item.startswith("="):
            places.append(next(given)[1] if "*" in item else None)
            continue
        value = next(given)
        if item.isdecimal():
            inputs[int(item)] = value
    values = [inputs.get(number) for number, place in enumerate(places) if place is None]
    stores = [
        (" ".join(inputs[number]), place)
        for number, place in enumerate(places)
        if place is not None and number in inputs
    ]
    return values, stores


def _split(argument: str) -> tuple[str, str]:
    found = _ARGUMENT.fullmatch(argument)
    assert found is not None, f"an argument of assembler: {argument}"
    return found[1], found[2]


def _results(
    result: str, type_: str, values: list[tuple[str, str] | None], made: Iterator[int]
) -> Iterator[str]:
    """Write the value of one output, or the structure of several."""
    if not type_.startswith("{"):
        of, value = values[0] or (type_, "zeroinitializer")
        yield f"{result} = {_resize(of, type_)} {of} {value} to {type_}"
        return
    types, _ = split_parameters(type_[1:-1].strip() + ")")
    known = "undef"
    for number, (wanted, found) in enumerate(zip(types, values, strict=True)):
        of, value = found or (wanted, "zeroinitializer")
        last = number == len(types) - 1
        name = result if last else f"%lydite.asm.{next(made)}"
        if of != wanted:
            resized = f"%lydite.asm.{next(made)}"
            yield f"{resized} = {_resize(of, wanted)} {of} {value} to {wanted}"
            value = resized
        yield f"{name} = insertvalue {type_} {known}, {wanted} {value}, {number}"
        known = name


def _resize(of: str, to: str) -> str:
    """Give the cast of an output's input: they may have different widths."""
    if of == to or not (of[0] == to[0] == "i"):
        return "bitcast"
    return "trunc" if int(of[1:]) > int(to[1:]) else "zext"
