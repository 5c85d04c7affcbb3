# SPDX-License-Identifier: Apache-2.0
"""What a compilation has to say to its user beside the hardware, and how it names places."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """Something the user should know; the hardware is right all the same.

    Attributes
    ----------
    where : str
        `file:line`, or empty.
    what : str
        What was found and what was done about it.
    """

    where: str
    what: str

    def __str__(self) -> str:
        return f"{self.where}: {self.what}" if self.where else self.what


class Diagnostics:
    """All that a compilation has to say: each stage adds what it found, in its order."""

    def __init__(self) -> None:
        self._found: list[Diagnostic] = []

    def __iter__(self) -> Iterator[Diagnostic]:
        return iter(self._found)

    def add(self, *found: Diagnostic) -> None:
        """Take diagnostics, in this order."""
        self._found += found

    def distinct(self) -> tuple[Diagnostic, ...]:
        """Give each once, where it was found first."""
        return tuple(dict.fromkeys(self._found))


def place(where: str) -> str:
    """Give `file:line` without folders, since output does not depend on where sources lie."""
    if not where:
        return ""
    file, _, line = where.rpartition(":")
    return f"{PurePosixPath(file).name}:{line}"
