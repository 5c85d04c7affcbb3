# SPDX-License-Identifier: Apache-2.0
"""The study of the SRC-6E: the paper's tables hang together, and ours are made of records."""

from __future__ import annotations

from typing import Any

import pytest

from lydite import cores
from lydite.runs.kinds.search_bench import MeasureSearchRate
from lydite.runs.processors import software as runs_software
from lydite.runs.processors.software import cpu_features
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import published, src6e
from lydite.studies import src6e_figures as figures
from lydite.studies.src6e import Src6e
from lydite.studies.study import Asked, Found, tables

STUDY = Src6e()
LONG = 16384
PART = {"TRELLIS_COMB": [20_100, 83_640]}


def record(name: str, result: dict[str, Any]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


def job(cycles: int, **more: Any) -> dict[str, Any]:
    """A job of the testbed at 100 MHz, with 4,360 ns around it."""
    took = {"hardware_ns": 10 * cycles + 4360, "compute_ns": 10 * cycles}
    return {"alone_cycles": cycles, "queued_ns": 10 * cycles + 50, **took, **more}


def software(ns: float, ns_all: float) -> dict[str, Any]:
    times = {"long_1": {"median_ns": ns}, "long_all": {"median_ns": ns_all}}
    one = {"operation": "encrypt", **times}
    return {"available": True, "long_bytes": LONG, "operations": [one]}


def found() -> Found:
    results = {
        "testbed rtl-pipe 1024": job(1076),
        "search 8 128000": job(16_118, keys=128_000),
        "search 8 1000000": job(125_118, keys=1_000_000),
        "map 8": {"area": {"lut4": 20_000.0, "ff": 21_000.0}},
        "place 8": {"fmax_mhz": 125.0, "utilization": PART},
        "routed 8 128000": job(16_118, keys=128_000),
        "software ref": software(LONG / 0.004, LONG / 0.008),
        "software fast": software(LONG / 0.4, LONG / 0.8),
        "rate ref 1": {"threads": 1, "keys_per_s": 1e6},
        "rate ref 2": {"threads": 2, "keys_per_s": 2e6},
        "rate best 1": {"threads": 1, "keys_per_s": 5e8},
        "rate best 2": {"threads": 2, "keys_per_s": 1e9},
    }
    return Found({name: record(name, result) for name, result in results.items()})


def rows(name: str, of: Found) -> list[dict[str, Any]]:
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == name]
    return table.as_dicts()


def test_their_throughputs_follow_from_their_times() -> None:
    for row in STUDY.theirs.named("table-1").records():
        megabytes = 8e-6 * float(row["blocks"])
        assert megabytes / float(row["map_s"]) == pytest.approx(row["map_mbyte_per_s"], rel=0.01)
        # Of its first columns the paper prints one or two digits of some.
        loaded = megabytes / float(row["loaded_s"])
        assert loaded == pytest.approx(row["loaded_mbyte_per_s"], rel=0.01)


def test_their_speedups_follow_from_their_times() -> None:
    one, two, three = (STUDY.theirs.named(f"table-{n}") for n in (1, 2, 3))
    for row in three.records():
        blocks = row["blocks"]
        for view in ("total", "loaded", "map"):
            for side in ("c", "assembly"):
                ratio = two.number(f"{side}_s", blocks=blocks) / one.number(
                    f"{view}_s", blocks=blocks
                )
                assert ratio == pytest.approx(row[f"{side}_{view}"], rel=0.03, abs=0.006)
    four, five, six = (STUDY.theirs.named(f"table-{n}") for n in (4, 5, 6))
    for row in six.records():
        where = {"engines": row["engines"], "keys": row["keys"]}
        ratio = five.number("c_s", keys=row["keys"]) / four.number("map_s", **where)
        assert ratio == pytest.approx(row["map"], rel=0.01)


def test_without_any_record_theirs_stand_alone() -> None:
    names = [table.name for table in tables(STUDY.sections(Found({})))]
    assert names[:2] == ["table-1-rtl-pipe", "table-1-hls-macro"]
    assert set(names) >= {*(f"table-{n}" for n in range(2, 7)), "engines", "worst-case"}
    assert all(row["total_ours"] is None for row in rows("table-4", Found({})))


def test_times_of_the_three_views() -> None:
    first = rows("table-1-rtl-pipe", found())[0]
    load = figures.configuration_s()
    assert first["loaded_ours"] == pytest.approx(15.12e-6)
    assert first["compute_ours"] == pytest.approx(10.76e-6)
    assert first["total_ours"] == pytest.approx(load + 15.12e-6)
    assert first["compute_ratio"] == pytest.approx(1.12e-5 / 10.76e-6)
    hidden = rows("hidden-rtl-pipe", found())[0]
    assert hidden["hidden_s"] == pytest.approx(load)
    assert hidden["queued_s"] == pytest.approx(10.81e-6)


def test_what_is_not_simulated_follows_from_the_cycles_of_what_is() -> None:
    by_size = {row["keys"]: row for row in rows("table-4", found()) if row["engines"] == 8}
    assert by_size[1_000_000]["how"] == "simulated"
    last = by_size[100_000_000]
    assert last["how"] == "by cycles"
    assert last["compute_ours"] == pytest.approx(1e-8 * (118 + 100_000_000 / 8))
    assert last["loaded_ours"] == pytest.approx(last["compute_ours"] + 4360e-9)


def test_speedups_over_reference_and_best() -> None:
    row = rows("table-3", found())[0]
    # 8,192 bytes at 4 MB/s and 800 MB/s.
    assert row["c_map_ours"] == pytest.approx(8192 / 4e6 / 10.76e-6)
    assert row["assembly_map_ours"] == pytest.approx(8192 / 8e8 / 10.76e-6)
    six = next(r for r in rows("table-6", found()) if (r["engines"], r["keys"]) == (8, 128_000))
    assert six["map_ours"] == pytest.approx(128_000 / 1e6 / 161.18e-6)
    assert six["compute_best"] == pytest.approx(128_000 / 1e9 / 161.18e-6)


def test_a_whole_part_is_told_by_its_own_clock() -> None:
    placed, ztex = rows("engines", found())
    assert placed["keys_per_s"] == pytest.approx(1e9)
    assert placed["keys_per_s_lut"] == pytest.approx(50_000)
    # Theirs is over all LUT of the part, which ours is told beside.
    assert placed["keys_per_s_part_lut"] == pytest.approx(1e9 / 83_640)
    assert ztex["keys_per_s_lut"] is None
    assert ztex["keys_per_s_part_lut"] == pytest.approx(6.1e9 / 92_152)
    days = {row["what"]: row["days"] for row in rows("worst-case", found())}
    assert days["rtl-8, one part"] == pytest.approx(2**56 / 1e9 / 86400)


def test_plan_of_the_quick_part(tmp_path: Any) -> None:
    with Store(tmp_path) as store:
        waves = STUDY.plan(Asked(store=store, quick=True))
        [(name, compilation)] = next(waves).items()
        assert (name, compilation.kind) == ("compile hls-macro", "compile")
        # C that is refused takes its design only.
        refused = Record(
            key=compilation.key, kind="compile", label="", status="failed", inputs={}, result={}
        )
        hardware = waves.send({name: refused})
        assert list(hardware) == [
            *("testbed rtl-pipe 1024", "testbed rtl-pipe 10000"),
            *("search 1 8000", "search 1 128000", "search 8 8000", "search 8 128000"),
        ]
        last = waves.send({})
        assert {"software ref", "rate ref 1", "rate best 1"} <= set(last)
        assert ("software bitslice-avx2" in last) == ("avx2" in cpu_features())
        with pytest.raises(StopIteration):
            waves.send({})


def test_a_processor_without_avx_measures_what_it_can(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (src6e, runs_software):
        monkeypatch.setattr(module, "cpu_features", frozenset)
    [ciphers] = cores.select("tdes-2key", every=True)
    points = src6e._software(ciphers, quick=False)
    measured = [name for name in points if name.startswith("software ")]
    assert measured == ["software ref", "software bitslice-64", "software openssl"]
    best = points["rate best 1"]
    assert isinstance(best, MeasureSearchRate)
    assert best.software.name == "bitslice-64"


def test_what_is_published_is_whole() -> None:
    published_now = published.read(STUDY.published, STUDY)
    for number in (1, 4):
        name = "table-1-rtl-pipe" if number == 1 else "table-4"
        assert all(row["compute_ours"] for row in rows(name, published_now))
    for record in published_now.records.values():
        assert (record.status, record.commands) == ("ok", ())
