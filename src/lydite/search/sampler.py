# SPDX-License-Identifier: Apache-2.0
"""optuna's samplers, for the search and for the exploration of directives: ask and tell, in memory.

An optional package, which is imported when a sampler is made.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from lydite.base.errors import ToolNotFound

if TYPE_CHECKING:
    import optuna

SAMPLERS: Mapping[str, str] = MappingProxyType(
    {
        "tpe": "tree-structured Parzen estimators over several objectives (MOTPE)",
        "nsga2": "a genetic algorithm with non-dominated sorting",
        "random": "any point, all as likely",
    }
)
# Points before a sampler goes by what it was told.
STARTUP = 12
_POPULATION = 24
# What is told of a point that failed: worse than all that can be.
FAILED = 1e15


def study(objectives: int, sampler: str, seed: int) -> optuna.Study:
    """Give a study that has no points, whose objectives are all to be small.

    Parameters
    ----------
    sampler : str
        One of SAMPLERS.
    seed : int, at least 0
        Of all its choices, which follow from it and from what it is told, in that order.

    Raises
    ------
    ToolNotFound
        The package `optuna` is not there.
    """
    try:
        # Imported here: an optional package, and slow to load.
        import optuna
    except ModuleNotFoundError as error:
        remedy = "install the extra `explore`: pip install 'lydite[explore]'"
        raise ToolNotFound("optuna", "this package is not there", remedy) from error
    optuna.logging.set_verbosity(optuna.logging.ERROR)
    seed %= 2**32  # more it does not take
    made: dict[str, Any] = {
        "tpe": lambda: optuna.samplers.TPESampler(
            seed=seed, n_startup_trials=STARTUP, multivariate=True, constant_liar=True
        ),
        "nsga2": lambda: optuna.samplers.NSGAIISampler(seed=seed, population_size=_POPULATION),
        "random": lambda: optuna.samplers.RandomSampler(seed=seed),
    }
    with warnings.catch_warnings():
        # Two of its options are called experimental; the version is pinned.
        warnings.simplefilter("ignore", optuna.exceptions.ExperimentalWarning)
        return optuna.create_study(directions=["minimize"] * objectives, sampler=made[sampler]())
