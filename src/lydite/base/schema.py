# SPDX-License-Identifier: Apache-2.0
"""Data files in TOML, checked against typed records.

A record is a frozen `msgspec.Struct` that forbids unknown fields; what does not fit is reported
with the file, the field and the value that was expected.
"""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text

T = TypeVar("T")


class Data(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of all records that come from data files."""


def load(path: Path, record: type[T], what: str) -> T:
    """Read a TOML file into a record.

    Parameters
    ----------
    what : str
        What the file is, for errors: "a core description".

    Raises
    ------
    InputError
        The file cannot be read, is not TOML (with the line), or does not fit the record (with the
        field).
    """
    text = read_text(path, what)
    try:
        return msgspec.convert(tomllib.loads(text), record)
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column \d+\)", str(error))
        where = f"{path}:{place[1]}" if place else f"{path}"
        raise InputError(where, f"not TOML: {error}") from error
    except msgspec.ValidationError as error:
        message, _, field = str(error).partition(" - at `$.")
        where = f"{path}: {field.rstrip('`')}" if field else str(path)
        hint = (
            f"the fields are listed in the contract page of {what}" if "unknown" in message else ""
        )
        raise InputError(where, message[0].lower() + message[1:], hint) from error
