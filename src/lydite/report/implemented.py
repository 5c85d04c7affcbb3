# SPDX-License-Identifier: Apache-2.0
"""A design on a target: its area, and its clock over seeds, read out of records."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from lydite.report import areas
from lydite.runs.plan import Implementation
from lydite.runs.record import Record
from lydite.tools.paths import CLASSES


class Sample(msgspec.Struct, frozen=True, kw_only=True):
    """A placement that came to an end.

    Attributes
    ----------
    seed : str
        In hexadecimal: it has 64 bits, which not every reader of JSON keeps.
    usable_mhz : float
        The clock that all paths through the core allow.
    key : str
        Of its record.
    """

    seed: str
    fmax_mhz: float
    usable_mhz: float
    key: str


class Implemented(msgspec.Struct, frozen=True, kw_only=True):
    """A design on a target over its seeds.

    Attributes
    ----------
    target, device : str
        Our name and the maker's.
    seeds : int
        Placements that came to an end, of `seeds_asked`.
    fmax_median_mhz, fmax_best_mhz, fmax_worst_mhz : float
        Over the seeds, of the core's figure: of paths between its own registers. A core without
        such paths has that of the paths at its ports, and `path_kind` says so.
    usable_median_mhz : float
        Median of the clock that all paths through the core allow, those at its ports included, with
        registers (the measuring wrapper's) on the other side of these.
    kinds : dict
        Class of paths (`tools.paths`) to the median of its clock, where most seeds tell it.
    samples : tuple of Sample
        Each placement, in the order of the seeds; its clock is that of the core's figure.
    area : mapping
        Area unit to count, of the core without the measuring wrapper, after mapping.
    available : mapping
        The same units to what the part has.
    path_kind : str
        Class of the critical path of the median run.
    path_from, path_to : str
        Its ends.
    path_logic_ns, path_routing_ns : float
        Its delay in cells and in wires.
    tools : tuple of str
        Name, version and origin of the tools.
    keys : tuple of str
        Keys of the records: synthesis, then placements.
    untimed : dict
        Cells through which the tools know no delay, with their numbers: with any, the clock is too
        good.
    clock : str
        The port that is the clock; empty for none.
    unmeasured : tuple of str
        Registers that it does not move; empty unless they were asked for.
    """

    target: str
    device: str
    seeds: int
    seeds_asked: int
    fmax_median_mhz: float
    fmax_best_mhz: float
    fmax_worst_mhz: float
    samples: tuple[Sample, ...]
    area: dict[str, float]
    available: dict[str, int]
    path_from: str
    path_to: str
    path_levels: int
    path_logic_ns: float
    path_routing_ns: float
    tools: tuple[str, ...]
    keys: tuple[str, ...]
    untimed: dict[str, int] = msgspec.field(default_factory=dict)
    usable_median_mhz: float
    kinds: dict[str, float]
    path_kind: str
    clock: str
    unmeasured: tuple[str, ...]


def implemented(plan: Implementation, records: Mapping[str, Record]) -> Implemented | None:
    """Read a design's implementation out of its records; None if no placement ended."""
    synthesis = records.get(plan.synthesis.key)
    placed = [
        record
        for job in plan.placements
        if (record := records.get(job.key)) is not None and record.status == "ok"
    ]
    if synthesis is None or synthesis.status != "ok" or not placed:
        return None
    target = plan.synthesis.target
    paths = {record.key: record.result["paths"] for record in placed}
    # The core's own paths, if most seeds tell them, else the slowest at its ports.
    own = 2 * sum("core" in found for found in paths.values()) > len(placed)
    shown = {
        record.key: found["core" if own and "core" in found else record.result["path_kind"]]
        for record in placed
        for found in [paths[record.key]]
    }
    samples = tuple(
        Sample(
            seed=f"{job.seed:x}",
            fmax_mhz=float(shown[job.key]["fmax_mhz"]),
            usable_mhz=float(records[job.key].result["fmax_mhz"]),
            key=job.key,
        )
        for job in plan.placements
        if job.key in shown
    )
    placed.sort(key=lambda record: float(shown[record.key]["fmax_mhz"]))
    clocks = [float(shown[record.key]["fmax_mhz"]) for record in placed]
    median = placed[len(placed) // 2]
    middle, path = median.result, shown[median.key]
    utilization = middle["utilization"]
    return Implemented(
        target=target.name,
        device=target.device,
        seeds=len(placed),
        seeds_asked=len(plan.placements),
        fmax_median_mhz=statistics.median(clocks),
        fmax_best_mhz=clocks[-1],
        fmax_worst_mhz=clocks[0],
        samples=samples,
        area={unit: float(synthesis.result["area"][unit]) for unit in target.family.units},
        available={
            unit: utilization[name][1]
            for unit, name in target.family.available.items()
            if name in utilization
        },
        path_kind=path["kind"],
        path_from=path["begin"],
        path_to=path["end"],
        path_levels=path["levels"],
        path_logic_ns=path["logic_ns"],
        path_routing_ns=path["routing_ns"],
        tools=areas.tools_of(synthesis, placed[0]),
        keys=(synthesis.key, *(record.key for record in placed)),
        untimed=target.family.untimed_cells(synthesis.result["cells"]),
        usable_median_mhz=statistics.median(float(r.result["fmax_mhz"]) for r in placed),
        kinds=_kinds(list(paths.values())),
        clock=plan.synthesis.clock,
        unmeasured=tuple(synthesis.result["unmeasured"]),
    )


def _kinds(seeds: Sequence[Mapping[str, Mapping[str, Any]]]) -> dict[str, float]:
    """Give the median clock of each class that more than half of the seeds tell."""
    told = {
        kind: [float(one[kind]["fmax_mhz"]) for one in seeds if kind in one] for kind in CLASSES
    }
    return {
        kind: statistics.median(clocks)
        for kind, clocks in told.items()
        if 2 * len(clocks) > len(seeds)
    }
