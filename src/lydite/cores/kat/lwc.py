# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's Lightweight Cryptography contest: authenticated encryption and hashes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat import fields
from lydite.cores.kat.text import Record, records
from lydite.cores.kat.vectors import Read, Vector
from lydite.cores.operation import Operation

_NAMES: fields.Names = {
    "Key": ("key",),
    "Nonce": ("nonce", "iv"),
    "Nsec": ("secret_number", "nsec"),
    "PT": ("message", "plaintext"),
    "AD": ("ad",),
    "CT": ("ciphertext",),
    "tag": ("tag",),
    "Msg": ("message",),
    "Z": ("customization",),
    "MD": ("digest", "output", "hash"),
}
_AEAD = ("Key", "Nonce", "PT", "AD", "CT")
_AEAD_OPTIONAL = "Nsec"
_HASH = ("Msg", "MD")
_HASH_OPTIONAL = "Z"


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a file of records that begin with `Count`.

    A record of `Key`, `Nonce`, `PT`, `AD` and `CT` (CAESAR: and `Nsec`) gives a vector that seals
    and one that opens, or the one whose operation the primitive has; `CT` is the ciphertext with
    the tag behind it, where the operation has a tag. A record of `Msg` and `MD` (a customized
    function: and `Z`) gives a vector of the hash; `MD` is of the same length in all of them.

    Raises
    ------
    InputError
        The file is not such a file, or a record lacks a value.
    """
    names = (*_AEAD, _AEAD_OPTIONAL, *_HASH, _HASH_OPTIONAL)
    vectors: list[Vector] = []
    digest_bytes = 0
    for record in records(path, "Count", names):
        if not record.values.keys() & {*_HASH}:
            vectors += _aead(record, operations)
            continue
        vector, length = _hash(record, operations)
        if length != (digest_bytes or length):
            what = f"MD has {length} bytes, not {digest_bytes} as before"
            raise InputError(record.place, what, "the file is cut short")
        digest_bytes = length
        vectors.append(vector)
    return Read(tuple(vectors))


def _values(record: Record, wanted: Sequence[str], optional: str) -> dict[str, bytes]:
    names = (*wanted, optional) if optional in record.values else wanted
    more = [name for name in record.values if name not in (*names, "Count")]
    values = {name: record.data(name) for name in names}
    if more:
        raise InputError(record.place, f"{', '.join(more)} in a record of {', '.join(wanted)}")
    return values


def _hash(record: Record, operations: Sequence[Operation]) -> tuple[Vector, int]:
    values = _values(record, _HASH, _HASH_OPTIONAL)
    operation = fields.of_kind(operations, "hash", values, _NAMES, where=record.place)
    if operation is None:
        raise InputError(record.place, "no operation of kind 'hash'", "this record is of one")
    found = fields.fit_or_raise(operation, values, _NAMES, where=record.place)
    vector = Vector(operation=operation.name, fields=found, where=record.where)
    return vector, len(values["MD"])


def _aead(record: Record, operations: Sequence[Operation]) -> list[Vector]:
    values = _values(record, _AEAD, _AEAD_OPTIONAL)
    vectors = []
    for kind in ("seal", "open"):
        names = (*values, "tag")
        operation = fields.of_kind(operations, kind, names, _NAMES, where=record.place)
        if operation is None:
            continue
        given = _with_tag(record, operation, values)
        found = fields.fit_or_raise(operation, given, _NAMES, where=record.place)
        vectors.append(Vector(operation=operation.name, fields=found, where=record.where))
    if not vectors:
        raise InputError(record.place, "no operation of kind 'seal' or 'open'", "this is of them")
    return vectors


def _with_tag(record: Record, operation: Operation, values: dict[str, bytes]) -> dict[str, bytes]:
    """Divide CT at the tag, where the operation has one."""
    tag = fields.field_of(operation, "tag", _NAMES)
    if not tag:
        return values
    length = fields.fixed_bytes(operation, tag)
    if length is None:
        hint = "a tag whose length is not fixed cannot be told from the ciphertext"
        raise InputError(record.place, f"{tag} of {operation.name} has no length", hint)
    text = values["CT"]
    if len(text) < length:
        what = f"CT has {len(text)} bytes, the tag alone has {length}"
        raise InputError(record.place, what, "the file is cut short, or of another function")
    end = len(text) - length
    return {**values, "CT": text[:end], "tag": text[end:]}
