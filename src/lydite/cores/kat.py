# SPDX-License-Identifier: Apache-2.0
"""Known answers: vectors files as data.

A file is read whole and counted before any of it is used: a file cut short is an error, never a
shorter test.
"""

from __future__ import annotations

import re
from pathlib import Path

import msgspec

from lydite.base.errors import InputError
from lydite.base.files import read_text


class Vector(msgspec.Struct, frozen=True):
    """One known answer: a message, its output, and where it stands."""

    message: bytes
    output: bytes
    where: str


class Chain(msgspec.Struct, frozen=True):
    """A Monte Carlo chain: the output of one step is the message of the next.

    Attributes
    ----------
    seed : bytes
        First message.
    checkpoints : tuple of Vector
        Output (and, as `where`, its place) after every 1000 steps; messages are empty.
    output_range : tuple of int
        For an extendable-output function the least and greatest output length in bytes, between
        which the steps vary; (n, n) for a hash.
    """

    seed: bytes
    checkpoints: tuple[Vector, ...]
    output_range: tuple[int, int]


_LINE = re.compile(
    r"^(?:\[(?P<header>[^\]=]+?)(?: = (?P<header_value>[^\]]*))?\]|(?P<name>\w+) = (?P<value>.*))$"
)


def _fields(path: Path) -> list[tuple[int, str, str]]:
    """Give (line number, name, value) of every assignment of a CAVP file; headers as `[name]`."""
    fields = []
    for number, line in enumerate(read_text(path, "a vectors file").splitlines(), 1):
        text = line.strip()
        if not text or text.startswith("#"):
            continue
        found = _LINE.match(text)
        if found is None:
            raise InputError(f"{path}:{number}", f"not a line of a CAVP file: {text[:40]!r}")
        if found["header"]:
            fields.append((number, f"[{found['header']}]", found["header_value"] or ""))
        else:
            fields.append((number, found["name"], found["value"]))
    return fields


def _hex(where: str, text: str) -> bytes:
    try:
        return bytes.fromhex(text)
    except ValueError as error:
        raise InputError(where, f"not whole bytes in hexadecimal: {text[:40]!r}") from error


def _number(path: Path, number: int, text: str) -> int:
    if not text.isdecimal():
        raise InputError(f"{path}:{number}", f"not a number: {text[:40]!r}")
    return int(text)


def read_messages(path: Path, records: int) -> tuple[Vector, ...]:
    """Read a CAVP ShortMsg, LongMsg or VariableOut file of byte-oriented messages.

    `Len` (message bits, with the dummy message 00 for none) and `Outputlen` (output bits), where
    they stand, and the headers `[L]` and `[Outputlen]` (output bits of all records), are checked
    against the bytes. An output length that is no multiple of 8 bits is
    refused: the project's cores are byte-oriented.

    Parameters
    ----------
    records : int
        How many records the file must hold.

    Raises
    ------
    InputError
        The file is not such a file, or has not that many whole records.
    """
    vectors = []
    pending: dict[str, bytes | int] = {}
    output_bits = 0
    for line, name, value in _fields(path):
        match name:
            case "Len" | "Outputlen":
                pending[name] = _number(path, line, value)
            case "[L]" | "[Outputlen]":
                output_bits = _number(path, line, value)
            case "Msg":
                pending[name] = _hex(f"{path}:{line}", value)
            case "MD" | "Output":
                output = _hex(f"{path}:{line}", value)
                pending.setdefault("Outputlen", output_bits or 8 * len(output))
                vectors.append(_finish(path, line, pending, output))
                pending = {}
    if pending:
        raise InputError(str(path), "the last record has no output", "the file is cut short")
    _count(path, len(vectors), records)
    return tuple(vectors)


def _finish(path: Path, line: int, pending: dict[str, bytes | int], output: bytes) -> Vector:
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
    return Vector(message, output, f"{path.name}:{line}")


class _JsonRecord(msgspec.Struct, forbid_unknown_fields=True):
    message: str
    output: str


def read_json(path: Path, records: int) -> tuple[Vector, ...]:
    """Read vectors from a JSON list of `{"message": HEX, "output": HEX}`.

    Raises
    ------
    InputError
        The file is no such list, or has not `records` of them.
    """
    text = read_text(path, "a vectors file")
    try:
        raw = msgspec.json.decode(text, type=list[_JsonRecord])
    except msgspec.DecodeError as error:
        raise InputError(str(path), f"not a JSON vectors file: {error}") from error
    _count(path, len(raw), records)
    return tuple(
        Vector(
            _hex(f"{path}: record {index}", record.message),
            _hex(f"{path}: record {index}", record.output),
            f"{path.name}: record {index}",
        )
        for index, record in enumerate(raw, 1)
    )


def read_chain(path: Path, records: int) -> Chain:
    """Read a CAVP Monte file of a hash (SHA3VS 6.2.3) or extendable-output function (6.3.3).

    Raises
    ------
    InputError
        The file is not such a file, or has not `records` checkpoints.
    """
    seed: bytes | None = None
    low = high = output_bits = 0
    checkpoints = []
    for line, name, value in _fields(path):
        match name:
            case "[Minimum Output Length (bits)]":
                low = -(-_number(path, line, value) // 8)
            case "[Maximum Output Length (bits)]":
                high = _number(path, line, value) // 8
            case "Seed" | "Msg":
                seed = _hex(f"{path}:{line}", value)
            case "MD" | "Output":
                output = _hex(f"{path}:{line}", value)
                if output_bits not in (0, 8 * len(output)):
                    what = f"Outputlen is {output_bits} bits, Output has {8 * len(output)}"
                    raise InputError(f"{path}:{line}", what)
                checkpoints.append(Vector(b"", output, f"{path.name}:{line}"))
            case "[L]" | "Outputlen":
                output_bits = _number(path, line, value)
    if seed is None or not checkpoints:
        raise InputError(str(path), "no seed or no outputs", "this is not a whole Monte file")
    _count(path, len(checkpoints), records)
    if not low:
        low = high = len(checkpoints[0].output)
    return Chain(seed, tuple(checkpoints), (low, high))


def _count(path: Path, got: int, expected: int) -> None:
    if got != expected:
        raise InputError(
            str(path),
            f"{got} records where core.toml says {expected}",
            "the file is cut short, or core.toml counts wrong",
        )
