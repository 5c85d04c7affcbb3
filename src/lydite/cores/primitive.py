# SPDX-License-Identifier: Apache-2.0
"""A primitive: its operations and its known answers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import kat, operation
from lydite.cores.operation import Operation, RawOperation

# Where parts lie that cores share, and how they are named.
SHARED = Path(__file__).parent
COMMON = "common/rtl/"


class KatFile(Data, frozen=True, kw_only=True):
    """A vectors file: its format, how many records it holds, and how many its reader leaves out."""

    file: str
    format: str
    records: int
    skipped: int = 0


class RawPrimitive(Data, frozen=True, kw_only=True):
    """A primitive as `core.toml` writes it."""

    name: str
    title: str
    standard: str
    operation: tuple[RawOperation, ...]
    constants: dict[str, int] = msgspec.field(default_factory=dict)
    kat: tuple[KatFile, ...]


class Primitive(msgspec.Struct, frozen=True, kw_only=True):
    """A function, or functions that belong together, with known answers."""

    folder: Path
    name: str
    title: str
    standard: str
    operations: tuple[Operation, ...]
    constants: Mapping[str, int]
    kat_files: tuple[KatFile, ...]

    @property
    def names(self) -> dict[str, int]:
        """What formulas of designs and software may use."""
        return {**operation.numbers(self.operations), **self.constants}

    def operation(self, name: str) -> Operation:
        """Give an operation by its name, which must be one."""
        return next(one for one in self.operations if one.name == name)

    def read(self, entry: KatFile) -> kat.Read:
        """Give what a file holds: known answers, or chains, and what its reader leaves out."""
        path, form = self.folder / entry.file, entry.format
        take = kat.chains_of if form in kat.CHAINS else kat.vectors
        return take(path, form, self.operations, entry.records, entry.skipped)

    def vectors(self) -> tuple[kat.Vector, ...]:
        """Give all known answers that are single calls."""
        files = (entry for entry in self.kat_files if entry.format not in kat.CHAINS)
        return tuple(vector for entry in files for vector in self.read(entry).vectors)

    def chains(self) -> tuple[kat.Chain, ...]:
        """Give all Monte Carlo chains."""
        files = (entry for entry in self.kat_files if entry.format in kat.CHAINS)
        return tuple(chain for entry in files for chain in self.read(entry).chains)

    @property
    def vectors_digest(self) -> str:
        """Digest of all known answers that are single calls."""
        return digest.of_value(
            [
                [*msgspec.structs.astuple(entry)[1:], digest.of_file(self.folder / entry.file)]
                for entry in self.kat_files
                if entry.format not in kat.CHAINS
            ]
        )


def read(path: Path, folder: Path, raw: RawPrimitive) -> Primitive:
    """Check a primitive of a description.

    Raises
    ------
    InputError
        It breaks the contract; the message names the field.
    """
    where = f"{path}: primitive {raw.name}"
    operations = tuple(operation.read(one, where=where) for one in raw.operation)
    by_name = {one.name: one for one in operations}
    if not operations or len(by_name) != len(operations):
        raise InputError(f"{where}: operation", "none, or one stands twice")
    operation.check_keys(by_name, where=where)
    operation.check_inverses(by_name, where=where)
    if all(entry.format in kat.CHAINS for entry in raw.kat):
        raise InputError(
            where,
            "no known answers of single messages",
            "nothing is measured that is not proven first",
        )
    for entry in raw.kat:
        check_file(path, folder, f"primitive {raw.name}: kat", entry.file)
        if entry.format not in kat.formats():
            known = ", ".join(kat.formats())
            hint = f"there are: {known}"
            raise InputError(f"{where}: kat", f"no such format: {entry.format!r}", hint)
        if entry.records < 1:
            raise InputError(f"{where}: kat", f"{entry.file}: records must be at least 1")
    for one in operations:
        for field, value in (("spec", one.spec), ("fast", one.fast)):
            if value:
                file, _, function = value.partition(":")
                place = f"{where}: operation {one.name}: {field}"
                if not function.isidentifier():
                    raise InputError(place, f"not FILE.py:FUNCTION: {value!r}")
                check_file(path, folder, f"primitive {raw.name}: {field}", file)
    return Primitive(
        folder=folder,
        name=raw.name,
        title=raw.title,
        standard=raw.standard,
        operations=operations,
        constants=raw.constants,
        kat_files=raw.kat,
    )


def find_file(folder: Path, name: str) -> Path:
    """Give the place of a file that a description names: below its folder, or a shared one.

    `common/rtl/NAME.v` is the shared part of that name beside our cores, unless the core has a file
    of that name itself.
    """
    own = folder / name
    return SHARED / name if name.startswith(COMMON) and not own.is_file() else own


def check_file(
    path: Path, folder: Path, where: str, name: str, *, may_be_shared: bool = False
) -> None:
    """Check that a file that a description names is there, below its folder or perhaps shared."""
    found = (find_file(folder, name) if may_be_shared else folder / name).resolve()
    shared = may_be_shared and found.is_relative_to(SHARED / COMMON)
    if not found.is_relative_to(folder) and not shared:
        raise InputError(f"{path}: {where}", f"{name} lies outside the core's folder")
    if not found.is_file():
        raise InputError(f"{path}: {where}", f"no such file: {name}", f"looked in {folder}")
