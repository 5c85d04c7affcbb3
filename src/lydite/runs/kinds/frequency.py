# SPDX-License-Identifier: Apache-2.0
"""The job that finds the clock at which a routed core begins to fail, by simulation.

Nothing of it is a measured figure: it is what the vendor's delays, as place and route writes them,
say of some messages. A figure of one chip model, with stimuli that are named, and no more.
"""

from __future__ import annotations

import dataclasses
import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import msgspec

from lydite.base import code, digest
from lydite.base.errors import InputError
from lydite.cores import Design
from lydite.runs.job import Job, Outcome, said
from lydite.runs.kinds import routed
from lydite.runs.kinds.routed import ProveRouted, RoutedCore
from lydite.runs.plan import Implementation
from lydite.runs.store import Store
from lydite.sim.routed import chips, search, static, stimulus, timed
from lydite.sim.routed.chips import Sigmas
from lydite.sim.routed.model import Model
from lydite.sim.routed.stimulus import KINDS, Kind, Stimulus
from lydite.sim.routed.timed import Chip, Result
from lydite.tools.sdf import Column

MAX_MESSAGES = 100_000
# Runs from reset that are simulated at once, if there are as many messages; and of more messages
# several such batches, up to so many, each of a thread, as soon as each run has so many of them.
_RUNS, _BATCHES, _IN_A_RUN = 512, 8, 4
# So many runs are simulated first, which may be wrong already: one takes a seventh of the time of
# 64, and tells of growth, too.
_PART = 1
# What of the static limit a path must have to be near it.
_NEAR = 0.95
# The search begins at these parts of the static figure.
_LOW, _HIGH = 0.7, 1.1


@dataclass(frozen=True)
class Asked:
    """What is asked of a routed core.

    Attributes
    ----------
    messages : int
        How many must come out right, 1 to MAX_MESSAGES.
    stimulus : str
        What they are: random ones, the known answers over and over, long ones, random ones
        between which streams pause.
    seed : int
        Of the messages, and of samples that are random.
    column : str
        Which of the three delays of the file counts.
    chip : int
        0 for the delays as they are; a number for a chip of the model of variation.
    from_mhz, to_mhz : float, optional
        Where to search; 0 for about the static figure.
    """

    messages: int = 256
    stimulus: Kind = "random"
    seed: int = 1
    column: Column = "max"
    chip: int = 0
    sigmas: Sigmas = field(default_factory=Sigmas)
    from_mhz: float = 0.0
    to_mhz: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= self.messages <= MAX_MESSAGES:
            what = f"must be 1 to {MAX_MESSAGES}, not {self.messages}"
            raise InputError("--messages", what)
        assert self.stimulus in KINDS
        for option, value in (("--from-mhz", self.from_mhz), ("--to-mhz", self.to_mhz)):
            if value and not 0.1 <= value <= 10_000:
                raise InputError(option, f"must be 0.1 to 10000, not {value:g}")
        if self.from_mhz and self.to_mhz and self.from_mhz >= self.to_mhz:
            what = f"must be below --to-mhz, {self.to_mhz:g}, not {self.from_mhz:g}"
            raise InputError("--from-mhz", what)
        self.sigmas.check()


@dataclass(frozen=True)
class FindFrequency(Job):
    """Find the clock at which a routed core fails; its netlist is proven first, in both ways."""

    proof: ProveRouted
    asked: Asked
    kind = "frequency"

    @property
    def label(self) -> str:
        asked = self.asked
        chip = f", chip {asked.chip}" if asked.chip else ""
        placed = self.proof.placement
        return (
            f"frequency {placed.synthesis.name} on {placed.target.name}, seed {placed.seed:x}, "
            f"{asked.messages} {asked.stimulus} messages{chip}"
        )

    @property
    def needs(self) -> tuple[Job, ...]:
        return (self.proof,)

    @property
    def reads(self) -> tuple[Job, ...]:
        placement = self.proof.placement
        return (self.proof, placement, placement.synthesis)

    def inputs(self) -> Mapping[str, Any]:
        asked = self.asked
        return {
            "routed": self.proof.key,
            **said(asked, without=("sigmas",)),
            "sigmas": said(asked.sigmas, without=()) if asked.chip else {},
            "simulation": digest.of_file(timed.SOURCE),
            "code": [code.of(type(self), _Finder), *map(code.of_imports, (timed, search, chips))],
        }

    def run(self, work: Path, store: Store) -> Outcome:
        placement = self.proof.placement
        routed.gather(placement, work, store)
        design = self.proof.proof.design
        core = routed.read(work, design, placement.target.family.name)
        found = find(design, core, self.asked)
        before = store.get(self.proof.key)
        assert before is not None, "it is needed first"
        for name in (*routed.MAPPED_FILES, *routed.ROUTED_FILES):
            (work / name).unlink()
        return Outcome(result={**found, "vendor_mhz": before.result["static_mhz"]})


def find(design: Design, core: RoutedCore, asked: Asked) -> dict[str, Any]:
    """Find the clock at which a routed core fails: the result of a record, but for `vendor_mhz`."""
    model = core.timed(asked.column)
    if asked.chip:
        model = chips.varied(model, core.netlist.places, asked.sigmas, asked.chip)
    messages = stimulus.jobs(design, asked.stimulus, asked.messages, asked.seed)
    batches = min(max(1, asked.messages // (_RUNS * _IN_A_RUN)), _BATCHES)
    runs = min(_RUNS * batches, asked.messages)
    given = stimulus.record(design, core.ports, messages, runs, asked.stimulus)
    with Chip(model, core.boundary, given) as chip:
        return _Finder(core, model, given, chip, asked).found()


def asked_of(inputs: Mapping[str, Any]) -> Asked:
    """Read what was asked out of the inputs of a record."""
    if "range" in inputs:  # as it stood there before: few digits, and a chip with its sigmas
        number, *sigmas = inputs["chip"] or [0]
        varied = dict(zip(("chip", "region", "cell"), sigmas, strict=False))
        low, high = inputs["range"]
        inputs = {**inputs, "chip": number, "sigmas": varied, "from_mhz": low, "to_mhz": high}
    fields = {one.name: inputs[one.name] for one in dataclasses.fields(Asked)}
    # Numbers that need not be whole stand in a key as texts.
    return msgspec.convert(fields, Asked, strict=False)


class _Finder:
    """Runs a chip at clocks, each once, and not where another run tells what would come out."""

    def __init__(
        self, core: RoutedCore, model: Model, given: Stimulus, chip: Chip, asked: Asked
    ) -> None:
        self.core = core
        self.model = model
        self.given = given
        self.chip = chip
        self.asked = asked
        self.ways = static.paths(model, static.analyse(model))
        self.results: dict[int, Result] = {}
        self.parts: dict[tuple[int, int], bool] = {}
        # The shortest period at which a run that was right is known to be right again.
        self.settled_ps: int | None = None

    def _at(self, tenths: int) -> Result:
        if tenths not in self.results:
            period = search.period_ps(tenths)
            result = self.chip.run(period, seed=self.asked.seed)
            self.results[tenths] = result
            if not result.wrong and (settled := self.chip.settled_ps(result)) <= period:
                self.settled_ps = settled
        return self.results[tenths]

    def _settles(self, tenths: int) -> bool:
        return self.settled_ps is not None and search.period_ps(tenths) >= self.settled_ps

    def _count(self, tenths: int) -> int:
        """Give a number of messages that are wrong at a clock: 0 only where none is."""
        if self._wrong(tenths, _PART):
            return 1
        return 0 if self._settles(tenths) else len(self._at(tenths).wrong)

    def found(self) -> dict[str, Any]:
        worst = self.ways[0]
        limit = 1e6 / worst.delay_ps
        low = self.asked.from_mhz or limit * _LOW
        high = self.asked.to_mhz or max(limit * _HIGH, low * 1.1)
        found = search.search(self._count, low, high)
        for tenths in (found.best, max(found.best - 1, int(low * search.GRID))):
            assert not self._at(tenths).wrong, f"settled, and wrong at {tenths / search.GRID} MHz"
        best = found.best / search.GRID
        return {
            "static_mhz": limit,
            "simulated_mhz": best,
            "gain": best / limit - 1,
            "messages": self.given.messages,
            "cycles": self.given.cycles,
            "wrong_above": len(self._at(found.best + 1).wrong),
            "settled_ps": self.settled_ps,
            "tried": [
                [tenths / search.GRID, len(self.results[tenths].wrong)]
                for tenths in sorted(self.results)
            ],
            # Of these the first runs alone were run, and one of them was wrong.
            "wrong_mhz": sorted(
                {at / search.GRID for (at, _), wrong in self.parts.items() if wrong}
            ),
            "right_above_mhz": [tenths / search.GRID for tenths in found.right_above],
            "growth": self._growth(low, found.best),
            "static_path": self._told(worst.nodes, worst.delay_ps),
            "first_path": self._first(found.best + 1),
            "excited": self._excited(int(low * search.GRID)),
        }

    def _growth(self, low: float, best: int) -> list[list[float]]:
        """Give how the figure falls as messages grow, in runs of which there are four times more.

        A clock is right for the first runs if none of them is wrong.
        """
        each = max(len(run.ends) for run in self.given.runs)
        found = []
        count = 1
        while count < len(self.given.runs):
            high = best + 1
            while not self._wrong(high, count):
                high += max(1, best // 100)
                if high > 4 * best:
                    break
            start = max(int(low * search.GRID), best)
            wrong = functools.partial(self._wrong, runs=count)
            found.append([count * each, search.halves(wrong, start, high) / search.GRID])
            count *= 4
        return [*found, [self.given.messages, best / search.GRID]]

    def _wrong(self, tenths: int, runs: int) -> bool:
        """Whether one of the first runs is wrong at a clock; the others are not run for it."""
        if tenths in self.results:
            return any(cycle >= 0 for cycle in self.results[tenths].first_wrong[:runs])
        if self._settles(tenths):
            return False
        if (tenths, runs) not in self.parts:
            period = search.period_ps(tenths)
            result = self.chip.run(period, seed=self.asked.seed, runs=runs)
            self.parts[tenths, runs] = any(cycle >= 0 for cycle in result.first_wrong)
        return self.parts[tenths, runs]

    def _first(self, tenths: int) -> dict[str, Any] | None:
        """Tell what fails first at the lowest clock that fails."""
        period = search.period_ps(tenths)
        failure = self.chip.run(period, seed=self.asked.seed, trace=True).failure
        if failure is None:
            return None
        nodes = tuple(node for node, _ in failure.path)
        told = self._told(nodes, failure.path[-1][1])
        ends = self._ends(nodes[-1])
        rank, way = next((n, w) for n, w in enumerate(self.ways, 1) if w.cell in ends)
        return {
            **told,
            "run": failure.run,
            "cycle": failure.cycle,
            # Of all registers and memories, by the slowest path into each.
            "static_rank": rank,
            "static_ends": len(self.ways),
            "end_static_ps": way.delay_ps,
            "named": nodes == self.ways[0].nodes,
        }

    def _ends(self, node: int) -> set[str]:
        return {cell for sampled, _, cell in self.model.captures if sampled == node}

    def _told(self, nodes: Sequence[int], delay_ps: int) -> dict[str, Any]:
        names = [self.model.names[node] for node in nodes]
        cells = list(dict.fromkeys(name.rpartition("/")[0] for name in names))
        return {"cells": cells, "delay_ps": delay_ps, "kind": self._kind(nodes)}

    def _kind(self, nodes: Sequence[int]) -> str:
        """Name the kind of logic of a path."""
        pins = {self.model.names[node].rpartition("/")[2] for node in nodes}
        if pins & {"FCO", "COUT"}:
            return "carry"
        return "memory" if nodes[0] in self._memories else "logic"

    @functools.cached_property
    def _memories(self) -> set[int]:
        blocks = {node for block in self.model.blocks for node, _ in block.outputs.values()}
        return blocks | {ram.output for ram in self.model.luts}

    def _excited(self, low: int) -> list[dict[str, Any]]:
        """Tell, by kind of logic, how many paths near the limit ever change so late.

        A register's slowest path is near where it takes 95 % of the slowest of all; it is excited
        where the register's input was seen to change after that.
        """
        seen = self._at(low).seen
        near = _NEAR * self.ways[0].delay_ps
        counts: dict[str, list[int]] = {}
        for way in self.ways:
            if way.delay_ps < near or way.nodes[-1] not in self.chip.nodes:
                continue
            count = counts.setdefault(self._kind(way.nodes), [0, 0, 0])
            latest = seen[way.nodes[-1]]
            count[0] += 1
            count[1] += latest >= near
            count[2] = max(count[2], latest)
        return [
            {"kind": kind, "near": near, "excited": excited, "latest_ps": latest}
            for kind, (near, excited, latest) in sorted(counts.items())
        ]


def plan(implementation: Implementation, asked: Sequence[Asked]) -> tuple[FindFrequency, ...]:
    """Plan searches on every placement, whose routed netlists are kept."""
    return tuple(FindFrequency(proof, one) for proof in implementation.routed for one in asked)
