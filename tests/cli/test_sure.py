# SPDX-License-Identifier: Apache-2.0
"""`lydite bench --until-sure`: more seeds where the order is open, up to a limit."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from lydite.cli import main

Capture = pytest.CaptureFixture[str]
QUICK = ("--no-software", "--target", "ice40-hx1k", "--seeds", "1")
# The same hardware under another name: no number of seeds tells them apart.
AGAIN = '\n[[design.variant]]\nname = "again"\ntitle = "the same"\n'


def test_seeds_are_added_until_the_limit(crc32: Path, capsys: Capture) -> None:
    with (crc32 / "core.toml").open("a") as file:
        file.write(AGAIN)
    argv = ["bench", str(crc32), *QUICK, "--until-sure", "95%", "--most-seeds", "3"]
    assert main([*argv, "--json"]) == 0
    [table] = json.loads(capsys.readouterr().out)["benches"]
    assert [row["implemented"]["seeds"] for row in table["hardware"]] == [3, 3]
    [order] = table["orders"]
    assert (order["odds"], order["settled_by"], order["seeds"]) == (0.5, None, [3, 3])
    row = table["hardware"][0]
    rates = [
        row["rate"] * one["usable_mhz"] / row["implemented"]["usable_median_mhz"]
        for one in row["implemented"]["samples"]
    ]
    assert (row["rate_low"], row["rate_high"]) == pytest.approx((min(rates), max(rates)))
    assert main(argv) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "rtl is 1.00 x as fast as again; that it is faster is 50 % sure after 3 seeds" in shown


@pytest.mark.parametrize("share", ["50%", "100%", "1.0", "0.5", "95", "sure", "nan"])
def test_odds_that_are_none_are_refused(crc32: Path, share: str, capsys: Capture) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["bench", str(crc32), *QUICK, "--until-sure", share])
    assert caught.value.code == 2
    assert f"not above 50 % and below 100 %: '{share}'" in capsys.readouterr().err


def test_a_limit_below_one_is_refused(crc32: Path, capsys: Capture) -> None:
    assert main(["bench", str(crc32), *QUICK, "--most-seeds", "0"]) == 2
    assert "--most-seeds: must be at least 1, not 0" in capsys.readouterr().err
