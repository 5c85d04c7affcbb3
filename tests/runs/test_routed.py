# SPDX-License-Identifier: Apache-2.0
"""Routed netlists of the example: proven in both ways, faults seen, simulated to their limit."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import compiled
import pytest

from lydite import cores, targets
from lydite.report import frequency as report
from lydite.report import text
from lydite.runs import plan
from lydite.runs.execute import execute
from lydite.runs.kinds import frequency, routed
from lydite.runs.kinds.frequency import Asked
from lydite.runs.kinds.routed import ProveRouted
from lydite.runs.plan import Implementation, Settings
from lydite.runs.record import Record
from lydite.runs.store import Store
from lydite.sim.routed import static, stimulus
from lydite.sim.routed.timed import Chip
from lydite.tools import sdf
from lydite.tools.routed import ROUTED_FILE

ROOT = Path(__file__).resolve().parent.parent.parent
CRC32 = ROOT / "examples" / "crc32" / "core.toml"
TARGETS = ("ecp5-12k", "ice40-hx1k")
Edit = Callable[[Path], None]


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Store]:
    with Store(tmp_path_factory.mktemp("routed") / "store") as opened:
        yield opened


def implemented(what: str, target: str) -> Implementation:
    [selection] = cores.select(what)
    settings = Settings(target=targets.find(target), seeds=1, prove_netlist="routed")
    planned = plan.bench(compiled.selection(selection, settings), settings, software=False)
    return planned.hardware[0].implementation


def proven(store: Store, job: ProveRouted) -> Record:
    record = execute([job], store, parallel=2)[job.key]
    assert record.status == "ok", record.error
    return record


@pytest.mark.parametrize("target", TARGETS)
def test_routed_netlist_of_the_example_is_proven_in_both_ways(store: Store, target: str) -> None:
    implementation = implemented(str(CRC32), target)
    [job] = implementation.routed
    assert job.needs[-1] is implementation.placements[0]
    result = proven(store, job).result
    assert result["vectors"] == 4
    assert result["resets"] > 10
    reported = json.loads(store.read(job.placement.key, "report.json"))
    [clock] = reported["fmax"].values()
    assert abs(result["static_mhz"]["max"] - clock["achieved"]) < 0.01
    static_mhz = result["static_mhz"]
    assert static_mhz["min"] >= static_mhz["typ"] >= static_mhz["max"]


def tables(folder: Path) -> None:
    """Turn the table of the first output round."""
    netlist = json.loads((folder / ROUTED_FILE).read_text())
    cell = next(
        cell
        for name, cell in sorted(netlist["modules"]["top"]["cells"].items())
        if name.startswith("u_core.s_axis_tready") and "INITVAL" in cell["parameters"]
    )
    bits = cell["parameters"]["INITVAL"]
    cell["parameters"]["INITVAL"] = "".join("10"[int(bit)] for bit in bits)
    (folder / ROUTED_FILE).write_text(json.dumps(netlist))


def enables(folder: Path) -> None:
    path = folder / ROUTED_FILE
    path.write_text(path.read_text().replace('"CEMUX": "CE"', '"CEMUX": "1 "', 1))


def delays(folder: Path) -> None:
    path = folder / sdf.DELAYS_FILE
    path.write_text(re.sub(r":(236)\)", ":240)", path.read_text()))


@pytest.mark.parametrize(
    ("fault", "told"),
    [
        (tables, "the mapped netlist passed, the routed one does not: "),
        (enables, "the mapped netlist passed, the routed one does not: "),
        (delays, "does not: the routed netlist and its delays"),
    ],
)
def test_fault_of_the_routed_netlist_is_told_as_one(
    store: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fault: Edit, told: str
) -> None:
    [job] = implemented(str(CRC32), "ecp5-12k").routed
    proven(store, job)
    real = routed.gather

    def faulty(placement: Any, work: Path, opened: Store) -> None:
        real(placement, work, opened)
        fault(work)

    monkeypatch.setattr(routed, "gather", faulty)
    again = replace(job, every=True)  # another key
    record = execute([again], store, parallel=1)[again.key]
    assert (record.status, record.exit_code) == ("failed", 5)
    assert told in record.error


def breaks_there(result: Mapping[str, Any]) -> None:
    """A clock was run at, and 0.1 MHz around it: all right up to it, wrong above."""
    tried = dict(map(tuple, result["tried"]))
    best = result["simulated_mhz"]
    assert tried[best] == tried[round(best - 0.1, 1)] == 0
    assert tried[round(best + 0.1, 1)] == result["wrong_above"] > 0
    assert all(not wrong for mhz, wrong in tried.items() if mhz < best)
    # The figure and the clock below it were run; of others below the last change may tell enough.
    assert tried[best] == tried[round(best - 0.1, 1)] == 0
    assert result["settled_ps"] <= 1e6 / result["tried"][0][0]
    # On a grid of 0.1 MHz no clock is found below the static limit that fails.
    assert best >= result["static_mhz"] - 0.1


@pytest.mark.parametrize("target", TARGETS)
def test_frequency_of_the_example_is_where_failures_begin(store: Store, target: str) -> None:
    implementation = implemented(str(CRC32), target)
    asked = [Asked(messages=64), Asked(messages=64, chip=1)]
    jobs = frequency.plan(implementation, asked)
    records = execute(jobs, store, parallel=1)
    for job in jobs:
        record = records[job.key]
        assert record.status == "ok", record.error
        result = record.result
        breaks_there(result)
        sizes = [count for count, _ in result["growth"]]
        clocks = [mhz for _, mhz in result["growth"]]
        assert sizes[-1] == 64
        assert clocks == sorted(clocks, reverse=True)
        assert result["first_path"]["delay_ps"] > 1e6 / (result["simulated_mhz"] + 0.1) - 1
    shown = text.tables((report.table(report.found(jobs, records)),), ())
    assert shown
    notes = " ".join(report.table(report.found(jobs, records)).notes)
    assert "simulated, not measured" in notes
    assert "invented sigmas" in notes


def test_whole_stimulus_comes_right_far_below_the_limit(store: Store, tmp_path: Path) -> None:
    [job] = implemented(str(CRC32), "ecp5-12k").routed
    proven(store, job)
    routed.gather(job.placement, tmp_path, store)
    core = routed.read(tmp_path, job.proof.design, "ecp5")
    made = core.timed()
    limit = static.paths(made, static.analyse(made))[0].delay_ps
    for kind in stimulus.KINDS:
        messages = stimulus.jobs(job.proof.design, kind, 20, 1)
        given = stimulus.record(job.proof.design, core.ports, messages, 5, kind)
        assert (len(given.runs), given.messages) == (5, 20)
        with Chip(made, core.boundary, given) as chip:
            found = chip.run(2 * limit)
            # What changes last is never later than static analysis says.
            late = max(
                found.seen[way.nodes[-1]] for way in static.paths(made, static.analyse(made))
            )
        assert found.wrong == ()
        assert late <= limit


@pytest.mark.slow
@pytest.mark.parametrize(
    ("what", "target"),
    [
        ("aes-128/rtl-forward", "ecp5-25k"),  # block RAM, wide multiplexers
        ("aes-128/rtl-forward", "ice40-hx8k"),
        ("adler-32/rtl", "ecp5-12k"),  # carry chains, RAM in logic
        ("adler-32/rtl", "ice40-hx8k"),  # block RAM that is written
        ("ascon-hash256/rtl", "ecp5-25k"),
        ("ascon-hash256/rtl", "ice40-hx8k"),
        ("sha3-256/rtl-fold16", "ecp5-25k"),  # a state in RAM in logic
        ("crc-32/rtl", "ecp5-12k"),  # exclusive ors of 64 bits
        ("crc-32/rtl", "ice40-hx8k"),
        ("des/rtl", "ecp5-12k"),  # tables of six inputs
        ("des/rtl", "ice40-hx8k"),
    ],
)
def test_core_of_the_catalogue_is_proven_and_breaks_where_it_is_said(
    store: Store, what: str, target: str
) -> None:
    [job] = frequency.plan(implemented(what, target), [Asked(messages=64)])
    record = execute([job], store, parallel=1)[job.key]
    assert record.status == "ok", record.error
    breaks_there(record.result)
    # Of both figures the first is nextpnr's own.
    [clock] = json.loads(store.read(job.proof.placement.key, "report.json"))["fmax"].values()
    assert abs(record.result["static_mhz"] - clock["achieved"]) < 0.01
