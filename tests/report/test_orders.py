# SPDX-License-Identifier: Apache-2.0
"""How sure an order of designs is, what is told of it, and which designs get more seeds."""

from __future__ import annotations

import pytest

from lydite.report.orders import Order, orders, told, wanted

CLEAR, NEAR, SLOW = [200.0, 204.0, 202.0], [198.0, 203.0, 196.0], [100.0, 101.0, 99.0]


def test_designs_are_set_against_each_other_two_by_two() -> None:
    found = orders({"slow": SLOW, "near": NEAR, "clear": CLEAR})
    pairs = [(one.faster, one.slower) for one in found]
    assert pairs == [("clear", "near"), ("clear", "slow"), ("near", "slow")]
    assert found[0].ratio == pytest.approx(202 / 198)
    assert found[0].odds is not None
    assert 0.8 < found[0].odds < 0.95 < (found[1].odds or 0)
    assert found[0].settled_by is not None
    assert found[0].settled_by > 3
    assert orders({"one": CLEAR}) == ()


def test_only_designs_whose_order_is_open_get_more_seeds() -> None:
    found = orders({"slow": SLOW, "near": NEAR, "clear": CLEAR})
    assert wanted(found, 0.95).keys() == {"clear", "near"}
    assert set(wanted(found, 0.95).values()) <= {1, 2, 3}
    assert wanted(found, 0.6) == {}
    # One seed says nothing; equal ones get as many again.
    assert wanted(orders({"a": [1.0], "b": [2.0]}), 0.95) == {"a": 1, "b": 1}
    assert wanted(orders({"a": NEAR, "b": NEAR}), 0.95) == {"a": 3, "b": 3}


def test_what_is_told_is_no_more_than_is_known() -> None:
    order = Order(faster="a", slower="b", ratio=1.05, odds=0.9, seeds=(3, 3), settled_by=5)
    assert told([order]) == [
        "a is 1.05 x as fast as b; that it is faster is 90 % sure after 3 seeds; some 5 each would "
        "make it 95 %"
    ]
    lone = orders({"a": [1.0], "b": [2.0]})
    assert told(lone) == ["b is 2.00 x as fast as a: one seed cannot say how sure that is"]
    alike = orders({"a": NEAR, "b": NEAR})
    assert told(alike) == [
        "a is 1.00 x as fast as b; that it is faster is 50 % sure after 3 seeds: as they look, no "
        "number of seeds would settle it"
    ]
    far = orders({"a": [2.0, 2.0], "b": [1.0, 1.0]})
    assert "99.9 % sure" in told(far)[0]
