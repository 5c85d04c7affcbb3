# SPDX-License-Identifier: Apache-2.0
"""`lydite search`: tables, JSON, CSV, pages, replays; bad input in one line, and Ctrl-C."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from lydite.cli import main
from lydite.runs.store import Store
from lydite.search.compare import median_within
from lydite.search.grid import Cell, write
from lydite.search.replay import Step

Capture = pytest.CaptureFixture[str]
CRC32 = Path(__file__).parents[2] / "examples" / "crc32"
QUICK = ("search", str(CRC32), "--target", "ice40-hx1k", "--jobs", "1")


def test_tables_page_and_replay(store: Store, tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    argv = [*QUICK, "--arm", "default", "--arm", "enables-local", "--probe"]
    assert main([*argv, "--html", str(page)]) == 0
    shown = capsys.readouterr()
    assert "Search: crc32/rtl on ice40-hx1k, probe" in shown.out
    assert re.search(r"^ enables-local +1 .* the same as default$", shown.out, re.MULTILINE)
    assert re.search(r"best: [\d.]+ MHz by default, seed 0, the best of 2 placements", shown.out)
    assert "result   " in shown.err
    assert "Best clock so far" in page.read_text()
    # All of it is in the log: the same again, without a run.
    assert main([*argv, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["search"]
    assert [row["same_as"] for row in found["arms"]] == ["", "default"]
    assert (found["n"], found["failed"]) == (2, 0)
    assert found["best_mhz"] == max(row["fmax_mhz"] for row in found["runs"])
    assert main([*argv, "--csv=runs"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["arm"] for row in rows] == ["default", "enables-local"]
    [log] = (store.folder / "searches").iterdir()
    assert main(["search", "--replay", str(log), "--json"]) == 0
    shown = capsys.readouterr()
    assert shown.err == "2 points asked again, all as in the log\n"
    again = json.loads(shown.out)["search"]
    assert again["runs"] == found["runs"]


def test_throughput_over_area_shows_the_front_beside_it(
    store: Store, tmp_path: Path, capsys: Capture
) -> None:
    page = tmp_path / "page.html"
    argv = [*QUICK, "--arm", "default", "--arm", "no-enables", "--probe"]
    assert main([*argv, "--objective", "throughput-area", "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"MB/s +MB/s *$", shown, re.MULTILINE)
    assert re.search(r"best +ESC +an ESC +front +LUT4", shown)
    assert "Rate over area" in page.read_text()
    assert main([*argv, "--objective", "pareto", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["search"]
    rows = {row["arm"]: row for row in found["arms"]}
    assert rows["default"]["esc"] < rows["no-enables"]["esc"]
    assert rows["default"]["is_on_front"]
    faster = rows["no-enables"]["best_mhz"] > rows["default"]["best_mhz"]
    assert rows["no-enables"]["is_on_front"] == faster
    # It takes a byte a cycle.
    assert found["unit"] == "MB/s"
    assert all(row["rate"] == row["best_mhz"] for row in rows.values())
    [log] = [path for path in (store.folder / "searches").iterdir() if "pareto" in path.read_text()]
    assert main(["search", "--replay", str(log)]) == 0
    assert "front, of 2 placements" in capsys.readouterr().out


def test_designs_are_searched_together(crc32: Path, capsys: Capture) -> None:
    """Beside the core stands one that takes a byte every second cycle."""
    source = (crc32 / "crc32.v").read_text()
    rests = "reg rest_q; always @(posedge clk) rest_q <= !rst && take;"
    source = source.replace("= !giving_q;", f"= !giving_q && !rest_q; {rests}")
    (crc32 / "slow.v").write_text(source)
    core = (crc32 / "core.toml").read_text()
    _, design = core.split("[[design]]")
    design = design.replace('"rtl"', '"rtl-slow"').replace("crc32.v", "slow.v")
    design = design.replace('"1"', '"2"')
    (crc32 / "core.toml").write_text(f"{core}\n[[design]]{design}")
    argv = ["search", str(crc32 / "rtl*"), *QUICK[2:], "--arm", "default", "--strategy", "probe"]
    assert main([*argv, "--objective", "throughput-area", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["search"]
    assert found["design"] == "crc32/rtl, rtl-slow"
    first, second = found["arms"]
    assert (first["arm"], second["arm"]) == ("rtl:default", "rtl-slow:default")
    assert first["rate"] == first["best_mhz"]
    assert second["rate"] == pytest.approx(second["best_mhz"] / 2, rel=0.02)
    assert first["merit"] == pytest.approx(first["rate"] / first["esc"])
    assert main([*argv, "--objective", "throughput"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"best: [\d.]+ MB/s at [\d.]+ MHz by rtl:default, seed 0", shown)


def test_a_design_whose_proof_fails_is_left_out(
    crc32: Path, replace: Callable[..., None], capsys: Capture
) -> None:
    core = (crc32 / "core.toml").read_text()
    _, design = core.split("[[design]]")
    design = design.replace('"rtl"', '"rtl-wrong"').replace("1 + 4", "1 + 5")
    (crc32 / "core.toml").write_text(f"{core}\n[[design]]{design}")
    argv = ["search", str(crc32 / "rtl*"), *QUICK[2:], "--arm", "default"]
    assert main([*argv, "--objective", "area"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ rtl:default +1 +0 ", shown, re.MULTILINE)
    assert re.search(r"^ rtl-wrong:default +0 +1 ", shown, re.MULTILINE)


def test_verilog_without_a_core_is_searched(store: Store, capsys: Capture) -> None:
    argv = ["search", str(CRC32 / "crc32.v"), *QUICK[2:], "--arm", "default", "--probe"]
    assert main([*argv, "--json"]) == 0
    shown = capsys.readouterr()
    assert "module   crc32, which no other has in it\nclock    clk, which clocks" in shown.err
    found = json.loads(shown.out)["search"]
    assert (found["design"], found["n"], found["proof_key"]) == ("crc32", 1, "")
    assert main([*argv, "--top", "crc32", "--clock", "clk"]) == 0
    shown = capsys.readouterr()
    assert "not proven: no known answers were given" in shown.out
    assert shown.err == ""
    [log] = (store.folder / "searches").iterdir()
    assert main(["search", "--replay", str(log)]) == 0
    assert "not proven" in capsys.readouterr().out


def test_the_smallest_arm_is_told(store: Store, capsys: Capture) -> None:
    argv = [*QUICK, "--arm", "no-enables", "--arm", "default", "--objective", "area"]
    assert main(argv) == 0
    shown = capsys.readouterr()
    assert re.search(r"best: [\d.]+ ESC by default", shown.out)
    assert re.search(r"^ default .*\n no-enables ", shown.out, re.MULTILINE)
    assert "MHz" not in shown.out
    assert "placement" not in shown.err


def test_a_sweep_shows_slack_over_frequency(store: Store, tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    argv = [*QUICK, "--strategy", "sweep", "--f0", "100", "--fn", "400", "--step", "300"]
    assert main([*argv, "--html", str(page)]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ +1 +default +1000 +100\.0 +\d\.\d{3} ", shown, re.MULTILINE)
    assert re.search(r"^ +2 +default +4000 +400\.0 +-\d\.\d{3} ", shown, re.MULTILINE)
    assert "Slack over the frequency asked for" in page.read_text()


def grid(folder: Path) -> Path:
    """Write a grid in which the second arm is 10 % faster, at a third of the cost."""
    path = folder / "grid.csv"
    cells = [
        Cell("toy/rtl", "ice40-hx1k", arm, seed, base + seed, cost, 0.5, None, arm, f"{arm}{seed}")
        for arm, base, cost in (("default", 100.0, 3.0), ("static", 110.0, 1.0), ("anneal", 95, 3))
        for seed in range(8)
    ]
    path.write_text(write(cells))
    return path


def test_strategies_are_compared_on_a_grid(tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    argv = ["search", "--compare", "racing,seeds", "--grid", str(grid(tmp_path))]
    argv += ["--budget", "30s", "--replays", "9"]
    assert main([*argv, "--json", "--html", str(page)]) == 0
    racing, seeds = json.loads(capsys.readouterr().out)["compared"]
    assert seeds["best_mhz"] <= 107 < racing["best_mhz"]
    assert seeds["reach_cpu_s"] is None
    assert 0 < racing["reach_cpu_s"] <= 30
    assert racing["gain"] == pytest.approx(racing["best_mhz"] / 103.5 - 1)
    assert "Median over replays" in page.read_text()
    assert main(argv) == 0
    first = capsys.readouterr().out
    assert main(argv) == 0
    assert capsys.readouterr().out == first
    assert "medians of 9 replays on recorded placements" in first


def test_what_has_not_placed_anything_in_time_has_no_clock(tmp_path: Path, capsys: Capture) -> None:
    page = tmp_path / "page.html"
    # The first placement takes 3.5 s with its synthesis, one of the second arm 1.5 s.
    argv = ["search", "--compare", "seeds,probe", "--grid", str(grid(tmp_path)), "--budget"]
    for budget in ("3.4s", "1s"):
        assert main([*argv, budget, "--replays", "4", "--json", "--html", str(page)]) == 0
        for row in json.loads(capsys.readouterr().out)["compared"]:
            told = (row["best_mhz"], row["gain"], row["reach_cpu_s"], row["curve"])
            assert told == (None, None, None, []), row
    assert main([*argv, "3.6s", "--replays", "4"]) == 0
    shown = capsys.readouterr().out
    assert "-100" not in shown and re.search(r"seeds +3\.60 +2 +10\d", shown)
    assert main([*argv, "1s", "--replays", "4"]) == 0
    shown = capsys.readouterr().out
    assert re.search(r"^ toy/rtl +ice40-hx1k +seeds +1\.00 +\d +- +- +- *$", shown, re.MULTILINE)


def test_half_of_the_replays_must_have_placed_something() -> None:
    steps = [(Step(1.0, 1, 0.0), Step(2.0, 2, clock)) for clock in (0.0, 100.0, 110.0)]
    assert median_within(steps, 2.0) == 100.0
    assert median_within(steps, 1.0) is None
    # The half of one that has placed nothing and one that has is no clock.
    assert median_within(steps[:2], 2.0) is None


@pytest.mark.parametrize(
    ("argv", "message"),
    [
        (["search"], "search: name a core, or --replay LOG, or --compare A,B"),
        ([*QUICK, "--replay", "x"], "search: name a core, or --replay LOG, or --compare A,B"),
        ([*QUICK, "--strategy", "minver"], "--strategy: no such strategy: 'minver'"),
        (["search", "a", "b"], "CORE: one core, not 2"),
        (["search", "none.v"], "none.v: "),
        (["search", "crc-32/none*"], "DESIGN: none is like 'crc-32/none*'"),
        (["search", "dilithium2/hls*"], "DESIGN: designs of keygen, sign, verify, which have no"),
        ([*QUICK, "--top", "crc32"], "--top: is for Verilog without a core.toml"),
        ([*QUICK, "-D", "X=1"], "-D: is for Verilog without a core.toml"),
        ([*QUICK, "--objective", "speed"], "--objective: no such objective: 'speed'"),
        (
            [*QUICK, "--objective", "area", "--strategy", "racing"],
            "--strategy: racing places, and area is known before",
        ),
        (
            [*QUICK, "--objective", "pareto", "--strategy", "minerva"],
            "--objective: minerva asks for frequencies, and cannot go after pareto",
        ),
        ([*QUICK, "--arm", "statik"], "--arm: no such arm: 'statik'"),
        ([*QUICK, "--arms", "none.toml"], "none.toml: cannot read a file of arms"),
        ([*QUICK, "--budget", "0runs"], "--budget: must be above 0, not 0runs"),
        ([*QUICK, "--budget", "40"], "--budget: not a budget: '40'\n  as 200runs, 30min, "),
        ([*QUICK, "--jobs", "0"], "--jobs: must be at least 1, not 0"),
        ([*QUICK, "--f0", "200"], "--fn: the range from 200 to 200 MHz is empty"),
        ([*QUICK, "--fn", "20"], "--fn: the range from 50 to 20 MHz is inverted"),
        ([*QUICK, "--p", "0"], "--p: must be at least 1, not 0"),
        ([*QUICK, "--p", "99"], "--p: there are 31 arms, not 99"),
        ([*QUICK, "--r", "0"], "--r: must be at least 1, not 0"),
        (["search", "sha3-256/none"], "DESIGN: no such design: 'sha3-256/none'"),
        (["search", "--replay", "none.jsonl"], "none.jsonl: cannot read the log of a search"),
        (
            ["search", "--replay", "none.jsonl", "--objective", "area"],
            "--objective: goes with a core: a log has its own",
        ),
        (["search", "--compare", "seeds"], "--grid: missing"),
        (
            ["search", "--compare", "seeds", "--grid", "x", "--budget", "1s,2runs"],
            "--budget: --compare needs one of time",
        ),
        (
            ["search", "--compare", "seedz", "--grid", "x", "--budget", "1s"],
            "--compare: no such strategy: 'seedz'",
        ),
    ],
)
def test_bad_input_is_one_error(argv: list[str], message: str, capsys: Capture) -> None:
    assert main(argv) == 2
    assert capsys.readouterr().err.startswith(f"lydite: {message}")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("design,", "name,"), "PATH:1: not the columns of a grid"),
        (("toy/rtl,ice40-hx1k,anneal,0,95", "toy/rtl,ice40-hx1k,anneal,0,fast"), "PATH:2: not a "),
        (("ice40-hx1k", "ice41"), "PATH: no such target: 'ice41'"),
        (("default", "other"), "toy/rtl on ice40-hx1k: the grid has no placement of the arm"),
    ],
)
def test_a_wrong_grid_is_refused(
    tmp_path: Path, change: tuple[str, str], message: str, capsys: Capture
) -> None:
    path = grid(tmp_path)
    path.write_text(path.read_text().replace(*change))
    argv = ["search", "--compare", "seeds", "--grid", str(path), "--budget", "1s"]
    assert main(argv) == 2
    error = capsys.readouterr().err.replace(str(path), "PATH")
    assert error.startswith(f"lydite: {message}")


def test_a_design_that_is_not_proven_is_not_searched(
    crc32: Path, replace: Callable[..., None], capsys: Capture, store_folder: Path
) -> None:
    replace(crc32 / "core.toml", '"1 + 4"', '"1 + 5"')
    assert main(["search", str(crc32), "--target", "ice40-hx1k", "--budget", "1runs"]) == 5
    assert "verify crc32/rtl" in capsys.readouterr().out
    with Store(store_folder) as found:
        assert [record.kind for record in found.all()] == ["verify"]


def test_ctrl_c_keeps_what_was_told(store: Store) -> None:
    command = [sys.executable, "-m", "lydite", *QUICK, "--strategy", "seeds", "--budget", "3runs"]
    command += ["--arm", "default"]
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )
    assert process.stderr is not None
    lines = iter(process.stderr)
    for line in lines:
        if line.startswith("start    placement"):
            break
    os.kill(process.pid, signal.SIGINT)
    output, _ = process.communicate()
    assert (process.returncode, output) == (130, "")
    assert list((store.folder / "work").iterdir()) == []
    again = subprocess.run(command, capture_output=True, text=True, check=True)
    assert "the best of 3 placements" in again.stdout
    # The first was there; it is in the log, and is not told again.
    assert len(re.findall("^result ", again.stderr, re.MULTILINE)) == 2
