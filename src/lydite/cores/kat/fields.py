# SPDX-License-Identifier: Apache-2.0
"""Values of a record, by the names of its format, set beside the fields of an operation.

Formats and cores name the same things differently. A table of names says which fields a value may
be of; the first that the operation has is taken. A value without a field, or a field without a
value, is never passed over.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat.vectors import Skipped, Vector
from lydite.cores.operation import Field, Operation, Output

# Name in a format to the names that the field may have.
Names = Mapping[str, Sequence[str]]


def of_kind(
    operations: Sequence[Operation], kind: str, given: Collection[str], names: Names, *, where: str
) -> Operation | None:
    """Give the operation of a kind that a record is of; None if there is none of this kind.

    Parameters
    ----------
    given : collection of str
        Names of the record's values. Of several operations of the kind, theirs is the one that
        has just their fields; where there is but one, nothing is checked.

    Raises
    ------
    InputError
        None of several operations has these fields, or more than one.
    """
    candidates = [operation for operation in operations if operation.kind == kind]
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    values = dict.fromkeys(given, b"")
    return _only([(one, fit(one, values, names)) for one in candidates], where)[0]


def _only(
    fits: Sequence[tuple[Operation, dict[str, bytes] | str]], where: str
) -> tuple[Operation, dict[str, bytes]]:
    """Give the only operation that fits, with its fields."""
    good = [(one, found) for one, found in fits if not isinstance(found, str)]
    if not good:
        raise InputError(where, "; ".join(str(reason) for _, reason in fits))
    if len(good) > 1:
        told = ", ".join(one.name for one, _ in good)
        raise InputError(where, f"the record is of each of {told}", "name their fields differently")
    return good[0]


def hash_of(path: Path, operations: Sequence[Operation]) -> Operation:
    """Give the operation that files of hash functions are of: the one with one input.

    Raises
    ------
    InputError
        There is none, or more than one.
    """
    found = [o for o in operations if o.kind == "hash" and len(o.inputs) == len(o.outputs) == 1]
    if len(found) != 1:
        what = f"{len(found)} operations of the primitive are hashes of one message"
        raise InputError(str(path), what, "this format is of a primitive with just one")
    return found[0]


def field_of(operation: Operation, name: str, names: Names) -> str:
    """Give the field of an operation that a name of a format stands for; empty if there is none."""
    known = (*operation.input_names, *operation.output_names)
    return next((field for field in names[name] if field in known), "")


def fixed_bytes(operation: Operation, field: str) -> int | None:
    """Give the length of a field; None if it is not fixed, or there is no such field."""
    known: tuple[Field | Output, ...] = (*operation.inputs, *operation.outputs)
    for one in known:
        if one.name == field and isinstance(one.bytes, int):
            return one.bytes
    return None


def fit(
    operation: Operation, values: Mapping[str, bytes], names: Names, *, accepted: bool = True
) -> dict[str, bytes] | str:
    """Give the values of a record by the fields of an operation, or say why they do not fit.

    Parameters
    ----------
    values : mapping
        Name in the format to value.
    accepted : bool
        False where the call must be rejected: then outputs are left out.
    """
    fields: dict[str, bytes] = {}
    for name, value in values.items():
        field = field_of(operation, name, names)
        if not field:
            return f"{operation.name} has no field for {name}"
        fields[field] = value
    wanted = (*operation.input_names, *(operation.output_names if accepted else ()))
    lacking = [field for field in wanted if field not in fields]
    if lacking:
        return f"no value for {', '.join(lacking)} of {operation.name}"
    return {field: fields[field] for field in wanted}


def fit_or_raise(
    operation: Operation, values: Mapping[str, bytes], names: Names, *, where: str
) -> dict[str, bytes]:
    """Give the values of a record by the fields of an operation.

    Raises
    ------
    InputError
        They do not fit.
    """
    fields = fit(operation, values, names)
    if isinstance(fields, str):
        told = "; ".join(f"{name}: {' or '.join(names[name])}" for name in values)
        raise InputError(where, fields, f"fields may be named so: {told}")
    return fields


def place(
    operations: Sequence[Operation],
    kind: str,
    values: Mapping[str, bytes],
    names: Names,
    *,
    where: str,
    accepted: bool = True,
) -> Vector | Skipped:
    """Make a vector of the operation of a kind that values fit; or leave them out.

    This is for files of many parameters, of which a primitive has a part: values of another length
    than that of the field are left out, too.

    Raises
    ------
    InputError
        The values fit several operations.
    """
    candidates = [operation for operation in operations if operation.kind == kind]
    if not candidates:
        return Skipped(where, f"no operation of kind {kind!r}")
    fits = [(one, fit(one, values, names, accepted=accepted)) for one in candidates]
    if all(isinstance(found, str) for _, found in fits):
        return Skipped(where, "; ".join(str(reason) for _, reason in fits))
    operation, fields = _only(fits, where)
    if not accepted and not operation.rejects:
        return Skipped(where, f"{operation.name} never rejects")
    for field, value in fields.items():
        length = fixed_bytes(operation, field)
        if length not in (None, len(value)):
            return Skipped(where, f"{field} is not of {length} bytes")
    return Vector(operation=operation.name, fields=fields, accepted=accepted, where=where)
