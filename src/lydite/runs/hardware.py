# SPDX-License-Identifier: Apache-2.0
"""Jobs of hardware: prove a design, map it, place and route it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import digest
from lydite.base.errors import InputError, ToolFailed
from lydite.cores import Design
from lydite.runs import clocking, timing, wrapper
from lydite.runs.job import Job, Outcome
from lydite.runs.store import Store
from lydite.sim import build, elaborate, generate, random_messages, stream, verify
from lydite.sim.build import Sources
from lydite.targets import Target
from lydite.tools import nextpnr, paths, routes, sdf, verilator, yosys
from lydite.tools.tool import Tool

WRAPPER_FILE = "lydite_measure.v"
WAVE_FILE = "failure.vcd"
# Runs of these tools take seconds to minutes. Under some seeds nextpnr's router comes to no end
# (seen: Keccak on ECP5, 900 s, where other seeds take 60 s).
DEFAULT_TIMEOUT_S = 1800.0


@dataclass(frozen=True)
class Verify(Job):
    """Prove a design; see `sim.verify`. `seed` is of its random messages."""

    design: Design
    seed: int = random_messages.DEFAULT_SEED
    kind = "verify"

    @property
    def label(self) -> str:
        return f"verify {self.design.label}"

    def inputs(self) -> Mapping[str, Any]:
        design = self.design
        primitive = design.primitive
        checks = [str(module.__file__) for module in (stream, verify, random_messages)]
        spec, fast = (text.partition(":")[0] for text in (primitive.spec, primitive.fast))
        return {
            "sources": generate.sources_of(design).digest,
            "ports": [design.clock, design.reset],
            "claims": [
                design.cycles_per_block,
                design.latency_cycles,
                design.cycles_per_message,
            ],
            "primitive": [primitive.name, primitive.kind, primitive.block_bytes],
            "output_bytes": primitive.output_bytes,
            "constants": dict(primitive.constants),
            "vectors": primitive.vectors_digest,
            "spec": digest.of_file(primitive.folder / spec) if spec else "",
            "fast": digest.of_file(primitive.folder / fast) if fast else "",
            "seed": self.seed,
            "harness": build.digest_of_harness(stream.HARNESS),
            "checks": [digest.of_file(Path(name)) for name in checks],
            "tools": [verilator.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        verified = verify.verify(self.design, wave=work / WAVE_FILE, seed=self.seed)
        return Outcome(result=msgspec.to_builtins(verified))


@dataclass(frozen=True)
class Prepare(Job):
    """Let YoWASP compile a place and route tool for this machine, once, before it is needed."""

    tool: Tool
    kind = "prepare"
    recorded = False

    @property
    def label(self) -> str:
        return f"compile {self.tool.name} for this machine (first call only)"

    @property
    def announced(self) -> bool:
        return not nextpnr.is_compiled(self.tool)

    def inputs(self) -> Mapping[str, Any]:
        return self.tool.identity

    def run(self, work: Path, store: Store) -> Outcome:
        outcome = Outcome()
        if not nextpnr.is_compiled(self.tool):
            argv = (*self.tool.argv, "--version")
            outcome.tool(
                self.tool, argv, cwd=work, log="prepare.log", timeout_s=DEFAULT_TIMEOUT_S
            ).checked()
        return outcome


@dataclass(frozen=True)
class Synthesis(Job):
    """Map a design, inside the measuring wrapper, to a target.

    Attributes
    ----------
    name : str
        The design in words.
    clock : str
        Its clock port, or empty for a design without one.
    options : tuple of str
        More flags of the family's `synth_*` command.
    map_ns : float, optional
        Delay between registers that is fast enough for mapping.
    proof : Job, optional
        What must have passed before anything is measured.
    mixed_clocks : bool
        Whether there may be registers that the rising edge of the clock does not move.
    """

    name: str
    sources: Sources
    clock: str
    target: Target
    options: tuple[str, ...] = ()
    map_ns: float | None = None
    native: bool = False
    proof: Job | None = None
    timeout_s: float = DEFAULT_TIMEOUT_S
    mixed_clocks: bool = False
    kind = "synthesis"

    @property
    def label(self) -> str:
        return f"synthesis {self.name} on {self.target.name}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,) if self.proof else ()

    def _script(self) -> str:
        files = [*self.sources.verilog, WRAPPER_FILE, *(path.name for path in wrapper.RTL)]
        return yosys.synthesis_script(
            files,
            wrapper.TOP,
            self.target,
            options=self.options,
            map_ns=self.map_ns,
            includes=self.sources.includes,
            defines=self.sources.defines,
            defer=yosys.has_text(self.sources.parameters),
        )

    def inputs(self) -> Mapping[str, Any]:
        return {
            "sources": self.sources.digest,
            "clock": self.clock,
            "target": self.target.name,
            "script": self._script(),
            "cells": {
                cell: {unit: f"{count:g}" for unit, count in weights.items()}
                for cell, weights in self.target.family.cells.items()
            },
            "wrapper": [
                *(digest.of_file(Path(str(m.__file__))) for m in (wrapper, clocking)),
                *map(digest.of_file, wrapper.RTL),
            ],
            **({"mixed_clocks": True} if self.mixed_clocks else {}),
            "tools": [yosys.find(native=self.native).identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        tool = yosys.find(native=self.native)
        module = elaborate.module(self.sources, native=self.native)
        text = wrapper.verilog(
            self.sources.top, module.ports, self.clock, self.sources.parameters, where=self.name
        )
        clocking.check(module.clocks, self.clock, self.name, mixed=self.mixed_clocks)
        self.sources.copy_to(work)
        (work / WRAPPER_FILE).write_text(text)
        for path in wrapper.RTL:
            (work / path.name).write_bytes(path.read_bytes())
        (work / "synthesis.ys").write_text(self._script())
        outcome = Outcome()
        outcome.tool(
            tool,
            yosys.command(tool, "synthesis.ys"),
            cwd=work,
            log="synthesis.log",
            timeout_s=self.timeout_s,
        ).checked(log=work / "synthesis.log", pick=yosys.errors)
        stat = (work / yosys.STAT_FILE).read_text()
        cells = yosys.parse_cells(stat, exclude=wrapper.TOP)
        area = self.target.family.area(cells)
        if not any(area.values()):
            raise InputError(
                f"{self.name} on {self.target.name}",
                "nothing of it is left after mapping: its outputs are constants or its inputs",
                f"its cells are: {', '.join(cells) or 'none'}; see synthesis.log",
            )
        outcome.result = {
            "area": area,
            "cells": cells,
            "unmeasured": list(clocking.others(module.clocks, self.clock)),
            "netlist_sha256": digest.of_file(work / yosys.NETLIST_FILE),
        }
        return outcome


@dataclass(frozen=True)
class Placement(Job):
    """Place and route a mapped design with one seed.

    Attributes
    ----------
    seed : int
        From `base.seeds.hashed`.
    freq_mhz : str
        Frequency to ask for, as text, so that it has one form.
    routes : bool
        Keep the slowest path between each two registers, too, not only the critical one.
    """

    synthesis: Synthesis
    seed: int
    freq_mhz: str
    options: tuple[str, ...] = ()
    native: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    routes: bool = False
    kind = "placement"
    _tool: Tool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        family = self.target.family
        object.__setattr__(self, "_tool", nextpnr.find(family.placement.tool, native=self.native))

    @property
    def target(self) -> Target:
        """What the design was mapped to."""
        return self.synthesis.target

    @property
    def label(self) -> str:
        return f"placement {self.synthesis.name} on {self.target.name}, seed {self.seed:x}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.synthesis, Prepare(self._tool))

    def inputs(self) -> Mapping[str, Any]:
        return {
            # Yosys is deterministic: what goes into the netlist stands for it.
            "netlist": self.synthesis.key,
            "flags": list(self.target.placement_flags),
            "constraints": self.target.part.constraints,
            "options": list(self.options),
            "seed": self.seed,
            "freq_mhz": self.freq_mhz,
            "tools": [self._tool.identity],
            # What is read out of the delays, and how.
            "reading": [digest.of_file(Path(str(m.__file__))) for m in (paths, sdf, timing)],
            # Those without keep the keys that they had before there were any with.
            **({"routes": True} if self.routes else {}),
        }

    def run(self, work: Path, store: Store) -> Outcome:
        netlist = store.artefacts(self.synthesis.key) / yosys.NETLIST_FILE
        # YoWASP hides the system's temporary folder: the netlist must be beside the work.
        (work / yosys.NETLIST_FILE).write_bytes(netlist.read_bytes())
        (work / nextpnr.CONSTRAINTS_FILE).write_text(self.target.part.constraints)
        argv = nextpnr.command(
            self._tool,
            self.target,
            yosys.NETLIST_FILE,
            seed=self.seed,
            freq_mhz=float(self.freq_mhz),
            options=(*self.options, "--sdf", sdf.DELAYS_FILE),
        )
        outcome = Outcome()
        run = outcome.tool(self._tool, argv, cwd=work, log="place.log", timeout_s=self.timeout_s)
        if run.rc != 0 and nextpnr.too_large(run.output):
            raise InputError(
                f"{self.synthesis.name} on {self.target.name}",
                "the design is too large for the part",
                f"nextpnr says: {nextpnr.errors(run.output)}\n  choose a larger --target",
            )
        run.checked(log=work / "place.log", pick=nextpnr.errors)
        for name in (nextpnr.REPORT_FILE, nextpnr.CONFIG_FILE):
            if not (work / name).exists():
                raise ToolFailed(argv, 0, name=self._tool.name, tail=f"it wrote no {name}")
        report = nextpnr.parse_report((work / nextpnr.REPORT_FILE).read_text(), self._tool)
        outcome.result = {
            **self._timing(work, report),
            "utilization": {name: list(pair) for name, pair in report.utilization.items()},
            "config_sha256": digest.of_file(work / nextpnr.CONFIG_FILE),
        }
        (work / yosys.NETLIST_FILE).unlink()  # it is the synthesis' artefact
        return outcome

    def _timing(self, work: Path, report: nextpnr.Report) -> dict[str, Any]:
        """Tell the classes of paths, and each path between registers where that is asked for."""
        path = work / sdf.DELAYS_FILE
        if not path.exists():
            raise ToolFailed(self._tool.argv, 0, name=self._tool.name, tail=f"no {path.name}")
        delays = sdf.parse(path.read_text())
        names = routes.names((work / yosys.NETLIST_FILE).read_text(), wrapper.TOP)
        classes = paths.classify(delays, names, wrapper.CORE)
        mixed = self.synthesis.mixed_clocks
        found = timing.result(report, classes, names, wrapper.CORE, mixed=mixed)
        if found is None:
            tail = f"no path through {self.synthesis.name} is timed, only the measuring wrapper's"
            raise ToolFailed(self._tool.argv, 0, name=self._tool.name, tail=tail)
        path.unlink()  # it is large, and what it says is in the result
        if self.routes:
            found["routes"] = msgspec.to_builtins(routes.routes(sdf.ends(delays), names))
        return found
