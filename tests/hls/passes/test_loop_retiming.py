# SPDX-License-Identifier: Apache-2.0
"""What is moved an iteration ahead is no more than is needed."""

from __future__ import annotations

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from lydite.hls.passes.loop_retiming import fewest


@given(needed=st.lists(st.sets(st.integers(0, 40), max_size=4), max_size=5))
def test_fewest_is_what_leaving_out_one_at_a_time_gives(needed: list[set[int]]) -> None:
    def is_enough(items: Sequence[int]) -> bool:
        return all(not one or not one.isdisjoint(items) for one in needed)

    kept = list(range(41))
    for item in range(41):
        fewer = [one for one in kept if one != item]
        if is_enough(fewer):
            kept = fewer
    assert fewest(range(41), is_enough) == kept


def test_few_that_are_needed_take_few_trials() -> None:
    trials = []

    def is_enough(items: Sequence[int]) -> bool:
        trials.append(len(items))
        return 700 in items

    assert fewest(range(1000), is_enough) == [700]
    assert len(trials) < 40
