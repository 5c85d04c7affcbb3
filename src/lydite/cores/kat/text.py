# SPDX-License-Identifier: Apache-2.0
"""Lines `NAME = VALUE` and numbers of vectors files, with the place of what is wrong in errors."""

from __future__ import annotations

import re
from pathlib import Path

from lydite.base.errors import InputError
from lydite.base.files import read_text

_LINE = re.compile(
    r"^(?:\[(?P<header>[^\]=]+?)(?: = (?P<header_value>[^\]]*))?\]|(?P<name>\w+) = (?P<value>.*))$"
)


def lines(path: Path) -> list[tuple[int, str, str]]:
    """Give (line number, name, value) of every assignment of a CAVP file; headers as `[name]`."""
    fields = []
    for number, line in enumerate(read_text(path, "a vectors file").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found = _LINE.match(text)
        if found is None:
            raise InputError(f"{path}:{number}", f"not a line of a CAVP file: {text[:40]!r}")
        if found["header"]:
            fields.append((number, f"[{found['header']}]", found["header_value"] or ""))
        else:
            fields.append((number, found["name"], found["value"]))
    return fields


def from_hex(where: str, text: str) -> bytes:
    """Give the bytes of a text in hexadecimal."""
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise InputError(where, f"not whole bytes in hexadecimal: {text[:40]!r}") from error


def number(path: Path, line: int, text: str) -> int:
    """Give a number of decimal digits."""
    if not text.isdecimal():
        raise InputError(f"{path}:{line}", f"not a number: {text[:40]!r}")
    return int(text)
