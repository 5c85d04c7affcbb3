# SPDX-License-Identifier: Apache-2.0
"""Job of messages of some sizes: the cycles of one alone, and from one to the next, in simulation.

Every output is compared with the specification's.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code
from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.cores import Design
from lydite.cores.operation import Operation
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import DESIGN_FREE, Verify
from lydite.runs.store import Store
from lydite.sim import build, elaborate, framing, specification, stream
from lydite.sim.suites import Oracle
from lydite.sim.verify import open_model
from lydite.tools import verilator, yosys

# What a specification in Python answers in seconds.
MAX_BYTES = 1 << 24
# Of a size, back to back: the first of them fill the core.
CALLS, FILLING = 24, 8
# Above, one alone is all that is asked: such a message fills a core by itself.
MANY_BYTES = 1 << 13


class Took(msgspec.Struct, frozen=True, kw_only=True):
    """Cycles of messages of a size.

    Attributes
    ----------
    bytes : int
        Of the payload.
    alone_cycles : int
        From the first beat taken to the last one given, both ends counted.
    next_cycles : float, optional
        From one to the next of many back to back; None above MANY_BYTES.
    """

    bytes: int
    alone_cycles: int
    next_cycles: float | None


def measure(design: Design, name: str, sizes: Sequence[int]) -> tuple[Took, ...]:
    """Run messages of each size, and compare what comes out.

    Raises
    ------
    InputError
        A size is none, or the operation has no specification.
    CheckFailed
        An output is wrong, or a rule of the streams is broken.
    """
    operation = design.primitive.operation(name)
    for size in sizes:
        if not 0 <= size <= MAX_BYTES:
            raise InputError("sizes", f"must be 0 to {MAX_BYTES} bytes, not {size}")
    found = []
    with Oracle(design.primitive, [name], fast=True) as oracle, open_model(design) as model:
        if not oracle.knows(operation):
            what = f"{name} has no specification: its outputs could not be compared"
            raise InputError(str(design.primitive.folder), what)
        for size in sizes:
            [one] = oracle.accepted(operation, [_inputs(operation, size)])
            given = framing.call(design, one)
            [took] = model.run([given], label=f"{size} bytes")
            each = None
            if size <= MANY_BYTES:
                ends = [t.last_out for t in model.run([given] * CALLS, label=f"many of {size}")]
                each = (ends[-1] - ends[FILLING]) / (CALLS - 1 - FILLING)
            alone = took.last_out - took.first_in + 1
            found.append(Took(bytes=size, alone_cycles=alone, next_cycles=each))
    return tuple(found)


def _inputs(operation: Operation, size: int) -> tuple[tuple[bytes, ...], int | None]:
    """Give random inputs; other fields than the payload are as short as may be."""
    source = random.Random(hashed(f"messages {operation.name}", size))
    chosen = operation.free.measured if operation.free else None
    return tuple(source.randbytes(length) for length in operation.lengths(size)), chosen


@dataclass(frozen=True)
class MeasureMessages(Job):
    """Measure an operation on messages of some sizes; the design is proven first."""

    proof: Verify
    operation: str
    sizes: tuple[int, ...]
    kind = "messages"

    @property
    def label(self) -> str:
        return f"messages of {self.proof.design.label}, {self.operation}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,)

    def inputs(self) -> Mapping[str, Any]:
        design = self.proof.design
        operation = design.primitive.operation(self.operation)
        return {
            **said(self, without=("proof",)),
            "sources": build.sources_of(design).digest,
            "design": said(design, without=DESIGN_FREE),
            "specification": [
                specification.inputs(design.primitive, operation, reference)
                for reference in (operation.spec, operation.fast)
            ],
            "harness": build.digest_of_harness(stream.HARNESS),
            "method": code.of(sys.modules[__name__], framing, stream, elaborate),
            "tools": [verilator.find().identity, yosys.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        found = measure(self.proof.design, self.operation, self.sizes)
        return Outcome(result={"messages": msgspec.to_builtins(found)})
