# SPDX-License-Identifier: Apache-2.0
"""Job of a part of the calls that tell whether an operation's cycles depend on secrets.

The record has the cycles of each call (`sim.leakage`), of which statistics are made elsewhere; a
test over more calls has more parts. The C of a design must be compiled; every answer is compared.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code
from lydite.cores import Design
from lydite.runs.generated import export
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import DESIGN_FREE
from lydite.runs.store import Store
from lydite.sim import build, leakage, specification, stream
from lydite.tools import verilator, yosys

SEED = 1


@dataclass(frozen=True)
class MeasureLeakage(Job):
    """Run so many calls, part `part` of them, of an operation of which some inputs are secret."""

    design: Design
    operation: str
    secrets: tuple[str, ...]
    calls: int
    part: int = 0
    seed: int = SEED
    kind = "leakage"

    @property
    def label(self) -> str:
        return f"cycles of {self.design.label} {self.operation} over secrets, part {self.part}"

    def inputs(self) -> Mapping[str, Any]:
        operation = self.design.primitive.operation(self.operation)
        return {
            **said(self, without=("design",)),
            "sources": build.sources_of(self.design).digest,
            "design": said(self.design, without=DESIGN_FREE),
            "specification": [
                specification.inputs(self.design.primitive, operation, reference)
                for reference in (operation.spec, operation.fast)
            ],
            "harness": build.digest_of_harness(stream.HARNESS),
            "method": code.of_imports(leakage),
            "code": code.of(sys.modules[__name__]),
            "tools": [verilator.find().identity, yosys.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        export.write_design(self.design, build.sources_of(self.design), work)
        found = leakage.measure(
            self.design,
            self.operation,
            secrets=self.secrets,
            calls=self.calls,
            part=self.part,
            seed=self.seed,
        )
        return Outcome(result=msgspec.to_builtins(found))
