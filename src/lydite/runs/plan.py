# SPDX-License-Identifier: Apache-2.0
"""Plans: which jobs answer a question. Planning runs no tool but to ask for its version."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass
from pathlib import Path

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.cores import Design, Primitive, Selection, Software
from lydite.runs.hardware import DEFAULT_TIMEOUT_S, Placement, Synthesis, Verify
from lydite.runs.job import Job
from lydite.runs.software import MeasureSoftware, missing_features
from lydite.sim import generate
from lydite.sim.build import VERILOG, Sources
from lydite.targets import Target

DEFAULT_TARGET = "ecp5-85k"
DEFAULT_SEEDS = 3
DEFAULT_FREQ_MHZ = 100.0
MAX_SEEDS = 10_000
MAX_FREQ_MHZ = 2000.0


@dataclass(frozen=True)
class Implementation:
    """A design on a target: one synthesis, a placement for each seed."""

    synthesis: Synthesis
    placements: tuple[Placement, ...]


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
        proofs = [entry.proof for entry in self.hardware]
        placed = [job for entry in self.hardware for job in entry.implementation.placements]
        return (*proofs, *placed, *self.software)


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
    native : bool
        Take tools from PATH, not the pinned wheels.
    timeout_s : float
        Seconds after which a run of a tool is stopped and counts as failed, above 0.
    routes : bool
        Keep the slowest path between each two registers.
    """

    target: Target
    seeds: int = DEFAULT_SEEDS
    freq_mhz: float = DEFAULT_FREQ_MHZ
    synthesis_options: tuple[str, ...] = ()
    place_options: tuple[str, ...] = ()
    map_ns: float | None = None
    native: bool = False
    timeout_s: float = DEFAULT_TIMEOUT_S
    routes: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.seeds <= MAX_SEEDS:
            raise InputError("--seeds", f"must be 1 to {MAX_SEEDS}, not {self.seeds}")
        if not self.timeout_s > 0:
            raise InputError("--timeout-s", f"must be above 0, not {self.timeout_s:g}")
        if self.map_ns is not None:
            if not (math.isfinite(self.map_ns) and self.map_ns > 0):
                raise InputError("--map-ns", f"must be above 0, not {self.map_ns:g}")
            mapper = "abc9" if "-abc9" in self.synthesis_options else None
            if (mapper or self.target.family.synthesis.mapper) != "abc9":
                raise InputError(
                    "--map-ns",
                    f"Yosys maps to {self.target.family.title} by abc, which cannot be told",
                    "add --synth-option=-abc9",
                )
        if not (math.isfinite(self.freq_mhz) and 0 < self.freq_mhz <= MAX_FREQ_MHZ):
            raise InputError(
                "--freq-mhz", f"must be above 0 and at most {MAX_FREQ_MHZ:g}, not {self.freq_mhz:g}"
            )


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
        native=settings.native,
        proof=proof,
        timeout_s=settings.timeout_s,
    )
    placements = tuple(
        Placement(
            synthesis,
            seed=hashed("placement", index),
            freq_mhz=f"{settings.freq_mhz:g}",
            options=settings.place_options,
            native=settings.native,
            timeout_s=settings.timeout_s,
            routes=settings.routes,
        )
        for index in range(settings.seeds)
    )
    return Implementation(synthesis, placements)


def bench(selection: Selection, settings: Settings, *, software: bool = True) -> BenchPlan:
    """Plan a bench: every design proven and placed, every variant of software measured.

    Parameters
    ----------
    software : bool
        Whether to measure software at all.
    """
    hardware = []
    for design in selection.designs:
        proof = Verify(design)
        placed = implementation(
            design.label, generate.sources_of(design), design.clock, settings, proof=proof
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


def run(
    files: tuple[Path, ...], top: str, clock: str, parameters: dict[str, int], settings: Settings
) -> Implementation:
    """Plan to implement any Verilog.

    Parameters
    ----------
    files : tuple of Path
        Verilog to read, and other files that it includes or loads.
    clock : str
        Its clock port; empty for none.

    Raises
    ------
    InputError
        A file is missing, two have one name, or a name is none of Verilog.
    """
    for path in files:
        if not path.is_file():
            raise InputError(str(path), "no such file")
    names = [path.name for path in files]
    for name in names:
        if names.count(name) > 1:
            raise InputError(name, "two files of this name", "their base names must differ")
    for option, name in (("--top", top), ("--clock", clock)):
        if name and not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_$]*", name):
            raise InputError(option, f"not a name of Verilog: {name!r}")
    if not any(path.suffix in VERILOG for path in files):
        raise InputError(", ".join(names), "no Verilog among the files", "its suffix is .v or .sv")
    sources = Sources(files={path.name: path for path in files}, top=top, parameters=parameters)
    return implementation(top, sources, clock, settings)
