# SPDX-License-Identifier: Apache-2.0
"""Which conditions are seen to exclude each other."""

from __future__ import annotations

import pytest

from lydite.hls.emit.exclusive import conditions, statements
from lydite.hls.emit.structure import If, Write


@pytest.mark.parametrize(
    ("first", "second", "apart"),
    [
        ("a", "~a", True),
        ("a & b", "~a & b", False),
        ("a", "a", False),
        ("a == 2'd1", "a == 2'd2", True),
        ("a == 2'd1", "b == 2'd2", False),
        ("a == 2'd1", "a == 2'd1", False),
        ("a == 2'd1 || a == 2'd2", "a == 2'd3", True),
        ("a == 2'd1 || a == 2'd2", "a == 2'd3 || a == 2'd2", False),
        ("a == 2'd1 || b == 2'd2", "a == 2'd3", False),
        ("a != 2'd1 && a != 2'd2", "a == 2'd1", True),
        ("a != 2'd1 && a != 2'd2", "a == 2'd1 || a == 2'd2", True),
        ("a != 2'd1 && a != 2'd2", "a == 2'd3", False),
        ("a != 2'd1", "a != 2'd2", False),
        ("1'b1", "a == 2'd1", False),
    ],
)
def test_conditions(first: str, second: str, *, apart: bool) -> None:
    assert conditions(first, second) is apart
    assert conditions(second, first) is apart


def test_only_statements_without_an_otherwise_exclude_each_other() -> None:
    moves = (Write("r", "a"),)
    assert statements(If("a", moves), If("~a", moves))
    assert not statements(If("a", moves, moves), If("~a", moves))
    assert not statements(If("a", moves), moves[0])
