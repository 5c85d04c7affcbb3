# SPDX-License-Identifier: Apache-2.0
"""Rounds of compiling and placing: what they learn, when they end, which one is the best."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from lydite import targets
from lydite.cli import main
from lydite.hls import Compiled, Options
from lydite.runs import refine
from lydite.runs.plan import Implementation, Settings
from lydite.runs.record import Record
from lydite.runs.refine import Round

SOURCE = """unsigned f(unsigned a, unsigned b, unsigned n) {
  unsigned s = a;
  for (unsigned i = 0; i < n; i++) s = (s + b) + (s & a);
  return s;
}
int main(void) { return f(3, 5, 7) == 0; }
"""
CRC = """unsigned char f(unsigned char c, unsigned char n, unsigned char m) {
  for (unsigned char i = 0; i < n; i++) {
#pragma HLS loop_tripcount min=16 max=16
    for (int k = 0; k < 8; k++) c = (unsigned char)((c >> 1) ^ (c & 1 ? m : 0));
  }
  return c;
}
int main(void) { return f(3, 5, 0xe0) == 0; }
"""
SETTINGS = Settings(target=targets.find("ecp5-12k"), seeds=2)
Slow = Callable[[int], float]


@pytest.fixture
def options(tmp_path: Path) -> Options:
    source = tmp_path / "f.c"
    source.write_text(SOURCE)
    return Options(sources=(source,), top="f", clock_ns=8.0)


def no_proof(options: Options, compiled: Compiled) -> None:
    """Stand in for co-simulation."""


def placing(slow: Slow, calls: list[str]) -> Callable[[Implementation], Mapping[str, Record]]:
    """Stand in for place and route: the path from `s` to itself takes what `slow` says of a round.

    Of two seeds the second one is 1 ns slower; the first one has a path that the other lacks.
    """

    def place(implementation: Implementation) -> Mapping[str, Record]:
        delay = slow(len(calls))
        calls.append(implementation.synthesis.name)
        found = {}
        for seed, job in enumerate(implementation.placements):
            assert job.routes and job.inputs()["routes"]
            text = next(p for p in job.synthesis.sources.files.values() if p.name == "f.v")
            line = next(row for row in text.read_text().splitlines() if "] s_" in row)
            name = f"u_core.{line.split('] ')[1].split(';')[0]}"
            rows: list[dict[str, Any]] = [
                {"source": [name], "sink": [name], "delay_ns": delay + seed}
            ]
            if seed == 0:
                rows.append({"source": ["u_core.a_q"], "sink": [name], "delay_ns": 99.0})
            result = {"fmax_mhz": 1000 / (delay + seed), "routes": rows}
            record = {"key": job.key, "kind": job.kind, "label": job.label, "status": "ok"}
            found[job.key] = Record(**record, inputs={}, result=result)
        return found

    return place


def test_rounds_go_on_until_nothing_is_learnt(options: Options) -> None:
    calls: list[str] = []
    place = placing(lambda number: [11.0, 6.0, 6.0, 6.0][number], calls)
    found = list(refine.rounds(options, SETTINGS, 9, prove=no_proof, place=place))
    assert [item.number for item in found] == list(range(len(found)))
    assert calls == [f"f for 8 ns, round {number}" for number in range(len(found))]
    assert found[0].options.learnt is None and found[1].options.learnt is not None
    # The median over two seeds.
    assert [item.routed_ns for item in found[:2]] == [pytest.approx(11.5), pytest.approx(6.5)]
    assert (found[0].met, found[1].met) == (False, True)
    assert found[0].slowest is not None and found[0].slowest.delay_ns == 11.5
    assert len(found) < 10


def test_no_more_rounds_than_asked_for(options: Options) -> None:
    calls: list[str] = []
    place = placing(lambda number: 11.0 + number, calls)
    assert len(list(refine.rounds(options, SETTINGS, 1, prove=no_proof, place=place))) == 2


def test_a_placement_that_failed_ends_the_rounds(options: Options) -> None:
    (only,) = refine.rounds(options, SETTINGS, 3, prove=no_proof, place=lambda plan: {})
    assert only.routed_ns is None and not only.met and only.time_ns == float("inf")


def row(number: int, options: Options, routed_ns: float | None, cycles: int | None) -> Round:
    nothing: Any = None
    return Round(number, options, nothing, None, nothing, {}, cycles, routed_ns)


def test_the_best_round_meets_the_clock_then_has_the_least_time(options: Options) -> None:
    rows = [
        row(0, options, 8.1, 10),
        row(1, options, 7.9, 30),
        row(2, options, 6.0, 20),
        row(3, options, 7.0, 20),
        row(4, options, None, 1),
    ]
    assert refine.best(rows).number == 2
    missed = [row(0, options, 12.0, 10), row(1, options, 9.0, 14), row(2, options, 9.0, 12)]
    assert refine.best(missed).number == 2
    unknown = [row(0, options, 12.0, None), row(1, options, 9.0, None)]
    assert refine.best(unknown).number == 1


def test_the_command_places_learns_and_writes_what_gives_the_same_again(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # Gates in a row merge: they take less than the family's table says one by one.
    source, out = tmp_path / "crc.c", tmp_path / "out"
    source.write_text(CRC)
    base = ["hls", str(source), "--top", "f", "--clock-ns", "4.2", "--no-cosim", "--json"]
    refined = [*base, "--target", "ecp5-12k", "--seeds", "1", "--refine", "2", "--out", str(out)]
    assert main(refined) == 0
    text = capsys.readouterr()
    found = json.loads(text.out)
    first, last = found["rounds"][0], found["rounds"][-1]
    assert first["met"] and first["learnt"] and 0 < first["explained"] <= first["paths"]
    assert last["met"] and last["best"] and last["cycles"] < first["cycles"]
    assert text.err.count("\nok ") == 2 * len(found["rounds"])
    # From the store the second time, and the file of factors needs no placement at all.
    assert main(refined) == 0
    again = capsys.readouterr()
    assert json.loads(again.out)["rounds"] == found["rounds"] and "ok " not in again.err
    learnt = ["--target", "ecp5-12k", "--learnt", str(out / "learnt.toml")]
    assert main([*base, *learnt, "--out", str(tmp_path / "two")]) == 0
    capsys.readouterr()
    assert (tmp_path / "two" / "f.v").read_text() == (out / "f.v").read_text()
