# SPDX-License-Identifier: Apache-2.0
"""Calls that hardware cannot make: input and output is dropped with a note, exits are inlined.

Works on the text of unoptimised LLVM IR, so that what only feeds a dropped call is optimised away.
"""

from __future__ import annotations

import re

from lydite.hls import debuginfo
from lydite.hls.interface import Warn
from lydite.hls.words import words

# Output functions: they change nothing that the program can see, and their result is rarely read.
_OUTPUT = words(
    """printf fprintf vprintf vfprintf dprintf puts putchar putchar_unlocked putc fputc fputs
    fwrite fflush perror setbuf setvbuf setlinebuf fclose __printf_chk __fprintf_chk"""
)
_LEAVING = words("exit _exit _Exit quick_exit abort __assert_fail __assert_rtn")

_DECLARE = re.compile(r"^declare (?:!dbg !\d+ )?([^\n@]*?)@([\w.$]+)\(([^\n]*)\)[^\n]*$", re.M)
DEFINE = re.compile(r"^define [^\n]*?@([\w.$]+)\([^\n]*\{\n(.*?)^\}", re.M | re.S)


def drop_output(text: str) -> tuple[str, list[Warn]]:
    """Replace the declarations of output functions by empty ones that are inlined."""
    notes: list[Warn] = []

    def replace(match: re.Match[str]) -> str:
        if match[2] not in _OUTPUT:
            return match[0]
        call = re.search(rf"call [^\n]*@{re.escape(match[2])}\([^\n]*!dbg !(\d+)", text)
        if call is None:
            return match[0]
        debug = debuginfo.of_text(text)
        what = f"{match[2]} is dropped: hardware has no console; its result is 0"
        notes.append(Warn(debug.where(int(call[1])), what))
        return _empty(match[1], match[2], match[3])

    return _DECLARE.sub(replace, text), notes


def _empty(result: str, name: str, params: str) -> str:
    type_ = next((word for word in result.split() if re.fullmatch(r"i\d+|ptr|void", word)), "void")
    value = {"void": "void", "ptr": "ptr null"}.get(type_, f"{type_} 0")
    types = [match[0] for match in re.finditer(r"(?:^|(?<=, ))(?:i\d+|ptr|\.\.\.)", params)]
    return f"define internal {type_} @{name}({', '.join(types)}) alwaysinline {{\n  ret {value}\n}}"


def inline_leavers(text: str, top: str) -> str:
    """Ask for inlining of every function from which `exit` or the like may be reached."""
    bodies = {match[1]: match[2] for match in DEFINE.finditer(text)}
    calls = {
        name: set(re.findall(r"\bcall [^\n]*?@([\w.$]+)\(", body)) for name, body in bodies.items()
    }
    found = {name for name, callees in calls.items() if callees & _LEAVING}
    pending = set(found)
    while pending:
        pending = {n for n, callees in calls.items() if callees & pending} - found
        found |= pending
    found.discard(top)
    for name in sorted(found):
        text = add_attribute(text, name, "alwaysinline")
    return text


def add_attribute(text: str, name: str, attribute: str) -> str:
    """Put an inlining attribute on a function's definition, unless the source gave it one."""
    pattern = re.compile(
        rf"^(define [^\n]*@{re.escape(name)}\([^\n]*?)( #(\d+))?((?: !dbg !\d+)? \{{)$",
        re.MULTILINE,
    )
    match = pattern.search(text)
    if match is None or re.search(r"\b(?:noinline|alwaysinline)\b", match[1]):
        return text
    group = re.search(rf"^attributes #{match[3]} = \{{(.*)\}}$", text, re.MULTILINE)
    if group and re.search(r"\b(?:noinline|alwaysinline|optnone)\b", group[1]):
        return text
    return (
        f"{text[: match.start()]}{match[1]} {attribute}{match[2] or ''}{match[4]}"
        f"{text[match.end() :]}"
    )


def split_parameters(rest: str) -> tuple[list[str], str]:
    """Cut the text behind a function's opening bracket into parameters and what follows them."""
    parameters, depth, start = [], 0, 0
    for at, char in enumerate(rest):
        if char in "([{<":
            depth += 1
        elif char in ")]}>" and depth:
            depth -= 1
        elif char in ",)" and not depth:
            parameters.append(rest[start:at].strip())
            start = at + 1
            if char == ")":
                return [text for text in parameters if text], rest[at + 1 :]
    raise AssertionError("brackets of an LLVM function do not match")
