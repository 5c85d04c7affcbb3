# SPDX-License-Identifier: Apache-2.0
"""Seeds and units."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lydite.base.seeds import hashed
from lydite.base.units import digits, si

SEEDS = [3922930703675155215, 4107037226959500874, 5744140101899565859]


def test_seeds_never_change() -> None:
    # Records are found again by them.
    assert [hashed("placement", index) for index in range(3)] == SEEDS


def test_seeds_differ_by_stream_and_index() -> None:
    seeds = {hashed(stream, index) for stream in ("a", "b") for index in range(1000)}
    assert len(seeds) == 2000


@given(st.text(max_size=8), st.integers(0, 10**9), st.integers(2, 63))
def test_seed_is_within_its_range(stream: str, index: int, bits: int) -> None:
    assert 1 <= hashed(stream, index, bits=bits) < 2**bits


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (3.84e7, "B/s", "38.4 MB/s"),
        (0, "B/s", "0 B/s"),
        (0.0, "", "0"),
        (999.4, "s", "999 s"),
        (999.6, "s", "1.00 ks"),
        (1e12, "Hz", "1000 GHz"),
        (2.5e-9, "s", "2.50 ns"),
        (1e-12, "s", "0.00100 ns"),
        (-1500, "m", "-1.50 km"),
        (1.0, "", "1.00"),
    ],
)
def test_si(value: float, unit: str, text: str) -> None:
    assert si(value, unit) == text


@pytest.mark.parametrize(
    ("value", "count", "text"),
    [
        (0, 3, "0"),
        (1234.5, 3, "1234"),
        (12.345, 3, "12.3"),
        (0.5, 3, "0.500"),
        (0.0123, 3, "0.0123"),
        (9.996, 3, "10.0"),
        (9.999, 4, "9.999"),
        (math.inf, 3, "inf"),
    ],
)
def test_digits(value: float, count: int, text: str) -> None:
    assert digits(value, count) == text
