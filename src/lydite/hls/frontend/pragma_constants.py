# SPDX-License-Identifier: Apache-2.0
"""Numbers in `#pragma HLS` lines that are no literals: macros, enumerators, constant expressions.

The preprocessor leaves pragmas alone, so the C compiler is asked what each expression is at the end
of its file. What it cannot say, a template's parameter for one, stays as it is written.
"""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from pathlib import Path

from lydite.base import InputError
from lydite.hls.contract.directive_text import option_name
from lydite.hls.contract.directives import BY_KIND
from lydite.hls.frontend import clang
from lydite.hls.frontend.mark_pragmas import PRAGMA

_HOLDER = "__lydite_number"
_OPTION = re.compile(r"(\w+)(\s*=\s*)(\([^()]*(?:\([^()]*\)[^()]*)*\)|[^\s,]+)")
_LITERAL = re.compile(r"\(?\s*[+-]?\d\w*\s*\)?")
_MADE = re.compile(rf"^@\w*{_HOLDER}_(\d+)\w* = [^\n]*?\bi64 (-?\d+)", re.MULTILINE)


def resolve(text: str, source: Path, folder: Path, flags: Sequence[str]) -> str:
    """Write numbers into the pragma lines of preprocessed text.

    Parameters
    ----------
    source : Path
        What the text was made of.
    folder : Path
        For scratch files.
    flags : sequence of str
        Definitions, folders of headers and the standard that the source is compiled with.
    """
    if not re.search(r"#\s*pragma\s+hls\b", text, re.IGNORECASE):
        return text
    lines = text.split("\n")
    wanted: dict[str, None] = {}
    for line in lines:
        match = PRAGMA.match(line)
        if match is not None:
            wanted.update(dict.fromkeys(_expressions(match[1])))
    if not wanted:
        return text
    known = _evaluate(list(wanted), source, folder, flags)
    for index, line in enumerate(lines):
        if PRAGMA.match(line) is not None:
            lines[index] = _OPTION.sub(
                lambda found: found[1] + found[2] + known.get(found[3], found[3]), line
            )
    return "\n".join(lines)


def _expressions(directive: str) -> list[str]:
    """Give what stands for a number in a directive and is none."""
    kind = BY_KIND.get((directive.split() or [""])[0].lower())
    if kind is None:
        return []
    numbers = {
        option_name(item).lower()
        for item in dataclasses.fields(kind)
        if item.metadata.get("number")
    }
    return [
        value
        for key, _, value in _OPTION.findall(directive)
        if key.lower() in numbers and not _LITERAL.fullmatch(value)
    ]


def _evaluate(
    expressions: Sequence[str], source: Path, folder: Path, flags: Sequence[str]
) -> dict[str, str]:
    """Give the values of expressions at the end of a file; those without one are left out."""
    cxx = clang.is_cxx(source)
    path = folder / f"numbers{'.cpp' if cxx else '.c'}"
    asked = dict(enumerate(expressions))
    linkage = 'extern "C" ' if cxx else ""
    while asked:
        probes = "".join(
            f'# 1 "<lydite-{number}>"\n{linkage}const long long {_HOLDER}_{number} = {text};\n'
            for number, text in asked.items()
        )
        path.write_text(f'#include "{source.resolve()}"\n{probes}', encoding="utf-8")
        try:
            module = clang.compile_to_llvm(path, folder / "numbers.ll", flags=flags)
        except InputError as error:
            blamed = re.match(r"<lydite-(\d+)>", error.where)
            if blamed is None or int(blamed[1]) not in asked:
                return {}  # the source itself is wrong, which its own compilation tells better
            del asked[int(blamed[1])]
            continue
        return {asked[int(number)]: value for number, value in _MADE.findall(module)}
    return {}
