# SPDX-License-Identifier: Apache-2.0
"""Budgets as they are written."""

from __future__ import annotations

import pytest

from lydite.base.errors import InputError
from lydite.search import budget


def test_budgets_are_runs_and_times() -> None:
    assert budget.read("200runs") == (200, None)
    assert budget.read("30min") == (None, 1800)
    assert budget.read("90s, 5runs") == (5, 90)
    assert budget.read("0.5h") == (None, 1800)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("0runs", "--budget: must be above 0, not 0runs"),
        ("0min", "--budget: must be above 0, not 0min"),
        ("-3runs", "--budget: must be above 0, not -3runs"),
        ("1.5runs", "--budget: not a budget: '1.5runs'"),
        ("1e999runs", "--budget: not a budget: '1e999runs'"),
        ("20", "--budget: not a budget: '20'"),
        ("runs", "--budget: not a budget: 'runs'"),
        ("nanmin", "--budget: not a budget: 'nanmin'"),
        ("5days", "--budget: not a budget: '5days'\n  as 200runs, 30min, 2h, 90s, or "),
        ("", "--budget: not a budget: ''"),
    ],
)
def test_wrong_budgets_are_refused(text: str, message: str) -> None:
    with pytest.raises(InputError) as raised:
        budget.read(text)
    assert str(raised.value).startswith(message)
