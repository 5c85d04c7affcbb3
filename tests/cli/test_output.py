# SPDX-License-Identifier: Apache-2.0
"""What scripts rely on: exit codes, JSON of refusals, widths, progress in a log, completion."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest

from lydite.base.errors import EXIT_CODES, CheckFailed, InputError, ToolFailed, ToolNotFound
from lydite.cli import bench, hls, main, output, parser, running
from lydite.hls.contract import effort
from lydite.report import bench_tables
from lydite.runs.job import Job

Capture = pytest.CaptureFixture[str]
PAGE = Path(__file__).parents[2] / "docs" / "commands.md"


def test_exit_codes_stand_in_the_help_and_in_the_docs(capsys: Capture) -> None:
    rows = re.findall(r"^\| (\d+) \| (.*) \|$", PAGE.read_text(), re.MULTILINE)
    assert {int(code): what for code, what in rows} == dict(EXIT_CODES)
    for code, what in EXIT_CODES.items():
        assert re.search(rf"^  {code} +{re.escape(what)}$", parser().format_help(), re.MULTILINE)
    for error in (InputError, ToolNotFound, ToolFailed, CheckFailed):
        assert error.exit_code in EXIT_CODES


@pytest.mark.parametrize(
    "argv",
    [
        ("bench", "no-such"),
        ("run", "no-such.v", "--top", "t"),
        ("hls", "no-such.c", "--top", "f"),
        ("show", "0123"),
        ("characterise", "--widths", "x"),
    ],
)
def test_a_refusal_is_json_where_json_was_asked(argv: tuple[str, ...], capsys: Capture) -> None:
    assert main([*argv, "--json"]) == 2
    shown = capsys.readouterr()
    found = json.loads(shown.out)
    error = found["error"]
    assert (found["schema"], found["command"]) == (output.JSON_SCHEMA, argv[0])
    assert (error["kind"], error["exit_code"]) == ("InputError", 2)
    assert shown.err == f"lydite: {error['message']}\n"
    assert error["message"].startswith(f"{error['where']}: {error['what']}")


def test_paths_have_a_form_in_json(capsys: Capture) -> None:
    output.show_json("show", folder=Path("a") / "b")
    assert json.loads(capsys.readouterr().out)["folder"] == "a/b"


def test_tables_follow_the_width_that_is_given(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for width in (50, 80, 200):
        monkeypatch.setenv("COLUMNS", str(width))
        assert main(["list", "cores"]) == 0
        lines = capsys.readouterr().out.splitlines()
        assert max(map(len, lines)) <= width
        assert any("sha3-256" in line for line in lines)


def test_words_that_a_help_lists_are_those_of_what_it_does_not_import() -> None:
    assert tuple(bench_tables.TABLES) == bench.TABLES
    assert hls.EFFORTS == effort.EFFORTS


class Slow(Job):
    """A job that only has a name."""

    kind = "slow"

    @property
    def label(self) -> str:
        return "placement of t"

    def inputs(self) -> dict[str, str]:
        return {}

    def run(self, work: Path, store: object) -> object:
        raise AssertionError


def test_a_log_hears_of_a_long_job_once_a_minute(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(running.time, "monotonic", lambda: clock[0])
    job = Slow()
    with running.Progress() as progress:
        progress.watch(job, "waiting", None)
        progress.watch(job, "running", None)
        for _ in range(150):
            clock[0] += 1
            progress.tell(job, "routing, 12 arcs left")
        progress.tell(job, "")
    assert capsys.readouterr().err.splitlines() == [
        "start    placement of t",
        "running  placement of t, 1 min: routing, 12 arcs left",
        "running  placement of t, 2 min: routing, 12 arcs left",
    ]


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish", "tcsh", "powershell"])
def test_completion_names_commands_targets_and_cores(shell: str, capsys: Capture) -> None:
    assert main(["completion", shell]) == 0
    script = capsys.readouterr().out
    for word in ("bench", "link-gbps", "ecp5-85k", "sha3-256"):
        assert word in script


def test_bash_takes_the_completion(tmp_path: Path, capsys: Capture) -> None:
    shell = Path("/bin/bash")
    if not shell.exists():
        pytest.skip("needs bash")
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "lydite.bash"
    script.write_text(capsys.readouterr().out)
    asked = (
        f"source {script}; COMP_WORDS=(lydite bench sha3-256/hls); COMP_CWORD=2; "
        "_shtab_lydite lydite sha3-256/hls bench; echo ${COMPREPLY[@]}"
    )
    done = subprocess.run([shell, "-c", asked], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["sha3-256/hls", "sha3-256/hls-stream"]
