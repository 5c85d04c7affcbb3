# SPDX-License-Identifier: Apache-2.0
"""Job of the testbed: an operation of a design on one size, end to end; see `sim.testbed`."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite import cores
from lydite.base import code, digest
from lydite.base.errors import LyditeError
from lydite.base.units import bytes_text
from lydite.cores import Design, Selection
from lydite.runs import export, replay
from lydite.runs import plan as plans
from lydite.runs.hardware import DESIGN_FREE, WAVE_FILE, Verify, fields
from lydite.runs.job import Job, Outcome
from lydite.runs.plan import Implementation, Settings
from lydite.runs.software import MeasureSoftware, missing_features
from lydite.runs.store import Store
from lydite.sim import build, specification
from lydite.sim.testbed import measure, model, wrapper
from lydite.sim.testbed.measure import Setting
from lydite.targets.links import Link
from lydite.tools import verilator, yosys


def surroundings(design: Design, name: str, setting: Setting) -> dict[str, Any]:
    """Give all that decides what an operation takes in a testbed, but for the calls."""
    operation = design.primitive.operation(name)
    return {
        "sources": build.sources_of(design).digest,
        "design": fields(design, without=DESIGN_FREE),
        "operation": msgspec.to_builtins(operation),
        "specification": [
            specification.inputs(design.primitive, operation, reference)
            for reference in (operation.spec, operation.fast)
        ],
        "core_mhz": str(setting.core_mhz),
        "dma_mhz": str(setting.dma_mhz),
        "link": {
            name: str(value)
            for name, value in fields(setting.link, without=("title", "source")).items()
        },
        "traffic": setting.traffic,
        "seed": setting.seed,
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
        return {**surroundings(self.proof.design, self.operation, self.setting), "size": self.size}

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
            measure.check_size(design.primitive.operation(name), size, setting)


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


def software(selection: Selection) -> tuple[MeasureSoftware, ...]:
    """Plan to measure the software that runs here and works on one call at a time."""
    alone = (v for v in selection.software if v.role != "multi")
    return tuple(MeasureSoftware(v) for v in alone if not missing_features(v))


def main(path: Path) -> int:
    """Measure again as a record on stdin says, compare, and give the exit code; see `replay`."""
    asked = msgspec.json.decode(sys.stdin.buffer.read())
    inputs = asked["inputs"]
    link = {"title": "", "source": "", **inputs["link"]}
    setting = Setting(
        core_mhz=float(inputs["core_mhz"]),
        dma_mhz=float(inputs["dma_mhz"]),
        link=msgspec.convert(link, Link, strict=False),
        traffic=inputs["traffic"],
        seed=inputs["seed"],
    )
    [design] = cores.load(path).designs
    name, size = inputs["operation"]["name"], inputs["size"]
    try:
        print(
            replay.again(
                lambda: msgspec.to_builtins(measure.measure(design, name, size, setting)),
                asked["expected"],
                lambda found: f"{found['hardware_ns'] / 1000:g} us, outputs compared",
            )
        )
    except LyditeError as error:
        print(error)
        return error.exit_code
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
