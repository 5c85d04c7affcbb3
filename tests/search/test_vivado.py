# SPDX-License-Identifier: Apache-2.0
"""A search that is steered by frequency, with a program in Vivado's place (`fake_vivado`)."""

from __future__ import annotations

import json
import shlex
import sys
import time
from collections.abc import Callable
from pathlib import Path

import fake_vivado
import pytest

from lydite import cores, targets
from lydite.base.errors import Told
from lydite.cli import main
from lydite.runs.execute import execute
from lydite.runs.kinds import vivado as job
from lydite.runs.plan import Settings
from lydite.runs.store import Store
from lydite.search import driver, strategies
from lydite.search.backend import Subject
from lydite.search.steered import Steered
from lydite.search.strategy import Parameters, Point, Result, Strategy
from lydite.targets import arms
from lydite.tools.vivado import Timing

Capture = pytest.CaptureFixture[str]
Setup = Callable[..., None]
CRC32 = Path(__file__).parents[2] / "examples" / "crc32"
TARGET = targets.find("xc7-a200t")
ARMS = arms.arms(TARGET.family)[:8]
# The highest clocks of eight strategies: the worked example of the thesis, as in test_strategies.
WORKED = (250.0, 190.0, 262.0, 269.9, 240.0, 254.0, 0.0, 257.0)
ERRORS = {
    "fail": "ERROR: [Synth 8-439] module 'crc32' not found",
    "licence": "ERROR: [Common 17-345] A valid license was not found for feature 'Synthesis'",
    "part": "ERROR: [Coretcl 2-106] Specified part could not be found.",
}


@pytest.fixture
def setup(fake: Callable[[str, str], Path], tmp_path: Path) -> Setup:
    """Give a function that puts such a program on PATH."""

    def _setup(mode: str = "", version: str = "2023.2") -> None:
        limits = {"; ".join(arm.place): clock for arm, clock in zip(ARMS, WORKED, strict=True)}
        told = {"mode": mode, "version": version, "limits": limits, "errors": ERRORS}
        settings = tmp_path / "settings.json"
        settings.write_text(json.dumps(told))
        argv = [sys.executable, fake_vivado.__file__, str(settings)]
        fake("vivado", f'exec {shlex.join(argv)} "$@"')

    _setup()
    return _setup


def space(*chosen: arms.Arm) -> Steered:
    [selection] = cores.select(str(CRC32))
    settings = Settings(target=TARGET, clock=False)
    return Steered((Subject.of(selection.designs[0]),), settings, chosen or ARMS)


def minerva(count: int = 8) -> Strategy:
    parameters = Parameters(f0_mhz=50, fn_mhz=200, n=count, r=count, p=count)
    return strategies.make("minerva", ARMS[:count], parameters=parameters)


def by_table(strategy: Strategy) -> list[Point]:
    """Give the points that a strategy asks, one by one, where the clocks are as in WORKED."""
    clocks = {arm.name: clock or None for arm, clock in zip(ARMS, WORKED, strict=True)}
    while strategy.ask(1 - len(strategy.pending)) or strategy.pending:
        point = strategy.pending[0]
        strategy.tell(Result(point, clocks[point.arm], 1.0))
    return [one.point for one in strategy.results]


@pytest.mark.usefixtures("setup")
@pytest.mark.parametrize(
    ("count", "best", "mhz"), [(3, 2, 262), pytest.param(8, 3, 269, marks=pytest.mark.slow)]
)
def test_minerva_decides_on_reports_as_on_a_table(
    store: Store, count: int, best: int, mhz: int
) -> None:
    where = space(*ARMS[:count])
    found = driver.search(where, minerva(count), store, parallel=1)
    assert [one.point for one in found.strategy.results] == by_table(minerva(count))
    assert found.strategy.summary() == f"{mhz} MHz asked for and met, by {ARMS[best].name}"
    failed = {one.point.arm for one in found.strategy.results if one.fmax_mhz is None}
    assert failed == ({ARMS[6].name} if count == 8 else set())
    assert found.areas(where)[ARMS[best].name] == {
        **{"lut6": mhz, "ff": 1604, "bram": 5, "dsp": 4},
        "slices": 301,
    }
    # All of it is in the log, which goes on without a run.
    started = len(store.all())
    again = driver.search(where, minerva(count), store, parallel=1)
    assert again.strategy.results == found.strategy.results
    assert len(store.all()) == started


def one_run(store: Store, freq_mhz: float, timeout_s: float | None = None) -> driver.Record:
    wanted = space().placement(ARMS[0], 0, freq_mhz=freq_mhz, timeout_s=timeout_s)
    return execute([wanted], store, parallel=1)[wanted.key]


@pytest.mark.usefixtures("setup")
def test_a_run_keeps_what_was_asked_and_what_came_out(store: Store) -> None:
    record = one_run(store, 300)
    assert record.status == "ok", record.error
    result = record.result
    assert (result["asked_mhz"], result["period_ns"], result["wns_ns"]) == (300, 3.333, -0.667)
    assert (result["fmax_mhz"], result["bram_tiles"]) == (250.0, 2.5)
    assert record.inputs["tools"] == [{"name": "vivado", "version": "2023.2", "origin": "native"}]
    assert record.inputs["part"] == "xc7a200tfbg484-1"
    assert {"run.tcl", "clock.xdc", "timing.rpt", "utilization.rpt"} <= set(record.files)
    assert one_run(store, 200).result["fmax_mhz"] == 250.0


def test_another_version_is_another_key(setup: Setup) -> None:
    keys = set()
    for version in ("2023.2", "2024.1"):
        setup(version=version)
        keys.add(space().placement(ARMS[0], 0, freq_mhz=100).key)
    assert len(keys) == 2
    assert space().placement(ARMS[0], 5, freq_mhz=100).key in keys  # a seed has no part


@pytest.mark.parametrize(
    ("mode", "said"),
    [
        ("fail", "vivado failed with exit status 1\n  " + ERRORS["fail"]),
        ("silent", "without an error, but not with a result\n  it wrote no timing.rpt"),
        ("hold", "hold is missed by 0.31 ns: what it made works at no clock"),
        ("hang", "ran past its time limit and was stopped"),
    ],
)
def test_what_fails_is_told(setup: Setup, store: Store, mode: str, said: str) -> None:
    setup(mode)
    began = time.monotonic()
    record = one_run(store, 100, timeout_s=3.0 if mode == "hang" else None)
    assert record.status == "failed"
    assert said in record.error
    assert time.monotonic() - began < 300


@pytest.mark.parametrize("mode", ["licence", "part"])
def test_a_search_ends_where_the_installation_lacks_something(
    setup: Setup, store: Store, mode: str
) -> None:
    setup(mode)
    parameters = Parameters(f0_mhz=200, fn_mhz=300, step_mhz=40)

    def binary() -> Strategy:
        return strategies.make("binary", ARMS[:1], parameters=parameters)

    with pytest.raises(Told) as caught:
        driver.search(space(*ARMS[:1]), binary(), store, parallel=1)
    assert caught.value.exit_code == 3
    assert str(caught.value) == (
        "vivado 2023.2: this installation cannot implement for xc7a200tfbg484-1\n"
        f"  {ERRORS[mode]}\n  get it the licence or the part, or name another --target"
    )
    # Nothing of it counts once it is there: the same search goes on.
    setup()
    found = driver.search(space(*ARMS[:1]), binary(), store, parallel=1)
    assert [one.point for one in found.strategy.results] == by_table(binary())


def test_a_pulse_that_is_too_short_limits_the_clock() -> None:
    def fmax(wns_ns: float, wpws_ns: float | None) -> float:
        timing = Timing(wns_ns=wns_ns, tns_ns=0, whs_ns=0, wpws_ns=wpws_ns, endpoints=1)
        return job.fmax_mhz(2000, timing)

    assert fmax(0.4, 0.1) == fmax(0.4, None) == 625
    assert fmax(0.4, -0.25) == 400
    assert fmax(-3.0, -0.25) == 200


QUICK = ("search", str(CRC32), "--target", "xc7-a200t", "--jobs", "1", "--arm", "default")


@pytest.mark.usefixtures("setup", "store")
def test_tables_of_the_command(capsys: Capture, tmp_path: Path) -> None:
    page = tmp_path / "page.html"
    argv = [*QUICK, "--strategy", "binary", "--f0", "200", "--fn", "300", "--step", "20"]
    assert main([*argv, "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert "Search: crc32/rtl on xc7-a200t, binary" in shown
    assert "LUT6" in shown
    assert "LUT4" not in shown
    assert " 250 " in shown
    said = " ".join(shown.split())
    assert "nobody of this project has run Vivado" in said
    assert "tools: vivado 2023.2 (native)" in said
    assert "Slack over the frequency asked for" in page.read_text()
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["search"]
    assert found["best_mhz"] == 250
    assert {row["slices"] for row in found["arms"]} == {301}


@pytest.mark.usefixtures("setup")
@pytest.mark.parametrize(
    ("more", "said"),
    [
        (
            (),
            "--strategy: racing asks for no frequency, and Vivado's results follow from it alone\n"
            "  minerva, binary and sweep do",
        ),
        *(
            (
                ("--strategy", "minerva", option),
                f"{option.partition('=')[0]}: has no meaning for Vivado\n"
                "  leave it out: an arm says how Vivado implements, a strategy for which frequency",
            )
            for option in ("--map-ns=3", "--place-option=--placer=sa", "--freq-mhz=150")
        ),
        (
            ("--strategy", "minerva", "--synth-option=-dff; exec rm"),
            "--synth-option: not an option of synth_design: '-dff; exec rm'\n"
            '  as "-flag" or "-flag value"',
        ),
    ],
)
def test_what_has_no_meaning_is_refused(capsys: Capture, more: tuple[str, ...], said: str) -> None:
    assert main([*QUICK, *more]) == 2
    assert said in capsys.readouterr().err
