# SPDX-License-Identifier: Apache-2.0
"""Known answers as plain JSON."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text
from lydite.cores.kat.text import from_hex
from lydite.cores.kat.vectors import Read, Vector
from lydite.cores.operation import Operation

_HINT = "a record is {field: hex of each field, operation: its name, if there are several}"


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a list of objects with a value in hexadecimal for each input and output by its name.

    Beside these an object may have `operation`, which it needs where the primitive has several, and
    `accepted`, false of a call that must be rejected, which has no outputs.

    Raises
    ------
    InputError
        The file is no such list, or an object lacks a field, or has one that it must not have.
    """
    text = read_text(path, "a vectors file")
    try:
        raw = msgspec.json.decode(text, type=list[dict[str, str | bool]])
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not a JSON vectors file: {error}") from error
    return Read(tuple(_vector(path, n, record, operations) for n, record in enumerate(raw, 1)))


def _vector(
    path: Path, number: int, record: dict[str, str | bool], operations: Sequence[Operation]
) -> Vector:
    where = f"{path}: record {number}"
    name = record.pop("operation", operations[0].name if len(operations) == 1 else "")
    operation = next((o for o in operations if o.name == name), None)
    if operation is None:
        raise InputError(where, f"no such operation: {name!r}", _HINT)
    accepted = record.pop("accepted", True)
    if not isinstance(accepted, bool):
        raise InputError(f"{where}: accepted", "must be true or false")
    wanted = [*operation.input_names, *(operation.output_names if accepted else ())]
    lacking = [field for field in wanted if field not in record]
    more = [field for field in record if field not in wanted]
    if lacking or more:
        told = f"lacks {', '.join(lacking)}" if lacking else f"has {', '.join(more)}"
        raise InputError(where, told, _HINT)
    fields = {field: from_hex(f"{where}: {field}", str(record[field])) for field in wanted}
    return Vector(
        operation=operation.name,
        fields=fields,
        accepted=accepted,
        where=f"{path.name}: record {number}",
    )
