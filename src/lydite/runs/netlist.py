# SPDX-License-Identifier: Apache-2.0
"""The job that proves a mapped netlist: what place and route reads, not what was written.

A source that passed its proof says nothing about a netlist that synthesis made of other code or
wrongly. So the core is cut out of the very file that nextpnr is given, its cells are replaced by
models, and the same harness runs it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import CheckFailed, InputError
from lydite.cores import Design
from lydite.runs import wrapper
from lydite.runs.hardware import PORTS_FILE, Synthesis, Verify
from lydite.runs.job import Job, Outcome
from lydite.runs.store import Store
from lydite.sim import cells, mapped, verify
from lydite.sim.build import Sources
from lydite.sim.stream import StreamModel, stream_ports
from lydite.targets.models import models
from lydite.tools import yosys
from lydite.tools.yosys import Port

CORE_FILE = "core.sv"


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
        family = models(self.synthesis.target.family.name)
        return {
            # Yosys is deterministic: what goes into the netlist stands for it. What goes into the
            # proof of the source (vectors, specification, harness, simulator) decides here, too.
            "netlist": self.synthesis.key,
            "proof": self.proof.key,
            "every": self.every,
            "models": [digest.of_file(path) for path in family.files],
            "code": code.of(type(self), mapped, cells),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        core = self._core(work, store)
        found = msgspec.json.decode(
            (store.artefacts(self.synthesis.key) / PORTS_FILE).read_bytes(), type=tuple[Port, ...]
        )
        design = self.design
        ports = stream_ports(found, design.clock, design.reset, where=design.label)
        files = {CORE_FILE: work / CORE_FILE} | {path.name: path for path in core.models}
        sources = Sources(files=files, top=design.top, parameters={})
        try:
            with StreamModel(sources, ports, clock=design.clock, reset=design.reset) as model:
                verified = verify.check(design, model, every=self.every)
            self._same_cycles(verified, store)
        except CheckFailed as failure:
            raise CheckFailed(
                f"{failure.expected}, as its source gives",
                f"{failure.got}, from the netlist",
                f"{self.label}: the source passed, the mapped netlist does not: {failure.at}",
            ) from failure
        shown = msgspec.to_builtins(verified)
        return Outcome(result={**shown, "every": self.every, "cells": dict(core.cells)})

    def _same_cycles(self, verified: verify.Verified, store: Store) -> None:
        proof = store.get(self.proof.key)
        assert proof is not None, "it is needed first"
        for name in ("cycles_per_block", "cycles_per_message", "latency_cycles"):
            expected, got = proof.result[name], getattr(verified, name)
            if expected != got:
                raise CheckFailed(str(expected), str(got), name)

    def _core(self, work: Path, store: Store) -> mapped.Mapped:
        """Cut the core out of the netlist, into a file of the work folder."""
        folder = store.artefacts(self.synthesis.key)
        netlist = (folder / yosys.NETLIST_FILE).read_bytes()
        record = store.get(self.synthesis.key)
        if record is None or digest.of_bytes(netlist) != record.result["netlist_sha256"]:
            raise InputError(
                str(folder / yosys.NETLIST_FILE),
                "this is not the netlist that its record tells of",
                "it was changed after synthesis",
            )
        core = mapped.mapped(
            netlist.decode(),
            (folder / yosys.BOUNDARY_FILE).read_text(),
            wrapper.TOP,
            self.design.top,
            msgspec.json.decode((folder / PORTS_FILE).read_bytes(), type=tuple[Port, ...]),
            models(self.synthesis.target.family.name),
        )
        (work / CORE_FILE).write_text(core.text)
        return core
