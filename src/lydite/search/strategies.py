# SPDX-License-Identifier: Apache-2.0
"""All strategies by name: ours, and those of the entry point group `lydite.strategies`."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Mapping, Sequence
from difflib import get_close_matches

from lydite.base.errors import InputError
from lydite.search.minerva import Minerva
from lydite.search.objective import FMAX, Objective
from lydite.search.parzen import Parzen
from lydite.search.plain import Binary, Probe, RandomArms, Seeds, Sweep
from lydite.search.racing import Racing
from lydite.search.strategy import Budget, Parameters, Strategy
from lydite.targets.arms import Arm, mapping_words

OURS: tuple[type[Strategy], ...] = (
    Racing,
    Parzen,
    Seeds,
    RandomArms,
    Minerva,
    Binary,
    Sweep,
    Probe,
)
GROUP = "lydite.strategies"


@functools.cache
def strategies() -> Mapping[str, type[Strategy]]:
    """Give all strategies by name."""
    others = (entry.load() for entry in importlib.metadata.entry_points(group=GROUP))
    return {kind.name: kind for kind in (*OURS, *others)}


def find(name: str, where: str = "--strategy") -> type[Strategy]:
    """Give the strategy of a name.

    Raises
    ------
    InputError
        There is none.
    """
    known = strategies()
    if name not in known:
        near = get_close_matches(name, known, n=1)
        hint = f"the nearest is {near[0]}" if near else f"there are: {', '.join(known)}"
        raise InputError(where, f"no such strategy: {name!r}", hint)
    return known[name]


def make(
    name: str,
    arms: Sequence[Arm],
    *,
    parameters: Parameters | None = None,
    budget: Budget | None = None,
    seed: int = 1,
    objective: Objective = FMAX,
) -> Strategy:
    """Give a strategy on arms, before its first point.

    Raises
    ------
    InputError
        There is none of that name, or it does not go after the objective.
    """
    kind = find(name)
    check(kind, objective)
    names = [arm.name for arm in arms]
    if issubclass(kind, Racing):
        return kind(
            names,
            parameters=parameters,
            budget=budget,
            seed=seed,
            objective=objective,
            options={arm.name: words(arm) for arm in arms},
            groups={arm.name: arm.name.rpartition(":")[0] for arm in arms},
        )
    return kind(names, parameters=parameters, budget=budget, seed=seed, objective=objective)


def check(kind: type[Strategy], objective: Objective) -> None:
    """Refuse a strategy that does not go after an objective.

    Raises
    ------
    InputError
        It says which do.
    """
    if not objective.is_placed and kind is not Probe:
        what = f"{kind.name} places, and {objective.name} is known before"
        raise InputError("--strategy", what, "leave it out: each arm is mapped once (probe)")
    if objective.wants_area and kind.asks_frequency:
        what = f"{kind.name} asks for frequencies, and cannot go after {objective.name}"
        raise InputError("--objective", what, "racing and tpe can, and random and probe show it")


def words(arm: Arm) -> tuple[str, ...]:
    """Give the options of an arm, each as one word."""
    return (*arm.synthesis, *arm.place, *mapping_words(arm.map_ns, chains=arm.chains))
