# SPDX-License-Identifier: Apache-2.0
"""Whose figure a clock is: nextpnr's critical path and our classes of paths, put together."""

from __future__ import annotations

from typing import Any

import pytest

from lydite.runs.kinds import timing
from lydite.tools.nextpnr import PathEnd, Report, Timing
from lydite.tools.paths import Class, Path
from lydite.tools.routes import Names

NAMES = Names({"cells": {}, "netnames": {}})


def path(kind: Class, mhz: float) -> Path:
    ends = {"begin": "x.Q", "end": "y.D", "logic_ns": 1.0, "routing_ns": 1.0, "levels": 1}
    return Path(kind=kind, fmax_mhz=mhz, **ends)  # type: ignore[arg-type]


def result(*classes: Path, mixed: bool = False, **report: Any) -> dict[str, Any] | None:
    cells = report.get("cells", ("u_core.a", "u_core.b"))
    told = Timing(
        fmax_mhz=report.get("mhz", 100.0),
        source=PathEnd(cells[0], "Q"),
        sink=PathEnd(cells[-1], "D"),
        logic_ns=2.0,
        routing_ns=8.0,
        levels=3,
        cells=cells,
    )
    whole = Report(clock="clk", timing=told, utilization={})
    by_kind = {one.kind: one for one in classes}
    return timing.result(whole, by_kind, NAMES, "u_core.", mixed=mixed)


def test_path_that_nextpnr_tells_is_its_class_to_the_last_digit() -> None:
    found = result(path("core", 100.05), path("in", 150.0))
    assert found is not None
    assert (found["fmax_mhz"], found["path_kind"], found["path_from"]) == (
        *(100.0, "core", "u_core.a.Q"),
    )
    assert found["paths"]["in"]["fmax_mhz"] == 150.0


def test_path_of_the_wrapper_alone_counts_for_nothing() -> None:
    found = result(
        path("wrapper", 100.0), path("core", 240.0), path("out", 200.0), cells=("p", "q")
    )
    assert found is not None
    assert (found["fmax_mhz"], found["path_kind"]) == (200.0, "out")
    assert set(found["paths"]) == {"core", "out"}


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        (("u_core.a", "u_core.b"), "core"),
        (("p", "u_core.b"), "in"),
        (("u_core.a", "q"), "out"),
        (("p", "u_core.lut", "q"), "through"),
    ],
)
def test_nextpnrs_figure_stands_alone_where_our_sum_is_another(
    cells: tuple[str, ...], kind: str
) -> None:
    found = result(path("core", 180.0), path("in", 150.0), cells=cells)
    assert found is not None
    assert (found["fmax_mhz"], set(found["paths"])) == (100.0, {kind})


def test_without_a_path_of_the_core_there_is_no_figure() -> None:
    assert result(path("wrapper", 100.0), cells=("p", "q")) is None
    assert result(path("wrapper", 180.0), cells=("p", "q")) is None


def test_nextpnrs_figure_may_be_another_clocks() -> None:
    found = result(path("core", 180.0), path("in", 250.0), mixed=True, mhz=90.0)
    assert found is not None
    assert (found["fmax_mhz"], found["path_kind"]) == (180.0, "core")
