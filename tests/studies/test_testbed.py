# SPDX-License-Identifier: Apache-2.0
"""The study of the testbed: the thesis' tables hang together, ours are made of records, and figures
of different kinds stay apart."""

from __future__ import annotations

import statistics
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from lydite import cli
from lydite.report.page import Bars, Lines
from lydite.runs.kinds.frequency import FindFrequency
from lydite.runs.kinds.hardware import Placement
from lydite.runs.kinds.sizes import MeasureSizes
from lydite.runs.kinds.testbed import MeasureTestbed
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies.message_times import KB
from lydite.studies.study import Asked, Found, tables
from lydite.studies.testbed import Testbed

STUDY = Testbed()
THEIRS = STUDY.theirs
SKEIN, LUFFA = "skein-512-256", "luffa-256"


def record(name: str, result: dict[str, Any]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


def search(mhz: float, *, static_mhz: float = 100.0) -> dict[str, Any]:
    kinds = [("carry", 4, 1), ("logic", 6, 6)]
    return {
        "static_mhz": static_mhz,
        "simulated_mhz": mhz,
        "gain": mhz / static_mhz - 1,
        "messages": 64,
        "vendor_mhz": {"max": 80.0, "typ": 90.0, "min": 100.0},
        "growth": [[1, 1.5 * static_mhz], [16, 1.2 * static_mhz], [64, mhz]],
        "excited": [{"kind": k, "near": near, "excited": ever} for k, near, ever in kinds],
        "static_path": {"kind": "carry"},
        "first_path": {"kind": "logic", "static_rank": 7, "static_ends": 900},
    }


def job(kb: int, *, wait_ns: float) -> dict[str, Any]:
    compute = 1000.0 * kb
    return {"bytes": 1000 * kb, "hardware_ns": compute + wait_ns, "compute_ns": compute}


def found() -> Found:
    cycles = {"operations": [{"timing": {"cycles_per_block": {"mean": 19}}}]}
    results = {
        f"place {SKEIN}": {"fmax_mhz": 100.0},
        f"routed {SKEIN}": cycles,
        f"frequency {SKEIN} random": search(110.0),
        f"frequency {SKEIN} long": search(105.0),
        f"chip {SKEIN} 1": search(103.0, static_mhz=98.0),
        **{f"overhead {SKEIN} 100 {kb}": job(kb, wait_ns=2000) for kb in KB},
        **{f"overhead {LUFFA} {mhz} 10": job(10, wait_ns=50000 / mhz) for mhz in (100, 150)},
        f"testbed {SKEIN} 10": job(10, wait_ns=2500),
        f"testbed {SKEIN} 1000": job(1000, wait_ns=0),
        f"software {SKEIN}": {
            "available": True,
            "sizes": [{"bytes": 10_000, "median_ns": 25_000.0}],
        },
    }
    return Found({name: record(name, result) for name, result in results.items()})


def rows(name: str, of: Found) -> list[dict[str, Any]]:
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == name]
    return table.as_dicts()


def row(name: str, of: Found, algorithm: str = "Skein") -> dict[str, Any]:
    [one] = [one for one in rows(name, of) if one["algorithm"] == algorithm]
    return one


def test_the_thesis_says_the_same_in_all_its_tables() -> None:
    board = {one["algorithm"]: one["board_mhz"] for one in THEIRS.named("table-4-1").records()}
    for one in THEIRS.named("table-4-3").records():
        clocks = float(one["board1_mhz"]), float(one["board2_mhz"])
        assert statistics.mean(clocks) == pytest.approx(one["mean_mhz"], abs=0.1)
        assert statistics.stdev(clocks) == pytest.approx(one["deviation_mhz"], abs=0.6)
        if one["algorithm"] != "Hamsi":  # 124.9 MHz there, 120.2 here
            assert one["board1_mhz"] == board[one["algorithm"]]
    speedups = {one["algorithm"] for one in THEIRS.named("table-4-4").records()}
    assert set(board) - speedups == {"Groestl"}


def test_clocks_of_different_kinds_stand_apart() -> None:
    one = row("table-4-1", found())
    assert (one["static_theirs"], one["board_theirs"]) == (70.6, 140.3)
    assert (one["static_ours"], one["simulated_ours"]) == (100.0, 110.0)
    assert one["gain_theirs"] == pytest.approx(0.987, abs=0.001)
    assert one["gain_ours"] == pytest.approx(0.1)
    assert one["board_ours"] is None
    chips = row("table-4-3", found())
    assert (chips["board1_theirs"], chips["board2_theirs"]) == (140.3, 148.1)
    assert (chips["file_ours"], chips["chip1_ours"], chips["chip2_ours"]) == (110.0, 103.0, None)


def test_what_was_never_run_is_said_to_be() -> None:
    [table] = [one.table for one in tables(STUDY.sections(found())) if one.name == "table-4-1"]
    board = table.columns[-1]
    assert {board.text(one[-1]) for one in table.rows} == {"never run by us"}
    [first, *_] = (part for one in STUDY.sections(found()) for part in one.parts)
    assert "proven in the routed netlist: Skein; those of others were not run." in str(first)


def test_excited_paths_are_counted_by_kind() -> None:
    random, long = rows("why", found())
    assert (random["stimulus"], long["stimulus"]) == ("random", "long")
    assert (random["near"], random["excited"]) == (10, 7)
    assert random["gain_min"] == 0.25
    assert random["kinds"] == "carry 1 of 4, logic 6 of 6"
    assert (random["static_path"], random["first_path"]) == ("carry", "logic, 7 of 900")
    growth = rows("growth", found())[1]
    gains = [growth[f"gain_{count}"] for count in (1, 16, 64)]
    assert gains == pytest.approx([0.5, 0.2, 0.05])


def test_times_are_of_the_static_clock_and_over_the_core_alone() -> None:
    rate = row("table-4-1-rates", found())
    assert rate["formula_ours"] == pytest.approx(512 * 100 / 19 / 1000)
    assert rate["testbed_ours"] == pytest.approx(8.0)
    assert rate["testbed_ratio"] == pytest.approx(8.0 / 3.772)
    one = row("figure-4-7", found())
    assert [one[f"kb_{kb}_ours"] for kb in KB[:2]] == pytest.approx([1.2, 1.02])
    assert (one["kb_10_theirs"], one["kb_500_theirs"]) == ("1.2 to 1.5", "almost 1")
    speedup = row("table-4-4", found())
    assert (speedup["kb_10_theirs"], speedup["kb_10_ours"]) == (92, pytest.approx(2.0))
    assert speedup["kb_100_ours"] is None


def test_a_faster_dma_has_a_row_of_its_own() -> None:
    slow, fast = (row("figure-4-7", found(), f"Luffa{told}") for told in ("", ", DMA at 150 MHz"))
    assert slow["kb_10_ours"] > fast["kb_10_ours"]
    assert (slow["kb_10_theirs"], fast["kb_10_theirs"]) == ("2.2", "1.2 to 1.5")
    # 7.213 Gb/s are more than 64 bits of 100 MHz carry.
    assert slow["kb_1000_theirs"] is None
    assert fast["kb_1000_theirs"] == pytest.approx(7.037 / 7.213)


def test_figures_have_theirs_and_ours() -> None:
    parts = [part for one in STUDY.sections(found()) for part in one.parts]
    [bars] = (part for part in parts if isinstance(part, Bars))
    assert {bar.label: round(bar.value, 2) for bar in bars.bars if "Skein" in bar.label} == {
        "Skein, their board": 1.99,
        "Skein, simulated": 1.1,
    }
    [lines] = (part for part in parts if isinstance(part, Lines))
    assert [line.label for line in lines.lines] == ["Luffa", "Luffa, DMA at 150 MHz", "Skein"]


def test_without_results_theirs_stand_alone() -> None:
    none = Found({})
    assert len(rows("table-4-1", none)) == 12
    assert len(rows("table-4-4", none)) == 11
    assert rows("why", none) == []
    assert "proven in the routed netlist: none;" in str(STUDY.sections(none)[0])


def test_the_plan_of_the_quick_part(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        waves = STUDY.plan(Asked(store=store, quick=True))
        points = next(waves)
        placed = "place cubehash-256"
        placement = points[placed]
        assert isinstance(placement, Placement) and placement.keep
        assert "frequency cubehash-256 long" not in points
        assert not [name for name in points if name.startswith(("chip", f"place {SKEIN}"))]
        [overhead] = [job for name, job in points.items() if name == "overhead cubehash-256 100 10"]
        assert isinstance(overhead, MeasureTestbed)
        assert (overhead.setting.core_mhz, overhead.size) == (275.8, 10_000)
        # What is placed is timed at its static clock; what failed is not.
        done = record(placed, {"fmax_mhz": 91.23456})
        failed = replace(done, status="failed")
        times = waves.send({placed: done, "place shabal-256": failed})
        assert list(times) == ["testbed cubehash-256 10", "testbed cubehash-256 100"]
        assert times["testbed cubehash-256 10"].setting.core_mhz == 91.235  # type: ignore[attr-defined]
        software = waves.send({})
        assert all(isinstance(job, MeasureSizes) and job.alone for job in software.values())


def test_the_whole_has_every_function_of_table_4_1(tmp_path: Path) -> None:
    with Store(tmp_path / "store") as store:
        points = next(STUDY.plan(Asked(store=store)))
    names = {str(one["primitive"]) for one in THEIRS.named("table-4-1").records()}
    assert {name.split()[1] for name in points} == names
    chips = [points[f"chip {SKEIN} {number}"] for number in (1, 2)]
    assert [job.asked.chip for job in chips if isinstance(job, FindFrequency)] == [1, 2]
    assert [name for name in points if name.startswith(f"overhead {LUFFA}")] == [
        f"overhead {LUFFA} {mhz} {kb}" for mhz in (100, 150) for kb in KB
    ]


def test_without_published_results_the_command_says_how_to_get_some(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(Testbed, "published", tmp_path / "none.json")
    assert cli.main(["reproduce", "testbed", "--published"]) == 2
    told = capsys.readouterr().err
    assert "no results of testbed are published\n  run it: `lydite reproduce testbed`" in told


def test_table_that_is_not_there_is_refused_with_those_that_are(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert cli.main(["reproduce", "testbed", "--csv", "table-4-2"]) == 2
    assert "there are: table-4-1, table-4-3, why, growth, " in capsys.readouterr().err
