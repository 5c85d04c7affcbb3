# SPDX-License-Identifier: Apache-2.0
"""The study of SHA-3 candidates: the thesis' tables hang together, and ours are made of records."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from contest import CANDIDATES, FINAL
from msgspec.structs import replace

from lydite.report.page import Slopes
from lydite.runs.kinds.testbed import MeasureTestbed
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.search.statistics import kendall, kendall_interval
from lydite.studies.sha3_candidates import Sha3Candidates
from lydite.studies.study import Asked, Found, tables

STUDY = Sha3Candidates()
THEIRS = STUDY.theirs


def record(name: str, result: dict[str, Any]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


def placed(label: str, cycles: int, lut4: float, *mhz: float) -> dict[str, dict[str, Any]]:
    """A design that was proven, mapped and placed under some seeds."""
    mean = {"mean": cycles}
    timing = {"cycles_per_block": mean, "total_cycles": [[1, mean], [18, {"mean": 18 * cycles}]]}
    return {
        f"verify {label}": {"operations": [{"timing": timing}]},
        f"map {label}": {"area": {"lut4": lut4, "ff": 100.0, "bram": 2.0, "dsp": 0.0}},
        **{f"place {label} {index}": {"fmax_mhz": value} for index, value in enumerate(mhz)},
    }


def found(without: str = "") -> Found:
    results = {
        **placed("luffa-256/rtl", 9, 1000.0, 90.0, 99.0, 108.0),
        **placed("luffa-256/hls", 9, 2000.0, 90.0, 99.0, 108.0),
        **placed("cubehash-256/rtl", 16, 2000.0, 80.0, 80.5, 79.5),
        **placed("cubehash-256/hls", 16, 2000.0, 150.0, 151.0, 149.0),
        **placed("bmw-256/rtl-fold8", 17, 20000.0, 20.0),
        **{
            name: result
            for name, result in placed("echo-256/rtl", 25, 60000.0).items()
            if not name.startswith("place")
        },
        "testbed luffa-256/rtl 10": {"hardware_ns": 12_500.0},
        "software luffa-256/ref": {
            "available": True,
            "long_bytes": 1000,
            "core_ghz": 3.25,
            "compiler": "cc 1",
            "operations": [{"long_1": {"median_ns": 5000}, "long_all": None}],
        },
    }
    results.pop(without, None)
    return Found({name: record(name, result) for name, result in results.items()})


def rows(name: str, of: Found) -> dict[str, dict[str, Any]]:
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == name]
    return {str(row["algorithm"]): row for row in table.as_dicts()}


def test_the_thesis_says_the_same_in_all_its_tables() -> None:
    rtl, hls, cycles = (
        {row["algorithm"]: row for row in THEIRS.named(name).records()}
        for name in ("table-2-4", "table-2-3", "table-2-2")
    )
    for row in THEIRS.named("table-2-5").records():
        name = row["algorithm"]
        for column, ours in (("freq", "freq_mhz"), ("throughput", "mbit_per_s")):
            ratio = float(rtl[name][ours]) / float(hls[name][ours])
            assert ratio == pytest.approx(float(row[column]), abs=0.015), name
        for side, count in ((rtl, "rtl_cycles"), (hls, "hls_cycles")):
            bits = float(cycles[name]["block_bits"]) * float(side[name]["freq_mhz"])
            rate = bits / float(cycles[name][count])
            assert rate == pytest.approx(float(side[name]["mbit_per_s"]), rel=0.005), name
    for row in THEIRS.named("table-4-1").records():
        if row["algorithm"] == "Keccak":
            continue  # 1088 bits in 24 cycles at 123.1 MHz are 5.58 Gb/s, and not 5.292
        [block] = [
            one
            for one in THEIRS.named("table-4-2").records()
            if one["algorithm"] == row["algorithm"]
        ]
        rate = float(block["block_bits"]) * float(row["board_mhz"]) / float(block["block_cycles"])
        assert rate / 1000 == pytest.approx(float(row["formula_gbit_per_s"]), rel=0.012)


def test_ours_are_made_of_records() -> None:
    of = found()
    luffa = rows("table-2-4", of)["Luffa"]
    assert luffa["freq_mhz_ours"] == 99.0
    assert luffa["mbit_per_s_ours"] == 256 * 99 / 9
    assert luffa["mbit_per_s_slice_ours"] == 256 * 99 / 9 / 1000
    assert rows("table-2-5", of)["Luffa"]["throughput_area_ours"] == 2.0
    assert rows("table-2-5", of)["CubeHash"]["throughput_area_ours"] == 80 / 150
    assert rows("table-2-5", of)["BMW"]["throughput_area_ours"] is None
    total = rows("table-4-2", of)["CubeHash"]
    assert (total["cycles_18_theirs"], total["cycles_18_rtl_ours"]) == (458, 288)
    software = rows("software", of)["Luffa"]
    assert software["mbyte_per_s_1"] == 200.0
    assert software["mbyte_per_s_rtl"] == 352.0
    [note] = next(one.table for one in tables(STUDY.sections(of)) if one.name == "software").notes
    assert "core at 3.2 to 3.2 GHz; messages of 1,000 bytes" in note
    block = rows("blocks", of)["CubeHash"]
    assert (block["bus_bits"], block["cycles_theirs"], block["cycles_rtl_ours"]) == (64, 16, 16)


def test_what_was_not_placed_has_cycles_and_area_and_no_clock() -> None:
    of = found()
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == "designs"]
    [echo] = [row for row in table.as_dicts() if row["algorithm"] == "ECHO"]
    assert (echo["cycles"], echo["lut4"], echo["seeds"]) == (25, 60000.0, 0)
    assert [echo[name] for name in ("mhz", "mhz_low", "mbit_per_s", "mbit_per_s_klut")] == [
        None
    ] * 4
    assert rows("table-2-2", of)["ECHO"]["rtl_cycles_ours"] == 25
    assert rows("table-2-4", of)["ECHO"]["slices_ours"] == 60000.0
    assert rows("table-2-4", of)["ECHO"]["freq_mhz_ours"] is None
    assert "ECHO" not in rows("ranks", of)


def test_a_seed_that_no_routing_ended_under_is_left_out() -> None:
    for left in range(3):
        of = found(without=f"place luffa-256/rtl {left}")
        [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == "designs"]
        luffa = next(row for row in table.as_dicts() if row["algorithm"] == "Luffa")
        clocks = [mhz for at, mhz in enumerate((90.0, 99.0, 108.0)) if at != left]
        assert (luffa["seeds"], luffa["mhz"]) == (2, sum(clocks) / 2)


def test_times_are_of_what_was_run() -> None:
    [[luffa]] = [
        one.table.as_dicts() for one in tables(STUDY.sections(found())) if one.name == "times"
    ]
    assert (luffa["algorithm"], luffa["design"]) == ("Luffa", "RTL")
    assert (luffa["us_10"], luffa["us_100"]) == (12.5, None)


def test_ranks_and_how_sure_they_are() -> None:
    of = found()
    ranks = rows("ranks", of)
    assert [ranks["Luffa"][f"efficiency_{side}"] for side in ("rtl", "hls")] == [1, 1]
    assert [ranks["CubeHash"][f"throughput_{side}"] for side in ("rtl", "hls")] == [2, 2]
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == "sure"]
    sure = {(row["design"], row["better"]): row for row in table.as_dicts()}
    assert sure["RTL", "Luffa"]["sure"] > 0.99
    assert sure["RTL", "CubeHash"]["sure"] is None
    page = "".join(
        part.text for one in STUDY.sections(of) for part in one.parts if hasattr(part, "text")
    )
    assert "theirs 1.74 over four, ours 1.03 over 2, at most 2.00." in page
    assert "throughput: theirs 1.00, ours 1.00 (95 %: 1.00 to 1.00)" in page
    charts = [p for one in STUDY.sections(of) for p in one.parts if isinstance(p, Slopes)]
    assert len(charts) == 3
    assert [(s.label, s.before, s.after) for s in charts[2].slopes] == [
        ("Luffa", 1, 1),
        ("CubeHash", 2, 2),
    ]


def test_kendall_of_orders() -> None:
    assert kendall([1, 2, 3], [10, 20, 30]) == 1
    assert kendall([1, 2, 3], [3, 2, 1]) == -1
    assert kendall([1, 2, 3, 4], [1, 3, 2, 4]) == pytest.approx(2 / 3)
    # Tau-b with a tie on one side: 5 of 6 pairs count there.
    assert kendall([1, 1, 2, 3], [1, 2, 3, 4]) == pytest.approx(5 / 30**0.5)
    assert kendall([1], [1]) is None
    assert kendall([1, 1], [1, 2]) is None
    apart = [[1.0, 1.1], [2.0, 2.1], [3.0, 3.1]]
    assert kendall_interval(apart, apart) == (1, 1)
    low, high = kendall_interval([[1.0, 9.0], [5.5, 5.5]], [[1.0], [2.0]]) or (0, 0)
    assert (low, high) == (-1, 1)


def test_the_plan_has_what_is_there(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        plan = STUDY.plan(Asked(store=store, quick=True))
        compilations = next(plan)
        wanted = {"compile cubehash-256", "compile luffa-256", "compile bmw-256"}
        assert wanted <= set(compilations)
        failed = {name: replace(record(name, {}), status="failed") for name in compilations}
        points = plan.send(failed)
    # Nothing was compiled: what remains is by hand.
    assert "verify luffa-256/rtl" in points
    assert "place luffa-256/rtl 0" in points
    assert "place luffa-256/rtl 1" not in points
    assert "verify luffa-256/hls" not in points
    assert "map echo-256/rtl" in points
    assert "place echo-256/rtl 0" not in points


def test_times_are_asked_at_the_median_clock(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        plan = STUDY.plan(Asked(store=store))
        compilations = next(plan)
        plan.send({name: replace(record(name, {}), status="failed") for name in compilations})
        mhz = {f"place luffa-256/rtl {at}": {"fmax_mhz": 100.0 + 10 * at} for at in range(3)}
        times = plan.send({name: record(name, result) for name, result in mhz.items()})
    assert sorted(times) == sorted(
        f"testbed luffa-256/rtl {kb}" for kb in (10, 100, 500, 1000, 5000)
    )
    assert {job.setting.core_mhz for job in times.values() if isinstance(job, MeasureTestbed)} == {
        110
    }


def test_the_whole_study_has_every_candidate_both_ways(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        compilations = next(STUDY.plan(Asked(store=store)))
    names = {one.name for one in CANDIDATES} - {*FINAL.values()}
    assert len(names) == 14
    assert set(compilations) == {f"compile {name}" for name in names}
    told = next(
        part.text
        for one in STUDY.sections(Found({}))
        for part in one.parts
        if hasattr(part, "text")
    )
    assert "SIMD" in told


def test_without_results_all_tables_are_drawn() -> None:
    assert len(tables(STUDY.sections(Found({})))) == 12
