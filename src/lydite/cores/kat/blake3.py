# SPDX-License-Identifier: Apache-2.0
"""Known answers of BLAKE3 as its designers give them: lengths of one input, and three outputs each.

The input of a case is 0, 1, ... 250, 0, 1, ..., of so many bytes; key and context are the same in
all.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text
from lydite.base.schema import Data
from lydite.cores.kat.text import from_hex
from lydite.cores.kat.vectors import Read, Vector
from lydite.cores.operation import Operation

_PERIOD = bytes(range(251))
# No message of the file is near it: a length that is wrong must not fill the memory.
_LONGEST = 1 << 24


class _Case(Data, frozen=True, kw_only=True):
    input_len: int
    hash: str
    keyed_hash: str
    derive_key: str


class _File(msgspec.Struct, frozen=True, kw_only=True):
    key: str
    context_string: str
    cases: tuple[_Case, ...]


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read the designers' file: three calls for each case, of those operations that there are.

    Operations are told by their names, inputs by theirs: `key`, `context`, and one of any length.

    Raises
    ------
    InputError
        The file is none of this format, or an operation is none of BLAKE3's.
    """
    try:
        raw = msgspec.json.decode(read_text(path, "a vectors file"), type=_File)
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not a vectors file of BLAKE3: {error}") from error
    names = _Case.__struct_fields__[1:]
    for operation in operations:
        if operation.name not in names or len(operation.outputs) != 1:
            what = f"no such operation in this format: {operation.name!r}"
            raise InputError(str(path), what, f"there are {', '.join(names)}, with one output each")
    return Read(tuple(_vectors(path, raw, operations)))


def _vectors(path: Path, raw: _File, operations: Sequence[Operation]) -> Iterator[Vector]:
    fixed = {"key": raw.key.encode(), "context": raw.context_string.encode()}
    for number, case in enumerate(raw.cases, 1):
        where = f"{path}: case {number}"
        if not 0 <= case.input_len <= _LONGEST:
            what = f"must be 0 to {_LONGEST}, not {case.input_len}"
            raise InputError(f"{where}: input_len", what)
        message = (_PERIOD * (case.input_len // len(_PERIOD) + 1))[: case.input_len]
        for operation in operations:
            fields = {name: fixed.get(name, message) for name in operation.input_names}
            output = from_hex(f"{where}: {operation.name}", getattr(case, operation.name))
            fields[operation.output_names[0]] = output
            yield Vector(
                operation=operation.name,
                fields=fields,
                where=f"{path.name}: case {number}, {case.input_len} bytes",
            )
