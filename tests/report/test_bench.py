# SPDX-License-Identifier: Apache-2.0
"""Tables out of records: what is computed, and from what; no tool runs here."""

from __future__ import annotations

import io
import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from lydite import targets
from lydite.cores import load
from lydite.cores.catalog import Selection
from lydite.report import bench, bench_tables, listing, text
from lydite.report.bench import BenchTable, Link
from lydite.report.implemented import implemented
from lydite.runs import plan
from lydite.runs.job import Job
from lydite.runs.plan import BenchPlan, Settings
from lydite.runs.record import Record

SOFTWARE = """
[[software]]
name = "{name}"
title = "{name}"
role = "{role}"
primitives = ["crc32"]
sources = ["{name}.c"]
cpu = [{cpu}]
"""
CLOCKS = (110.0, 100.0, 125.0)


def always(cycles: float) -> dict[str, float]:
    """Give what is measured of a time that does not depend on data."""
    return {"least": cycles, "most": cycles, "mean": cycles}


def verified(*operations: str, vectors: int = 4, **changes: Any) -> dict[str, Any]:
    """Give the result of a proof; what changes is of the timing of its operations."""
    shown = [
        {
            "timing": {
                "operation": name,
                "cycles_per_block": always(2),
                "cycles_per_message": always(10),
                "latency_cycles": always(11),
                "total_cycles": [[1, always(11)]],
                **changes,
            },
            "vectors": vectors,
            "random_messages": 8192,
            "random_words": 327_680,
        }
        for name in operations
    ]
    return {
        "vectors": vectors * len(operations),
        "modes": ["none", "random"],
        "operations": shown,
        "proof_seed": 1,
        "chained": 2000,
        "simulated_cycles": 5000,
    }


def record(job: Job, result: dict[str, Any], error: str = "") -> Record:
    return Record(
        key=job.key,
        kind=job.kind,
        label=job.label,
        status="failed" if error else "ok",
        inputs=dict(job.inputs()),
        result=result,
        error=error,
        exit_code=4 if error else 0,
        machine="a machine",
    )


def figure(median_ns: float) -> dict[str, float]:
    return {
        "median_ns": median_ns,
        "best_ns": 0.75 * median_ns,
        "worst_ns": 1.25 * median_ns,
        "tsc_per_unit": 0.0,
    }


def measured(lanes: int, long_ns: float, threads: int = 4) -> dict[str, Any]:
    return {
        "available": True,
        "version": "",
        "lanes": lanes,
        "operations": [
            {
                "operation": "hash",
                "long_1": figure(long_ns),
                "long_all": figure(long_ns / threads),
                "block_1": figure(200.0),
                "blocks_1": figure(100.0),
                "blocks_all": figure(100.0 / threads),
            }
        ],
        "permutation_1": None,
        "permutation_all": None,
        "core_ghz": 2.0,
        "compiler": "gcc gcc 12.2",
        "flags": "-O3",
        "threads": threads,
        "long_bytes": 16384,
    }


@pytest.fixture
def planned(crc32: Path) -> BenchPlan:
    """Give the plan of a bench with three seeds and three variants of software."""
    path = crc32 / "core.toml"
    variants = (("slow", "single", ""), ("wide", "multi", ""), ("far", "multi", '"no-such"'))
    path.write_text(
        path.read_text() + "".join(SOFTWARE.format(name=n, role=r, cpu=c) for n, r, c in variants)
    )
    for name, _, _ in variants:
        (crc32 / f"{name}.c").write_text(f"// {name}\n")
    core = load(path)
    selection = Selection(core.primitives[0], core.designs, core.software)
    return plan.bench(selection, Settings(target=targets.find("ecp5-12k")))


def records(planned: BenchPlan, **changes: Any) -> dict[str, Record]:
    """Give records of all that a plan has; a change of None fails the job of that name."""
    [hardware] = planned.hardware
    synthesis = hardware.implementation.synthesis
    area = {
        "lut4": 80.0,
        "ff": 40.0,
        "carry": 0.0,
        "bram": 0.0,
        "dsp": 0.0,
        **changes.get("area", {}),
    }
    mapped = {"area": area, "cells": changes.get("cells", {}), "unmeasured": []}
    operations, timing = hardware.design.operations, changes.get("timing", {})
    proven = verified(*operations, **timing)
    made = [record(hardware.proof, proven), record(synthesis, mapped)]
    if hardware.implementation.netlist is not None:
        proven = verified(*operations, vectors=3, **timing)
        made.append(record(hardware.implementation.netlist, proven))
    for index, (job, mhz) in enumerate(
        zip(hardware.implementation.placements, CLOCKS, strict=True)
    ):
        path = {"begin": f"a{index}.Q", "end": "b.D", "levels": 2}
        path |= {"logic_ns": 1.0, "routing_ns": 3.0}
        clocks = changes.get("clocks", {"core": mhz, "in": 2 * mhz})
        result = {
            "fmax_mhz": min(clocks.values()),
            "path_kind": min(clocks, key=clocks.__getitem__),
            "paths": {kind: {**path, "kind": kind, "fmax_mhz": f} for kind, f in clocks.items()},
            "utilization": {"TRELLIS_COMB": [100, 24000], "TRELLIS_FF": [50, 24000]},
        }
        made.append(record(job, result, error="died" if f"seed{index}" in changes else ""))
    figures = (1, 4), (16384.0, 8192.0)
    for job, lanes, long_ns in zip(planned.software, *figures, strict=bool(planned.software)):
        made.append(record(job, measured(lanes, long_ns)))
    return {entry.key: entry for entry in made if entry.kind not in changes}


def table(planned: BenchPlan, link: Link | None = None, **changes: Any) -> BenchTable:
    [found] = bench.bench(planned, records(planned, **changes), link or Link())
    return found


def shown(found: BenchTable) -> str:
    shown = io.StringIO()
    Console(width=120, file=shown).print(text.bench(found))
    return shown.getvalue()


def test_clock_is_the_median_and_the_best_over_seeds(planned: BenchPlan) -> None:
    [row] = table(planned).hardware
    placed = row.implemented
    assert (placed.fmax_median_mhz, placed.fmax_best_mhz, placed.fmax_worst_mhz) == (110, 125, 100)
    assert (placed.seeds, placed.seeds_asked) == (3, 3)
    # The path that is shown is that of the median run.
    assert placed.path_from == "a0.Q"
    assert len(placed.keys) == 4


def test_a_figure_at_the_ports_is_never_the_cores(planned: BenchPlan) -> None:
    slow_inputs = {"core": 400.0, "in": 110.0, "out": 300.0}
    found = table(planned, clocks=slow_inputs)
    [row] = found.hardware
    assert (row.implemented.fmax_median_mhz, row.implemented.usable_median_mhz) == (400, 110)
    assert (row.implemented.path_kind, row.implemented.kinds) == ("core", slow_inputs)
    assert row.rate == pytest.approx(55)
    assert (
        "at the ports, with registers next to them: from inputs 110.0 MHz, to outputs 300.0 MHz; "
        "all together allow 110.0 MHz"
    ) in " ".join(shown(found).split())


def test_a_core_without_paths_of_its_own_has_a_marked_figure(planned: BenchPlan) -> None:
    found = table(planned, clocks={"in": 110.0, "out": 300.0})
    [row] = found.hardware
    assert (row.implemented.path_kind, row.implemented.fmax_median_mhz) == ("in", 110)
    printed = " ".join(shown(found).split())
    assert "110.0 110.0 in " in printed
    assert "a1.Q (a register of the measuring wrapper) to b.D: 4.00 ns" in printed
    assert "the figure is theirs: there is no path between two registers of the core" in printed


def test_rate_latency_and_area(planned: BenchPlan) -> None:
    [row] = table(planned).hardware
    # One byte in two cycles at 110 MHz.
    assert row.rate == pytest.approx(55)
    assert row.latency_ns == pytest.approx(100)
    assert row.rate_per_klut == pytest.approx(55 / 0.08)


def test_seed_that_failed_is_counted_out_and_told(planned: BenchPlan) -> None:
    found = table(planned, seed2=None)
    [row] = found.hardware
    assert (row.implemented.seeds, row.implemented.seeds_asked) == (2, 3)
    assert row.implemented.fmax_median_mhz == 105
    assert [entry.error for entry in found.failures] == ["died"]
    assert "2 hashed seeds (1 more failed)" in shown(found)


def test_design_without_proof_or_placement_has_no_row(planned: BenchPlan) -> None:
    for missing in ("verify", "synthesis", "netlist", "placement"):
        found = table(planned, **{missing: None})
        assert found.hardware == ()
        assert found.comparisons == ()


def test_software_rates(planned: BenchPlan) -> None:
    slow, wide = table(planned).software
    assert (slow.rate_1, slow.rate_all) == (pytest.approx(1000), pytest.approx(4000))
    assert slow.spread == pytest.approx(0.5)
    assert slow.cycles_per_byte == pytest.approx(2)
    assert (slow.permutations_per_s_1, slow.block_ns) == (0, 200)
    assert wide.blocks_per_s_all == pytest.approx(4e7)
    assert slow.machine == "a machine"


def test_software_that_could_not_run_is_left_out_with_the_reason(planned: BenchPlan) -> None:
    found = table(planned)
    assert [(entry.label, entry.error) for entry in found.left_out] == [
        ("software crc32/far", "this processor lacks no-such"),
    ]
    assert "this processor lacks no-such" in shown(found)


def test_hardware_stands_against_the_best_software(planned: BenchPlan) -> None:
    alone, many = table(planned).comparisons
    # The fastest for one message is `slow`, the only one for one; in all it is `wide`.
    assert (alone.variant, many.variant) == ("slow", "wide")
    assert alone.throughput_ratio == pytest.approx(55 / 4000)
    assert alone.latency_ratio == pytest.approx(200 / 100)
    assert many.instances_to_match == math.ceil(8000 / 55)
    # 24000 LUTs over 80 are 300, 24000 registers over 40 are 600.
    assert many.instances_that_fit == 300


def test_hardware_that_is_slower_never_wins(planned: BenchPlan) -> None:
    alone, _ = table(planned).comparisons
    assert (alone.wins_from_messages, alone.wins_from_long_messages) == (None, None)


def test_messages_from_which_hardware_wins(planned: BenchPlan) -> None:
    found = records(planned)
    for entry in found.values():
        if entry.kind == "software":
            entry.result["operations"][0]["blocks_all"] = figure(1000.0)
    [told] = bench.bench(planned, found, Link(round_trip_us=5.0))
    alone, _ = told.comparisons
    # A message takes the hardware 10 cycles of 110 MHz, 91 ns, and the software 1000 ns.
    assert alone.wins_from_messages == math.ceil(5000 / (1000 - 10e3 / 110))
    slow_link = Link(gbit_per_s=0.001, round_trip_us=5.0)
    [told] = bench.bench(planned, found, slow_link)
    alone, _ = told.comparisons
    assert alone.wins_from_messages is None


def test_core_without_luts_is_shown(planned: BenchPlan) -> None:
    found = table(planned, area={"lut4": 0.0, "ff": 0.0})
    [row] = found.hardware
    assert row.rate_per_klut == math.inf
    assert all(entry.instances_that_fit == 0 for entry in found.comparisons)
    assert "inf" in shown(found)


def test_table_names_seeds_proof_tools_and_both_sides(planned: BenchPlan) -> None:
    lines = shown(table(planned))
    for part in (
        "CRC-32 (ISO-HDLC) (ISO/IEC 13239, 4.2.5.3)",
        "Hardware: LFE5U-12F-6, 3 hashed seeds",
        "critical path, rtl: a0.Q to b.D: 4.00 ns, 25 % logic in 2 levels, 75 % routing",
        "4 known answers, 3 of them on the mapped netlist, too, each under stalls none, random",
        "yosys 0.70 (wheel pyosys)",
        "Software: a machine",
        "rtl / slow, 4 thr.",
        "rtl / wide, 4 thr.",
        "32 Gb/s each way and 5 us there and back",
    ):
        assert part in lines
    told = " ".join(lines.split())
    assert "resets in mid-message; 2000 steps of Monte Carlo chains" in told


def test_the_interval_of_each_median_is_told(planned: BenchPlan) -> None:
    found = table(planned)
    [row] = found.hardware
    assert row.rate_low < row.rate < row.rate_high
    told = " ".join(shown(found).split())
    # A byte every second cycle, at 100 to 125 MHz.
    what = "medians lie within, 95 %: rtl 50.00 to 62.50 MB/s"
    assert f"{what} (bootstrap over the seeds, no wider than their range)" in told
    # Of one seed there is none.
    alone = table(planned, seed0=True, seed1=True)
    assert alone.hardware[0].implemented.seeds == 1
    assert "95 %" not in shown(alone)


def test_each_row_tells_its_seeds_where_they_differ(planned: BenchPlan) -> None:
    found = table(planned)
    assert "best of" not in shown(found)
    assert not re.search(r"\bseeds\b +LUT4", shown(found))
    [row] = found.hardware
    few = msgspec.structs.replace(table(planned, seed2=True).hardware[0], design="few")
    assert (few.implemented.seeds, row.implemented.seeds) == (2, 3)
    both = msgspec.structs.replace(found, hardware=(row, few))
    lines = shown(both)
    assert "Hardware: LFE5U-12F-6, 2 to 3 hashed seeds" in lines
    # The best of three is no match for the best of two: 125 MHz came under the third seed.
    assert re.search(r"seeds +median +best of 2 ", lines)
    assert re.search(r"^ rtl .* 3 +110\.0 +110\.0 ", lines, re.MULTILINE)
    assert re.search(r"^ few .* 2 +105\.0 +110\.0 ", lines, re.MULTILINE)
    names = [column.name for column in bench_tables.hardware(both).columns]
    assert names == [column.name for column in bench_tables.hardware(found).columns]
    of_all = bench_tables.hardware(both).rows[0][names.index("fmax_best_mhz")]
    assert of_all == 125.0


def test_calls_at_once_are_told_beside_their_figures(planned: BenchPlan) -> None:
    found = table(planned)
    assert "calls at once" not in shown(found)
    [row] = found.hardware
    woven = msgspec.structs.replace(row, interleaved=4)
    lines = shown(msgspec.structs.replace(found, hardware=(woven,)))
    assert "calls at once, told apart by tid: rtl 4; cycles a block and rates are of all" in lines


def test_blocks_are_told_where_there_are_some(planned: BenchPlan) -> None:
    found = table(planned)
    assert "blocks of 1 byte" in shown(found)
    assert "blocks of" not in shown(msgspec.structs.replace(found, block_bytes=0))


def test_cycles_need_not_be_whole(planned: BenchPlan) -> None:
    timing = {"cycles_per_block": {"least": 2, "most": 3, "mean": 2.75}}
    found = table(planned, timing=timing)
    [row] = found.hardware
    # The mean counts where time depends on data.
    assert row.cycles_per_block == 2.75
    assert row.rate == pytest.approx(110 / 2.75)
    assert " 2.75 " in shown(found)


def test_call_without_a_payload_of_blocks_is_timed_from_call_to_call(planned: BenchPlan) -> None:
    [row] = table(planned, timing={"cycles_per_block": None}).hardware
    assert (row.cycles_per_block, row.cycles_per_message) == (10, 10)


def test_operation_without_a_payload_has_no_long_messages(planned: BenchPlan) -> None:
    found = table(planned)
    assert "wins from,\n1 block" in [one.head for one in bench_tables.comparisons(found).columns]
    calls = msgspec.structs.replace(found, unit="M calls/s")
    heads = [one.head for one in bench_tables.comparisons(calls).columns]
    assert "wins\nfrom" in heads
    assert not any("wins from," in head for head in heads)
    heads = [one.head for one in bench_tables.software(calls).columns]
    assert "cycles\na call" in heads
    assert "cycles\na byte" not in heads


SECOND = """
[[primitive.operation]]
name = "verify"
inputs = [{ name = "message" }, { name = "output", bytes = 4 }]
outputs = []
rejects = true
payload = "message"
block_bytes = 1

"""


def test_each_operation_has_a_table(crc32: Path, replace: Callable[..., None]) -> None:
    path = crc32 / "core.toml"
    replace(path, "[[design]]", f"{SECOND}[[design]]")
    replace(path, "claims.hash", "claims.verify = { latency_cycles = 9 }\nclaims.hash")
    streams = (
        '{ port = "s_axis", fields = ["message", "output"], user = "operation" }, '
        '{ port = "m_axis", fields = ["output", "verdict"] }'
    )
    replace(path, 'top = "crc32"', f'top = "crc32"\nstreams = [{streams}]')
    core = load(path)
    planned = plan.bench(
        Selection(core.primitives[0], core.designs, core.software),
        Settings(target=targets.find("ecp5-12k")),
    )
    found = bench.bench(planned, records(planned), Link())
    assert [one.operation for one in found] == ["hash", "verify"]
    assert [[row.design for row in one.hardware] for one in found] == [["rtl"], ["rtl"]]
    assert [shown(one).partition("\n")[0] for one in found] == [
        "CRC-32 (ISO-HDLC): hash (ISO/IEC 13239, 4.2.5.3), blocks of 1 byte",
        "CRC-32 (ISO-HDLC): verify (ISO/IEC 13239, 4.2.5.3), blocks of 1 byte",
    ]
    # A design that has but one of them stands in the table of that only.
    replace(path, f'top = "crc32"\nstreams = [{streams}]', 'top = "crc32"\noperations = ["hash"]')
    replace(path, "claims.verify = { latency_cycles = 9 }\n", "")
    checks = '[[design]]\nname = "checks"\ntitle = "checks"\nprimitives = ["crc32"]\n'
    checks += 'sources = ["crc32.v"]\ntop = "crc32"\noperations = ["verify"]\n'
    checks += "claims.verify = { latency_cycles = 9 }\nstreams = ["
    verdicts = streams.replace('"output", "verdict"', '"verdict"')
    path.write_text(f"{path.read_text()}\n{checks}{verdicts}]\n")
    core = load(path)
    planned = plan.bench(
        Selection(core.primitives[0], core.designs[:1], core.software),
        Settings(target=targets.find("ecp5-12k")),
    )
    [only] = bench.bench(planned, records(planned), Link())
    assert only.operation == "hash"


def test_runs_are_listed_with_their_figure(planned: BenchPlan) -> None:
    rows = listing.runs(list(records(planned, seed2=None).values())).rows
    figures = {(row[1], row[4]) for row in rows}
    assert figures == {
        ("verify", "2 cycles a block"),
        ("synthesis", "80 LUT4"),
        ("netlist", "3 vectors"),
        ("placement", "110.00 MHz (core)"),
        ("placement", "100.00 MHz (core)"),
        ("placement", "died"),
        ("software", "1000 MB/s"),
        ("software", "2000 MB/s"),
    }


def test_a_clock_with_cells_that_no_delay_is_known_through_is_doubted(planned: BenchPlan) -> None:
    counts = {"LUT4": 3, "MULT18X18": 1, "MULTADDSUB18X18": 2}
    nexus = targets.find("nexus-lifcl-40").family
    assert nexus.untimed_cells(counts) == {"MULTADDSUB18X18": 2}
    assert targets.find("ecp5-12k").family.untimed_cells(counts) == {}
    found = table(planned)
    assert "believed" not in shown(found)
    [row] = found.hardware
    told = msgspec.structs.replace(row.implemented, untimed=nexus.untimed_cells(counts))
    said = bench_tables.critical_path(told)
    assert said == (
        "a0.Q to b.D: 4.00 ns, 25 % logic in 2 levels, 75 % routing; warning: the clock is not to "
        "be believed, no delay is known through 2 MULTADDSUB18X18"
    )


def test_cells_without_a_delay_come_out_of_the_synthesis(crc32: Path) -> None:
    core = load(crc32 / "core.toml")
    selection = Selection(core.primitives[0], core.designs, core.software)
    planned = plan.bench(selection, Settings(target=targets.find("nexus-lifcl-40")))
    [hardware] = planned.hardware
    made = records(planned, cells={"MULTADDSUB9X9WIDE": 1, "LUT4": 5})
    placed = implemented(hardware.implementation, made)
    assert placed is not None and placed.untimed == {"MULTADDSUB9X9WIDE": 1}
