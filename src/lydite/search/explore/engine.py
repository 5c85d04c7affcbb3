# SPDX-License-Identifier: Apache-2.0
"""The engine: asked which points to evaluate, told what came of them. It runs nothing itself.

optuna's samplers choose (ask and tell, in memory). What is ours is around them: the first points;
of three points behind these a small step from one of the front and a cross of two neighbours,
since spaces of some thirty knobs are too large for a few hundred points to tell a sampler much; no
point twice, and an end where nothing new is found. The sampler is told of all of them. What it asks
follows from its seed and from what it was told, in that order: the log of an exploration gives the
same decisions again.
"""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import msgspec

from lydite.base.errors import InputError
from lydite.base.seeds import hashed
from lydite.search.explore.objectives import Figures, front, values
from lydite.search.explore.space import AS_WRITTEN, Point, Space
from lydite.search.sampler import FAILED, SAMPLERS, STARTUP, study

if TYPE_CHECKING:
    import optuna

# Points that a sampler may propose again before any is drawn, and draws before it ends.
_REPEATS = 50
_DRAWS = 500
# Knobs that a point of the beginning changes at most, and a step.
_CHANGED = 3


class Result(msgspec.Struct, frozen=True, kw_only=True):
    """What came of a point.

    Attributes
    ----------
    figures : Figures, optional
        None where it failed.
    proven : bool
        Whether its hardware was co-simulated against the C, and is right. Others are dominated by
        one that was, as far as the compiler's estimates go.
    hardware : str
        Digest of the Verilog without its comments; equal ones are the same.
    estimate_key, proof_key : str
        Of the records.
    cpu_s : float
        Processor seconds of what had to be run for it, or had been when it was.
    error : str
        Why it failed.
    exit_code : int
        That of the error.
    """

    point: Point
    figures: Figures | None
    proven: bool = False
    hardware: str = ""
    estimate_key: str = ""
    proof_key: str = ""
    cpu_s: float = 0.0
    error: str = ""
    exit_code: int = 0


class Engine:
    """Chooses points.

    Parameters
    ----------
    objectives : sequence of str
        All to be small.
    sampler : str
        One of SAMPLERS.
    seed : int
        Of all its choices.

    Attributes
    ----------
    results : list of Result
        What it was told, in that order.

    Raises
    ------
    ToolNotFound
        The package `optuna` is not there.
    InputError
        There is no such sampler.
    """

    def __init__(
        self, space: Space, objectives: Sequence[str], *, sampler: str = "tpe", seed: int = 1
    ) -> None:
        if sampler not in SAMPLERS:
            told = f"no such sampler: {sampler!r}"
            raise InputError("--sampler", told, f"there are: {', '.join(SAMPLERS)}")
        self.space = space
        self.objectives = tuple(objectives)
        self.results: list[Result] = []
        self._has_front = sampler != "random"
        self._study = study(len(self.objectives), sampler, seed)
        self._random = random.Random(hashed("exploration", seed))
        self._known: dict[Point, Result | None] = {}
        self._trials: dict[Point, optuna.Trial] = {}
        self._waiting: dict[Point, list[optuna.Trial]] = {}
        begin = dict.fromkeys(map(space.normal, _beginning(space)))
        if self._has_front:
            near = tuple(begin)
            drawn = (self._step(self._random.choice(near)) for _ in range(STARTUP))
            begin |= dict.fromkeys(map(space.normal, drawn))
        self._begin = iter(tuple(begin))
        self._turn = 0
        self._ended = False

    @property
    def pending(self) -> tuple[Point, ...]:
        """Points asked and not yet told, oldest first."""
        return tuple(point for point, result in self._known.items() if result is None)

    @property
    def has_ended(self) -> bool:
        """Whether it asks no more."""
        return self._ended

    @property
    def front(self) -> tuple[Result, ...]:
        """The results that none dominates, by the first objective; all of them are proven."""
        good = [one for one in self.results if one.figures is not None]
        return front(good, self.values)

    def values(self, result: Result) -> tuple[float, ...]:
        """Give the objectives of a result that did not fail."""
        assert result.figures is not None, "a failure has no figures"
        return values(result.figures, self.objectives)

    def ask(self, room: int) -> tuple[Point, ...]:
        """Give up to `room` points to evaluate now, none of them asked before.

        None, where there is room: it has found nothing new, and ends.
        """
        found: list[Point] = []
        while len(found) < room and not self._ended:
            point = self._next()
            if point is None:
                self._ended = True
            else:
                found.append(point)
        return tuple(found)

    def tell(self, result: Result) -> None:
        """Take what came of a point that was asked."""
        assert self._known.get(result.point, result) is None, "told what was not asked"
        self._known[result.point] = result
        self.results.append(result)
        for trial in (self._trials.pop(result.point), *self._waiting.pop(result.point, ())):
            self._study.tell(trial, self._told(result))

    def _told(self, result: Result) -> list[float]:
        if result.figures is None:
            return [FAILED] * len(self.objectives)
        return list(self.values(result))

    def _next(self) -> Point | None:
        for point in self._begin:
            return self._asked(point, self._enqueued(point))
        # A step, a cross, one of the sampler's, and so on.
        turn, self._turn = self._turn % 3, self._turn + 1
        if self._has_front and turn < 2 and (front := self.front):
            has_cross = turn == 1 and len(front) > 1
            for _ in range(_REPEATS):
                one = self._random.choice(front).point
                near = self._cross(front) if has_cross else self._step(one)
                if (point := self.space.normal(near)) not in self._known:
                    return self._asked(point, self._enqueued(point))
        for _ in range(_REPEATS):
            trial = self._study.ask()
            point = self.space.normal(self._read(trial))
            if point not in self._known:
                return self._asked(point, trial)
            known = self._known[point]
            if known is None:
                # One that means the same is on its way.
                self._waiting.setdefault(point, []).append(trial)
            else:
                self._study.tell(trial, self._told(known))
        return self._drawn()

    def _cross(self, front: Sequence[Result]) -> Point:
        """Take some functions as one point of the front has them, the others as its neighbour has.

        What a function is told makes sense together: its loops and its arrays. The wider the gap
        between two neighbours, the likelier they are taken, so that it is what is filled.
        """
        pairs = tuple(itertools.pairwise(front))
        [(one, other)] = self._random.choices(pairs, [self._gap(*pair) for pair in pairs])
        share = self._random.random()
        functions = dict.fromkeys(knob.function for knob in self.space.knobs)
        taken = {function for function in functions if self._random.random() < share}
        return tuple(
            own if knob.function in taken else its
            for knob, own, its in zip(self.space.knobs, one.point, other.point, strict=True)
        )

    def _gap(self, one: Result, other: Result) -> float:
        """Give how far two results are apart: half the time is as far as half the area."""
        pairs = zip(self.values(one), self.values(other), strict=True)
        return sum(abs(math.log1p(a) - math.log1p(b)) for a, b in pairs)

    def _step(self, point: Point) -> Point:
        """Change some knobs of a point."""
        places = [at for at, knob in enumerate(self.space.knobs) if len(knob.choices) > 1]
        count = self._random.randint(1, min(_CHANGED, len(places)))
        chosen = set(self._random.sample(places, count))
        return tuple(
            self._random.choice([other for other in knob.choices if other != choice])
            if at in chosen
            else choice
            for at, (knob, choice) in enumerate(zip(self.space.knobs, point, strict=True))
        )

    def _drawn(self) -> Point | None:
        """Draw a new point, where the sampler only repeats itself."""
        for _ in range(_DRAWS):
            drawn = tuple(self._random.choice(knob.choices) for knob in self.space.knobs)
            point = self.space.normal(drawn)
            if point not in self._known:
                return self._asked(point, self._enqueued(point))
        return None

    def _asked(self, point: Point, trial: optuna.Trial) -> Point:
        self._known[point] = None
        self._trials[point] = trial
        return point

    def _enqueued(self, point: Point) -> optuna.Trial:
        self._study.enqueue_trial(dict(zip(self._names, point, strict=True)))
        trial = self._study.ask()
        self._read(trial)
        return trial

    @property
    def _names(self) -> list[str]:
        return [f"{at} {knob.place} {knob.kind}" for at, knob in enumerate(self.space.knobs)]

    def _read(self, trial: optuna.Trial) -> Point:
        return tuple(
            str(trial.suggest_categorical(name, knob.choices))
            for name, knob in zip(self._names, self.space.knobs, strict=True)
        )


def _beginning(space: Space) -> Iterator[Point]:
    """Give the points to begin with: as written, and what anybody would try first."""
    yield space.first
    inner = {
        (loop.function, loop.name) for loop in space.places.loops if not space.places.inner(loop)
    }
    outermost = {(loop.function, loop.name) for loop in space.places.loops if not loop.outer}
    for places in (inner, outermost):
        for cut in (False, True):
            yield tuple(
                _plain(knob.choices, "pipeline")
                if knob.kind == "pipeline" and (knob.function, knob.loop) in places
                else knob.choices[-1]
                if cut and knob.kind == "partition" and "complete" in knob.choices[-1]
                else knob.choices[0]
                for knob in space.knobs
            )
    yield tuple(
        _plain(knob.choices, f"{knob.kind} off")
        if knob.kind in ("pipeline", "unroll", "inline")
        else knob.choices[0]
        for knob in space.knobs
    )


def _plain(choices: Sequence[str], wanted: str) -> str:
    return wanted if wanted in choices else AS_WRITTEN
