# SPDX-License-Identifier: Apache-2.0
"""Job of the testbed: an operation of a design on one size, end to end; see `sim.testbed`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.units import bytes_text
from lydite.cores import Design, Selection
from lydite.runs import plan as plans
from lydite.runs.generated import export
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds.hardware import DESIGN_FREE, WAVE_FILE, Verify
from lydite.runs.plan import Implementation, Settings
from lydite.runs.processors.software import MeasureSoftware, missing_features
from lydite.runs.store import Store
from lydite.sim import build, specification
from lydite.sim.testbed import measure, model, wrapper
from lydite.sim.testbed.measure import Setting
from lydite.tools import verilator, yosys


def surroundings(design: Design, name: str, setting: Setting) -> dict[str, Any]:
    """Give all that decides what an operation takes in a testbed, but for the calls."""
    operation = design.primitive.operation(name)
    return {
        "sources": build.sources_of(design).digest,
        "design": said(design, without=DESIGN_FREE),
        "operation": msgspec.to_builtins(operation),
        "specification": [
            specification.inputs(design.primitive, operation, reference)
            for reference in (operation.spec, operation.fast)
        ],
        "setting": said(setting, without=("link",)),
        "link": said(setting.link, without=("title", "source")),
        "rtl": [[path.name, digest.of_file(path)] for path in wrapper.RTL],
        "harness": build.digest_of_harness(model.HARNESS),
        "method": code.of_imports(measure),
        "tools": [verilator.find().identity, yosys.find().identity],
    }


@dataclass(frozen=True)
class MeasureTestbed(Job):
    """Measure an operation on a payload of so many bytes; the design is proven first."""

    proof: Verify
    operation: str
    size: int
    setting: Setting
    kind = "testbed"

    @property
    def label(self) -> str:
        design = self.proof.design
        told = f" {self.operation}" if len(design.operations) > 1 else ""
        return f"testbed {design.label}{told} {bytes_text(self.size)} {self.setting.link.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,)

    def inputs(self) -> Mapping[str, Any]:
        return {
            **surroundings(self.proof.design, self.operation, self.setting),
            **said(self, without=("proof", "operation", "setting")),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        export.write_design(self.proof.design, build.sources_of(self.proof.design), work)
        found = measure.measure(
            self.proof.design, self.operation, self.size, self.setting, wave=work / WAVE_FILE
        )
        return Outcome(result=msgspec.to_builtins(found))


def check(
    design: Design, operations: Sequence[str], sizes: Sequence[int], setting: Setting
) -> None:
    """Refuse clocks and sizes that are none.

    Raises
    ------
    InputError
        The message names what can be done.
    """
    measure.check(setting)
    for name in operations:
        for size in sizes:
            operation = design.primitive.operation(name)
            measure.check_size(operation, size, setting, design.interleaved)


def plan(
    design: Design, operations: Sequence[str], sizes: Sequence[int], setting: Setting
) -> tuple[MeasureTestbed, ...]:
    """Plan every size of each operation.

    Raises
    ------
    InputError
        A clock or a size is none.
    """
    check(design, operations, sizes, setting)
    proof = Verify(design)
    return tuple(
        MeasureTestbed(proof, name, size, setting) for name in operations for size in sizes
    )


def implementation(design: Design, settings: Settings) -> Implementation:
    """Plan to place a design, for its clock; it is proven first."""
    sources = build.sources_of(design)
    return plans.implementation(design.label, sources, design.clock, settings, proof=Verify(design))


def software(selection: Selection, design: Design) -> tuple[MeasureSoftware, ...]:
    """Plan to measure the software that runs here: on one call at a time, where the design is."""
    fair = (v for v in selection.software if v.role != "multi" or design.interleaved > 1)
    return tuple(MeasureSoftware(v) for v in fair if not missing_features(v))


def setting_of(inputs: Mapping[str, Any]) -> Setting:
    """Read the setting out of the inputs of a record."""
    link = {"title": "", "source": "", **inputs["link"]}
    # Numbers that need not be whole stand in a key as texts.
    return msgspec.convert({**inputs["setting"], "link": link}, Setting, strict=False)
