# SPDX-License-Identifier: Apache-2.0
"""Digests of values and files: the keys by which results are kept.

Equal content gives equal digests on every machine and in every Python: values are put in one
canonical JSON form (sorted keys, no white space, ASCII) and hashed with SHA-256. Floats are
refused, since their shortest text may hide a difference that the tool's command line shows.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path


def canonical(value: object) -> str:
    """Give the canonical JSON text of a value.

    Raises
    ------
    TypeError
        The value holds something else than str, int, bool, None, sequences and str-keyed mappings.
    """
    return json.dumps(_plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def _plain(value: object) -> object:
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, Mapping):
        for key in value:
            if not isinstance(key, str):
                raise TypeError(f"cannot digest a mapping with key {key!r}: keys are str")
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, bytes | bytearray):
        return [_plain(item) for item in value]
    raise TypeError(
        f"cannot digest {type(value).__name__}: only str, int, bool, None, sequences and mappings"
    )


def of_value(value: object) -> str:
    """Give the SHA-256 of a value's canonical form, 64 hex digits."""
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def of_bytes(data: bytes) -> str:
    """Give the SHA-256 of bytes, 64 hex digits."""
    return hashlib.sha256(data).hexdigest()


def of_file(path: Path) -> str:
    """Give the SHA-256 of a file's bytes, 64 hex digits."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
