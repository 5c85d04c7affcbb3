# SPDX-License-Identifier: Apache-2.0
"""`#pragma HLS` lines: found in preprocessed text, and turned into marker calls.

A marker call stands in the scope of its line, so that it lands in the right loop or function of the
LLVM IR; one for a variable takes its address, so that the C compiler itself says which variable of
that name is meant. `attach_directives` reads the markers and removes them before anything is
optimised. As Vitis has it (UG1399, "HLS Pragmas"), a pragma belongs to the innermost braces that it
is written in; a loop's body that has none gets them. `directives` is the table of what may be said.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from lydite.hls.contract.diagnostics import Diagnostic
from lydite.hls.contract.directive_text import parse
from lydite.hls.contract.directives import VARIABLE, Directive
from lydite.hls.frontend import statements

MARKER = "__lydite_pragma"
VARIABLE_MARKER = "__lydite_variable"
# What clang calls the line of a marker, with the directive's number.
PLACE = re.compile(r"<lydite-pragma-(\d+)>")

_LINEMARKER = re.compile(r'^#(?:line)?\s*(\d+)\s+"((?:[^"\\]|\\.)*)"')
# A directive, without what stands before it.
PRAGMA = re.compile(r"^\s*#\s*pragma\s+hls\b\s*(.*?)\s*$", re.IGNORECASE)
_VARIABLE = re.compile(r"[^\W\d]\w*(?:(?:\.|->|::)\w+|\[\w+\])*")


def located_lines(text: str, name: str) -> Iterator[tuple[int, str, str, int]]:
    """Walk preprocessed text: index in the text, the line, and the file and line it came from."""
    file, number = name, 0
    for index, line in enumerate(text.split("\n")):
        number += 1
        if line.startswith("#") and (match := _LINEMARKER.match(line)):
            file = match[2].replace("\\\\", "\\").replace('\\"', '"')
            number = int(match[1]) - 1
            continue
        yield index, line, file, number


def mark(
    text: str, name: str, first: int, *, cxx: bool = False
) -> tuple[str, list[Directive], list[Diagnostic]]:
    """Replace the pragma lines of preprocessed text by marker calls.

    Parameters
    ----------
    name : str
        The file's name, for positions before the first line marker.
    first : int
        Number of the first marker.
    cxx : bool
        Whether the text is C++.

    Returns
    -------
    text : str
        Each marker in a line of its own, which line markers around it name by its number.
    directives : list
        The directives, in the order of their markers.
    warnings : list
        Unknown directives and options, and those that stand where no statement can.
    """
    lines = text.split("\n")
    directives: list[Directive] = []
    warnings: list[Diagnostic] = []
    braced = -1  # up to this line, what stands before a body is in its braces
    for index, line, file, number in located_lines(text, name):
        if "HLS" not in line.upper() or (match := PRAGMA.match(line)) is None:
            continue
        lines[index] = ""
        made, notes = parse(match[1], f"{file}:{number}")
        warnings += notes
        if made is None:
            continue
        place = statements.Place() if index < braced else statements.place(lines, index)
        if place is None:
            warnings.append(misplaced(made))
            continue
        escaped = file.replace("\\", "\\\\").replace('"', '\\"')
        opening = ""
        if place.body:
            opening = f'# {number} "{escaped}"\n{{\n'
            end = lines[place.line]
            lines[place.line] = f"{end[: place.column]} }}{end[place.column :]}"
            braced = statements.next_code(lines, index)
        calls = _calls(made, first + len(directives), cxx=cxx)
        marker = f'# 1 "<lydite-pragma-{first + len(directives)}>"\n{calls}'
        lines[index] = f'{opening}{marker}\n# {number + 1} "{escaped}"'
        directives.append(made)
    return "\n".join(lines), directives, warnings


def _calls(directive: Directive, number: int, *, cxx: bool) -> str:
    calls = []
    variable = getattr(directive, "variable", "")
    if directive.places - {VARIABLE}:
        calls.append(f"{MARKER}({number});")
    if VARIABLE in directive.places and variable:
        if not _VARIABLE.fullmatch(variable):
            variable = "variable"  # an undeclared name, most likely: refused like one
        address = f"__builtin_addressof({variable})" if cxx else f"&({variable})"
        calls.append(f"{VARIABLE_MARKER}({number}, {address});")
    return " ".join(calls)


def without(text: str, number: int) -> str:
    """Take a marker out that does not compile."""
    return re.sub(rf'(# 1 "<lydite-pragma-{number}>"\n)[^\n]*', r"\1", text)


def refused(directive: Directive, message: str) -> Diagnostic:
    """Say why a directive's marker does not compile, from clang's message."""
    variable = getattr(directive, "variable", "")
    if "expected" in message or not variable:
        return misplaced(directive)
    head = f"pragma HLS {directive.kind}"
    if "undeclared" in message:
        return Diagnostic(directive.where, f"{head}: there is no variable {variable} here: ignored")
    return Diagnostic(directive.where, f"{head}: variable={variable}: {message}: ignored")


def misplaced(directive: Directive) -> Diagnostic:
    """Say that a directive stands where no statement can."""
    return Diagnostic(
        directive.where,
        f"misplaced pragma HLS {directive.kind}: ignored; "
        "write it as a line of its own inside the braces of its loop or function",
    )
