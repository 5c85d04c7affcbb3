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
        Its place: file name and line or record. All vectors of one record have the same.
    """

    operation: str
    fields: Mapping[str, bytes]
    accepted: bool = True
    where: str = ""


class Skipped(msgspec.Struct, frozen=True):
    """A record that a reader leaves out: its place, and why."""

    where: str
    why: str


class Chain(msgspec.Struct, frozen=True, kw_only=True):
    """A Monte Carlo chain: what goes in at each step follows from what came out before.

    `chains.run` takes the steps.

    Attributes
    ----------
    operation : str
        Name of the operation.
    rule : str
        How inputs follow from outputs: one of `chains.RULES`.
    start : mapping
        Inputs of the first step.
    text : str
        The input that follows from the output of the step before.
    key : str
        The input that changes after every checkpoint; empty if there is none.
    checkpoints : tuple of Vector
        The output after every `steps` steps.
    steps : int
        Steps between checkpoints.
    output_range : tuple of int
        Least and greatest length of an output in bytes, between which the steps of an
        extendable-output function vary; (n, n) otherwise.
    """

    operation: str
    rule: str
    start: Mapping[str, bytes]
    text: str
    key: str = ""
    checkpoints: tuple[Vector, ...]
    steps: int
    output_range: tuple[int, int]


class Read(msgspec.Struct, frozen=True):
    """What a reader found in a file: single calls, or chains."""

    vectors: tuple[Vector, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    chains: tuple[Chain, ...] = ()

    @property
    def records(self) -> int:
        """How many records of the file are used.

        A record may give more than one vector: one of authenticated encryption gives a call that
        seals and one that opens.
        """
        checkpoints = (point for chain in self.chains for point in chain.checkpoints)
        return len({vector.where for vector in (*self.vectors, *checkpoints)})

    @property
    def reasons(self) -> dict[str, int]:
        """Why records were left out, and how many for each reason."""
        counts: dict[str, int] = {}
        for one in self.skipped:
            counts[one.why] = counts.get(one.why, 0) + 1
        return counts
