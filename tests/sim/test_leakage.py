# SPDX-License-Identifier: Apache-2.0
"""Cycles over secrets: a core whose time depends on its key is told from one whose does not."""

from __future__ import annotations

import shutil
from fractions import Fraction
from pathlib import Path

import pytest

from lydite.base.errors import CheckFailed, InputError
from lydite.cores import Design, load
from lydite.search import statistics
from lydite.sim import leakage

TOY = Path(__file__).parent / "toy"
# A call waits before its last beat, as many cycles as the key says.
WAIT = (
    ("reg [7:0] key_q,", "reg [7:0] wait_q, key_q,"),
    ("            key_q <= s_axis_tdata;", "            key_q <= s_axis_tdata;\n"
     "            wait_q <= s_axis_tdata;"),
    ("        default:\n        if (free)", "        default:\n"
     "        if (wait_q != 8'd0) wait_q <= wait_q - 8'd1;\n        else if (free)"),
)  # fmt: skip


def toy(folder: Path, *changes: tuple[str, str]) -> Design:
    copy = folder / "toy"
    shutil.copytree(TOY, copy, ignore=shutil.ignore_patterns("__pycache__"))
    text = (copy / "toy.v").read_text()
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    (copy / "toy.v").write_text(text)
    return load(copy / "core.toml").designs[0]


def welch(found: leakage.Timed) -> tuple[float, float] | None:
    sides = [
        [Fraction(n) for n, fixed in zip(found.cycles, found.fixed, strict=True) if fixed is which]
        for which in (True, False)
    ]
    return statistics.welch(*sides)


def timed(design: Design, *, secrets: tuple[str, ...] = ("key",), part: int = 0) -> leakage.Timed:
    return leakage.measure(design, "seal", secrets=secrets, calls=120, part=part, seed=1)


def test_a_core_that_waits_by_its_key_is_seen(tmp_path: Path) -> None:
    found = timed(toy(tmp_path, *WAIT))
    fixed = {n for n, one in zip(found.cycles, found.fixed, strict=True) if one}
    assert len(fixed) == 1
    assert len(set(found.cycles)) > 20
    t, freedom = welch(found) or (0.0, 0.0)
    assert abs(t) > 4.5
    assert freedom >= 30


def test_one_whose_time_does_not_depend_on_the_key_is_not(tmp_path: Path) -> None:
    design = toy(tmp_path)
    found = timed(design)
    assert len(set(found.cycles)) == 1
    assert 40 < sum(found.fixed) < 80
    assert welch(found) == (0.0, 0.0)
    assert timed(design) == found
    assert timed(design, part=1).fixed != found.fixed


def test_what_is_public_is_no_secret(tmp_path: Path) -> None:
    """The key is drawn alike in both classes when only the message is secret."""
    found = timed(toy(tmp_path, *WAIT), secrets=("message",))
    t, _ = welch(found) or (0.0, 0.0)
    assert abs(t) < 4.5


def test_a_wrong_answer_is_seen(tmp_path: Path) -> None:
    wrong = toy(tmp_path, ("turned ^ plain", "turned ^ plain ^ 8'd1"))
    with pytest.raises(CheckFailed, match="call "):
        leakage.measure(wrong, "seal", secrets=("key",), calls=4, part=0, seed=1)


@pytest.mark.parametrize(
    ("secrets", "calls", "told"),
    [
        (("nonce",), 10, "seal takes no 'nonce'"),
        ((), 10, "no input of seal is secret"),
        (("key",), 0, "0 calls of a part"),
        (("key",), 10_001, "10001 calls of a part"),
    ],
)
def test_bad_input_is_refused(secrets: tuple[str, ...], calls: int, told: str) -> None:
    design = load(TOY / "core.toml").designs[0]
    with pytest.raises(InputError, match=told) as error:
        leakage.measure(design, "seal", secrets=secrets, calls=calls, part=0, seed=1)
    assert error.value.exit_code == 2
