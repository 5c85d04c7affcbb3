# SPDX-License-Identifier: Apache-2.0
"""The study of BLAKE3: what is not simulated follows from cycles, and only where these hold."""

from __future__ import annotations

import math
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lydite.report.page import Lines, Prose
from lydite.runs.job import Job
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.studies import blake3
from lydite.studies import blake3_figures as figures
from lydite.studies.blake3 import Blake3
from lydite.studies.blake3_figures import (
    LINK,
    LONG_BYTES,
    MB,
    SHORT_BYTES,
    Figures,
    Growth,
    InTurns,
)
from lydite.studies.study import Asked, Found, tables

STUDY = Blake3()
PIPE, PLACED = "rtl-pipe", "rtl-pipe-ecp5"
# A clock whose period is whole.
MHZ = 80.0
PERIOD = 12.5e-9


def record(name: str, result: dict[str, Any]) -> Record:
    return Record(key=f"{hash(name):x}", kind="", label=name, status="ok", inputs={}, result=result)


def cycles(size: int) -> int:
    """What a message takes of an engine of a block a cycle."""
    chunks = size // 1024
    return 17 * chunks + 32 * round(math.log2(chunks)) + 659


def messages(**wrong: int) -> dict[str, Any]:
    ran = [{"bytes": n, "alone_cycles": 500, "next_cycles": 100.0} for n in SHORT_BYTES]
    for size in LONG_BYTES:
        more = wrong.get(f"of_{size}", 0)
        ran.append({"bytes": size, "alone_cycles": cycles(size) + more, "next_cycles": None})
    return {"messages": ran}


def job(mb: int, *, wait_ns: float = 2000.0) -> dict[str, Any]:
    took = cycles(MB * mb)
    times = {"to_device_ns": wait_ns, "compute_ns": 12.5 * (took - 1), "from_device_ns": 6000.0}
    return {"bytes": MB * mb, "alone_cycles": took, **times}


def software(rate: float) -> dict[str, Any]:
    sizes = [{"bytes": n, "median_ns": 1e9 * n / rate} for n in (*SHORT_BYTES, MB, 4 * MB)]
    return {"available": True, "variant": "fast", "version": "-O3", "sizes": sizes}


def found(**more: dict[str, Any]) -> Found:
    slow = 1e9 * MB / 1e9
    results = {
        f"cycles {PIPE}": messages(),
        f"map {PLACED}": {"area": {"lut4": 17_000.0, "ff": 33_000.0, "bram": 45.0}},
        f"place {PLACED}": {
            "fmax_mhz": MHZ,
            "utilization": {
                "TRELLIS_COMB": [17_500, 83_640],
                "TRELLIS_FF": [33_100, 83_640],
                "DP16KD": [45, 208],
            },
        },
        f"routed {PIPE} 8 {LINK}": job(8),
        f"routed {PIPE} 16 {LINK}": job(16),
        # A link that moves 1 GB a second.
        f"routed {PIPE} 1 pcie2-x4": job(1, wait_ns=0.9 * slow),
        f"routed {PIPE} 16 pcie2-x4": job(16, wait_ns=0.9 * 16 * slow),
        "software ours all": software(4e9),
        "software wheel 1": {"available": False},
        **more,
    }
    return Found({name: record(name, result) for name, result in results.items()})


def rows(name: str, of: Found) -> list[dict[str, Any]]:
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == name]
    return table.as_dicts()


def notes(name: str, of: Found) -> str:
    [table] = [one.table for one in tables(STUDY.sections(of)) if one.name == name]
    return "\n".join(table.notes)


def test_their_rate_is_the_same_from_a_megabyte_to_a_gigabyte() -> None:
    for row in STUDY.theirs.named("times").records():
        megabyte_us = float(row["compute_us"]) / float(row["mb"])
        assert 115 < megabyte_us < 140
        # Where a link of 7.9 GB/s, PCIe 3.0 with eight lanes, could not do better.
        assert MB * float(row["mb"]) / float(row["to_device_us"]) < 7900


def test_without_any_record_theirs_stand_alone() -> None:
    first = rows(f"times-{PIPE}", Found({}))
    assert [row["mb"] for row in first] == [2**n for n in range(11)]
    assert all(row["compute_theirs"] for row in first)
    assert all(row["total_ours"] is None and row["how"] is None for row in first)
    assert [row["what"] for row in rows("engines", Found({}))] == ["Arria 10 (ALM), theirs"]


def test_what_is_simulated_is_told_as_it_is() -> None:
    row = next(row for row in rows(f"times-{PIPE}", found()) if row["mb"] == 16)
    assert row["how"] == "simulated"
    assert row["compute_ours"] == pytest.approx(PERIOD * (cycles(16 * MB) - 1))
    assert row["total_ours"] == pytest.approx(row["compute_ours"] + 8e-6)
    assert row["compute_ratio"] == pytest.approx(1941.844e-6 / row["compute_ours"])
    total = (1941.844 + 3048.934 + 63.686) * 1e-6
    assert row["total_ratio"] == pytest.approx(total / row["total_ours"])


def test_designs_that_did_not_run_have_no_rows_beside_those_that_did() -> None:
    # The fixture has no message of 1 MB at the placed clock; by its cycles there is none below.
    part = found(**{f"routed {PIPE} 1 {LINK}": job(1)})
    assert len(rows(f"times-{PIPE}", part)) == 11
    assert rows("times-rtl", part) == []
    assert len(rows("times-rtl", Found({}))) == 11


def test_what_is_not_follows_from_cycles_that_hold() -> None:
    line = Figures(found()).line(PIPE)
    assert isinstance(line, Growth)
    assert (line.period, line.missed) == (1, ())
    assert (line.chunk, line.gain) == (Fraction(17), Fraction(32))
    assert line.at(0x10000 * 1024) == cycles(0x10000 * 1024)
    assert line.held == (LONG_BYTES[3], MB, 8 * MB, 16 * MB)
    row = next(row for row in rows(f"times-{PIPE}", found()) if row["mb"] == 1024)
    assert row["how"] == "by cycles"
    assert row["compute_ours"] == pytest.approx(PERIOD * (cycles(1024 * MB) - 1))
    assert row["total_ours"] == pytest.approx(row["compute_ours"] + 8e-6)
    assert "17 n + 32 log2 n + 659" in notes(f"times-{PIPE}", found())


@pytest.mark.parametrize("size", [LONG_BYTES[1], LONG_BYTES[3]])
def test_cycles_that_do_not_hold_give_nothing(size: int) -> None:
    wrong = found(**{f"cycles {PIPE}": messages(**{f"of_{size}": 1})})
    row = next(row for row in rows(f"times-{PIPE}", wrong) if row["mb"] == 1024)
    assert (row["total_ours"], row["how"]) == (None, None)
    assert notes(f"times-{PIPE}", wrong).startswith("NOT by cycles")
    # What is simulated stays.
    row = next(row for row in rows(f"times-{PIPE}", wrong) if row["mb"] == 16)
    assert row["how"] == "simulated"


# Cycles of 64 kB and its doublings, as simulated, of a ring in which a block takes seven turns: the
# turn in which a message's last chunk ends is another for each of three doublings.
RING = (9461, 17700, 34122, 66931, 132514, 263624, 525809, 1050144, 2098758)


def simulated(cycles: Mapping[int, int], **more: dict[str, Any]) -> Found:
    """Cycles by bytes: alone, and of whole megabytes behind the testbed."""
    ran = [{"bytes": n, "alone_cycles": c} for n, c in cycles.items()]
    results: dict[str, dict[str, Any]] = {
        f"cycles {PIPE}": {"messages": [one for one in ran if one["bytes"] < MB]},
        **{f"routed {PIPE} {one['bytes'] // MB} {LINK}": one for one in ran if one["bytes"] >= MB},
        **more,
    }
    return Found({name: record(name, result) for name, result in results.items()})


def in_turns(cycles: tuple[int, ...]) -> Found:
    return simulated({LONG_BYTES[0] << more: one for more, one in enumerate(cycles)})


def test_cycles_in_turns_grow_by_as_much_each_three_doublings() -> None:
    line = Figures(in_turns(RING)).line(PIPE)
    assert isinstance(line, Growth) and line.missed == ()
    assert (line.chunk, line.period, line.gain) == (Fraction(128), 3, Fraction(126))
    assert line.given == tuple(LONG_BYTES[0] << more for more in range(5))
    assert line.held == (2 * MB, 4 * MB, 8 * MB, 16 * MB)
    assert line.at(32 * MB) == RING[6] + 128 * (32 - 4) * 1024 + 126


@pytest.mark.parametrize("at", range(len(RING)))
def test_no_period_explains_cycles_of_which_one_is_wrong(at: int) -> None:
    wrong = tuple(cycles + (number == at) for number, cycles in enumerate(RING))
    line = Figures(in_turns(wrong)).line(PIPE)
    assert line is not None and line.missed


def test_a_period_needs_a_size_that_holds_it() -> None:
    line = Figures(in_turns(RING[:5])).line(PIPE)
    assert isinstance(line, Growth) and line.period == 1 and line.missed


def counted(rest: int, *, wrong: int = 0) -> Found:
    """Cycles of messages whose turns were counted, seven each; one of 8 MB may be wrong."""
    sizes = (*LONG_BYTES, *(MB << more for more in range(11)))
    turns = {size: 17 * size // 1024 + 3 * (size % 7) for size in sizes}  # in no order
    ran = {size: 7 * turns[size] + rest + wrong * (size == 8 * MB) for size in sizes[:9]}
    messages = [{"bytes": n, "turns": t} for n, t in turns.items()]
    return simulated(ran, **{f"turns {PIPE}": {"messages": messages}})


def test_cycles_follow_from_turns_of_the_loop() -> None:
    line = Figures(counted(-2)).line(PIPE)
    assert isinstance(line, InTurns) and line.holds
    assert (line.turn, line.rest) == (Fraction(7), Fraction(-2))
    assert line.given == LONG_BYTES[:2]
    assert line.held == (*LONG_BYTES[2:], MB, 2 * MB, 4 * MB, 8 * MB, 16 * MB)
    size = 1024 * MB
    assert line.at(size) == 7 * (17 * size // 1024 + 3 * (size % 7)) - 2
    assert float(line.chunk) == pytest.approx(7 * 17, rel=1e-4)
    assert "take 7 t - 2" in str(line)


def test_turns_that_do_not_explain_cycles_give_nothing() -> None:
    line = Figures(counted(-2, wrong=1)).line(PIPE)
    assert isinstance(line, InTurns) and not line.holds
    assert [(size, got - wanted) for size, got, wanted in line.missed] == [(8 * MB, 1)]


def test_a_slow_link_is_waited_for_in_proportion() -> None:
    over = {row["link"]: row for row in rows("links", found())}
    slow, fast = over["PCI Express 2.0, four lanes"], over["PCI Express 3.0, eight lanes"]
    assert (slow["bound"], fast["bound"]) == ("link", "core")
    wait = 0.9 * 1024 * MB / 1e9
    compute = PERIOD * (cycles(1024 * MB) - 1)
    assert slow["total_1024_s"] == pytest.approx(wait + compute + 6e-6)
    assert fast["mbyte_per_s"] == pytest.approx(1024 * MB / (compute + 8e-6) / 1e6)


def test_engines_are_as_many_as_the_scarcest_part_allows() -> None:
    one, many, theirs = rows("engines", found())
    assert one["mbyte_per_s"] == pytest.approx(1024 / 17 * MHZ)
    # 83,640 registers have room for two; LUT for four.
    assert (many["engines"], many["mbyte_per_s"]) == (2, pytest.approx(2 * 1024 / 17 * MHZ))
    assert theirs["mbyte_per_s"] == pytest.approx(1024 * MB / 122169.668)


def test_short_messages_and_this_processor() -> None:
    [first, *_] = rows("short", found())
    assert first[f"{PIPE}_alone_s"] == pytest.approx(500 * PERIOD)
    assert first[f"{PIPE}_next_s"] == pytest.approx(100 * PERIOD)
    ran = {row["mb"]: row for row in rows("software", found())}
    assert ran[4]["ours_all_s"] == pytest.approx(4 * MB / 4e9)
    assert (ran[1]["wheel_1_s"], ran[16]["ours_all_s"]) == (None, None)


def gpu() -> dict[str, Any]:
    sizes = [
        {
            "bytes": size,
            "median_ns": 5e5,
            "samples": 15,
            "parts_ns": {"to_device": 3e5, "compute": 2e5, "from_device": 2e3},
        }
        for size in (64, MB)
    ]
    return {"available": True, "variant": "opencl", "version": "A GPU, driver 1", "sizes": sizes}


def test_a_gpu_stands_beside_theirs_by_its_parts_and_as_a_whole() -> None:
    ran = found(gpu=gpu())
    row, later, *_ = rows("gpu", ran)
    assert (row["mb"], row["compute_ours"]) == (1, 2e-4)
    assert row["to_device_ours"] == pytest.approx(3e-4)
    assert row["compute_ratio"] == pytest.approx(138.487375e-6 / 2e-4)
    # Parts overlap: the whole is less than their sum.
    assert row["total_ours"] == 5e-4 and row["mbyte_per_s"] == pytest.approx(MB / 5e-4 / 1e6)
    assert later["total_ours"] is None and later["mbyte_per_s"] is None
    assert "A GPU, driver 1, medians of 15" in notes("gpu", ran)
    assert rows("short", ran)[0]["gpu_s"] == 5e-4
    [plot] = [part for one in STUDY.sections(ran) for part in one.parts if isinstance(part, Lines)]
    assert plot.lines[-1].points == ((1.0, MB / 5e-4 / 1e6),)


def test_without_a_gpu_that_is_said() -> None:
    [section] = [one for one in STUDY.sections(found()) if one.title == "GPU"]
    [part] = section.parts
    assert isinstance(part, Prose) and part.text.startswith("No GPU was there")
    assert "gpu_s" not in rows("short", found())[0]


def test_a_gpu_is_a_point_where_it_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    module = SimpleNamespace(available=False)
    monkeypatch.setattr(blake3, "module_of", lambda _: module)
    assert blake3._gpu((64, MB)) == {}
    module.available = True
    [(name, job)] = blake3._gpu((64, MB)).items()
    assert name == "gpu" and job.sizes == (64, MB)  # type: ignore[attr-defined]


def test_the_plot_has_theirs_ours_and_the_processor() -> None:
    [plot] = [
        part for one in STUDY.sections(found()) for part in one.parts if isinstance(part, Lines)
    ]
    assert [line.series for line in plot.lines] == ["theirs", "theirs", "ours", "processor"]
    ours = dict(plot.lines[2].points)
    assert ours[16.0] == pytest.approx(16 * MB / (PERIOD * (cycles(16 * MB) - 1) + 8e-6) / 1e6)


def refused(jobs: Mapping[str, Job]) -> dict[str, Record]:
    """Records of jobs of C that the compiler refuses."""
    return {
        name: Record(key=one.key, kind="compile", label="", status="failed", inputs={}, result={})
        for name, one in jobs.items()
    }


def test_plan_of_the_quick_part_and_of_the_whole(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        waves = STUDY.plan(Asked(store=store, quick=True))
        compiled = next(waves)
        assert list(compiled) == ["compile hls-pipe"]
        hardware = waves.send(refused(compiled))
        assert list(hardware) == [
            *(f"cycles {PIPE}", f"nominal {PIPE} 1 {LINK}"),
            *("cycles rtl-ring", f"nominal rtl-ring 1 {LINK}"),
        ]
        last = waves.send({})
        assert {"software ours 1", "software ours all"} <= set(last)
        assert max(last["software ours 1"].sizes) == 16 * MB  # type: ignore[attr-defined]
        with pytest.raises(StopIteration):
            waves.send({})
        waves = STUDY.plan(Asked(store=store))
        compiled = next(waves)
        # C that is refused takes its designs only.
        points = waves.send(refused(compiled))
        assert {f"place {PLACED}", "place rtl", "map rtl-pipe", f"netlist {PLACED}"} <= set(points)
        assert "place rtl-pipe" not in points and "place hls" not in points
        placed = record(f"place {PLACED}", {"fmax_mhz": 91.23456})
        routed = waves.send({f"place {PLACED}": placed})
        names = [f"routed {PIPE} {mb} {LINK}" for mb in (1, 2, 4, 8, 16)]
        names += [f"routed {PIPE} {mb} {one}" for one in figures.LINKS[1:] for mb in (1, 16)]
        # Those without a placement run at the nominal clock, behind that link alone.
        names += [
            f"nominal {one} {mb} {LINK}" for one in ("rtl-ring", "rtl") for mb in (2, 4, 8, 16)
        ]
        assert list(routed) == names
        assert routed[names[0]].setting.core_mhz == 91.235  # type: ignore[attr-defined]


def test_what_is_not_routed_is_told_so_and_is_not_the_best_of_ours() -> None:
    """A clock that was asked for is no clock that an engine has."""
    asked = {f"cycles {PIPE}": messages(), f"nominal {PIPE} 1 {LINK}": job(1)}
    slow = {
        "place rtl": {"fmax_mhz": 20.0, "utilization": {}},
        f"routed rtl 1 {LINK}": job(1, wait_ns=5e6),
    }
    alone, both = (
        Found({name: record(name, result) for name, result in results.items()})
        for results in (asked, {**asked, **slow})
    )
    assert [row["engine_s"] for row in rows("software", alone)] == [None] * 11
    of_rtl = next(row for row in rows("times-rtl", both) if row["mb"] == 1)["total_ours"]
    of_pipe = next(row for row in rows(f"times-{PIPE}", both) if row["mb"] == 1)["total_ours"]
    assert rows("software", both)[0]["engine_s"] == of_rtl > of_pipe
    assert [row["design"] for row in rows("links", both)] == [PIPE, "rtl"]
    assert f"{PIPE}: at 90 MHz, asked for and not routed" in notes("links", both)
    assert "not routed" not in notes("links", found())
    [plot] = [one for part in STUDY.sections(both) for one in part.parts if isinstance(one, Lines)]
    shown = [line.label for line in plot.lines]
    assert {f"{PIPE}, not routed", "rtl, with transfers"} <= set(shown)
