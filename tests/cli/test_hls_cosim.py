# SPDX-License-Identifier: Apache-2.0
"""`lydite hls` where co-simulation does not end well: exit codes, JSON, and where waveforms are."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

import pytest

from lydite import cli
from lydite.cli import output

# Its top function and its main draw from one generator.
SHARED = """
#include <stdint.h>
static uint32_t state = 1;
static uint32_t rnd(void) { return state = state * 1664525u + 1013904223u; }
uint32_t mask(uint32_t x) { return x ^ rnd(); }
int main(int argc, char **argv) {
  if (argc > 1) return mask(1) == mask(argv[1][0] != 'n');
  return (mask(rnd()) ^ mask(rnd())) == 0;
}
"""


def lydite(folder: Path, *arguments: str) -> int:
    source = folder / "shared.c"
    source.write_text(SHARED)
    return cli.main(["hls", str(source), "--top", "mask", "--out", str(folder / "o"), *arguments])


def test_failed_co_simulation_is_json_and_names_its_waveform(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert lydite(tmp_path, "--json") == 2
    printed = capsys.readouterr()
    found = json.loads(printed.out)
    wave = tmp_path / "o" / "mask_call1.vcd"
    assert found["cosimulation"]["mismatch"]["wave"] == str(wave)
    assert found["cosimulation"]["mismatch"]["changed"] == [
        {"name": f"state ({tmp_path / 'shared.c'}:3)", "call": 1}
    ]
    assert "$enddefinitions" in wave.read_text()
    assert printed.err.endswith(f"  waveform (for GTKWave, Surfer): {wave}\n")


def test_arguments_of_main_are_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert lydite(tmp_path, "--arg=-n", "--json") == 0
    assert json.loads(capsys.readouterr().out)["cosimulation"]["calls"] == 2


def test_limit_that_is_none_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for option in ("--max-cycles", "--record-mib"):
        with pytest.raises(SystemExit) as caught:
            lydite(tmp_path, option, "0")
        assert caught.value.code == 2
        assert "not a whole number above 0: '0'" in capsys.readouterr().err
    assert lydite(tmp_path, "--timeout-s", "0") == 2
    assert capsys.readouterr().err == "lydite: --timeout-s: must be above 0, not 0\n"


@dataclass(frozen=True)
class _Found:
    wave: Path
    files: tuple[Path, ...]


def test_json_of_every_command_takes_paths(capsys: pytest.CaptureFixture[str]) -> None:
    output.show_json("hls", found=_Found(Path("a/b.vcd"), (Path("c.v"),)))
    found = json.loads(capsys.readouterr().out)
    assert found["found"] == {"wave": "a/b.vcd", "files": ["c.v"]}
    with pytest.raises(NotImplementedError):
        output.show_json("hls", found=object())
