# SPDX-License-Identifier: Apache-2.0
"""The script of a record runs as it stands, finds the same again, and tells what differs.

Every kind of run is made again once, from a record with one wrong figure: that figure is said to
differ, and nothing else is.
"""

from __future__ import annotations

import contextlib
import importlib
import json
import os
import pkgutil
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import compiled
import msgspec
import pytest
from msgspec.structs import replace

import lydite
from lydite import cli, cores, targets
from lydite.base import files
from lydite.cores import catalog
from lydite.hls.contract.options import Options
from lydite.runs import again, plan, rerun
from lydite.runs.execute import execute
from lydite.runs.job import Job
from lydite.runs.kinds import sizes, sponge
from lydite.runs.kinds.board import Bitstream, MapBoard
from lydite.runs.kinds.candidate import Cosimulate, Estimate, Kernel
from lydite.runs.kinds.frequency import Asked, FindFrequency
from lydite.runs.kinds.hardware import Verify
from lydite.runs.kinds.leakage import MeasureLeakage
from lydite.runs.kinds.messages import MeasureMessages
from lydite.runs.kinds.search_bench import MeasureSearch, MeasureSearchRate
from lydite.runs.kinds.sizes import MeasureSizes
from lydite.runs.kinds.testbed import MeasureTestbed
from lydite.runs.kinds.turns import CountTurns
from lydite.runs.plan import Settings
from lydite.runs.processors import measuring, software
from lydite.runs.record import Record
from lydite.runs.reruns import replay
from lydite.runs.store import Store
from lydite.sim import build, random_messages
from lydite.sim.testbed.measure import Setting
from lydite.targets import boards, links
from lydite.tools import compiler

CRC32 = Path(__file__).resolve().parents[2] / "examples" / "crc32"
SOFTWARE = """
[[software]]
name = "plain"
title = "a bit at a time"
role = "single"
primitives = ["crc32"]
sources = ["sw/crc32.c"]
flags = ["-O1"]
"""
CODE = """
#include "lydite_sw.h"
#include "inner.h"

const char *lydite_impl(void) { return "plain"; }
size_t lydite_lanes(void) { return 1; }
const char *lydite_cpu_flags(void) { return ""; }
int lydite_available(void) { return 1; }

void lydite_hash(const struct lydite_batch *batch) {
  const size_t in_bytes = batch->in_bytes[0];
  for (size_t m = 0; m < batch->count; ++m) {
    uint32_t crc = 0xffffffff;
    for (size_t i = 0; i < in_bytes; ++i) crc = step(crc ^ batch->in[0][m * in_bytes + i]);
    for (size_t i = 0; i < 4; ++i) batch->out[0][m * 4 + i] = (uint8_t)(~crc >> 8 * i);
  }
}
"""
HEADER = """
static uint32_t step(uint32_t crc) {
  for (int bit = 0; bit < 8; ++bit) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
}
"""


KERNEL = """
#include "step.h"
int step(int x) { return 3 * x + STEP; }
int main(void) { return step(4) != 17 || step(-1) != 2; }
"""


def kept(store: Store, job: Job) -> Record:
    """Run a job, whose needs are met, and keep it."""
    with store.work_folder() as work:
        outcome = job.run(work, store)
        found = files.settle(work)
        store.keep(job.key, work)
    record = Record(
        key=job.key,
        kind=job.kind,
        label=job.label,
        status="ok",
        inputs=rerun.plain(job.inputs()),
        result=rerun.plain(outcome.result),
        needs=tuple(needed.key for needed in job.needs if needed.recorded),
        commands=tuple(
            tuple(word.replace(sys.executable, "python") for word in argv)
            for argv in outcome.commands
        ),
        files=dict(found),
    )
    store.put(record)
    return record


@pytest.fixture(scope="module")
def measured(
    tmp_path_factory: pytest.TempPathFactory, request: pytest.FixtureRequest
) -> tuple[Path, dict[str, Record]]:
    """Give a store with a run of each quick kind, whose sources are gone, and records by kind."""
    base = tmp_path_factory.mktemp("replay")
    shutil.copytree(CRC32, base / "core", ignore=shutil.ignore_patterns("__pycache__"))
    core = base / "core" / "core.toml"
    core.write_text(core.read_text() + SOFTWARE)
    (base / "core" / "sw").mkdir()
    (base / "core" / "sw" / "crc32.c").write_text(CODE)
    (base / "core" / "sw" / "inner.h").write_text(HEADER)
    command = ["bench", str(core), "--target", "ice40-hx1k", "--seeds", "1"]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(software, "_compilers", lambda: (compiler.find("c"),))
        patch.setattr(sizes, "SAMPLE_S", 1e-5)
        if not request.config.getoption("--slow"):  # as each test has it, see `conftest`
            patch.setattr(random_messages, "_WORDS", 0)
            patch.setattr(measuring, "SAMPLES", 3)
            patch.setattr(measuring, "SAMPLE_NS", 1_000_000)
            patch.setitem(build.EFFORT, "quick", build.EFFORT["once"])
        assert cli.main([*command, "--store", str(base / "store")]) == 0
        with Store(base / "store") as store:
            for job in quick(core, base):
                kept(store, job)
    shutil.rmtree(base / "core")
    with Store(base / "store", make=False) as store:
        return base / "store", {record.kind: record for record in store.all()}


def quick(core: Path, base: Path) -> Iterator[Job]:
    """Give a job of each kind that takes no more than a second or two."""
    proof = Verify(cores.load(core).designs[0])
    yield MeasureMessages(proof, "hash", (1, 9))
    yield CountTurns(catalog.design("blake3", "hls-ring"), "hls/blake3_turns.c", (0, 65))
    yield MeasureLeakage(proof.design, "hash", ("message",), 5)
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    yield MeasureTestbed(proof, "hash", 40, setting)
    reference = next(one for one in catalog.software("des-search") if one.name == "ref")
    yield MeasureSearchRate(reference, 1, 500)
    [plain] = [one for one in catalog.software("blake3") if one.name == "plain"]
    yield MeasureSizes("blake3", "hash", (replace(plain, flags=("-O1",)),), (0, 65))
    test = sponge.SpeedTest(2, 65536, rounds=2)
    yield sponge.SpeedOnCpu(test, 1)
    yield sponge.SpeedSimulated(sponge.engines(1), test)
    source = base / "core" / "step.c"
    source.write_text(KERNEL)
    (base / "core" / "step.h").write_text("#define STEP 5\n")
    kernel = Kernel(Options(sources=(source,), top="step"))
    estimate = Estimate(kernel, 10.0, ())
    with Store(base / "aside") as store:
        hardware = kept(store, estimate).result["hardware"]
    yield estimate
    yield Cosimulate(estimate, hardware)


def sh(script: str, folder: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a script as a user's shell would, in an empty folder."""
    folder.mkdir(exist_ok=True)
    return subprocess.run(
        ["sh", "-c", script],
        cwd=folder,
        env={**os.environ, **env},
        capture_output=True,
        text=True,
    )


# Of each kind, a figure that somebody could wish other than it is; see `test_compilation` for C.
WISHES: dict[str, tuple[str | int, ...]] = {
    "verify": ("simulated_cycles",),
    "synthesis": ("area", "lut4"),
    "netlist": ("vectors",),
    "placement": ("utilization", "ICESTORM_LC", 0),
    "software": ("lanes",),
    "messages": ("messages", 1, "alone_cycles"),
    "turns": ("messages", 1, "turns"),
    "leakage": ("cycles", 3),
    "testbed": ("hardware_ns",),
    "search-rate": ("keys",),
    "sizes": ("sizes", 0, "digest"),
    "sponge-cpu": ("checksum",),
    "sponge-sim": ("cycles",),
    "estimate": ("area", "lut"),
    "cosimulation": ("cycles_max",),
}
SLOW_WISHES: dict[str, tuple[str | int, ...]] = {
    "routed": ("static_mhz", "max"),
    "frequency": ("simulated_mhz",),
    "board-netlist": ("simulated_cycles",),
    "bitstream": ("static_mhz",),
    "key-search": ("queued_ns",),
}


def with_a_wish(record: Record, place: Sequence[str | int]) -> Record:
    """Give a record with another value at a place of its result."""
    result = rerun.plain(record.result)
    inside: Any = result
    for name in place[:-1]:
        inside = inside[name]
    inside[place[-1]] = "a wish"
    return msgspec.structs.replace(record, result=result)


def made_again(script: str, store: Path, work: Path) -> again.Found:
    """Do in this process what a script has another one do."""
    asked = script.partition("<<'END'\n")[2].partition("\n")[0]
    with contextlib.chdir(work):
        return again.again(msgspec.json.decode(asked, type=again.Asked), store / "artefacts", work)


def differs_there_alone(
    store: Store, record: Record, place: Sequence[str | int], work: Path
) -> None:
    """Make a run with a wish again: it differs there, and nowhere else."""
    script = replay.script(with_a_wish(record, place), "x", store.get)
    found = made_again(script, store.folder, work)
    told = "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in place)
    assert [one.field for one in found.differences] == [told.removeprefix(".")]
    assert found.differences[0].before == "a wish"


# One that a tool makes, one of simulation, one of times; the others take as long again.
FAST = ("verify", "placement", "software", "estimate")


@pytest.mark.parametrize(
    "kind",
    [kind if kind in FAST else pytest.param(kind, marks=pytest.mark.slow) for kind in WISHES],
)
def test_a_wrong_figure_differs_and_all_else_is_equal(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path, kind: str
) -> None:
    folder, records = measured
    with Store(folder, make=False) as store:
        differs_there_alone(store, records[kind], WISHES[kind], tmp_path)


@pytest.mark.slow
def test_a_wrong_figure_of_what_is_slow_differs_and_all_else_is_equal(tmp_path: Path) -> None:
    [selection] = cores.select(str(CRC32 / "core.toml"))
    settings = Settings(target=targets.find("ice40-hx1k"), seeds=1, prove_netlist="routed")
    planned = plan.bench(compiled.selection(selection, settings), settings, software=False)
    [routed] = planned.hardware[0].implementation.routed
    board = boards.find("hx8k")
    mapped = MapBoard(routed.proof, board)
    setting = Setting(core_mhz=100, dma_mhz=100, link=links.find("axi-hp64"))
    with Store(tmp_path / "store") as store:
        search = MeasureSearch(Verify(catalog.design("des-search", "rtl")), 200, setting)
        found = {"key-search": kept(store, search)}
        jobs = (
            FindFrequency(routed, Asked(messages=8)),
            Bitstream(mapped, board.middle(None)),
        )
        done = execute(jobs, store, parallel=1)
        assert all(one.status == "ok" for one in done.values()), done
        found |= {record.kind: record for record in store.all()}
        for kind, place in SLOW_WISHES.items():
            (tmp_path / kind).mkdir()
            differs_there_alone(store, found[kind], place, tmp_path / kind)


def job_kinds() -> set[str]:
    """Give the kinds of all jobs whose result is kept, in any module of the package."""
    for module in pkgutil.walk_packages(lydite.__path__, "lydite."):
        # The catalogue's folders are data of cores, not modules that have jobs.
        if not module.name.startswith(("lydite.cores", "lydite.__main__")):
            importlib.import_module(module.name)
    found, waiting = set[str](), [Job]
    while waiting:
        one = waiting.pop()
        waiting += one.__subclasses__()
        if one.__module__.startswith("lydite.") and one is not Job and one.recorded:
            found.add(one.kind)
    return found


def test_every_kind_of_run_is_made_again_or_says_why_not() -> None:
    kinds = job_kinds()
    assert len(kinds) > 20
    assert kinds == {*again.KINDS, *again.WITHOUT}
    assert not set(again.KINDS) & set(again.WITHOUT)
    assert set(again.KINDS) == {*WISHES, *SLOW_WISHES, "compile"}
    for kind in again.KINDS.values():
        assert set(kind.uses) <= set(again.KINDS)


def test_run_is_made_again_by_a_shell(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = measured
    key = records["messages"].key
    assert cli.main(["show", key[:12], "--replay", "--store", str(folder)]) == 0
    script = capsys.readouterr().out
    run = sh(script, tmp_path / "here")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout == "equal: messages of 2 sizes, outputs compared\n"
    assert list((tmp_path / "here").iterdir()) == []


def test_folder_of_a_replay_stands_by_itself(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path
) -> None:
    folder, records = measured
    away = tmp_path / "a folder"
    key = records["synthesis"].key
    assert cli.main(["show", key, "--replay", str(away), "--store", str(folder)]) == 0
    moved = away.rename(tmp_path / "another folder")
    run = subprocess.run([moved / "replay.sh"], capture_output=True, text=True, cwd="/")
    assert run.stdout == "equal: netlist.json, stat.json\n", run.stderr
    # Another source gives another netlist.
    [source] = moved.rglob("crc32.v")
    source.write_text(source.read_text().replace("edb88320", "edb88321"))
    run = subprocess.run([moved / "replay.sh"], capture_output=True, text=True, cwd="/")
    assert run.returncode == 5
    assert run.stdout.startswith("differs: netlist.json\n  expected ")


def test_bundle_is_made_again_field_by_field(
    measured: tuple[Path, dict[str, Record]], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = measured
    theirs = tmp_path / "theirs"
    shutil.copytree(folder, theirs)
    placed = records["placement"]
    # Somebody publishes another clock than the one that was found.
    wished = msgspec.structs.replace(placed, result={**placed.result, "fmax_mhz": 999.5})
    with Store(theirs) as store:
        store.retire(placed, "a wish")
        store.put(wished)
    path = str(tmp_path / "a.zip")
    keys = [placed.key, records["software"].key]
    assert cli.main(["bundle", *keys, "-o", path, "--store", str(theirs)]) == 0
    only = [f"--only={key}" for key in (*keys, records["synthesis"].key)]
    capsys.readouterr()
    assert cli.main(["replicate", path, "--yes", *only, "--json"]) == 5
    rows = {row["kind"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    found = placed.result["fmax_mhz"]
    differs = [{"field": "fmax_mhz", "before": 999.5, "now": found}]
    assert rows["placement"]["differences"] == differs
    assert rows["synthesis"]["verdict"] == "equal"
    # Times are of a machine: they are told, and held against nobody.
    assert rows["software"]["verdict"] == "measured here"
    assert "its answers; a call of 16384 bytes took" in rows["software"]["told"]


def test_proof_that_failed_fails_again(
    crc32: Path, store_folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = crc32 / "crc32.v"
    path.write_text(path.read_text().replace("edb88320", "edb88321"))
    assert cli.main(["bench", str(crc32), "--no-software", "--seeds", "1"]) == 5
    with Store(store_folder) as store:
        [record] = store.all()
    capsys.readouterr()
    assert cli.main(["show", record.key, "--replay"]) == 0
    script = capsys.readouterr().out
    run = sh(script, tmp_path / "here")
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("equal: it fails as it did:\ncrc32, known answers, stalls none")
    # With the right polynomial it no longer does.
    kept = store_folder / "artefacts" / record.key[:2] / record.key / "crc32.v"
    kept.write_text(CRC32.joinpath("crc32.v").read_text())
    (tmp_path / "there").mkdir()
    [difference] = made_again(script, store_folder, tmp_path / "there").differences
    assert (difference.field, difference.before, difference.now) == ("the run", record.error, "ok")


def test_command_of_a_record_can_be_given_to_a_shell(
    measured: tuple[Path, dict[str, Record]], capsys: pytest.CaptureFixture[str]
) -> None:
    folder, records = measured
    assert cli.main(["show", records["placement"].key, "--store", str(folder)]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "python -c 'import sys, ctypes; " in shown
    assert f"replay lydite show {records['placement'].key[:12]} --replay | sh" in shown
