# SPDX-License-Identifier: Apache-2.0
"""A run that is made again: its record, those that it rests on, and a folder with its artefacts.

What a kind does with it stands in `rerun_tools`, `rerun_proofs` and `rerun_times`, a function each;
`again` has the list of them, and compares.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lydite import cores
from lydite.base import proc
from lydite.base.errors import InputError
from lydite.cores import Design
from lydite.cores.catalog import FILE
from lydite.runs.record import Record
from lydite.tools.tool import Tool

_LOG_FILE = "replay.log"
# What reads reports wants a name for its errors.
NEXTPNR = Tool(name="nextpnr", argv=("nextpnr",), version="", origin="")


class Lacking(InputError):
    """A run's artefacts do not have what making it again takes."""


@dataclass(frozen=True)
class Made:
    """What came out of a run made again.

    Attributes
    ----------
    result : mapping
        All of a record's result that could be found again.
    files : tuple of str
        Artefacts that must be the same bytes.
    told : str
        In words: a figure, or times of then and now.
    """

    result: Mapping[str, Any]
    files: tuple[str, ...] = ()
    told: str = ""


@dataclass(frozen=True)
class Rerun:
    """A run to be made again.

    Attributes
    ----------
    record : Record
        As it was.
    work : Path
        Absolute path of a folder with a copy of its artefacts, in which to work.
    artefacts : Path
        Folder that has, by key, those of other runs.
    others : mapping
        Records that are asked for, by kind.
    """

    record: Record
    work: Path
    artefacts: Path
    others: Mapping[str, Record] = field(default_factory=dict)

    @property
    def inputs(self) -> Mapping[str, Any]:
        """All that decided the result."""
        return self.record.inputs

    @property
    def result(self) -> Mapping[str, Any]:
        """What was found then."""
        return self.record.result

    def take(self, kind: str, *names: str) -> None:
        """Copy artefacts of a run that this one rests on to the work folder; all, if none is named.

        Raises
        ------
        Lacking
            It does not have them.
        """
        folder = place(self.artefacts, self.others[kind].key)
        try:
            for name in names:
                shutil.copyfile(folder / name, self.work / name)
            if not names:
                shutil.copytree(folder, self.work, dirs_exist_ok=True)
        except FileNotFoundError as error:
            what = f"its artefacts are not there: {error.filename}"
            raise Lacking(self.others[kind].label, what) from error

    def design(self) -> Design:
        """Give the core that lies in the work folder."""
        [found] = cores.load(self.work / FILE).designs
        return found

    def command(self, argv: Sequence[str], *outputs: str, cwd: str = "") -> None:
        """Run a tool's command of the record, after what it writes was removed.

        Raises
        ------
        ToolNotFound, ToolFailed
            It is not there, or fails.
        """
        for name in outputs:
            (self.work / name).unlink(missing_ok=True)
        words = [sys.executable if word == "python" else word for word in argv]
        proc.run(words, cwd=self.work / cwd, log=self.work / _LOG_FILE).checked()


def place(artefacts: Path, key: str) -> Path:
    """Give the folder of a key's artefacts."""
    return artefacts / key[:2] / key


def plain(value: Mapping[str, Any]) -> dict[str, Any]:
    """Give a result as it stands in a record."""
    found: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(value))
    return found
