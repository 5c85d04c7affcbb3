# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's CAVP for block ciphers: single calls and Monte Carlo chains (ECB).

AES has `KEY`; triple DES has `KEY1`, `KEY2` and `KEY3`, or `KEYs` for three times the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat import fields
from lydite.cores.kat.text import Record, records
from lydite.cores.kat.vectors import Chain, Read, Skipped, Vector
from lydite.cores.operation import Operation

_NAMES: fields.Names = {
    "KEY": ("key",),
    "IV": ("iv", "counter"),
    "PLAINTEXT": ("plaintext", "message"),
    "CIPHERTEXT": ("ciphertext",),
}
_OTHERS = ("KEY", "KEYs", "KEY1", "KEY2", "KEY3", "IV", "PLAINTEXT", "CIPHERTEXT")
_SECTIONS = {"ENCRYPT": "encrypt", "DECRYPT": "decrypt"}
# Steps between the checkpoints of a Monte file: AESAVS 6.4.1; SP 800-20.
_AES_STEPS, _TDES_STEPS = 1000, 10_000
_DES_KEY_BYTES = 8


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a file of the sections [ENCRYPT] and [DECRYPT].

    Left out are a section whose operation the primitive lacks, and messages of several blocks
    where the operation takes one. `KEYs` is repeated to the length of the key; `KEY1` to `KEY3`
    are shortened to it where they are equal.

    Raises
    ------
    InputError
        The file is not such a file, or a record lacks a value.
    """
    vectors: list[Vector] = []
    skipped: list[Skipped] = []
    for record, operation in _records(path, operations):
        if operation is None:
            skipped.append(_lacking(record))
            continue
        values = _values(record, operation)
        for name in ("PLAINTEXT", "CIPHERTEXT"):
            field = fields.field_of(operation, name, _NAMES)
            block = fields.fixed_bytes(operation, field)
            if block and len(values[name]) > block and len(values[name]) % block == 0:
                why = f"{field} is of several blocks, {operation.name} takes one"
                skipped.append(Skipped(record.where, why))
                break
        else:
            found = fields.fit_or_raise(operation, values, _NAMES, where=record.place)
            vectors.append(Vector(operation=operation.name, fields=found, where=record.where))
    return Read(tuple(vectors), tuple(skipped))


def read_chains(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a Monte Carlo file of ECB: one chain of each section.

    Left out is a section whose operation the primitive lacks.

    Raises
    ------
    InputError
        The file is not such a file, or a record does not begin with what the one before it gave.
    """
    sections: dict[str, list[tuple[Record, dict[str, bytes]]]] = {}
    known: dict[str, Operation] = {}
    skipped: list[Skipped] = []
    for record, operation in _records(path, operations):
        if operation is None:
            skipped.append(_lacking(record))
            continue
        if "IV" in record.values:
            what = "a Monte Carlo record with IV"
            raise InputError(record.place, what, "this format is of ECB alone")
        known[operation.name] = operation
        found = _values(record, operation)
        sections.setdefault(operation.name, []).append((record, found))
    chains = [_chain(known[name], found) for name, found in sections.items()]
    return Read(chains=tuple(chains), skipped=tuple(skipped))


def _records(
    path: Path, operations: Sequence[Operation]
) -> Iterator[tuple[Record, Operation | None]]:
    """Give each record with its operation, None where the primitive lacks it."""
    for record in records(path, "COUNT", _OTHERS):
        if record.section not in _SECTIONS:
            what = f"a record in section {record.section!r}"
            raise InputError(record.place, what, "sections are [ENCRYPT] and [DECRYPT]")
        given = {"KEY", *(name for name in _NAMES if name in record.values)}
        kind = _SECTIONS[record.section]
        yield record, fields.of_kind(operations, kind, given, _NAMES, where=record.place)


def _lacking(record: Record) -> Skipped:
    kind = _SECTIONS[record.section]
    return Skipped(record.where, f"[{record.section}]: no operation of kind {kind!r}")


def _values(record: Record, operation: Operation) -> dict[str, bytes]:
    """Give the values by the names of _NAMES."""
    names = ["IV"] if "IV" in record.values else []
    values = {name: record.data(name) for name in (*names, "PLAINTEXT", "CIPHERTEXT")}
    if len(values["PLAINTEXT"]) != len(values["CIPHERTEXT"]):
        what = "PLAINTEXT and CIPHERTEXT are not of the same length"
        raise InputError(record.place, what, "the file is cut short, or of another format")
    return {"KEY": _key(record, operation), **values}


def _key(record: Record, operation: Operation) -> bytes:
    if "KEY" in record.values:
        return record.data("KEY")
    names = ("KEYs",) * 3 if "KEYs" in record.values else ("KEY1", "KEY2", "KEY3")
    keys = [record.data(name) for name in names]
    for name, key in zip(names, keys, strict=True):
        if len(key) != _DES_KEY_BYTES:
            what = f"{name} has {len(key)} bytes, not {_DES_KEY_BYTES}"
            raise InputError(record.place, what)
    field = fields.field_of(operation, "KEY", _NAMES)
    length = fields.fixed_bytes(operation, field) or 3 * _DES_KEY_BYTES
    # Keying options of SP 800-67: two keys stand for K1, K2, K1, and one for three of the same.
    expanded = (b"".join(keys)[:length] * 3)[: 3 * _DES_KEY_BYTES]
    if length % _DES_KEY_BYTES or expanded != b"".join(keys):
        what = f"{', '.join(names)} cannot be put in {length} bytes"
        raise InputError(record.place, what, "they are other keys than the operation takes")
    return b"".join(keys)[:length]


def _chain(operation: Operation, found: Sequence[tuple[Record, dict[str, bytes]]]) -> Chain:
    source, result = "PLAINTEXT", "CIPHERTEXT"
    if operation.kind == "decrypt":
        source, result = result, source
    checkpoints = []
    last = found[0][1][source]
    for record, values in found:
        if values[source] != last:
            what = f"{source} is not the {result} of the record before"
            raise InputError(record.place, what, "a record is lacking, or this is no Monte file")
        last = values[result]
        given = fields.fit_or_raise(operation, values, _NAMES, where=record.place)
        outputs = {name: given[name] for name in operation.output_names}
        checkpoints.append(Vector(operation=operation.name, fields=outputs, where=record.where))
    record, start = found[0]
    given = fields.fit_or_raise(operation, start, _NAMES, where=record.place)
    aes = "KEY" in record.values
    return Chain(
        operation=operation.name,
        rule="cipher" if aes else "tdes",
        start={name: given[name] for name in operation.input_names},
        text=fields.field_of(operation, source, _NAMES),
        key=fields.field_of(operation, "KEY", _NAMES),
        checkpoints=tuple(checkpoints),
        steps=_AES_STEPS if aes else _TDES_STEPS,
        output_range=(len(last), len(last)),
    )
