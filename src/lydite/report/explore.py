# SPDX-License-Identifier: Apache-2.0
"""What an exploration came to: its front, all of its points, what failed, as rows and tables."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence

import msgspec

from lydite.base.units import digits
from lydite.report.failures import Failure
from lydite.report.implemented import Implemented
from lydite.report.table import Column, Table, figure, of
from lydite.search.explore.driver import Budget, Explored, Task
from lydite.search.explore.engine import Engine, Result
from lydite.search.explore.log import Head
from lydite.search.explore.objectives import OBJECTIVES, Figures, covered, dominates, values

FRONT, PROVEN, ESTIMATED, BESIDE, WRITTEN = (
    "front",
    "dominated",
    "dominated by estimate",
    "by hand",
    "as written",
)


class PlacedRow(msgspec.Struct, frozen=True, kw_only=True):
    """A point after place and route.

    Attributes
    ----------
    fmax_median_mhz : float
        The clock that all paths allow, those at the ports included: median over the seeds.
    latency_ns : float
        Of a call at that clock.
    esc : float, optional
        Of the mapped area.
    """

    seeds: int
    fmax_median_mhz: float
    latency_ns: float
    lut4: float
    ff: float
    bram: float
    dsp: float
    esc: float | None
    keys: tuple[str, ...]


class PointRow(msgspec.Struct, frozen=True, kw_only=True):
    """A point.

    Attributes
    ----------
    number : int, optional
        In the order in which points were told, from 1; None of what is beside.
    name : str
        Of what is beside; else empty.
    status : str
        `front`, `dominated`, `dominated by estimate` (not co-simulated), or `failed`; of what is
        beside `not dominated`, too.
    words : str
        What it is told.
    directives : tuple of str
        Function, loop or variable, and directive, of all that it has from outside of the source.
    latency_ns, cycles, ... : number, optional
        As of `Figures`; None where it failed.
    placed : PlacedRow, optional
        Where it was placed.
    """

    number: int | None
    name: str
    status: str
    words: str
    clock_ns: float
    directives: tuple[str, ...]
    latency_ns: float | None
    cycles: float | None
    period_ns: float | None
    lut: int | None
    ff: int | None
    bram: int | None
    dsp: int | None
    esc: float | None
    hardware: str
    keys: tuple[str, ...]
    error: str
    placed: PlacedRow | None = None
    file: str = ""

    @property
    def title(self) -> str:
        """What it is called in tables."""
        return self.name or str(self.number)


class KnobRow(msgspec.Struct, frozen=True, kw_only=True):
    """A knob: where, what kind, and its choices."""

    place: str
    kind: str
    choices: tuple[str, ...]


class Exploration(msgspec.Struct, frozen=True, kw_only=True):
    """An exploration.

    Attributes
    ----------
    size : float
        Points of the space.
    proven, estimated, failed : int
        Points that were co-simulated and are right; that the compiler's estimate alone has shown to
        be dominated; that failed.
    distinct : int
        Different hardware among them.
    seconds, cpu_s : float
        Of a clock, in all calls of it, and of the processes.
    covered : mapping
        To `front`, `first` and each name beside: the share of the space between the best and the
        worst figures of all points that is dominated.
    front, beside, points : tuple of PointRow
        `points` are all that were told, in their order.
    """

    top: str
    target: str
    objectives: tuple[str, ...]
    sampler: str
    seed: int
    knobs: tuple[KnobRow, ...]
    size: float
    budget_runs: int | None
    budget_s: float | None
    proven: int
    estimated: int
    failed: int
    distinct: int
    seconds: float
    cpu_s: float
    covered: Mapping[str, float]
    front: tuple[PointRow, ...]
    beside: tuple[PointRow, ...]
    points: tuple[PointRow, ...]


def table(
    task: Task,
    head: Head,
    found: Explored,
    budget: Budget,
    placed: Mapping[str, Implemented] | None = None,
    files: Mapping[str, str] | None = None,
) -> Exploration:
    """Make the tables of an exploration.

    Parameters
    ----------
    placed : mapping, optional
        Titles of points to what came of placing them.
    files : mapping, optional
        Titles of points to the files of their directives.
    """
    engine, results = found.engine, found.engine.results
    best = {one.point for one in engine.front}
    weigh = task.family.equivalent_slices

    def row(number: int | None, name: str, one: Result) -> PointRow:
        title = name or str(number)
        made = (placed or {}).get(title)
        return _row(
            engine,
            task,
            number,
            name,
            one,
            one.point in best,
            made,
            weigh,
            (files or {}).get(title),
        )

    points = tuple(row(number, "", one) for number, one in enumerate(results, 1))
    beside = tuple(row(None, name, one) for name, one in found.beside.items())
    failed = sum(one.figures is None for one in results)
    proven = sum(one.proven for one in results)
    order = {one.point: at for at, one in enumerate(engine.front)}
    by_point = dict(zip((one.point for one in results), points, strict=True))
    return Exploration(
        top=head.top,
        target=head.target,
        objectives=head.objectives,
        sampler=head.sampler,
        seed=head.seed,
        knobs=tuple(KnobRow(place=k.place, kind=k.kind, choices=k.choices) for k in head.knobs),
        size=float(task.space.size),
        budget_runs=budget.runs,
        budget_s=budget.seconds,
        proven=proven,
        estimated=len(results) - failed - proven,
        failed=failed,
        distinct=len({one.hardware for one in results if one.hardware}),
        seconds=round(found.seconds, 1),
        cpu_s=round(sum(one.cpu_s for one in results), 1),
        covered=_covered(found),
        front=tuple(by_point[point] for point in order),
        beside=beside,
        points=points,
    )


def _row(
    engine: Engine,
    task: Task,
    number: int | None,
    name: str,
    one: Result,
    is_best: bool,
    made: Implemented | None,
    weigh: Callable[[Mapping[str, float]], float | None],
    file: str | None,
) -> PointRow:
    own = next((item for item in task.beside if item.name == name), None)
    directives = task.space.directives(one.point) if own is None else own.directives
    clock_ns = task.space.clock_ns(one.point) if own is None else own.clock_ns
    known = one.figures
    status = "failed" if known is None else PROVEN if one.proven else ESTIMATED
    if own is not None and known is not None:
        mine = values(known, engine.objectives)
        is_beaten = any(dominates(engine.values(other), mine) for other in engine.front)
        status = PROVEN if is_beaten else "not dominated"
    return PointRow(
        number=number,
        name=name,
        status=FRONT if is_best and own is None else status,
        words=task.space.words(one.point) if own is None else f"{len(directives)} directives",
        clock_ns=clock_ns,
        directives=tuple(
            f"{'/'.join(filter(None, (d.function, d.loop, d.variable)))}: {d.directive}"
            for d in directives
        ),
        latency_ns=None if known is None else known.latency_ns,
        cycles=None if known is None else known.cycles,
        period_ns=None if known is None else known.period_ns,
        lut=None if known is None else known.lut,
        ff=None if known is None else known.ff,
        bram=None if known is None else known.bram,
        dsp=None if known is None else known.dsp,
        esc=None if known is None else known.esc,
        hardware=one.hardware,
        keys=tuple(filter(None, (one.estimate_key, one.proof_key))),
        error=one.error,
        placed=None if made is None or known is None else _placed(known, made, weigh),
        file=file or "",
    )


def _placed(
    known: Figures, made: Implemented, weigh: Callable[[Mapping[str, float]], float | None]
) -> PlacedRow:
    mhz = made.usable_median_mhz
    return PlacedRow(
        seeds=made.seeds,
        fmax_median_mhz=mhz,
        latency_ns=1000 * known.cycles / mhz,
        lut4=made.area["lut4"],
        ff=made.area["ff"],
        bram=made.area["bram"],
        dsp=made.area["dsp"],
        esc=weigh(made.area),
        keys=made.keys,
    )


def _covered(found: Explored) -> dict[str, float]:
    """Give what the front, the first point and each that is beside cover."""
    engine = found.engine
    measured = {one.point: engine.values(one) for one in engine.results if one.figures is not None}
    others = {
        name: values(one.figures, engine.objectives)
        for name, one in found.beside.items()
        if one.figures is not None
    }
    everything = [*measured.values(), *others.values()]
    if not everything:
        return {}
    ends = (
        [min(column) for column in zip(*everything, strict=True)],
        [max(column) for column in zip(*everything, strict=True)],
    )
    shown = {"front": [engine.values(one) for one in engine.front]}
    shown[WRITTEN] = [measured[engine.results[0].point]]
    shown |= {name: [own] for name, own in others.items()}
    return {name: round(covered(points, ends), 4) for name, points in shown.items()}


def failures(found: Exploration, *, most: int = 8) -> tuple[Failure, ...]:
    """Give what failed, one for each reason: those whose hardware is wrong first."""
    rows = [row for row in (*found.beside, *found.points) if row.error]
    reasons = Counter(row.error for row in rows)
    first = {row.error: row for row in reversed(rows)}
    shown = sorted(reasons, key=lambda error: (len(first[error].keys) < 2, -reasons[error]))
    told = tuple(
        Failure(
            label=f"point {first[error].title}: {first[error].words}"
            + (f", and {reasons[error] - 1} more" if reasons[error] > 1 else ""),
            error=error,
            key=first[error].keys[-1] if first[error].keys else "",
        )
        for error in shown[:most]
    )
    if len(shown) > most:
        more = sum(reasons[error] for error in shown[most:])
        told += (Failure(label=f"{more} more points", error="see --csv=points"),)
    return told


def _four(name: str, head: str, *, optional: bool = False, rank: int = 0) -> Column:
    return Column(
        name,
        head,
        lambda value: digits(value, 4),
        is_number=True,
        optional=optional,
        rank=rank,
    )


def _count(name: str, head: str, rank: int = 0) -> Column:
    return Column(name, head, "{:,}".format, is_number=True, rank=rank)


_Field = tuple[Column, Callable[[PointRow], object]]


def _figures() -> tuple[_Field, ...]:
    return (
        (_four("latency_ns", "ns\na call"), lambda row: row.latency_ns),
        (_four("cycles", "cycles\na call"), lambda row: row.cycles),
        (_four("clock_ns", "ns\nclock", rank=1), lambda row: row.clock_ns),
        (_count("lut", "LUT\nestim."), lambda row: row.lut),
        (_count("ff", "FF\nestim."), lambda row: row.ff),
        (_count("bram", "BRAM"), lambda row: row.bram),
        (_count("dsp", "DSP"), lambda row: row.dsp),
        (_four("esc", "ESC\nestim."), lambda row: row.esc),
    )


def _routed(row: PointRow, name: str) -> object:
    return None if row.placed is None else getattr(row.placed, name)


def _after() -> tuple[_Field, ...]:
    shown = (
        ("fmax_median_mhz", "MHz\nrouted"),
        ("latency_ns", "ns a call\nrouted"),
        ("lut4", "LUT4\nmapped"),
        ("ff", "FF\nmapped"),
        ("bram", "BRAM\nmapped"),
        ("dsp", "DSP\nmapped"),
        ("esc", "ESC\nmapped"),
    )
    return tuple(
        (_four(f"placed_{name}", head, optional=True), lambda row, name=name: _routed(row, name))
        for name, head in shown
    )


def best(found: Exploration) -> Table:
    """Give the front, by its first objective, and what is beside."""
    written = found.points[:1] if found.points and found.points[0].status != FRONT else ()
    fields: tuple[_Field, ...] = (
        (Column("point", "point"), lambda row: row.title),
        (Column("status", "is", _status), lambda row: row.status),
        *_figures(),
        *_after(),
        (Column("words", "told", rank=2), lambda row: row.words),
    )
    about = ", ".join(OBJECTIVES[name][0] for name in found.objectives)
    title = f"Exploration: {found.top} on {found.target}, {about}"
    good = tuple(row for row in found.beside if row.latency_ns is not None)
    return of(title, fields, (*found.front, *written, *good), _notes(found))


def _status(status: str) -> str:
    return status


def points(found: Exploration) -> Table:
    """Give all points, in the order in which they were told."""
    fields: tuple[_Field, ...] = (
        (figure("number", "point"), lambda row: row.number),
        (Column("status", "is"), lambda row: row.status),
        *_figures(),
        *_after(),
        (Column("words", "told", rank=2), lambda row: row.words),
        (Column("directives", ""), lambda row: "; ".join(row.directives)),
        (Column("hardware", ""), lambda row: row.hardware),
        (Column("key", ""), lambda row: row.keys[-1] if row.keys else ""),
        (Column("error", ""), lambda row: row.error.replace("\n", " ") or None),
    )
    return of("Points", fields, found.points)


def knobs(rows: Sequence[KnobRow], size: float) -> Table:
    """Give what could be chosen."""
    fields = (
        (Column("place", "place"), lambda row: row.place),
        (Column("kind", "knob"), lambda row: row.kind),
        (
            Column("choices", "choices"),
            lambda row: ", ".join(choice or "as written" for choice in row.choices),
        ),
    )
    notes = (f"{size:.3g} points, those that mean the same counted each",)
    return of("Knobs", fields, rows, notes)


def ranking(found: Exploration) -> list[str]:
    """Say of each point beside how it stands to the front."""
    told = []
    rows = {WRITTEN: found.points[0]} if found.points else {}
    rows |= {row.name: row for row in found.beside}
    for name, row in rows.items():
        own = objectives(row, found.objectives)
        if own is None:
            continue
        over = [
            one.title
            for one in found.front
            if (theirs := objectives(one, found.objectives)) and dominates(theirs, own)
        ]
        told.append(
            f"{name}: dominated by {', '.join(over[:6])}{', ...' if len(over) > 6 else ''}"
            if over
            else f"{name}: no point of the front is better in all"
        )
    return told


def objectives(row: PointRow, names: Sequence[str]) -> tuple[float, ...] | None:
    """Give the objectives of a row; None where it failed."""
    if row.latency_ns is None:
        return None
    found = {**msgspec.structs.asdict(row), "latency": row.latency_ns, "period": row.period_ns}
    return tuple(math.inf if found[name] is None else float(found[name]) for name in names)


def _notes(found: Exploration) -> list[str]:
    shares = ", ".join(f"{name} {share:.1%}" for name, share in found.covered.items())
    told = f"{found.sampler}, seed {found.seed}"
    notes = [
        f"{len(found.points)} points of {found.size:.3g} by {told}: {found.proven} co-simulated "
        f"and right, {found.estimated} dominated by the compiler's estimate alone, {found.failed} "
        f"failed; {found.distinct} different hardware",
        "cycles are measured by co-simulation, the mean over all calls of the program; areas are "
        "the compiler's estimates before synthesis; ESC in hundreds of slices, by the family's "
        "weights",
        f"dominated share of what lies between the best and the worst: {shares}",
        *ranking(found),
    ]
    if any(row.placed is not None for row in found.front):
        seeds = next(row.placed.seeds for row in found.front if row.placed is not None)
        notes.append(f"routed: median of {seeds} seeds, all paths, ports included")
    return notes
