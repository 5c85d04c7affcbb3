# SPDX-License-Identifier: Apache-2.0
"""Software of a primitive: variants in C, and peers."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.cores import formula
from lydite.cores.primitive import Primitive, check_file

Role = Literal["reference", "single", "multi", "peer", "gpu"]


class RawSoftware(Data, frozen=True, kw_only=True):
    """Software as `core.toml` writes it."""

    name: str
    title: str
    role: Role
    primitives: tuple[str, ...]
    sources: tuple[str, ...] = ()
    python: str = ""
    operations: tuple[str, ...] = ()
    includes: tuple[str, ...] = ()
    cpu: tuple[str, ...] = ()
    defines: dict[str, str | int] = msgspec.field(default_factory=dict)
    flags: tuple[str, ...] = ("-O3 -march=native", "-O2 -march=native")


class Software(msgspec.Struct, frozen=True, kw_only=True):
    """One implementation of one primitive: in C, or as people call it from Python.

    Attributes
    ----------
    role : Role
        `reference` (to be read), `single` (one message at a time), `multi` (several), `peer`
        (another project's, called), `gpu` (on a device of this machine: beside software of its
        processor, not among it).
    operations : tuple of str
        Those of the primitive that it has.
    python : str
        File with a function of each operation's name, which finds `defines` under their names;
        empty for C, which has sources.
    cpu : tuple of str
        Processor features that it needs, as Linux names them in /proc/cpuinfo.
    flags : tuple of str
        Sets of compiler flags to try; the fastest counts.
    """

    folder: Path
    name: str
    title: str
    role: Role
    primitive: Primitive
    operations: tuple[str, ...]
    sources: tuple[str, ...]
    python: str
    includes: tuple[str, ...]
    cpu: tuple[str, ...]
    defines: Mapping[str, int]
    flags: tuple[str, ...]

    @property
    def label(self) -> str:
        """Name in tables: `sha3-256/avx512-x8`."""
        return f"{self.primitive.name}/{self.name}"


def read(path: Path, folder: Path, raw: RawSoftware, primitive: Primitive) -> Software:
    """Check software of a description, for one of its primitives.

    Raises
    ------
    InputError
        It breaks the contract; the message names the field.
    """
    where = f"software {raw.name}"
    for name in (*raw.sources, *raw.includes):
        check_file(path, folder, f"{where}: sources", name)
    if raw.python:
        check_file(path, folder, f"{where}: python", raw.python)
        if raw.sources or raw.role not in ("peer", "gpu"):
            what = "beside sources" if raw.sources else f"of a {raw.role}"
            hint = "what is called from Python is a peer or a gpu, and a file"
            raise InputError(f"{path}: {where}: python", what, hint)
    elif not raw.sources:
        raise InputError(f"{path}: {where}: sources", "no files")
    if not raw.flags:
        raise InputError(f"{path}: {where}: flags", "no set of compiler flags")
    return Software(
        folder=folder,
        name=raw.name,
        title=raw.title,
        role=raw.role,
        primitive=primitive,
        operations=operations_of(raw.operations, primitive, where=f"{path}: {where}"),
        sources=raw.sources,
        python=raw.python,
        includes=raw.includes,
        cpu=raw.cpu,
        defines=defines_of(raw.defines, primitive.names, where=f"{path}: {where}"),
        flags=raw.flags,
    )


def operations_of(names: tuple[str, ...], primitive: Primitive, *, where: str) -> tuple[str, ...]:
    """Give the operations that are named, or all of a primitive if none are."""
    known = [operation.name for operation in primitive.operations]
    for name in names:
        if name not in known or names.count(name) > 1:
            what = "stands twice" if name in known else "is none of the primitive's"
            hint = f"{primitive.name} has {', '.join(known)}"
            raise InputError(f"{where}: operations", f"{name!r} {what}", hint)
    return names or tuple(known)


def defines_of(
    raw: Mapping[str, str | int], names: Mapping[str, int], *, where: str
) -> dict[str, int]:
    """Give the values of macros."""
    return {
        name: formula.evaluate(value, names, where=f"{where}: defines.{name}")
        for name, value in raw.items()
    }
