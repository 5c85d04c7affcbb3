# SPDX-License-Identifier: Apache-2.0
"""Calls that hardware cannot make: input and output is dropped with a note, exits are inlined.

Works on the text of unoptimised LLVM IR, so that what only feeds a dropped call is optimised away.
"""

from __future__ import annotations

import re

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.names import words
from lydite.hls.frontend import debug_info

# Output functions: they change nothing that the program can see, and their result is rarely read.
_OUTPUT = words(
    """printf fprintf vprintf vfprintf dprintf puts putchar putchar_unlocked putc fputc fputs
    fwrite fflush perror setbuf setvbuf setlinebuf fclose __printf_chk __fprintf_chk"""
)
_LEAVING = words("exit _exit _Exit quick_exit abort __assert_fail __assert_rtn")

_DECLARE = re.compile(r"^declare (?:!dbg !\d+ )?([^\n@]*?)@([\w.$]+)\(([^\n]*)\)[^\n]*$", re.M)
_HAS_INLINING = r"\b(?:noinline|alwaysinline|optnone)\b"
_OF_ADDRESS = re.compile(r"^(?: (?:local_)?unnamed_addr| addrspace\(\d+\))*")
DEFINE = re.compile(r"^define [^\n]*?@([\w.$]+)\([^\n]*\{\n(.*?)^\}", re.M | re.S)


def drop_output(text: str) -> tuple[str, list[Diagnostic]]:
    """Replace the declarations of output functions by empty ones that are inlined."""
    notes: list[Diagnostic] = []

    def replace(match: re.Match[str]) -> str:
        if match[2] not in _OUTPUT:
            return match[0]
        call = re.search(rf"call [^\n]*@{re.escape(match[2])}\([^\n]*!dbg !(\d+)", text)
        if call is None:
            return match[0]
        debug = debug_info.of_text(text)
        what = f"{match[2]} is dropped: hardware has no console; its result is 0"
        notes.append(Diagnostic(debug.where(int(call[1])), what))
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
    match = re.search(rf"^define [^\n]*@{re.escape(name)}\(", text, re.MULTILINE)
    if match is None:
        return text
    end = text.index("\n", match.end())
    rest = split_parameters(text[match.end() : end])[1]
    group = re.search(r" #(\d+)\b", rest)
    known = group and re.search(rf"^attributes #{group[1]} = \{{(.*)\}}$", text, re.MULTILINE)
    if re.search(_HAS_INLINING, rest) or (known and re.search(_HAS_INLINING, known[1])):
        return text
    # Attributes stand between what is said of the address and of where the function lies.
    at = end - len(_OF_ADDRESS.sub("", rest, count=1))
    return f"{text[:at]} {attribute}{text[at:]}"


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
