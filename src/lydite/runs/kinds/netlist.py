# SPDX-License-Identifier: Apache-2.0
"""The job that proves a mapped netlist: what place and route reads, not what was written.

A source that passed its proof says nothing about a netlist that synthesis made of other code or
wrongly. So the core is cut out of the very file that nextpnr is given, its cells are replaced by
models, and the same harness runs it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import CheckFailed
from lydite.cores import Design
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds import wrapper
from lydite.runs.kinds.hardware import PORTS_FILE, Synthesis, Verify
from lydite.runs.store import Store
from lydite.sim import cells, framing, mapped, verify
from lydite.sim.mapped import Mapped
from lydite.sim.stream import StreamModel
from lydite.sim.timing import Timing
from lydite.targets.models import models
from lydite.tools import yosys
from lydite.tools.yosys import Port

# What of a synthesis is read.
FILES = (yosys.NETLIST_FILE, yosys.BOUNDARY_FILE, PORTS_FILE)


@dataclass(frozen=True)
class ProveNetlist(Job):
    """Prove the netlist of a design.

    Attributes
    ----------
    proof : Verify
        The proof of its source, which comes first.
    every : bool
        Run all vectors, not a few of each length.
    """

    synthesis: Synthesis
    proof: Verify
    every: bool = False
    kind = "netlist"

    @property
    def design(self) -> Design:
        """The design whose netlist it is."""
        return self.proof.design

    @property
    def label(self) -> str:
        return f"netlist {self.synthesis.name} on {self.synthesis.target.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof, self.synthesis)

    def inputs(self) -> Mapping[str, Any]:
        family = models(self.synthesis.target.family.cell_models)
        return {
            # Yosys is deterministic: what goes into the netlist stands for it. What goes into the
            # proof of the source (vectors, specification, harness, simulator) decides here, too.
            "netlist": self.synthesis.key,
            "proof": self.proof.key,
            **said(self, without=("synthesis", "proof")),
            "family": self.synthesis.target.family.cell_models,
            "models": [digest.of_file(path) for path in family.files],
            "code": code.of(type(self), mapped, cells),
            "engine": digest.of_file(mapped.ENGINE),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        for name in FILES:
            (work / name).write_bytes(store.read(self.synthesis.key, name))
        proof = store.get(self.proof.key)
        assert proof is not None, "it is needed first"
        family = self.synthesis.target.family.cell_models
        try:
            result = prove(self.design, work, family, every=self.every)
            for right, found in zip(proof.result["operations"], result["operations"], strict=True):
                compare(*(msgspec.convert(one["timing"], Timing) for one in (right, found)))
        except CheckFailed as failure:
            raise CheckFailed(
                f"{failure.expected}, as its source gives",
                f"{failure.got}, from the netlist",
                f"{self.label}: the source passed, the mapped netlist does not: {failure.at}",
            ) from failure
        for name in FILES:
            (work / name).unlink()  # they are the synthesis' artefacts
        return Outcome(result={**result, "every": self.every})


def compare(right: Timing, found: Timing) -> None:
    """Hold the cycles of an operation against those of the source."""
    pairs = [
        (name, getattr(right, name), getattr(found, name))
        for name in ("cycles_per_block", "latency_cycles", "cycles_per_message")
    ]
    pairs += [
        (f"total_cycles of {blocks} blocks", a, b)
        for (blocks, a), (_, b) in zip(right.total_cycles, found.total_cycles, strict=True)
    ]
    for name, a, b in pairs:
        if a != b:
            raise CheckFailed(str(a), str(b), f"{right.operation}: {name}")


def prove(design: Design, folder: Path, family: str, *, every: bool) -> dict[str, Any]:
    """Prove the core in a netlist: FILES of a synthesis in a folder, to which a model is added.

    Returns
    -------
    dict
        As `verify.Verified`, and `cells`: the number of each kind.

    Raises
    ------
    CheckFailed
        It does not do what its source does.
    InputError
        It has a cell that no model does.
    """
    core, ports = cut(design, folder, family)
    return proven(design, core, ports, folder, every=every)


def cut(design: Design, folder: Path, family: str) -> tuple[Mapped, tuple[Port, ...]]:
    """Cut the core and its ports out of a netlist: FILES of a synthesis in a folder.

    Raises
    ------
    InputError
        It has a cell that no model does.
    """
    ports = msgspec.json.decode((folder / PORTS_FILE).read_bytes(), type=tuple[Port, ...])
    core = mapped.mapped(
        (folder / yosys.NETLIST_FILE).read_text(),
        (folder / yosys.BOUNDARY_FILE).read_text(),
        wrapper.TOP,
        design.top,
        ports,
        models(family),
    )
    return core, ports


def opened(design: Design, core: Mapped, ports: Sequence[Port], folder: Path) -> StreamModel:
    """Open a core of a netlist, mapped or routed; its model is written into the folder."""
    sources = core.write(folder, design.top)
    face = framing.face(ports, design)
    return StreamModel(sources, face, clock=design.clock, reset=design.reset)


def proven(
    design: Design, core: Mapped, ports: Sequence[Port], folder: Path, *, every: bool
) -> dict[str, Any]:
    """Prove a core of a netlist; give what `prove` does.

    Raises
    ------
    CheckFailed
        It does not do what its source does.
    """
    with opened(design, core, ports, folder) as model:
        verified = verify.check(design, model, every=every)
    # As a store gives it back: tuples are lists there.
    shown = msgspec.json.decode(msgspec.json.encode(verified))
    return {**shown, "cells": dict(core.cells)}
