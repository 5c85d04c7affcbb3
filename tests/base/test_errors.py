# SPDX-License-Identifier: Apache-2.0
"""What a user reads when something is wrong, whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from lydite.base import (
    CheckFailed,
    InputError,
    LimitReached,
    LyditeError,
    ToolFailed,
    ToolNotFound,
)


def test_input_error_says_where_and_what() -> None:
    assert str(InputError("core.toml:3", "not TOML")) == "core.toml:3: not TOML"


def test_input_error_gives_the_hint_on_a_line_of_its_own() -> None:
    error = InputError("--seeds", "must be 1 to 9, not 0", "say --seeds 3")
    assert str(error) == "--seeds: must be 1 to 9, not 0\n  say --seeds 3"


def test_tool_not_found_gives_the_remedy() -> None:
    error = ToolNotFound("yosys", "no yosys on PATH", "install it")
    assert str(error) == "yosys: no yosys on PATH\n  install it"


@pytest.mark.parametrize(
    ("rc", "text"),
    [
        (3, "tool failed with exit status 3"),
        (-9, "tool was killed by signal 9"),
        (None, "tool ran past its time limit and was stopped"),
    ],
)
def test_tool_failed_says_how(rc: int | None, text: str) -> None:
    assert str(ToolFailed(("/usr/bin/tool", "-x"), rc)) == text


def test_tool_failed_gives_the_tools_lines_and_the_log() -> None:
    error = ToolFailed(("tool",), 1, log=Path("w/tool.log"), tail="a.v:1: one\na.v:2: two")
    assert str(error) == (
        "tool failed with exit status 1\n  a.v:1: one\n  a.v:2: two\n  log: w/tool.log"
    )


def test_tool_failed_of_no_command_has_a_text() -> None:
    assert str(ToolFailed((), 1)) == "? failed with exit status 1"


def test_check_failed_sets_expected_over_got() -> None:
    error = CheckFailed("00ff", "00fe", "core, byte 1")
    assert str(error) == "core, byte 1\n  expected 00ff\n  got      00fe"


def test_check_failed_tells_its_reason_and_its_waveform_where_there_is_one(tmp_path: Path) -> None:
    error = CheckFailed("1", "2", "core", note="it is late")
    assert str(error) == "core\n  expected 1\n  got      2\n  note: it is late"
    wave = tmp_path / "failure.vcd"
    assert str(error.drawn(wave)) == str(error)
    wave.touch()
    shown = f"{error}\n  waveform (for GTKWave, Surfer): {wave}"
    assert str(error.drawn(wave)) == shown


def test_every_kind_has_its_exit_code() -> None:
    kinds = (LyditeError, InputError, ToolNotFound, ToolFailed, CheckFailed, LimitReached)
    assert [kind.exit_code for kind in kinds] == [1, 2, 3, 4, 5, 4]
