# SPDX-License-Identifier: Apache-2.0
"""Testbeds of small cores in the tests: run with jobs and what a host does, or with a fault."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Sequence
from pathlib import Path

import msgspec

from lydite.cores import Design, load
from lydite.sim.build import Sources
from lydite.sim.stream import Call, message
from lydite.sim.testbed import measure
from lydite.sim.testbed.model import Access, Clocks, Ran, TestbedModel
from lydite.sim.testbed.wrapper import Wrapped
from lydite.targets import links

ROOT = Path(__file__).resolve().parent.parent.parent
LINK = links.find("axi-hp64")
CLOCKS = Clocks(dma_ps=10_000, core_ps=7_300, core_phase_ps=3_333)


def crc_design(folder: Path = ROOT / "examples" / "crc32") -> Design:
    [design] = load(folder / "core.toml").designs
    return design


def crc_of(data: bytes) -> Call:
    call = message(data, zlib.crc32(data).to_bytes(4, "little"))
    return Call(call.inputs, call.outputs, b"", f"{len(data)} bytes")


def run(
    wrapped: Wrapped,
    calls: Sequence[Call | Sequence[Call]],
    *,
    accesses: Sequence[Access] = (),
    clocks: Clocks = CLOCKS,
    doubt: bool = False,
    traffic: bool = False,
    seed: int = 1,
) -> Ran:
    """Run jobs, each of a call or several; without accesses the host does what it must."""
    jobs = [[one] if isinstance(one, Call) else one for one in calls]
    with TestbedModel(wrapped, effort="once", doubt=doubt) as testbed:
        return testbed.run(
            *(jobs, clocks, LINK),
            accesses=accesses or measure.host(wrapped, jobs),
            label="test",
            traffic=traffic,
            seed=seed,
        )


def changed(wrapped: Wrapped, tmp_path: Path, name: str) -> tuple[Wrapped, Path]:
    """Give a testbed with a copy of one of its files, to be broken."""
    copy = tmp_path / name
    shutil.copyfile(wrapped.sources.files[name], copy)
    files = {**wrapped.sources.files, name: copy}
    sources: Sources = msgspec.structs.replace(wrapped.sources, files=files)
    return msgspec.structs.replace(wrapped, sources=sources), copy
