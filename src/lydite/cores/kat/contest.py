# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's SHA-3 contest: single messages, and the Monte Carlo chain."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat.fields import hash_of
from lydite.cores.kat.text import from_hex, lines, number, records
from lydite.cores.kat.vectors import Chain, Read, Skipped, Vector
from lydite.cores.operation import Operation

# Bytes of the seed, and steps between the checkpoints of a Monte file (NIST, "Description of Known
# Answer Test (KAT) and Monte Carlo Test (MCT) for SHA-3 Candidate Algorithm Submissions", 2008).
_SEED_BYTES, _STEPS = 128, 1000


def read(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a ShortMsgKAT or LongMsgKAT file: records of `Len` (bits), `Msg` and `MD`.

    The message of no bits is written as 00. Messages that are not whole bytes are left out.

    Raises
    ------
    InputError
        The file is not such a file, a record is not whole, or a length is not that of the message.
    """
    operation = hash_of(path, operations)
    [source], [result] = operation.inputs, operation.outputs
    vectors: list[Vector] = []
    skipped: list[Skipped] = []
    for record in records(path, "Len", ("Msg", "MD")):
        bits, message, output = record.number("Len"), record.data("Msg"), record.data("MD")
        if max(1, -(-bits // 8)) != len(message):
            what = f"Len is {bits} bits, the message has {8 * len(message)}"
            raise InputError(record.place, what)
        if bits % 8:
            skipped.append(Skipped(record.where, "Msg is not whole bytes"))
            continue
        fields = {source.name: message[: bits // 8], result.name: output}
        vectors.append(Vector(operation=operation.name, fields=fields, where=record.where))
    return Read(tuple(vectors), tuple(skipped))


def read_chains(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a MonteCarlo file: `Seed`, and after it a record of `j` and `MD` for each checkpoint.

    Raises
    ------
    InputError
        The file is not such a file, or its last record is not whole.
    """
    operation = hash_of(path, operations)
    [source], [result] = operation.inputs, operation.outputs
    seed = b""
    checkpoints: list[Vector] = []
    turns = 0
    for line, name, value in lines(path):
        place = f"{path}:{line}"
        if name == "Seed" and not seed:
            seed = from_hex(place, value)
            if len(seed) != _SEED_BYTES:
                raise InputError(place, f"Seed has {len(seed)} bytes, not {_SEED_BYTES}")
        elif name == "j" and seed and turns == len(checkpoints):
            if number(path, line, value) != turns:
                raise InputError(place, f"j is {value}, not {turns}", "a record is lacking")
            turns += 1
        elif name == "MD" and turns == len(checkpoints) + 1:
            fields, where = {result.name: from_hex(place, value)}, f"{path.name}:{line}"
            checkpoints.append(Vector(operation=operation.name, fields=fields, where=where))
        else:
            hint = "a Monte file has Seed, and after it j and MD in turn"
            raise InputError(place, f"{name} out of its place", hint)
    if not checkpoints or turns != len(checkpoints):
        raise InputError(str(path), "the last record is not whole", "the file is cut short")
    length = len(checkpoints[0].fields[result.name])
    chain = Chain(
        operation=operation.name,
        rule="contest",
        start={source.name: seed},
        text=source.name,
        checkpoints=tuple(checkpoints),
        steps=_STEPS,
        output_range=(length, length),
    )
    return Read(chains=(chain,))
