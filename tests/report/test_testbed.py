# SPDX-License-Identifier: Apache-2.0
"""From which size an accelerator wins: straight lines, worked out by hand."""

from __future__ import annotations

import pytest

from lydite.base.units import bytes_text, parse_bytes
from lydite.report import figures
from lydite.report.page import Axis, Bar, Bars
from lydite.report.testbed import Row, Software, wins_from


def row(
    size: int, hardware_ns: float, compute_ns: float, load_ns: float | None, calls: int = 1
) -> Row:
    return Row(
        bytes=size,
        calls=calls,
        claim_ns=None,
        hardware_ns=hardware_ns,
        ratio=None,
        rate_mbyte_per_s=0,
        queued_ns=0,
        queued_mbyte_per_s=0,
        configuration_ns=load_ns,
        to_device_ns=0,
        compute_ns=compute_ns,
        from_device_ns=0,
        best_ns=None,
        reference_ns=None,
        speedups=(),
        proof_jobs=0,
        proof_rejected=0,
        key="",
    )


def software(call_ns: float, byte_ns: float) -> Software:
    return Software(variant="v", call_ns=call_ns, byte_ns=byte_ns, key="")


# 4,000 ns and 1 ns a byte; the core alone 1 ns a byte.
ROWS = [row(1_000, 5_000, 1_000, 1e6), row(100_000, 104_000, 100_000, 1e6)]


def test_lines_cross_where_they_do() -> None:
    # 3 ns a byte: 2 s = 4,000 + load; alone from the first byte.
    assert wins_from(ROWS, software(0, 3)) == (502_000, 2_000, 1)
    # 1,000 ns before the first byte.
    assert wins_from(ROWS, software(1_000, 3)) == (501_500, 1_500, 1)


def test_software_that_is_as_fast_is_never_beaten() -> None:
    assert wins_from(ROWS, software(0, 1)) == (None, None, None)


def test_many_calls_grow_with_the_bytes() -> None:
    # Calls of 100 bytes, 300 ns each.
    rows = [row(1_000, 5_000, 1_000, 1e6, 10), row(100_000, 104_000, 100_000, 1e6, 1_000)]
    assert wins_from(rows, software(300, 0)) == (502_000, 2_000, 1)


def test_calls_at_once_do_not_grow_with_the_bytes() -> None:
    # Four calls whatever the size, 250 ns before the first byte of each.
    rows = [row(1_000, 5_000, 1_000, 1e6, 4), row(100_000, 104_000, 100_000, 1e6, 4)]
    assert wins_from(rows, software(250, 3)) == (501_500, 1_500, 1)


def test_nothing_is_said_of_what_is_not_known() -> None:
    assert wins_from(ROWS, None) is None
    assert wins_from(ROWS[:1], software(0, 3)) is None
    assert wins_from([row(1, 5, 1, None), row(9, 13, 9, None)], software(0, 3)) == (None, 2, 1)


@pytest.mark.parametrize(
    ("text", "count", "shown"),
    [
        ("10kB", 10_000, "10 kB"),
        ("5 MB", 5_000_000, "5 MB"),
        ("1001", 1_001, "1001 B"),
        ("0", 0, "0 B"),
        ("2GB", 2_000_000_000, "2 GB"),
    ],
)
def test_sizes_are_read_and_written(text: str, count: int, shown: str) -> None:
    assert parse_bytes(text) == count
    assert bytes_text(count) == shown
    assert parse_bytes("5 kiB") is None


def test_bars_of_one_label_stand_on_each_other() -> None:
    bars = (Bar("a", 30, series="x"), Bar("a", 70, series="y"), Bar("b", 50, series="x"))
    drawn = figures.draw(Bars("T", "about", Axis("share", "%"), bars), name="t")
    for told in ("a, x: 30.00 %", "a, y: 70.00 %", "b: 50.00 %"):
        assert told in drawn
