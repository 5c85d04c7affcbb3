# SPDX-License-Identifier: Apache-2.0
"""Jobs of hardware: prove a design, map it, place and route it."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest, files
from lydite.base.errors import InputError, ToolFailed
from lydite.cores import Design
from lydite.cores.design import CLAIMS, TOTAL_BLOCKS
from lydite.runs.generated import export
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds import clocking, timing, wrapper
from lydite.runs.kinds.compilation import Compile
from lydite.runs.store import Store
from lydite.sim import (
    build,
    elaborate,
    random_messages,
    reads,
    specification,
    stream,
    verify,
)
from lydite.sim.build import Sources
from lydite.targets import Target
from lydite.tools import (
    nextpnr,
    paths,
    progress,
    routed,
    routes,
    sdf,
    verilator,
    yosys,
    yowasp,
)
from lydite.tools.tool import Tool

WRAPPER_FILE = "lydite_measure.v"
WAVE_FILE = "failure.vcd"
# The ports of the core in the order of its source, as `tools.yosys.Port`.
PORTS_FILE = "ports.json"
LOG_FILE = "place.log"
# Runs of these tools take seconds to minutes. Under some seeds nextpnr's router comes to no end
# (seen: Keccak on ECP5, 900 s, where other seeds take 60 s).
DEFAULT_TIMEOUT_S = 1800.0


# What a design or a primitive is called, and where it lies: it decides nothing.
_NAMES = ("folder", "name", "title")
# What of a design stands in the digest of its sources.
_IN_SOURCES = ("sources", "hls", "made", "top", "parameters")
# What does not decide, or stands there as what comes of it.
_SETTLED = ("primitive", "default", "claims", "names")
# All that stands elsewhere in a key.
DESIGN_FREE = (*_NAMES, *_IN_SOURCES, *_SETTLED)
# Of a synthesis: what it is called and how long it may take; what must have passed before; and
# what stands in the digest of its sources, in its script or in the tool.
_SYNTHESIS_ELSEWHERE = (
    *("name", "timeout_s", "proof"),
    *("sources", "target", "options", "map_ns", "chains", "native"),
)
# Of a placement the same: what is placed stands there by its key, options in the arguments.
_PLACEMENT_ELSEWHERE = ("timeout_s", "proof", "synthesis", "options", "native", "keep", "_tool")


def _claims(design: Design) -> dict[str, dict[str, list[str]]]:
    """Give what a design claims in numbers: formulas that say the same are the same."""
    blocks = {"total_cycles": TOTAL_BLOCKS}
    return {
        operation: {
            name: [
                " to ".join(map(str, bounds))
                for n in blocks.get(name, (1,))
                if (bounds := design.claim(operation, name, blocks=n)) is not None
            ]
            for name in CLAIMS
        }
        for operation in design.operations
    }


def named_files(options: Sequence[str]) -> tuple[Path, ...]:
    """Give the files that options of a tool name by absolute paths."""
    words = {part for option in options for part in re.split(r"[=,\s]", option)}
    paths = (Path(word) for word in sorted(words) if word.startswith("/"))
    return tuple(path for path in paths if path.is_file())


def _without_folders(text: str, named: Sequence[Path]) -> str:
    """Name files without their folders: in a key their contents count."""
    for path in sorted(named, key=lambda path: -len(str(path))):
        text = text.replace(str(path), path.name)
    return text


@dataclass(frozen=True)
class Verify(Job):
    """Prove a design whose C is compiled; see `sim.verify`. `seed` is of its random messages."""

    design: Design
    seed: int = random_messages.DEFAULT_SEED
    kind = "verify"

    @property
    def label(self) -> str:
        return f"verify {self.design.label}"

    @property
    def needs(self) -> tuple[Job, ...]:
        return self._compiled

    @functools.cached_property
    def _compiled(self) -> tuple[Job, ...]:
        return (Compile(self.design),) if self.design.hls is not None else ()

    def inputs(self) -> Mapping[str, Any]:
        design, primitive = self.design, self.design.primitive
        return {
            "sources": build.sources_of(design).digest,
            "design": said(design, without=DESIGN_FREE),
            "claims": _claims(design),
            "primitive": said(primitive, without=(*_NAMES, "standard", "kat_files")),
            "vectors": primitive.vectors_digest,
            "specification": [
                specification.inputs(primitive, operation, reference)
                for operation in primitive.operations
                for reference in (operation.spec, operation.fast)
            ],
            **said(self, without=("design",)),
            "harness": build.digest_of_harness(stream.HARNESS),
            "checks": code.of_imports(verify),
            # Yosys says which ports there are. What compiles the model has no part in it: the
            # model means the same.
            "tools": [verilator.find().identity, yosys.find().identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        # What is proven is kept with its proof: a core that can be proven again.
        export.write_design(self.design, build.sources_of(self.design), work)
        verified = verify.verify(self.design, wave=work / WAVE_FILE, seed=self.seed)
        inputs = self.inputs()
        known = [pair for one in inputs["specification"] for pair in one.get("read", [])]
        for name, _ in (pair for pair in verified.specification if list(pair) not in known):
            what = f"reads {name} only for some messages, or it was changed meanwhile"
            hint = "a specification opens its files when it is loaded: they stand in the key"
            raise InputError(str(self.design.primitive.folder / name), what, hint)
        return Outcome(result=msgspec.to_builtins(verified))


@dataclass(frozen=True)
class Prepare(Job):
    """Let YoWASP compile a tool for this machine, once, before it is needed."""

    tool: Tool
    kind = "prepare"
    recorded = False

    @property
    def label(self) -> str:
        return f"compile {self.tool.name} for this machine (first call only)"

    @property
    def announced(self) -> bool:
        return not yowasp.is_compiled(self.tool)

    def inputs(self) -> Mapping[str, Any]:
        return self.tool.identity

    def run(self, work: Path, store: Store) -> Outcome:
        outcome = Outcome()
        if not yowasp.is_compiled(self.tool):
            tool = yowasp.compiling(self.tool, work / "cache")
            argv = (*tool.argv, "--help")  # after which some exit with 1
            run = outcome.tool(tool, argv, cwd=work, log="prepare.log", timeout_s=DEFAULT_TIMEOUT_S)
            if not yowasp.install(tool, work / "cache"):
                raise ToolFailed(argv, run.rc, name=tool.name, tail=run.output)
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
    chains : bool
        Whether each addition gets a carry chain of its own.
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
    chains: bool = False
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
            chains=self.chains,
            includes=self.sources.includes,
            defines=self.sources.defines,
            defer=yosys.has_text(self.sources.parameters),
        )

    def inputs(self) -> Mapping[str, Any]:
        named = named_files(self.options)
        return {
            **said(self, without=_SYNTHESIS_ELSEWHERE),
            "sources": self.sources.digest,
            # Command and options of the target stand in it.
            "script": _without_folders(self._script(), named),
            "named": reads.digests(named),
            "cells": {
                cell: {unit: f"{count:g}" for unit, count in weights.items()}
                for cell, weights in self.target.family.cells.items()
            },
            "wrapper": [code.of(wrapper), *map(digest.of_file, wrapper.RTL)],
            "code": code.of(type(self), yosys, clocking),
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
        (work / PORTS_FILE).write_bytes(msgspec.json.encode(module.ports))
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
        yosys.check_netlist((work / yosys.NETLIST_FILE).read_bytes())
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
    proof : Job, optional
        Of the netlist; what must have passed before it is placed.
    keep : bool
        Keep the routed netlist and its delays (`tools.routed`, `tools.sdf`), which are large.
    """

    synthesis: Synthesis
    seed: int
    freq_mhz: str
    options: tuple[str, ...] = ()
    native: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    routes: bool = False
    proof: Job | None = None
    keep: bool = False
    kind = "placement"
    _tool: Tool = field(init=False, repr=False)

    def __post_init__(self) -> None:
        family = self.target.family
        object.__setattr__(self, "_tool", nextpnr.find(family.placed().tool, native=self.native))

    @property
    def target(self) -> Target:
        """What the design was mapped to."""
        return self.synthesis.target

    @property
    def label(self) -> str:
        return f"placement {self.synthesis.name} on {self.target.name}, seed {self.seed:x}"

    @property
    def needs(self) -> tuple[Job, ...]:
        proofs = (self.proof,) if self.proof else ()
        return (self.synthesis, *proofs, Prepare(self._tool))

    @property
    def reads(self) -> tuple[Job, ...]:
        return (self.synthesis,)

    def progress(self, work: Path) -> str:
        return progress.of_nextpnr(files.tail(work / LOG_FILE))

    def _argv(self) -> tuple[str, ...]:
        written = ["--sdf", sdf.DELAYS_FILE]
        written += ["--write", routed.ROUTED_FILE] if self.keep else []
        return nextpnr.command(
            self._tool,
            self.target,
            yosys.NETLIST_FILE,
            seed=self.seed,
            freq_mhz=float(self.freq_mhz),
            options=(*self.options, *written),
        )

    def inputs(self) -> Mapping[str, Any]:
        named = named_files(self.options)
        arguments = self._argv()[len(self._tool.argv) :]
        return {
            # Yosys is deterministic: what goes into the netlist stands for it.
            "netlist": self.synthesis.key,
            # Seed and frequency are for who reads records: nextpnr is told them in its arguments.
            **said(self, without=_PLACEMENT_ELSEWHERE),
            "arguments": [_without_folders(word, named) for word in arguments],
            "named": reads.digests(named),
            "constraints": self.target.part.constraints,
            # What is read out of the delays, and how.
            "code": code.of(type(self), nextpnr, paths, sdf, timing, routes),
            "tools": [self._tool.identity],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        # YoWASP hides the system's temporary folder: the netlist must be beside the work.
        netlist = store.read(self.synthesis.key, yosys.NETLIST_FILE)
        (work / yosys.NETLIST_FILE).write_bytes(netlist)
        (work / nextpnr.CONSTRAINTS_FILE).write_text(self.target.part.constraints)
        argv = self._argv()
        outcome = Outcome()
        run = outcome.tool(self._tool, argv, cwd=work, log=LOG_FILE, timeout_s=self.timeout_s)
        if run.rc != 0 and nextpnr.too_large(run.output):
            raise InputError(
                f"{self.synthesis.name} on {self.target.name}",
                "the design is too large for the part",
                f"nextpnr says: {nextpnr.errors(run.output)}\n  choose a larger --target",
            )
        run.checked(log=work / LOG_FILE, pick=nextpnr.errors)
        kept = (routed.ROUTED_FILE,) if self.keep else ()
        for name in (nextpnr.REPORT_FILE, nextpnr.CONFIG_FILE, *kept):
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
        if not self.keep:
            path.unlink()  # it is large, and what it says is in the result
        if self.routes:
            found["routes"] = msgspec.to_builtins(routes.routes(sdf.ends(delays), names))
        return found
