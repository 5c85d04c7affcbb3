# SPDX-License-Identifier: Apache-2.0
"""Lines `NAME = VALUE`, records of them, and numbers of vectors files.

What is wrong in a file is told with its place.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from pathlib import Path

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text

_LINE = re.compile(
    r"^(?:\[(?P<header>[^\]=]+?)(?: = (?P<header_value>[^\]]*))?\]"
    r"|(?P<name>\w+) =(?: (?P<value>.*))?)$"
)


class Record(msgspec.Struct, frozen=True):
    """A record of a vectors file.

    Attributes
    ----------
    path : Path
        The file.
    line : int
        Its first line.
    section : str
        The header above it, without brackets; empty if there is none.
    values : mapping
        Name of each assignment to its line and text.
    """

    path: Path
    line: int
    section: str
    values: Mapping[str, tuple[int, str]]

    @property
    def where(self) -> str:
        """Its place, for reports: name of the file and line."""
        return f"{self.path.name}:{self.line}"

    @property
    def place(self) -> str:
        """Its place, for errors: path of the file and line."""
        return f"{self.path}:{self.line}"

    def data(self, name: str) -> bytes:
        """Give a value in hexadecimal.

        Raises
        ------
        InputError
            There is none of this name, or it is not whole bytes.
        """
        line, text = self._value(name)
        return from_hex(f"{self.path}:{line}", text)

    def number(self, name: str) -> int:
        """Give a number of decimal digits.

        Raises
        ------
        InputError
            There is none of this name, or it is not a number.
        """
        line, text = self._value(name)
        return number(self.path, line, text)

    def _value(self, name: str) -> tuple[int, str]:
        if name not in self.values:
            hint = "the file is cut short, or of another format"
            raise InputError(self.place, f"the record lacks {name}", hint)
        return self.values[name]


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
            fields.append((number, found["name"], found["value"] or ""))
    return fields


def records(path: Path, first: str, others: Collection[str]) -> list[Record]:
    """Give the records of a file, each of which begins with one name.

    Parameters
    ----------
    first : str
        The name that begins a record.
    others : collection of str
        All other names that a record may have.

    Raises
    ------
    InputError
        The file cannot be read, has a name that is none of these, or one twice in a record.
    """
    found: list[Record] = []
    section = ""
    values: dict[str, tuple[int, str]] | None = None
    for line, name, text in lines(path):
        if name.startswith("["):
            section, values = name[1:-1], None
            continue
        if name == first:
            values = {}
            found.append(Record(path, line, section, values))
        if values is None:
            raise InputError(f"{path}:{line}", f"{name} before {first} of a record")
        if name in values:
            raise InputError(f"{path}:{line}", f"a second {name} in a record")
        if name != first and name not in others:
            hint = f"a record has {', '.join((first, *others))}"
            raise InputError(f"{path}:{line}", f"no such name in this format: {name}", hint)
        values[name] = line, text
    return found


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
