# SPDX-License-Identifier: Apache-2.0
"""`lydite hls` on programs that do what C leaves undefined: it ends, says so first, and judges
hardware by nothing else.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lydite import cli

# Each case of the switch is a program of its own, and all are one model: main's argument chooses.
# What is undefined in the first four never matters; in the last it is the result.
SOURCE = """
static const int A[8] = {1, 2, 3, 4, 5, 6, 7, 8};
static int m[64], few[8];
int top(int what, int x) {
  int s = 0, n = x + 30, u;
  switch (what) {
    case 0:
      for (int i = 0; i < 64; i++) m[i] = A[i];
      for (int i = 0; i < 8; i++) s += m[i] * x;
      return s;
    case 1:
      for (int i = 0; i < 8; i++) few[i] = i + x;
      for (int i = 0; i < 8; i++) s += few[i];
      few[x + 5] = 9;
      return s;
    case 2:
      for (int i = 0; i < 6; i++) {
        int part = (7 << n) + (1000 >> n);
        if (i & 1) s += (part & 0) + x;
      }
      return s;
    case 3:
      if (x > 100) u = x;
      if (u > 7) s = x > 100;
      return s + (x > 100 ? u : x);
  }
  for (int i = 8; i < 16; i++) s += A[i];
  return s + x;
}
int main(int argc, char **argv) {
  if (argc > 1) return top(4, 3) == 39;
  return top(0, 3) != 108 || top(1, 3) != 52 || top(2, 3) != 9 || top(3, 3) != 3;
}
"""
TOO_FAR = "; hardware reads any number, and writes some word of the memory or none"


def lydite(folder: Path, *arguments: str) -> tuple[int, str]:
    source = folder / "k.c"
    source.write_text(SOURCE)
    code = cli.main(["hls", str(source), "--top", "top", "--out", str(folder / "o"), *arguments])
    return code, str(source)


def line_of(text: str) -> int:
    return next(n for n, line in enumerate(SOURCE.split("\n"), 1) if text in line)


def test_what_never_matters_is_said_and_compared(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, source = lydite(tmp_path, "--json")
    printed = capsys.readouterr()
    found: dict[str, Any] = json.loads(printed.out)["cosimulation"]
    shift = f"{source}:{line_of('7 << n')}"
    wanted = [
        (f"{source}:{line_of('= A[i]')}", "bounds", 1),
        (f"{source}:{line_of('few[x + 5]')}", "bounds", 2),
        (shift, "shift", 3),
    ]
    assert [(f["where"], f["kind"], f["call"]) for f in found["findings"]] == wanted
    shown = f"{wanted[0][0]}: undefined C: index 8 of const int[8], which has 8 elements{TOO_FAR}"
    assert printed.err.splitlines()[0] == f"warning: {shown}"
    assert (code, found["calls"], found["native_rc"], found["mismatch"]) == (0, 4, 0, None)


def test_a_result_that_is_undefined_is_the_programs_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    code, source = lydite(tmp_path, "--json", "--arg=bad")
    printed = capsys.readouterr()
    wrong: dict[str, Any] = json.loads(printed.out)["cosimulation"]["mismatch"]
    where = f"{source}:{line_of('s += A[i]')}"
    assert (code, wrong["call"], wrong["variable"]) == (2, 1, "return value")
    assert [(f["where"], f["call"]) for f in wrong["undefined"]] == [(where, 1)]
    first, second, *rest = printed.err.splitlines()
    what = "index 8 of const int[8], which has 8 elements"
    assert first == f"warning: {where}: undefined C: {what}{TOO_FAR}"
    assert second == (
        "lydite: co-simulation of top, call 1 of 1 (what = 4, x = 3): return value differs, but "
        f"may depend on what C leaves undefined at {where}"
    )
    assert rest[2:] == [
        f"  {where}: {what}",
        "  natively and in hardware this may give anything: mend it, then compare",
        f"  waveform (for GTKWave, Surfer): {tmp_path / 'o' / 'top_call1.vcd'}",
    ]
