# SPDX-License-Identifier: Apache-2.0
"""Plans: which jobs answer a question.

Planning runs no tool but to ask for its version; and Yosys, for a top module or a clock that `run`
was not told. A bench is planned in two waves, `compilations` and then `bench`: the keys of what is
done with C follow from the Verilog that it was compiled to (`kinds.compilation` says why).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import msgspec

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.cores import Design, Primitive, Selection, Software
from lydite.runs.job import Job
from lydite.runs.kinds import clocking, compilation, wrapper
from lydite.runs.kinds.compilation import Compile
from lydite.runs.kinds.hardware import DEFAULT_TIMEOUT_S, WRAPPER_FILE, Placement, Synthesis, Verify
from lydite.runs.kinds.netlist import ProveNetlist
from lydite.runs.kinds.routed import ProveRouted
from lydite.runs.processors.software import MeasureSoftware, missing_features
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim import build, elaborate, random_messages
from lydite.sim.build import Sources
from lydite.sim.gather import gather
from lydite.targets import Target
from lydite.targets.models import ROUTED
from lydite.tools import nextpnr

DEFAULT_TARGET = "ecp5-85k"
DEFAULT_SEEDS = 3
DEFAULT_FREQ_MHZ = 100.0
MAX_SEEDS = 10_000
MAX_FREQ_MHZ = 2000.0


@dataclass(frozen=True)
class Implementation:
    """A design on a target: one synthesis, a placement for each seed; none without a clock.

    Attributes
    ----------
    netlist : ProveNetlist, optional
        The proof of what is placed; None where there are no vectors, or none were wanted.
    """

    synthesis: Synthesis
    placements: tuple[Placement, ...]
    netlist: ProveNetlist | None = None

    @property
    def ends(self) -> tuple[Job, ...]:
        """The jobs that all others of it come before."""
        return self.placements or (self.synthesis,)

    @property
    def routed(self) -> tuple[ProveRouted, ...]:
        """The proof of each routed netlist that is kept for one."""
        if self.netlist is None:
            return ()
        return tuple(ProveRouted(one, self.netlist.proof) for one in self.placements if one.keep)


@dataclass(frozen=True)
class HardwarePlan:
    """A design of a bench: proof first, then its implementation."""

    design: Design
    proof: Verify
    implementation: Implementation


@dataclass(frozen=True)
class BenchPlan:
    """A bench of one primitive.

    Attributes
    ----------
    hardware : tuple
        One entry for each design.
    software : tuple
        Jobs of the variants that this machine can run.
    left_out : tuple of (Software, tuple of str)
        Variants that it cannot, with the processor features that it lacks.
    """

    primitive: Primitive
    target: Target
    hardware: tuple[HardwarePlan, ...]
    software: tuple[MeasureSoftware, ...]
    left_out: tuple[tuple[Software, tuple[str, ...]], ...]

    @property
    def jobs(self) -> tuple[Job, ...]:
        """All jobs, proofs first."""
        proofs: list[Job] = []
        for entry in self.hardware:
            netlist = entry.implementation.netlist
            proofs += [entry.proof, netlist] if netlist else [entry.proof]
        placed = [job for entry in self.hardware for job in entry.implementation.ends]
        routed = [job for entry in self.hardware for job in entry.implementation.routed]
        return (*proofs, *placed, *routed, *self.software)


@dataclass(frozen=True)
class Settings:
    """What the user chose of an implementation.

    Attributes
    ----------
    seeds : int
        Number of hashed seeds, 1 to MAX_SEEDS.
    freq_mhz : float
        Frequency to ask for, above 0.
    synthesis_options, place_options : tuple of str
        More flags for the tools.
    map_ns : float, optional
        Delay between registers, above 0, that mapping need not better: it then saves area.
    chains : bool
        Whether each addition gets a carry chain of its own.
    native : bool
        Take tools from PATH, not the pinned wheels.
    timeout_s : float
        Seconds after which a run of a tool is stopped and counts as failed, above 0.
    routes : bool
        Keep the slowest path between each two registers.
    mixed_clocks : bool
        Measure the registers of the clock alone, whatever else there is; see `kinds.clocking`.
    prove_netlist : str
        How many vectors a mapped netlist must pass before it is placed: `some`, `all`, `none`; with
        `routed` some, and as many once more each netlist that was placed and routed.
    clock : bool
        Whether one is wanted: then the family must be placed and routed here. Without, it may be;
        if it is not, there are areas by synthesis alone.

    Raises
    ------
    InputError
        A value is out of range, or of no use; the message names the option.
    """

    target: Target
    seeds: int = DEFAULT_SEEDS
    freq_mhz: float = DEFAULT_FREQ_MHZ
    synthesis_options: tuple[str, ...] = ()
    place_options: tuple[str, ...] = ()
    map_ns: float | None = None
    chains: bool = False
    native: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    routes: bool = False
    mixed_clocks: bool = False
    prove_netlist: Literal["some", "all", "none", "routed"] = "some"
    clock: bool = True

    def __post_init__(self) -> None:
        self._check_clock()
        if not 1 <= self.seeds <= MAX_SEEDS:
            raise InputError("--seeds", f"must be 1 to {MAX_SEEDS}, not {self.seeds}")
        if not self.timeout_s > 0:
            raise InputError("--timeout-s", f"must be above 0, not {self.timeout_s:g}")
        if self.prove_netlist == "routed" and self.target.family.name not in ROUTED:
            what = f"routed netlists of {self.target.family.title} cannot be simulated"
            raise InputError("--target", what, f"those of {', '.join(ROUTED)} can")
        if self.map_ns is not None and not (math.isfinite(self.map_ns) and self.map_ns > 0):
            raise InputError("--map-ns", f"must be above 0, not {self.map_ns:g}")
        if not (math.isfinite(self.freq_mhz) and 0 < self.freq_mhz <= MAX_FREQ_MHZ):
            raise InputError(
                "--freq-mhz", f"must be above 0 and at most {MAX_FREQ_MHZ:g}, not {self.freq_mhz:g}"
            )

    def _check_clock(self) -> None:
        """Refuse a target that is not placed where a clock is wanted, and what only places."""
        family = self.target.family
        if self.clock:
            family.placed()
        elif family.placement is None:
            given = {
                "--seeds": self.seeds != DEFAULT_SEEDS,
                "--freq-mhz": self.freq_mhz != DEFAULT_FREQ_MHZ,
                "--place-option": bool(self.place_options),
            }
            for option in (name for name, wanted in given.items() if wanted):
                what = f"nothing here places {family.title}: areas are of synthesis alone"
                raise InputError(option, what, "leave it out, or name another --target")


def implementation(
    name: str, sources: Sources, clock: str, settings: Settings, *, proof: Verify | None = None
) -> Implementation:
    """Plan to map a design and place it under every seed."""
    synthesis = Synthesis(
        name,
        sources,
        clock,
        settings.target,
        options=settings.synthesis_options,
        map_ns=settings.map_ns,
        chains=settings.chains,
        native=settings.native,
        proof=proof,
        timeout_s=settings.timeout_s,
        mixed_clocks=settings.mixed_clocks,
    )
    netlist = None
    if proof is not None and settings.prove_netlist != "none":
        netlist = ProveNetlist(synthesis, proof, every=settings.prove_netlist == "all")
    placements = tuple(
        Placement(
            synthesis,
            seed=hashed("placement", index),
            freq_mhz=f"{settings.freq_mhz:g}",
            options=settings.place_options,
            native=settings.native,
            timeout_s=settings.timeout_s,
            routes=settings.routes,
            proof=netlist,
            keep=settings.prove_netlist == "routed",
        )
        for index in range(settings.seeds if settings.target.family.placement else 0)
    )
    return Implementation(synthesis, placements, netlist)


def compilations(selections: Iterable[Selection], settings: Settings) -> tuple[Compile, ...]:
    """Plan to compile the C of all designs that have some.

    Raises
    ------
    ToolNotFound
        The program that is to place them is not there: told before anything is compiled.
    """
    if placement := settings.target.family.placement:
        nextpnr.find(placement.tool, native=settings.native)
    return tuple(
        Compile(design, settings.timeout_s)
        for selection in selections
        for design in selection.designs
        if design.hls is not None and design.made is None
    )


def compiled(selection: Selection, records: Mapping[str, Record], store: Store) -> Selection:
    """Give a selection with the Verilog that its C was compiled to, without what was not.

    Parameters
    ----------
    records : mapping
        Of `compilations`, as `runs.execute` gives it.
    """
    designs = []
    for design in selection.designs:
        if design.hls is None or design.made is not None:
            designs.append(design)
        elif (record := records.get(Compile(design).key)) and record.status == "ok":
            designs.append(compilation.compiled(design, record, store))
    return msgspec.structs.replace(selection, designs=tuple(designs))


def bench(
    selection: Selection,
    settings: Settings,
    *,
    software: bool = True,
    proof_seed: int = random_messages.DEFAULT_SEED,
) -> BenchPlan:
    """Plan a bench: every design proven and placed, every variant of software measured.

    Parameters
    ----------
    selection : Selection
        Its C compiled, as `compiled` gives it.
    proof_seed : int
        Of the random messages that designs are proven with.
    software : bool
        Whether to measure software at all.
    """
    hardware = []
    for design in selection.designs:
        proof = Verify(design, proof_seed)
        placed = implementation(
            design.label, build.sources_of(design), design.clock, settings, proof=proof
        )
        hardware.append(HardwarePlan(design, proof, placed))
    variants = selection.software if software else ()
    lacking = {variant.name: missing_features(variant) for variant in variants}
    return BenchPlan(
        primitive=selection.primitive,
        target=settings.target,
        hardware=tuple(hardware),
        software=tuple(MeasureSoftware(v) for v in variants if not lacking[v.name]),
        left_out=tuple((v, lacking[v.name]) for v in variants if lacking[v.name]),
    )


def first_seeds(found: BenchPlan) -> BenchPlan:
    """Give a bench whose designs are placed once each, under the first of their seeds."""
    hardware = tuple(
        replace(
            entry,
            implementation=replace(
                entry.implementation, placements=entry.implementation.placements[:1]
            ),
        )
        for entry in found.hardware
    )
    return replace(found, hardware=hardware)


def more_seeds(found: BenchPlan, more: Mapping[str, int], *, most: int) -> BenchPlan:
    """Give a bench whose designs have more seeds, `most` at most: name of a design to how many.

    Those that they have stay first, in their order.
    """
    hardware = []
    for entry in found.hardware:
        placed = entry.implementation.placements
        last = min(len(placed) + more.get(entry.design.name, 0), most)
        added = tuple(
            replace(placed[0], seed=hashed("placement", index))
            for index in range(len(placed), last)
        )
        longer = replace(entry.implementation, placements=(*placed, *added))
        hardware.append(replace(entry, implementation=longer))
    return replace(found, hardware=tuple(hardware))


def run(
    files: tuple[Path, ...],
    top: str,
    clock: str,
    parameters: Mapping[str, int | str],
    settings: Settings,
    *,
    includes: tuple[Path, ...] = (),
    defines: Mapping[str, str] | None = None,
) -> Implementation:
    """Plan to implement any Verilog.

    Parameters
    ----------
    files : tuple of Path
        Verilog to read, and other files that it includes or loads.
    top : str
        Its top module; empty for the one that no other has in it.
    clock : str
        Its clock port; empty for the one that clocks its registers, if there are some.
    includes, defines
        As of `Sources`.

    Raises
    ------
    InputError
        A file is missing, VHDL, or named as one of the wrapper's; a name is none of Verilog; or
        top or clock were not given, and there are several.
    """
    for option, name in (("--top", top), ("--clock", clock)):
        if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name):
            raise InputError(option, f"not a name of Verilog: {name!r}")
    sources = gather(files, top=top, parameters=parameters, includes=includes, defines=defines)
    for name in (WRAPPER_FILE, *(path.name for path in wrapper.RTL)):
        if name in sources.files:
            what = f"{name} is a file of the measuring wrapper"
            raise InputError(str(sources.files[name]), what, "rename it")
    if not top:
        sources = msgspec.structs.replace(sources, top=_top(sources, native=settings.native))
    if not clock:
        found = elaborate.module(sources, native=settings.native).clocks
        clock = clocking.choose(found, sources.top)
    return implementation(sources.top, sources, clock, settings)


def _top(sources: Sources, *, native: bool) -> str:
    try:
        roots = elaborate.roots(sources, native=native)
    except InputError as error:
        if sources.parameters:
            # To find what is in what, modules are read with the values that they bring.
            hint = "name the module with --top, so that --param reaches it at once"
            raise InputError(error.where, error.what, hint) from error
        raise
    if len(roots) != 1:
        told = f"{len(roots)} modules are in no other: {', '.join(roots)}" if roots else "no module"
        raise InputError(", ".join(sources.verilog), told, "name the one to implement with --top")
    return roots[0]
