# SPDX-License-Identifier: Apache-2.0
"""What vendors' tools call the targets that they place: `vendor/TOOL.toml`.

Apart from the families' own files, since no proof and no area depends on it.
"""

from __future__ import annotations

import functools

from lydite.base import schema
from lydite.base.errors import InputError
from lydite.base.schema import Data
from lydite.targets.family import FOLDER, Target

_SCHEMA = 1


class _File(Data, frozen=True, kw_only=True):
    schema: int
    parts: dict[str, str]


@functools.cache
def parts(tool: str) -> dict[str, str]:
    """Give the parts that a tool places: name of the target to the name there.

    Raises
    ------
    InputError
        The file is of another version, or cannot be read.
    """
    path = FOLDER / "vendor" / f"{tool}.toml"
    file = schema.load(path, _File, "a file of a vendor's parts")
    if file.schema != _SCHEMA:
        raise InputError(f"{path}: schema", f"version {file.schema} is not known", "this is 1")
    return file.parts


def vivado_part(target: Target) -> str:
    """Give the full name of a target in Vivado; empty where it does not place it here."""
    return parts("vivado").get(target.name, "")
