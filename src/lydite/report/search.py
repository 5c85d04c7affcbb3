# SPDX-License-Identifier: Apache-2.0
"""What a search came to: each arm with its placements, each run in its order, and the best."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

import msgspec

from lydite.base.units import digits
from lydite.report.table import Column, Table, figure, of
from lydite.search import objective
from lydite.search.backend import UNPROVEN
from lydite.search.compare import Compared
from lydite.search.explore.objectives import front
from lydite.search.log import Head
from lydite.search.objective import FMAX
from lydite.search.plain import same
from lydite.search.strategy import Budget, Result, Strategy


class ArmRow(msgspec.Struct, frozen=True, kw_only=True):
    """An arm that was tried.

    Attributes
    ----------
    n, failed : int
        Runs that came to an end, and that did not.
    median_mhz, best_mhz : float, optional
        Over those that did.
    cpu_s : float
        Of one run, without what the arm's first one costs more.
    lut4, lut6, ff, bram, dsp, slices : float, optional
        Of the core, in what its family has; None where it is not known. Slices are Vivado's own
        count.
    same_as : str
        The arm tried before it that came to the same hardware; empty for none.
    error : str
        Why its last failure failed.
    esc : float, optional
        Equivalent slices, in hundreds, with the weights of the family.
    rate, merit : float, optional
        At the best clock: data a second, and data (or MHz, where a rate is not known) a second and
        hundred of slices.
    is_on_front : bool
        Whether no arm that was tried has a higher rate (clock, where rates are not known) and no
        more slices.
    """

    arm: str
    about: str
    n: int
    failed: int
    median_mhz: float | None
    best_mhz: float | None
    cpu_s: float
    lut4: float | None
    ff: float | None
    same_as: str
    error: str
    lut6: float | None = None
    bram: float | None = None
    dsp: float | None = None
    slices: float | None = None
    esc: float | None = None
    rate: float | None = None
    merit: float | None = None
    is_on_front: bool = False


class RunRow(msgspec.Struct, frozen=True, kw_only=True):
    """A run, as the strategy was told it; `spent_cpu_s`, `best_mhz` with all before it.

    Attributes
    ----------
    seed : int
        Index of the hashed seed.
    asked_mhz, slack_ns : float, optional
        The frequency asked for, if one was, and the slack at it.
    """

    number: int
    arm: str
    seed: int
    asked_mhz: float | None
    slack_ns: float | None
    fmax_mhz: float | None
    cpu_s: float
    spent_cpu_s: float
    best_mhz: float | None
    key: str
    error: str


class SearchTable(msgspec.Struct, frozen=True, kw_only=True):
    """A search.

    Attributes
    ----------
    proof_key : str
        Of the proof of the source; empty where no answers are known.
    objective : str
        What the best run is the best by.
    unit : str
        Of rates; empty where they are not known.
    best_mhz, best_arm, best_seed, best_key
        The best run; None and empty where there is none.
    n : int
        Runs that the best is the best of.
    summary : str
        What the strategy says of its end.
    """

    design: str
    target: str
    strategy: str
    seed: int
    tools: tuple[str, ...]
    proof_key: str
    budget_cpu_s: float | None
    budget_runs: int | None
    spent_cpu_s: float
    n: int
    failed: int
    best_mhz: float | None
    best_arm: str
    best_seed: int | None
    best_key: str
    summary: str
    arms: tuple[ArmRow, ...]
    runs: tuple[RunRow, ...]
    objective: str = FMAX.name
    unit: str = ""


def table(
    head: Head,
    strategy: Strategy,
    budget: Budget,
    areas: Mapping[str, Mapping[str, float]],
) -> SearchTable:
    """Make the tables of a search.

    Parameters
    ----------
    areas : mapping
        Arm to the area of the core by unit, as far as they are known.
    """
    best = strategy.best
    failed = sum(one.has_failed for one in strategy.results)
    return SearchTable(
        design=head.design,
        target=head.target,
        strategy=head.strategy,
        seed=head.seed,
        tools=head.tools,
        proof_key="" if head.proof.startswith(UNPROVEN) else head.proof,
        budget_cpu_s=budget.cpu_s,
        budget_runs=budget.runs,
        spent_cpu_s=round(strategy.spent_cpu_s, 3),
        n=len(strategy.results) - failed,
        failed=failed,
        best_mhz=best.fmax_mhz if best else None,
        best_arm=best.point.arm if best else "",
        best_seed=best.point.seed if best else None,
        best_key=best.key if best else "",
        summary=strategy.summary(),
        arms=_arms(head, strategy, areas),
        runs=_runs(strategy.results),
        objective=strategy.objective.name,
        unit=head.unit,
    )


def _arms(
    head: Head,
    strategy: Strategy,
    areas: Mapping[str, Mapping[str, float]],
) -> tuple[ArmRow, ...]:
    """Give the arms that were tried, the best first."""
    results = strategy.results
    alike = same(results)
    best: dict[str, Result] = {}
    for one in results:
        known = best.get(one.point.arm)
        if not one.has_failed and (known is None or (one.fmax_mhz or 0) > (known.fmax_mhz or 0)):
            best[one.point.arm] = one
    on_front = {one.point.arm for one in front(list(best.values()), _measure) if one.area}
    rows: list[ArmRow] = []
    for arm in head.arms:
        own = [one for one in results if one.point.arm == arm.name]
        clocks = [one.fmax_mhz for one in own if one.fmax_mhz is not None]
        if not own:
            continue
        area = areas.get(arm.name, {})
        top = best.get(arm.name)
        value, esc = (_rate(top), top.area) if top else (None, None)
        rows.append(
            ArmRow(
                arm=arm.name,
                about=arm.about,
                n=sum(not one.has_failed for one in own),
                failed=sum(one.has_failed for one in own),
                median_mhz=statistics.median(clocks) if clocks else None,
                best_mhz=max(clocks, default=None),
                cpu_s=statistics.fmean(one.cpu_s - one.shared_cpu_s for one in own),
                lut4=area.get("lut4"),
                ff=area.get("ff"),
                same_as=alike.get(arm.name, ""),
                error=next((one.error for one in reversed(own) if one.error), ""),
                lut6=area.get("lut6"),
                bram=area.get("bram"),
                dsp=area.get("dsp"),
                slices=area.get("slices"),
                esc=esc,
                rate=value if top is not None and top.per_cycle else None,
                merit=value / esc if value is not None and esc else None,
                is_on_front=arm.name in on_front,
            )
        )

    def order(row: ArmRow) -> float:
        merit = strategy.merit(best[row.arm]) if row.arm in best else None
        return math.inf if merit is None else -merit

    return tuple(sorted(rows, key=order))


def _rate(one: Result) -> float | None:
    """Give the data a second of a run; its MHz where data are not known."""
    return None if one.fmax_mhz is None else one.fmax_mhz * (one.per_cycle or 1.0)


def _measure(one: Result) -> tuple[float, float]:
    """Give what is to be small on a front: slices, and the rate turned around."""
    return one.area or math.inf, -(_rate(one) or 0.0)


def _runs(results: Sequence[Result]) -> tuple[RunRow, ...]:
    rows: list[RunRow] = []
    spent, best = 0.0, -math.inf
    for number, one in enumerate(results, 1):
        spent += one.cpu_s
        best = max(best, one.fmax_mhz or -math.inf)
        rows.append(
            RunRow(
                number=number,
                arm=one.point.arm,
                seed=one.point.seed,
                asked_mhz=one.point.freq_mhz,
                slack_ns=one.slack_ns,
                fmax_mhz=one.fmax_mhz,
                cpu_s=round(one.cpu_s, 3),
                spent_cpu_s=round(spent, 3),
                best_mhz=best if math.isfinite(best) else None,
                key=one.key,
                error=one.error,
            )
        )
    return tuple(rows)


def _mhz(name: str, head: str) -> Column:
    return Column(name, head, lambda value: digits(value, 4), is_number=True)


def _seconds(name: str, head: str) -> Column:
    return Column(name, head, digits, is_number=True)


def arms(found: SearchTable) -> Table:
    """Give the table of arms, the best first."""
    is_placed = objective.find(found.objective).is_placed
    fields = (
        (Column("arm", "arm"), lambda row: row.arm),
        (figure("n", "n"), lambda row: row.n),
        (figure("failed", "failed"), lambda row: row.failed),
        *(_clocks() if is_placed else ()),
        *_merits(found),
        *_area(found),
        (Column("about", "what", rank=1), _what),
    )
    title = f"Search: {found.design} on {found.target}, {found.strategy}"
    return of(title, fields, found.arms, _notes(found))


def _clocks() -> Iterable[tuple[Column, Callable[[ArmRow], float | None]]]:
    yield _mhz("median_mhz", "MHz\nmedian"), lambda row: row.median_mhz
    yield _mhz("best_mhz", "MHz\nbest"), lambda row: row.best_mhz
    yield _seconds("cpu_s", "CPU s\na run"), lambda row: row.cpu_s


def _merits(found: SearchTable) -> Iterable[tuple[Column, Callable[[ArmRow], Any]]]:
    """Give the columns of what the objective is about."""
    aim = objective.find(found.objective)
    unit = found.unit or "MHz"
    if found.unit and aim.counts_data and aim.is_placed:
        yield _mhz("rate", f"{unit}\nbest"), lambda row: row.rate
    if not aim.wants_area:
        return
    yield _mhz("esc", "ESC"), lambda row: row.esc
    if aim is objective.THROUGHPUT_AREA:
        yield _mhz("merit", f"{unit}\nan ESC"), lambda row: row.merit
    if aim.is_placed:
        yield Column("front", "front"), lambda row: "yes" if row.is_on_front else None


def _area(found: SearchTable) -> Iterable[tuple[Column, Callable[[ArmRow], float | None]]]:
    """Give the columns of areas that the target has."""
    if not any(row.lut6 is not None for row in found.arms):
        yield figure("lut4", "LUT4", "{:g}"), lambda row: row.lut4
        yield figure("ff", "FF", "{:g}"), lambda row: row.ff
        return
    yield figure("lut6", "LUT6", "{:g}"), lambda row: row.lut6
    yield figure("ff", "FF", "{:g}"), lambda row: row.ff
    yield figure("bram", "BRAM", "{:g}"), lambda row: row.bram
    yield figure("dsp", "DSP", "{:g}"), lambda row: row.dsp
    yield figure("slices", "slices", "{:g}"), lambda row: row.slices


def _what(row: ArmRow) -> str:
    if row.same_as:
        return f"the same as {row.same_as}"
    return row.about if row.n else row.error.splitlines()[0]


def runs(found: SearchTable) -> Table:
    """Give the table of runs, in their order."""
    fields = (
        (figure("number", "run"), lambda row: row.number),
        (Column("arm", "arm"), lambda row: row.arm),
        (figure("seed", "seed"), lambda row: row.seed),
        (_mhz("asked_mhz", "MHz\nasked"), lambda row: row.asked_mhz),
        (figure("slack_ns", "ns\nslack", "{:.3f}"), lambda row: row.slack_ns),
        (_mhz("fmax_mhz", "MHz"), lambda row: row.fmax_mhz),
        (_seconds("cpu_s", "CPU s"), lambda row: row.cpu_s),
        (_seconds("spent_cpu_s", "CPU s\nspent"), lambda row: row.spent_cpu_s),
        (_mhz("best_mhz", "MHz best\nso far"), lambda row: row.best_mhz),
        (Column("key", "run's key", lambda key: key[:12]), lambda row: row.key),
    )
    return of("Runs", fields, found.runs)


def _notes(found: SearchTable) -> list[str]:
    spent = f"{digits(found.spent_cpu_s)} CPU s"
    is_steered = any(one.startswith("vivado ") for one in found.tools)
    notes = []
    aim = objective.find(found.objective)
    if aim.wants_area:
        notes.append(
            "ESC: equivalent slices in hundreds, tables, flip-flops, block RAMs and multipliers by "
            "the weights of the family"
        )
    if aim is objective.PARETO:
        told = (
            f"{row.arm} ({_told(found, row)}, {digits(row.esc or 0, 4)} ESC)"
            for row in found.arms
            if row.is_on_front
        )
        notes.append(f"front, of {found.n} placements, {spent}: {', '.join(told)}")
    elif not aim.is_placed and found.best_arm:
        notes.append(f"best: {digits(found.arms[0].esc or 0, 4)} ESC by {found.best_arm}, {spent}")
    elif found.best_mhz is not None:
        asked = next((row.asked_mhz for row in found.runs if row.key == found.best_key), None)
        point = f"{asked:g} MHz asked" if is_steered and asked else f"seed {found.best_seed}"
        clock = f"{digits(found.best_mhz, 4)} MHz"
        row = next(row for row in found.arms if row.arm == found.best_arm)
        if aim.counts_data and row.rate is not None:
            clock = f"{digits(row.rate, 4)} {found.unit} at {clock}"
        notes.append(
            f"best: {clock} by {found.best_arm}, {point}, "
            f"the best of {found.n} placements, {spent}: lydite show {found.best_key[:12]}"
        )
    if found.summary:
        notes.append(f"{found.strategy}: {found.summary}")
    if not aim.is_placed:
        notes.append("nothing was placed, so that no clock is known")
    elif is_steered:
        notes.append(
            "a clock is 1000 / (period - worst setup slack), with registers at the core's ports; "
            "the area of an arm is that of its best run"
        )
    else:
        notes.append(
            "a clock is that of all paths through the core, with registers at its ports; n "
            "placements of an arm, and the best of more is higher by chance alone"
        )
    if not found.proof_key:
        notes.append("not proven: no known answers were given")
    elif is_steered:
        notes.append("proven first: the source by all known answers; Vivado's netlists are not")
    else:
        notes.append(
            "proven first: the source by all known answers, each netlist by some"
            + (" before it was placed" if aim.is_placed else "")
        )
    if is_steered:
        notes.append("nobody of this project has run Vivado (docs/vivado.md)")
    return [*notes, f"tools: {'; '.join(found.tools)}"]


def _told(found: SearchTable, row: ArmRow) -> str:
    if row.rate is None:
        return f"{digits(row.best_mhz or 0, 4)} MHz"
    return f"{digits(row.rate, 4)} {found.unit}"


def _percent(share: float) -> str:
    return f"{100 * share:+.1f} %"


def compared(found: Sequence[Compared]) -> Table:
    """Give the table of strategies on a recorded grid."""
    fields = (
        (Column("design", "design"), lambda row: row.design),
        (Column("target", "target"), lambda row: row.target),
        (Column("strategy", "strategy"), lambda row: row.strategy),
        (_seconds("budget_cpu_s", "CPU s\nbudget"), lambda row: row.budget_cpu_s),
        (figure("runs", "runs", "{:g}"), lambda row: row.runs),
        (_mhz("best_mhz", "MHz\nbest"), lambda row: row.best_mhz),
        (Column("gain", "over the\ndefault", _percent, is_number=True), lambda row: row.gain),
        (_seconds("reach_cpu_s", "CPU s to the\nfirst one's"), lambda row: row.reach_cpu_s),
    )
    notes = []
    if found:
        notes = [
            f"medians of {found[0].replays} replays on recorded placements; over the default: over "
            "the median of the default arm",
            f"last column: until a strategy has what {found[0].strategy} has in the end, in the "
            "same replay",
        ]
    return of("Strategies on a recorded grid", fields, found, notes)
