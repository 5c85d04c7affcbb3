# SPDX-License-Identifier: Apache-2.0
"""Arms: named sets of options of synthesis and of place and route, `arms/FAMILY.toml` each.

They are what a search chooses among. A user's own file has the same form and adds to them.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.targets.family import FOLDER, Family

DEFAULT = "default"
_SCHEMA = 1
_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


class Arm(Data, frozen=True, kw_only=True):
    """A set of options.

    Attributes
    ----------
    name, about : str
        On the command line; one line that says what it does.
    synthesis : tuple of str
        More flags of the family's `synth_*` command, a flag with its value in one text.
    place : tuple of str
        More flags of nextpnr, each `--flag` or `--flag=value`.
    map_ns : float, optional
        Delay between registers in ns that is fast enough for mapping.
    """

    name: str
    about: str
    synthesis: tuple[str, ...] = ()
    place: tuple[str, ...] = ()
    map_ns: float | None = None


class _File(Data, frozen=True, kw_only=True):
    schema: int
    family: str
    arm: tuple[Arm, ...]


def load(path: Path, family: Family) -> tuple[Arm, ...]:
    """Read a file of arms.

    Raises
    ------
    InputError
        It cannot be read, is of another family or version, or an arm is not as docs/search.md has
        it.
    """
    file = schema.load(path, _File, "a file of arms")
    if file.schema != _SCHEMA:
        what = f"version {file.schema} is not known"
        raise InputError(f"{path}: schema", what, f"this is {_SCHEMA}")
    if file.family != family.name:
        what = f"these are arms of {file.family}, and the target is of {family.name}"
        raise InputError(f"{path}: family", what)
    for arm in file.arm:
        _check(arm, f"{path}: arm.{arm.name}", family)
    _unique(file.arm, str(path))
    return file.arm


def arms(family: Family, own: Sequence[Path] = ()) -> tuple[Arm, ...]:
    """Give the arms of a family, `default` first, and those of a user's own files after them.

    Raises
    ------
    InputError
        As of `load`; or a name stands twice.
    """
    shipped = FOLDER / "arms" / f"{family.name}.toml"
    found = load(shipped, family) if shipped.exists() else (Arm(name=DEFAULT, about="no options"),)
    for path in own:
        found += load(path, family)
        _unique(found, str(path))
    return found


def _unique(found: Sequence[Arm], where: str) -> None:
    names = [arm.name for arm in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError(f"{where}: arm.{name}", "stands twice", "names are unique")


def _check(arm: Arm, where: str, family: Family) -> None:
    if not _NAME.fullmatch(arm.name):
        raise InputError(where, "a name has small letters, digits and single hyphens")
    for option in arm.place:
        if not re.fullmatch(r"--[a-z0-9][a-z0-9-]*(?:=\S+)?", option):
            what = f"place: not an option of nextpnr: {option!r}"
            raise InputError(where, what, "as --flag or --flag=value")
    for option in arm.synthesis:
        if not re.fullmatch(r"-[a-z0-9][a-z0-9_-]*(?: [^\s;\"]+)?", option):
            what = f"synthesis: not an option of Yosys: {option!r}"
            raise InputError(where, what, 'as "-flag" or "-flag value"')
    if arm.map_ns is not None:
        if not (math.isfinite(arm.map_ns) and arm.map_ns > 0):
            raise InputError(where, f"map_ns must be above 0, not {arm.map_ns:g}")
        if family.synthesis.mapper != "abc9":
            what = f"map_ns: Yosys maps to {family.title} by abc, which cannot be told"
            raise InputError(where, what)
