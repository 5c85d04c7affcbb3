# SPDX-License-Identifier: Apache-2.0
"""How sure the order of a bench's designs is, by the rates of their seeds."""

from __future__ import annotations

import itertools
import math
import statistics
from collections.abc import Mapping, Sequence

import msgspec

from lydite.search.statistics import odds_above, seeds_to_settle

# From when on an order is called sure.
SURE = 0.95


class Order(msgspec.Struct, frozen=True, kw_only=True):
    """Two designs, the one with the higher median rate first.

    Attributes
    ----------
    ratio : float
        Of the medians, at least 1.
    odds : float, optional
        That the first one is faster, by the means of their logarithms (Welch's t); None where one
        has fewer than two seeds.
    seeds : tuple of int
        That each had.
    settled_by : int, optional
        Seeds each that would make it SURE, if means and spreads stay as they look; None where that
        is not known, or no number of them would.
    """

    faster: str
    slower: str
    ratio: float
    odds: float | None
    seeds: tuple[int, int]
    settled_by: int | None


def orders(rates: Mapping[str, Sequence[float]]) -> tuple[Order, ...]:
    """Give the order of each two designs, by the rates under their seeds."""
    ranked = sorted(rates, key=lambda design: -statistics.median(rates[design]))
    return tuple(_order(one, other, rates) for one, other in itertools.combinations(ranked, 2))


def _order(one: str, other: str, rates: Mapping[str, Sequence[float]]) -> Order:
    first, second = ([math.log(rate) for rate in rates[design]] for design in (one, other))
    return Order(
        faster=one,
        slower=other,
        ratio=statistics.median(rates[one]) / statistics.median(rates[other]),
        odds=odds_above(first, second),
        seeds=(len(first), len(second)),
        settled_by=seeds_to_settle(first, second, sure=SURE),
    )


def wanted(found: Sequence[Order], sure: float) -> dict[str, int]:
    """Give how many more seeds designs need whose order is open: as many again at most.

    Parameters
    ----------
    sure : float
        Odds from which an order is no longer open, above 0.5 and below 1.
    """
    needed: dict[str, int] = {}
    for order in found:
        # Where the means are the other way round than the medians, the odds are below a half.
        if order.odds is not None and max(order.odds, 1 - order.odds) >= sure:
            continue
        for design, seeds in zip((order.faster, order.slower), order.seeds, strict=True):
            lacking = seeds if order.settled_by is None else order.settled_by - seeds
            needed[design] = max(needed.get(design, 0), min(max(lacking, 1), seeds))
    return needed


def told(found: Sequence[Order]) -> list[str]:
    """Say in a line for each two designs how sure their order is."""
    return [_told(order) for order in found]


def _told(order: Order) -> str:
    what = f"{order.faster} is {order.ratio:.2f} x as fast as {order.slower}"
    seeds = " and ".join(f"{count}" for count in dict.fromkeys(order.seeds))
    if order.odds is None:
        return f"{what}: one seed cannot say how sure that is"
    text = f"{what}; that it is faster is {_percent(order.odds)} sure after {seeds} seeds"
    if order.odds >= SURE:
        return text
    if order.settled_by is None:
        return f"{text}: as they look, no number of seeds would settle it"
    return f"{text}; some {order.settled_by} each would make it {_percent(SURE)}"


def _percent(share: float) -> str:
    # Never a certainty by rounding.
    return f"{min(100 * share, 99.9):.3g} %"
