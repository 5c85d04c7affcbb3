# SPDX-License-Identifier: Apache-2.0
"""`lydite explore`: tables, files that go on, pages; what fails; kills, and two at once."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from lydite.cli import main
from lydite.runs.store import Store

Capture = pytest.CaptureFixture[str]
PROGRAM = """
#include <stdint.h>
static uint32_t squared(uint32_t x) { return x * x; }
uint32_t total(const uint16_t data[8], uint32_t past) {
  uint32_t sum = 0;
sums:
  for (int i = 0; i < 8; i++) {
    sum += squared(data[i] + past);
  }
  return sum;
}
int main(void) {
  const uint16_t data[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  return total(data, 0) != 204 || total(data, 1) != 284;
}
"""
# Where iterations depend on each other through memory, and the source says they do not.
LIE = """
#include <stdint.h>
void chain(uint32_t a[4], const uint8_t data[16]) {
sums:
  for (int i = 0; i < 16; i++) {
#pragma HLS dependence variable=a inter false
    a[data[i] & 3] += 5;
  }
}
int main(void) {
  uint32_t a[4] = {1, 1, 1, 1};
  const uint8_t data[16] = {0, 0, 0, 1, 1, 2};
  chain(a, data);
  return a[1] != 11;
}
"""


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder for all tests here: a program in one place is linked once."""
    return tmp_path_factory.mktemp("kernels")


@pytest.fixture
def kernel(folder: Path, monkeypatch: pytest.MonkeyPatch, store_folder: Path) -> Path:
    """Give a small kernel, in the folder that the command runs in."""
    monkeypatch.chdir(folder)
    path = folder / "total.c"
    path.write_text(PROGRAM)
    return path


def quick(kernel: Path, points: int, *more: str, top: str = "total") -> list[str]:
    argv = ["explore", kernel.name, "--top", top, "--budget", f"{points}runs", "--jobs", "1"]
    return [*argv, "--clock-ns", "10", *more]


def shown(capsys: Capture, argv: list[str], code: int = 0) -> dict[str, Any]:
    assert main([*argv, "--json"]) == code
    found: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert found["command"] == "explore"
    return found


def test_a_front_with_files_to_go_on_with(kernel: Path, capsys: Capture) -> None:
    hand = kernel.with_name("hand.toml")
    hand.write_text('[[directives]]\nloop = "sums"\ndirective = "pipeline II=1"\n')
    argv = quick(kernel, 5, "--beside", "hand.toml")
    page, paper, plots = (Path(name) for name in ("page.html", "paper.tex", "plots"))
    pages = ["--html", page.name, "--latex", paper.name, "--plots", plots.name]
    assert main([*argv, *pages]) == 0
    told = capsys.readouterr()
    assert "Exploration: total on ecp5-85k-6, ns of a call, ESC" in told.out
    assert re.search(r"^ hand +(not )?dominated +", told.out, re.MULTILINE)
    assert re.search(r"^point 1 of 5: latency [\d,.]+, esc [\d.]+; 1 on the front$", told.err, re.M)
    found = shown(capsys, argv)["exploration"]
    assert (len(found["points"]), found["failed"]) == (5, 0)
    assert found["points"][0]["directives"] == []
    assert {row["status"] for row in found["front"]} == {"front"}
    latencies = [row["latency_ns"] for row in found["front"]]
    assert latencies == sorted(latencies)
    assert {row["place"] for row in found["knobs"]} >= {"total/sums", "squared"}
    # All that is on the front was co-simulated; the rest was, or is dominated.
    assert all(len(row["keys"]) == 2 for row in found["front"])
    assert found["proven"] + found["estimated"] == 5
    assert 0 <= found["covered"]["as written"] < found["covered"]["front"] <= 1
    assert main([*argv, "--csv=points"]) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [int(row["number"]) for row in rows] == [1, 2, 3, 4, 5]
    assert r"\begin{tabular" in paper.read_text()
    assert "Down and left is better" in page.read_text()
    assert {path.suffix for path in plots.iterdir()} == {".png", ".svg"}
    # A point's file gives its hardware: as many cycles, and the same estimate.
    row = found["front"][-1]
    text = Path(row["file"]).read_text()
    assert tomllib.loads(text)["directives"]
    [command] = re.findall(r"^# lydite (hls .*)$", text, re.MULTILINE)
    assert main([*command.split(), "--out", "again", "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert again["cosimulation"]["latency_mean"] == row["cycles"]
    assert [again["report"]["area"][n] for n in ("lut", "ff")] == [row["lut"], row["ff"]]


def test_several_files_by_hand_are_one_point(kernel: Path, capsys: Capture) -> None:
    pipelined = '[[directives]]\nloop = "sums"\ndirective = "pipeline II=1"\n'
    kernel.with_name("on.toml").write_text(pipelined)
    kernel.with_name("off.toml").write_text(pipelined.replace("II=1", "off"))
    stacks = ("on.toml", "both=on.toml,off.toml", "off.toml,on.toml", "off.toml")
    argv = quick(kernel, 1, *(word for stack in stacks for word in ("--beside", stack)))
    assert main(argv) == 2
    assert "--beside: two of one name" in capsys.readouterr().err
    argv[argv.index("off.toml,on.toml")] = "again=off.toml,on.toml"
    beside = {row["name"]: row for row in shown(capsys, argv)["exploration"]["beside"]}
    assert set(beside) == {"on", "both", "again", "off"}
    cycles = {name: row["cycles"] for name, row in beside.items()}
    assert cycles["on"] == cycles["again"] != cycles["off"] == cycles["both"]


def test_a_larger_budget_goes_on_and_repeats_nothing(
    kernel: Path, capsys: Capture, store_folder: Path
) -> None:
    assert main(quick(kernel, 1)) == 0
    with Store(store_folder) as store:
        before = store.all()
    capsys.readouterr()
    assert main(quick(kernel, 2)) == 0
    assert re.findall(r"^point (\d)", capsys.readouterr().err, re.MULTILINE) == ["2"]
    with Store(store_folder) as store:
        assert store.all()[: len(before)] == before
        keys = [record.key for record in store.all()]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize(
    "sent", [signal.SIGINT, pytest.param(signal.SIGKILL, marks=pytest.mark.slow)]
)
def test_one_that_is_ended_goes_on(
    kernel: Path, capsys: Capture, store_folder: Path, tmp_path: Path, sent: signal.Signals
) -> None:
    argv = quick(kernel, 4)
    process = subprocess.Popen(
        [sys.executable, "-m", "lydite", *argv],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    for line in process.stderr:
        if line.startswith("point 2"):
            break
    os.kill(process.pid, sent)
    output, errors = process.communicate()
    assert (process.returncode, output) == ((130 if sent == signal.SIGINT else -9), "")
    if sent == signal.SIGINT:
        assert "the same command goes on from there" in errors
        assert list((store_folder / "work").iterdir()) == []
    assert main([*argv, "--csv=points"]) == 0
    told = capsys.readouterr()
    numbers = re.findall(r"^point (\d)", told.err, re.MULTILINE)
    assert numbers[-1] == "4"
    assert "1" not in numbers and "2" not in numbers
    with Store(store_folder) as store:
        keys = [record.key for record in store.all()]
    assert len(set(keys)) == len(keys)
    rows = list(csv.DictReader(io.StringIO(told.out)))
    # Estimates repeat themselves: the same points as one that was let run.
    assert main([*argv, "--store", str(tmp_path / "other"), "--csv=points"]) == 0
    whole = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["directives"] for row in rows] == [row["directives"] for row in whole]
    assert [row["latency_ns"] for row in rows] == [row["latency_ns"] for row in whole]


def test_two_at_once_on_one_store(kernel: Path, store_folder: Path) -> None:
    """The same one is done once; another one shares what they have in common."""
    argvs = [quick(kernel, 2), quick(kernel, 2), quick(kernel, 2, "--seed", "2")]
    processes = [
        subprocess.Popen(
            [sys.executable, "-m", "lydite", *argv, "--json"],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        for argv in argvs
    ]
    ended = [(process.communicate()[0], process.returncode) for process in processes]
    assert [code for _, code in ended] == [0, 0, 0]
    first, second, third = (json.loads(output)["exploration"] for output, _ in ended)
    assert first["points"] == second["points"]
    assert third["points"][0]["keys"] == first["points"][0]["keys"]
    with Store(store_folder) as store:
        keys = [record.key for record in store.all()]
    assert len(set(keys)) == len(keys)
    assert len(list((store_folder / "searches").iterdir())) == 2


def test_hardware_that_is_wrong_is_an_error_and_no_point(kernel: Path, capsys: Capture) -> None:
    path = kernel.with_name("chain.c")
    path.write_text(LIE)
    argv = quick(path, 4, "--knobs", "pipeline", top="chain")
    found = shown(capsys, argv, code=5)
    wrong = [row for row in found["exploration"]["points"] if row["status"] == "failed"]
    assert wrong
    assert all("a[" in row["error"] and row["latency_ns"] is None for row in wrong)
    good = {row["number"] for row in found["exploration"]["front"]}
    assert not good & {row["number"] for row in wrong}
    assert "co-simulation of chain, call 1 of 1" in found["failures"][0]["error"]
    assert main([*argv, "--csv"]) == 5
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {int(row["point"]) for row in rows if row["status"] == "front"} == good


def test_what_the_compiler_refuses_is_told_and_no_point(kernel: Path, capsys: Capture) -> None:
    hand = kernel.with_name("hand.toml")
    hand.write_text('[[directives]]\nloop = "sum"\ndirective = "pipeline"\n')
    found = shown(capsys, quick(kernel, 1, "--beside", "hand.toml"), code=2)
    assert len(found["exploration"]["front"]) == 1
    [failure] = found["failures"]
    assert failure["label"] == "point hand: 1 directives"
    assert "there is no loop sum in total\n  known: sums" in failure["error"]


def test_a_program_that_does_not_hold_is_not_explored(kernel: Path, capsys: Capture) -> None:
    kernel.write_text(kernel.read_text().replace("!= 204", "!= 205"))
    found = shown(capsys, quick(kernel, 3), code=5)
    assert found["exploration"] is None
    [failure] = found["failures"]
    assert failure["label"].startswith("the program as it is written")
    assert (
        "total: the program's own main, run natively\n  expected exit status 0"
        in (failure["error"])
    )
    # Mended, it is another program, and explored.
    kernel.write_text(kernel.read_text().replace("!= 205", "!= 204"))
    assert len(shown(capsys, quick(kernel, 1))["exploration"]["points"]) == 1


def test_knobs_are_listed_without_a_run(kernel: Path, capsys: Capture) -> None:
    assert main(quick(kernel, 1, "--list", "--ports", "--csv")) == 0
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert {(row["place"], row["kind"]) for row in rows} == {
        ("clock", "clock"),
        ("squared", "inline"),
        ("squared", "allocation"),
        ("total/sums", "pipeline"),
        ("total/sums", "unroll"),
        ("total/data", "partition"),
    }


def test_list_names_a_directive_without_a_place(
    kernel: Path, tmp_path: Path, capsys: Capture
) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text('[[directives]]\nfunction = "total"\nloop = "9"\ndirective = "unroll"\n')
    assert main(quick(kernel, 1, "--list", "--directives", str(path))) == 2
    assert f"{path}: entry 1: there is no loop 9" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("more", "message"),
    [
        (["--top", "totl"], "total.c: no definition of the top function totl"),
        (["--budget", "0runs"], "--budget: must be above 0, not 0runs"),
        (["--objective", "speed"], "--objective: no such objective: 'speed'"),
        (["--knobs", "partition"], "--knobs: there is nothing to explore in total: no choice of "),
        (["--knobs", "unrol"], "--knobs: no such kind of knobs: 'unrol'\n  the nearest is unroll"),
        (["--clock-ns", "10,0"], "--clock-ns: not clock periods above 0: '10,0'"),
        (["--clock-ns", "fast"], "--clock-ns: not clock periods above 0: 'fast'"),
        (["--sampler", "grid"], "--sampler: no such sampler: 'grid'"),
        (["--place", "-1"], "--place: must be at least 0, not -1"),
        (["--jobs", "0"], "--jobs: must be at least 1, not 0"),
        (["--target", "ecp9"], "--target: no such target: 'ecp9'"),
        (["--beside", "none.toml"], "none.toml: cannot be read: "),
        (["--beside", "one=none.toml,two.toml"], "none.toml: cannot be read: "),
        (["--directives", "none.toml"], "none.toml: cannot be read: "),
        (["--depth", "data"], "--depth: not ARG=N with N above 0: 'data'"),
    ],
)
def test_bad_input_is_one_error(
    kernel: Path, more: list[str], message: str, capsys: Capture
) -> None:
    assert main([*quick(kernel, 3), *more]) == 2
    assert capsys.readouterr().err.startswith(f"lydite: {message}")


def test_a_kernel_that_does_not_compile_is_refused(kernel: Path, capsys: Capture) -> None:
    kernel.write_text("int total(int x) { return x + ; }\n")
    assert main(quick(kernel, 3)) == 2
    assert "total.c:1" in capsys.readouterr().err
    assert main(["explore", "none.c", "--top", "f"]) == 2
    assert "none.c: no such file" in capsys.readouterr().err


@pytest.mark.slow
def test_points_of_the_front_are_placed(kernel: Path, capsys: Capture) -> None:
    argv = quick(kernel, 4, "--place", "2", "--seeds", "1", "--target", "ecp5-25k")
    found = shown(capsys, argv)["exploration"]
    placed = [row["placed"] for row in found["front"] if row["placed"] is not None]
    assert len(placed) == 2
    assert found["front"][0]["placed"] and found["front"][-1]["placed"]
    for row in placed:
        assert row["fmax_median_mhz"] > 20
        assert row["latency_ns"] > 0 < row["lut4"]
    assert main(argv) == 0
    assert "MHz" in capsys.readouterr().out
