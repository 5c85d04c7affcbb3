# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's contest for post-quantum signatures."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat import fields
from lydite.cores.kat.ctr_drbg import CtrDrbg
from lydite.cores.kat.text import Record, records
from lydite.cores.kat.vectors import Read, Vector
from lydite.cores.operation import Operation

_NAMES: fields.Names = {
    "seed": ("seed", "xi", "zeta"),
    "msg": ("message",),
    "pk": ("public_key", "pk"),
    "sk": ("secret_key", "private_key", "sk"),
    "signature": ("signature",),
}
# Values of a record that an operation of each kind takes and gives.
_KINDS = {
    "keygen": ("seed", "pk", "sk"),
    "sign": ("sk", "msg", "signature"),
    "verify": ("pk", "msg", "signature"),
}
_OTHERS = ("seed", "mlen", "msg", "pk", "sk", "smlen", "sm")


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a PQCsignKAT file: records of `count`, `seed`, `mlen`, `msg`, `pk`, `sk`, `smlen`, `sm`.

    A record gives a vector of each kind of operation that the primitive has: keygen, sign, verify.
    `sm` is the signature before the message. `seed` is not the seed of the keys: NIST's frame takes
    all random bytes from a generator with that seed; the first that it gives are the seed of
    keygen, as long as that field is. Signing must be deterministic.

    Raises
    ------
    InputError
        The file is not such a file, a record lacks a value, or a length is not what it says.
    """
    vectors: list[Vector] = []
    for record in records(path, "count", _OTHERS):
        values = _values(record)
        for kind, names in _KINDS.items():
            operation = fields.of_kind(operations, kind, names, _NAMES, where=record.place)
            if operation is None:
                continue
            given = {name: values[name] for name in names}
            if kind == "keygen":
                given["seed"] = _seed(record, operation, values["seed"])
            found = fields.fit_or_raise(operation, given, _NAMES, where=record.place)
            vectors.append(Vector(operation=operation.name, fields=found, where=record.where))
    return Read(tuple(vectors))


def _values(record: Record) -> dict[str, bytes]:
    values = {name: record.data(name) for name in ("seed", "msg", "pk", "sk", "sm")}
    for name, length in (("msg", "mlen"), ("sm", "smlen")):
        if len(values[name]) != record.number(length):
            what = f"{length} is {record.number(length)} bytes, {name} has {len(values[name])}"
            raise InputError(record.place, what, "the file is cut short")
    signed, message = values.pop("sm"), values["msg"]
    if not signed.endswith(message):
        hint = "this format is of signatures before their message"
        raise InputError(record.place, "sm does not end with msg", hint)
    return {**values, "signature": signed[: len(signed) - len(message)]}


def _seed(record: Record, operation: Operation, entropy: bytes) -> bytes:
    field = fields.field_of(operation, "seed", _NAMES)
    length = fields.fixed_bytes(operation, field)
    if length is None:
        what = f"{operation.name} has no seed of a fixed length"
        raise InputError(record.place, what, "the field may be named seed, xi or zeta")
    if len(entropy) != CtrDrbg.SEED_BYTES:
        what = f"seed has {len(entropy)} bytes, not {CtrDrbg.SEED_BYTES}"
        raise InputError(record.place, what)
    return CtrDrbg(entropy).random(length)
