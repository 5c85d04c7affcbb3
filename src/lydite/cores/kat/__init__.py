# SPDX-License-Identifier: Apache-2.0
"""Known answers: vectors files as data, one reader for each format.

A file is read whole and counted before any of it is used: a file cut short is an error, never a
shorter test. What a reader leaves out it names, with the reason, and `core.toml` must say how many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from lydite.base.errors import InputError
from lydite.cores.kat import cavp, plain
from lydite.cores.kat.vectors import Chain, Read, Skipped, Vector
from lydite.cores.operation import Operation

__all__ = ["CHAINS", "READERS", "Chain", "Read", "Skipped", "Vector", "chain", "formats", "vectors"]

Reader = Callable[[Path, Sequence[Operation]], Read]
ChainReader = Callable[[Path, Sequence[Operation]], Chain]
# A further format is a further line.
READERS: Mapping[str, Reader] = MappingProxyType(
    {
        "cavp-messages": cavp.read_messages,
        "json": plain.read,
    }
)
CHAINS: Mapping[str, ChainReader] = MappingProxyType({"cavp-chain": cavp.read_chain})


def formats() -> tuple[str, ...]:
    """Give the names of all formats."""
    return (*READERS, *CHAINS)


def vectors(
    path: Path, form: str, operations: Sequence[Operation], records: int, skipped: int
) -> Read:
    """Read a file of single calls.

    Parameters
    ----------
    records, skipped : int
        How many records the reader must find, and how many it must leave out.

    Raises
    ------
    InputError
        The file is not of this format, a value has a length that the operation does not take, or
        there are more or fewer records.
    """
    found = READERS[form](path, operations)
    _count(path, len(found.vectors), records, "records")
    if len(found.skipped) != skipped:
        told = "; ".join(f"{count} {why}" for why, count in found.reasons.items())
        raise InputError(
            str(path),
            f"{len(found.skipped)} records left out ({told}) where core.toml says {skipped}",
            "say so with `skipped`, or take another file",
        )
    known = {operation.name: operation for operation in operations}
    for vector in found.vectors:
        _check(path, vector, known[vector.operation])
    return found


def _check(path: Path, vector: Vector, operation: Operation) -> None:
    inputs = [vector.fields[name] for name in operation.input_names]
    operation.check_lengths(inputs, where=f"{path}: {vector.where}")
    if not vector.accepted:
        return
    outputs = [vector.fields[name] for name in operation.output_names]
    chosen = next(
        (len(v) for o, v in zip(operation.outputs, outputs, strict=True) if o.bytes is None), None
    )
    lengths = operation.output_lengths([len(value) for value in inputs], chosen)
    for name, value, length in zip(operation.output_names, outputs, lengths, strict=True):
        if len(value) != length:
            raise InputError(
                str(path),
                f"{vector.where}: {name} has {len(value)} bytes, not {length}",
                "the file is cut short, or core.toml says a wrong length",
            )


def chain(path: Path, form: str, operations: Sequence[Operation], records: int) -> Chain:
    """Read a file of a Monte Carlo chain, which must have so many checkpoints.

    Raises
    ------
    InputError
        As of `vectors`.
    """
    found = CHAINS[form](path, operations)
    _count(path, len(found.checkpoints), records, "records")
    known = {operation.name: operation for operation in operations}
    for checkpoint in found.checkpoints:
        operation = known[checkpoint.operation]
        for output in operation.outputs:
            length = len(checkpoint.fields[output.name])
            if isinstance(output.bytes, int) and length != output.bytes:
                what = f"{checkpoint.where}: {output.name} has {length} bytes, not {output.bytes}"
                raise InputError(str(path), what, "core.toml says a wrong length")
    return found


def _count(path: Path, got: int, expected: int, what: str) -> None:
    if got == 0:
        raise InputError(str(path), "no record of the primitive's operations", "see `format`")
    if got != expected:
        raise InputError(
            str(path),
            f"{got} {what} where core.toml says {expected}",
            "the file is cut short, or core.toml counts wrong",
        )
