# SPDX-License-Identifier: Apache-2.0
"""Integers of more than 64 bits at the top function: one value each, instead of what the ABI does.

The System V ABI for x86-64 (3.2.3) passes `_BitInt` of 65 to 128 bits in two registers, and wider
ones, or all when registers run out, in memory; results likewise. Hardware has a port of the exact
width. So the definition's head is rewritten in LLVM's text, ahead of optimisation: the value comes
in one piece and is taken apart into what the body expects, which the optimiser then removes.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lydite.hls.frontend import debug_info
from lydite.hls.frontend.debug_info import CType, DebugInfo
from lydite.hls.frontend.library_stubs import split_parameters

_WORD = 64
_PAIR = "{ i64, i64 }"


@dataclass(slots=True)
class _Head:
    """The new head of the function, and what stands behind it."""

    parameters: list[str] = field(default_factory=list)
    entry: list[str] = field(default_factory=list)
    renamed: list[tuple[str, str]] = field(default_factory=list)


def widen(text: str, symbol: str) -> str:
    """Give the module with the top function's wide integers passed and returned whole."""
    pattern = rf"^(define [^\n]*?)(\S+|\{{[^\n@]*\}}) @{re.escape(symbol)}\(([^\n]*)\{{$"
    line = re.search(pattern, text, re.MULTILINE)
    if line is None or not re.search(r"\.coerce0\b|\bbyval\(|\bsret\(|\{ i64", line[0]):
        return text
    parameters, tail = split_parameters(line[3])
    number = re.search(r"!dbg !(\d+)", tail)
    if number is None:
        return text
    debug = debug_info.of_text(text)
    types = debug.subprogram_types(int(number[1]))
    end = text.index("\n}", line.end())
    body = text[line.end() : end]
    names = _names(debug, int(number[1]))
    head = _Head()
    result = line[2]
    if types and _is_wide(types[0]):
        result, parameters, body = _result(result, types[0].width, parameters, body, head)
    _arguments(parameters, types[1:], names, head)
    if not head.entry and result == line[2]:
        return text
    for old, new in head.renamed:
        body = re.sub(rf"{old}(?![\w.])", new, body)
    label = re.match(r"\s*(?:[\w.$-]+|\"[^\"\n]*\"):[^\n]*\n", body)
    at = label.end() if label else 0
    entry = "".join(f"  {statement}\n" for statement in head.entry)
    made = f"{line[1]}{result} @{symbol}({', '.join(head.parameters)}){tail}{{"
    return f"{text[: line.start()]}{made}{body[:at]}{entry}{body[at:]}{text[end:]}"


def _is_wide(type_: CType) -> bool:
    return type_.kind == "integer" and type_.width > _WORD


def _names(debug: DebugInfo, subprogram: int) -> dict[int, str]:
    """Give the names of the C parameters by position."""
    nodes = debug.fields(subprogram).get("retainedNodes", "")
    result: dict[int, str] = {}
    for number in debug.operands(int(nodes[1:])) if nodes.startswith("!") else []:
        fields = debug.fields(number)
        if fields.get("arg", "0") != "0":
            result[int(fields["arg"]) - 1] = fields.get("name", "")
    return result


def _arguments(
    parameters: list[str], types: list[CType], names: dict[int, str], head: _Head
) -> None:
    """Take wide arguments in one piece."""
    position = 0
    while parameters:
        own = [parameters.pop(0)]
        if " sret(" in own[0]:
            head.parameters.append(own[0])
            continue
        pair = re.fullmatch(r"i64 .*%([\w.$]+)\.coerce0", own[0])
        if pair and parameters and parameters[0].endswith(f"%{pair[1]}.coerce1"):
            own.append(parameters.pop(0))
        type_ = types[position] if position < len(types) else None
        memory = re.match(r"ptr .*byval\(", own[0])
        wide = type_ is not None and _is_wide(type_) and (len(own) == 2 or memory is not None)
        name = names.get(position) or f"arg{position}"
        position += 1
        if not wide or type_ is None or not re.fullmatch(r"[A-Za-z_]\w*", name):
            head.parameters += own
            continue
        _argument(own, f"{name}.coerce", type_, head)


def _argument(own: list[str], name: str, type_: CType, head: _Head) -> None:
    """Take one argument in one piece, and make of it what the body reads."""
    whole = 8 * type_.size
    head.parameters.append(f"i{type_.width} noundef %{name}")
    extend = "sext" if type_.signed else "zext"
    value = f"%{name}"
    if whole > type_.width:
        head.entry.append(f"{value}.whole = {extend} i{type_.width} {value} to i{whole}")
        value += ".whole"
    if len(own) == 1:
        place = own[0].split()[-1]
        if place[1:].isdigit():
            head.renamed.append((place, f"%{name}.place"))
            place = f"%{name}.place"
        head.entry.append(f"{place} = alloca i{whole}, align 16")
        head.entry.append(f"store i{whole} {value}, ptr {place}")
        return
    low, high = (parameter.split()[-1] for parameter in own)
    head.entry += [
        f"{low} = trunc i{whole} {value} to i64",
        f"%{name}.above = lshr i{whole} {value}, {_WORD}",
        f"{high} = trunc i{whole} %{name}.above to i64",
    ]


def _result(
    kind: str, width: int, parameters: list[str], body: str, head: _Head
) -> tuple[str, list[str], str]:
    """Return a wide result in one piece: give type, parameters and body."""
    narrow = f"i{width}"
    if kind == _PAIR:
        return narrow, parameters, _RETURN.sub(lambda match: _joined(match, body, width), body)
    if kind != "void" or not parameters or " sret(" not in parameters[0]:
        return kind, parameters, body
    place = parameters[0].split()[-1]
    whole = -(-width // _WORD) * _WORD
    if place[1:].isdigit():
        body = re.sub(rf"{place}(?![\w.])", "%lydite.place", body)
        place = "%lydite.place"
    head.entry.append(f"{place} = alloca i{whole}, align 16")

    def read(match: re.Match[str]) -> str:
        stem = f"%lydite.result.{match.start()}"
        lines = [f"  {stem}.all = load i{whole}, ptr {place}, align 16"]
        if whole > width:
            lines.append(f"  {stem} = trunc i{whole} {stem}.all to {narrow}")
        lines.append(f"  ret {narrow} {stem}{'' if whole > width else '.all'}{match[1]}")
        return "\n".join(lines)

    body = re.sub(r"^  ret void((?:, [^\n]*)?)$", read, body, flags=re.MULTILINE)
    return narrow, parameters[1:], body


_RETURN = re.compile(r"^  ret \{ i64, i64 \} ([^\s,]+)([^\n]*)$", re.MULTILINE)


def _joined(match: re.Match[str], body: str, width: int) -> str:
    """Return the halves of a pair as one value, or what they were read from."""
    stem, value = f"%lydite.result.{match.start()}", match[1]
    read = re.search(
        rf"^  {re.escape(value)} = load {re.escape(_PAIR)}, ptr ([^\s,]+)", body, re.MULTILINE
    )
    if read and re.search(rf"^  {re.escape(read[1])} = alloca i{width},", body, re.MULTILINE):
        lines = [f"{stem} = load i{width}, ptr {read[1]}, align 8"]
    else:
        lines = [
            f"{stem}.low = extractvalue {_PAIR} {value}, 0",
            f"{stem}.high = extractvalue {_PAIR} {value}, 1",
            f"{stem}.a = zext i64 {stem}.low to i129",
            f"{stem}.b = zext i64 {stem}.high to i129",
            f"{stem}.c = shl i129 {stem}.b, {_WORD}",
            f"{stem}.d = or i129 {stem}.a, {stem}.c",
            f"{stem} = trunc i129 {stem}.d to i{width}",
        ]
    return "\n".join(f"  {line}" for line in [*lines, f"ret i{width} {stem}{match[2]}"])
