# SPDX-License-Identifier: Apache-2.0
"""`#pragma HLS` lines: found in preprocessed text, parsed, and turned into marker calls.

A marker call stands in the scope of its line, so that it lands in the right loop or function of the
LLVM IR; the front end reads the markers there and removes them before anything is optimised.
Spelling and meaning are those of the Vitis HLS guide (UG1399, "HLS Pragmas"): a pragma belongs to
the innermost braces that it is written in, keywords are case-insensitive, the older positional
forms are read too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from lydite.base import InputError
from lydite.hls.interface import Warn

MARKER = "__lydite_pragma"

# Directives that this part of the compiler obeys, and those that it only keeps.
HONOURED = ("inline", "unroll", "loop_tripcount", "pipeline")
KEPT = (
    "aggregate",
    "alias",
    "allocation",
    "array_map",
    "array_partition",
    "array_reshape",
    "bind_op",
    "bind_storage",
    "cache",
    "data_pack",
    "dataflow",
    "dependence",
    "disaggregate",
    "expression_balance",
    "function_instantiate",
    "interface",
    "latency",
    "loop_flatten",
    "loop_merge",
    "occurrence",
    "performance",
    "protocol",
    "reset",
    "resource",
    "stable",
    "stream",
    "top",
)

_LINEMARKER = re.compile(r'^#(?:line)?\s*(\d+)\s+"((?:[^"\\]|\\.)*)"')
_PRAGMA = re.compile(r"^\s*#\s*pragma\s+hls\b\s*(.*?)\s*$", re.IGNORECASE)
_OPTION = re.compile(r"([A-Za-z_]\w*)\s*=\s*(\([^)]*\)|[^\s,]+)|([^\s,]+)")


@dataclass(frozen=True, slots=True)
class Pragma:
    """One directive.

    Attributes
    ----------
    kind : str
        Keyword in lower case: `unroll`.
    options : tuple of (str, str)
        `NAME=VALUE` pairs, names in lower case, in order.
    flags : tuple of str
        Words without a value, as written.
    where : str
        `file:line`.
    """

    kind: str
    options: tuple[tuple[str, str], ...]
    flags: tuple[str, ...]
    where: str

    def option(self, name: str) -> str | None:
        """Give the value of an option, or None."""
        return next((value for key, value in self.options if key == name), None)

    def number(self, name: str) -> int | None:
        """Give the value of an option that is a number.

        Raises
        ------
        InputError
            It is given and is not a decimal or hexadecimal number.
        """
        text = self.option(name)
        if text is None:
            return None
        try:
            return int(text.strip("()"), 0)
        except ValueError:
            raise InputError(
                self.where, f"pragma HLS {self.kind}: {name}={text} is not a number"
            ) from None

    def has(self, flag: str) -> bool:
        """Whether a flag is given, in any case."""
        return any(word.lower() == flag for word in self.flags)


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


def parse(line: str, where: str) -> Pragma | None:
    """Parse one line; None if it is no HLS pragma."""
    match = _PRAGMA.match(line)
    if match is None:
        return None
    options: list[tuple[str, str]] = []
    flags: list[str] = []
    for key, value, word in _OPTION.findall(match[1]):
        if key:
            options.append((key.lower(), value))
        else:
            flags.append(word)
    kind = flags.pop(0).lower() if flags else ""
    return Pragma(kind, tuple(options), tuple(flags), where)


def mark(text: str, name: str, first: int) -> tuple[str, list[Pragma], list[Warn]]:
    """Replace the pragma lines of preprocessed text by marker calls.

    Parameters
    ----------
    name : str
        The file's name, for positions before the first line marker.
    first : int
        Number of the first marker.

    Returns
    -------
    text : str
        With as many lines as before.
    pragmas : list
        The directives, in the order of their markers.
    warnings : list
        Unknown directives, and those that stand where no statement can.
    """
    lines = text.split("\n")
    pragmas: list[Pragma] = []
    warnings: list[Warn] = []
    for index, line, file, number in located_lines(text, name):
        if "HLS" not in line.upper() or (pragma := parse(line, f"{file}:{number}")) is None:
            continue
        lines[index] = ""
        if pragma.kind not in HONOURED and pragma.kind not in KEPT:
            warnings.append(Warn(pragma.where, f"unknown pragma HLS {pragma.kind}: ignored"))
        elif not _is_statement_place(lines, index):
            warnings.append(
                Warn(
                    pragma.where,
                    f"misplaced pragma HLS {pragma.kind}: ignored; "
                    "write it as a line of its own inside the braces of its loop or function",
                )
            )
        else:
            lines[index] = f"{MARKER}({first + len(pragmas)});"
            pragmas.append(pragma)
    return "\n".join(lines), pragmas, warnings


def _is_statement_place(lines: list[str], index: int) -> bool:
    """Whether a call written at this line is a statement of its own in the same scope."""
    before = next(
        (
            line.rstrip()
            for line in reversed(lines[:index])
            if line.strip() and not line.startswith("#")
        ),
        "",
    )
    if before[-1:] == ":":
        label = re.search(r"(?:^|[;{}])\s*(?:\w+|case\b[^?:]*)\s*:$", before)
        if label is None:
            return False
    elif before[-1:] not in ("{", "}", ";"):
        return False
    after = next(
        (line for line in lines[index + 1 :] if line.strip() and not line.lstrip().startswith("#")),
        "",
    )
    # Between `if (a) x;` and `else`, or a do's body and its `while`... the latter cannot be told
    # from a loop that follows, and a do without braces is then a compile error, never another
    # program.
    return re.match(r"\s*else\b", after) is None
