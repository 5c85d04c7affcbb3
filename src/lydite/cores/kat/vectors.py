# SPDX-License-Identifier: Apache-2.0
"""Known answers, whatever file they come from."""

from __future__ import annotations

from collections.abc import Mapping

import msgspec


class Vector(msgspec.Struct, frozen=True, kw_only=True):
    """One known answer.

    Attributes
    ----------
    operation : str
        Name of the operation.
    fields : mapping
        Name of each input and output to its bytes; a rejected call has no outputs.
    accepted : bool
        False where the call must be rejected.
    where : str
        Its place: file name and line or record.
    """

    operation: str
    fields: Mapping[str, bytes]
    accepted: bool = True
    where: str = ""


class Skipped(msgspec.Struct, frozen=True):
    """A record that a reader leaves out: its place, and why."""

    where: str
    why: str


class Read(msgspec.Struct, frozen=True):
    """What a reader found in a file."""

    vectors: tuple[Vector, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def reasons(self) -> dict[str, int]:
        """Why records were left out, and how many for each reason."""
        counts: dict[str, int] = {}
        for one in self.skipped:
            counts[one.why] = counts.get(one.why, 0) + 1
        return counts


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """A Monte Carlo chain: what goes in at each step follows from what came out before.

    Attributes
    ----------
    operation : str
        Name of the operation.
    rule : str
        How inputs follow from outputs: `hash` (SHA3VS 6.2.3), `xof` (6.3.3), `contest` (NIST's
        SHA-3 contest: the next message is the output before the first bytes of the last one),
        `cipher` (AESAVS 6.4.1).
    start : mapping
        Inputs of the first step.
    checkpoints : tuple of Vector
        After every `steps` steps, with the outputs.
    steps : int
        Steps between checkpoints.
    output_range : tuple of int
        Least and greatest length of an output in bytes, between which the steps of an
        extendable-output function vary; (n, n) otherwise.
    """

    operation: str
    rule: str
    start: Mapping[str, bytes]
    checkpoints: tuple[Vector, ...]
    steps: int
    output_range: tuple[int, int] = (0, 0)
