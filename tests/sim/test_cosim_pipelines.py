# SPDX-License-Identifier: Apache-2.0
"""Pipelined loops over streams, under stalls: beat by beat as the C, and a beat a cycle without."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite import hls
from lydite.hls.interface import Options
from lydite.sim import cosim

PROGRAMS = Path(__file__).parents[1] / "hls" / "pipelines"
INTERVALS = {"fir": 1, "pack": 2, "route": 1}


@pytest.mark.parametrize("gaps", [False, True])
@pytest.mark.parametrize("clock_ns", [5.0, 12.0])
@pytest.mark.parametrize("name", INTERVALS)
def test_program_is_right(name: str, clock_ns: float, gaps: bool, tmp_path: Path) -> None:
    options = Options(sources=(PROGRAMS / f"{name}.c",), top=name, clock_ns=clock_ns)
    compiled = hls.compile(options)
    loop = compiled.report.functions[0].loops[0]
    assert loop.ii is not None
    if clock_ns > 10:
        assert loop.ii == INTERVALS[name]
    result = cosim.run(options, compiled, tmp_path, gaps=gaps)
    result.check()
    assert (result.native_rc, result.notes) == (0, ())
    assert result.calls >= 3
