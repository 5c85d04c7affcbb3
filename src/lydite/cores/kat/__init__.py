# SPDX-License-Identifier: Apache-2.0
"""Known answers: vectors files as data, one reader for each format.

A file is read whole and counted before any of it is used: a file cut short is an error, never a
shorter test. What a reader leaves out it names, with the reason, and `core.toml` must say how many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from lydite.base.errors import InputError
from lydite.cores.kat import acvp, blake3, cavp, cipher, contest, lwc, plain, pqc, wycheproof
from lydite.cores.kat.chains import Call, run
from lydite.cores.kat.vectors import Chain, Read, Skipped, Vector
from lydite.cores.operation import Operation

__all__ = [
    "CHAINS",
    "READERS",
    "Call",
    "Chain",
    "Read",
    "Skipped",
    "Vector",
    "chains_of",
    "formats",
    "run",
    "vectors",
]

Reader = Callable[[Path, Sequence[Operation]], Read]
# Formats of single calls. A further format is a further line.
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "cavp-messages": cavp.read_messages,
        "cavp-cipher": cipher.read,
        "contest": contest.read,
        "lwc": lwc.read,
        "acvp": acvp.read,
        "wycheproof": wycheproof.read,
        "pqc-sign": pqc.read,
        "blake3": blake3.read,
        "json": plain.read,
    }
)
# Formats of Monte Carlo chains.
CHAINS: Mapping[str, Reader] = MappingProxyType(
    {
        "cavp-chain": cavp.read_chains,
        "cavp-cipher-mct": cipher.read_chains,
        "contest-mct": contest.read_chains,
    }
)


def formats() -> tuple[str, ...]:
    """Give the names of all formats."""
    return (*READERS, *CHAINS)


def vectors(
    path: Path, form: str, operations: Sequence[Operation], records: int, skipped: int = 0
) -> Read:
    """Read a file of single calls.

    Parameters
    ----------
    form : str
        Its format, one of READERS.
    records, skipped : int
        How many records of the file the reader must use, and how many it must leave out. A record
        that gives several vectors counts once.

    Raises
    ------
    InputError
        The file is not of this format, a value has a length that the operation does not take, or
        there are more or fewer records.
    """
    found = READERS[form](path, operations)
    _count(path, found, records, skipped)
    known = {operation.name: operation for operation in operations}
    for vector in found.vectors:
        _check(path, vector, known[vector.operation])
    return found


def _check(path: Path, vector: Vector, operation: Operation) -> None:
    inputs = [vector.fields[name] for name in operation.input_names]
    place = f"{path}: {vector.where}"
    operation.check_lengths(inputs, where=place, accepted=vector.accepted)
    if not vector.accepted:
        if not operation.rejects:
            what = f"{vector.where}: to be rejected by {operation.name}, which never rejects"
            raise InputError(str(path), what, "core.toml says so with `rejects`")
        return
    outputs = [vector.fields[name] for name in operation.output_names]
    sizes = [len(value) for value in inputs]
    lengths = operation.output_lengths(sizes, operation.chosen(outputs))
    for name, value, length in zip(operation.output_names, outputs, lengths, strict=True):
        _check_output(path, vector.where, name, value, length)


def _check_inputs(path: Path, given: Mapping[str, bytes], operation: Operation, where: str) -> None:
    inputs = [given[name] for name in operation.input_names]
    operation.check_lengths(inputs, where=f"{path}: {where}")


def _check_output(path: Path, where: str, name: str, value: bytes, length: int) -> None:
    if len(value) != length:
        raise InputError(
            str(path),
            f"{where}: {name} has {len(value)} bytes, not {length}",
            "the file is cut short, or core.toml says a wrong length",
        )


def chains_of(
    path: Path, form: str, operations: Sequence[Operation], records: int, skipped: int = 0
) -> Read:
    """Read a file of Monte Carlo chains; `run` takes their steps.

    Parameters
    ----------
    form : str
        Its format, one of CHAINS.
    records, skipped : int
        How many checkpoints all its chains must have, and how many must be left out.

    Raises
    ------
    InputError
        As of `vectors`.
    """
    found = CHAINS[form](path, operations)
    _count(path, found, records, skipped)
    known = {operation.name: operation for operation in operations}
    for chain in found.chains:
        operation = known[chain.operation]
        _check_inputs(path, chain.start, operation, chain.checkpoints[0].where)
        for checkpoint in chain.checkpoints:
            for output in operation.outputs:
                if isinstance(output.bytes, int):
                    value = checkpoint.fields[output.name]
                    _check_output(path, checkpoint.where, output.name, value, output.bytes)
    return found


def _count(path: Path, found: Read, records: int, skipped: int) -> None:
    reasons = found.reasons
    if not found.records:
        what = f"no record of the primitive's operations{_told(reasons)}"
        raise InputError(str(path), what, "see `format`")
    if found.records != records:
        what = f"{found.records} records where core.toml says {records}{_told(reasons)}"
        hint = "the file is cut short, or core.toml counts wrong"
        raise InputError(str(path), what, hint)
    if len(found.skipped) != skipped:
        what = f"{len(found.skipped)} records left out where core.toml says {skipped}"
        hint = "say so with `skipped`, or take another file"
        raise InputError(str(path), f"{what}{_told(reasons)}", hint)


def _told(reasons: Mapping[str, int]) -> str:
    """Tell why records were left out; nothing where none was."""
    told: Iterable[str] = (f"{count} {why}" for why, count in reasons.items())
    return f" (left out: {'; '.join(told)})" if reasons else ""
