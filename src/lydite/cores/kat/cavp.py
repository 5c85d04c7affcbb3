# SPDX-License-Identifier: Apache-2.0
"""Known answers of NIST's CAVP: single messages and Monte Carlo chains of hash functions."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lydite.base.errors import InputError
from lydite.cores.kat.fields import hash_of
from lydite.cores.kat.text import from_hex, lines, number
from lydite.cores.kat.vectors import Chain, Read, Vector
from lydite.cores.operation import Operation

# Steps between the checkpoints of a Monte file (SHA3VS 6.2.3).
_STEPS = 1000


def read_messages(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a CAVP ShortMsg, LongMsg or VariableOut file of byte-oriented messages.

    `Len` (message bits, with the dummy message 00 for none) and `Outputlen` (output bits), where
    they stand, and the headers `[L]` and `[Outputlen]` (output bits of all records), are checked
    against the bytes. An output length that is no multiple of 8 bits is
    refused: the project's cores are byte-oriented.

    Raises
    ------
    InputError
        The file is not such a file, or its last record is not whole.
    """
    operation = hash_of(path, operations)
    vectors = []
    pending: dict[str, bytes | int] = {}
    output_bits = 0
    for line, name, value in lines(path):
        match name:
            case "Len" | "Outputlen":
                pending[name] = number(path, line, value)
            case "[L]" | "[Outputlen]":
                output_bits = number(path, line, value)
            case "Msg":
                pending[name] = from_hex(f"{path}:{line}", value)
            case "MD" | "Output":
                output = from_hex(f"{path}:{line}", value)
                pending.setdefault("Outputlen", output_bits or 8 * len(output))
                vectors.append(_finish(path, line, operation, pending, output))
                pending = {}
    if pending:
        raise InputError(str(path), "the last record has no output", "the file is cut short")
    return Read(tuple(vectors))


def _finish(
    path: Path, line: int, operation: Operation, pending: dict[str, bytes | int], output: bytes
) -> Vector:
    message = pending.get("Msg")
    if not isinstance(message, bytes):
        raise InputError(f"{path}:{line}", "an output without a message before it")
    bits = pending.get("Len", 8 * len(message))
    if bits == 0:
        message = b""
    if bits != 8 * len(message):
        what = f"Len is {bits!r} bits, the message has {8 * len(message)}"
        raise InputError(f"{path}:{line}", what)
    bits = pending["Outputlen"]
    if bits != 8 * len(output):
        what = f"Outputlen is {bits!r} bits, Output has {8 * len(output)}"
        raise InputError(f"{path}:{line}", what)
    [source], [result] = operation.inputs, operation.outputs
    fields = {source.name: message, result.name: output}
    return Vector(operation=operation.name, fields=fields, where=f"{path.name}:{line}")


def read_chains(path: Path, operations: Sequence[Operation]) -> Read:
    """Read a CAVP Monte file of a hash (SHA3VS 6.2.3) or extendable-output function (6.3.3).

    Raises
    ------
    InputError
        The file is not such a file.
    """
    operation = hash_of(path, operations)
    [source], [result] = operation.inputs, operation.outputs
    seed: bytes | None = None
    low = high = output_bits = 0
    checkpoints = []
    for line, name, value in lines(path):
        match name:
            case "[Minimum Output Length (bits)]":
                low = -(-number(path, line, value) // 8)
            case "[Maximum Output Length (bits)]":
                high = number(path, line, value) // 8
            case "Seed" | "Msg":
                seed = from_hex(f"{path}:{line}", value)
            case "MD" | "Output":
                output = from_hex(f"{path}:{line}", value)
                if output_bits not in (0, 8 * len(output)):
                    what = f"Outputlen is {output_bits} bits, Output has {8 * len(output)}"
                    raise InputError(f"{path}:{line}", what)
                fields, where = {result.name: output}, f"{path.name}:{line}"
                checkpoints.append(Vector(operation=operation.name, fields=fields, where=where))
            case "[L]" | "Outputlen":
                output_bits = number(path, line, value)
    if seed is None or not checkpoints:
        raise InputError(str(path), "no seed or no outputs", "this is not a whole Monte file")
    if not low:
        low = high = len(checkpoints[0].fields[result.name])
    chain = Chain(
        operation=operation.name,
        rule="xof" if operation.free else "hash",
        start={source.name: seed},
        text=source.name,
        checkpoints=tuple(checkpoints),
        steps=_STEPS,
        output_range=(low, high),
    )
    return Read(chains=(chain,))
