# SPDX-License-Identifier: Apache-2.0
"""Calls that have nothing in common run at once, whichever is done first; others in their order."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import hls
from lydite.hls import Options
from lydite.hls.schedule.problem import Plan
from lydite.sim import cosim

PROGRAM = Path(__file__).with_name("modules") / "side_by_side.c"


def kinds(plan: Plan) -> set[str]:
    return {op.kind for op in plan.state}


@pytest.mark.parametrize("clock_ns", [4.0, 10.0])
def test_calls_run_side_by_side(clock_ns: float, tmp_path: Path) -> None:
    options = Options(sources=(PROGRAM,), top="f", clock_ns=clock_ns)
    compiled = hls.compile(options)
    found: dict[int, list[str]] = {}
    (plan,) = (plan for plan in compiled.schedules["f"].plans.values() if "call" in kinds(plan))
    for op, state in sorted(plan.state.items(), key=lambda item: item[1]):
        if op.kind == "call":
            found.setdefault(state, []).append(op.attr.name)
    assert [sorted(names) for names in found.values()] == [
        ["fill_left", "fill_right"],
        ["fill_left", "fill_right"],
        ["fill_left", "twice_right"],
        ["fill_right", "fill_third", "mix_left"],
        ["mix_left", "twice_right"],
        ["fill_left", "fill_right"],
    ]
    result = cosim.run(options, compiled, tmp_path)
    result.check()
    assert result.calls == 20
