# SPDX-License-Identifier: Apache-2.0
"""Known answers of project Wycheproof as JSON: authenticated encryption, and ciphers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType
from typing import Literal

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text
from lydite.cores.kat import fields
from lydite.cores.kat.text import from_hex
from lydite.cores.kat.vectors import Read, Skipped, Vector
from lydite.cores.operation import Operation

# Types of groups to the kinds of the operation and of its inverse, and the values of a test.
_TYPES: Mapping[str, tuple[str, str, tuple[str, ...]]] = MappingProxyType(
    {
        "AeadTest": ("seal", "open", ("key", "iv", "aad", "msg", "ct", "tag")),
        # Deterministic encryption: no nonce, and the tag is a part of the ciphertext.
        "DaeadTest": ("seal", "open", ("key", "aad", "msg", "ct")),
        "IndCpaTest": ("encrypt", "decrypt", ("key", "iv", "msg", "ct")),
    }
)
NAMES: fields.Names = {
    "key": ("key",),
    "iv": ("nonce", "iv", "counter"),
    "aad": ("ad",),
    "msg": ("message", "plaintext"),
    "ct": ("ciphertext",),
    "tag": ("tag",),
}


class _Test(msgspec.Struct, rename="camel", kw_only=True):
    tc_id: int
    result: Literal["valid", "invalid", "acceptable"]
    key: str | None = None
    iv: str | None = None
    aad: str | None = None
    msg: str | None = None
    ct: str | None = None
    tag: str | None = None


class _Group(msgspec.Struct, kw_only=True):
    type: str
    tests: list[_Test]


class _Suite(msgspec.Struct, rename="camel", kw_only=True):
    algorithm: str
    number_of_tests: int
    test_groups: list[_Group]


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a file of groups of the types AeadTest, DaeadTest and IndCpaTest.

    A valid test gives a vector of the operation and one of its inverse, or of the one that the
    primitive has; an invalid one gives a vector of the inverse, which must reject it. Left out,
    with the reason, are tests that are `acceptable` (both answers are), of values of another length
    than the field, and what the primitive has no operation or no field for.

    Raises
    ------
    InputError
        The file is not such a file, a test lacks a value, or there are not as many as it says.
    """
    try:
        suite = msgspec.json.decode(read_text(path, "a vectors file"), type=_Suite)
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not a Wycheproof file: {error}") from error
    count = sum(len(group.tests) for group in suite.test_groups)
    if count != suite.number_of_tests:
        what = f"{count} tests where numberOfTests says {suite.number_of_tests}"
        raise InputError(str(path), what, "the file is cut short")
    vectors: list[Vector] = []
    skipped: list[Skipped] = []
    for group in suite.test_groups:
        if group.type not in _TYPES:
            known = ", ".join(_TYPES)
            raise InputError(str(path), f"no such type of tests: {group.type!r}", f"of {known}")
        for test in group.tests:
            found = _vectors(path, group.type, test, operations)
            vectors += [one for one in found if isinstance(one, Vector)]
            if not any(isinstance(one, Vector) for one in found):
                skipped.append(next(one for one in found if isinstance(one, Skipped)))
    return Read(tuple(vectors), tuple(skipped))


def _vectors(
    path: Path, form: str, test: _Test, operations: Sequence[Operation]
) -> list[Vector | Skipped]:
    forth, back, names = _TYPES[form]
    where, place = f"{path.name}: tcId {test.tc_id}", f"{path}: tcId {test.tc_id}"
    values: dict[str, bytes] = {}
    for name in names:
        text = getattr(test, name)
        if text is None:
            raise InputError(place, f"the test lacks {name}", f"a test of type {form} has it")
        values[name] = from_hex(f"{place}: {name}", text)
    if test.result == "acceptable":
        return [Skipped(where, "acceptable: both answers are right")]
    if test.result == "invalid":
        given = {name: value for name, value in values.items() if name != "msg"}
        return [fields.place(operations, back, given, NAMES, where=where, accepted=False)]
    return [fields.place(operations, kind, values, NAMES, where=where) for kind in (forth, back)]
